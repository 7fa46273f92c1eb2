//! The keys of a server: one mints tokens, all open them, and changing them loses no token.
//!
//! A key is 32 random bytes; its text form `sgk1_` + base64url(key | checksum \[4\]) can be told from
//! other secrets by a scanner, and a typing mistake in it is found. A key's id is derived from the key,
//! so two servers can never mean different keys by one id.
//!
//! **Rotation** is three lists, each in use on *every* instance before the next: `old,new` (all can open
//! what will come), `new,old` (all mint with the new one), and after the longest time to live `new`.
//! A stolen key is revoked by the last list at once, at the price of the tokens that are under way;
//! [`KeyRing::revoke`] does the same and lets the log tell those tokens from unknown ones.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::claims::field;
use super::context::derive;
use super::envelope::scalar;
use super::error::{KeyError, OpenError};
use crate::clock::{Entropy, EntropyError, SystemEntropy};

const PREFIX: &str = "sgk1_";
const ENCODED_LEN: usize = 48;
/// A list this long is a mistake, and each key costs every opening a comparison.
pub(super) const MOST_KEYS: usize = 16;

/// The keys that tokens are sealed and opened with; cheap to clone, and its `Debug` shows ids only.
#[derive(Clone)]
pub struct KeyRing {
    /// Never empty, the minting key first.
    keys: Arc<[Key]>,
    is_ephemeral: bool,
}

/// What a key is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyState {
    /// Mints and opens tokens.
    Active,
    /// Opens tokens: its turn to mint is past, or still to come.
    OpenOnly,
    /// Opens none; kept so that the log can say so.
    Revoked,
}

/// A key's public name, derived from the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub [u8; 4]);

impl KeyRing {
    /// A ring with a key of its own that lives as long as this process.
    ///
    /// Tokens die with the process, and other instances refuse them: a server says so in its log.
    ///
    /// # Errors
    ///
    /// When the operating system's generator fails.
    pub fn ephemeral() -> Result<Self, KeyError> {
        let ring = Self::assemble(vec![Key::generate(&SystemEntropy)?])?;
        Ok(Self { is_ephemeral: true, ..ring })
    }

    /// Reads a list of keys, separated by commas; the first mints, all open.
    ///
    /// ```
    /// use saga_runtime::token::{KeyError, KeyRing};
    ///
    /// let (new, old) = (KeyRing::generate_key()?, KeyRing::generate_key()?);
    /// let ring = KeyRing::parse(&format!("{new},{old}"))?;
    /// assert!(!ring.is_ephemeral());
    /// # Ok::<(), KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the list is empty or too long, or a key is malformed, mistyped, guessable or there twice.
    pub fn parse(list: &str) -> Result<Self, KeyError> {
        if list.trim().is_empty() {
            return Err(KeyError::Empty);
        }
        let texts: Vec<&str> = list.split(',').collect();
        let mut keys = Vec::with_capacity(texts.len());
        for (position, text) in (1..).zip(texts) {
            let key = Key::parse(text.trim(), position)?;
            if key.is_guessable() {
                return Err(KeyError::Guessable { position });
            }
            keys.push(key);
        }
        Self::assemble(keys)
    }

    /// Reads the list of keys in the environment variable `variable`.
    ///
    /// # Errors
    ///
    /// When the variable is not set, and for the reasons that [`KeyRing::parse`] has.
    pub fn from_env(variable: &str) -> Result<Self, KeyError> {
        match std::env::var(variable).map(Zeroizing::new) {
            Ok(list) => Self::parse(&list),
            Err(_) => Err(KeyError::NotSet { variable: variable.to_owned() }),
        }
    }

