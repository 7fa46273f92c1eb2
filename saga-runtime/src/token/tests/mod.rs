//! The token under attack; one file per family of properties.
//!
//! Time and randomness are the tests' own, so every run is the same run.

mod binding;
mod cipher;
mod codec;
mod commitment;
mod digest;
mod expiry;
mod field;
mod golden;
mod integrity;
mod keys;
mod list;
mod padding;
mod reference;
mod robustness;
mod salts;

use super::keys::Key;
use super::{Binding, Claims, KeyRing, Limits, OpenError, Opened, SealError, Sealer};
use crate::clock::{Clock, Entropy, EntropyError};

/// The moment at which all tests take place.
pub(super) const NOW: u64 = 1_800_000_000;

/// Keys that documentation may print: the ring refuses them outside these tests.
pub(super) const KEY_A: [u8; 32] = counting_from(0x00);
pub(super) const KEY_B: [u8; 32] = counting_from(0x20);
pub(super) const KEY_C: [u8; 32] = counting_from(0x40);

const fn counting_from(start: u8) -> [u8; 32] {
    let mut key = [start; 32];
    let mut index = 0_u8;
    while index < 32 {
        key[index as usize] += index;
        index += 1;
    }
    key
}

pub(super) fn ring(keys: &[[u8; 32]]) -> KeyRing {
    KeyRing::assemble(keys.iter().map(Key::new).collect()).expect("a ring")
}

/// A generator whose bytes are all the same.
pub(super) struct Fixed(pub(super) u8);

impl Entropy for Fixed {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(self.0);
        Ok(())
    }
}

/// A clock that stands still.
pub(super) struct At(pub(super) u64);

impl Clock for At {
    fn now(&self) -> u64 {
        self.0
    }
}

pub(super) fn sealer() -> Sealer {
    Sealer::with_entropy("fleet", ring(&[KEY_A]), &Fixed(1)).expect("a sealer")
}

pub(super) fn binding() -> Binding<'static> {
    Binding {
        dialect: "mcp/2026-07-28",
        method: "tools/call",
        tool: "deploy",
        principal: Some(b"alice"),
        arguments: [9; 32],
    }
}

pub(super) fn claims() -> Claims {
    Claims::first(NOW, Claims::DEFAULT_TTL, *b"sixteen id bytes")
}

/// A state of `len` bytes, no two neighbours alike.
pub(super) fn state(len: usize) -> Vec<u8> {
    (0..=250).cycle().take(len).collect()
}

pub(super) fn seal(sealer: &Sealer, binding: &Binding<'_>, state: &[u8]) -> String {
    try_seal(sealer, binding, &claims(), state).expect("a token")
}

pub(super) fn try_seal(
    sealer: &Sealer,
    binding: &Binding<'_>,
    claims: &Claims,
    state: &[u8],
) -> Result<String, SealError> {
    sealer.seal(binding, claims, state, &Limits::default(), &Fixed(2), &At(NOW))
}

pub(super) fn open(sealer: &Sealer, binding: &Binding<'_>, text: &str) -> Result<Opened, OpenError> {
    sealer.open(text, binding, &Limits::default(), NOW)
}
