//! The store is down, full or slow; the request goes away; the transition is refused.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use saga_runtime::Client;
use saga_runtime::clock::Clock;
use saga_runtime::guard::{Claim, Guard, GuardError, Guarding, MemoryGuard, RedisGuard, Turn};
use saga_runtime::host::{Outcome, Refusal};
use saga_tests::external::Redis;

use crate::{Bank, builder, call, is_forked, send, start, told};

/// A store that cannot be asked.
#[derive(Debug)]
struct Down;

impl Guard for Down {
    fn claim<'a>(&'a self, _: &'a Turn) -> Guarding<'a, Claim> {
        Box::pin(async { Err(GuardError::new("it is down")) })
    }

    fn keep<'a>(&'a self, _: &'a Turn, _: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>> {
        Box::pin(async { Err(GuardError::new("it is down")) })
    }

    fn kept<'a>(&'a self, _: &'a Turn) -> Guarding<'a, Option<Vec<u8>>> {
        Box::pin(async { Err(GuardError::new("it is down")) })
    }

    fn abandon(&self, _: &Turn) {}
}

pub(crate) fn is_refused_for_now(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::Unavailable))
}

fn is_refused_for_good(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::Internal))
}

#[tokio::test]
async fn a_tool_fails_closed_unless_it_says_otherwise() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(Down).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    assert!(is_refused_for_now(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await));
    assert_eq!(bank.charges(), 0);

    let first = start(&sagas, "hardy").await;
    let done = send(&sagas, "hardy", call(Some(&first), &[("first", 1)])).await;
    assert!(told(&done).starts_with("done"), "{}", told(&done));
    assert_eq!(bank.charges(), 1);
}

#[tokio::test]
async fn redis_goes_away_and_comes_back() {
    let Some(mut redis) = Redis::start("guard::faults, Redis stopped and started") else { return };
    let bank = Arc::new(Bank::default());
    let guard = RedisGuard::new(&redis.address()).expect("an address");
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    redis.stop();
    assert!(is_refused_for_now(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await));
    assert_eq!(bank.charges(), 0);

    redis.restart();
    let outcome = send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await;
    assert!(told(&outcome).starts_with("asks"), "{}", told(&outcome));
    assert_eq!(bank.charges(), 1);

    // Nobody asks anything meanwhile: each connection finds out at its next use, and no request is refused for it.
    for _ in 0..2 {
        for _ in 0..8 {
            let first = start(&sagas, "charge").await;
            let outcome = send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await;
            assert!(told(&outcome).starts_with("asks"), "{}", told(&outcome));
        }
        redis.stop();
        redis.restart();
    }
}

/// The client hangs up while its turn is claimed, which Redis carries out later.
#[tokio::test]
async fn a_request_that_went_away_while_it_claimed_leaves_no_lease() {
    let Some(redis) = Redis::start("guard::faults, a request that goes away early") else { return };
    let bank = Arc::new(Bank::default());
    let guard = RedisGuard::new(&redis.address()).expect("an address").with_patience(Duration::ZERO);
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    // Each connection is made at its first use, and would send nothing to a frozen Redis before.
    for _ in 0..8 {
        let other = start(&sagas, "charge").await;
        send(&sagas, "charge", call(Some(&other), &[("first", 1)])).await;
    }
    let (first, known) = (start(&sagas, "charge").await, bank.charges());
    redis.freeze();
    let claiming = send(&sagas, "charge", call(Some(&first), &[("first", 1)]));
    assert!(tokio::time::timeout(Duration::from_millis(200), claiming).await.is_err(), "Redis is frozen");
    redis.thaw();
    let again = until(async || {
        told(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await).starts_with("asks")
    });
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("no lease is left");
    assert_eq!(bank.charges(), known + 1);
}

/// Redis does not answer for a while, and carries out then what was given up: the repetition runs at once.
#[tokio::test]
async fn a_claim_that_was_given_up_leaves_no_lease() {
    let Some(redis) = Redis::start("guard::faults, Redis frozen") else { return };
    let bank = Arc::new(Bank::default());
    let guard = RedisGuard::new(&redis.address()).expect("an address").with_patience(Duration::ZERO);
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    for _ in 0..5 {
        let first = start(&sagas, "charge").await;
        redis.freeze();
        assert!(is_refused_for_now(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await));
        redis.thaw();
        let known = bank.charges();
        // Far less than the lease of a minute.
        let again = until(async || {
            told(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await).starts_with("asks")
        });
        tokio::time::timeout(Duration::from_secs(20), again).await.expect("no lease is left");
        assert_eq!(bank.charges(), known + 1);
    }
}

