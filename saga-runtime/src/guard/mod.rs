//! The guard makes a token single-use: of all requests that bring it, one goes on; the others get the same reply if
//! they brought the same answers, and are refused if they brought others.
//!
//! A token alone cannot know that it was opened before, on this server or another. Without a guard a client may go on
//! from it as often as it likes until it expires: to repeat a request whose reply was lost, which is good, or to take
//! another branch, which may not be. With a guard the first is answered from the store, and the second refused.
//!
//! **What it does not do:** make an effect exactly-once. A server that dies between an effect and its record runs the
//! transition again when the client repeats its request, after [`LEASE`] at most. Give such an effect
//! [`Saga::idempotency_key`](crate::Saga::idempotency_key), which is the same then.

mod memory;
#[cfg(feature = "redis")]
mod redis;

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use self::memory::MemoryGuard;
#[cfg(feature = "redis")]
pub use self::redis::RedisGuard;

/// For how long a claim is believed to be worked on, where the process that made it may have died.
pub const LEASE: Duration = Duration::from_mins(1);

/// A future of a guard's.
pub type Guarding<'a, T> = Pin<Box<dyn Future<Output = Result<T, GuardError>> + Send + 'a>>;

/// One round of one saga, about to go on with some answers.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Turn {
    /// The saga's own number.
    pub saga: [u8; 16],
    /// The round that its token ends.
    pub round: u16,
    /// A digest of the answers.
    pub answers: [u8; 32],
    /// For how many seconds from now the token can still come back. The guard may forget the turn after that.
    pub seconds: u32,
    /// Which request of this process has it: who gives a turn back must give back his own.
    pub request: u64,
}

impl Turn {
    /// A turn of a request of its own; see the fields.
    #[must_use]
    pub fn new(saga: [u8; 16], round: u16, answers: [u8; 32], seconds: u32) -> Self {
        static REQUESTS: AtomicU64 = AtomicU64::new(0);
        let request = REQUESTS.fetch_add(1, Ordering::Relaxed);
        Self { saga, round, answers, seconds, request }
    }
}

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a guard decides between exactly these")]
pub enum Claim {
    /// This request's: it runs. No other will be told so while it does.
    Fresh,
    /// Another request's with the same answers; its reply, or `None` while that is still to come. The reply is empty
    /// where it was not worth keeping, too large, or without room.
    Repeat(Option<Vec<u8>>),
    /// Another request's with other answers.
    Forked,
}

/// The store could not be asked, or has no room. The text is for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardError(String);

impl GuardError {
    /// A failure, with its reason for the log.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for GuardError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for GuardError {}

/// Remembers which turns were taken. All instances of a server share one.
pub trait Guard: Send + Sync + fmt::Debug {
    /// Claims a turn, before anything of it runs. Where the same turn runs elsewhere, waits a while for its reply.
    ///
    /// # Errors
    ///
    /// When the store cannot be asked: it is unknown then whose turn it is.
    fn claim<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Claim>;

    /// Keeps the reply of a turn that this process claimed, for those who repeat it. It is sealed.
    ///
    /// Where the turn took longer than the lease, another process may have run it, too, and have kept its reply: the
    /// first counts, and is given here.
    ///
    /// # Errors
    ///
    /// When the store cannot be asked: who repeats the turn runs it again, after the lease.
    fn keep<'a>(&'a self, turn: &'a Turn, reply: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>>;

    /// The reply of a turn that was kept, if there is one for the same answers. It claims nothing and does not wait.
    ///
    /// # Errors
    ///
    /// When the store cannot be asked.
    fn kept<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Option<Vec<u8>>>;

    /// Gives back a turn that was claimed and did not end, because its request was refused or went away, or of which it
    /// is unknown whether it was claimed, or which it only waited for. The same answers may claim it again; others may
    /// not. Where another request has the turn, or has ended it, nothing happens.
    fn abandon(&self, turn: &Turn);
}

/// How often a token may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replay {
    /// Any number of times until it expires.
    Window,
    /// Once: its repetition gets the same reply, and another branch is refused. Needs a guard.
    Once,
}

/// What a tool does that is guarded while the store cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreDown {
    /// It refuses to go on; the client can try again later with the same token.
    Refuse,
    /// It goes on as if it was not guarded.
    Run,
}
