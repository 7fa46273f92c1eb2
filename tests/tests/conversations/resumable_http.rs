//! SEP-975 over HTTP: a session's id says what `initialize` settled, the server asks in the stream of the call, and
//! the client answers by a POST of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::expect_file;
use saga_runtime::guard::MemoryGuard;
use saga_runtime::{Dialect, KeyRing, Principal, RequestFacts, Sagas};
use serde_json::{Value, json};

use crate::conversation::{modern, plain};
use crate::more::{builder_of_all, instances};
use crate::resumable::{Store, accept, capabilities, deploy, resume, says};
use crate::web::{Stream, Web};

/// What the tool asks next: the policy is told before.
async fn question(web: &mut Web, stream: &mut Stream) -> Value {
    let policy = web.hear(stream).await.unwrap();
    assert_eq!(policy["method"], "notifications/requests/resumePolicy");
    web.hear(stream).await.unwrap()
}

fn answer(question: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })
}

fn status(id: u32, token: &str) -> Value {
    plain("s", "requests/getStatus", json!({ "requestId": id, "resumeToken": token }))
}

#[tokio::test]
async fn a_whole_saga_and_a_lost_stream() {
    let instance = instances([Dialect::Resumable]);
    let mut web = Web::in_session(&instance(), capabilities()).await;
    let mut stream = web.post(deploy(123)).await;
    let form = question(&mut web, &mut stream).await;
    web.ask(answer(&form, accept(json!({ "target": "production" })))).await;
    question(&mut web, &mut stream).await;
    web.drop(stream);
    // The session's id and the token are all that another instance needs.
    web.at(&instance());
    web.ask(status(123, "<state 2>")).await;
    let mut stream = web.post(resume(123, "<state 2>")).await;
    let prompt = question(&mut web, &mut stream).await;
    web.ask(answer(&prompt, says("Yes."))).await;
    web.hear(&mut stream).await;
    expect_file!["transcripts/resumable/over_http.txt"].assert_eq(web.transcript());
}

#[tokio::test]
async fn with_a_shared_store_a_lost_result_is_given_again() {
    let (key, guard) = (KeyRing::generate_key().unwrap(), Store(Arc::new(MemoryGuard::new())));
    let instance = || {
        let builder = builder_of_all().dialects([Dialect::Resumable]).guard(guard.clone());
        builder.keys(KeyRing::parse(&key).unwrap()).build().unwrap()
    };
    let mut web = Web::in_session(&instance(), capabilities()).await;
    for (id, said, state) in [(1, "Yes.", "completed"), (2, "No.", "failed")] {
        let mut stream = web.post(deploy(id)).await;
        let form = question(&mut web, &mut stream).await;
        web.ask(answer(&form, accept(json!({ "target": "production" })))).await;
        let prompt = question(&mut web, &mut stream).await;
        let last = format!("<state {}>", 2 * id);
        web.ask(answer(&prompt, says(said))).await;
        // The result is lost. The tool runs to its end all the same.
        web.drop(stream);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        web.at(&instance());
        assert_eq!(web.ask(status(id, &last)).await["result"]["status"], state);
        for _ in 0..2 {
            let result = web.ask(resume(id, &last)).await;
            assert_eq!(result["result"]["isError"].as_bool().unwrap_or_default(), state == "failed");
        }
    }
    expect_file!["transcripts/resumable/over_http_with_a_guard.txt"].assert_eq(web.transcript());
}

#[tokio::test]
async fn every_error() {
    let instance = instances([Dialect::Mrtr, Dialect::Resumable]);
    let mut web = Web::in_session(&instance(), capabilities()).await;
    let mut stream = web.post(deploy(1)).await;
    let form = question(&mut web, &mut stream).await;
    // Another request's id, a token that is none, and a response to an instance that asked nothing.
    web.ask(resume(2, "<state 1>")).await;
    web.ask(resume(1, "x")).await;
    web.ask(status(2, "<state 1>")).await;
    web.at(&instance());
    web.ask(answer(&form, accept(json!({ "target": "production" })))).await;
    // A session of nobody's.
    web.claim("v1.x");
    web.ask(deploy(3)).await;
    // A client that does not take requests up again is in no session.
    web.open(json!({ "elicitation": {}, "sampling": {} })).await;
    web.ask(deploy(4)).await;
    expect_file!["transcripts/resumable/over_http_errors.txt"].assert_eq(web.transcript());
}

