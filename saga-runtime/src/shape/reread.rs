//! Reading back what was just written, to be sure that it can be.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use crate::held::Unsealable;
use crate::held::bounded::read_by;

/// Bytes that may stay in memory for values that borrow what they are read from.
const MOST_KEPT: usize = 1 << 20;

/// Requires that the bytes are one whole value, within the bounds that it will be read in.
///
/// # Errors
///
/// They are not.
pub(super) fn reread<'de, T: Deserialize<'de>>(bytes: &[u8]) -> Result<(), Unsealable> {
    let is_full = Rc::new(Cell::new(false));
    let source = Source { bytes: bytes.to_vec(), next: 0, is_full: Rc::clone(&is_full) };
    let mut deserializer = postcard::Deserializer::from_flavor(source);
    let read = read_by::<T, _>(&mut deserializer, bytes.len()).and_then(|_| deserializer.finalize());
    match read {
        Ok(0) => Ok(()),
        Ok(_) | Err(_) if is_full.get() => Ok(()),
        Ok(left) => Err(Unsealable::reread(format!("{left} bytes are left over"))),
        Err(error) => Err(Unsealable::reread(error.to_string())),
    }
}

/// The bytes of a value that is read for a lifetime that nobody here can name: what the value does not borrow is
/// lent for a moment, and what it may borrow is kept for good, up to a limit.
struct Source {
    bytes: Vec<u8>,
    next: usize,
    is_full: Rc<Cell<bool>>,
}

impl Source {
    fn take(&mut self, count: usize) -> postcard::Result<&[u8]> {
        let taken = self.next.checked_add(count).and_then(|end| self.bytes.get(self.next..end));
        let taken = taken.ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
        self.next += count;
        Ok(taken)
    }
}

impl<'de> postcard::de_flavors::Flavor<'de> for Source {
    type Remainder = usize;
    type Source = ();

    fn pop(&mut self) -> postcard::Result<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn try_take_n(&mut self, count: usize) -> postcard::Result<&'de [u8]> {
        let Some(kept) = keep(self.take(count)?) else {
            self.is_full.set(true);
            return Err(postcard::Error::DeserializeUnexpectedEnd);
        };
        Ok(kept)
    }

    fn try_take_n_temp<'a>(&'a mut self, count: usize) -> postcard::Result<&'a [u8]>
    where
        'de: 'a,
    {
        self.take(count)
    }

    fn finalize(self) -> postcard::Result<usize> {
        Ok(self.bytes.len() - self.next)
    }
}

/// Equal bytes for the rest of the process.
fn keep(bytes: &[u8]) -> Option<&'static [u8]> {
    static KEPT: Mutex<(usize, BTreeSet<&'static [u8]>)> = Mutex::new((0, BTreeSet::new()));
    // A poisoned set is whole but for the count of one entry.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.1.get(bytes) {
        return Some(known);
    }
    let size = kept.0 + bytes.len();
    if size > MOST_KEPT {
        return None;
    }
    let bytes: &'static [u8] = Box::leak(bytes.into());
    kept.0 = size;
    kept.1.insert(bytes);
    Some(bytes)
}
