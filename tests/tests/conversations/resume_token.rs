//! PR #1003: resume tokens.

use expect_test::expect_file;
use saga_runtime::Dialect;
use serde_json::{Value, json};

use crate::conversation::{Conversation, modern, plain};
use crate::more::{instances, speaks};
use crate::pipe::Pipe;

fn scan(id: u32, more: Value) -> Value {
    call(id, "scan", json!({ "path": "/a" }), more)
}

fn call(id: u32, name: &str, arguments: Value, more: Value) -> Value {
    let mut params = json!({ "name": name, "arguments": arguments });
    params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    plain(id, "tools/call", params)
}

#[tokio::test]
async fn a_scan_that_any_instance_goes_on_with() {
    let instance = instances([Dialect::ResumeToken]);
    let mut talk = Conversation::with(instance());
    talk.ask(scan(1, json!({}))).await;
    talk.server = instance();
    talk.ask(scan(2, json!({ "resumeToken": "<state 1>" }))).await;
    talk.server = instance();
    talk.ask(scan(3, json!({ "resumeToken": "<state 2>" }))).await;
    // The reply was lost: the same token, the same continuation. Here among the arguments, with the id used before.
    talk.ask(call(3, "scan", json!({ "path": "/a", "resumeToken": "<state 2>" }), json!({}))).await;
    expect_file!["transcripts/resume_token/a_scan.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn every_error() {
    let mut talk = Conversation::with(speaks([Dialect::ResumeToken]));
    talk.ask(scan(1, json!({}))).await;
    for token in [json!("<state 1>-TAMPERED"), json!(""), json!(7), json!(null)] {
        talk.ask(scan(2, json!({ "resumeToken": token }))).await;
    }
    talk.ask(call(3, "scan", json!({ "path": "/b" }), json!({ "resumeToken": "<state 1>" }))).await;
    talk.ask(call(4, "add", json!({ "path": "/a" }), json!({ "resumeToken": "<state 1>" }))).await;
    // It has no questions: the tool's failure says so, and has no token.
    talk.ask(call(5, "scan_and_ask", json!({}), json!({}))).await;
    talk.ask(call(6, "scan", json!({}), json!({}))).await;
    talk.ask(modern(7, "tools/call", json!({ "name": "scan", "arguments": { "path": "/a" } }))).await;
    expect_file!["transcripts/resume_token/errors.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_session_that_can_be_asked_is_asked() {
    let server = speaks([Dialect::Push, Dialect::ResumeToken]);
    let mut pipe = Pipe::in_session(server, "2025-11-25", json!({ "elicitation": {} })).await;
    pipe.ask(call(1, "scan_and_ask", json!({}), json!({}))).await;
    let form = pipe.ask(call(2, "scan_and_ask", json!({}), json!({ "resumeToken": "<state 1>" }))).await;
    pipe.answer(&form, json!({ "action": "accept", "content": { "name": "Ada" } })).await;
    expect_file!["transcripts/resume_token/in_a_session.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn in_mcp_a_checkpoint_is_a_round_without_questions() {
    let instance = instances([Dialect::Mrtr]);
    let mut talk = Conversation::with(instance());
    let scan = |id: u32, more: Value| {
        let mut params = json!({ "name": "scan", "arguments": { "path": "/a" } });
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        modern(id, "tools/call", params)
    };
    talk.ask(scan(1, json!({}))).await;
    talk.server = instance();
    talk.ask(scan(2, json!({ "requestState": "<state 1>" }))).await;
    talk.server = instance();
    talk.ask(scan(3, json!({ "requestState": "<state 2>" }))).await;
    expect_file!["transcripts/mrtr/checkpoints.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn where_there_is_no_such_thing_the_tool_runs_on() {
    let mut talk = Conversation::with(speaks([Dialect::Saga]));
    let params = json!({ "name": "scan", "arguments": { "path": "/a" } });
    let reply = talk.ask(plain(1, "tools/callSaga", params.clone())).await;
    assert_eq!(reply["result"]["content"][0]["text"], "3 findings in /a");
    let mut pipe = Pipe::in_session(speaks([Dialect::Push]), "2025-06-18", json!({})).await;
    let reply = pipe.ask(plain(1, "tools/call", params)).await;
    assert_eq!(reply["result"]["content"][0]["text"], "3 findings in /a");
}
