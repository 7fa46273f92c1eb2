//! What random tools are made of beside the language itself: values to take apart, functions to call, and a context
//! that records what is done with it.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};

use serde::{Deserialize, Serialize};

use crate::law::effect;

/// A struct to borrow fields of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Item {
    /// A text.
    pub name: String,
    /// A number.
    pub size: u32,
    /// A list.
    pub tags: Vec<String>,
}

/// A struct of structs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Plan {
    /// A text.
    pub title: String,
    /// Three of them, always.
    pub items: Vec<Item>,
    /// A struct.
    pub lead: Item,
    /// An array.
    pub limits: [u32; 3],
    /// An option.
    pub note: Option<String>,
    /// An enum.
    pub kind: Kind,
}

/// An enum with variants of every form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "test tools match it")]
pub enum Kind {
    /// A unit.
    Empty,
    /// A number.
    Size(u32),
    /// Two values.
    Pair(u32, String),
    /// A struct.
    Of(Item),
    /// Named fields.
    Named {
        /// A text.
        name: String,
        /// A number.
        size: u32,
    },
}

/// An item of this name.
pub fn item(name: impl Into<String>, size: u32) -> Item {
    Item { name: name.into(), size, tags: vec!["x".to_owned(), "yy".to_owned()] }
}

/// Four items of unlike names and sizes.
#[must_use]
pub fn items() -> Vec<Item> {
    [("one", 2), ("three", 4), ("two", 1), ("seven", 3)].map(|(name, size)| item(name, size)).into()
}

/// A plan of this title.
pub fn plan(title: impl Into<String>, size: u32) -> Plan {
    let items = vec![item("one", size), item("two", 2), item("three", 3)];
    let kind = if size.is_multiple_of(2) { Kind::Of(item("k", size)) } else { Kind::Size(size) };
    let (note, lead) = ((!size.is_multiple_of(3)).then(|| "note".to_owned()), item("lead", size % 5));
    Plan { title: title.into(), items, lead, limits: [size % 7, 2, 3], note, kind }
}

/// A map of two entries.
#[must_use]
pub fn prices(more: u32) -> BTreeMap<String, u32> {
    BTreeMap::from([("a".to_owned(), more), ("b".to_owned(), 2)])
}

/// A value, for passing it through a call.
pub fn same<T>(value: T) -> T {
    value
}

/// The second of two.
pub fn second<A, B>(_first: A, second: B) -> B {
    second
}

/// One of two.
pub fn choose<T>(first: bool, one: T, other: T) -> T {
    if first { one } else { other }
}

/// The beginning of a text: what is added to itself in loops in loops would have no end.
#[must_use]
pub fn brief(mut text: String) -> String {
    let end = text.char_indices().nth(12).map_or(text.len(), |(end, _)| end);
    text.truncate(end);
    text
}

/// Adds, and notes it.
pub fn bump(number: &mut u32, more: u32) -> u32 {
    *number = number.wrapping_add(more) % 1000;
    effect(format_args!("bump {number}"));
    *number
}

/// Shows what it is given, and notes that it did.
pub fn looked_at<T: Debug>(value: &T) -> &T {
    effect(format_args!("looked at {value:?}"));
    value
}

/// The length of a text.
#[must_use]
pub fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// What goes wrong in a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trouble(pub String);

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "trouble with {}", self.0)
    }
}

impl std::error::Error for Trouble {}

/// The server's context.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fleet {
    /// A text to borrow.
    pub name: String,
    /// A list to borrow.
    pub regions: Vec<String>,
}

impl Fleet {
    /// A fleet of three regions.
    #[must_use]
    pub fn new() -> Self {
        Self { name: "fleet".to_owned(), regions: ["eu", "us", "ap"].map(str::to_owned).into() }
    }

    /// A side effect.
    pub fn note(&self, what: impl Debug) {
        effect(format_args!("{}: {what:?}", self.name));
    }

    /// A side effect that takes its time.
    pub async fn pass<T: Debug>(&self, value: T) -> T {
        effect(format_args!("sent {value:?}"));
        tokio::task::yield_now().await;
        effect(format_args!("got {value:?}"));
        value
    }

    /// Something that may fail.
    ///
    /// # Errors
    ///
    /// If it is not `fine`.
    pub fn check<T: Debug>(&self, value: T, fine: bool) -> Result<T, Trouble> {
        effect(format_args!("check {value:?} {fine}"));
        if fine { Ok(value) } else { Err(Trouble(format!("{value:?}"))) }
    }

    /// Something that may fail later.
    ///
    /// # Errors
    ///
    /// If it is not `fine`.
    pub async fn check_later<T: Debug>(&self, value: T, fine: bool) -> Result<T, Trouble> {
        tokio::task::yield_now().await;
        self.check(value, fine)
    }
}

impl Default for Fleet {
    fn default() -> Self {
        Self::new()
    }
}
