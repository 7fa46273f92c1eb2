//! One call of a tool, as rmcp hands it over: who calls, which revision, and one transition.

use http::request::Parts;
use rmcp::model::InputRequiredResult;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::push::Session;
use super::{progress, wire};
use crate::dialect::route::Caller;
use crate::dialect::{Fields, Object, Params, mrtr};
use crate::host::{Call, Outcome, Registered, Server};
use crate::progress::Reporter;
use crate::sagas::{RequestFacts, Sagas};

/// What a request that may ask for input gets.
pub(super) enum Answered {
    /// The fields of its result.
    Complete(Object),
    Waits(InputRequiredResult),
}

impl Answered {
    fn of(fields: Fields) -> Self {
        match fields.into_json() {
            Value::Object(fields) => Self::Complete(fields),
            _ => Self::Complete(Object::new()),
        }
    }

    /// As rmcp answers, where the result is a `C`.
    pub(super) fn response<C, R>(self) -> Result<R, ErrorData>
    where
        C: DeserializeOwned + Into<R>,
        InputRequiredResult: Into<R>,
    {
        match self {
            Self::Complete(fields) => wire::read::<C>(Value::Object(fields)).map(Into::into),
            Self::Waits(waits) => Ok(waits.into()),
        }
    }
}

/// Answers one request that may ask for input: its method, its params, and the server that it came to, if what is called
/// borrows it; the machine where it is a method of that server.
pub(super) async fn answer(
    sagas: &Sagas,
    server: Server<'_>,
    machine: Option<&Registered>,
    method: &'static str,
    params: Box<Params>,
    request: &RequestContext<RoleServer>,
) -> Result<Answered, ErrorData> {
    let (reporter, telling) = progress::reporter(request);
    telling.during(request, serve(sagas, server, machine, method, params, request, reporter)).await
}

async fn serve(
    sagas: &Sagas,
    server: Server<'_>,
    machine: Option<&Registered>,
    method: &'static str,
    mut params: Box<Params>,
    request: &RequestContext<RoleServer>,
    reporter: Reporter,
) -> Result<Answered, ErrorData> {
    let principal = principal(sagas, request).map_err(wire::fault)?;
    let declared = wire::client(request.client_capabilities());
    let Some(session) = Session::of(request) else {
        let read = mrtr::read(sagas, machine, method, params, declared, principal);
        let (target, call) = read.map_err(wire::fault)?;
        let outcome = sagas.host().serve_at(server, target.machine, Call { reporter, ..call }).await;
        return match outcome {
            Outcome::Suspended(waiting) => wire::input_required(sagas, waiting).map(Answered::Waits),
            ended => mrtr::write(sagas, &target, ended).map(Answered::of).map_err(wire::fault),
        };
    };
    // These revisions know no such fields.
    (params.input_responses, params.request_state) = (None, None);
    let read = mrtr::read(sagas, machine, method, params, session.client(declared), principal);
    let (target, call) = read.map_err(wire::fault)?;
    let call = Call { reporter, checkpoints: false, ..call };
    let fields = session.answer(sagas, server, &target, &call).await.map_err(wire::fault)?;
    Ok(Answered::of(fields))
}

/// Who calls. Over HTTP the hook sees the headers, and what the server's layers added to the request.
fn principal(sagas: &Sagas, request: &RequestContext<RoleServer>) -> Caller {
    if !sagas.knows_principals() {
        return Ok(None);
    }
    sagas.caller(&facts(request))
}

/// What the principal hook may look at.
pub(super) fn facts(request: &RequestContext<RoleServer>) -> RequestFacts {
    request.extensions.get::<Parts>().map(RequestFacts::of).unwrap_or_default()
}
