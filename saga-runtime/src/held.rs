//! Held values: the locals that travel in the state. [`Held`] is what a local's type must be, and what the
//! compile error says when it is not.

pub(crate) mod bounded;
#[cfg(test)]
mod bounded_tests;
mod json;

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::shape::{self, Mismatch};

/// A value that can travel in the saga token: it serializes, and deserializes from the state's bytes.
///
/// `Deserialize<'s>` of the state rather than `DeserializeOwned`: a `&str`, or a struct that borrows one, travels
/// by value and borrows from the opened state afterwards.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel in the saga token",
    label = "this local is needed after a later question",
    note = "a type of your own travels when it derives `serde::Serialize` and `serde::Deserialize`",
    note = "a connection or a guard never does: drop it before the question, and get it again after it, from the \
            context or by locking again",
    note = "what a shared reference shows travels where that is `Clone`; else hold a clone, or write \
            `#[saga(rebuild)]` above the `let`, to borrow again",
    note = "instead of a mutable borrow hold the index or key of what it shows, and borrow again after the question",
    note = "hold what is in an `Rc`, and not the `Rc`; and an error as a `ToolError`",
    note = "beside a question in one expression, ask first: `let answer = ..await?;`"
)]
pub trait Held<'s>: Sized {
    /// Appends the value's bytes, if they will be read as the same value again.
    ///
    /// # Errors
    ///
    /// What the value's `Serialize` reports, or which part of it would be misread.
    fn encode(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Unsealable>;

    /// The same of what shows such a value.
    ///
    /// # Errors
    ///
    /// As of [`Held::encode`].
    fn encode_shown(value: &impl Serialize, bytes: Vec<u8>) -> Result<Vec<u8>, Unsealable>;

    /// Reads the value from exactly these bytes.
    fn decode(bytes: &'s [u8]) -> Option<Self>;

    /// A fingerprint of the encoding: names and types of everything inside.
    fn shape() -> u32;

    /// Says whether values of the type can travel, before there is one.
    ///
    /// # Errors
    ///
    /// Which part of it would be misread.
    fn check() -> Result<(), Unsealable>;
}

#[diagnostic::do_not_recommend]
impl<'s, T: Serialize + Deserialize<'s>> Held<'s> for T {
    fn encode(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Unsealable> {
        shape::write::<T>(self, bytes)
    }

    fn encode_shown(value: &impl Serialize, bytes: Vec<u8>) -> Result<Vec<u8>, Unsealable> {
        shape::write::<T>(value, bytes)
    }

    fn decode(bytes: &'s [u8]) -> Option<Self> {
        bounded::read(bytes)
    }

    fn shape() -> u32 {
        shape::of::<T>()
    }

    fn check() -> Result<(), Unsealable> {
        shape::check::<T>()
    }
}

/// Why a value cannot be sealed. The display says what is wrong with which part of the value, and what to write.
#[derive(Debug)]
pub struct Unsealable {
    path: String,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    /// The part asks what comes next.
    Asks,
    /// It is written in another way than it is read.
    Mismatch(String),
    /// Its `Serialize` failed.
    Write(postcard::Error),
    /// The bytes are not read back.
    Reread(String),
    /// An iterator does not end within any state.
    Endless,
}

impl Unsealable {
    pub(crate) const fn asks(path: String) -> Self {
        Self { path, reason: Reason::Asks }
    }

    pub(crate) const fn reread(error: String) -> Self {
        Self { path: String::new(), reason: Reason::Reread(error) }
    }

    pub(crate) const fn endless() -> Self {
        Self { path: String::new(), reason: Reason::Endless }
    }

    /// The same, with a path that begins at the local.
    pub(crate) fn in_local(self, local: &str) -> Self {
        Self { path: format!("/{local}{}", self.path), ..self }
    }
}

impl fmt::Display for Unsealable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "/" } else { &self.path };
        match &self.reason {
            Reason::Asks => write!(
                formatter,
                "`{path}` reads itself by asking what comes next, as `serde_json::Value` and serde's `flatten`, \
                 `untagged`, `tag` and `content` do; a sealed state does not say that; hold it as `saga_runtime::Json(value)`, \
                 or take the attribute away"
            ),
            Reason::Mismatch(reason) => write!(
                formatter,
                "`{path}` {reason}; a sealed state has its parts in one fixed order; take away what makes its \
                 `Serialize` and `Deserialize` differ, such as serde's `skip_serializing_if`, `skip_serializing`, \
                 or `skip` on a variant"
            ),
            Reason::Write(error) => write!(formatter, "`{path}` is not serialized: {error}"),
            Reason::Reread(error) => write!(
                formatter,
                "`{path}` is not read back from what it wrote ({error}); make its `Deserialize` take what its \
                 `Serialize` gives"
            ),
            Reason::Endless => {
                write!(
                    formatter,
                    "`{path}` gives more items than a state can have; take what the loop needs first"
                )
            }
        }
    }
}

impl Error for Unsealable {}

impl From<Mismatch> for Unsealable {
    fn from(mismatch: Mismatch) -> Self {
        Self { path: mismatch.path, reason: Reason::Mismatch(mismatch.reason) }
    }
}

impl From<postcard::Error> for Unsealable {
    fn from(error: postcard::Error) -> Self {
        Self { path: String::new(), reason: Reason::Write(error) }
    }
}
