//! What a step asks the client for: a method and its params.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::StepKind;
use crate::form::FormSchema;

/// A request to the client in the words of MCP 2026-07-28: a method and its params, no `jsonrpc`, no `id`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InputRequest {
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: &'static str,
    /// The method's params.
    pub params: Params,
    /// What the client must be able to do.
    pub kind: StepKind,
}

/// The params of a request to the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Params {
    /// A form for the person (`ElicitRequestFormParams`).
    Elicitation {
        /// What the person reads.
        message: String,
        /// What is to be filled in.
        schema: FormSchema,
    },
    /// Those of any other request, as the client gets them.
    Other(Map<String, Value>),
}

impl InputRequest {
    /// A request of this kind.
    #[must_use]
    pub const fn new(kind: StepKind, params: Map<String, Value>) -> Self {
        Self::of(kind, Params::Other(params))
    }

    /// A form for the person to fill in.
    #[must_use]
    pub fn form(message: impl Into<String>, schema: FormSchema) -> Self {
        Self::of(StepKind::Elicit, Params::Elicitation { message: message.into(), schema })
    }

    pub(crate) const fn of(kind: StepKind, params: Params) -> Self {
        let method = match kind {
            StepKind::Elicit | StepKind::ElicitUrl => "elicitation/create",
            StepKind::Sample | StepKind::SampleTools => "sampling/createMessage",
            StepKind::ListRoots => "roots/list",
        };
        Self { method, params, kind }
    }
}

impl Params {
    /// What the person reads, if the request is for a person.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Elicitation { message, .. } => Some(message),
            Self::Other(params) => params.get("message").and_then(Value::as_str),
        }
    }

    /// Adds a last paragraph to what the person reads.
    pub(crate) fn explain(&mut self, paragraph: &str) {
        let message = match self {
            Self::Elicitation { message, .. } => message,
            Self::Other(params) => match params.get_mut("message") {
                Some(Value::String(message)) => message,
                _ => return,
            },
        };
        message.push_str("\n\n");
        message.push_str(paragraph);
    }

    /// The params as the client gets them.
    ///
    /// ```
    /// use saga_runtime::form::FormSchema;
    /// use saga_runtime::step::InputRequest;
    /// let request = InputRequest::form("Go on?", FormSchema::new());
    /// assert_eq!(request.params.to_json()["mode"], "form");
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        match self {
            Self::Elicitation { message, schema } => Map::from_iter([
                ("mode".to_owned(), "form".into()),
                ("message".to_owned(), message.as_str().into()),
                ("requestedSchema".to_owned(), schema.to_json()),
            ]),
            Self::Other(params) => params.clone(),
        }
    }
}
