//! What is written to the log: that something happened, and never a token, a key, a state, an answer or a caller.

use saga_runtime::{KeyRing, Principal, RequestFacts};
use saga_tests::log::Log;
use serde_json::{Value, json};
use tracing::subscriber;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::conversation::{Conversation, modern, plain};
use crate::tools::{Gate, builder};

fn answers() -> Value {
    json!({ "user_name": { "action": "accept", "content": { "name": "XX-answer" } } })
}

#[tokio::test]
async fn the_log_keeps_secrets() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::FULL)
        .with_writer(log.clone())
        .with_ansi(false)
        .finish();
    // For all threads: what one thread's subscriber may see is settled by whichever test comes first.
    subscriber::set_global_default(subscriber).unwrap();

    let key = KeyRing::generate_key().unwrap();
    let server = builder(Gate::default())
        .keys(KeyRing::parse(&key).unwrap())
        .principal(|facts| Ok(facts.header("authorization").map(Principal::new)))
        .build()
        .unwrap();
    let mut talk = Conversation::with(server);
    talk.facts.headers.push(("authorization".into(), "XX-caller".into()));
    let arguments = json!({ "secret": "XX-argument" });
    let more = |state: &str| json!({ "name": "greet", "arguments": arguments, "inputResponses": answers(), "requestState": state });
    talk.ask(modern(1, "tools/call", json!({ "name": "greet", "arguments": arguments }))).await;
    talk.ask(plain(2, "tools/callSaga", json!({ "name": "greet", "arguments": arguments }))).await;
    talk.ask(modern(3, "tools/call", more("<state 1>-TAMPERED"))).await;
    talk.ask(modern(4, "tools/call", more("<state 2>"))).await;
    talk.ask(modern(5, "tools/call", more("XX-state"))).await;
    talk.ask(modern(6, "tools/call", more("<state 1>"))).await;
    let steps = json!([{ "stepId": "user_name", "result": answers()["user_name"] }]);
    for token in ["XX-token", "<state 2>-TAMPERED", "<state 2>"] {
        talk.ask(plain(7, "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": steps }))).await;
    }
    talk.ask(modern(8, "tools/call", json!({ "name": "add", "arguments": { "a": "XX-argument" } }))).await;
    talk.facts = RequestFacts::default();
    talk.ask(modern(9, "tools/call", more("<state 1>"))).await;

    let log = log.text();
    assert!(log.contains("transition") && log.contains("refused a token"), "{log}");
    let secrets = ["XX-", &talk.token(1)[..24], &talk.token(2)[..24], &key[key.len() - 24..]];
    for secret in secrets {
        assert!(!log.contains(secret), "the log has {secret}: {log}");
    }
}
