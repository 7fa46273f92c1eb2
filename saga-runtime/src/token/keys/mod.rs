//! The keys of a server: one mints tokens, all open them, and changing them loses no token.
//!
//! A key is 32 random bytes; its text form `sgk1_` + base64url(key | checksum \[4\]) can be told from
//! other secrets by a scanner, and a typing mistake in it is found. A key's id is derived from the key,
//! so two servers can never mean different keys by one id.
//!
//! **Rotation** is three lists, each in use on *every* instance before the next: `old,new` (all can open
//! what will come), `new,old` (all mint with the new one), and after the longest time to live `new`.
//! [`KeyList::rotate`] writes the next of them. A stolen key is revoked at once, at the price of the tokens
//! that are under way: [`KeyList::revoke`], or `revoked` after it in the list.

mod key;
mod list;
mod remarks;

use std::fmt;
use std::sync::Arc;

use zeroize::Zeroizing;

pub(super) use self::key::Key;
pub use self::key::KeyId;
pub(crate) use self::list::rfc3339;
pub use self::list::{KeyList, Rotated};
use super::error::{KeyError, OpenError, SealerError};
use crate::clock::SystemEntropy;

/// A list this long is a mistake, and each key costs every opening a comparison.
pub(super) const MOST_KEYS: usize = 16;

/// Seconds by which servers' clocks may differ.
pub(crate) const CLOCKS_APART: u64 = 60;

/// The keys that tokens are sealed and opened with; cheap to clone, and its `Debug` shows ids only.
#[derive(Clone)]
pub struct KeyRing {
    /// Exactly one of them mints from the start.
    keys: Arc<[Ringed]>,
    /// Tokens from before this moment, in unix seconds, are refused.
    not_before: u64,
    is_ephemeral: bool,
}

/// What a key is used for at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyState {
    /// Opens tokens, and will mint later: from its `activate_at`, or when the operator says so.
    Pending,
    /// Mints and opens tokens; exactly one key does.
    Active,
    /// Opens tokens: its turn to mint is past, or still to come.
    OpenOnly,
    /// Opens none: revoked, or past its `until`. Kept so that the log can say so.
    Revoked,
}

/// A key in a ring.
#[derive(Clone)]
pub(super) struct Ringed {
    key: Key,
    turn: Turn,
}

