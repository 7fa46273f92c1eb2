//! Between the dialects and rmcp's types. What is not asked at every turn goes by way of JSON, so that no name of a
//! type is needed that MCP has deprecated and rmcp will take away.

use rmcp::ErrorData;
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, InputRequest, InputRequests, InputRequiredResult,
    MetaObject,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::form;
use crate::client::Client;
use crate::dialect::{self, Fault, Object, question};
use crate::frame::Asked;
use crate::host::Waiting;
use crate::sagas::Sagas;
use crate::step::{Params, StepKind};

/// JSON as one of rmcp's types.
pub(super) fn read<T: DeserializeOwned>(json: Value) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|error| internal(&error))
}

/// The params of one of rmcp's requests.
pub(super) fn params(request: &impl Serialize) -> Result<Box<dialect::Params>, ErrorData> {
    read(Value::Object(write(request)?))
}

/// The client that declared this.
pub(super) fn client(declared: Option<ClientCapabilities>) -> Client {
    let Some(ClientCapabilities { elicitation, sampling, roots, .. }) = declared else {
        return Client::default();
    };
    let can = |kind: &StepKind| match kind {
        StepKind::Elicit => {
            elicitation.as_ref().is_some_and(|parts| parts.form.is_some() || parts.url.is_none())
        }
        StepKind::ElicitUrl => elicitation.as_ref().is_some_and(|parts| parts.url.is_some()),
        StepKind::Sample => sampling.is_some(),
        StepKind::SampleTools => sampling.as_ref().is_some_and(|parts| parts.tools.is_some()),
        StepKind::ListRoots => roots.is_some(),
    };
    Client::of(&StepKind::ALL.into_iter().filter(can).collect::<Vec<_>>())
}

/// One of rmcp's types as a JSON object.
pub(super) fn write(value: &impl Serialize) -> Result<Object, ErrorData> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Ok(Object::new()),
        Err(error) => Err(internal(&error)),
    }
}

fn internal(error: &serde_json::Error) -> ErrorData {
    tracing::error!(%error, "a message does not fit rmcp's types");
    fault(Fault::internal())
}

/// A dialect's error as rmcp sends it.
pub(super) fn fault(fault: Fault) -> ErrorData {
    serde_json::from_value(fault.into_fields().into_json())
        .unwrap_or_else(|_| ErrorData::internal_error("Internal error", None))
}

/// What a saga asks, with the state that waits for the answers.
pub(super) fn input_required(sagas: &Sagas, waiting: Waiting) -> Result<InputRequiredResult, ErrorData> {
    let requests = waiting.asked.into_iter().map(|asked| Ok((asked.key.clone(), request(asked)?)));
    let requests = requests.collect::<Result<InputRequests, ErrorData>>()?;
    let requests = Some(requests).filter(|requests| !requests.is_empty());
    let result = InputRequiredResult::new(requests, Some(waiting.token));
    Ok(result.with_meta(MetaObject(write(sagas.signature().fields())?)))
}

fn request(asked: Asked) -> Result<InputRequest, ErrorData> {
    let (method, kind) = (asked.request.method, asked.request.kind);
    let params = match question::explained(asked) {
        Params::Elicitation { message, schema } => {
            let requested_schema = form::schema(&schema)?;
            let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
            return Ok(InputRequest::Elicitation(ElicitRequest::new(params)));
        }
        Params::Other(params) => json!({ "method": method, "params": params }),
    };
    Ok(match kind {
        StepKind::Elicit | StepKind::ElicitUrl => InputRequest::Elicitation(read(params)?),
        StepKind::Sample | StepKind::SampleTools => InputRequest::CreateMessage(read(params)?),
        StepKind::ListRoots => InputRequest::ListRoots(read(params)?),
    })
}
