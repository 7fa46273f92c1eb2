//! The list of keys that an operator keeps, and its rotation: P8, P25.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::super::KeyState::{Active, OpenOnly, Pending, Revoked};
use super::super::{KeyError, KeyId, KeyList, KeyRing, OpenError, Rotated, Sealer};
use super::{At, Fixed, NOW, binding, claims};
use crate::token::Limits;

fn key() -> String {
    KeyRing::generate_key().expect("a key")
}

fn id(key: &str) -> KeyId {
    KeyRing::parse(key).expect("a key").states(NOW).next().expect("a key").0
}

fn ring(list: &str) -> KeyRing {
    KeyRing::parse(list).expect("a ring")
}

fn at(seconds: u64) -> String {
    crate::token::keys::rfc3339(seconds)
}

fn seal_at(ring: &KeyRing, now: u64) -> String {
    let claims = super::Claims { issued_at: u32::try_from(now).expect("a time"), ..claims() };
    sealer(ring).seal(&binding(), &claims, b"", &Limits::default(), &Fixed(2), &At(now)).expect("a token")
}

fn open_at(ring: &KeyRing, token: &str, now: u64) -> Result<(), OpenError> {
    sealer(ring).open(token, &binding(), &Limits::default(), now).map(drop)
}

fn sealer(ring: &KeyRing) -> Sealer {
    Sealer::with_entropy("fleet", ring.clone(), &Fixed(1)).expect("a sealer")
}

#[test]
fn a_key_has_four_states() {
    let [old, new, next, stolen, past] = [key(), key(), key(), key(), key()];
    let turn = NOW + 100;
    let list = format!(
        "# the fleet's keys\n{old} # mints\n{new} activate_at={}\n{next} pending\n{stolen} revoked,\n{past} until={}\n\n",
        at(turn),
        at(turn)
    );
    let ring = ring(&list);
    let states = |now| ring.states(now).map(|(_, state)| state).collect::<Vec<_>>();
    assert_eq!(states(turn - 1), [Active, Pending, Pending, Revoked, OpenOnly]);
    assert_eq!(states(turn), [OpenOnly, Active, Pending, Revoked, Revoked]);
    assert_eq!(states(0), [Active, Pending, Pending, Revoked, OpenOnly], "a clock that was never set");

    let minted_by = |now| open_at(&self::ring(&new), &seal_at(&ring, now), now);
    assert_eq!(minted_by(turn - 1), Err(OpenError::UnknownKey(id(&old))));
    assert_eq!(minted_by(turn), Ok(()), "the new key's turn has come");
    let opens = |key: &str| open_at(&ring, &seal_at(&self::ring(key), turn), turn);
    assert_eq!((opens(&old), opens(&new), opens(&next)), (Ok(()), Ok(()), Ok(())));
    assert_eq!(opens(&stolen), Err(OpenError::RevokedKey(id(&stolen))));
    assert_eq!(opens(&past), Err(OpenError::RetiredKey(id(&past))));
}

#[test]
fn tokens_from_before_the_cutoff_are_refused() {
    let key = key();
    let cut = ring(&format!("{key},not_before={}", at(NOW)));
    for (issued, expected) in [(NOW - 1, Err(OpenError::BeforeCutoff)), (NOW, Ok(()))] {
        assert_eq!(open_at(&cut, &seal_at(&ring(&key), issued), NOW), expected);
    }
    let later = ring(&key).with_not_before(NOW + 1);
    assert_eq!(open_at(&later, &seal_at(&ring(&key), NOW), NOW), Err(OpenError::BeforeCutoff));
}

#[test]
fn a_list_that_says_nothing_clear_is_refused() {
    let (key, other) = (key(), key());
    let refused = |list: String, error| assert_eq!(KeyRing::parse(&list).map(drop), Err(error), "{list}");
    refused(format!("{key} retired"), KeyError::Word { position: 1 });
    refused(format!("{key},{other} pending revoked"), KeyError::Word { position: 2 });
    refused(format!("{key} not_before=2026-07-28T12:00:00Z"), KeyError::Word { position: 1 });
    refused(format!("{key} until=tomorrow"), KeyError::Time { position: 1 });
    refused(format!("{key} activate_at=1970-01-01T00:00:00Z"), KeyError::Time { position: 1 });
    refused(format!("{key} pending,{other} revoked"), KeyError::NoneMints);
    refused(format!("{key} activate_at=2026-07-28T12:00:00Z"), KeyError::NoneMints);
    refused("not_before=2026-07-28T12:00:00Z".to_owned(), KeyError::Empty);
    refused("# nothing\n\n".to_owned(), KeyError::Empty);
    refused(format!("{key},,{other}"), KeyError::Malformed { position: 2 });
}

