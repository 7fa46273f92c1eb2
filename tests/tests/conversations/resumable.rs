//! SEP-975: resumable requests, on standard input and output.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::expect_file;
use saga_runtime::guard::{Claim, Guard, Guarding, MemoryGuard, Turn};
use saga_runtime::{Dialect, KeyRing, ToolError, call, checkpoint, elicit, join, saga, saga_tool};
use serde_json::{Value, json};

use crate::conversation::plain;
use crate::more::{builder_of_all, instances};
use crate::pipe::Pipe;
use crate::tools::Name;

const NOVEMBER: &str = "2025-11-25";

pub(crate) fn capabilities() -> Value {
    json!({ "elicitation": {}, "sampling": {}, "resumableRequests": {} })
}

pub(crate) fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

pub(crate) fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m" })
}

pub(crate) fn deploy(id: u32) -> Value {
    plain(id, "tools/call", json!({ "name": "deploy", "arguments": { "service": "web" } }))
}

pub(crate) fn resume(id: u32, token: &str) -> Value {
    plain(id, "requests/resume", json!({ "resumeToken": token }))
}

#[tokio::test]
async fn a_server_that_is_killed_between_question_and_answer() {
    let instance = instances([Dialect::Push, Dialect::Resumable]);
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(deploy(123)).await;
    pipe.hear().await;
    pipe.restart(instance(), NOVEMBER, capabilities()).await;
    let status = json!({ "requestId": 123, "resumeToken": "<state 1>" });
    pipe.ask(plain("s1", "requests/getStatus", status)).await;
    pipe.ask(resume(123, "<state 1>")).await;
    let form = pipe.hear().await;
    pipe.answer(&form, accept(json!({ "target": "production" }))).await;
    pipe.hear().await;
    pipe.restart(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(resume(123, "<state 3>")).await;
    let prompt = pipe.hear().await;
    pipe.answer(&prompt, says("Yes.")).await;
    expect_file!["transcripts/resumable/killed.txt"].assert_eq(&pipe.close().await);
}

#[tokio::test]
async fn resuming_often_is_no_wrong_answer() {
    let instance = instances([Dialect::Resumable]);
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(plain(1, "tools/call", json!({ "name": "ask_once" }))).await;
    pipe.hear().await;
    for _ in 0..5 {
        pipe.ask(resume(1, "<state 1>")).await;
        let form = pipe.hear().await;
        assert_eq!(form["params"]["message"], "What is your name?");
    }
    pipe.ask(resume(1, "<state 1>")).await;
    let form = pipe.hear().await;
    let reply = pipe.answer(&form, accept(json!({ "name": "Ada" }))).await;
    assert_eq!(reply["result"]["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test]
async fn checkpoints_can_be_resumed_from() {
    let instance = instances([Dialect::Resumable]);
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(plain(1, "tools/call", json!({ "name": "scan", "arguments": { "path": "/a" } }))).await;
    pipe.hear().await;
    pipe.hear().await;
    pipe.restart(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(resume(1, "<state 2>")).await;
    expect_file!["transcripts/resumable/checkpoints.txt"].assert_eq(&pipe.close().await);
}

/// A store that outlives its servers.
#[derive(Debug, Clone)]
pub(crate) struct Store(pub(crate) Arc<MemoryGuard>);

impl Guard for Store {
    fn claim<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Claim> {
        self.0.claim(turn)
    }

    fn keep<'a>(&'a self, turn: &'a Turn, reply: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>> {
        self.0.keep(turn, reply)
    }

    fn kept<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Option<Vec<u8>>> {
        self.0.kept(turn)
    }

    fn abandon(&self, turn: &Turn) {
        self.0.abandon(turn);
    }
}

#[tokio::test]
async fn with_a_guard_a_lost_result_is_given_again() {
    let (key, guard) = (KeyRing::generate_key().unwrap(), Store(Arc::new(MemoryGuard::new())));
    let instance = || {
        let builder = builder_of_all().dialects([Dialect::Resumable]).guard(guard.clone());
        builder.keys(KeyRing::parse(&key).unwrap()).build().unwrap()
    };
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(deploy(1)).await;
    let form = pipe.hear().await;
    pipe.answer(&form, accept(json!({ "target": "production" }))).await;
    let prompt = pipe.hear().await;
    pipe.answer(&prompt, says("No.")).await;
    // Say that the client never saw the result, nor the second question.
    pipe.restart(instance(), NOVEMBER, capabilities()).await;
    for token in ["<state 2>", "<state 1>"] {
        pipe.ask(plain("s", "requests/getStatus", json!({ "requestId": 1, "resumeToken": token }))).await;
    }
    pipe.ask(resume(1, "<state 2>")).await;
    // This round has run, too: what comes is the question after it, with the token that it had.
    pipe.ask(resume(1, "<state 1>")).await;
    let prompt = pipe.hear().await;
    // Whatever is answered now, the round that it is for has its result.
    pipe.answer(&prompt, says("Yes.")).await;
    expect_file!["transcripts/resumable/with_a_guard.txt"].assert_eq(&pipe.close().await);
}

static PAID: AtomicU32 = AtomicU32::new(0);

#[saga]
async fn pay() -> Result<u32, ToolError> {
    checkpoint("the bill is there").await;
    PAID.fetch_add(1, Ordering::Relaxed);
    Ok(1)
}

#[saga]
async fn payer() -> Result<String, ToolError> {
    let user_name: Name = elicit("Who pays?").await?;
    Ok(user_name.name)
}

/// Pays while it asks.
#[saga_tool]
async fn pay_and_ask() -> Result<String, ToolError> {
    let (paid, name) = join!(call(pay()), call(payer())).await?;
    Ok(format!("{name} has paid {paid}"))
}

/// What waited at a checkpoint goes on when the others are asked again: this round runs, and once.
#[tokio::test]
async fn with_a_guard_what_asks_nobody_goes_on_once() {
    let (key, guard) = (KeyRing::generate_key().unwrap(), Store(Arc::new(MemoryGuard::new())));
    let instance = || {
        let builder = builder_of_all().tool::<pay_and_ask>().dialects([Dialect::Resumable]);
        builder.guard(guard.clone()).keys(KeyRing::parse(&key).unwrap()).build().unwrap()
    };
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(plain(1, "tools/call", json!({ "name": "pay_and_ask" }))).await;
    pipe.hear().await;
    for _ in 0..3 {
        pipe.restart(instance(), NOVEMBER, capabilities()).await;
        pipe.ask(resume(1, "<state 1>")).await;
        let form = pipe.hear().await;
        assert_eq!(form["params"]["message"], "Who pays?");
        assert_eq!(PAID.load(Ordering::Relaxed), 1);
    }
    pipe.ask(resume(1, "<state 1>")).await;
    let form = pipe.hear().await;
    let reply = pipe.answer(&form, accept(json!({ "name": "Ada" }))).await;
    assert_eq!(reply["result"]["content"][0]["text"], "Ada has paid 1");
}

#[tokio::test]
async fn every_error() {
    let instance = instances([Dialect::Push, Dialect::Resumable]);
    let mut pipe = Pipe::in_session(instance(), NOVEMBER, capabilities()).await;
    pipe.ask(deploy(1)).await;
    pipe.hear().await;
    // Another request's id, a token that is none, none at all.
    pipe.ask(resume(2, "<state 1>")).await;
    pipe.ask(resume(1, "<state 1>-TAMPERED")).await;
    pipe.ask(plain(1, "requests/resume", json!({ "resumeToken": 7 }))).await;
    pipe.ask(plain(1, "requests/resume", json!({}))).await;
    for (id, token) in [(json!(2), "<state 1>"), (json!(1), "x"), (json!(null), "<state 1>")] {
        pipe.ask(plain("s", "requests/getStatus", json!({ "requestId": id, "resumeToken": token }))).await;
    }
    // A client that did not declare it hears nothing of it.
    pipe.restart(instance(), NOVEMBER, json!({ "elicitation": {}, "sampling": {} })).await;
    let form = pipe.ask(deploy(1)).await;
    assert_eq!(form["method"], "elicitation/create");
    pipe.ask(resume(1, "<state 1>")).await;
    expect_file!["transcripts/resumable/errors.txt"].assert_eq(&pipe.close().await);
}