/// Redis was never there: the server starts all the same.
#[tokio::test]
async fn a_redis_that_is_not_there_refuses_nobody_at_start() {
    let bank = Arc::new(Bank::default());
    let address = format!("redis://127.0.0.1:{}", saga_tests::external::free_port());
    let guard = RedisGuard::new(&address).expect("an address");
    assert!(!format!("{guard:?}").contains("127.0.0.1"));
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    assert!(is_refused_for_now(&send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await));
    assert!(RedisGuard::new("http://not-redis").is_err());
}

/// The client hangs up in the middle; its repetition runs, another branch does not.
async fn goes_away(guard: impl Guard + 'static) {
    let bank = Arc::new(Bank { gate: Some(tokio::sync::Semaphore::new(0)), ..Bank::default() });
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    {
        let mut running = Box::pin(send(&sagas, "charge", call(Some(&first), &[("first", 1)])));
        let ended = tokio::time::timeout(Duration::from_millis(200), &mut running).await;
        assert!(ended.is_err(), "it waits at the gate");
    }
    assert!(is_forked(&send(&sagas, "charge", call(Some(&first), &[("first", 2)])).await));
    bank.gate.as_ref().expect("a gate").add_permits(1);
    let again = send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await;
    assert!(told(&again).starts_with("asks"), "{}", told(&again));
    assert_eq!(bank.charges(), 1);
}

/// One who only waited hangs up: the turn stays his who runs it, and so does its reply.
async fn waits_and_goes_away(guard: impl Guard + 'static) {
    let bank = Arc::new(Bank { gate: Some(tokio::sync::Semaphore::new(0)), ..Bank::default() });
    let sagas = builder(&bank).guard(guard).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let send_again = || Box::pin(send(&sagas, "charge", call(Some(&first), &[("first", 1)])));
    let waits = Duration::from_millis(200);
    let mut running = send_again();
    assert!(tokio::time::timeout(waits, &mut running).await.is_err(), "it waits at the gate");
    assert!(tokio::time::timeout(waits, send_again()).await.is_err(), "it waits for the first");
    let mut third = send_again();
    assert!(tokio::time::timeout(waits, &mut third).await.is_err(), "so does a third");
    assert_eq!(bank.waiting(), 1, "one is at the gate");
    bank.gate.as_ref().expect("a gate").add_permits(9);
    assert!(told(&running.await).starts_with("asks"));
    // It has been woken, and goes away before it is looked at again.
    drop(third);
    assert!(told(&send_again().await).starts_with("asks"));
    assert_eq!(bank.charges(), 1);
}

#[tokio::test]
async fn one_who_only_waited_gives_nothing_back() {
    waits_and_goes_away(MemoryGuard::new()).await;
    let Some(redis) = Redis::start("guard::faults, one who waits goes away") else { return };
    waits_and_goes_away(RedisGuard::new(&redis.address()).expect("an address")).await;
}

/// A turn whose reply found no room has ended: nobody is told to send it again.
#[tokio::test]
async fn a_reply_without_room_is_refused_for_good() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(MemoryGuard::new().with_reply_bytes(10)).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let send_again = || send(&sagas, "charge", call(Some(&first), &[("first", 1)]));
    assert!(told(&send_again().await).starts_with("asks"));
    assert!(is_refused_for_good(&send_again().await));
    assert_eq!(bank.charges(), 1);
}

/// What a look tells is what was kept, and it takes no turn.
async fn looks(guard: impl Guard) {
    let turn = |answers| Turn::new([1; 16], 3, [answers; 32], 60);
    let (look, runs, other) = (turn(2), turn(2), turn(3));
    assert_eq!(guard.kept(&look).await, Ok(None));
    assert_eq!(guard.claim(&runs).await, Ok(Claim::Fresh));
    assert_eq!(guard.kept(&look).await, Ok(None), "it runs");
    guard.keep(&runs, b"reply".to_vec()).await.expect("the store is there");
    assert_eq!(guard.kept(&look).await, Ok(Some(b"reply".to_vec())));
    assert_eq!(guard.kept(&other).await, Ok(None), "other answers");
}

#[tokio::test]
async fn a_guard_tells_what_it_kept() {
    looks(MemoryGuard::new()).await;
    let Some(redis) = Redis::start("guard::faults, a look") else { return };
    looks(RedisGuard::new(&redis.address()).expect("an address")).await;
}

