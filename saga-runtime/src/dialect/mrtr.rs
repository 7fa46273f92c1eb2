//! MCP 2026-07-28: multi round-trip requests. A tool that waits answers `tools/call` with `input_required`; the
//! client sends the same call again, with `inputResponses` and the `requestState`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fault::StateField;
use super::{Dialect, Fault, Object, meta, question};
use crate::frame::Asked;
use crate::host::{Arguments, Call, Outcome, Refusal, Registered, Waiting};
use crate::saga::{Client, Principal};
use crate::sagas::Sagas;
use crate::step::Answer;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "mcp/2026-07-28";

pub(super) const DISCOVER: &str = "server/discover";
pub(super) const LIST: &str = "tools/list";
pub(super) const CALL: &str = "tools/call";

/// For how long a client may keep what it learned about the server. A tool of a new deployment is seen after it.
const CACHED_FOR_MS: u32 = 300_000;

/// The result of `server/discover`.
pub(super) fn discover(sagas: &Sagas) -> Object {
    let mut fields = Object::new();
    fields.insert("supportedVersions".into(), json!([meta::VERSION]));
    fields.insert("capabilities".into(), capabilities(sagas));
    meta::sign(sagas, "complete", cacheable(sagas, fields))
}

/// What the server can do (`ServerCapabilities`).
pub(crate) fn capabilities(sagas: &Sagas) -> Value {
    let mut capabilities = Object::from_iter([("tools".to_owned(), json!({}))]);
    let extensions = extensions(sagas);
    if !extensions.is_empty() {
        capabilities.insert("extensions".into(), Value::Object(extensions));
    }
    Value::Object(capabilities)
}

/// The dialects that MCP does not have, as the server announces them.
pub(super) fn extensions(sagas: &Sagas) -> Object {
    let names = sagas.dialects().iter().filter_map(Dialect::extension);
    names.map(|name| (name.to_owned(), json!({}))).collect()
}

/// The result of `tools/list`: all tools on one page, in the order of their names.
pub(super) fn list(sagas: &Sagas, params: &Object) -> Result<Object, Fault> {
    check_cursor(params)?;
    let fields = Object::from_iter([("tools".to_owned(), tools(sagas))]);
    Ok(meta::sign(sagas, "complete", cacheable(sagas, fields)))
}

/// All tools, in the order of their names.
pub(super) fn tools(sagas: &Sagas) -> Value {
    sagas.tools().map(|tool| tool.definition.to_json()).collect()
}

/// Lists have one page: no cursor is one of ours.
pub(super) fn check_cursor(params: &Object) -> Result<(), Fault> {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(Fault::params("`cursor` is not one that this server gave"));
    }
    Ok(())
}

/// Where callers are told apart, what one of them learned is not for the others.
fn cacheable(sagas: &Sagas, mut fields: Object) -> Object {
    fields.insert("ttlMs".into(), CACHED_FOR_MS.into());
    fields.insert("cacheScope".into(), if sagas.knows_principals() { "private" } else { "public" }.into());
    fields
}

/// Reads the params of `tools/call`.
pub(crate) fn read(
    sagas: &Sagas,
    mut params: Object,
    client: Client,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let tool = tool(sagas, &params)?;
    let arguments = arguments(&mut params)?;
    let answers = answers(&mut params)?;
    let token = match params.remove("requestState") {
        None | Some(Value::Null) => None,
        Some(Value::String(token)) => Some(token),
        Some(_) => return Err(Fault::state(StateField::RequestState)),
    };
    let call = Call::new(DIALECT, CALL, Arguments::Sent(arguments), client);
    // A checkpoint is a round without questions.
    Ok((tool, Call { answers, token, principal, checkpoints: true, ..call }))
}

/// The tool that the params name.
pub(super) fn tool<'a>(sagas: &'a Sagas, params: &Object) -> Result<&'a Registered, Fault> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| Fault::params("`name` must be the name of a tool"))?;
    sagas.tool(name).ok_or_else(|| Fault::no_such_tool(name))
}

/// The arguments in the params; leaving them out is sending none.
pub(super) fn arguments(params: &mut Object) -> Result<Object, Fault> {
    match params.remove("arguments") {
        None | Some(Value::Null) => Ok(Object::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(Fault::params("`arguments` must be an object")),
    }
}

fn answers(params: &mut Object) -> Result<BTreeMap<String, Answer>, Fault> {
    let responses = match params.remove("inputResponses") {
        None | Some(Value::Null) => return Ok(BTreeMap::new()),
        Some(Value::Object(responses)) => responses,
        Some(_) => return Err(Fault::params("`inputResponses` must be an object")),
    };
    let answers = responses.into_iter().map(|(key, response)| match response {
        Value::Object(result) => Ok((key, Answer::Result(result))),
        _ => Err(Fault::params("each of `inputResponses` must be an object")),
    });
    answers.collect()
}

/// The result of `tools/call`.
pub(crate) fn write(sagas: &Sagas, outcome: Outcome) -> Result<Object, Fault> {
    match outcome {
        Outcome::Done(result) => Ok(meta::sign(sagas, "complete", result.to_json())),
        Outcome::Suspended(waiting) => Ok(meta::sign(sagas, "input_required", waits(waiting))),
        Outcome::Refused(refusal) => Err(fault(&refusal)),
    }
}

/// The fields of an `InputRequiredResult`.
fn waits(waiting: Waiting) -> Object {
    let mut fields = Object::new();
    if !waiting.asked.is_empty() {
        fields.insert("inputRequests".into(), Value::Object(input_requests(waiting.asked)));
    }
    fields.insert("requestState".into(), waiting.token.into());
    fields
}

/// What is asked: a method and its params under each key.
pub(super) fn input_requests(asked: Vec<Asked>) -> Object {
    let requests = asked.into_iter().map(|asked| {
        let key = asked.key.clone();
        let mut request = Object::new();
        request.insert("method".into(), asked.request.method.into());
        request.insert("params".into(), Value::Object(question::params(asked)));
        (key, Value::Object(request))
    });
    requests.collect()
}

fn fault(refusal: &Refusal) -> Fault {
    match refusal {
        Refusal::State => Fault::state(StateField::RequestState),
        Refusal::Capability(missing) => Fault::capability(missing),
        Refusal::Internal => Fault::internal(),
    }
}