    /// A ring of these keys, the first of which mints.
    pub(super) fn assemble(mut keys: Vec<Key>) -> Result<Self, KeyError> {
        if keys.len() > MOST_KEYS {
            return Err(KeyError::TooMany);
        }
        for (index, key) in keys.iter().enumerate() {
            let position = index + 1;
            match keys[..index].iter().find(|earlier| earlier.id == key.id) {
                Some(earlier) if earlier.is_same(key) => {
                    return Err(KeyError::Duplicate { position });
                }
                Some(_) => return Err(KeyError::SameId { position }),
                None => {}
            }
        }
        keys.first_mut().ok_or(KeyError::Empty)?.state = KeyState::Active;
        Ok(Self { keys: keys.into(), is_ephemeral: false })
    }

    /// The same ring with the key `id` revoked: from now on its tokens are refused.
    ///
    /// # Errors
    ///
    /// When the ring has no such key, or it is the one that mints.
    pub fn revoke(&self, id: KeyId) -> Result<Self, KeyError> {
        let mut keys: Vec<Key> = self.keys.to_vec();
        let key = keys.iter_mut().find(|key| key.id == id).ok_or(KeyError::Unknown(id))?;
        if key.state == KeyState::Active {
            return Err(KeyError::Minting(id));
        }
        key.state = KeyState::Revoked;
        Ok(Self { keys: keys.into(), is_ephemeral: self.is_ephemeral })
    }

    /// Whether the ring's key dies with this process.
    #[must_use]
    pub fn is_ephemeral(&self) -> bool {
        self.is_ephemeral
    }

    /// The ids of the keys and what each is used for, the minting key first.
    pub fn ids(&self) -> impl Iterator<Item = (KeyId, KeyState)> {
        self.keys.iter().map(|key| (key.id, key.state))
    }

    /// The text form of a new key.
    ///
    /// # Errors
    ///
    /// When the operating system's generator fails.
    pub fn generate_key() -> Result<String, KeyError> {
        Ok(Key::generate(&SystemEntropy)?.to_text())
    }

    /// The key that mints.
    pub(super) fn active(&self) -> &Key {
        &self.keys[0]
    }

    /// The key `id`, if it may open tokens.
    pub(super) fn opening(&self, id: KeyId) -> Result<&Key, OpenError> {
        let key = self.keys.iter().find(|key| key.id == id).ok_or(OpenError::UnknownKey(id))?;
        match key.state {
            KeyState::Active | KeyState::OpenOnly => Ok(key),
            KeyState::Revoked => Err(OpenError::RevokedKey(id)),
        }
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing")
            .field("keys", &self.ids().collect::<Vec<_>>())
            .field("is_ephemeral", &self.is_ephemeral)
            .finish()
    }
}

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
pub(super) struct Key {
    id: KeyId,
    state: KeyState,
    secret: Arc<Zeroizing<[u8; 32]>>,
}

impl Key {
    fn generate(entropy: &dyn Entropy) -> Result<Self, EntropyError> {
        let mut secret = Zeroizing::new([0; 32]);
        entropy.fill(secret.as_mut_slice())?;
        Ok(Self::new(&secret))
    }

    pub(super) fn new(secret: &[u8; 32]) -> Self {
        let id = KeyId(derive("saga-token v1 kid", secret));
        Self { id, state: KeyState::OpenOnly, secret: Arc::new(Zeroizing::new(*secret)) }
    }

    fn parse(text: &str, position: usize) -> Result<Self, KeyError> {
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

    pub(super) fn to_text(&self) -> String {
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

    /// A key that claims the id of another one, as only a collision could.
    #[cfg(test)]
    pub(super) fn with_id_of(secret: &[u8; 32], other: &[u8; 32]) -> Self {
        Self { id: Self::new(other).id, ..Self::new(secret) }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.secret().ct_eq(other.secret()).into()
    }

    pub(super) fn id(&self) -> KeyId {
        self.id
    }

    pub(super) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }
}

/// Finds typing mistakes; the id's context must not be used, because the id is public.
fn checksum(secret: &[u8; 32]) -> [u8; 4] {
    derive("saga-token v1 key checksum", secret)
}
