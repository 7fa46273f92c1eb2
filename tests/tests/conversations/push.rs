//! Clients of MCP 2025-06-18 and 2025-11-25, asked by requests of the server's on standard input and output.

use expect_test::expect_file;
use serde_json::{Value, json};

use crate::conversation::{modern, plain};
use crate::more::builder_of_all;
use crate::pipe::Pipe;
use saga_runtime::Sagas;

const JUNE: &str = "2025-06-18";
const NOVEMBER: &str = "2025-11-25";

fn server() -> Sagas {
    builder_of_all().build().unwrap()
}

fn all() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
}

fn call(id: u32, name: &str, arguments: Value) -> Value {
    plain(id, "tools/call", json!({ "name": name, "arguments": arguments }))
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m" })
}

#[tokio::test]
async fn a_whole_saga() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let form = pipe.ask(call(1, "deploy", json!({ "service": "web" }))).await;
    let prompt = pipe.answer(&form, accept(json!({ "target": "production" }))).await;
    pipe.answer(&prompt, says("Yes.")).await;
    expect_file!["transcripts/push/a_whole_saga.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn a_form_of_2025_06_18() {
    let mut pipe = Pipe::in_session(server(), JUNE, json!({ "elicitation": {} })).await;
    let form = pipe.ask(call(1, "order", json!({}))).await;
    let content = json!({ "size": "l", "extras.cheese": true, "extras.ham": false, "count": 2 });
    // Too few: it is asked again, and says why.
    let again = pipe.answer(&form, accept(json!({ "size": "l", "count": 0 }))).await;
    pipe.answer(&again, accept(content)).await;
    expect_file!["transcripts/push/a_form_of_2025_06_18.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn a_page_to_visit() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let page = pipe.ask(call(1, "login", json!({}))).await;
    let complete = pipe.answer(&page, json!({ "action": "accept" })).await;
    assert_eq!(complete["params"]["elicitationId"], page["params"]["elicitationId"]);
    pipe.hear().await;
    // A tool that failed is not done with its page.
    let page = pipe.ask(call(2, "login", json!({}))).await;
    assert_eq!(pipe.answer(&page, json!({ "action": "cancel" })).await["result"]["isError"], true);
    expect_file!["transcripts/push/a_page_to_visit.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn several_questions_in_one_round() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let name = pipe.ask(call(1, "introduce", json!({}))).await;
    let (said, roots) = (pipe.hear().await, pipe.hear().await);
    // In any order.
    pipe.say(
        json!({ "jsonrpc": "2.0", "id": roots["id"], "result": { "roots": [{ "uri": "file:///home" }] } }),
    )
    .await;
    pipe.say(json!({ "jsonrpc": "2.0", "id": name["id"], "result": accept(json!({ "name": "Ada" })) })).await;
    pipe.answer(&said, says("Pleased to meet you.")).await;
    expect_file!["transcripts/push/several_questions.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn clients_that_fail() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let form = pipe.ask(call(1, "complex_tool", json!({ "initial_arg": "value" }))).await;
    let prompt = pipe.answer(&form, accept(json!({ "target": "production" }))).await;
    let refused = json!({ "code": -1, "message": "User rejected sampling request" });
    pipe.ask(json!({ "jsonrpc": "2.0", "id": prompt["id"], "error": refused })).await;
    let roots = pipe.ask(call(2, "folders", json!({}))).await;
    let cannot =
        json!({ "code": -32601, "message": "Roots not supported", "data": { "reason": "no capability" } });
    pipe.ask(json!({ "jsonrpc": "2.0", "id": roots["id"], "error": cannot })).await;
    let form = pipe.ask(call(3, "greet", json!({}))).await;
    let again = pipe.answer(&form, json!("Ada")).await;
    let again = pipe.ask(json!({ "jsonrpc": "2.0", "id": again["id"] })).await;
    pipe.answer(&again, json!({ "action": "decline" })).await;
    expect_file!["transcripts/push/clients_that_fail.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn clients_that_cannot_be_asked() {
    let mut pipe = Pipe::in_session(server(), JUNE, json!({ "elicitation": { "url": {} } })).await;
    for name in ["login", "folders", "deploy"] {
        pipe.ask(call(1, name, json!({ "service": "web" }))).await;
    }
    pipe.ask(call(2, "nothing", json!({}))).await;
    pipe.ask(call(3, "add", json!({ "a": 1, "b": 2 }))).await;
    pipe.ask(plain(4, "ping", json!({}))).await;
    pipe.ask(plain(5, "resources/list", json!({}))).await;
    pipe.ask(plain(6, "requests/resume", json!({ "resumeToken": "t" }))).await;
    expect_file!["transcripts/push/clients_that_cannot.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn a_call_that_is_cancelled_cancels_its_question() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let form = pipe.ask(call(1, "greet", json!({}))).await;
    let params = json!({ "requestId": 1, "reason": "the person went home" });
    pipe.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    pipe.hear().await;
    // The answer crossed the cancellation.
    pipe.say(json!({ "jsonrpc": "2.0", "id": form["id"], "result": accept(json!({ "name": "Ada" })) })).await;
    pipe.ask(plain(2, "ping", json!({}))).await;
    expect_file!["transcripts/push/cancelled.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_nobody_waiting() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    pipe.ask(call(1, "greet", json!({}))).await;
    expect_file!["transcripts/push/gone.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_answer_is_waited_for_so_long() {
    let server = builder_of_all().ttl(60).build().unwrap();
    let mut pipe = Pipe::in_session(server, NOVEMBER, all()).await;
    pipe.ask(call(1, "greet", json!({}))).await;
    // The clock of the test runs on by itself while nothing else does.
    pipe.hear().await;
    pipe.hear().await;
    expect_file!["transcripts/push/late.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn many_calls_that_wait_hold_up_no_answer() {
    let mut pipe = Pipe::in_session(server(), NOVEMBER, all()).await;
    let mut asked = Vec::new();
    for id in 1..=300 {
        asked.push(pipe.ask(call(id, "greet", json!({}))).await);
    }
    for form in asked {
        let reply = pipe.answer(&form, accept(json!({ "name": "Ada" }))).await;
        assert_eq!(reply["result"]["content"][0]["text"], "Hello, Ada!");
    }
}

#[tokio::test]
async fn both_eras_in_one_process() {
    let mut pipe = Pipe::to(server());
    pipe.ask(plain(1, "tools/list", json!({}))).await;
    pipe.ask(plain(2, "initialize", json!({ "protocolVersion": "2024-11-05", "capabilities": all() }))).await;
    let reply = pipe.ask(plain(3, "tools/list", json!({}))).await;
    assert_eq!(reply["result"].as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    let waits = pipe.ask(modern(4, "tools/call", json!({ "name": "greet" }))).await;
    assert_eq!(waits["result"]["resultType"], "input_required");
    let waits = pipe.ask(plain(5, "tools/callSaga", json!({ "name": "greet" }))).await;
    assert_eq!(waits["result"]["state"], "suspended");
    let asked = pipe.ask(call(6, "greet", json!({}))).await;
    assert_eq!(asked["method"], "elicitation/create");
}
