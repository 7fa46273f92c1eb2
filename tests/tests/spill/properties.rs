//! What holds of a token holds of a stored state.

use std::sync::{Arc, Mutex};

use saga_runtime::clock::Clock;
use saga_runtime::guard::MemoryGuard;
use saga_runtime::host::{Outcome, Refusal};
use saga_runtime::store::{MemoryStore, RedisStore, Spill, Store};
use saga_runtime::{Client, Principal};
use saga_tests::external::Redis;

use crate::{ABOVE, CANARY, Glass, Shared, builder, call, keys, send, server, start, text, token};

fn is_refused(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::State))
}

/// A saga that goes from one instance to another in every round.
async fn goes_on_elsewhere(one: impl Store + 'static, other: impl Store + 'static) {
    let keys = keys();
    let (one, other) = (server(&keys, one), server(&keys, other));
    for (canaries, is_stored) in [(1, false), (100, true), (4_000, true)] {
        let first = start(&one, canaries).await;
        assert_eq!(first.len() < 400, is_stored || canaries == 1, "{canaries}: {}", first.len());
        let second = token(send(&other, call(canaries, Some(&first), &[("first", true)])).await);
        let done = send(&one, call(canaries, Some(&second), &[("second", false)])).await;
        assert_eq!(text(done), format!("{} bytes, true false", canaries * CANARY.len()));
    }
}

#[tokio::test]
async fn a_large_state_waits_in_memory() {
    let store = Shared(Arc::new(MemoryStore::new()));
    goes_on_elsewhere(store.clone(), store).await;
}

#[tokio::test]
async fn a_large_state_waits_in_redis() {
    let Some(redis) = Redis::start("spill::properties, states in Redis") else { return };
    let store = || RedisStore::new(&redis.address()).expect("an address");
    goes_on_elsewhere(store(), store()).await;
    // Two rounds of two sagas, and each is forgotten after its token: ten minutes, and a minute for the clocks.
    let found = redis.command("KEYS *");
    let keys: Vec<&str> = found.split_whitespace().filter(|word| word.starts_with("saga:state:")).collect();
    assert_eq!(keys.len(), 4, "{found}");
    for key in keys {
        let lives = redis.command(&format!("TTL {key}"));
        let lives: u32 = lives.trim_start_matches(':').trim().parse().expect("seconds");
        assert!((600..=660).contains(&lives), "{lives}");
    }
}

/// The store sees a length, and no more; the client not even that.
#[tokio::test]
async fn the_store_cannot_read_and_lengths_are_hidden() {
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let mut lengths = Vec::new();
    for canaries in [50, 100, 2_000] {
        lengths.push(start(&server, canaries).await.len());
        let stored = store.last();
        assert!(stored.starts_with(b"sg1.") && stored.len() > canaries * CANARY.len());
        assert!(!String::from_utf8_lossy(&stored).contains("canary"));
    }
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    let again = start(&server, 50).await;
    let kept = store.kept.lock().expect("no panic");
    assert!(kept.iter().all(|(handle, _)| !again.contains(&handle.to_string())));
    assert_eq!(kept.iter().filter(|(_, sealed)| sealed == &kept[0].1).count(), 1, "no two are alike");
}

/// Whatever the store gives but the bytes themselves is refused: other states, of the same saga too, and any change.
#[tokio::test]
async fn the_store_cannot_change_a_state_or_give_another() {
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let first = start(&server, 100).await;
    let good = store.last();
    let second = token(send(&server, call(100, Some(&first), &[("first", true)])).await);
    let later = store.last();
    start(&server, 100).await;
    let of_another = store.last();

    let mut altered = good.clone();
    altered[60] ^= 1;
    let mut longer = good.clone();
    longer.push(b'A');
    let tokens = [first.clone().into_bytes(), second.into_bytes()];
    let given =
        [altered, longer, good[..good.len() - 1].to_vec(), Vec::new(), vec![0xff; 300], later, of_another];
    for given in given.into_iter().chain(tokens) {
        store.give(&given);
        assert!(is_refused(&send(&server, call(100, Some(&first), &[("first", true)])).await));
    }
    store.give(&good);
    token(send(&server, call(100, Some(&first), &[("first", true)])).await);
}

#[tokio::test]
async fn a_stored_state_is_bound_like_its_token() {
    let (keys, store) = (keys(), Glass::default());
    let server = server(&keys, store.clone());
    let first = start(&server, 100).await;
    let good = || call(100, Some(&first), &[("first", true)]);

    let mut stolen = good();
    stolen.principal = Some(Principal::new("mallory"));
    let mut nobodys = good();
    nobodys.principal = None;
    let mut elsewhere = good();
    elsewhere.method = "tools/callSaga";
    for other in [stolen, nobodys, elsewhere, call(101, Some(&first), &[("first", true)])] {
        assert!(is_refused(&send(&server, other).await));
    }
    let other_tool = server.serve(server.tool("other").expect("the tool"), good()).await;
    assert!(is_refused(&other_tool));
    // What the store holds is no token, for its thief.
    let stored = String::from_utf8(store.last()).expect("text");
    assert!(is_refused(&send(&server, call(100, Some(&stored), &[("first", true)])).await));
    token(send(&server, good()).await);
}

#[derive(Clone)]
struct Settable(Arc<Mutex<u64>>);

impl Clock for Settable {
    fn now(&self) -> u64 {
        *self.0.lock().expect("no panic")
    }
}

/// Also where the store keeps it for longer than it was told.
#[tokio::test]
async fn a_stored_state_expires() {
    let now = Arc::new(Mutex::new(1_000_000));
    let spill = Spill::above(ABOVE, Glass::default());
    let server = builder(&keys()).clock(Settable(now.clone())).ttl(60).spill(spill).build().expect("sagas");
    let first = start(&server, 100).await;
    *now.lock().expect("no panic") += 59;
    let second = token(send(&server, call(100, Some(&first), &[("first", true)])).await);
    *now.lock().expect("no panic") += 60;
    assert!(is_refused(&send(&server, call(100, Some(&second), &[("second", true)])).await));
}

/// With a guard a token is good once, wherever its state waits: who repeats it gets the same reply.
#[tokio::test]
async fn a_stored_state_is_used_once() {
    let spill = Spill::above(ABOVE, MemoryStore::new());
    let server = builder(&keys()).guard(MemoryGuard::new()).spill(spill).build().expect("sagas");
    let first = start(&server, 100).await;
    let one = token(send(&server, call(100, Some(&first), &[("first", true)])).await);
    let again = token(send(&server, call(100, Some(&first), &[("first", true)])).await);
    assert_eq!(one, again);
    assert!(is_refused(&send(&server, call(100, Some(&first), &[("first", false)])).await));
    let done = send(&server, call(100, Some(&one), &[("second", true)])).await;
    assert!(text(done).ends_with("true true"));
}

/// A refusal for what the client cannot do uses nothing up.
#[tokio::test]
async fn a_refused_request_leaves_the_state() {
    let server = server(&keys(), MemoryStore::new());
    let first = start(&server, 100).await;
    let mut unable = call(100, Some(&first), &[("first", true)]);
    unable.client = Client::default();
    let refused = send(&server, unable).await;
    assert!(matches!(refused, Outcome::Refused(Refusal::Capability(_))), "{refused:?}");
    token(send(&server, call(100, Some(&first), &[("first", true)])).await);
}
