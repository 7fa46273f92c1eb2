//! What can go wrong, by who must act: the client ([`OpenError`]), the tool's author ([`SealError`]), the
//! operator ([`KeyError`], [`SealerError`]).
//!
//! No text here contains a key, a state, a principal or a token.

use std::fmt;

use super::keys::{KeyId, MOST_KEYS};
use crate::clock::EntropyError;

/// Why a token was refused, for the log.
///
/// The client is told one and the same error for all of these, byte for byte: [`OpenError::CODE`],
/// [`OpenError::MESSAGE`] and [`OpenError::REASON`]. A client that could tell the reasons apart could
/// use the server to try out its forgeries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// The text is longer than any token that the limits allow.
    TooLong,
    /// The text does not begin as a token of this version does.
    Prefix,
    /// The text is not canonical base64url.
    Encoding,
    /// The text is shorter than any token.
    TooShort,
    /// The version inside does not agree with the text's prefix.
    Version,
    /// The ring has no key of this id.
    UnknownKey(KeyId),
    /// The key of this id was revoked.
    RevokedKey(KeyId),
    /// The key of this id has opened tokens for as long as its list says.
    RetiredKey(KeyId),
    /// The token is from before the ring's `not_before`.
    BeforeCutoff,
    /// The codec refused the token.
    Codec,
    /// The token belongs to another tool.
    OtherTool,
    /// The token was made under another binding, for another server, or its header was altered.
    OtherContext,
    /// The token was altered.
    Forged,
    /// The token is from the future, so some clock is wrong.
    FromTheFuture,
    /// The token has outlived its time.
    Expired,
    /// The saga has outlived its time.
    TooOld,
    /// The saga has had more rounds than it may.
    TooManyRounds,
    /// The sealed body does not hold what its claims say: a fault of the server that made it.
    Body,
}

impl OpenError {
    /// The JSON-RPC code that the client is told.
    pub const CODE: i64 = -32602;
    /// The message that the client is told.
    pub const MESSAGE: &'static str = "Invalid or expired requestState";
    /// What stands under `data.reason` in the error that the client is told.
    pub const REASON: &'static str = "invalid_request_state";
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self {
            Self::TooLong => "the token is longer than the limits allow",
            Self::Prefix => "the token does not begin as this server's tokens do",
            Self::Encoding => "the token is not canonical base64url",
            Self::TooShort => "the token is cut short",
            Self::Version => "the token's version does not agree with its prefix",
            Self::UnknownKey(id) => return write!(f, "the ring has no key {id}"),
            Self::RevokedKey(id) => return write!(f, "the key {id} was revoked"),
            Self::RetiredKey(id) => return write!(f, "the key {id} was retired; its `until` is past"),
            Self::BeforeCutoff => "the token is from before the keys' `not_before`",
            Self::Codec => "the server's codec refused the token",
            Self::OtherTool => "the token belongs to another tool",
            Self::OtherContext => "the token was made for another caller, call or server, or was altered",
            Self::Forged => "the token was altered",
            Self::FromTheFuture => "the token is from the future; compare the servers' clocks",
            Self::Expired => "the token has expired",
            Self::TooOld => "the saga has reached its greatest age",
            Self::TooManyRounds => "the saga has had more rounds than it may",
            Self::Body => "the sealed body does not hold what its claims say",
        };
        f.write_str(reason)
    }
}

impl std::error::Error for OpenError {}

/// Why a state could not be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealError {
    /// The state is larger than the limits allow.
    StateTooLarge {
        /// Its size in bytes.
        size: usize,
        /// How large it may be.
        limit: usize,
    },
    /// The token would have no time to live.
    NoTtl,
    /// The saga has reached its greatest age, in seconds.
    TooOld {
        /// How old it may be.
        limit: u32,
    },
    /// The saga has had all its rounds.
    TooManyRounds {
        /// How many it may have.
        limit: u16,
    },
    /// The source of random bytes failed.
    Entropy,
    /// The codec could not seal.
    Codec,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateTooLarge { size, limit } => {
                write!(f, "the state has {size} bytes and may have {limit}; hold less across the question")
            }
            Self::NoTtl => f.write_str("the token's time to live is zero"),
            Self::TooOld { limit } => write!(f, "the saga has reached its greatest age of {limit} seconds"),
            Self::TooManyRounds { limit } => write!(f, "the saga has had all its {limit} rounds"),
            Self::Codec => f.write_str("the server's codec could not seal the state"),
            Self::Entropy => EntropyError.fmt(f),
        }
    }
}

impl std::error::Error for SealError {}

impl From<EntropyError> for SealError {
    fn from(EntropyError: EntropyError) -> Self {
        Self::Entropy
    }
}

