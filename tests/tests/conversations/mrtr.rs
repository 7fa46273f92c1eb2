//! MCP 2026-07-28.

use expect_test::expect_file;
use serde_json::{Value, json};

use crate::conversation::{Conversation, modern, modern_with, plain};
use crate::tools::server;

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m", "stopReason": "endTurn" })
}

fn deploy(id: u32, more: Value) -> Value {
    let mut params = json!({ "name": "deploy", "arguments": { "service": "web" } });
    params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    modern(id, "tools/call", params)
}

#[tokio::test]
async fn a_whole_saga() {
    let mut talk = Conversation::with(server());
    talk.ask(deploy(1, json!({}))).await;
    let answer = json!({ "target": accept(json!({ "target": "production" })) });
    talk.ask(deploy(2, json!({ "inputResponses": answer, "requestState": "<state 1>" }))).await;
    let answer = json!({ "risk": says("Yes.") });
    talk.ask(deploy(3, json!({ "inputResponses": answer, "requestState": "<state 2>" }))).await;
    expect_file!["transcripts/mrtr/a_whole_saga.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn what_a_server_says_about_itself() {
    let mut talk = Conversation::with(server());
    talk.ask(modern("d", "server/discover", json!({}))).await;
    talk.ask(modern("l", "tools/list", json!({}))).await;
    expect_file!["transcripts/mrtr/discovery.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn answers_that_do_not_fit_are_asked_for_again() {
    let mut talk = Conversation::with(server());
    let greet = |id: u32, more: Value| {
        let mut params = json!({ "name": "greet" });
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        modern(id, "tools/call", params)
    };
    talk.ask(greet(1, json!({}))).await;
    // Missing, with one that nobody asked for.
    let missing = json!({ "other": accept(json!({ "name": "Ada" })) });
    talk.ask(greet(2, json!({ "inputResponses": missing, "requestState": "<state 1>" }))).await;
    let short = json!({ "user_name": accept(json!({ "name": "A" })) });
    talk.ask(greet(3, json!({ "inputResponses": short, "requestState": "<state 2>" }))).await;
    let error = json!({ "user_name": { "error": { "code": -1, "message": "no" } } });
    talk.ask(greet(4, json!({ "inputResponses": error, "requestState": "<state 3>" }))).await;
    // The second token is good still.
    let fits = json!({ "user_name": accept(json!({ "name": "Ada" })) });
    talk.ask(greet(5, json!({ "inputResponses": fits, "requestState": "<state 2>" }))).await;
    let declined = json!({ "user_name": { "action": "decline" } });
    talk.ask(greet(6, json!({ "inputResponses": declined, "requestState": "<state 1>" }))).await;
    expect_file!["transcripts/mrtr/asked_again.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn answers_that_come_with_the_first_call() {
    let mut talk = Conversation::with(server());
    let with = |id: u32, name: &str, answers: Value| {
        modern(id, "tools/call", json!({ "name": name, "inputResponses": answers }))
    };
    let fits = json!({ "user_name": accept(json!({ "name": "Ada" })), "unknown": { "a": 1 } });
    talk.ask(with(1, "greet", fits)).await;
    talk.ask(with(2, "greet", json!({ "wrong_key": accept(json!({ "name": "Ada" })) }))).await;
    talk.ask(with(3, "greet", json!({ "user_name": accept(json!({ "name": 12345 })) }))).await;
    talk.ask(with(4, "greet", Value::Null)).await;
    // One attempt means one question, and this one was never asked.
    talk.ask(with(5, "ask_once", json!({ "user_name": accept(json!({ "name": 12345 })) }))).await;
    expect_file!["transcripts/mrtr/early_answers.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_capability_withdrawn_between_rounds() {
    let mut talk = Conversation::with(server());
    let answer = json!({ "target": accept(json!({ "target": "staging" })) });
    let params = json!({ "name": "deploy", "arguments": { "service": "web" } });
    let forms = json!({ "elicitation": {} });
    // Both are needed on every path, so the tool does not begin without one of them.
    talk.ask(modern_with(forms.clone(), 1, "tools/call", params.clone())).await;
    talk.ask(modern(2, "tools/call", params)).await;
    let resumed = json!({ "name": "deploy", "arguments": { "service": "web" },
        "inputResponses": answer, "requestState": "<state 1>" });
    talk.ask(modern_with(forms, 3, "tools/call", resumed.clone())).await;
    // The token is good still, from a client that can.
    talk.ask(modern(4, "tools/call", resumed)).await;
    talk.ask(modern_with(json!({}), 5, "tools/call", json!({ "name": "deploy" }))).await;
    talk.ask(modern_with(json!({ "elicitation": {} }), 6, "tools/call", json!({ "name": "login" }))).await;
    talk.ask(modern_with(json!({ "roots": {} }), 7, "tools/call", json!({ "name": "folders" }))).await;
    expect_file!["transcripts/mrtr/capabilities.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn corners() {
    let mut talk = Conversation::with(server());
    let greet = |id: u32, more: Value| {
        let mut params = json!({ "name": "greet" });
        params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        modern(id, "tools/call", params)
    };
    let ada = json!({ "user_name": accept(json!({ "name": "Ada" })) });
    // No state is none, also in these words; and answers without one are early.
    talk.ask(greet(1, json!({ "requestState": null, "inputResponses": null }))).await;
    talk.ask(greet(2, json!({ "requestState": null, "inputResponses": ada }))).await;
    // The reply was lost: the same token with the same answer, and with another.
    let again = json!({ "requestState": "<state 1>", "inputResponses": ada });
    talk.ask(greet(3, again.clone())).await;
    talk.ask(greet(4, again)).await;
    let bob = json!({ "user_name": accept(json!({ "name": "Bob" })) });
    talk.ask(greet(5, json!({ "requestState": "<state 1>", "inputResponses": bob }))).await;
    // An error is no response in this protocol: it fits no question.
    let error = json!({ "user_name": { "error": { "code": -1, "message": "no" } } });
    talk.ask(greet(6, json!({ "requestState": "<state 1>", "inputResponses": error }))).await;
    let wrapped = json!({ "user_name": { "result": accept(json!({ "name": "Ada" })) } });
    talk.ask(greet(7, json!({ "requestState": "<state 1>", "inputResponses": wrapped }))).await;
    // Other arguments, another tool, another method.
    let other = json!({ "requestState": "<state 1>", "inputResponses": ada, "arguments": { "x": 1 } });
    talk.ask(greet(8, other.clone())).await;
    let ask_once = json!({ "name": "ask_once", "requestState": "<state 1>", "inputResponses": ada });
    talk.ask(modern(9, "tools/call", ask_once)).await;
    let resume = json!({ "sagaToken": "<state 1>", "completedSteps": [] });
    talk.ask(modern(10, "tools/resumeSaga", resume)).await;
    // Extra keys, at every level.
    let extra = json!({ "user_name": { "action": "accept", "content": { "name": "Ada", "age": 7 }, "why": 1 }, "b": {} });
    let extra = json!({ "requestState": "<state 1>", "inputResponses": extra, "dependent_responses": {}, "task": {} });
    talk.ask(greet(11, extra)).await;
    // Answers for a tool that asks nothing, and for one that is not there.
    let add = json!({ "name": "add", "arguments": { "a": 1, "b": 2 }, "inputResponses": ada });
    talk.ask(modern(12, "tools/call", add)).await;
    talk.ask(modern(
        13,
        "tools/call",
        json!({ "name": "nothing", "inputResponses": ada, "requestState": "x" }),
    ))
    .await;
    expect_file!["transcripts/mrtr/corners.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn every_error() {
    let mut talk = Conversation::with(server());
    let version = |version: Value| {
        let capabilities = json!({});
        json!({ "_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        } })
    };
    let call = |id: u32, more: Value| modern(id, "tools/call", more);
    talk.ask(json!([plain(1, "tools/list", json!({}))])).await;
    talk.ask(json!("tools/list")).await;
    talk.ask(json!({ "jsonrpc": "2.0", "id": null, "method": "tools/list" })).await;
    talk.ask(json!({ "jsonrpc": "2.0", "id": 1.5, "method": "tools/list" })).await;
    talk.ask(json!({ "jsonrpc": "1.0", "id": 2, "method": "tools/list" })).await;
    talk.ask(json!({ "jsonrpc": "2.0", "id": 3, "method": 3 })).await;
    talk.ask(json!({ "jsonrpc": "2.0", "id": 4, "result": {} })).await;
    talk.ask(json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": [1] })).await;
    talk.ask(plain(6, "tools/list", json!({}))).await;
    talk.ask(plain(7, "tools/list", version(json!(1)))).await;
    talk.ask(plain(8, "server/discover", version(json!("1900-01-01")))).await;
    let no_capabilities = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    talk.ask(plain(9, "tools/list", no_capabilities)).await;
    talk.ask(plain(10, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }))).await;
    talk.ask(modern(11, "ping", json!({}))).await;
    talk.ask(modern(12, "prompts/list", json!({}))).await;
    talk.ask(call(13, json!({}))).await;
    talk.ask(call(14, json!({ "name": "nothing" }))).await;
    talk.ask(call(15, json!({ "name": "greet", "arguments": [] }))).await;
    talk.ask(call(16, json!({ "name": "greet", "inputResponses": [] }))).await;
    talk.ask(call(17, json!({ "name": "greet", "inputResponses": { "user_name": 1 } }))).await;
    talk.ask(call(18, json!({ "name": "greet", "requestState": 1 }))).await;
    talk.ask(call(19, json!({ "name": "greet", "requestState": "" }))).await;
    talk.ask(modern(20, "tools/list", json!({ "cursor": "next" }))).await;
    // These are the tool's, and the model's to mend.
    talk.ask(call(21, json!({ "name": "add", "arguments": { "a": "one" } }))).await;
    assert_eq!(
        talk.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await.body(),
        None
    );
    expect_file!["transcripts/mrtr/errors.txt"].assert_eq(talk.transcript());
    let broken = talk.server.handle(b"{\"jsonrpc\"", &talk.facts).await;
    let text =
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the message is not JSON"}}"#;
    assert_eq!((broken.status(), broken.text().unwrap()), (400, text));
}
