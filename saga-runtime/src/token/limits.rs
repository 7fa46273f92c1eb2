//! How large, how old and how often: what a token may be, checked alike when it is made and when it
//! comes back.

use super::claims::Claims;
use super::error::{OpenError, SealError};

/// What a tool's tokens are held to.
///
/// ```
/// use saga_runtime::token::Limits;
///
/// let brief = Limits { max_age: 3_600, ..Limits::default() };
/// assert_eq!(brief.max_state, 64 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For how many seconds from its start a saga can be continued: 24 hours by default.
    pub max_age: u32,
    /// How many tokens a saga may have: 32 by default.
    pub max_rounds: u16,
    /// How many bytes a state may have: 64 KiB by default, and never above 16 MiB.
    pub max_state: usize,
    /// By how many seconds the clock that made a token may be ahead: 60 by default.
    pub max_skew: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_age: 24 * 60 * 60, max_rounds: 32, max_state: 64 * 1024, max_skew: 60 }
    }
}

/// A token travels in one JSON message and is held in memory whole.
const LARGEST_STATE: usize = 16 * 1024 * 1024;

impl Limits {
    pub(crate) fn largest_state(&self) -> usize {
        self.max_state.min(LARGEST_STATE)
    }

    /// The state's length, if the limits allow it.
    pub(super) fn state_len(&self, state: &[u8]) -> Result<u32, SealError> {
        let (size, limit) = (state.len(), self.largest_state());
        match u32::try_from(size) {
            Ok(len) if size <= limit => Ok(len),
            _ => Err(SealError::StateTooLarge { size, limit }),
        }
    }

    /// Whether a token with these claims could be opened at the moment it is made.
    pub(super) fn check_sealing(&self, claims: &Claims) -> Result<(), SealError> {
        if claims.ttl == 0 {
            return Err(SealError::NoTtl);
        }
        if claims.age >= self.max_age {
            return Err(SealError::TooOld { limit: self.max_age });
        }
        if claims.round > self.max_rounds {
            return Err(SealError::TooManyRounds { limit: self.max_rounds });
        }
        Ok(())
    }

    /// Whether a token with these claims can be opened at `now`.
    pub(super) fn check_opened(&self, claims: &Claims, now: u64) -> Result<(), OpenError> {
        // In u64 no sum of two u32 overflows.
        let issued_at = u64::from(claims.issued_at);
        if issued_at > now.saturating_add(u64::from(self.max_skew)) {
            return Err(OpenError::FromTheFuture);
        }
        if now >= issued_at + u64::from(claims.ttl) {
            return Err(OpenError::Expired);
        }
        if u64::from(claims.age) + now.saturating_sub(issued_at) >= u64::from(self.max_age) {
            return Err(OpenError::TooOld);
        }
        if claims.round > self.max_rounds {
            return Err(OpenError::TooManyRounds);
        }
        Ok(())
    }
}
