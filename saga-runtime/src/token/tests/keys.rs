//! The key ring: P8, P9's same id, P20, P25.

use proptest::prelude::*;

use super::super::keys::{Key, MOST_KEYS};
use super::super::{KeyError, KeyRing, KeyState, OpenError, Sealer};
use super::{Fixed, KEY_A, KEY_B, KEY_C, NOW, binding, open, ring, seal};

fn sealer_with(keys: &[[u8; 32]]) -> Sealer {
    Sealer::with_entropy("fleet", ring(keys), &Fixed(1)).expect("a sealer")
}

fn opens(keys: &[[u8; 32]], token: &str) -> bool {
    open(&sealer_with(keys), &binding(), token).is_ok()
}

#[test]
fn the_first_key_mints_and_all_open() {
    let by_a = seal(&sealer_with(&[KEY_A]), &binding(), b"");
    let by_b = seal(&sealer_with(&[KEY_B, KEY_A]), &binding(), b"");
    assert!(opens(&[KEY_B, KEY_A], &by_a) && opens(&[KEY_A, KEY_B], &by_b) && opens(&[KEY_B], &by_b));
    assert!(!opens(&[KEY_B], &by_a) && !opens(&[KEY_A], &by_b));
}

#[test]
fn a_revoked_key_opens_nothing_and_says_so() {
    let by_a = seal(&sealer_with(&[KEY_A]), &binding(), b"");
    let ring = ring(&[KEY_B, KEY_A]);
    let [(minting, KeyState::Active), (old, KeyState::OpenOnly)] = ring.states(NOW).collect::<Vec<_>>()[..]
    else {
        panic!("{ring:?}")
    };
    let revoked = ring.revoke(old).expect("a ring");
    let sealer = |ring: &KeyRing| Sealer::with_entropy("fleet", ring.clone(), &Fixed(1)).expect("a sealer");
    assert_eq!(open(&sealer(&revoked), &binding(), &by_a), Err(OpenError::RevokedKey(old)));
    assert!(open(&sealer(&ring), &binding(), &by_a).is_ok(), "the ring it was made of is as it was");

    assert_eq!(ring.revoke(minting).map(drop), Err(KeyError::Minting(minting)));
    let unknown = Key::new(&KEY_C).id();
    assert_eq!(ring.revoke(unknown).map(drop), Err(KeyError::Unknown(unknown)));
}

#[test]
fn a_key_survives_its_text() {
    let (new, old) = (KeyRing::generate_key().expect("a key"), KeyRing::generate_key().expect("a key"));
    assert_ne!(new, old);
    assert_eq!((new.len(), &new[..5]), (53, "sgk1_"));

    let ring = |list: &str| KeyRing::parse(list).expect("a ring");
    let minted = Sealer::new("fleet", ring(&new)).expect("a sealer");
    let rotated = Sealer::new("fleet", ring(&format!(" {old},\n{new} "))).expect("a sealer");
    assert!(open(&rotated, &binding(), &seal(&minted, &binding(), b"")).is_ok());
    assert!(!ring(&new).is_ephemeral());
}

#[test]
fn an_ephemeral_ring_has_a_key_of_its_own() {
    let (one, other) = (KeyRing::ephemeral().expect("a ring"), KeyRing::ephemeral().expect("a ring"));
    assert!(one.is_ephemeral());
    assert_eq!(one.states(NOW).map(|(_, state)| state).collect::<Vec<_>>(), [KeyState::Active]);
    let sealer = |ring: &KeyRing| Sealer::new("fleet", ring.clone()).expect("a sealer");
    let token = seal(&sealer(&one), &binding(), b"");
    assert!(open(&sealer(&one), &binding(), &token).is_ok());
    assert!(matches!(open(&sealer(&other), &binding(), &token), Err(OpenError::UnknownKey(_))));
}

#[test]
fn a_bad_list_is_refused() {
    let parse = |list: &str| KeyRing::parse(list).map(drop);
    let good = KeyRing::generate_key().expect("a key");
    let refused = |list: &str, error| assert_eq!(parse(list), Err(error), "{list}");

    refused("", KeyError::Empty);
    refused(" \n", KeyError::Empty);
    refused(&format!("{good},"), KeyError::Malformed { position: 2 });
    refused(&format!(",{good}"), KeyError::Malformed { position: 1 });
    refused(&good[..52], KeyError::Malformed { position: 1 });
    refused(&good[..49], KeyError::Malformed { position: 1 }); // whole groups of base64
    refused(&format!("{good}A"), KeyError::Malformed { position: 1 });
    refused(&good[5..], KeyError::Malformed { position: 1 });
    refused(&good.replacen("sgk1_", "sgk2_", 1), KeyError::Malformed { position: 1 });
    refused(&format!("{}=", &good[..52]), KeyError::Malformed { position: 1 });
    refused(&format!("{good},{good}"), KeyError::Duplicate { position: 2 });
    let many: Vec<String> = (0..=MOST_KEYS).map(|_| KeyRing::generate_key().expect("a key")).collect();
    let many = many.join(",");
    refused(&many, KeyError::TooMany);
}

#[test]
fn a_typing_mistake_is_found() {
    let good = KeyRing::generate_key().expect("a key");
    for at in 5..good.len() {
        let other = if good.as_bytes()[at] == b'A' { "B" } else { "A" };
        let mut mistyped = good.clone();
        mistyped.replace_range(at..=at, other);
        let error = KeyRing::parse(&mistyped).map(drop);
        assert_eq!(error, Err(KeyError::Mistyped { position: 1 }), "at {at}");
    }
}