#[test]
fn a_file_is_read_and_a_bad_one_is_named() {
    let path = std::env::temp_dir().join(format!("saga-keys-{}", std::process::id()));
    let write = |text: &str| std::fs::File::create(&path)?.write_all(text.as_bytes());
    let key = key();
    write(&format!("# ours\r\n{key}\r\n")).expect("a file");
    assert_eq!(KeyList::read(&path).and_then(|list| list.ring()).expect("a ring").states(NOW).count(), 1);
    for bad in ["", "nonsense", &format!("{key}\n{key}x"), &"#".repeat(70_000)] {
        write(bad).expect("a file");
        let error = KeyList::read(&path).map(drop).expect_err(bad).to_string();
        assert!(error.contains("saga-keys-") && !error.contains(&key[5..15]), "{error}");
    }
    std::fs::remove_file(&path).expect("a file");
    let error = KeyList::read(&path).map(drop).expect_err("no file");
    assert!(matches!(error, KeyError::File { .. }), "{error}");
}

/// What an operator does, step by step.
#[test]
fn a_rotation_is_three_commands() {
    const GRACE: u64 = 660;
    let old = key();
    let mut list = KeyList::parse(&old).expect("a list");
    let Ok(Rotated::Added(new)) = list.rotate(NOW, GRACE, None) else { panic!("the first step") };
    assert_eq!(KeyList::parse(&list.to_text()).map(|list| list.to_line()), Ok(list.to_line()), "as written");
    let added = list.ring().expect("a ring");
    assert_eq!(added.states(NOW).collect::<Vec<_>>(), [(id(&old), Active), (new, Pending)]);

    assert_eq!(list.rotate(NOW + 10, GRACE, None), Ok(Rotated::Promoted(new, NOW + 10 + GRACE)));
    let promoted = list.ring().expect("a ring");
    let expected = [(new, Active), (id(&old), OpenOnly)];
    assert_eq!(promoted.states(NOW + 10).collect::<Vec<_>>(), expected);

    let too_early = Err(KeyError::TooEarly { until: NOW + 10 + GRACE });
    assert_eq!(list.rotate(NOW + 9 + GRACE, GRACE, None), too_early);
    assert_eq!(list.rotate(NOW + 10 + GRACE, GRACE, None), Ok(Rotated::Dropped(1)));
    assert_eq!(list.ring().expect("a ring").states(NOW).collect::<Vec<_>>(), [(new, Active)]);
}

#[test]
fn a_rotation_by_the_clock_is_two_commands() {
    let old = key();
    let mut list = KeyList::parse(&old).expect("a list");
    let Ok(Rotated::Scheduled(new, turn)) = list.rotate(NOW, 600, Some(NOW + 50)) else { panic!() };
    assert_eq!(turn, NOW + 50);
    assert_eq!(list.rotate(NOW + 49, 600, None), Err(KeyError::TooEarly { until: turn }));
    assert_eq!(list.rotate(turn, 600, None), Err(KeyError::TooEarly { until: turn + 600 }));
    assert_eq!(list.ring().expect("a ring").states(turn).next(), Some((new, Active)));
    assert_eq!(list.rotate(turn + 600, 600, None), Ok(Rotated::Dropped(1)));
}

#[test]
fn a_list_written_by_hand_is_given_its_time() {
    let (new, old) = (key(), key());
    let mut list = KeyList::parse(&format!("{new},{old}")).expect("a list");
    assert_eq!(list.rotate(NOW, 600, None), Ok(Rotated::Promoted(id(&new), NOW + 600)));
    assert_eq!(list.rotate(NOW, 600, None), Err(KeyError::TooEarly { until: NOW + 600 }));
}

