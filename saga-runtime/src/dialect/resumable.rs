//! SEP-975: resumable requests. Wherever a tool waits, its client is told how to take the request up again
//! (`notifications/requests/resumePolicy`). After the connection or the server was lost, `requests/resume` under the
//! request's own id goes on from there: what is outstanding is asked once more.
//!
//! Read without a server's memory: the `resumeToken` is the sealed state, each suspension has its own, and the last
//! one is the one to keep. Nobody can know from a token whether the request has gone on meanwhile: the status of a good
//! one is `processing`, and resuming twice runs the same transition twice. A guard knows: with one, a round that has
//! run is not run again, a result that was lost is given again, and the status says `completed` or `failed`.

use serde_json::{Map, Value, json};

use super::fault::StateField;
use super::{Fault, Object, Params};
use crate::client::Client;
use crate::host::{Arguments, Call, Refusal, Registered, Resuming, Stands};
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::token::tool_of;

/// The dialect's name, bound into its tokens.
const DIALECT: &str = "sep-975";

pub(super) const RESUME: &str = "requests/resume";
pub(super) const STATUS: &str = "requests/getStatus";
pub(super) const POLICY: &str = "notifications/requests/resumePolicy";

/// A call of `tools/call` that is resumable: its tokens are good for `requests/resume` of the same request.
pub(super) fn start(
    request: &Value,
    arguments: Object,
    client: Client,
    principal: Option<Principal>,
) -> Call {
    Call { principal, arguments: Arguments::Sealed(arguments), ..bound(request, client) }
}

fn bound(request: &Value, client: Client) -> Call {
    let call = Call::new(DIALECT, RESUME, Arguments::Sealed(Map::new()), client);
    let bound = Map::from_iter([("requestId".to_owned(), request.clone())]);
    Call { bound, checkpoints: true, resuming: Resuming::InSession, ..call }
}

/// Reads the params of `requests/resume`.
pub(super) fn read<'a>(
    sagas: &'a Sagas,
    request: &Value,
    params: &Params,
    client: Client,
    principal: Option<Principal>,
) -> Result<(&'a Registered, Call), Fault> {
    let token = match &params.resume_token {
        Some(Value::String(token)) => token,
        Some(_) => return Err(Fault::no_text(StateField::ResumeToken)),
        None => return Err(Fault::params("`resumeToken` is missing")),
    };
    // The client's word, until the token is opened.
    let tool = tool_of(token).ok().and_then(|id| sagas.tool_by_id(id)).ok_or_else(|| {
        tracing::warn!("refused a token that names no tool of this server");
        Fault::state(StateField::ResumeToken)
    })?;
    let call = bound(request, client);
    Ok((tool, Call { token: Some(token.clone()), principal, resuming: Resuming::AskedAgain, ..call }))
}

/// The result of `requests/getStatus`.
pub(super) async fn status(
    sagas: &Sagas,
    params: &Params,
    principal: Option<Principal>,
) -> Result<Object, Fault> {
    let request = params.request_id.as_ref().filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let request = request.ok_or_else(|| Fault::params("`requestId` must be a text or a whole number"))?;
    let (tool, call) = read(sagas, request, params, Client::default(), principal)?;
    let (status, is_asked) = match sagas.host().stands(tool, &call).await {
        Ok(Stands::Waits { is_asked }) => ("processing", is_asked),
        Ok(Stands::Ended { is_error: false }) => ("completed", false),
        Ok(Stands::Ended { is_error: true }) => ("failed", false),
        Err(Refusal::Unavailable) => return Err(Fault::unavailable()),
        Err(Refusal::Internal) => return Err(Fault::internal()),
        Err(Refusal::Arguments(text)) => return Err(Fault::params(&text)),
        Err(Refusal::State | Refusal::Capability(_)) => return Err(Fault::state(StateField::ResumeToken)),
    };
    // No message is kept: what a client gets upon resuming is the question that is outstanding.
    let status = json!({
        "requestId": request,
        "status": status,
        "hasPendingMessage": is_asked,
        "hasInputRequest": is_asked,
    });
    Ok(status.as_object().cloned().unwrap_or_default())
}
