//! Forms: the flat structs of primitives that MCP lets a server ask a person for.
//!
//! A [`Form`] is a struct whose type says everything three times over: the JSON schema that the client shows
//! ([`FormSchema`]), the strict reading of the answer, and the writing of a value as a pre-filled answer. The
//! derive emits calls of what stands here and nothing else, so a form may as well be written by hand.
//!
//! The law: for every value that fits its own schema, `T::read(&value.write()) == Ok(value)`. And every rule that
//! the schema tells the client is checked again by `T::read`, because clients need not keep it. `tests/form.rs`
//! holds both.
//!
//! ```
//! use saga_runtime::{Choice, Form};
//! use serde_json::json;
//!
//! #[derive(Debug, PartialEq, Choice)]
//! #[choice(rename_all = "lowercase")]
//! enum Environment {
//!     Staging,
//!     Production,
//! }
//!
//! #[derive(Debug, PartialEq, Form)]
//! struct Target {
//!     /// Where to deploy.
//!     environment: Environment,
//!     #[form(min = 1, max = 9, default = 3)]
//!     replicas: u8,
//!     note: Option<String>,
//! }
//!
//! assert_eq!(
//!     Target::schema().to_json(),
//!     json!({
//!         "type": "object",
//!         "properties": {
//!             "environment": {"type": "string", "enum": ["staging", "production"], "description": "Where to deploy."},
//!             "replicas": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
//!             "note": {"type": "string"},
//!         },
//!         "required": ["environment"],
//!     })
//! );
//!
//! let answer = json!({"environment": "staging"});
//! let target = Target::read(answer.as_object().unwrap()).unwrap();
//! assert_eq!(target, Target { environment: Environment::Staging, replicas: 3, note: None });
//!
//! let answer = json!({"environment": "moon", "replicas": 12});
//! let problems = Target::read(answer.as_object().unwrap()).unwrap_err();
//! assert_eq!(problems[0].to_string(), "`environment` must be one of `staging`, `production`");
//! assert_eq!(problems[1].to_string(), "`replicas` must be at most 9");
//! ```

mod schema;

mod check;
mod field;
mod format;
mod from_json;
mod json;
mod read;
mod typed;

use serde_json::{Map, Value};

pub use self::field::{Field, Numeric, Several, Text};
pub use self::read::Reader;
pub use self::schema::{ChoiceOption, FormSchema, Format, Property, PropertyKind};
pub use self::typed::TypedProperty;
use crate::error::Problem;

/// What a person filled in: the `content` of an accepted elicitation.
pub type Content = Map<String, Value>;

/// A flat struct that a person can fill in; derive it.
///
/// See the [module](self) for an example and [the derive](derive@crate::Form) for its attributes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "a question needs a form: a flat struct with `#[derive(Form)]`",
    note = "MCP lets a server ask for a flat object of primitives; put a single value into a struct: `#[derive(Form)] struct Answer {{ value: .. }}`; \
            where it is `!`, nothing says which form is asked for: write `elicit::<Answer>(..)`"
)]
pub trait Form: Sized {
    /// What the client shows.
    fn schema() -> FormSchema;

    /// Reads what the person filled in.
    ///
    /// Fields that the form does not know are ignored. A field that is left out has its default, or is `None`.
    ///
    /// # Errors
    ///
    /// Every problem of the answer at once, each with its field.
    fn read(content: &Content) -> Result<Self, Vec<Problem>>;

    /// The answer that would have given this value; pre-fills a question.
    fn write(&self) -> Content;
}

/// An enum of unit variants, of which a person picks one, or several with `Vec<Self>`; derive it.
///
/// ```
/// use saga_runtime::Choice;
/// use saga_runtime::form::ChoiceOption;
///
/// #[derive(Choice)]
/// enum Size {
///     /// Up to ten people
///     Small,
///     #[choice(rename = "XL", title = "Everyone")]
///     ExtraLarge,
/// }
///
/// assert_eq!(
///     Size::options(),
///     [ChoiceOption::titled("Small", "Up to ten people"), ChoiceOption::titled("XL", "Everyone")]
/// );
/// assert!(matches!(Size::from_value("XL"), Some(Size::ExtraLarge)));
/// assert_eq!(Size::Small.value(), "Small");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a choice",
    label = "a form offers a fixed list of options here",
    note = "MCP knows several answers in one field only as a selection from a list; use an enum of unit variants with `#[derive(Choice)]`, or ask for a `String` and split it"
)]
pub trait Choice: Sized {
    /// The options, in the order in which they are shown.
    fn options() -> Vec<ChoiceOption>;

    /// The variant that this option's value stands for.
    fn from_value(value: &str) -> Option<Self>;

    /// The value that stands for this variant.
    fn value(&self) -> &'static str;
}
