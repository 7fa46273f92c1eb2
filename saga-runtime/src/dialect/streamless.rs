//! The sketch of streamless round-trips: `tools/call` is answered by a response that has `dependent_requests` in
//! place of a result, and the client sends the call again with `dependent_responses`, both beside `params`.
//!
//! The sketch has no state. It is carried as SEP-1685 has it: in the `_meta` of each request's params, and the
//! client sends it back in the `_meta` of any response. A client that does not is served as the sketch means it: the
//! tool runs again from its start, and takes the answers that came for as far as they carry. This is the one dialect
//! with re-entry: what stands above a question runs again for such a client.
//!
//! A response that has neither result nor error is no JSON-RPC 2.0; nothing but this dialect sends one. The sketch
//! has no way to say what a client can do: switching it on says that the clients can do all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fault::StateField;
use super::params::Beside;
use super::{Fault, Fields, Object, Params, mrtr, older, push};
use crate::client::Client;
use crate::host::{Arguments, Call, Outcome, Registered, Waiting};
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::step::Answer;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "streamless";

const RESPONSES: &str = "dependent_responses";
pub(super) const REQUESTS: &str = "dependent_requests";
/// Where the state stands (SEP-1685).
const STATE: &str = "modelcontextprotocol.io/state/request/";

/// What stands in the response.
pub(super) enum Said {
    /// The result.
    Result(Fields),
    /// The dependent requests.
    Asks(Fields),
}

/// Reads the params of `tools/call`, and what the message has beside them.
pub(super) fn read(
    sagas: &Sagas,
    mut params: Box<Params>,
    beside: Beside,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let tool = mrtr::tool(sagas, &params)?;
    let arguments = mrtr::arguments(&mut params)?;
    let mut states = Vec::from_iter(beside.request_state);
    let answers = answers(beside.dependent_responses, &mut states)?;
    let call = Call::new(DIALECT, mrtr::CALL, Arguments::Sent(arguments), Client::able());
    Ok((tool, Call { answers, token: one(states)?, principal, ..call }))
}

fn answers(responses: Option<Value>, states: &mut Vec<Value>) -> Result<BTreeMap<String, Answer>, Fault> {
    let responses = match responses {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(responses)) => responses,
        Some(_) => return Err(Fault::params(&format!("`{RESPONSES}` must be an object"))),
    };
    let answers = responses.into_iter().map(|(key, response)| match response {
        Value::Object(response) => Ok((key, answer(response, states)?)),
        _ => Err(Fault::params(&format!("each of `{RESPONSES}` must be an object"))),
    });
    answers.collect()
}

/// One response: a result as it is, or `{"result": ..}`, or `{"error": ..}`.
fn answer(mut response: Object, states: &mut Vec<Value>) -> Result<Answer, Fault> {
    states.extend(take_state(&mut response));
    let is_wrapped = |name: &str| response.keys().all(|key| key == name || key == "_meta");
    if response.contains_key("error") && is_wrapped("error") {
        return Ok(push::error(response.remove("error").unwrap_or_default()));
    }
    if !response.contains_key("result") || !is_wrapped("result") {
        return Ok(Answer::Result(response));
    }
    match response.remove("result") {
        Some(Value::Object(mut result)) => {
            states.extend(take_state(&mut result));
            Ok(Answer::Result(result))
        }
        _ => Err(Fault::params("a response's `result` must be an object")),
    }
}

fn take_state(inside: &mut Object) -> Option<Value> {
    inside.get_mut("_meta").and_then(Value::as_object_mut).and_then(|meta| meta.remove(STATE))
}

/// The one state that all of them are.
fn one(states: Vec<Value>) -> Result<Option<String>, Fault> {
    let mut states = states.into_iter();
    match states.next() {
        None => Ok(None),
        Some(Value::String(state)) if states.all(|other| other == state.as_str()) => Ok(Some(state)),
        Some(_) => Err(Fault::no_text(StateField::RequestState)),
    }
}

/// The response to `tools/call`.
pub(super) fn write(outcome: Outcome) -> Result<Said, Fault> {
    match outcome {
        Outcome::Suspended(waiting) => Ok(Said::Asks(dependent_requests(waiting))),
        Outcome::Refused(crate::host::Refusal::State) => Err(Fault::state(StateField::RequestState)),
        ended => older::ended(ended).map(Said::Result),
    }
}

fn dependent_requests(waiting: Waiting) -> Fields {
    mrtr::input_requests(waiting.asked, Some(&Fields::new().with(STATE, waiting.token)))
}
