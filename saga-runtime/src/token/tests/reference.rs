//! The token written a second time, straight from its specification and by other calls of the same
//! primitives. The library must agree with it byte for byte.
//!
//! It has the key and can therefore write what the library never would: another version, claims that
//! lie, padding that is not zero.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};

use super::super::{Binding, Claims, OpenError};
use super::{KEY_A, NOW, binding, claims, open, sealer, state, try_seal};

/// All that goes into a token.
pub(super) struct Reference<'a> {
    pub(super) version: u8,
    pub(super) key: [u8; 32],
    pub(super) audience: &'a str,
    pub(super) binding: Binding<'a>,
    pub(super) salt: [u8; 24],
    pub(super) body: Vec<u8>,
}

impl Reference<'_> {
    /// What [`super::sealer`] would write around `body` with [`super::binding`] and this salt.
    pub(super) fn around(body: Vec<u8>) -> Self {
        let salt = [3; 24];
        Reference { version: 1, key: KEY_A, audience: "fleet", binding: binding(), salt, body }
    }

    pub(super) fn header(&self) -> Vec<u8> {
        let mut header = vec![self.version];
        header.extend(&blake3::derive_key("saga-token v1 kid", &self.key)[..4]);
        header.extend(&blake3::derive_key("saga-token v1 tool", self.binding.tool.as_bytes())[..8]);
        header.extend(self.salt);
        header.extend(&self.derived(&header)[32..]);
        header
    }

    pub(super) fn derived(&self, preamble: &[u8]) -> [u8; 48] {
        let Binding { dialect, method, tool, principal, arguments } = self.binding;
        let mut context = Vec::new();
        for part in ["saga-token/ctx/v1", self.audience, dialect, method, tool] {
            context.extend(length_prefixed(part.as_bytes()));
        }
        let mut message = preamble.to_vec();
        message.extend(blake3::hash(&context).as_bytes());
        message.extend(arguments);
        message.push(u8::from(principal.is_some()));
        message.extend(length_prefixed(principal.unwrap_or(b"")));
        let mut derived = [0; 48];
        blake3::Hasher::new_keyed(&self.key).update(&message).finalize_xof().fill(&mut derived);
        derived
    }

    pub(super) fn text(&self) -> String {
        let header = self.header();
        let derived = self.derived(&header[..37]);
        let key = <[u8; 32]>::try_from(&derived[..32]).expect("32 bytes");
        let nonce = <[u8; 12]>::try_from(&self.salt[..12]).expect("12 bytes");
        let sealed = ChaCha20Poly1305::new(&key.into())
            .encrypt(&nonce.into(), Payload { msg: &self.body, aad: &header })
            .expect("a ciphertext");
        format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode([header, sealed].concat()))
    }
}

fn length_prefixed(part: &[u8]) -> Vec<u8> {
    let mut prefixed = u32::try_from(part.len()).expect("a length").to_le_bytes().to_vec();
    prefixed.extend(part);
    prefixed
}

/// Claims, a state that they say has `state_len` bytes, and zeros up to a multiple of 64.
pub(super) fn body(claims: &Claims, state_len: u32, state: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(claims.issued_at.to_le_bytes());
    body.extend(claims.ttl.to_le_bytes());
    body.extend(claims.age.to_le_bytes());
    body.extend(state_len.to_le_bytes());
    body.extend(claims.round.to_le_bytes());
    body.extend(claims.flags.to_le_bytes());
    body.extend(claims.saga_id);
    body.extend(state);
    body.resize(body.len().next_multiple_of(64), 0);
    body
}

/// The salt of a sealer's first token at `NOW`, when its random bytes are all `random`.
fn first_salt(secret: u8, random: u8) -> [u8; 24] {
    let mut seed = vec![random; 24];
    seed.extend(0_u64.to_le_bytes());
    seed.extend((NOW * 1_000_000_000).to_le_bytes());
    blake3::keyed_hash(&[secret; 32], &seed).as_bytes()[..24].try_into().expect("24 bytes")
}

#[test]
fn the_library_writes_the_same_bytes() {
    let claims = Claims { flags: 0x0102, age: 77, round: 3, ..claims() };
    for len in [0, 1, 27, 28, 29, 256, 1000] {
        for principal in [None, Some(&b""[..]), Some(b"alice")] {
            let binding = Binding { principal, ..binding() };
            let text = try_seal(&sealer(), &binding, &claims, &state(len)).expect("a token");
            let state_len = u32::try_from(len).expect("a length");
            let reference = Reference {
                salt: first_salt(1, 2), // as `sealer` and `seal` have it
                binding,
                ..Reference::around(body(&claims, state_len, &state(len)))
            };
            assert_eq!(text, reference.text(), "a state of {len} bytes for {principal:?}");
        }
    }
}

#[test]
fn the_library_opens_what_the_reference_wrote() {
    let opened = open(&sealer(), &binding(), &Reference::around(body(&claims(), 5, b"state")).text());
    let opened = opened.expect("a token");
    assert_eq!((opened.claims, opened.state.as_slice()), (claims(), &b"state"[..]));
}

#[test]
fn claims_that_lie_about_the_state_are_refused() {
    let lies = [6, 28, 29, 64, 1 << 16, u32::MAX - 88, u32::MAX];
    for state_len in lies {
        // One byte that is not zero ends the state; 27 zeros after it are padding.
        let text = Reference::around(body(&claims(), state_len, b"state")).text();
        let opened = open(&sealer(), &binding(), &text);
        // Within the body, claiming zeros as state is the one lie that is not told apart.
        let expected_state = usize::try_from(state_len).ok().filter(|len| *len <= 28);
        assert_eq!(opened.map(|opened| opened.state.len()), expected_state.ok_or(OpenError::Body));
    }
    let short = Reference::around(body(&claims(), 4, b"state")).text();
    assert_eq!(open(&sealer(), &binding(), &short), Err(OpenError::Body), "padding that is not zero");
}

#[test]
fn a_body_without_room_for_claims_is_refused() {
    for len in 0..36 {
        let text = Reference::around(vec![0; len]).text();
        assert_eq!(open(&sealer(), &binding(), &text), Err(OpenError::TooShort), "{len} bytes");
    }
}

#[test]
fn every_byte_of_padding_is_checked() {
    let honest = body(&claims(), 5, b"state");
    for at in 41..honest.len() {
        let mut body = honest.clone();
        body[at] = 1;
        let text = Reference::around(body).text();
        assert_eq!(open(&sealer(), &binding(), &text), Err(OpenError::Body), "byte {at}");
    }
}

#[test]
fn a_version_can_not_be_relabelled() {
    let of_version = |version| Reference { version, ..Reference::around(body(&claims(), 5, b"state")) };
    assert_eq!(open(&sealer(), &binding(), &of_version(2).text()), Err(OpenError::Version));

    let text = of_version(2).text();
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(&text[4..]).expect("base64");
    bytes[0] = 1;
    let relabelled = format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    assert_eq!(open(&sealer(), &binding(), &relabelled), Err(OpenError::OtherContext));

    let other_prefix = of_version(1).text().replacen("sg1.", "sg2.", 1);
    assert_eq!(open(&sealer(), &binding(), &other_prefix), Err(OpenError::Prefix));
}
