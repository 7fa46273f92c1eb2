//! Between the dialects' JSON and rmcp's types. They go by way of JSON, so that no name of a type is needed that MCP
//! has deprecated and rmcp will take away.

use rmcp::ErrorData;
use rmcp::model::InputRequiredResult;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::dialect::{Fault, Object};

/// JSON as one of rmcp's types.
pub(super) fn read<T: DeserializeOwned>(json: Value) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|error| internal(&error))
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
    serde_json::from_value(fault.into_json())
        .unwrap_or_else(|_| ErrorData::internal_error("Internal error", None))
}

/// A result that is complete, `C`, or waits for input.
pub(super) fn response<C, R>(result: Object) -> Result<R, ErrorData>
where
    C: DeserializeOwned + Into<R>,
    InputRequiredResult: Into<R>,
{
    let waits = result.contains_key("requestState");
    let result = Value::Object(result);
    if waits {
        read::<InputRequiredResult>(result).map(Into::into)
    } else {
        read::<C>(result).map(Into::into)
    }
}
