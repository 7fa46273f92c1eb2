//! The runtime of Saga.

mod error;
pub mod form;
pub mod step;

pub use saga_macros::{Choice, Form};

pub use self::error::{IntoToolError, Problem, StepError, ToolError};
pub use self::form::{Choice, Form};
pub use self::step::{Root, Sampled, elicit, elicit_url, list_roots, sample};
