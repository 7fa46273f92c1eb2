//! What a trace sees, what it refuses, and that it ends.

mod deploy;
mod differences;
mod misread;
mod nasty;
mod texts;

use serde::Deserialize;

use super::{explore, of};

/// The canonical text of a type.
fn text<'de, T: Deserialize<'de>>() -> String {
    explore::<T>().tree.text()
}

/// Nothing of the type is opaque.
#[track_caller]
fn is_known<'de, T: Deserialize<'de>>() {
    let explorer = explore::<T>();
    let text = explorer.tree.text();
    assert!(explorer.asks.is_none() && !text.contains('!'), "{text}");
}

#[track_caller]
fn same<'a, 'b, A: Deserialize<'a>, B: Deserialize<'b>>() {
    assert_eq!(text::<A>(), text::<B>());
    assert_eq!(of::<A>(), of::<B>());
}

#[track_caller]
fn different<'a, 'b, A: Deserialize<'a>, B: Deserialize<'b>>() {
    assert_ne!(text::<A>(), text::<B>());
    assert_ne!(of::<A>(), of::<B>());
}