#[test]
fn a_stolen_key_is_revoked_and_replaced() {
    let (stolen, other) = (key(), key());
    let mut list = KeyList::parse(&format!("{stolen},{other} revoked")).expect("a list");
    let new = list.revoke(id(&stolen), NOW).expect("a list").expect("a new key");
    let ring = list.ring().expect("a ring");
    let token = seal_at(&self::ring(&stolen), NOW);
    assert_eq!(open_at(&ring, &token, NOW), Err(OpenError::RevokedKey(id(&stolen))));
    assert_eq!(ring.states(NOW).next(), Some((new, Active)));
    assert_eq!(list.revoke(KeyId([0; 4]), NOW), Err(KeyError::Unknown(KeyId([0; 4]))));

    let mut prepared = KeyList::parse(&format!("{stolen},{other} pending")).expect("a list");
    assert_eq!(prepared.revoke(id(&stolen), NOW), Ok(Some(id(&other))), "a key that is everywhere already");
    assert!(prepared.ring().is_ok());
}

/// Each list, and the one that it becomes when `stolen`, which mints, is revoked; `fresh` is a key that was made.
#[test]
fn whatever_mints_is_replaced() {
    let (stolen, old, other) = (key(), key(), key());
    let (past, later) = (format!("activate_at={}", at(NOW - 9)), format!("activate_at={}", at(NOW + 9)));
    let before = format!("activate_at={}", at(NOW - 10));
    for (list, expected) in [
        (format!("{old},{stolen} {past}"), format!("fresh,{old},{stolen} revoked")),
        (format!("{stolen},{old}"), format!("fresh,{stolen} revoked,{old}")),
        (format!("{stolen},{old},{other} pending"), format!("{other},{stolen} revoked,{old}")),
        (format!("{old},{other} {before},{stolen} {past}"), format!("fresh,{old},{other},{stolen} revoked")),
        (format!("{stolen},{other} {later}"), format!("fresh,{stolen} revoked,{other} {later}")),
        // By hand, and no server took it.
        (format!("{stolen} revoked"), format!("fresh,{stolen} revoked")),
    ] {
        let mut revoked = KeyList::parse(&list).expect("a list");
        let new = revoked.revoke(id(&stolen), NOW).expect("a key").expect(&list);
        let line = revoked.to_line();
        let expected = match expected.strip_prefix("fresh,") {
            Some(rest) => {
                line.split_once(',').is_some_and(|(fresh, found)| id(fresh) == new && found == rest)
            }
            None => *line == expected,
        };
        assert!(expected, "{list} became {}", *line);
        let states: Vec<_> = revoked.ring().expect("a ring").states(NOW).collect();
        assert_eq!(states[0], (new, Active), "{list}");
    }
}

#[test]
fn what_does_not_mint_is_not_replaced() {
    let (minting, stolen, past) = (key(), key(), format!("activate_at={}", at(NOW - 9)));
    for (list, expected) in [
        (format!("{minting},{stolen}"), format!("{minting},{stolen} revoked")),
        (format!("{stolen} pending,{minting}"), format!("{stolen} revoked,{minting}")),
        // It was the one that minted before.
        (format!("{stolen},{minting} {past}"), format!("{minting},{stolen} revoked")),
    ] {
        let mut revoked = KeyList::parse(&list).expect("a list");
        assert_eq!(revoked.revoke(id(&stolen), NOW), Ok(None), "{list}");
        assert_eq!(*revoked.to_line(), expected, "{list}");
        let states: Vec<_> = revoked.ring().expect("a ring").states(NOW).collect();
        assert!(states.contains(&(id(&minting), Active)), "{list}");
    }
}

/// A list that is full has room for one that takes the place of another.
#[test]
fn a_key_of_a_full_list_is_revoked() {
    let stolen = key();
    let full = |word: &str| {
        let others: Vec<_> = (0..15).map(|_| format!("{} {word}", key())).collect();
        format!("{stolen},{}", others.join(","))
    };
    let until = |moment| format!("until={}", at(moment));
    for (word, stays) in [("revoked", true), (&until(NOW), true), (&until(NOW + 1), false), ("", false)] {
        let list = full(word);
        let mut revoked = KeyList::parse(&list).expect("a list");
        let new = revoked.revoke(id(&stolen), NOW).expect("a key").expect("a new one");
        let ring = revoked.ring().expect(word);
        assert_eq!(ring.states(NOW).next(), Some((new, Active)));
        let token = seal_at(&self::ring(&stolen), NOW);
        let (gone, kept) = (OpenError::UnknownKey(id(&stolen)), OpenError::RevokedKey(id(&stolen)));
        assert_eq!(open_at(&ring, &token, NOW), Err(if stays { kept } else { gone }), "{word}");
    }
}

