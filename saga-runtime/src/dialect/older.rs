//! What clients of MCP 2025-06-18 and 2025-11-25 get outside of calls: `initialize`, `ping`, and a list of the tools
//! without what 2026-07-28 adds to every result.

use serde_json::{Map, Value, json};

use super::fault::{StateField, required_capabilities};
use super::push::Revision;
use super::{Fault, Object, discovery};
use crate::host::{Outcome, Refusal};
use crate::result::ToolResult;
use crate::sagas::Sagas;
use crate::step::StepKind;

pub(crate) const INITIALIZE: &str = "initialize";
pub(super) const PING: &str = "ping";

/// The result of `initialize`. A client of another revision is offered the last that has it; it may go.
pub(super) fn initialize(sagas: &Sagas, params: &Object) -> Result<(Revision, Object), Fault> {
    let requested = params.get("protocolVersion").and_then(Value::as_str);
    let requested = requested.ok_or_else(|| Fault::params("`protocolVersion` must be a text"))?;
    let revision = Revision::named(requested).unwrap_or(Revision::November2025);
    let mut capabilities = Map::from_iter([("tools".to_owned(), json!({}))]);
    let extensions = discovery::extensions(sagas);
    if !extensions.is_empty() {
        capabilities.insert("experimental".into(), Value::Object(extensions));
    }
    let mut result = Object::new();
    result.insert("protocolVersion".into(), revision.name().into());
    result.insert("capabilities".into(), Value::Object(capabilities));
    result.insert("serverInfo".into(), json!({ "name": sagas.name(), "version": sagas.version() }));
    Ok((revision, result))
}

/// The result of `tools/list`.
pub(super) fn list(sagas: &Sagas, params: &Object) -> Result<Object, Fault> {
    discovery::check_cursor(params)?;
    let mut tools = discovery::tools(sagas);
    for tool in tools.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        if tool.get("outputSchema").is_some_and(|schema| schema["type"] != "object") {
            tool.shift_remove("outputSchema");
        }
    }
    Ok(Object::from_iter([("tools".to_owned(), tools)]))
}

/// A `CallToolResult`. Before 2026-07-28 structured content was an object or none; the text says the same.
pub(super) fn result(result: &ToolResult) -> Object {
    let mut fields = result.to_json();
    if fields.get("structuredContent").is_some_and(|content| !content.is_object()) {
        fields.shift_remove("structuredContent");
    }
    fields
}

/// A tool's failure, since these revisions have no code for it: the model is told.
pub(super) fn cannot(missing: &[StepKind]) -> ToolResult {
    let required = Value::Object(required_capabilities(missing));
    ToolResult::error(format!("the tool needs what this client cannot be asked for: {required}"))
}

/// The outcome of a call in a session, or of one that stands alone, where the client knows no `resultType`.
pub(super) fn ended(outcome: Outcome) -> Result<Object, Fault> {
    match outcome {
        Outcome::Done(done) => Ok(result(&done)),
        Outcome::Refused(Refusal::Capability(missing)) => Ok(result(&cannot(&missing))),
        Outcome::Refused(Refusal::Internal) | Outcome::Suspended(_) => Err(Fault::internal()),
        Outcome::Refused(Refusal::State) => Err(Fault::state(StateField::ResumeToken)),
    }
}
