//! MCP 2026-07-28: multi round-trip requests. A tool that waits answers `tools/call` with `input_required`; the
//! client sends the same call again, with `inputResponses` and the `requestState`. Prompts and resources do likewise.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fault::StateField;
use super::target::Target;
use super::{Fault, Fields, Object, Params, meta, question};
use crate::client::Client;
use crate::frame::Asked;
use crate::host::{Arguments, Call, Outcome, Refusal, Registered, Waiting};
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::step::Answer;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "mcp/2026-07-28";

pub(crate) const CALL: &str = "tools/call";
pub(crate) const GET: &str = "prompts/get";
pub(crate) const READ: &str = "resources/read";

/// The method of this name, of those that may ask for input, if the server has any use for it.
pub(super) fn method(sagas: &Sagas, name: &str) -> Option<&'static str> {
    match name {
        CALL => Some(CALL),
        GET => sagas.prompts().next().map(|_| GET),
        READ => sagas.resources().next().map(|_| READ),
        _ => None,
    }
}

/// Reads the params of a request that may ask for input, of this machine or of the one that they name.
pub(crate) fn read<'a>(
    sagas: &'a Sagas,
    machine: Option<&'a Registered>,
    method: &'static str,
    mut params: Box<Params>,
    client: Client,
    principal: Option<Principal>,
) -> Result<(Target<'a>, Call), Fault> {
    let (mut target, arguments) = match machine {
        Some(machine) => (Target::of(machine), arguments(&mut params)?),
        None => Target::read(sagas, method, &mut params)?,
    };
    let answers = answers(&mut params)?;
    let token = match params.request_state.take() {
        None => None,
        Some(Value::String(token)) => Some(token),
        Some(_) => return Err(Fault::no_text(StateField::RequestState)),
    };
    target.is_first = answers.is_empty() && token.is_none();
    let call = Call::new(DIALECT, method, Arguments::Sent(arguments), client);
    // A checkpoint is a round without questions.
    Ok((target, Call { answers, token, principal, checkpoints: true, ..call }))
}

/// The tool that the params name.
pub(super) fn tool<'a>(sagas: &'a Sagas, params: &Params) -> Result<&'a Registered, Fault> {
    let name = params.name().ok_or_else(|| Fault::params("`name` must be the name of a tool"))?;
    sagas.tool(name).ok_or_else(|| Fault::no_such_tool(name))
}

/// The arguments in the params; leaving them out is sending none.
pub(super) fn arguments(params: &mut Params) -> Result<Object, Fault> {
    match params.arguments.take() {
        None => Ok(Object::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(Fault::params("`arguments` must be an object")),
    }
}

fn answers(params: &mut Params) -> Result<BTreeMap<String, Answer>, Fault> {
    let responses = match params.input_responses.take() {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(responses)) => responses,
        Some(_) => return Err(Fault::params("`inputResponses` must be an object")),
    };
    let mut answers = BTreeMap::new();
    for (key, response) in responses {
        let Value::Object(result) = response else {
            return Err(Fault::params("each of `inputResponses` must be an object"));
        };
        answers.insert(key, Answer::Result(result));
    }
    Ok(answers)
}

/// The result of a request that may ask for input.
pub(crate) fn write(sagas: &Sagas, target: &Target<'_>, outcome: Outcome) -> Result<Fields, Fault> {
    match outcome {
        Outcome::Done(result) => Ok(meta::sign(sagas, "complete", target.fields(sagas, result)?)),
        Outcome::Suspended(waiting) => Ok(meta::sign(sagas, "input_required", waits(waiting))),
        Outcome::Refused(refusal) => Err(fault(&refusal)),
    }
}

/// The fields of an `InputRequiredResult`.
fn waits(waiting: Waiting) -> Fields {
    let mut fields = Fields::new();
    if !waiting.asked.is_empty() {
        fields.push("inputRequests", input_requests(waiting.asked, None));
    }
    fields.with("requestState", waiting.token)
}

/// What is asked: a method and its params, with this `_meta`, under each key.
pub(super) fn input_requests(asked: Vec<Asked>, meta: Option<&Fields>) -> Fields {
    let mut requests = Fields::new();
    for asked in asked {
        let (key, method) = (asked.key.clone(), asked.request.method);
        let mut params = question::params(asked);
        if let Some(meta) = meta {
            params.push("_meta", meta.clone());
        }
        requests.push(key, Fields::new().with("method", method).with("params", params));
    }
    requests
}

fn fault(refusal: &Refusal) -> Fault {
    match refusal {
        Refusal::State => Fault::state(StateField::RequestState),
        Refusal::Capability(missing) => Fault::capability(missing),
        Refusal::Arguments(text) => Fault::params(text),
        Refusal::Unavailable => Fault::unavailable(),
        Refusal::Internal => Fault::internal(),
    }
}
