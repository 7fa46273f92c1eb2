//! SEP-975: resumable requests. Wherever a tool waits, its client is told how to take the request up again
//! (`notifications/requests/resumePolicy`). After the connection or the server was lost, `requests/resume` under the
//! request's own id goes on from there: what is outstanding is asked once more.
//!
//! Read without a server's memory: the `resumeToken` is the sealed state, each suspension has its own, and the last
//! one is the one to keep. Resuming twice runs the same transition twice. Nobody can know from a token whether the
//! request has ended meanwhile: the status of a good token is `processing`.

use serde_json::{Map, Value, json};

use super::fault::StateField;
use super::{Fault, Object};
use crate::host::{Arguments, Call, Refusal, Registered};
use crate::saga::{Client, Principal};
use crate::sagas::Sagas;
use crate::token::tool_of;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "sep-975";

pub(super) const RESUME: &str = "requests/resume";
pub(super) const STATUS: &str = "requests/getStatus";
pub(super) const POLICY: &str = "notifications/requests/resumePolicy";

/// Whether a client declared that it takes requests up again.
pub(super) fn is_declared(capabilities: &Object) -> bool {
    capabilities.get("resumableRequests").is_some_and(Value::is_object)
}

/// How to seal where this call waits, for the request of this id.
pub(super) fn sealing(call: &Call, request: &Value) -> Call {
    Call { principal: call.principal.clone(), ..bound(request, call.client.clone()) }
}

fn bound(request: &Value, client: Client) -> Call {
    let call = Call::new(DIALECT, RESUME, Arguments::Sealed(Map::new()), client);
    Call { bound: Map::from_iter([("requestId".to_owned(), request.clone())]), ..call }
}

/// Reads the params of `requests/resume`.
pub(super) fn read<'a>(
    sagas: &'a Sagas,
    request: &Value,
    params: &Object,
    client: Client,
    principal: Option<Principal>,
) -> Result<(&'a Registered, Call), Fault> {
    let token = match params.get("resumeToken") {
        Some(Value::String(token)) => token,
        Some(_) => return Err(Fault::state(StateField::ResumeToken)),
        None => return Err(Fault::params("`resumeToken` is missing")),
    };
    // The client's word, until the token is opened.
    let tool = tool_of(token).ok().and_then(|id| sagas.tool_by_id(id)).ok_or_else(|| {
        tracing::warn!("refused a token that names no tool of this server");
        Fault::state(StateField::ResumeToken)
    })?;
    let call = bound(request, client);
    Ok((tool, Call { token: Some(token.clone()), principal, checkpoints: true, asks_again: true, ..call }))
}

/// The result of `requests/getStatus`.
pub(super) fn status(sagas: &Sagas, params: &Object, principal: Option<Principal>) -> Result<Object, Fault> {
    let request = params.get("requestId").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let request = request.ok_or_else(|| Fault::params("`requestId` must be a text or a whole number"))?;
    let (tool, call) = read(sagas, request, params, Client::default(), principal)?;
    let is_asked = match sagas.host().waits_for_answers(tool, &call) {
        Ok(is_asked) => is_asked,
        Err(Refusal::Internal) => return Err(Fault::internal()),
        Err(Refusal::State | Refusal::Capability(_)) => return Err(Fault::state(StateField::ResumeToken)),
    };
    // No message is kept: what a client gets upon resuming is the question that is outstanding.
    let status = json!({
        "requestId": request,
        "status": "processing",
        "hasPendingMessage": is_asked,
        "hasInputRequest": is_asked,
    });
    Ok(status.as_object().cloned().unwrap_or_default())
}