#[tokio::test]
async fn a_request_that_went_away_can_be_repeated() {
    goes_away(MemoryGuard::new()).await;
    let Some(redis) = Redis::start("guard::faults, a request that goes away") else { return };
    goes_away(RedisGuard::new(&redis.address()).expect("an address")).await;
}

/// A server died with its claim: the lease ends, and the repetition runs.
#[tokio::test]
async fn a_lease_ends() {
    let Some(redis) = Redis::start("guard::faults, a server that died") else { return };
    let guard = || {
        let guard = RedisGuard::new(&redis.address()).expect("an address");
        guard.with_lease(Duration::from_millis(300)).with_patience(Duration::from_secs(20))
    };
    let turn = Turn::new([1; 16], 3, [2; 32], 60);
    assert_eq!(guard().claim(&turn).await, Ok(Claim::Fresh));
    let impatient = guard().with_patience(Duration::ZERO);
    assert_eq!(impatient.claim(&turn).await, Ok(Claim::Repeat(None)), "it still runs, for all that is known");
    let other = Turn::new([1; 16], 3, [3; 32], 60);
    assert_eq!(guard().claim(&other).await, Ok(Claim::Forked));
    let takes_over = guard();
    assert_eq!(takes_over.claim(&turn).await, Ok(Claim::Fresh), "after the lease");
    takes_over.keep(&turn, b"reply".to_vec()).await.expect("Redis");
    assert_eq!(guard().claim(&turn).await, Ok(Claim::Repeat(Some(b"reply".to_vec()))));
    assert_eq!(guard().claim(&Turn::new([1; 16], 4, [2; 32], 60)).await, Ok(Claim::Fresh), "another round");
    assert_eq!(guard().with_prefix("other").claim(&turn).await, Ok(Claim::Fresh), "another server's keys");
}

/// Waits until it is so, and fails if it never is.
pub(crate) async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let polling = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), polling).await.expect("within a minute");
}

/// A transition takes longer than its lease, and another server runs it, too: both clients get one reply, and neither
/// gives back what is the other's.
#[tokio::test]
async fn a_transition_outlives_its_lease() {
    let Some(redis) = Redis::start("guard::faults, a transition longer than its lease") else { return };
    let guard = || {
        let guard = RedisGuard::new(&redis.address()).expect("an address");
        guard.with_lease(Duration::from_millis(200)).with_patience(Duration::from_secs(20))
    };
    let bank = Arc::new(Bank { gate: Some(tokio::sync::Semaphore::new(0)), ..Bank::default() });
    let keys = saga_runtime::KeyRing::parse(&saga_runtime::KeyRing::generate_key().expect("a key"));
    let keys = keys.expect("a key");
    let server = || builder(&bank).keys(keys.clone()).guard(guard()).build().expect("sagas");
    let (one, other) = (server(), server());
    let first = start(&one, "charge").await;
    let request = || call(Some(&first), &[("first", 1)]);
    let both = async { tokio::join!(send(&one, "charge", request()), send(&other, "charge", request())) };
    let gate = bank.gate.as_ref().expect("a gate");
    let open = async {
        // Both wait at the gate when the second has taken the first one's lease for dead.
        until(async || bank.waiting() == 2).await;
        gate.add_permits(2);
    };
    let ((here, there), ()) = tokio::join!(both, open);
    assert!(told(&here).starts_with("asks"), "{}", told(&here));
    assert_eq!(told(&here), told(&there));
    assert_eq!(bank.charges(), 2, "the effect's key is what makes it one");
    let keys = bank.keys.lock().expect("no panic").clone();
    assert_eq!(keys[0], keys[1]);
}

/// Who took longer than his lease and goes away gives nothing back: it is another's by now.
#[tokio::test]
async fn a_lease_that_is_anothers_is_not_given_back() {
    let Some(redis) = Redis::start("guard::faults, a lease that is another's") else { return };
    let guard = || RedisGuard::new(&redis.address()).expect("an address").with_patience(Duration::ZERO);
    let turn = || Turn::new([1; 16], 1, [2; 32], 60);
    let (slow, fast) = (guard().with_lease(Duration::from_millis(50)), guard());
    let (mine, yours) = (turn(), turn());
    assert_eq!(slow.claim(&mine).await, Ok(Claim::Fresh));
    until(async || fast.claim(&yours).await == Ok(Claim::Fresh)).await;
    slow.abandon(&mine);
    // Nothing says when it has been done: as long as commands in the same connection take.
    for _ in 0..20 {
        assert_eq!(slow.claim(&turn()).await, Ok(Claim::Repeat(None)), "it is the fast one's");
    }
    fast.abandon(&yours);
    until(async || slow.claim(&turn()).await == Ok(Claim::Fresh)).await;
}

