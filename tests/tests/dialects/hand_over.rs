//! Hand-over between dialects: a token is good in the one that it was made in, and in no other.

use std::fmt::Write as _;

use saga_runtime::serve::stdio;
use saga_runtime::{Dialect, RequestFacts, Sagas};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};

use crate::corpus::{Log, SUBJECT};
use crate::servers;

const MAKES_TOKENS: [Dialect; 5] =
    [Dialect::Mrtr, Dialect::Saga, Dialect::Streamless, Dialect::ResumeToken, Dialect::Resumable];

/// Prints the matrix, and gives what is wrong in it.
pub(crate) async fn matrix() -> Vec<String> {
    let all = [&MAKES_TOKENS[..], &[Dialect::Push]].concat();
    let server = servers(&all, &Log::default()).instances[0].clone();
    let mut failures = Vec::new();
    println!("a token of the row, used in the column\n");
    print!("{:24}", "");
    for dialect in MAKES_TOKENS {
        print!("{:>13}", dialect.name());
    }
    println!();
    for made in MAKES_TOKENS {
        // The same place in the same tool, as far as the dialect can get there.
        let token = make(&server, made).await;
        let mut row = format!("{:24}", made.name());
        for used in MAKES_TOKENS {
            let is_good = is_taken(&server, used, &token).await;
            let _ = write!(row, "{:>13}", if is_good { "good" } else { "refused" });
            if is_good != (made == used) {
                failures.push(format!(
                    "a token of {made} is {} in {used}",
                    if is_good { "good" } else { "refused" }
                ));
            }
        }
        println!("{row}");
    }
    println!();
    failures
}

/// The tool of the corpus that waits at a checkpoint, or else that waits at a question.
const fn tool(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::ResumeToken => "scan",
        _ => "two_in_line",
    }
}

async fn make(server: &Sagas, dialect: Dialect) -> String {
    let reply = ask(server, dialect, tool(dialect), None).await;
    let requests = reply["dependent_requests"].as_object().and_then(|requests| requests.values().next());
    let state = requests.map(|request| &request["params"]["_meta"]["modelcontextprotocol.io/state/request/"]);
    let fields = ["requestState", "sagaToken", "nextResumeToken"].map(|field| &reply["result"][field]);
    let policy = &reply["params"]["resumeToken"];
    let token = fields.into_iter().chain(state).chain([policy]).find_map(Value::as_str);
    token.unwrap_or_else(|| panic!("no token of {dialect}: {reply}")).to_owned()
}

/// Whether a token of some dialect is taken here, for each of the tools that tokens are made of.
async fn is_taken(server: &Sagas, dialect: Dialect, token: &str) -> bool {
    for name in ["two_in_line", "scan"] {
        let reply = ask(server, dialect, name, Some(token)).await;
        if reply.get("error").is_none() {
            return true;
        }
        assert_eq!(reply["error"]["message"], "Invalid or expired requestState", "{reply}");
    }
    false
}

async fn ask(server: &Sagas, dialect: Dialect, name: &str, token: Option<&str>) -> Value {
    let mut params = json!({ "name": name, "arguments": { "subject": SUBJECT } });
    let mut message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call" });
    match (dialect, token) {
        (Dialect::Mrtr, token) => {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": {}, "sampling": {} },
            });
            if let Some(token) = token {
                params["requestState"] = token.into();
            }
        }
        (Dialect::Saga, None) => message["method"] = "tools/callSaga".into(),
        (Dialect::Saga, Some(token)) => {
            message["method"] = "tools/resumeSaga".into();
            params = json!({ "sagaToken": token, "completedSteps": [] });
        }
        (Dialect::Streamless, Some(token)) => message["request_state"] = token.into(),
        (Dialect::ResumeToken, token) => params["resumeToken"] = token.into(),
        (Dialect::Resumable, Some(token)) => {
            message["method"] = "requests/resume".into();
            params = json!({ "resumeToken": token });
        }
        _ => {}
    }
    if dialect == Dialect::ResumeToken && token.is_none() {
        // A first call is a streamless one where a server speaks both.
        return first_of_resume_tokens(server, name).await;
    }
    message["params"] = params;
    if dialect == Dialect::Resumable {
        let capabilities = json!({ "elicitation": {}, "sampling": {}, "resumableRequests": {} });
        return in_a_session(server, &message, capabilities).await;
    }
    let reply = server.handle(message.to_string().as_bytes(), &RequestFacts::default()).await;
    reply.body().expect("a reply")
}

/// In a session a checkpoint ends the request.
async fn first_of_resume_tokens(server: &Sagas, name: &str) -> Value {
    let params = json!({ "name": name, "arguments": { "subject": SUBJECT } });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    in_a_session(server, &message, json!({ "elicitation": {}, "sampling": {} })).await
}

async fn in_a_session(server: &Sagas, message: &Value, capabilities: Value) -> Value {
    let (mut input, server_input) = duplex(64 * 1024);
    let (server_output, output) = duplex(64 * 1024);
    let serving = tokio::spawn(stdio::serve(server.clone(), server_input, server_output));
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    input.write_all(format!("{initialize}\n{message}\n").as_bytes()).await.unwrap();
    let mut lines = BufReader::new(output).lines();
    lines.next_line().await.unwrap();
    let line = lines.next_line().await.unwrap().expect("a line");
    serving.abort();
    serde_json::from_str(&line).unwrap()
}
