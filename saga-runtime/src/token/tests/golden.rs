//! A token of version 1, kept as a file: P21. It must open for as long as version 1 is read.
//!
//! A change that breaks this refuses every token that is under way when it is deployed: it is a new
//! version, and this file stays.

use super::super::{Claims, Limits};
use super::{NOW, binding, claims, open, sealer, state, try_seal};

const VERSION_1: &str = include_str!("golden_v1.txt");

fn golden_claims() -> Claims {
    Claims { ttl: 600, age: 1234, round: 2, flags: 0x8001, ..claims() }
}

#[test]
fn the_golden_token_opens() {
    let opened = open(&sealer(), &binding(), VERSION_1.trim_end()).expect("the golden token");
    assert_eq!(opened.claims, golden_claims());
    assert_eq!(opened.state, state(100));
}

#[test]
fn sealing_gives_the_golden_token() {
    let text = try_seal(&sealer(), &binding(), &golden_claims(), &state(100)).expect("a token");
    assert_eq!(text, VERSION_1.trim_end());
}

#[test]
fn the_golden_token_expires_like_any_other() {
    let opened = sealer().open(VERSION_1.trim_end(), &binding(), &Limits::default(), NOW + 600);
    assert!(opened.is_err());
}
