//! What the host says to the log when it cannot go on.

use std::any::Any;
use std::error::Error;
use std::fmt;

use crate::frame::{Change, HeldSize, Stale};
use crate::store::{Handle, StoreError};
use crate::token::OpenError;

/// Why a token was not good, for the log.
#[derive(Debug)]
pub(super) enum Unopened {
    Token(OpenError),
    State,
    Changed,
    Stale(Stale),
    /// The state waits in a store.
    Stored(Unstored),
    /// It cannot be known whether the store has it.
    StoreDown(StoreError),
}

/// Why a stored state is not there.
#[derive(Debug)]
pub(super) enum Unstored {
    NoStore,
    Lost(Handle),
    Other(Handle),
    Inside(OpenError),
}

impl fmt::Display for Unopened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(error) => error.fmt(formatter),
            Self::State => formatter.write_str("the state inside is not one that this version writes"),
            Self::Stored(reason) => reason.fmt(formatter),
            Self::StoreDown(error) => error.fmt(formatter),
            Self::Changed => formatter.write_str("an answer that was taken says something else now"),
            Self::Stale(Stale::Site(site)) => write!(formatter, "the tool has no question `{site}` any more"),
            Self::Stale(Stale::Local { site, local, change }) => {
                let how = match change {
                    Change::Name => "stands where another local stood; one was renamed, added or taken away",
                    Change::Type => "has a type of another encoding now",
                    Change::Value => "cannot be read from what was sealed",
                    Change::New => "was not held before",
                    Change::Gone => "is held before one that is held no more",
                };
                write!(formatter, "`{local}`, held at `{site}`, {how}")
            }
            Self::Stale(Stale::Count { site, before, now }) => {
                write!(formatter, "`{site}` waits for {before} sagas, and calls {now} now")
            }
            Self::Stale(Stale::Borrow { site }) => {
                write!(formatter, "a borrow at `{site}` could not be rebuilt from the held values")
            }
        }
    }
}

impl fmt::Display for Unstored {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStore => {
                formatter.write_str("its state is in a store, and this server has none: `.spill(..)`")
            }
            Self::Lost(handle) => write!(formatter, "the store has lost its state {handle}"),
            Self::Other(handle) => {
                write!(formatter, "the store has something else in place of its state {handle}")
            }
            Self::Inside(error) => write!(formatter, "its stored state cannot be opened: {error}"),
        }
    }
}

#[derive(Debug)]
pub(super) struct Unsealable {
    pub(super) local: &'static str,
    pub(super) error: String,
}

impl fmt::Display for Unsealable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` could not be serialized: {}", self.local, self.error)
    }
}

impl Error for Unsealable {}

#[derive(Debug)]
pub(super) struct TooLarge(String);

impl TooLarge {
    pub(super) fn new(size: usize, limit: usize, held: &[HeldSize]) -> Self {
        let largest = largest(held);
        Self(format!(
            "the tool holds too much across a question: {size} bytes, of at most {limit}; the largest locals: {largest}"
        ))
    }
}

/// The locals that an author would look at first.
pub(super) fn largest(held: &[HeldSize]) -> String {
    let mut largest: Vec<_> = held.iter().collect();
    largest.sort_by_key(|local| std::cmp::Reverse(local.bytes));
    let largest = largest.iter().take(3).map(|local| format!("`{}` {} bytes", local.name, local.bytes));
    largest.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[derive(Debug)]
pub(super) struct Panicked(String);

impl Panicked {
    pub(super) fn new(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self(format!("the tool panicked: {}", text.unwrap_or("(no message)")))
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Error for Panicked {}