/// What a list says about a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Mints from this moment on, in unix seconds, until another key's moment comes.
    Mints {
        from: u64,
    },
    Pending,
    /// Opens tokens until this moment.
    Opens {
        until: u64,
    },
    Revoked,
}

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

    /// Reads a list of keys, separated by commas or line ends; the first mints, all open.
    ///
    /// Words after a key say otherwise: `pending`, `activate_at=TIME` (mints from then on), `until=TIME` (opens no
    /// more from then on), `revoked`. An item `not_before=TIME` refuses all tokens from before. From `#` to the end of
    /// a line stands a remark. A time is `2026-07-28T12:00:00Z`.
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
    /// When the list is empty or too long, none or several keys would mint, or a key is malformed, mistyped, weak,
    /// guessable or there twice.
    pub fn parse(list: &str) -> Result<Self, KeyError> {
        KeyList::parse(list)?.ring()
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
    pub(super) fn assemble(keys: Vec<Key>) -> Result<Self, KeyError> {
        let turn = |index| if index == 0 { Turn::Mints { from: 0 } } else { Turn::Opens { until: u64::MAX } };
        let keys = keys.into_iter().enumerate().map(|(index, key)| Ringed { key, turn: turn(index) });
        Self::of(keys.collect(), 0)
    }

    fn of(keys: Vec<Ringed>, not_before: u64) -> Result<Self, KeyError> {
        if keys.len() > MOST_KEYS {
            return Err(KeyError::TooMany);
        }
        for (index, Ringed { key, .. }) in keys.iter().enumerate() {
            let position = index + 1;
            match keys[..index].iter().find(|earlier| earlier.key.id() == key.id()) {
                Some(earlier) if earlier.key.is_same(key) => {
                    return Err(KeyError::Duplicate { position });
                }
                Some(_) => return Err(KeyError::SameId { position }),
                None => {}
            }
        }
        if keys.is_empty() {
            return Err(KeyError::Empty);
        }
        match keys.iter().filter(|ringed| ringed.turn == Turn::Mints { from: 0 }).count() {
            1 => Ok(Self { keys: keys.into(), not_before, is_ephemeral: false }),
            _ => Err(KeyError::NoneMints),
        }
    }

    /// The same ring with the key `id` revoked: from now on its tokens are refused.
    ///
    /// # Errors
    ///
    /// When the ring has no such key, or it is the one that mints.
    pub fn revoke(&self, id: KeyId) -> Result<Self, KeyError> {
        let mut keys = self.keys.to_vec();
        let ringed = keys.iter_mut().find(|ringed| ringed.key.id() == id).ok_or(KeyError::Unknown(id))?;
        if ringed.turn == (Turn::Mints { from: 0 }) {
            return Err(KeyError::Minting(id));
        }
        ringed.turn = Turn::Revoked;
        Ok(Self { keys: keys.into(), ..*self })
    }

    /// The same ring, which refuses all tokens from before `moment` (unix seconds): after a theft, for example.
    #[must_use]
    pub fn with_not_before(mut self, moment: u64) -> Self {
        self.not_before = moment;
        self
    }

    /// Whether what is minted at `now` is good.
    ///
    /// # Errors
    ///
    /// When the moment before which tokens are refused is still to come, by the clocks of all servers.
    pub fn check_cutoff(&self, now: u64) -> Result<(), SealerError> {
        let not_before = self.not_before;
        if not_before > now.saturating_add(CLOCKS_APART) {
            return Err(SealerError::NotYet { not_before });
        }
        Ok(())
    }

    /// Whether the ring's key dies with this process.
    #[must_use]
    pub const fn is_ephemeral(&self) -> bool {
        self.is_ephemeral
    }

    /// The ids of the keys, and what each is used for at `now` (unix seconds), in the list's order.
    pub fn states(&self, now: u64) -> impl Iterator<Item = (KeyId, KeyState)> {
        let minting = self.minting(now).id();
        self.keys.iter().map(move |Ringed { key, turn }| {
            let state = match *turn {
                Turn::Mints { from } if from > now => KeyState::Pending,
                Turn::Mints { .. } if key.id() == minting => KeyState::Active,
                Turn::Mints { .. } => KeyState::OpenOnly,
                Turn::Pending => KeyState::Pending,
                Turn::Opens { until } if now < until => KeyState::OpenOnly,
                Turn::Opens { .. } | Turn::Revoked => KeyState::Revoked,
            };
            (key.id(), state)
        })
    }

    /// The text form of a new key.
    ///
    /// # Errors
    ///
    /// When the operating system's generator fails.
    pub fn generate_key() -> Result<String, KeyError> {
        Ok(Key::generate(&SystemEntropy)?.to_text())
    }

    /// The key that mints at `now`: the one whose turn came last.
    pub(super) fn minting(&self, now: u64) -> &Key {
        let mut minting = (&self.keys[0].key, None);
        for Ringed { key, turn } in self.keys.iter() {
            if let Turn::Mints { from } = *turn
                && from <= now
                && minting.1.is_none_or(|latest| from > latest)
            {
                minting = (key, Some(from));
            }
        }
        minting.0
    }

    /// The key `id`, if it may open tokens at `now`.
    pub(super) fn opening(&self, id: KeyId, now: u64) -> Result<&Key, OpenError> {
        let ringed = self.keys.iter().find(|ringed| ringed.key.id() == id);
        let Ringed { key, turn } = ringed.ok_or(OpenError::UnknownKey(id))?;
        match *turn {
            Turn::Mints { .. } | Turn::Pending => Ok(key),
            Turn::Opens { until } if now < until => Ok(key),
            Turn::Opens { .. } => Err(OpenError::RetiredKey(id)),
            Turn::Revoked => Err(OpenError::RevokedKey(id)),
        }
    }

    pub(super) const fn not_before(&self) -> u64 {
        self.not_before
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.keys.iter().map(|ringed| (ringed.key.id(), ringed.turn));
        f.debug_struct("KeyRing")
            .field("keys", &keys.collect::<Vec<_>>())
            .field("not_before", &self.not_before)
            .field("is_ephemeral", &self.is_ephemeral)
            .finish()
    }
}
