//! A store for states that are too large to travel: the token then carries a handle, and the state waits here.
//!
//! What a store is given is sealed like a token, under a key of its own and bound to the same caller, call and server,
//! and its handle is its own hash: a store can neither read a state, nor change it, nor give one for another. What it
//! can do is to lose one. The token that names it is refused then, as any other that is not good.
//!
//! A stored state lives as long as its token and is never changed: each round stores its own.

mod memory;
#[cfg(feature = "redis")]
mod redis;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

pub use self::memory::MemoryStore;
#[cfg(feature = "redis")]
pub use self::redis::RedisStore;
use crate::hex::Hex;

/// A future of a store's.
pub type Storing<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Keeps sealed states. All instances of a server share one.
pub trait Store: Send + Sync + fmt::Debug {
    /// Keeps a sealed state for so many seconds at least; after that it may be forgotten.
    ///
    /// # Errors
    ///
    /// When the store cannot be asked or has no room.
    fn put<'a>(&'a self, handle: &'a Handle, sealed: Vec<u8>, seconds: u32) -> Storing<'a, ()>;

    /// The sealed state of this handle; `None` if the store does not have it.
    ///
    /// # Errors
    ///
    /// When the store cannot be asked: it is unknown then whether it has it.
    fn get<'a>(&'a self, handle: &'a Handle) -> Storing<'a, Option<Vec<u8>>>;
}

/// What a stored state is called: the BLAKE3 hash of its sealed bytes. The display is hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle([u8; 32]);

impl Handle {
    /// The handle of these sealed bytes.
    pub(crate) fn of(sealed: &[u8]) -> Self {
        Self(*blake3::hash(sealed).as_bytes())
    }

    /// The handle that a token carries, if these bytes are one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(formatter)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Handle({self})")
    }
}

/// The store could not be asked, or has no room. The text is for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError(String);

impl StoreError {
    /// A failure, with its reason for the log.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StoreError {}

/// Which states go to a store, and to which.
///
/// ```
/// use saga_runtime::Sagas;
/// use saga_runtime::store::{MemoryStore, Spill};
/// # drop(
/// Sagas::builder("fleet", "1.0").spill(Spill::above(16 * 1024, MemoryStore::new()))
/// # );
/// ```
#[derive(Debug, Clone)]
pub struct Spill {
    pub(crate) above: usize,
    pub(crate) most: usize,
    pub(crate) store: Arc<dyn Store>,
}

/// Bytes that a stored state may have, unless set.
const MOST: usize = 1024 * 1024;

impl Spill {
    /// States of more than so many bytes go to this store; smaller ones travel.
    pub fn above(bytes: usize, store: impl Store + 'static) -> Self {
        Self { above: bytes, most: MOST, store: Arc::new(store) }
    }

    /// How many bytes a stored state may have: 1 MiB unless set, and never above 16 MiB.
    #[must_use]
    pub const fn most(mut self, bytes: usize) -> Self {
        self.most = bytes;
        self
    }
}
