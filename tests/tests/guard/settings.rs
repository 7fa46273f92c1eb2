//! Which tools are guarded, and what their keys for effects are.

use std::collections::BTreeSet;
use std::sync::Arc;

use saga_runtime::BuildError;
use saga_runtime::guard::{MemoryGuard, Replay};
use saga_runtime::token::Limits;

use crate::{Bank, builder, call, is_forked, send, start, token, told};

#[test]
fn once_without_a_guard_is_refused_at_start() {
    let bank = Arc::new(Bank::default());
    let error = builder(&bank).build().expect_err("no guard");
    assert!(matches!(error, BuildError::NoGuard("charge")), "{error}");
    assert!(error.to_string().contains("`charge` has `replay = \"once\"`"), "{error}");

    let relaxed = builder(&bank).policy("charge", |policy| policy.replay = None).build();
    assert!(relaxed.is_ok());
    let strict = builder(&bank)
        .policy("charge", |policy| policy.replay = None)
        .policy("window", |policy| policy.replay = Some(Replay::Once))
        .build();
    assert!(matches!(strict, Err(BuildError::NoGuard("window"))));
    let nowhere = builder(&bank).policy("charges", |policy| policy.ttl = None).build();
    assert!(matches!(nowhere, Err(BuildError::NoSuchTool(name)) if name == "charges"));
}

#[test]
fn a_setting_that_lets_nothing_be_answered_is_refused_at_start() {
    let bank = Arc::new(Bank::default());
    let server = || builder(&bank).guard(MemoryGuard::new());
    let limits = Limits { max_rounds: 0, ..Limits::default() };
    for (built, setting, of) in [
        (server().ttl(0).build(), "ttl", None),
        (server().limits(limits).build(), "max_rounds", None),
        (server().policy("charge", |policy| policy.max_age = Some(0)).build(), "max_age", Some("charge")),
        (server().policy("charge", |policy| policy.attempts = Some(0)).build(), "attempts", Some("charge")),
    ] {
        let error = built.expect_err(setting);
        let is_named =
            matches!(error, BuildError::Zero { setting: named, tool } if named == setting && tool == of);
        assert!(is_named, "{error}");
    }
}

#[tokio::test]
async fn a_tool_may_opt_out_and_is_guarded_by_default() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(MemoryGuard::new()).build().expect("sagas");
    for (tool, is_guarded) in [("window", false), ("hardy", true)] {
        let before = bank.charges();
        let first = start(&sagas, tool).await;
        let one = send(&sagas, tool, call(Some(&first), &[("first", 1)])).await;
        let other = send(&sagas, tool, call(Some(&first), &[("first", 2)])).await;
        assert!(told(&one).contains("\"1\""), "{}", told(&one));
        assert_eq!(is_forked(&other), is_guarded, "{tool}");
        assert_eq!(bank.charges() - before, if is_guarded { 1 } else { 2 });
    }
}

/// A client that sends its token again gives an effect the same key; every other transition another one.
#[tokio::test]
async fn keys_of_effects() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).policy("charge", |policy| policy.replay = None).build().expect("sagas");
    let mut all = BTreeSet::new();
    for _ in 0..2 {
        bank.keys.lock().expect("no panic").clear();
        let first = start(&sagas, "charge").await;
        let mut second = String::new();
        for euros in [1, 1, 2] {
            second = token(send(&sagas, "charge", call(Some(&first), &[("first", euros)])).await);
        }
        send(&sagas, "charge", call(Some(&second), &[("second", 1)])).await;
        let keys = bank.keys.lock().expect("no panic").clone();
        assert_eq!((keys.len(), keys[0].len()), (4, 32));
        assert!(keys[0] == keys[1] && keys[1] == keys[2], "the same token");
        assert_ne!(keys[2], keys[3], "another round");
        all.extend(keys);
    }
    assert_eq!(all.len(), 4, "two sagas of two rounds");
}

/// The form of an answer on the wire makes no difference; its content does.
#[tokio::test]
async fn the_same_answers_are_known_however_they_are_written() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(MemoryGuard::new()).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let written = |text: &str| {
        let mut call = call(Some(&first), &[]);
        let answer = serde_json::from_str(text).expect("an object");
        call.answers.insert("first".to_owned(), saga_runtime::step::Answer::Result(answer));
        call
    };
    let one = send(&sagas, "charge", written(r#"{"action":"accept","content":{"euros":5}}"#)).await;
    let same =
        send(&sagas, "charge", written(r#"{ "content": { "euros": 5.0 }, "action": "accept" }"#)).await;
    assert_eq!(told(&one), told(&same));
    let other = send(&sagas, "charge", written(r#"{"action":"decline"}"#)).await;
    assert!(is_forked(&other));
}
