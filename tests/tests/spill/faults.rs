//! The store is down, full, or has lost a state; a state is too large for it.

use std::sync::{Arc, LazyLock, Mutex};

use saga_runtime::clock::Clock;
use saga_runtime::host::{Outcome, Refusal};
use saga_runtime::store::{MemoryStore, RedisStore, Spill, Store};
use saga_runtime::token::Limits;
use saga_tests::external::Redis;
use saga_tests::log::Log;

use crate::{ABOVE, CANARY, Glass, builder, call, keys, send, server, start, text, token};

/// The log of all tests here; each begins with it, and looks for what only it can have caused.
static LOG: LazyLock<Log> = LazyLock::new(Log::of_all);

#[track_caller]
fn the_log_says(line: &str) {
    let log = LOG.text();
    assert!(log.contains(line), "{line} in {log}");
    assert!(!log.contains("canary") && !log.contains("sg1."), "{log}");
}

fn is_refused_for_now(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::Unavailable))
}

fn is_refused(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::State))
}

/// The client is told what it is told of any token that is not good; the log has the handle.
#[tokio::test]
async fn a_lost_state_is_refused() {
    LazyLock::force(&LOG);
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let first = start(&server, 100).await;
    let (handle, _) = store.kept.lock().expect("no panic").pop().expect("a state");
    assert!(is_refused(&send(&server, call(100, Some(&first), &[("first", true)])).await));
    the_log_says(&format!("the store has lost its state {handle}"));
}

#[tokio::test]
async fn a_state_that_was_put_in_its_place_is_refused() {
    LazyLock::force(&LOG);
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let first = start(&server, 100).await;
    let (handle, _) = store.kept.lock().expect("no panic")[0];
    store.give(b"sg1.AAAA");
    assert!(is_refused(&send(&server, call(100, Some(&first), &[("first", true)])).await));
    the_log_says(&format!("the store has something else in place of its state {handle}"));
}

#[tokio::test]
async fn an_instance_without_the_store_refuses() {
    LazyLock::force(&LOG);
    let keys = keys();
    let first = start(&server(&keys, MemoryStore::new()), 100).await;
    let without = builder(&keys).build().expect("sagas");
    assert!(is_refused(&send(&without, call(100, Some(&first), &[("first", true)])).await));
    the_log_says("its state is in a store, and this server has none");
    // And the other way round: what travels goes on where there is a store.
    let first = start(&without, 100).await;
    token(send(&server(&keys, MemoryStore::new()), call(100, Some(&first), &[("first", true)])).await);
}

/// A state travels as before beyond eight kilobytes, and the log says what is large in it; where it is stored, there is
/// nothing to say.
#[tokio::test]
async fn the_log_warns_of_large_states_that_travel() {
    LazyLock::force(&LOG);
    let keys = keys();
    let without = builder(&keys).build().expect("sagas");
    let canaries = 340..=380;
    for canaries in canaries.clone() {
        token(send(&without, call(canaries, None, &[])).await);
        token(send(&server(&keys, MemoryStore::new()), call(canaries, None, &[])).await);
    }
    let log = LOG.text();
    let sizes: Vec<usize> = log
        .lines()
        .filter_map(|line| {
            let (_, said) = line.split_once("a large state travels tool=\"hoard\" size=")?;
            assert!(line.contains("WARN") && said.contains("largest=\"`text` "), "{line}");
            said.split(' ').next()?.parse().ok()
        })
        .collect();
    let (most, step) = (8 * 1024, CANARY.len());
    let first = *sizes.first().expect("warnings");
    assert!(first > most && first <= most + step, "{sizes:?}");
    let beyond = (first..).step_by(step).take(sizes.len());
    assert!(sizes.len() < canaries.count() && beyond.eq(sizes.iter().copied()), "{sizes:?}");
}

/// A state that may travel does, when the store cannot take it: the effects of the transition are done.
#[tokio::test]
async fn a_store_that_is_down_or_full_takes_nothing() {
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    store.down(true);
    let first = start(&server, 100).await;
    assert!(first.len() > 100 * CANARY.len());
    let too_large = send(&server, call(20_000, None, &[])).await;
    assert!(matches!(too_large, Outcome::Refused(Refusal::Internal)), "more than may travel");
    store.down(false);
    token(send(&server, call(100, Some(&first), &[("first", true)])).await);

    let full = crate::server(&keys, MemoryStore::with_room(10));
    assert!(start(&full, 100).await.len() > 100 * CANARY.len());
}

#[tokio::test]
async fn a_token_can_be_sent_again_when_the_store_is_back() {
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let first = start(&server, 100).await;
    store.down(true);
    assert!(is_refused_for_now(&send(&server, call(100, Some(&first), &[("first", true)])).await));
    store.down(false);
    token(send(&server, call(100, Some(&first), &[("first", true)])).await);
}

#[tokio::test]
async fn redis_goes_away_and_forgets() {
    let Some(mut redis) = Redis::start("spill::faults, Redis stopped and started") else { return };
    let store = RedisStore::new(&redis.address()).expect("an address");
    assert!(!format!("{store:?}").contains("127.0.0.1"));
    let server = server(&keys(), store);
    let first = start(&server, 100).await;
    redis.stop();
    assert!(is_refused_for_now(&send(&server, call(100, Some(&first), &[("first", true)])).await));
    redis.restart();
    let mut outcome = send(&server, call(100, Some(&first), &[("first", true)])).await;
    for _ in 0..100 {
        if !is_refused_for_now(&outcome) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        outcome = send(&server, call(100, Some(&first), &[("first", true)])).await;
    }
    assert!(is_refused(&outcome), "it forgot: {outcome:?}");
}

#[tokio::test]
async fn the_largest_state_is_set() {
    let large = |most| Spill::above(ABOVE, MemoryStore::new()).most(most);
    let limits = Limits { max_state: 4_096, ..Limits::default() };
    let server = builder(&keys()).limits(limits).spill(large(100_000)).build().expect("sagas");
    token(send(&server, call(4_000, None, &[])).await);
    let refused = text(send(&server, call(5_000, None, &[])).await);
    assert!(refused.contains("of at most 100000; the largest locals: `text` 115003 bytes"), "{refused}");
}

#[derive(Clone)]
struct Settable(Arc<Mutex<u64>>);

impl Clock for Settable {
    fn now(&self) -> u64 {
        *self.0.lock().expect("no panic")
    }
}

#[tokio::test]
async fn a_store_in_memory_is_bounded_and_forgets() {
    let now = Arc::new(Mutex::new(1_000));
    let store = MemoryStore::with_room(100).with_clock(Settable(now.clone()));
    // Handles are made by servers only.
    let glass = Glass::default();
    let server = server(&keys(), glass.clone());
    for _ in 0..3 {
        start(&server, 100).await;
    }
    let handles: Vec<_> = glass.kept.lock().expect("no panic").iter().map(|(handle, _)| *handle).collect();
    store.put(&handles[0], vec![0; 60], 50).await.expect("room");
    store.put(&handles[0], vec![0; 60], 50).await.expect("it has it");
    assert!(store.put(&handles[1], vec![1; 60], 50).await.is_err(), "it is full");
    store.put(&handles[2], vec![2; 40], 100).await.expect("room");
    *now.lock().expect("no panic") = 1_050;
    assert_eq!(store.get(&handles[0]).await, Ok(None));
    assert_eq!(store.get(&handles[2]).await, Ok(Some(vec![2; 40])));
    store.put(&handles[1], vec![1; 60], 50).await.expect("room again");
}
