//! One call of a tool, as rmcp hands it over: who calls, which revision, and one transition.

use std::any::Any;

use http::request::Parts;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::CallToolResponse;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use super::push::Session;
use super::{progress, wire};
use crate::dialect::{Fault, Object, mrtr};
use crate::host::{Call, Server};
use crate::progress::Reporter;
use crate::saga::{Client, Principal};
use crate::sagas::{RequestFacts, Sagas};

/// Answers one `tools/call`. A request that is cancelled stops its transition where it waits.
pub(super) async fn tool<S: Send + Sync + 'static>(
    sagas: &Sagas,
    context: ToolCallContext<'_, S>,
) -> Result<CallToolResponse, ErrorData> {
    let ToolCallContext { request_context: request, service, name, arguments, .. } = context;
    let (responses, state) = (context.input_responses, context.request_state);
    let mut params = Object::new();
    params.insert("name".into(), name.into());
    params.extend(arguments.map(|arguments| ("arguments".into(), Value::Object(arguments))));
    params.extend(responses.map(|answers| ("inputResponses".into(), answers.into_iter().collect())));
    params.extend(state.map(|state| ("requestState".into(), state.into())));
    let server: Server<'_> = Some(service as &(dyn Any + Send + Sync));
    let (reporter, mut telling) = progress::reporter(&request);
    tokio::select! {
        biased;
        response = answer(sagas, server, params, &request, reporter) => {
            telling.rest().await;
            response
        }
        never = telling.tell() => match never {},
        () = request.ct.cancelled() => Err(ErrorData::internal_error("the request was cancelled", None)),
    }
}

async fn answer(
    sagas: &Sagas,
    server: Server<'_>,
    mut params: Object,
    request: &RequestContext<RoleServer>,
    reporter: Reporter,
) -> Result<CallToolResponse, ErrorData> {
    let principal = principal(sagas, request).map_err(wire::fault)?;
    let declared = request.client_capabilities().map(|declared| wire::write(&declared)).transpose()?;
    let declared = declared.unwrap_or_default();
    let Some(session) = Session::of(request) else {
        let read = mrtr::read(sagas, mrtr::CALL, params, Client::new(declared), principal);
        let (target, call) = read.map_err(wire::fault)?;
        let outcome = sagas.host().serve_at(server, target.machine, Call { reporter, ..call }).await;
        return wire::response(mrtr::write(sagas, &target, outcome).map_err(wire::fault)?);
    };
    // These revisions know no such fields.
    params.retain(|name, _| matches!(name.as_str(), "name" | "arguments"));
    let read = mrtr::read(sagas, mrtr::CALL, params, session.client(declared), principal);
    let (target, call) = read.map_err(wire::fault)?;
    session.drive(sagas, server, target.machine, &Call { reporter, checkpoints: false, ..call }).await
}

/// Who calls. Over HTTP the hook sees the headers, and what the server's layers added to the request.
fn principal(sagas: &Sagas, request: &RequestContext<RoleServer>) -> Result<Option<Principal>, Fault> {
    if !sagas.knows_principals() {
        return Ok(None);
    }
    let facts = request.extensions.get::<Parts>().map(RequestFacts::of).unwrap_or_default();
    sagas.principal(&facts).map_err(|refused| {
        tracing::warn!(reason = %refused, "refused a caller");
        Fault::refused(&refused)
    })
}