/// What documentation may print: refused outside these tests, so nobody can copy it into a server.
#[test]
fn keys_that_follow_a_pattern_are_refused() {
    let texts = [KEY_A, KEY_B, KEY_C, [0; 32], [0xff; 32]].map(|key| Key::new(&key).to_text());
    assert_eq!(texts[0], "sgk1_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8ea5b5");
    for text in texts {
        assert_eq!(KeyRing::parse(&text).map(drop), Err(KeyError::Guessable { position: 1 }), "{text}");
    }
}

#[test]
fn keys_that_somebody_chose_are_refused() {
    let halves: Vec<u8> = (100..116).chain(100..116).collect();
    let chosen: [&[u8]; 4] = [
        b"correct horse battery staple 123",
        b"0123456789abcdef0123456789abcdef",
        &halves,
        &[3, 1, 4, 1, 5, 9, 2, 6].repeat(4),
    ];
    for key in chosen {
        let text = Key::new(key.try_into().expect("32 bytes")).to_text();
        let error = KeyRing::parse(&text).map(drop);
        assert!(matches!(error, Err(KeyError::Weak { .. } | KeyError::Guessable { .. })), "{error:?}");
    }
    for _ in 0..1_000 {
        let random = KeyRing::generate_key().expect("a key");
        assert!(KeyRing::parse(&random).is_ok(), "a random key is refused: {random}");
    }
}

#[test]
fn two_keys_with_one_id_are_refused() {
    let keys = vec![Key::new(&KEY_A), Key::with_id_of(&KEY_B, &KEY_A)];
    assert_eq!(KeyRing::assemble(keys).map(drop), Err(KeyError::SameId { position: 2 }));
    assert_eq!(KeyRing::assemble(Vec::new()).map(drop), Err(KeyError::Empty));
}

#[test]
fn another_key_of_the_same_id_is_refused_before_decryption() {
    let token = seal(&sealer_with(&[KEY_A]), &binding(), b"");
    let impostor = KeyRing::assemble(vec![Key::with_id_of(&KEY_B, &KEY_A)]).expect("a ring");
    let impostor = Sealer::with_entropy("fleet", impostor, &Fixed(1)).expect("a sealer");
    assert_eq!(open(&impostor, &binding(), &token), Err(OpenError::OtherContext));
}

#[test]
fn a_missing_variable_is_named() {
    let error = KeyRing::from_env("SAGA_TEST_KEYS_THAT_NOBODY_SETS").expect_err("no such variable");
    assert!(error.to_string().contains("SAGA_TEST_KEYS_THAT_NOBODY_SETS"), "{error}");
}

#[test]
fn nothing_prints_a_key() {
    let text = KeyRing::generate_key().expect("a key");
    let ring = KeyRing::parse(&text).expect("a ring");
    let secret = *ring.minting(NOW).secret();
    let sealer = Sealer::new("fleet", ring.clone()).expect("a sealer");
    let twice = KeyRing::parse(&format!("{text},{text}")).expect_err("a duplicate");
    let cut = KeyRing::parse(&text[..50]).expect_err("too short");
    let printed = format!("{ring:?} {ring:#?} {sealer:?} {twice:?} {twice} {cut:?} {cut}");
    assert!(printed.contains(&ring.minting(NOW).id().to_string()), "the id is there: {printed}");

    let hex = blake3::Hash::from(secret).to_hex().to_string();
    let list = format!("{secret:?}");
    for secret in [&text[5..20], &text[30..50], &hex[..16], &hex.to_uppercase()[..16], &list[1..20]] {
        assert!(!printed.contains(secret), "{secret} in {printed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Three instances go from A to B in the three phases, each whenever it likes within a phase. As
    /// long as a phase is complete before the next begins (and, before the last, the old key's tokens
    /// have expired), any instance opens any instance's tokens.
    #[test]
    fn a_rotation_in_complete_phases_loses_no_token(order in prop::collection::vec(0..3_usize, 0..24)) {
        let phases: [&[[u8; 32]]; 3] = [&[KEY_A, KEY_B], &[KEY_B, KEY_A], &[KEY_B]];
        let mut at: [&[[u8; 32]]; 3] = [&[KEY_A]; 3];
        for phase in phases {
            // Within a phase, instances change over in the given order; the rest follow at its end.
            for instance in order.iter().copied().chain(0..3) {
                let under_way: Vec<String> =
                    at.iter().map(|keys| seal(&sealer_with(keys), &binding(), b"")).collect();
                at[instance] = phase;
                for token in &under_way {
                    prop_assert!(at.iter().all(|keys| opens(keys, token)));
                }
            }
        }
        prop_assert_eq!(at, [&[KEY_B][..]; 3]);
    }
}

#[test]
fn a_rotation_that_skips_a_phase_loses_tokens() {
    let by_new = seal(&sealer_with(&[KEY_B, KEY_A]), &binding(), b"");
    assert!(!opens(&[KEY_A], &by_new), "an instance that was never told of the new key");
    let by_old = seal(&sealer_with(&[KEY_A, KEY_B]), &binding(), b"");
    assert!(!opens(&[KEY_B], &by_old), "an instance that forgot the old key too early");
}
