//! Confidential, and whole or refused: P1, P2, P3, P15, P16, and the one error for all.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::super::{Claims, Limits, OpenError, Padding, SealError, Sealer, tool_id, tool_of};
use super::{At, Fixed, KEY_B, NOW, binding, claims, open, ring, seal, sealer, state, try_seal};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn decode(text: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text.strip_prefix("sg1.").expect("the prefix")).expect("base64")
}

fn encode(bytes: &[u8]) -> String {
    format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

#[test]
fn a_sealed_state_comes_back() {
    let sealer = sealer();
    for len in (0..200).chain([64 * 1024]) {
        let opened = open(&sealer, &binding(), &seal(&sealer, &binding(), &state(len))).expect("a token");
        assert_eq!(opened.claims, claims());
        assert_eq!(opened.state, state(len));
    }
}

/// Whether the text or the bytes of a token show `secret`.
fn shows(text: &str, secret: &[u8]) -> bool {
    // In the text a secret stands at one of three shifts; the characters between the first and the last
    // are its own.
    let in_text = (0..3).any(|shift| {
        let encoded = BASE64_URL_SAFE_NO_PAD.encode([&vec![0; shift], secret].concat());
        text.contains(&encoded[4 * usize::from(shift > 0)..encoded.len() - 2])
    });
    in_text || decode(text).windows(secret.len()).any(|window| window == secret)
}

#[test]
fn nothing_but_the_header_is_visible() {
    const CANARY: &[u8] = b"SIXTEEN-BYTES-OF";
    let state = [CANARY, CANARY, CANARY].concat();
    let text = seal(&sealer(), &binding(), &state);
    let secrets: [&[u8]; 5] = [CANARY, b"sixteen id bytes", b"alice", b"deploy", &[9; 32]];
    for secret in secrets {
        assert!(!shows(&text, secret));
    }
    for shift in 0..3 {
        let signed_only = encode(&[&vec![1; shift], CANARY].concat());
        assert!(shows(&signed_only, CANARY), "the harness itself finds it");
    }
}

#[test]
fn two_seals_of_one_state_have_nothing_in_common() {
    let sealer = sealer();
    let first = decode(&seal(&sealer, &binding(), &state(256)));
    let second = decode(&seal(&sealer, &binding(), &state(256)));
    assert_eq!(first[..13], second[..13], "key and tool");
    let equal = first[13..].iter().zip(&second[13..]).filter(|(one, other)| one == other).count();
    assert!(equal * 32 < first.len(), "{equal} of {} bytes are equal", first.len());
}

#[test]
fn every_flipped_bit_is_refused() {
    let sealer = sealer();
    let honest = decode(&seal(&sealer, &binding(), &state(256)));
    assert!(open(&sealer, &binding(), &encode(&honest)).is_ok(), "the harness itself opens");
    for bit in 0..honest.len() * 8 {
        let mut bytes = honest.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = open(&sealer, &binding(), &encode(&bytes)).expect_err("an altered token");
        let expected = match bit / 8 {
            0 => error == OpenError::Version,
            1..5 => matches!(error, OpenError::UnknownKey(_)),
            5..13 => error == OpenError::OtherTool,
            13..53 => error == OpenError::OtherContext,
            _ => error == OpenError::Forged,
        };
        assert!(expected, "bit {bit}: {error:?}");
    }
}

#[test]
fn every_truncation_and_extension_is_refused() {
    let sealer = sealer();
    let text = seal(&sealer, &binding(), &state(100));
    for end in 0..text.len() {
        assert!(open(&sealer, &binding(), &text[..end]).is_err(), "cut at {end}");
        assert!(open(&sealer, &binding(), &text[text.len() - end..]).is_err(), "the last {end}");
    }
    for more in (0..=u8::MAX).map(|byte| char::from(byte).to_string()).chain(["-TAMPERED".to_owned()]) {
        assert!(open(&sealer, &binding(), &format!("{text}{more}")).is_err(), "then {more:?}");
        assert!(open(&sealer, &binding(), &format!("{more}{text}")).is_err(), "first {more:?}");
    }
}

#[test]
fn every_substituted_character_is_refused() {
    let sealer = sealer().with_padding(Padding::None);
    // The last group has three bytes, one, or two: with one and two, the last character has stray bits.
    for (state_len, first_altered) in [(0, 150), (1, 0), (2, 150)] {
        let text = seal(&sealer, &binding(), &state(state_len)).into_bytes();
        assert!(text.len() >= 144);
        for at in first_altered.min(text.len() - 4)..text.len() {
            let others = ALPHABET.iter().chain(b"=+/ \t\n\0.%").filter(|other| **other != text[at]);
            for other in others {
                let mut altered = text.clone();
                altered[at] = *other;
                let altered = String::from_utf8(altered).expect("ASCII");
                assert!(open(&sealer, &binding(), &altered).is_err(), "{} at {at}", char::from(*other));
            }
        }
    }
}

#[test]
fn a_token_has_one_text() {
    let sealer = sealer();
    let text = seal(&sealer, &binding(), &state(64));
    let encoded = &text[4..];
    let others = [
        encoded.to_owned(),
        format!("SG1.{encoded}"),
        format!("sg1.{encoded}="),
        format!("sg1.{encoded}=="),
        format!("sg1.{}", encoded.replace('-', "+").replace('_', "/")),
        format!("sg1.{} {}", &encoded[..40], &encoded[40..]),
        format!("sg1.{}\r\n{}", &encoded[..40], &encoded[40..]),
        format!("sg1.sg1.{encoded}"),
        format!(" {text}"),
        format!("{text}\n"),
        format!("{text}\0"),
        text.to_uppercase(),
        text.to_lowercase(),
    ];
    for other in others {
        assert_ne!(other, text, "a text that is another one");
        assert!(open(&sealer, &binding(), &other).is_err(), "{other:?}");
    }
}

#[test]
fn halves_of_two_tokens_do_not_fit() {
    let sealer = sealer();
    let (first, second) = (seal(&sealer, &binding(), &state(256)), seal(&sealer, &binding(), &state(256)));
    assert_eq!(first.len(), second.len());
    for at in 1..first.len() {
        let spliced = format!("{}{}", &first[..at], &second[at..]);
        if spliced != first && spliced != second {
            assert!(open(&sealer, &binding(), &spliced).is_err(), "spliced at {at}");
        }
    }
}

#[test]
fn sizes_are_limited_at_both_ends() {
    let sealer = sealer();
    let limits = Limits { max_state: 100, ..Limits::default() };
    let try_seal = |len| sealer.seal(&binding(), &claims(), &state(len), &limits, &Fixed(2), &At(NOW));
    let largest = try_seal(100).expect("a token");
    assert_eq!(try_seal(101), Err(SealError::StateTooLarge { size: 101, limit: 100 }));
    assert!(sealer.open(&largest, &binding(), &limits, NOW).is_ok());

    let longer = seal(&sealer, &binding(), &state(200));
    assert_eq!(sealer.open(&longer, &binding(), &limits, NOW), Err(OpenError::TooLong));
    let huge = "sg1.".to_owned() + &"A".repeat(1 << 20);
    assert_eq!(open(&sealer, &binding(), &huge), Err(OpenError::TooLong));

    let unlimited = Limits { max_state: usize::MAX, ..Limits::default() };
    let huge = vec![0; 16 * 1024 * 1024 + 1];
    let token = sealer.seal(&binding(), &claims(), &huge, &unlimited, &Fixed(2), &At(NOW));
    assert!(matches!(token, Err(SealError::StateTooLarge { .. })), "there is a limit above all");
}

#[test]
fn states_in_one_bucket_have_tokens_of_one_length() {
    let sealer = sealer();
    let lengths = |states: std::ops::Range<usize>| -> BTreeSet<usize> {
        states.map(|len| seal(&sealer, &binding(), &state(len)).len()).collect()
    };
    // 36 bytes of claims: buckets end at states of 28, 92, 156.
    assert_eq!(lengths(29..93).len(), 1);
    assert_eq!(lengths(28..94).len(), 3);
}

#[test]
fn a_token_names_its_tool() {
    let text = seal(&sealer(), &binding(), b"");
    assert_eq!(tool_of(&text), Ok(tool_id("deploy")));
    assert_eq!(tool_of("v1.AAAA"), Err(OpenError::Prefix));
    assert_eq!(tool_of(&text[..23]), Err(OpenError::TooShort));
    assert_eq!(tool_of(&text.replacen("sg1.A", "sg1.=", 1)), Err(OpenError::Encoding));
    let mut other_version = decode(&text);
    other_version[0] = 2;
    assert_eq!(tool_of(&encode(&other_version)), Err(OpenError::Version));
}

/// P11: what the log is told differs, and holds no secret; what the client is told is constant.
#[test]
fn reasons_are_told_apart_in_the_log_only() {
    let other_key = Sealer::with_entropy("fleet", ring(&[KEY_B]), &Fixed(1)).expect("a sealer");
    let Err(unknown) = open(&sealer(), &binding(), &seal(&other_key, &binding(), b"")) else {
        panic!("another server's token was opened")
    };
    let OpenError::UnknownKey(id) = unknown else { panic!("{unknown:?}") };
    let all = [
        OpenError::TooLong,
        OpenError::Prefix,
        OpenError::Encoding,
        OpenError::TooShort,
        OpenError::Version,
        OpenError::UnknownKey(id),
        OpenError::RevokedKey(id),
        OpenError::RetiredKey(id),
        OpenError::BeforeCutoff,
        OpenError::Codec,
        OpenError::OtherTool,
        OpenError::OtherContext,
        OpenError::Forged,
        OpenError::FromTheFuture,
        OpenError::Expired,
        OpenError::TooOld,
        OpenError::TooManyRounds,
        OpenError::Body,
    ];
    let texts: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), all.len());
    assert_eq!(OpenError::CODE, -32602);
    assert_eq!(OpenError::MESSAGE, "Invalid or expired requestState");
    assert_eq!(OpenError::REASON, "invalid_request_state");
}

#[test]
fn an_opened_token_does_not_print_its_state() {
    let opened = open(&sealer(), &binding(), &seal(&sealer(), &binding(), &[222; 33])).expect("a token");
    let printed = format!("{opened:?}");
    assert!(printed.contains("33 bytes") && !printed.contains("222"), "{printed}");
}

#[test]
fn a_token_that_could_not_be_opened_is_not_made() {
    let try_seal = |claims: Claims| try_seal(&sealer(), &binding(), &claims, b"").map(drop);
    assert_eq!(try_seal(Claims { ttl: 0, ..claims() }), Err(SealError::NoTtl));
    assert_eq!(try_seal(Claims { age: 86_399, ..claims() }), Ok(()));
    assert_eq!(try_seal(Claims { age: 86_400, ..claims() }), Err(SealError::TooOld { limit: 86_400 }));
    assert_eq!(try_seal(Claims { round: 32, ..claims() }), Ok(()));
    assert_eq!(try_seal(Claims { round: 33, ..claims() }), Err(SealError::TooManyRounds { limit: 32 }));
}
