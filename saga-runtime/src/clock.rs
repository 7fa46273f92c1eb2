//! What the core may not fetch for itself: the time, and random bytes.
//!
//! The host hands both in, so that a test owns them: an expiry is tested to the second, a token to
//! the byte, and a failing generator is one line. [`SystemClock`] and [`SystemEntropy`] are what a
//! server uses.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Tells the time.
///
/// ```
/// use saga_runtime::clock::{Clock, SystemClock};
///
/// struct Noon;
/// impl Clock for Noon {
///     fn now(&self) -> u64 {
///         43_200
///     }
/// }
///
/// assert!(SystemClock.now() > Noon.now());
/// assert_eq!(Noon.unix_nanos(), 43_200_000_000_000);
/// ```
pub trait Clock: Send + Sync {
    /// The seconds since the start of 1970 (UTC).
    fn now(&self) -> u64;

    /// The nanoseconds since the start of 1970: not for expiry, but to tell a token's salt from
    /// that of a cloned machine whose generator gives the same bytes.
    fn unix_nanos(&self) -> u64 {
        self.now().saturating_mul(1_000_000_000)
    }
}

/// Gives random bytes that nobody can predict.
pub trait Entropy: Send + Sync {
    /// Fills `bytes`, all of them.
    ///
    /// # Errors
    ///
    /// When the source cannot fill them all; what `bytes` then holds must not be used.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError>;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl SystemClock {
    /// A clock set before 1970 reads as 1970, at which every token is from the future and refused.
    fn since_epoch() -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        Self::since_epoch().as_secs()
    }

    fn unix_nanos(&self) -> u64 {
        u64::try_from(Self::since_epoch().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        getrandom::fill(bytes).map_err(|_| EntropyError)
    }
}

/// The source of random bytes failed; nothing was made from what it gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntropyError;

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source of random bytes failed")
    }
}

impl std::error::Error for EntropyError {}
