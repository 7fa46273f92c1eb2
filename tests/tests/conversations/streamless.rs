//! The sketch of streamless round-trips.

use expect_test::expect_file;
use saga_runtime::Dialect;
use serde_json::{Map, Value, json};

use crate::conversation::{Conversation, modern, plain};
use crate::more::{instances, speaks};

const STATE: &str = "modelcontextprotocol.io/state/request/";

fn call(id: u32, name: &str, arguments: Value, beside: Value) -> Value {
    let mut message = plain(id, "tools/call", json!({ "name": name, "arguments": arguments }));
    message.as_object_mut().unwrap().extend(beside.as_object().cloned().unwrap_or_default());
    message
}

fn weather(id: u32, beside: Value) -> Value {
    call(id, "get_weather", json!({ "location": "New York" }), beside)
}

fn login() -> Value {
    json!({ "action": "accept", "content": { "name": "octocat" } })
}

/// A response to the login, with more beside the result.
fn login_with(more: Value) -> Value {
    let mut response = Map::from_iter([("result".to_owned(), login())]);
    response.extend(more.as_object().cloned().unwrap_or_default());
    json!({ "dependent_responses": { "github_login": response } })
}

#[tokio::test]
async fn the_example_of_the_sketch() {
    let mut talk = Conversation::with(speaks([Dialect::Streamless]));
    talk.ask(weather(2, json!({}))).await;
    // No state comes back: the tool runs from its start, and takes the answer that came.
    talk.ask(weather(3, login_with(json!({})))).await;
    expect_file!["transcripts/streamless/the_example.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn state_comes_back_in_many_ways() {
    let instance = instances([Dialect::Streamless]);
    let mut talk = Conversation::with(instance());
    talk.ask(weather(1, json!({}))).await;
    let state = json!({ (STATE): "<state 1>" });
    let mut bare = login();
    bare["_meta"] = state.clone();
    let ways = [
        login_with(json!({ "_meta": state })),
        json!({ "dependent_responses": { "github_login": bare } }),
        json!({ "dependent_responses": { "github_login": { "result": bare } } }),
        json!({ "dependent_responses": { "github_login": login() }, "request_state": "<state 1>" }),
    ];
    for beside in ways {
        talk.server = instance();
        talk.ask(weather(2, beside)).await;
    }
    expect_file!["transcripts/streamless/state.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn two_rounds_with_a_key_that_is_missing_and_one_too_many() {
    let mut talk = Conversation::with(speaks([Dialect::Streamless]));
    let deploy = |id: u32, beside: Value| call(id, "deploy", json!({ "service": "web" }), beside);
    talk.ask(deploy(1, json!({}))).await;
    let other = json!({ "result": login(), "_meta": { (STATE): "<state 1>" } });
    talk.ask(deploy(2, json!({ "dependent_responses": { "other": other } }))).await;
    let target = json!({ "result": { "action": "accept", "content": { "target": "staging" } }, "_meta": { (STATE): "<state 2>" } });
    talk.ask(deploy(3, json!({ "dependent_responses": { "target": target, "other": login() } }))).await;
    let error = json!({ "code": -1, "message": "User rejected sampling request" });
    let failed = json!({ "error": error, "_meta": { (STATE): "<state 3>" } });
    talk.ask(deploy(4, json!({ "dependent_responses": { "risk": failed } }))).await;
    expect_file!["transcripts/streamless/two_rounds.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn every_error() {
    let mut talk = Conversation::with(speaks([Dialect::Streamless]));
    talk.ask(weather(1, json!({}))).await;
    let state = |state: Value| login_with(json!({ "_meta": { (STATE): state } }));
    for beside in [
        json!({ "dependent_responses": [] }),
        json!({ "dependent_responses": { "github_login": 1 } }),
        json!({ "dependent_responses": { "github_login": { "result": 1 } } }),
        json!({ "dependent_responses": null }),
        state(json!("<state 1>-TAMPERED")),
        state(json!(7)),
        json!({ "dependent_responses": { "a": { "result": {}, "_meta": { (STATE): "<state 1>" } } }, "request_state": "x" }),
    ] {
        talk.ask(weather(2, beside)).await;
    }
    talk.ask(call(3, "get_weather", json!({ "location": "Bern" }), state(json!("<state 1>")))).await;
    talk.ask(call(4, "nothing", json!({}), json!({}))).await;
    talk.ask(call(5, "add", json!({ "a": 1, "b": 2 }), json!({}))).await;
    // A checkpoint is nothing that the sketch has: the tool runs on.
    talk.ask(call(6, "scan", json!({ "path": "/a" }), json!({}))).await;
    talk.ask(plain(7, "initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {} }))).await;
    // What names a revision is not of this dialect, and this server was not told to speak it.
    talk.ask(modern(8, "tools/call", json!({ "name": "greet" }))).await;
    expect_file!["transcripts/streamless/errors.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn it_is_off_unless_asked_for() {
    let mut talk = Conversation::with(speaks([Dialect::Mrtr, Dialect::Saga, Dialect::Push]));
    let reply = talk.ask(weather(1, login_with(json!({})))).await;
    assert_eq!(reply["error"]["code"], -32602);
}