/// A refusal is no use: the same token is good when what was missing is there.
#[tokio::test]
async fn a_refused_request_uses_nothing_up() {
    let bank = Arc::new(Bank::default());
    let sagas = builder(&bank).guard(MemoryGuard::new()).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    let mut unable = call(Some(&first), &[("first", 1)]);
    unable.client = Client::default();
    let refused = send(&sagas, "charge", unable).await;
    assert!(matches!(refused, Outcome::Refused(Refusal::Capability(_))), "{refused:?}");
    let able = send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await;
    assert!(told(&able).starts_with("asks"), "{}", told(&able));
}

#[derive(Clone)]
struct Settable(Arc<Mutex<u64>>);

impl Clock for Settable {
    fn now(&self) -> u64 {
        *self.0.lock().expect("no panic")
    }
}

#[tokio::test]
async fn a_guard_in_memory_is_bounded_and_forgets() {
    let now = Arc::new(Mutex::new(1_000));
    let guard = MemoryGuard::with_room(2).with_clock(Settable(now.clone()));
    let turn = |number| Turn::new([number; 16], 1, [0; 32], 100);
    for number in [1, 2] {
        let turn = turn(number);
        assert_eq!(guard.claim(&turn).await, Ok(Claim::Fresh));
        guard.keep(&turn, vec![number]).await.expect("memory");
    }
    assert!(guard.claim(&turn(3)).await.is_err(), "it is full");
    assert_eq!(guard.claim(&turn(1)).await, Ok(Claim::Repeat(Some(vec![1]))), "and knows what it knew");
    *now.lock().expect("no panic") = 1_100;
    assert_eq!(guard.claim(&turn(3)).await, Ok(Claim::Fresh));
    assert_eq!(guard.claim(&turn(1)).await, Ok(Claim::Fresh), "its token has expired");
}

/// A store that shows what it was given.
#[derive(Debug, Default, Clone)]
struct Glass(Arc<Mutex<Vec<Vec<u8>>>>);

impl Guard for Glass {
    fn claim<'a>(&'a self, _: &'a Turn) -> Guarding<'a, Claim> {
        let kept = self.0.lock().expect("no panic").last().cloned();
        Box::pin(async move { Ok(kept.map_or(Claim::Fresh, |reply| Claim::Repeat(Some(reply)))) })
    }

    fn keep<'a>(&'a self, _: &'a Turn, reply: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>> {
        self.0.lock().expect("no panic").push(reply);
        Box::pin(async { Ok(None) })
    }

    fn kept<'a>(&'a self, _: &'a Turn) -> Guarding<'a, Option<Vec<u8>>> {
        Box::pin(async { Ok(None) })
    }

    fn abandon(&self, _: &Turn) {}
}

#[tokio::test]
async fn the_store_can_neither_read_nor_forge_a_reply() {
    let bank = Arc::new(Bank::default());
    let glass = Glass::default();
    let sagas = builder(&bank).guard(glass.clone()).build().expect("sagas");
    let first = start(&sagas, "charge").await;
    send(&sagas, "charge", call(Some(&first), &[("first", 1)])).await;
    let kept = glass.0.lock().expect("no panic")[0].clone();
    assert!(kept.starts_with(b"sg1.") && !String::from_utf8_lossy(&kept).contains("charged"));
    let repeat = |answer| send(&sagas, "charge", call(Some(&first), &[("first", answer)]));
    assert!(told(&repeat(1).await).starts_with("asks"));

    // The store gives the reply of another turn, or one of its own making.
    assert!(is_refused_for_good(&repeat(2).await));
    for forged in [b"sg1.AAAA".to_vec(), first.clone().into_bytes(), Vec::new(), vec![0xff; 40]] {
        glass.0.lock().expect("no panic").push(forged);
        assert!(is_refused_for_good(&repeat(1).await));
    }
    // A kept reply is no token.
    let as_token = String::from_utf8(kept).expect("text");
    assert!(is_forked(&send(&sagas, "charge", call(Some(&as_token), &[("first", 1)])).await));
}
