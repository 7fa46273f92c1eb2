//! SEP-1597.

use expect_test::expect_file;
use saga_runtime::Dialect;
use serde_json::{Value, json};

use crate::conversation::{Conversation, modern, modern_with, plain};
use crate::more::speaks;
use crate::tools::{Gate, builder, server};

fn target() -> Value {
    let result = json!({ "action": "accept", "content": { "target": "production" } });
    json!({ "stepId": "step-elicitation-A", "result": result })
}

fn call(id: &str) -> Value {
    let params = json!({ "name": "complex_tool", "arguments": { "initial_arg": "value" } });
    plain(id, "tools/callSaga", params)
}

fn resume(id: &str, token: &str, steps: Value) -> Value {
    plain(id, "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": steps }))
}

#[tokio::test]
async fn a_whole_saga() {
    let mut talk = Conversation::with(server());
    talk.ask(call("client-req-1")).await;
    talk.ask(resume("client-req-2", "<state 1>", json!([target()]))).await;
    let text = json!({ "type": "text", "text": "Yes, all systems are green." });
    let review = json!({ "role": "assistant", "content": text, "model": "client-side-llm-v2" });
    let review = json!({ "stepId": "step-sampling-B", "result": review });
    // Cumulative, and a step that was consumed says something else now: it is ignored.
    let changed = json!({ "action": "accept", "content": { "target": "elsewhere" } });
    let changed = json!({ "stepId": "step-elicitation-A", "result": changed });
    talk.ask(resume("client-req-3", "<state 2>", json!([changed, review]))).await;
    expect_file!["transcripts/saga/a_whole_saga.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn steps_that_failed_and_steps_that_are_missing() {
    let mut talk = Conversation::with(server());
    talk.ask(call("1")).await;
    // Neither result nor error is a missing step, and so is one that nobody asked for.
    let neither = json!([{ "stepId": "step-elicitation-A" }, { "stepId": "unknown", "result": {} }]);
    talk.ask(resume("2", "<state 1>", neither)).await;
    talk.ask(resume("3", "<state 2>", json!([target()]))).await;
    let error = json!({ "code": -1, "message": "User rejected sampling request", "data": { "why": "cost" } });
    let failed = json!([target(), { "stepId": "step-sampling-B", "error": error }]);
    talk.ask(resume("4", "<state 3>", failed)).await;
    let declined = json!([{ "stepId": "step-elicitation-A", "result": { "action": "decline" } }]);
    talk.ask(resume("5", "<state 1>", declined)).await;
    expect_file!["transcripts/saga/steps.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_request_that_names_a_revision() {
    let mut talk = Conversation::with(server());
    let params = json!({ "name": "complex_tool", "arguments": { "initial_arg": "value" } });
    talk.ask(modern(1, "tools/callSaga", params.clone())).await;
    let resumed = json!({ "sagaToken": "<state 1>", "completedSteps": [target()] });
    talk.ask(modern_with(json!({ "elicitation": {} }), 2, "tools/resumeSaga", resumed)).await;
    let bad = json!({ "sagaToken": "<state 1>-TAMPERED", "completedSteps": [] });
    talk.ask(modern(3, "tools/resumeSaga", bad)).await;
    talk.ask(modern(4, "tools/callSaga", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }))).await;
    talk.ask(plain(
        5,
        "tools/callSaga",
        json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2025-11-25" } }),
    ))
    .await;
    expect_file!["transcripts/saga/modern.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_strict_server_holds_clients_to_what_they_said() {
    let server = builder(Gate::default()).strict_steps().build().unwrap();
    let mut talk = Conversation::with(server);
    talk.ask(call("1")).await;
    talk.ask(resume("2", "<state 1>", json!([target()]))).await;
    let review = json!({ "role": "assistant", "content": { "type": "text", "text": "Yes." }, "model": "m" });
    let review = json!({ "stepId": "step-sampling-B", "result": review });
    let changed = json!({ "action": "accept", "content": { "target": "elsewhere" } });
    let changed = json!({ "stepId": "step-elicitation-A", "result": changed });
    talk.ask(resume("3", "<state 2>", json!([changed, review]))).await;
    talk.ask(resume("4", "<state 2>", json!([review]))).await;
    let unknown = json!({ "stepId": "unknown", "result": {} });
    talk.ask(resume("5", "<state 2>", json!([unknown, target(), review]))).await;
    // The same in other words is the same.
    let worded = json!({ "content": { "target": "production" }, "action": "accept" });
    let worded = json!({ "stepId": "step-elicitation-A", "result": worded });
    talk.ask(resume("6", "<state 2>", json!([review, worded]))).await;
    expect_file!["transcripts/saga/strict.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn every_error() {
    let mut talk = Conversation::with(server());
    talk.ask(call("1")).await;
    let malformed = [
        json!(null),
        json!({}),
        json!([1]),
        json!([{}]),
        json!([{ "stepId": 1 }]),
        json!([target(), target()]),
        json!([{ "stepId": "a", "result": {}, "error": { "code": 1, "message": "m" } }]),
        json!([{ "stepId": "a", "result": 1 }]),
        json!([{ "stepId": "a", "error": 1 }]),
        json!([{ "stepId": "a", "error": { "code": "1", "message": "m" } }]),
        json!([{ "stepId": "a", "error": { "code": 1 } }]),
    ];
    for steps in malformed {
        talk.ask(resume("2", "<state 1>", steps)).await;
    }
    for token in
        [json!("<state 1>-TAMPERED"), json!(""), json!(7), json!(null), json!("sg1.AAAAAAAAAAAAAAAAAAAA")]
    {
        talk.ask(plain("3", "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": [] }))).await;
    }
    talk.ask(plain("4", "tools/resumeSaga", json!({ "completedSteps": [] }))).await;
    talk.ask(plain("5", "tools/callSaga", json!({ "name": "nothing" }))).await;
    talk.ask(plain("6", "tools/callSaga", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }))).await;
    // The proposal has no steps for these.
    talk.ask(plain("7", "tools/callSaga", json!({ "name": "folders" }))).await;
    talk.ask(plain("8", "tools/callSaga", json!({ "name": "login" }))).await;
    talk.ask(modern_with(json!({ "roots": {} }), 9, "tools/callSaga", json!({ "name": "folders" }))).await;
    expect_file!["transcripts/saga/errors.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn pages_and_folders_are_for_clients_that_declare_them() {
    let mut talk = Conversation::with(server());
    let with = |id: u32, capabilities: Value, method: &str, params: Value| {
        modern_with(capabilities, id, method, params)
    };
    let pages = json!({ "elicitation": { "url": {} } });
    talk.ask(with(1, pages.clone(), "tools/callSaga", json!({ "name": "login" }))).await;
    let visited = json!([{ "stepId": "page", "result": { "action": "accept" } }]);
    let resumed = json!({ "sagaToken": "<state 1>", "completedSteps": visited });
    talk.ask(with(2, pages, "tools/resumeSaga", resumed)).await;
    let folders = json!({ "roots": {}, "extensions": { "rs.saga/sagas": {} } });
    talk.ask(with(3, folders.clone(), "tools/callSaga", json!({ "name": "folders" }))).await;
    let roots = json!({ "roots": [{ "uri": "file:///home", "name": "home" }] });
    let resumed =
        json!({ "sagaToken": "<state 2>", "completedSteps": [{ "stepId": "roots", "result": roots }] });
    talk.ask(with(4, folders.clone(), "tools/resumeSaga", resumed)).await;
    // Without the extension the client does not know the step.
    talk.ask(with(5, json!({ "roots": {} }), "tools/callSaga", json!({ "name": "folders" }))).await;
    talk.ask(with(6, folders, "tools/callSaga", json!({ "name": "login" }))).await;
    expect_file!["transcripts/saga/pages_and_folders.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_plain_call_where_no_revision_is_spoken() {
    let mut talk = Conversation::with(speaks([Dialect::Saga]));
    talk.ask(plain(1, "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }))).await;
    talk.ask(plain(2, "tools/call", json!({ "name": "complex_tool", "arguments": { "initial_arg": "v" } })))
        .await;
    talk.ask(plain(3, "tools/call", json!({ "name": "nothing" }))).await;
    talk.ask(modern(4, "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }))).await;
    // Where 2026-07-28 is spoken, its rule holds: a request names its revision.
    talk.server = server();
    talk.ask(plain(5, "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2 } }))).await;
    expect_file!["transcripts/saga/plain_calls.txt"].assert_eq(talk.transcript());
}