/// Why a [`Sealer`](super::Sealer) could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealerError {
    /// The audience is empty: tokens of any server with the same keys would be taken.
    NoAudience,
    /// The source of random bytes failed.
    Entropy,
    /// A codec seals, and has its own keys.
    HasCodec,
    /// The keys' `not_before` is still to come: every token that is minted until then would be refused.
    NotYet {
        /// The moment, in unix seconds.
        not_before: u64,
    },
}

impl fmt::Display for SealerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAudience => f.write_str("the audience is empty; name the server"),
            Self::HasCodec => f.write_str("a codec seals this server's tokens, and has its own keys"),
            Self::NotYet { not_before } => write!(
                f,
                "`not_before={}` is still to come, and every token that is minted until then would be refused; write \
                 a moment that is past, in UTC",
                super::keys::rfc3339(*not_before)
            ),
            Self::Entropy => EntropyError.fmt(f),
        }
    }
}

impl std::error::Error for SealerError {}

impl From<EntropyError> for SealerError {
    fn from(EntropyError: EntropyError) -> Self {
        Self::Entropy
    }
}

/// What is wrong with a key or a ring; `position` counts the keys of a list from one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The environment variable is not set, or is not text.
    NotSet {
        /// The variable's name.
        variable: String,
    },
    /// The list has no keys.
    Empty,
    /// The list has more keys than a ring holds.
    TooMany,
    /// This is not a key's text form.
    Malformed {
        /// Which one.
        position: usize,
    },
    /// The checksum does not fit: some character is wrong.
    Mistyped {
        /// Which one.
        position: usize,
    },
    /// The key follows a pattern, as those that documentation prints do.
    Guessable {
        /// Which one.
        position: usize,
    },
    /// The key is text that somebody chose, or repeats itself.
    Weak {
        /// Which one.
        position: usize,
    },
    /// The word after the key is not one that a list has.
    Word {
        /// Which one.
        position: usize,
    },
    /// The time is not one.
    Time {
        /// Which one.
        position: usize,
    },
    /// All keys of the list are pending, retired or revoked.
    NoneMints,
    /// The file of keys cannot be read.
    File {
        /// Its path.
        path: String,
        /// Why.
        reason: String,
    },
    /// The old key still opens tokens that may be under way.
    TooEarly {
        /// Until when, in unix seconds.
        until: u64,
    },
    /// The same key stands twice in the list.
    Duplicate {
        /// The second one.
        position: usize,
    },
    /// Two different keys have the same id.
    SameId {
        /// The second one.
        position: usize,
    },
    /// The ring has no key of this id.
    Unknown(KeyId),
    /// The key that mints cannot be revoked: there would be none left to mint.
    Minting(KeyId),
    /// The source of random bytes failed.
    Entropy,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSet { variable } => write!(f, "`{variable}` is not set to a list of keys"),
            Self::Empty => f.write_str("the list has no keys"),
            Self::TooMany => write!(f, "the list has more than {MOST_KEYS} keys; drop the retired ones"),
            Self::Malformed { position } => {
                write!(f, "key {position} is not `sgk1_` and 48 characters of base64url; generate one")
            }
            Self::Mistyped { position } => write!(f, "key {position} is mistyped: its checksum does not fit"),
            Self::Guessable { position } => {
                write!(f, "key {position} follows a pattern, as a key from documentation does; generate one")
            }
            Self::Weak { position } => {
                write!(f, "key {position} is no random key: it is text, or it repeats itself; generate one")
            }
            Self::Word { position } => write!(
                f,
                "after key {position} stands a word that means nothing; a list has `pending`, `activate_at=TIME`, \
                 `until=TIME`, `revoked`, and `not_before=TIME` as an item of its own"
            ),
            Self::Time { position } => {
                write!(f, "the time of key {position} is not one; write it as `2026-07-28T12:00:00Z`")
            }
            Self::NoneMints => f.write_str("no key of the list mints; leave one without a word after it"),
            Self::File { path, reason } => write!(f, "the keys in `{path}` cannot be used: {reason}"),
            Self::TooEarly { until } => {
                write!(f, "tokens of the old key may be under way until {}", super::keys::rfc3339(*until))
            }
            Self::Duplicate { position } => write!(f, "key {position} stands in the list already"),
            Self::SameId { position } => {
                write!(f, "key {position} has the id of another key in the list; generate another one")
            }
            Self::Unknown(id) => write!(f, "the ring has no key {id}"),
            Self::Minting(id) => {
                write!(f, "the key {id} mints tokens; put a new key before it, then revoke it")
            }
            Self::Entropy => EntropyError.fmt(f),
        }
    }
}

impl std::error::Error for KeyError {}

impl From<EntropyError> for KeyError {
    fn from(EntropyError: EntropyError) -> Self {
        Self::Entropy
    }
}
