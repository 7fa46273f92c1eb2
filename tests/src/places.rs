//! The places in a JSON value, for tests that do harm to messages: JSON pointers.

use serde_json::Value;

/// The fields that the dialects have, by which a harmed message may still mean something.
pub const FIELDS: [&str; 30] = [
    "jsonrpc",
    "id",
    "method",
    "params",
    "_meta",
    "name",
    "arguments",
    "uri",
    "inputResponses",
    "requestState",
    "sagaToken",
    "completedSteps",
    "stepId",
    "result",
    "error",
    "code",
    "message",
    "data",
    "action",
    "content",
    "resumeToken",
    "requestId",
    "dependent_responses",
    "request_state",
    "modelcontextprotocol.io/state/request/",
    "capabilities",
    "protocolVersion",
    "roots",
    "user_name",
    "other",
];

/// Every value inside, and the value itself.
#[must_use]
pub fn of(value: &Value) -> Vec<String> {
    let mut places = Vec::new();
    find(value, String::new(), &mut places);
    places
}

fn find(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                find(inner, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                find(inner, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(at);
}

/// Takes the value at a place out of what it is in; of an array, the last.
pub fn remove(message: &mut Value, place: &str) {
    let (parent, name) = place.rsplit_once('/').unwrap_or_default();
    match message.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Some(Value::Array(items)) => drop(items.pop()),
        _ => {}
    }
}
