//! A cipher of the server's own: all that stands above it holds as it does for version 1.

use std::sync::Arc;

use super::super::{Binding, Claims, Codec, CodecError, Limits, OpenError, SealError, Sealer, SealerError};
use super::{At, Fixed, NOW, binding, claims, open, ring, seal, sealer, state, try_seal};
use crate::clock::Entropy;
use crate::token::tests::KEY_A;

/// Not a cipher at all: a keyed hash and the body, reversed; enough to see what the sealer does around one.
#[derive(Debug)]
struct Toy {
    key: [u8; 32],
}

impl Toy {
    fn tag(&self, body: &[u8], bound: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(body.len() as u64).to_le_bytes()).update(body).update(bound);
        hasher.finalize().into()
    }
}

impl Codec for Toy {
    fn overhead(&self) -> usize {
        32
    }

    fn seal(&self, body: &[u8], bound: &[u8], _: &dyn Entropy) -> Result<Vec<u8>, CodecError> {
        Ok([&self.tag(body, bound)[..], &body.iter().rev().copied().collect::<Vec<_>>()].concat())
    }

    fn open(&self, sealed: &[u8], bound: &[u8]) -> Result<Vec<u8>, CodecError> {
        let (tag, reversed) = sealed.split_first_chunk::<32>().ok_or(CodecError::new())?;
        let body: Vec<u8> = reversed.iter().rev().copied().collect();
        (self.tag(&body, bound) == *tag).then_some(body).ok_or(CodecError::new())
    }
}

fn with_toy(audience: &str, key: u8) -> Sealer {
    Sealer::with_codec(audience, Arc::new(Toy { key: [key; 32] })).expect("a sealer")
}

#[test]
fn a_codec_seals_and_opens() {
    let sealer = with_toy("fleet", 1);
    for len in [0, 1, 300, 64 * 1024] {
        let text = seal(&sealer, &binding(), &state(len));
        assert!(text.starts_with("sg0."), "{text}");
        let opened = open(&sealer, &binding(), &text).expect("a token");
        assert_eq!((opened.claims, opened.state), (claims(), state(len)));
        assert_eq!(super::super::tool_of(&text), Ok(super::super::tool_id("deploy")));
    }
}

#[test]
fn a_codecs_token_is_bound_as_any_other() {
    let text = seal(&with_toy("fleet", 1), &binding(), b"state");
    let elsewhere = [
        Binding { dialect: "other", ..binding() },
        Binding { method: "other", ..binding() },
        Binding { principal: None, ..binding() },
        Binding { principal: Some(b""), ..binding() },
        Binding { arguments: [8; 32], ..binding() },
    ];
    for binding in elsewhere {
        assert_eq!(open(&with_toy("fleet", 1), &binding, &text), Err(OpenError::Codec));
    }
    let other_tool = Binding { tool: "destroy", ..binding() };
    assert_eq!(open(&with_toy("fleet", 1), &other_tool, &text), Err(OpenError::OtherTool));
    assert_eq!(open(&with_toy("staging", 1), &binding(), &text), Err(OpenError::Codec));
    assert_eq!(open(&with_toy("fleet", 2), &binding(), &text), Err(OpenError::Codec));
}

#[test]
fn no_character_of_a_codecs_token_can_be_changed() {
    let sealer = with_toy("fleet", 1);
    let text = seal(&sealer, &binding(), b"state");
    for at in 0..text.len() {
        for other in ["A", "Q", "g", "w", "1", "_", "="] {
            let mut altered = text.clone();
            altered.replace_range(at..=at, other);
            assert!(altered == text || open(&sealer, &binding(), &altered).is_err(), "{other} at {at}");
        }
        assert!(open(&sealer, &binding(), &text[..at]).is_err(), "cut at {at}");
    }
}

/// The two kinds never open each other, and neither is mistaken for the other.
#[test]
fn a_codec_and_keys_refuse_each_others_tokens() {
    let by_keys = seal(&sealer(), &binding(), b"");
    let by_codec = seal(&with_toy("fleet", 1), &binding(), b"");
    assert_eq!(open(&with_toy("fleet", 1), &binding(), &by_keys), Err(OpenError::Prefix));
    assert_eq!(open(&sealer(), &binding(), &by_codec), Err(OpenError::Prefix));
    let relabelled = by_codec.replacen("sg0.", "sg1.", 1);
    assert!(open(&sealer(), &binding(), &relabelled).is_err());
}

#[test]
fn claims_and_limits_stand_above_the_codec() {
    let sealer = with_toy("fleet", 1);
    let text = seal(&sealer, &binding(), b"state");
    let open_at = |now| sealer.open(&text, &binding(), &Limits::default(), now).map(drop);
    assert_eq!(open_at(NOW + 600), Err(OpenError::Expired));
    assert_eq!(open_at(NOW - 61), Err(OpenError::FromTheFuture));
    let too_old = Claims { age: 86_400, ..claims() };
    assert_eq!(try_seal(&sealer, &binding(), &too_old, b""), Err(SealError::TooOld { limit: 86_400 }));
    let large = sealer.seal(&binding(), &claims(), &state(65_537), &Limits::default(), &Fixed(2), &At(NOW));
    assert_eq!(large, Err(SealError::StateTooLarge { size: 65_537, limit: 65_536 }));
    assert_eq!(open(&sealer, &binding(), &format!("{text}{}", "A".repeat(90_000))), Err(OpenError::TooLong));
}

#[test]
fn a_codec_has_its_own_keys() {
    let sealer = with_toy("fleet", 1);
    assert!(sealer.keys().is_none());
    assert_eq!(sealer.set_keys(ring(&[KEY_A])), Err(SealerError::HasCodec));
    assert!(Sealer::with_codec(" ", Arc::new(Toy { key: [1; 32] })).is_err());
}