/// Two that were scheduled by hand: the later one mints, and not the earlier one again.
#[test]
fn the_latest_of_those_scheduled_goes_on_minting() {
    let [old, one, other] = [key(), key(), key()];
    let (first, second) = (at(NOW - 20), at(NOW - 10));
    let list = format!("{old},{one} activate_at={first},{other} activate_at={second}");
    let mut list = KeyList::parse(&list).expect("a list");
    assert_eq!(list.rotate(NOW, 600, None), Err(KeyError::TooEarly { until: NOW - 10 + 600 }));
    let states: Vec<_> = list.ring().expect("a ring").states(NOW).collect();
    assert_eq!(states, [(id(&other), Active), (id(&old), OpenOnly), (id(&one), OpenOnly)]);

    let at_once = format!("{old},{one} activate_at={first},{other} activate_at={first}");
    let mut list = KeyList::parse(&at_once).expect("a list");
    let minting = |list: &KeyList| {
        list.ring().expect("a ring").states(NOW).find(|(_, state)| *state == Active).map(|(id, _)| id)
    };
    let before = minting(&list);
    assert!(list.rotate(NOW, 600, None).is_err());
    assert_eq!(minting(&list), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Three instances take each new list whenever they like, but all before the operator's next command: no token
    /// that is under way is lost, whoever minted it.
    #[test]
    fn a_rotation_by_commands_loses_no_token(
        order in prop::collection::vec(0..3_usize, 0..12),
        is_scheduled in any::<bool>(),
    ) {
        const TTL: u64 = 600;
        let mut list = KeyList::parse(&key()).expect("a list");
        let mut instances = [(); 3].map(|()| list.ring().expect("a ring"));
        let mut now = NOW;
        let mut under_way: Vec<(u64, String)> = Vec::new();
        for _ in 0..6 {
            let activate_at = is_scheduled.then_some(now + 200);
            match list.rotate(now, TTL + 60, activate_at) {
                Ok(_) => {}
                Err(KeyError::TooEarly { until }) => {
                    now = until;
                    continue;
                }
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
            let ring = list.ring().expect("a ring");
            for instance in order.iter().copied().chain(0..3) {
                under_way.extend(instances.iter().map(|ring| (now, seal_at(ring, now))));
                instances[instance] = ring.clone();
                now += 5;
                under_way.retain(|(minted, _)| now < minted + TTL);
                for (_, token) in &under_way {
                    for ring in &instances {
                        prop_assert_eq!(open_at(ring, token, now), Ok(()));
                    }
                }
            }
            now += 100;
        }
    }
}

/// Keys are changed while others seal and open; nobody sees half a ring.
#[test]
fn keys_are_changed_while_tokens_are_sealed() {
    let (one, other) = (ring(&format!("{},{}", key(), key())), key());
    let both = ring(&format!("{other}\n{}", KeyRing::generate_key().expect("a key")));
    let sealer = sealer(&one);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut opened = 0_u32;
                    while !is_over.load(Ordering::Relaxed) || opened == 0 {
                        let token = super::seal(&sealer, &binding(), b"state");
                        match super::open(&sealer, &binding(), &token) {
                            Ok(_) => opened += 1,
                            Err(OpenError::UnknownKey(_)) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                    opened
                })
            })
            .collect();
        for turn in 0..2_000 {
            let ring = if turn % 2 == 0 { &both } else { &one };
            sealer.set_keys(ring.clone()).expect("no codec");
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(workers.into_iter().all(|worker| worker.join().expect("no panic") > 0));
    });
}

#[test]
fn no_list_or_path_prints_a_key() {
    let key = key();
    let mut list = KeyList::parse(&key).expect("a list");
    let rotated = list.rotate(NOW, 600, None).expect("a step");
    let printed = format!("{rotated:?} {:?}", list.ring().expect("a ring"));
    assert!(!printed.contains("sgk1_") && !printed.contains(&key[5..20]), "{printed}");
    let missing = PathBuf::from("/nowhere/keys");
    assert!(KeyList::read(&missing).map(drop).is_err());
}
