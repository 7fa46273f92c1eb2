//! What a state is good for: its own call, by its own caller, in its time, on every server with its keys.

use saga_runtime::{KeyRing, RequestFacts};
use serde_json::{Value, json};

use crate::conversation::{Conversation, modern, plain};
use crate::tools::{Gate, Hands, builder, server, server_with_callers};

const ADA: &str = "Hello, Ada!";

fn answers() -> Value {
    json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } })
}

fn start(name: &str) -> Value {
    modern(1, "tools/call", json!({ "name": name, "arguments": { "x": 1 } }))
}

fn retry(name: &str, arguments: Value, state: &str) -> Value {
    let params =
        json!({ "name": name, "arguments": arguments, "inputResponses": answers(), "requestState": state });
    modern(2, "tools/call", params)
}

fn steps() -> Value {
    json!([{ "stepId": "user_name", "result": answers()["user_name"] }])
}

fn resume(token: &str) -> Value {
    plain(2, "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": steps() }))
}

fn caller(name: &str) -> RequestFacts {
    let mut facts = RequestFacts::default();
    facts.headers.push(("authorization".into(), format!("Bearer {name}")));
    facts
}

fn text(body: &Value) -> &str {
    body["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

const REFUSED: &str = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}}"#;
const SAGA_REFUSED: &str = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_saga_token"}}}"#;

#[tokio::test]
async fn any_server_with_the_keys_goes_on() {
    let key = KeyRing::generate_key().unwrap();
    let instance = || builder(Gate::default()).keys(KeyRing::parse(&key).unwrap()).build().unwrap();
    let mut talk = Conversation::with(instance());
    talk.ask(start("greet")).await;
    talk.server = instance();
    assert_eq!(text(&talk.ask(retry("greet", json!({ "x": 1 }), "<state 1>")).await), ADA);
    // And one without them does not.
    talk.server = server();
    assert_eq!(talk.text(retry("greet", json!({ "x": 1 }), "<state 1>")).await, REFUSED);
}

#[tokio::test]
async fn any_server_with_the_keys_goes_on_with_a_saga() {
    let key = KeyRing::generate_key().unwrap();
    let instance = || builder(Gate::default()).keys(KeyRing::parse(&key).unwrap()).build().unwrap();
    let mut talk = Conversation::with(instance());
    talk.ask(plain(1, "tools/callSaga", json!({ "name": "greet" }))).await;
    talk.server = instance();
    assert_eq!(text(&talk.ask(resume("<state 1>")).await), ADA);
    talk.server = server();
    assert_eq!(talk.text(resume("<state 1>")).await, SAGA_REFUSED);
}

#[tokio::test]
async fn every_other_use_gets_one_error() {
    let mut talk = Conversation::with(server_with_callers());
    talk.facts = caller("ada");
    talk.ask(start("greet")).await;
    talk.ask(plain(1, "tools/callSaga", json!({ "name": "greet" }))).await;

    let same = json!({ "x": 1 });
    let refused = [
        retry("greet", same.clone(), "<state 1>-TAMPERED"),
        retry("greet", same.clone(), "x<state 1>"),
        retry("greet", json!({ "x": 2 }), "<state 1>"),
        retry("greet", json!({}), "<state 1>"),
        retry("ask_once", same.clone(), "<state 1>"),
        retry("add", same.clone(), "<state 1>"),
        // The other dialect's.
        retry("greet", same.clone(), "<state 2>"),
        retry("greet", json!({}), "<state 2>"),
    ];
    for request in refused {
        let reply = talk.say(request).await;
        assert_eq!((reply.status(), reply.text().unwrap()), (400, REFUSED));
    }
    for token in ["<state 2>-TAMPERED", "<state 1>"] {
        let reply = talk.say(resume(token)).await;
        assert_eq!((reply.status(), reply.text().unwrap()), (200, SAGA_REFUSED));
    }
    for facts in [caller("bob"), RequestFacts::default()] {
        talk.facts = facts;
        let reply = talk.text(retry("greet", same.clone(), "<state 1>")).await;
        assert_eq!(reply, REFUSED);
        assert_eq!(talk.text(resume("<state 2>")).await, SAGA_REFUSED);
    }
    talk.facts = caller("ada");
    assert_eq!(text(&talk.ask(retry("greet", same, "<state 1>")).await), ADA);
    assert_eq!(text(&talk.ask(resume("<state 2>")).await), ADA);
}

#[tokio::test]
async fn a_state_that_nobody_owns_is_not_somebodys() {
    let mut talk = Conversation::with(server_with_callers());
    talk.ask(start("who")).await;
    talk.facts = caller("ada");
    assert_eq!(talk.text(retry("who", json!({ "x": 1 }), "<state 1>")).await, REFUSED);
    talk.ask(start("who")).await;
    assert_eq!(text(&talk.ask(retry("who", json!({ "x": 1 }), "<state 2>")).await), "ada, Ada, ada");
}

#[tokio::test]
async fn every_bit_counts() {
    let mut talk = Conversation::with(server());
    talk.ask(start("greet")).await;
    let token = talk.token(1).to_owned();
    for at in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(bytes).unwrap();
        assert_eq!(talk.text(retry("greet", json!({ "x": 1 }), &forged)).await, REFUSED);
    }
}

#[tokio::test]
async fn a_state_has_its_time() {
    let hands = Hands::at(1_800_000_000);
    let server = builder(Gate::default()).clock(hands.clone()).ttl(60).build().unwrap();
    let mut talk = Conversation::with(server);
    talk.ask(start("greet")).await;
    hands.pass(59);
    assert_eq!(text(&talk.ask(retry("greet", json!({ "x": 1 }), "<state 1>")).await), ADA);
    hands.pass(1);
    assert_eq!(talk.text(retry("greet", json!({ "x": 1 }), "<state 1>")).await, REFUSED);
}

#[tokio::test]
async fn callers_who_are_refused() {
    let mut talk = Conversation::with(server_with_callers());
    let forbidden = r#"{"jsonrpc":"2.0","id":1,"error":{"code":403,"message":"Forbidden"}}"#;
    for name in ["mallory", "panic"] {
        talk.facts = caller(name);
        let reply = talk.say(start("greet")).await;
        assert_eq!((reply.status(), reply.challenge()), (403, None));
        assert_eq!(reply.text().unwrap(), forbidden);
    }
    talk.facts.headers = vec![("authorization".into(), "Basic YTpi".into())];
    let reply = talk.say(start("greet")).await;
    assert_eq!((reply.status(), reply.challenge()), (401, Some("Bearer")));
    let unauthorized = r#"{"jsonrpc":"2.0","id":1,"error":{"code":401,"message":"Unauthorized"}}"#;
    assert_eq!(reply.text().unwrap(), unauthorized);
    let reply = talk.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" })).await;
    assert_eq!((reply.status(), reply.body()), (401, None));
    // What callers may see depends on who they are.
    talk.facts = caller("ada");
    let tools = talk.ask(modern(1, "tools/list", json!({}))).await;
    assert_eq!(tools["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn a_tool_that_panics_fails_alone() {
    let mut talk = Conversation::with(server());
    let reply = talk.ask(modern(1, "tools/call", json!({ "name": "fail" }))).await;
    assert_eq!(reply["result"]["isError"], true);
    assert!(text(&reply).starts_with("the tool failed (ref "), "{reply}");
    assert_eq!(talk.ask(modern(2, "tools/list", json!({}))).await["id"], 2);
}
