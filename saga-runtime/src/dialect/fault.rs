//! Every error that a client can get: its code, its text, and the status that it has over HTTP.
//!
//! The codes are JSON-RPC's and MCP 2026-07-28's. A tool's own failure is none of these: it is a result.

use serde_json::{Map, Value, json};

use super::Fields;
use super::meta::VERSION;
use crate::sagas::Refused;
use crate::step::StepKind;
use crate::token::OpenError;

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    code: i64,
    message: String,
    data: Option<Box<Value>>,
    pub(super) status: u16,
    pub(super) challenge: Option<Box<str>>,
}

/// The field that a dialect carries its state in: the error for a bad one names it as its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateField {
    RequestState,
    SagaToken,
    ResumeToken,
}

impl Fault {
    fn new(code: i64, status: u16, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, status, challenge: None }
    }

    fn with(self, data: Value) -> Self {
        Self { data: Some(Box::new(data)), ..self }
    }

    /// The same error in the protocols where HTTP tells nothing about the message inside.
    pub(super) fn in_band(self) -> Self {
        Self { status: 200, ..self }
    }

    pub(super) fn not_json() -> Self {
        Self::new(-32700, 400, "Parse error: the message is not JSON")
    }

    pub(crate) fn not_a_request(what: &str) -> Self {
        Self::new(-32600, 400, format!("Invalid request: {what}"))
    }

    pub(super) fn no_such_method(method: &str) -> Self {
        Self::new(-32601, 404, format!("Method not found: {method}"))
    }

    pub(super) fn params(what: &str) -> Self {
        Self::new(-32602, 400, format!("Invalid params: {what}"))
    }

    pub(super) fn no_such_tool(name: &str) -> Self {
        Self::new(-32602, 400, format!("Unknown tool: {name}"))
    }

    pub(super) fn no_such_prompt(name: &str) -> Self {
        Self::new(-32602, 400, format!("Unknown prompt: {name}"))
    }

    pub(super) fn no_such_resource(uri: &str) -> Self {
        Self::new(-32602, 400, "Resource not found").with(json!({ "uri": uri }))
    }

    /// The code that 2026-07-28 took away.
    #[cfg(any(feature = "stdio", feature = "http"))]
    pub(super) fn no_such_resource_before_2026(uri: &str) -> Self {
        Self { code: -32002, ..Self::no_such_resource(uri) }
    }

    /// The failure of a prompt or a resource, in its author's words; a tool's is a result. HTTP has no part in it.
    pub(super) fn failed(text: &str) -> Self {
        Self::new(-32603, 200, text)
    }

    /// Nothing was done, and the same request may be sent again.
    pub(super) fn unavailable() -> Self {
        Self::new(-32603, 503, "Temporarily unavailable: the request can be sent again as it is")
    }

    pub(crate) fn internal() -> Self {
        Self::new(-32603, 500, "Internal error")
    }

    #[cfg(feature = "http")]
    pub(crate) fn header(what: &str) -> Self {
        Self::new(-32020, 400, format!("Header mismatch: {what}"))
    }

    /// One error, byte for byte, whatever is wrong with the state.
    pub(super) fn state(field: StateField) -> Self {
        let reason = match field {
            StateField::RequestState => OpenError::REASON,
            StateField::SagaToken => "invalid_saga_token",
            StateField::ResumeToken => "invalid_resume_token",
        };
        Self::new(OpenError::CODE, 400, OpenError::MESSAGE).with(json!({ "reason": reason }))
    }

    /// The same of a state that is no text, which goes no further.
    pub(super) fn no_text(field: StateField) -> Self {
        tracing::warn!(reason = "the token is no text", "refused a token");
        Self::state(field)
    }

    pub(crate) fn version(requested: &str) -> Self {
        let message = format!("Unsupported protocol version: this server speaks {VERSION}");
        Self::new(-32022, 400, message).with(json!({ "supported": [VERSION], "requested": requested }))
    }

    /// This server was told not to speak it.
    pub(super) fn version_is_off() -> Self {
        let message = format!("Unsupported protocol version: this server does not speak {VERSION}");
        Self::new(-32022, 400, message).with(json!({ "supported": [], "requested": VERSION }))
    }

    pub(super) fn capability(missing: &[StepKind]) -> Self {
        Self::capabilities(&required_capabilities(missing))
    }

    /// The client should have declared these.
    pub(super) fn capabilities(required: &Map<String, Value>) -> Self {
        let names: Vec<_> = required.keys().map(String::as_str).collect();
        let plural = if names.len() == 1 { "capability" } else { "capabilities" };
        let message = format!("Server requires the {} {plural} for this request", names.join(" and "));
        Self::new(-32021, 400, message).with(json!({ "requiredCapabilities": required }))
    }

    /// The codes are outside of what JSON-RPC and MCP reserve. The reason is the log's.
    pub(crate) fn refused(refused: &Refused) -> Self {
        match refused.challenge() {
            Some(challenge) => {
                Self { challenge: Some(challenge.into()), ..Self::new(401, 401, "Unauthorized") }
            }
            None => Self::new(403, 403, "Forbidden"),
        }
    }

    /// The error object.
    pub(crate) fn into_fields(self) -> Fields {
        let error = Fields::new().with("code", Value::from(self.code)).with("message", self.message);
        match self.data {
            Some(data) => error.with("data", *data),
            None => error,
        }
    }
}

/// What the client should have declared, as a `ClientCapabilities` object.
pub(crate) fn required_capabilities(missing: &[StepKind]) -> Map<String, Value> {
    let mut required = Map::new();
    for kind in missing {
        let (name, part) = match kind {
            StepKind::Elicit => ("elicitation", Some("form")),
            StepKind::ElicitUrl => ("elicitation", Some("url")),
            StepKind::Sample => ("sampling", None),
            StepKind::SampleTools => ("sampling", Some("tools")),
            StepKind::ListRoots => ("roots", None),
        };
        let capability = required.entry(name).or_insert_with(|| json!({}));
        if let (Some(part), Value::Object(capability)) = (part, capability) {
            capability.insert(part.to_owned(), json!({}));
        }
    }
    required
}
