//! `Sealer::open`: any text, and any body in the place where the sealed one would be.

use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use saga_runtime::clock::{Clock, Entropy, SystemClock, SystemEntropy};
use saga_runtime::token::{Binding, Claims, Codec, CodecError, KeyRing, Limits, Sealer};

use crate::bounds::{Cost, within};

/// A cipher that seals nothing, so that whatever is in a token comes to the claims.
#[derive(Debug)]
struct Glass;

impl Codec for Glass {
    fn overhead(&self) -> usize {
        0
    }

    fn seal(&self, body: &[u8], _: &[u8], _: &dyn Entropy) -> Result<Vec<u8>, CodecError> {
        Ok(body.to_vec())
    }

    fn open(&self, sealed: &[u8], _: &[u8]) -> Result<Vec<u8>, CodecError> {
        Ok(sealed.to_vec())
    }
}

struct Sealers {
    sealed: Sealer,
    glass: Sealer,
    /// The header of a token, with its salt and its commitment.
    header: Vec<u8>,
    /// The header of one that is not sealed.
    glass_header: Vec<u8>,
}

static SEALERS: LazyLock<Sealers> = LazyLock::new(|| {
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let sealed = Sealer::new("harbour", keys).expect("a sealer");
    let glass = Sealer::with_codec("harbour", Arc::new(Glass)).expect("a sealer");
    let (header, glass_header) = (bytes(&seal(&sealed, b"state")), bytes(&seal(&glass, b"state")));
    Sealers { sealed, glass, header: header[..53].to_vec(), glass_header: glass_header[..13].to_vec() }
});

fn bytes(token: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(&token[4..]).expect("its own")
}

const BINDING: Binding<'_> = Binding {
    dialect: "mcp",
    method: "tools/call",
    tool: "load",
    principal: Some(b"ada"),
    arguments: [9; 32],
};

fn seal(sealer: &Sealer, state: &[u8]) -> String {
    let claims = Claims::first(SystemClock.now(), 600, [1; 16]);
    sealer.seal(&BINDING, &claims, state, &Limits::default(), &SystemEntropy, &SystemClock).expect("a token")
}

/// Opens what the input says: its first byte tells how the rest becomes a token.
///
/// # Panics
///
/// Beyond the bounds, or when what nobody sealed opens.
#[must_use]
pub fn open(input: &[u8]) -> Cost {
    let Sealers { sealed, glass, header, glass_header } = &*SEALERS;
    let (kind, rest) = input.split_first().map_or((0, input), |(kind, rest)| (kind % 4, rest));
    let encoded = |version: &str, bytes: &[u8]| format!("{version}.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let (sealer, token) = match kind {
        0 => (sealed, String::from_utf8_lossy(rest).into_owned()),
        1 => (sealed, encoded("sg1", rest)),
        2 => (sealed, encoded("sg1", &[header, rest].concat())),
        _ => (glass, encoded("sg0", &[glass_header, rest].concat())),
    };
    let open = || sealer.open(&token, &BINDING, &Limits::default(), SystemClock.now()).is_ok();
    let cost = within(token.as_bytes(), 1, open);
    assert!(!cost.was_taken || kind == 3, "it was not sealed, and opened: {token}");
    cost
}

/// Inputs to begin with: a header without and with a body, and bodies of several lengths that open.
#[must_use]
pub fn tokens() -> Vec<Vec<u8>> {
    let glass = |state: &[u8]| {
        let token = bytes(&seal(&SEALERS.glass, state));
        [&[3], &token[SEALERS.glass_header.len()..]].concat()
    };
    let sealed = seal(&SEALERS.sealed, b"state");
    let body = &bytes(&sealed)[SEALERS.header.len()..];
    let mut altered = [&[2], body].concat();
    altered[1] ^= 1;
    let mut other = sealed.clone();
    other.pop();
    vec![
        [b"\0", other.as_bytes()].concat(),
        [&[1], &SEALERS.header[..]].concat(),
        altered,
        glass(b""),
        glass(b"state"),
        glass(&[7; 300]),
    ]
}
