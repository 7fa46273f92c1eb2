//! What a token says about itself, inside the seal: which saga it continues, since when, how long.
//!
//! ```text
//! off  len  field      all little endian
//! 0    4    issued_at  unix seconds, of this token
//! 4    4    ttl        seconds that this token lives
//! 8    4    age        seconds from the saga's start to issued_at
//! 12   4    state_len  bytes of state after the claims; what follows it is padding
//! 16   2    round      1 for a saga's first token
//! 18   2    flags      the host's
//! 20   16   saga_id    the same in all rounds
//! ```

/// The length of the claims in bytes.
pub(super) const CLAIMS_LEN: usize = 36;

/// What a token says about itself.
///
/// [`Claims::first`] starts a saga and [`Claims::next`] carries it on, so that a saga's age runs from
/// its start however often its token is renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// When this token was made, in unix seconds.
    pub issued_at: u32,
    /// For how many seconds this token can be opened.
    pub ttl: u32,
    /// How many seconds after the saga's start this token was made.
    pub age: u32,
    /// How many tokens of this saga there are, this one included.
    pub round: u16,
    /// For the host; sealed and given back as it is.
    pub flags: u16,
    /// The saga's own number, the same in all its tokens.
    pub saga_id: [u8; 16],
}

impl Claims {
    /// The time to live of one round, in seconds, where a tool does not say otherwise.
    pub const DEFAULT_TTL: u32 = 600;

    /// The claims of a saga's first token.
    ///
    /// ```
    /// use saga_runtime::token::Claims;
    ///
    /// let first = Claims::first(1_000, 600, [7; 16]);
    /// let second = first.next(1_250, 600);
    /// assert_eq!((second.round, second.age, second.saga_id), (2, 250, [7; 16]));
    /// ```
    #[must_use]
    pub fn first(now: u64, ttl: u32, saga_id: [u8; 16]) -> Self {
        Self { issued_at: seconds(now), ttl, age: 0, round: 1, flags: 0, saga_id }
    }

    /// The claims of the next token of the same saga; the flags are kept.
    ///
    /// A clock that is behind the one that made this token takes nothing off the saga's age.
    #[must_use]
    pub fn next(&self, now: u64, ttl: u32) -> Self {
        let issued_at = seconds(now);
        let age = self.age.saturating_add(issued_at.saturating_sub(self.issued_at));
        Self { issued_at, ttl, age, round: self.round.saturating_add(1), ..*self }
    }

    pub(super) fn to_bytes(self, state_len: u32) -> [u8; CLAIMS_LEN] {
        let mut bytes = [0; CLAIMS_LEN];
        bytes[0..4].copy_from_slice(&self.issued_at.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.ttl.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.age.to_le_bytes());
        bytes[12..16].copy_from_slice(&state_len.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.round.to_le_bytes());
        bytes[18..20].copy_from_slice(&self.flags.to_le_bytes());
        bytes[20..36].copy_from_slice(&self.saga_id);
        bytes
    }

    /// The claims and the length of the state that follows them.
    pub(super) fn from_bytes(bytes: [u8; CLAIMS_LEN]) -> (Self, u32) {
        let claims = Self {
            issued_at: u32::from_le_bytes(field(&bytes, 0)),
            ttl: u32::from_le_bytes(field(&bytes, 4)),
            age: u32::from_le_bytes(field(&bytes, 8)),
            round: u16::from_le_bytes(field(&bytes, 16)),
            flags: u16::from_le_bytes(field(&bytes, 18)),
            saga_id: field(&bytes, 20),
        };
        (claims, u32::from_le_bytes(field(&bytes, 12)))
    }
}

/// The `N` bytes at `at`, which must be there.
pub(super) fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[at..at + N]);
    field
}

/// Seconds fit until 2106; a later clock stands still there, and tokens soon expire.
fn seconds(now: u64) -> u32 {
    u32::try_from(now).unwrap_or(u32::MAX)
}
