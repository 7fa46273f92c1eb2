//! Every message of MCP's own revisions is valid by MCP's schema. That of 2026-07-28 is in `tests/schema`; those of the
//! older revisions may lie beside this repository, and where they are not there, that is said.

use std::collections::HashMap;
use std::fs;
use std::sync::{LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

const FOLDERS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/schema"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/schema"),
];

type Key = (&'static str, &'static str);

/// What came of all checks.
#[derive(Default)]
pub(crate) struct Checked {
    schemas: HashMap<Key, Option<Validator>>,
    pub(crate) valid: usize,
    pub(crate) skipped: usize,
    pub(crate) faults: Vec<String>,
}

static CHECKED: LazyLock<Mutex<Checked>> = LazyLock::new(Mutex::default);

/// What came of all checks.
pub(crate) fn outcome() -> Checked {
    std::mem::take(&mut CHECKED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Checks a message, or a part of one, against one of a revision's definitions.
pub(crate) fn check(revision: &'static str, definition: &'static str, message: &Value) {
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (revision, definition);
    let schema = checked.schemas.entry(key).or_insert_with(|| read(revision, definition));
    let Some(schema) = schema else {
        checked.skipped += 1;
        return;
    };
    let error = schema.iter_errors(message).next().map(|error| error.to_string());
    match error {
        None => checked.valid += 1,
        Some(error) => checked.faults.push(format!("not a {definition} of {revision}: {error}: {message}")),
    }
}

fn read(revision: &str, definition: &str) -> Option<Validator> {
    let text =
        FOLDERS.iter().find_map(|folder| fs::read_to_string(format!("{folder}/mcp-{revision}.json")).ok())?;
    let mut schema: Value = serde_json::from_str(&text).expect("a schema");
    let inside = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[inside].get(definition).is_some(), "{revision} has no {definition}");
    schema["$ref"] = json!(format!("#/{inside}/{definition}"));
    Some(jsonschema::validator_for(&schema).expect("a schema"))
}

const MODERN: &str = "2026-07-28";

/// Checks a call of MCP 2026-07-28.
pub(crate) fn check_call(call: &Value) {
    check(MODERN, "CallToolRequest", call);
}

/// Checks the reply to a call of MCP 2026-07-28.
pub(crate) fn check_reply(reply: &Value) {
    if reply.get("error").is_some() {
        let is_missing = reply["error"]["code"] == -32021;
        let definition =
            if is_missing { "MissingRequiredClientCapabilityError" } else { "JSONRPCErrorResponse" };
        return check(MODERN, definition, reply);
    }
    check(MODERN, "CallToolResultResponse", reply);
    let result = &reply["result"];
    // The definition above lets almost anything pass: the exact one is that of the kind.
    if result["resultType"] == "input_required" {
        check(MODERN, "InputRequiredResult", result);
        let requests = result["inputRequests"].as_object().into_iter().flatten();
        requests.for_each(|(_, request)| check(MODERN, "InputRequest", request));
    } else {
        check(MODERN, "CallToolResult", result);
    }
}

/// Checks what a server says in a session of this revision.
pub(crate) fn check_in_session(revision: &'static str, message: &Value) {
    match (message["method"].as_str(), message.get("error")) {
        (Some("elicitation/create"), _) => check(revision, "ElicitRequest", message),
        (Some("sampling/createMessage"), _) => check(revision, "CreateMessageRequest", message),
        (Some("roots/list"), _) => check(revision, "ListRootsRequest", message),
        (Some("notifications/cancelled"), _) => check(revision, "CancelledNotification", message),
        (Some("notifications/elicitation/complete"), _) => {
            check(revision, "ElicitationCompleteNotification", message);
        }
        // The proposal's, which no revision has.
        (Some(_), _) => check(revision, "JSONRPCNotification", message),
        (None, Some(_)) => {
            let is_older = revision == "2025-06-18";
            check(revision, if is_older { "JSONRPCError" } else { "JSONRPCErrorResponse" }, message);
        }
        (None, None) if message["result"].get("protocolVersion").is_some() => {
            check(revision, "InitializeResult", &message["result"]);
        }
        (None, None) => check(revision, "CallToolResult", &message["result"]),
    }
}
