//! One key: its text, its id, and what is refused as a key.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::clock::{Entropy, EntropyError};
use crate::token::claims::field;
use crate::token::context::derive;
use crate::token::envelope::scalar;
use crate::token::error::KeyError;

pub(super) const PREFIX: &str = "sgk1_";
const ENCODED_LEN: usize = 48;
/// Of 32 random bytes, some 30 are distinct.
const LEAST_DISTINCT: usize = 16;

/// A key's public name, derived from the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub [u8; 4]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", u32::from_be_bytes(self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One key. The secret stays at one place in memory, where it is cleared when the last ring lets go.
#[derive(Clone)]
pub(in crate::token) struct Key {
    id: KeyId,
    secret: Arc<Zeroizing<[u8; 32]>>,
}

impl Key {
    pub(super) fn generate(entropy: &dyn Entropy) -> Result<Self, EntropyError> {
        let mut secret = Zeroizing::new([0; 32]);
        entropy.fill(secret.as_mut_slice())?;
        Ok(Self::new(&secret))
    }

    pub(in crate::token) fn new(secret: &[u8; 32]) -> Self {
        let id = KeyId(derive("saga-token v1 kid", secret));
        Self { id, secret: Arc::new(Zeroizing::new(*secret)) }
    }

    /// Reads a key's text form and refuses what is no random key.
    pub(super) fn parse(text: &str, position: usize) -> Result<Self, KeyError> {
        let key = Self::parse_any(text, position)?;
        if key.is_guessable() {
            return Err(KeyError::Guessable { position });
        }
        if key.is_weak() {
            return Err(KeyError::Weak { position });
        }
        Ok(key)
    }

    fn parse_any(text: &str, position: usize) -> Result<Self, KeyError> {
        let malformed = KeyError::Malformed { position };
        let Some(encoded) = text.strip_prefix(PREFIX).filter(|encoded| encoded.len() == ENCODED_LEN) else {
            return Err(malformed);
        };
        let mut bytes = Zeroizing::new([0; 36]);
        scalar::ENGINE.decode_slice(encoded, bytes.as_mut_slice()).map_err(|_| malformed)?;
        let secret = Zeroizing::new(field(bytes.as_slice(), 0));
        if checksum(&secret) != field(bytes.as_slice(), 32) {
            return Err(KeyError::Mistyped { position });
        }
        Ok(Self::new(&secret))
    }

    pub(in crate::token) fn to_text(&self) -> String {
        let mut bytes = Zeroizing::new([0; 36]);
        bytes[..32].copy_from_slice(self.secret());
        bytes[32..].copy_from_slice(&checksum(self.secret()));
        let mut text = String::with_capacity(PREFIX.len() + ENCODED_LEN);
        text.push_str(PREFIX);
        scalar::ENGINE.encode_string(bytes.as_slice(), &mut text);
        text
    }

    /// Whether each byte differs from the one before by the same amount: all zeros, `00 01 02 …`. The
    /// keys that documentation and tests print are of this form, so that no ring takes them.
    fn is_guessable(&self) -> bool {
        let step = self.secret[1].wrapping_sub(self.secret[0]);
        self.secret.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step)
    }

    /// Whether it is text, or few bytes over and over; of 10^13 random keys, one is.
    fn is_weak(&self) -> bool {
        let mut bytes = Zeroizing::new(**self.secret);
        bytes.sort_unstable();
        let distinct = 1 + bytes.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        is_text || distinct < LEAST_DISTINCT || self.secret[..16] == self.secret[16..]
    }

    /// A key that claims the id of another one, as only a collision could.
    #[cfg(test)]
    pub(in crate::token) fn with_id_of(secret: &[u8; 32], other: &[u8; 32]) -> Self {
        Self { id: Self::new(other).id, ..Self::new(secret) }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.secret().ct_eq(other.secret()).into()
    }

    pub(in crate::token) fn id(&self) -> KeyId {
        self.id
    }

    pub(in crate::token) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }
}

/// Finds typing mistakes; the id's context must not be used, because the id is public.
fn checksum(secret: &[u8; 32]) -> [u8; 4] {
    derive("saga-token v1 key checksum", secret)
}
