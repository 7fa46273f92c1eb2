//! Held values: the locals that travel in the state. [`Held`] is what a local's type must be, and what the
//! compile error says when it is not.

use serde::{Deserialize, Serialize};

/// A value that can travel in the saga token: it serializes, and deserializes from the state's bytes.
///
/// `Deserialize<'s>` of the state rather than `DeserializeOwned`: a `&str`, or a struct that borrows one, travels
/// by value and borrows from the opened state afterwards.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel in the saga token",
    label = "this local is needed after a later question",
    note = "drop it before the question, or get it again from the context after it; a type of your own travels \
            when it derives `serde::Serialize` and `serde::Deserialize`"
)]
pub trait Held<'s>: Sized {
    /// Appends the value's bytes.
    ///
    /// # Errors
    ///
    /// What the value's `Serialize` reports.
    fn encode(&self, bytes: Vec<u8>) -> Result<Vec<u8>, postcard::Error>;

    /// Reads the value from exactly these bytes.
    fn decode(bytes: &'s [u8]) -> Option<Self>;

    /// A fingerprint of the encoding: names and types of everything inside.
    fn shape() -> u32;
}

#[diagnostic::do_not_recommend]
impl<'s, T: Serialize + Deserialize<'s>> Held<'s> for T {
    fn encode(&self, bytes: Vec<u8>) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_extend(self, bytes)
    }

    fn decode(bytes: &'s [u8]) -> Option<Self> {
        match postcard::take_from_bytes(bytes) {
            Ok((value, [])) => Some(value),
            Ok(_) | Err(_) => None,
        }
    }

    fn shape() -> u32 {
        crate::shape::of::<T>()
    }
}
