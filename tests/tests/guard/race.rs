//! Many requests, one token.

use std::collections::BTreeSet;
use std::sync::Arc;

use saga_runtime::Sagas;
use saga_runtime::guard::{Guard, MemoryGuard, RedisGuard};
use saga_tests::external::Redis;

use crate::{Bank, builder, call, is_forked, send, start, token, told};

const TASKS: i64 = 64;

/// Sends the same token from many tasks at once, each with the answer that `euros` gives it.
async fn race(sagas: &Sagas, token: &str, euros: impl Fn(i64) -> i64) -> Vec<saga_runtime::host::Outcome> {
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let (sagas, call) = (sagas.clone(), call(Some(token), &[("first", euros(task))]));
            tokio::spawn(async move { send(&sagas, "charge", call).await })
        })
        .collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.expect("no panic"));
    }
    outcomes
}

pub(crate) async fn same_answers(guard: impl Guard + 'static) {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let outcomes = race(&sagas, &first, |_| 7).await;
    assert_eq!(bank.charges(), 1);
    let told: BTreeSet<String> = outcomes.iter().map(told).collect();
    assert_eq!(told.len(), 1, "one reply for all: {told:?}");

    // Long afterwards, too; and the saga goes on from the token that all were given.
    let again = send(&sagas, "charge", call(Some(&first), &[("first", 7)])).await;
    assert!(told.contains(&crate::told(&again)));
    let second = token(again);
    let done = send(&sagas, "charge", call(Some(&second), &[("second", 3)])).await;
    let repeated = send(&sagas, "charge", call(Some(&second), &[("second", 3)])).await;
    assert_eq!(crate::told(&done), crate::told(&repeated));
    assert!(crate::told(&done).contains("10 from ada"));
    assert_eq!(bank.charges(), 2);
}

pub(crate) async fn other_answers(guard: impl Guard + 'static) {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let outcomes = race(&sagas, &first, |task| task).await;
    assert_eq!(bank.charges(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| is_forked(outcome)).count(), 63);

    let winner = outcomes.into_iter().position(|outcome| !is_forked(&outcome)).expect("a winner");
    let winner = i64::try_from(winner).expect("a number");
    let other = send(&sagas, "charge", call(Some(&first), &[("first", winner + 1)])).await;
    assert!(is_forked(&other));
    let none = send(&sagas, "charge", call(Some(&first), &[])).await;
    assert!(is_forked(&none), "no answer is another answer");
}

/// Two instances, each with a connection of its own.
async fn two_servers(one: impl Guard + 'static, other: impl Guard + 'static) {
    let bank = Arc::new(Bank::default());
    let keys =
        saga_runtime::KeyRing::parse(&saga_runtime::KeyRing::generate_key().expect("a key")).expect("a key");
    let one = builder(&bank).keys(keys.clone()).guard(one).build().expect("sagas");
    let other = builder(&bank).keys(keys).guard(other).build().expect("sagas");
    for _ in 0..20 {
        let before = bank.charges();
        let first = start(&one, "charge").await;
        let request = || call(Some(&first), &[("first", 1)]);
        let (here, there) = tokio::join!(send(&one, "charge", request()), send(&other, "charge", request()));
        assert_eq!(told(&here), told(&there));
        assert_eq!(bank.charges(), before + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_memory_one_of_many_wins() {
    same_answers(MemoryGuard::new()).await;
    other_answers(MemoryGuard::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_redis_one_of_many_wins() {
    let Some(redis) = Redis::start("guard::race, 64 tasks and two servers with Redis") else { return };
    let guard = || RedisGuard::new(&redis.address()).expect("an address");
    same_answers(guard()).await;
    other_answers(guard()).await;
    two_servers(guard(), guard()).await;
}

/// Nothing is structured content, too.
#[tokio::test]
async fn a_reply_that_says_null_is_given_again() {
    let sagas = builder(&Arc::new(Bank::default())).guard(MemoryGuard::new()).build().expect("sagas");
    let first = start(&sagas, "nothing").await;
    let answered = || send(&sagas, "nothing", call(Some(&first), &[("first", 7)]));
    let (done, repeated) = (answered().await, answered().await);
    assert!(told(&done).contains("\"structuredContent\":null"), "{}", told(&done));
    assert_eq!(told(&done), told(&repeated));
}
