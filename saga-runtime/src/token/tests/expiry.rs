//! A token's time, to the second: P6 and P7.

use super::super::{Claims, Limits, OpenError, SealError};
use super::{At, Fixed, NOW, binding, claims, sealer};

const SKEW: u64 = 60;

fn open_at(claims: &Claims, now: u64) -> Result<(), OpenError> {
    let sealer = sealer();
    // Sealed under limits that allow anything, so that the opener's limits are what decides.
    let lavish = Limits { max_age: u32::MAX, max_rounds: u16::MAX, ..Limits::default() };
    let text = sealer.seal(&binding(), claims, b"", &lavish, &Fixed(2), &At(NOW)).expect("a token");
    sealer.open(&text, &binding(), &Limits::default(), now).map(drop)
}

#[test]
fn a_token_lives_for_its_ttl() {
    let claims = Claims { ttl: 600, ..claims() };
    assert_eq!(open_at(&claims, NOW), Ok(()));
    assert_eq!(open_at(&claims, NOW + 599), Ok(()));
    assert_eq!(open_at(&claims, NOW + 600), Err(OpenError::Expired));
    assert_eq!(open_at(&claims, u64::MAX), Err(OpenError::Expired));
}

#[test]
fn a_token_from_the_future_is_refused_beyond_the_skew() {
    assert_eq!(open_at(&claims(), NOW - SKEW), Ok(()));
    assert_eq!(open_at(&claims(), NOW - SKEW - 1), Err(OpenError::FromTheFuture));
    assert_eq!(open_at(&claims(), 0), Err(OpenError::FromTheFuture), "a clock that was never set");
}

#[test]
fn a_saga_dies_at_its_greatest_age() {
    let claims = Claims { age: 86_400 - 100, ttl: 600, ..claims() };
    assert_eq!(open_at(&claims, NOW + 99), Ok(()));
    assert_eq!(open_at(&claims, NOW + 100), Err(OpenError::TooOld));
    assert_eq!(open_at(&claims, NOW - SKEW), Ok(()), "a clock that is behind is no reason to die");
}

#[test]
fn a_saga_has_so_many_rounds() {
    assert_eq!(open_at(&Claims { round: 32, ..claims() }, NOW), Ok(()));
    assert_eq!(open_at(&Claims { round: 33, ..claims() }, NOW), Err(OpenError::TooManyRounds));
}

#[test]
fn no_sum_overflows() {
    let extreme = Claims { issued_at: u32::MAX, ttl: u32::MAX, age: u32::MAX - 1, ..claims() };
    assert_eq!(open_at(&extreme, u64::from(u32::MAX)), Err(OpenError::TooOld));
    assert_eq!(open_at(&extreme, u64::MAX), Err(OpenError::Expired));
    let eternal = Claims { ttl: u32::MAX, ..claims() };
    assert_eq!(open_at(&eternal, NOW + 86_399), Ok(()));
    assert_eq!(open_at(&eternal, NOW + 86_400), Err(OpenError::TooOld));
    assert_eq!(Claims::first(u64::MAX, 1, [0; 16]).issued_at, u32::MAX);
    assert_eq!(Claims { round: u16::MAX, age: u32::MAX, ..claims() }.next(NOW + 1, 1).round, u16::MAX);
}

/// Renewing a token does not renew the saga.
#[test]
fn fifty_rounds_keep_the_start_and_the_id() {
    let mut claims = Claims { flags: 5, ..claims() };
    for round in 1..=50_u16 {
        assert_eq!((claims.round, claims.saga_id, claims.flags), (round, *b"sixteen id bytes", 5));
        assert_eq!(u64::from(claims.issued_at - claims.age), NOW, "the start");
        claims = claims.next(NOW + u64::from(round) * 100, 600);
    }
}

#[test]
fn a_saga_renewed_at_the_last_second_dies_all_the_same() {
    let limits = Limits::default();
    let almost = NOW + u64::from(limits.max_age) - 1;
    let renewed = claims().next(almost, 600);
    assert_eq!(open_at(&renewed, almost), Ok(()));
    assert_eq!(open_at(&renewed, almost + 1), Err(OpenError::TooOld));

    let too_late = renewed.next(almost + 1, 600);
    let sealed = sealer().seal(&binding(), &too_late, b"", &limits, &Fixed(2), &At(almost + 1));
    assert_eq!(sealed, Err(SealError::TooOld { limit: limits.max_age }));
}

/// Servers whose clocks differ can not make a saga younger by passing it back and forth.
#[test]
fn clocks_that_differ_do_not_stop_a_saga_from_ageing() {
    let mut claims = claims();
    for turn in 1..=20_u64 {
        let real = NOW + turn * 10;
        let ahead = if turn % 2 == 0 { 60 } else { 0 };
        claims = claims.next(real + ahead, 600);
        assert!(u64::from(claims.age) + 10 * 2 >= turn * 10, "turn {turn}: {}", claims.age);
    }
}
