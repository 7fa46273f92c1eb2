//! The server under fire, and valid messages to it.

#![expect(clippy::needless_pass_by_value, reason = "`json!(..)` reads better without a borrow")]

use saga_runtime::{Dialect, Form, Sagas, ToolError, checkpoint, elicit, join, saga_tool, sample};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Form, Serialize, Deserialize, Debug)]
struct Name {
    #[form(min_length = 2)]
    name: String,
}

/// Greets a person.
#[saga_tool]
async fn greet(times: Option<u8>) -> Result<String, ToolError> {
    checkpoint("begun").await;
    let user_name: Name = elicit("What is your name?").await?;
    let (other, said) = join!(elicit::<Name>("And theirs?").optional(), sample("Say hello.")).each().await;
    Ok(format!("{user_name:?} {other:?} {said:?} {times:?}"))
}

/// Gives back pages.
#[saga_tool]
async fn scan() -> String {
    let mut found = Vec::new();
    for page in 0..3 {
        found.push(page);
        checkpoint(format!("{found:?}")).await;
    }
    format!("{found:?}")
}

/// A server of one dialect.
pub(crate) fn server(dialect: Dialect) -> Sagas {
    let builder = Sagas::builder("fuzz", "1.0.0").tool::<greet>().tool::<scan>();
    builder.dialects([dialect]).build().expect("a server")
}

fn request(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

pub(crate) fn answer() -> Value {
    json!({ "action": "accept", "content": { "name": "Ada" } })
}

pub(crate) fn said() -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": "Hello" }, "model": "m" })
}

/// Valid messages of a dialect: one that starts, and those that go on with this token.
pub(crate) fn messages(dialect: Dialect, token: Option<&str>) -> Vec<Value> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {}, "sampling": {} },
    });
    let token = token.unwrap_or("sg1.none");
    let call = json!({ "name": "greet", "arguments": { "times": 2 } });
    match dialect {
        Dialect::Mrtr => {
            let with = |more: &[(&str, Value)]| {
                let mut params = json!({ "_meta": meta, "name": "greet", "arguments": { "times": 2 } });
                for (name, value) in more {
                    params[*name] = value.clone();
                }
                request("tools/call", params)
            };
            let answers = json!({ "user_name": answer(), "other": answer(), "said": said() });
            vec![
                with(&[]),
                with(&[("requestState", token.into())]),
                with(&[("requestState", token.into()), ("inputResponses", answers.clone())]),
                with(&[("inputResponses", answers)]),
                request("server/discover", json!({ "_meta": meta })),
                request("tools/list", json!({ "_meta": meta, "cursor": null })),
            ]
        }
        Dialect::Saga => {
            let steps = json!([
                { "stepId": "user_name", "result": answer() },
                { "stepId": "other", "error": { "code": -1, "message": "no", "data": {} } },
                { "stepId": "said", "result": said() },
            ]);
            let resume = json!({ "sagaToken": token, "completedSteps": steps });
            let mut modern = resume.clone();
            modern["_meta"] = meta;
            vec![
                request("tools/callSaga", call),
                request("tools/resumeSaga", resume),
                request("tools/resumeSaga", modern),
            ]
        }
        Dialect::Streamless => {
            let mut first = request("tools/call", call);
            let start = first.clone();
            let state = json!({ "modelcontextprotocol.io/state/request/": token });
            first["dependent_responses"] = json!({
                "user_name": { "result": answer(), "_meta": state },
                "other": answer(),
                "said": { "error": { "code": -1, "message": "no" } },
            });
            let mut other = start.clone();
            other["request_state"] = token.into();
            vec![start, first, other, request("tools/list", json!({})), request("ping", json!({}))]
        }
        Dialect::ResumeToken => vec![
            request("tools/call", json!({ "name": "scan" })),
            request("tools/call", json!({ "name": "scan", "resumeToken": token })),
            request("tools/call", json!({ "name": "scan", "arguments": { "resumeToken": token } })),
            request("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })),
        ],
        _ => {
            let capabilities = json!({ "elicitation": {}, "sampling": {}, "resumableRequests": {} });
            let version = json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities });
            vec![
                request("tools/call", call.clone()),
                request("tools/call", call),
                request("tools/list", json!({})),
                request("initialize", version),
                request("requests/resume", json!({ "resumeToken": token })),
                request("requests/getStatus", json!({ "requestId": 7, "resumeToken": token })),
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }),
                json!({ "jsonrpc": "2.0", "id": 1, "result": answer() }),
                json!({ "jsonrpc": "2.0", "id": 2, "result": said() }),
                json!({ "jsonrpc": "2.0", "id": 3, "error": { "code": -1, "message": "no" } }),
            ]
        }
    }
}

/// The token in a message of the server's.
pub(crate) fn token(message: &Value) -> Option<String> {
    let fields = ["requestState", "sagaToken", "nextResumeToken"].map(|field| &message["result"][field]);
    let mut requests =
        message["dependent_requests"].as_object().into_iter().flat_map(|requests| requests.values());
    let state =
        requests.next().map(|request| &request["params"]["_meta"]["modelcontextprotocol.io/state/request/"]);
    let policy = &message["params"]["resumeToken"];
    fields.into_iter().chain(state).chain([policy]).find_map(Value::as_str).map(str::to_owned)
}
