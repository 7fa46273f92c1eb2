//! Forms for tools under test; each is small enough that random answers reach every branch.

use saga_runtime::{Choice, Form};
use serde::{Deserialize, Serialize};

/// Yes or no.
#[derive(Debug, Clone, PartialEq, Form, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Yes {
    /// Whether it is so.
    pub yes: bool,
}

/// A small number.
#[derive(Debug, Clone, Copy, PartialEq, Form, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Count {
    /// How many.
    #[form(min = 0, max = 3)]
    pub n: u8,
}

/// A name, perhaps empty.
#[derive(Debug, Clone, PartialEq, Form, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Name {
    /// The name.
    pub name: String,
}

/// A form of several fields.
#[derive(Debug, Clone, PartialEq, Form, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Target {
    /// Where.
    pub region: Region,
    /// How many.
    #[form(min = 1, max = 3)]
    pub replicas: u8,
    /// A remark, which may be left out.
    pub note: Option<String>,
}

/// One of three places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Choice, Serialize, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "test tools match it")]
pub enum Region {
    /// Here.
    Near,
    /// There.
    Far,
    /// Elsewhere.
    Away,
}

/// A plain question.
#[derive(Debug, Clone, Copy, PartialEq, Form, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "test tools take it apart")]
pub struct Nothing {}
