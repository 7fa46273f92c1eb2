//! What the client sent for one step.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::error::StepError;

/// What the client sent for one step, not yet read.
///
/// A test of a tool makes them with the constructors below, for [`Script`](crate::script::Script); another answer is
/// written as the client would: `Answer::Result(..)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Answer {
    /// A result object (`ElicitResult`, `CreateMessageResult`, `ListRootsResult`).
    Result(Map<String, Value>),
    /// A JSON-RPC error object, in the protocols that have one.
    Error {
        /// The client's error code.
        code: i64,
        /// The client's error message.
        message: String,
        /// What the client added.
        data: Option<Value>,
    },
}

impl Answer {
    /// The person sends the form, filled in with this.
    ///
    /// ```
    /// use saga_runtime::step::Answer;
    /// use serde_json::json;
    ///
    /// let answer = Answer::accept(json!({ "yes": true }));
    /// let Answer::Result(result) = answer else { unreachable!() };
    /// assert_eq!(result["content"]["yes"], true);
    /// ```
    pub fn accept(content: impl Into<Value>) -> Self {
        Self::json(json!({ "action": "accept", "content": content.into() }))
    }

    /// The person says no.
    #[must_use]
    pub fn decline() -> Self {
        Self::json(json!({ "action": "decline" }))
    }

    /// The person closes the form.
    #[must_use]
    pub fn cancel() -> Self {
        Self::json(json!({ "action": "cancel" }))
    }

    /// The model says this.
    pub fn says(text: impl Into<String>) -> Self {
        let content = json!({ "type": "text", "text": text.into() });
        Self::json(json!({ "role": "assistant", "content": content, "model": "scripted" }))
    }

    /// The client works in the folders with these addresses.
    pub fn folders<T: Into<String>>(addresses: impl IntoIterator<Item = T>) -> Self {
        let roots: Vec<Value> =
            addresses.into_iter().map(|address| json!({ "uri": address.into() })).collect();
        Self::json(json!({ "roots": roots }))
    }

    /// The client could not put the question.
    pub fn error(code: i64, message: impl Into<String>) -> Self {
        Self::Error { code, message: message.into(), data: None }
    }

    /// Anything else, as the client would write it; what is no object is an empty one.
    #[must_use]
    pub fn json(result: Value) -> Self {
        match result {
            Value::Object(result) => Self::Result(result),
            _ => Self::Result(Map::new()),
        }
    }

    /// The result object; the step's error where the client sent one.
    pub(crate) fn result(&self) -> Result<&Map<String, Value>, StepError> {
        match self {
            Self::Result(result) => Ok(result),
            Self::Error { code, message, data } => {
                Err(StepError::Client { code: *code, message: message.clone(), data: data.clone() })
            }
        }
    }
}
