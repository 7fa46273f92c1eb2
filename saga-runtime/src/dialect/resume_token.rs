//! PR #1003: resume tokens. A checkpoint ends the request with the partial result and a `nextResumeToken`; the
//! client sends the same call again with it as `resumeToken`. A result without one is the last.
//!
//! Decided where the proposal leaves it open: the token is good until it expires, on any instance, and the same
//! again each time; it is taken from `arguments` too, where the tool has no parameter of that name; its time is told
//! in `_meta`. It carries no questions: a client is asked if it is in a session that can, and else the tool fails
//! with a text that says so.

use serde_json::Value;

use super::fault::StateField;
use super::{Fault, Fields, Params, mrtr, older};
use crate::client::Client;
use crate::host::{Arguments, Call, Outcome, Registered};
use crate::saga::Principal;
use crate::sagas::Sagas;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "pr-1003";

const TOKEN: &str = "resumeToken";
const NEXT_TOKEN: &str = "nextResumeToken";
/// How long the token is good, in milliseconds; the proposal asks for it and has no field.
const TTL: &str = "rs.saga/resumeTtlMs";

/// Reads the params of `tools/call`.
pub(super) fn read(
    sagas: &Sagas,
    mut params: Box<Params>,
    client: Client,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let tool = mrtr::tool(sagas, &params)?;
    let mut arguments = mrtr::arguments(&mut params)?;
    let among_arguments = match tool.definition.input_schema["properties"].get(TOKEN) {
        None => arguments.remove(TOKEN),
        Some(_) => None,
    };
    let token = match params.resume_token.take().or(among_arguments) {
        None => None,
        Some(Value::String(token)) => Some(token),
        Some(_) => return Err(Fault::no_text(StateField::ResumeToken)),
    };
    let call = Call::new(DIALECT, mrtr::CALL, Arguments::Sent(arguments), client);
    Ok((tool, Call { token, principal, checkpoints: true, ..call }))
}

/// The result of `tools/call`. The token is good for this many seconds.
pub(super) fn write(ttl: u32, outcome: Outcome) -> Result<Fields, Fault> {
    let waiting = match outcome {
        Outcome::Suspended(waiting) => waiting,
        ended => return older::ended(ended),
    };
    let ttl = Value::from(u64::from(ttl) * 1000);
    // The proposal's first revision had the token here.
    let meta = Fields::new().with(NEXT_TOKEN, waiting.token.clone()).with(TTL, ttl);
    let result = older::tool(waiting.partial.unwrap_or_default());
    Ok(result.with(NEXT_TOKEN, waiting.token).with("_meta", meta))
}
