//! What clients of MCP 2025-06-18 and 2025-11-25 get: `initialize`, `ping`, the lists, and the results of calls,
//! without what 2026-07-28 adds to every result.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fault::{StateField, required_capabilities};
use super::fields::Part;
use super::push::Revision;
#[cfg(any(feature = "stdio", feature = "http", feature = "rmcp"))]
use super::target::Target;
use super::{Fault, Fields, Object, Params, Written, discovery};
use crate::host::{Outcome, Refusal};
use crate::result::ToolResult;
use crate::sagas::Sagas;
use crate::step::StepKind;
use crate::tool::Kind;

pub(crate) const INITIALIZE: &str = "initialize";
pub(super) const PING: &str = "ping";

/// The result of `initialize`. A client of another revision is offered the last that has it; it may go.
pub(super) fn initialize(sagas: &Sagas, params: &Params) -> Result<(Revision, Object), Fault> {
    let requested = params.protocol_version.as_ref().and_then(Value::as_str);
    let requested = requested.ok_or_else(|| Fault::params("`protocolVersion` must be a text"))?;
    let revision = Revision::named(requested).unwrap_or(Revision::November2025);
    let mut capabilities = discovery::capable_of(sagas);
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

/// The same for a client that is served its calls one by one, without a session: it is served tools, and no others.
pub(super) fn initialize_alone(sagas: &Sagas, params: &Params) -> Result<Object, Fault> {
    let (_, mut result) = initialize(sagas, params)?;
    if let Some(Value::Object(capabilities)) = result.get_mut("capabilities") {
        capabilities.retain(|name, _| !matches!(name.as_str(), "prompts" | "resources"));
    }
    Ok(result)
}

/// Whether the method is `ping` or one of the lists that the server has.
#[cfg(any(feature = "stdio", feature = "http"))]
pub(super) fn knows(sagas: &Sagas, method: &str) -> bool {
    method == PING || discovery::lists(sagas, method)
}

/// The result of `ping`, or of one of the lists that the server has.
pub(super) fn result(sagas: &Sagas, method: &str, params: &Params) -> Result<Fields, Fault> {
    if method == PING {
        return Ok(Fields::new());
    }
    let (name, items) = discovery::list(sagas, method, params)?;
    let items: Vec<_> = items.into_iter().map(listed).collect();
    Ok(Fields::new().with(name, items))
}

/// Whether a schema is of another type than an object: before 2026-07-28 an output schema could not be.
pub(crate) fn is_no_object(schema: &Value) -> bool {
    schema["type"] != "object"
}

/// An item of a list. An output schema was of an object, or there was none.
fn listed(item: &Arc<Written>) -> Part {
    match item.fields().get("outputSchema") {
        Some(Part::Json(schema)) if is_no_object(schema) => {
            item.fields().clone().without("outputSchema").into()
        }
        _ => Arc::clone(item).into(),
    }
}

/// Whether the resource that the params name is there; these revisions have a code for that.
#[cfg(any(feature = "stdio", feature = "http"))]
pub(super) fn check_resource(sagas: &Sagas, params: &Params) -> Result<(), Fault> {
    match params.uri() {
        Some(uri) if sagas.resource(uri).is_none() => Err(Fault::no_such_resource_before_2026(uri)),
        _ => Ok(()),
    }
}

/// The fields of a result. Before 2026-07-28 structured content was an object or none, and the text says the same;
/// and nothing said how long a result may be kept.
fn before_2026(fields: Fields) -> Fields {
    let fields = discovery::CACHEABLE.into_iter().fold(fields, Fields::without);
    match fields.get("structuredContent") {
        Some(Part::Json(content)) if !content.is_object() => fields.without("structuredContent"),
        _ => fields,
    }
}

/// A `CallToolResult`.
pub(super) fn tool(result: ToolResult) -> Fields {
    before_2026(result.into_json().into())
}

/// A tool's failure, since these revisions have no code for it: the model is told.
fn cannot(what: Kind, missing: &[StepKind]) -> ToolResult {
    let (what, required) = (what.word(), Value::Object(required_capabilities(missing)));
    ToolResult::error(format!("the {what} needs what this client cannot be asked for: {required}"))
}

/// The outcome of a tool's call in a session, or of one that stands alone, where the client knows no `resultType`.
pub(super) fn ended(outcome: Outcome) -> Result<Fields, Fault> {
    last(Kind::Tool, outcome).map(tool)
}

/// The outcome of a request for this tool, prompt or resource.
#[cfg(any(feature = "stdio", feature = "http", feature = "rmcp"))]
pub(crate) fn fields(sagas: &Sagas, target: &Target<'_>, outcome: Outcome) -> Result<Fields, Fault> {
    target.fields(sagas, last(target.machine.definition.kind, outcome)?).map(before_2026)
}

fn last(what: Kind, outcome: Outcome) -> Result<ToolResult, Fault> {
    match outcome {
        Outcome::Done(done) => Ok(done),
        Outcome::Refused(Refusal::Capability(missing)) => Ok(cannot(what, &missing)),
        Outcome::Refused(Refusal::Arguments(text)) => Err(Fault::params(&text)),
        Outcome::Refused(Refusal::Unavailable) => Err(Fault::unavailable()),
        Outcome::Refused(Refusal::Internal) | Outcome::Suspended(_) => Err(Fault::internal()),
        Outcome::Refused(Refusal::State) => Err(Fault::state(StateField::ResumeToken)),
    }
}