#[tokio::test]
async fn a_request_may_be_taken_up_while_its_stream_is_open() {
    let instance = instances([Dialect::Resumable]);
    let mut web = Web::in_session(&instance(), capabilities()).await;
    let mut first = web.post(deploy(1)).await;
    let form = question(&mut web, &mut first).await;
    let mut second = web.post(resume(1, "<state 1>")).await;
    let again = question(&mut web, &mut second).await;
    assert_ne!(form["id"], again["id"]);
    // Each stream has its own question, and both go on.
    for (form, stream) in [(again, &mut second), (form, &mut first)] {
        web.ask(answer(&form, accept(json!({ "target": "staging" })))).await;
        let prompt = question(&mut web, stream).await;
        web.ask(answer(&prompt, says("Yes."))).await;
        let result = web.hear(stream).await.unwrap();
        assert_eq!(result["result"]["content"][0]["text"], "Deployed web to staging.");
    }
}

#[tokio::test]
async fn a_session_is_its_callers() {
    let caller = |name: &'static str, key: &str| -> Sagas {
        let builder = builder_of_all().dialects([Dialect::Resumable]).keys(KeyRing::parse(key).unwrap());
        builder.principal(move |_| Ok(Some(Principal::new(name)))).build().unwrap()
    };
    let key = KeyRing::generate_key().unwrap();
    let mut web = Web::in_session(&caller("ada", &key), capabilities()).await;
    let mut stream = web.post(deploy(1)).await;
    question(&mut web, &mut stream).await;
    web.at(&caller("eve", &key));
    web.ask(resume(1, "<state 1>")).await;
    // Eve in a session of her own cannot take up Ada's request.
    web.open(capabilities()).await;
    let refused = web.ask(resume(1, "<state 1>")).await;
    assert_eq!(refused["error"]["code"], -32602);
    assert!(web.transcript().contains("← 404\n← no such session; send `initialize`"));
}

/// A hook may use something up: a nonce, or one of so many calls a minute.
#[tokio::test]
async fn who_calls_is_asked_once_for_each_message() {
    let asked = Arc::new(AtomicU32::new(0));
    let hook = {
        let asked = Arc::clone(&asked);
        move |_: &RequestFacts| {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(Some(Principal::new("ada")))
        }
    };
    let builder = builder_of_all().dialects([Dialect::Mrtr, Dialect::Resumable]);
    let sagas = builder.principal(hook).build().unwrap();
    let is_once = |what: &str| assert_eq!(asked.swap(0, Ordering::Relaxed), 1, "{what}");

    let mut web = Web::in_session(&sagas, capabilities()).await;
    is_once("a session is opened");
    let mut stream = web.post(deploy(1)).await;
    let form = question(&mut web, &mut stream).await;
    is_once("a call in it");
    web.ask(answer(&form, accept(json!({ "target": "production" })))).await;
    is_once("a response in it");
    web.ask(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    is_once("a notification in it");
    web.ask(status(1, "<state 1>")).await;
    is_once("another request in it");
    web.ask(modern(2, "tools/list", json!({}))).await;
    is_once("a request that needs no session");
    web.ask(plain(3, "nothing", json!({}))).await;
    is_once("a method that there is not");
    web.claim("v1.x");
    web.ask(deploy(4)).await;
    is_once("a session of nobody's");
    let mut web = Web::to(&sagas);
    web.ask(deploy(5)).await;
    is_once("a call outside of a session");
    web.ask(answer(&form, json!({}))).await;
    is_once("a response outside of a session");
}

/// Status 404 would tell a client that its session is gone (MCP 2025-11-25, session management).
#[tokio::test]
async fn a_method_that_there_is_not_ends_no_session() {
    let instance = instances([Dialect::Mrtr, Dialect::Resumable]);
    let mut web = Web::in_session(&instance(), capabilities()).await;
    for method in ["logging/setLevel", "prompts/list", "tools/callSaga"] {
        assert_eq!(web.ask(plain(1, method, json!({}))).await["error"]["code"], -32601);
    }
    assert!(!web.transcript().contains("← 404"), "{}", web.transcript());
}

#[tokio::test]
async fn without_the_dialect_there_are_no_sessions() {
    let mut web = Web::in_session(&builder_of_all().build().unwrap(), capabilities()).await;
    assert!(web.transcript().contains("\"code\": -32022"));
    web.claim("v1.x");
    // The header means nothing here.
    let reply = web.ask(plain(1, "tools/callSaga", json!({ "name": "greet" }))).await;
    assert_eq!(reply["result"]["state"], "suspended");
}
