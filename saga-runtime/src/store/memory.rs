//! A store for one process: on standard input and output, or where there is one instance of a server.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Handle, Store, StoreError, Storing};
use crate::clock::{Clock, SystemClock};

/// A store in this process's memory. Other instances know nothing of it, and it forgets all when the process ends.
pub struct MemoryStore {
    states: Mutex<States>,
    most: usize,
    clock: Arc<dyn Clock>,
}

#[derive(Default)]
struct States {
    kept: HashMap<Handle, Vec<u8>>,
    /// By when they may be forgotten.
    expiry: BTreeSet<(u64, Handle)>,
    bytes: usize,
}

/// Bytes of states that are kept, by default.
const MOST_BYTES: usize = 64 * 1024 * 1024;

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// A store of 64 MiB. When it is full of states that cannot be forgotten yet, it takes no more.
    #[must_use]
    pub fn new() -> Self {
        Self::with_room(MOST_BYTES)
    }

    /// A store of so many bytes.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Self { states: Mutex::default(), most: bytes, clock: Arc::new(SystemClock) }
    }

    /// Forgets by this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The states that are not past.
    fn states(&self) -> MutexGuard<'_, States> {
        // No code that can panic runs while the lock is held.
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        states.forget(self.clock.now());
        states
    }
}

impl States {
    fn put(&mut self, handle: Handle, sealed: Vec<u8>, until: u64, most: usize) -> Result<(), StoreError> {
        if self.kept.contains_key(&handle) {
            // No two states are sealed into the same bytes: what is there already is this one.
            return Ok(());
        }
        let bytes = self.bytes + sealed.len();
        if bytes > most {
            return Err(StoreError::new("the store in memory is full"));
        }
        self.bytes = bytes;
        self.kept.insert(handle, sealed);
        self.expiry.insert((until, handle));
        Ok(())
    }

    fn forget(&mut self, now: u64) {
        while let Some((until, handle)) = self.expiry.first().copied().filter(|(until, _)| *until <= now) {
            self.expiry.remove(&(until, handle));
            self.bytes -= self.kept.remove(&handle).map_or(0, |state| state.len());
        }
    }
}

impl Store for MemoryStore {
    fn put<'a>(&'a self, handle: &'a Handle, sealed: Vec<u8>, seconds: u32) -> Storing<'a, ()> {
        let put =
            self.states().put(*handle, sealed, self.clock.now().saturating_add(seconds.into()), self.most);
        Box::pin(std::future::ready(put))
    }

    fn get<'a>(&'a self, handle: &'a Handle) -> Storing<'a, Option<Vec<u8>>> {
        let found = self.states().kept.get(handle).cloned();
        Box::pin(std::future::ready(Ok(found)))
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MemoryStore")
            .field("states", &self.states().kept.len())
            .finish_non_exhaustive()
    }
}
