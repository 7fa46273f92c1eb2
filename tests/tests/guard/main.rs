//! Single use: of all requests that bring one token, one goes on; P13.

mod faults;
mod race;
mod reached;
mod settings;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use saga_runtime::host::{Arguments, Call, Outcome, Refusal};
use saga_runtime::step::Answer;
use saga_runtime::{Builder, Client, Form, Json, KeyRing, Saga, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Form, Serialize, Deserialize, Debug)]
struct Amount {
    euros: i64,
}

/// What the world sees of a tool.
#[derive(Default)]
struct Bank {
    charges: AtomicU32,
    keys: Mutex<Vec<String>>,
    /// Waited for in the middle of a transition, if there is a permit to wait for.
    gate: Option<tokio::sync::Semaphore>,
    waiting: AtomicU32,
}

impl Bank {
    async fn charge(&self, key: String) {
        if let Some(gate) = &self.gate {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            gate.acquire().await.expect("never closed").forget();
        }
        tokio::task::yield_now().await;
        self.keys.lock().expect("no panic").push(key);
        self.charges.fetch_add(1, Ordering::SeqCst);
    }

    /// How many have come to the gate.
    fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::SeqCst)
    }

    fn charges(&self) -> u32 {
        self.charges.load(Ordering::SeqCst)
    }
}

/// Charges twice, each time after asking how much.
#[saga_tool(replay = "once")]
async fn charge(
    account: String,
    #[context] bank: &std::sync::Arc<Bank>,
    #[context] saga: &Saga,
) -> Result<String, ToolError> {
    let first: Amount = elicit(format!("How much from {account}?")).await?;
    bank.charge(saga.idempotency_key("charge")).await;
    let second: Amount = elicit(format!("{} are charged. How much more?", first.euros)).await?;
    bank.charge(saga.idempotency_key("charge")).await;
    Ok(format!("{} from {account}", first.euros + second.euros))
}

/// The same without a guard's protection.
#[saga_tool(replay = "window")]
async fn window(#[context] bank: &std::sync::Arc<Bank>, #[context] saga: &Saga) -> Result<String, ToolError> {
    let first: Amount = elicit("How much?").await?;
    bank.charge(saga.idempotency_key("charge")).await;
    Ok(format!("{}", first.euros))
}

/// Says nothing about replays, and goes on when the store is down.
#[saga_tool(store_down = "run")]
async fn hardy(#[context] bank: &std::sync::Arc<Bank>, #[context] saga: &Saga) -> Result<String, ToolError> {
    let first: Amount = elicit("How much?").await?;
    bank.charge(saga.idempotency_key("charge")).await;
    Ok(format!("{}", first.euros))
}

/// Gives nothing, as structured content.
#[saga_tool]
async fn nothing() -> Result<Json<Option<u32>>, ToolError> {
    elicit::<Amount>("How much?").key("first").await?;
    Ok(Json(None))
}

fn builder(bank: &std::sync::Arc<Bank>) -> Builder<std::sync::Arc<Bank>> {
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    Sagas::builder("bank", "1")
        .keys(keys)
        .context(bank.clone())
        .tool::<charge>()
        .tool::<window>()
        .tool::<hardy>()
        .tool::<nothing>()
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn call(token: Option<&str>, answers: &[(&str, i64)]) -> Call {
    let client = Client::new(object(&json!({ "elicitation": {} })));
    let mut call =
        Call::new("test", "tools/call", Arguments::Sent(object(&json!({ "account": "ada" }))), client);
    call.token = token.map(str::to_owned);
    call.answers = answers
        .iter()
        .map(|(key, euros)| {
            let result = json!({ "action": "accept", "content": { "euros": euros } });
            ((*key).to_owned(), Answer::Result(object(&result)))
        })
        .collect::<BTreeMap<_, _>>();
    call
}

async fn send(sagas: &Sagas, tool: &str, call: Call) -> Outcome {
    sagas.serve(sagas.tool(tool).expect("the tool"), call).await
}

/// The token of a tool's first question.
async fn start(sagas: &Sagas, tool: &str) -> String {
    token(send(sagas, tool, call(None, &[])).await)
}

#[track_caller]
fn token(outcome: Outcome) -> String {
    match outcome {
        Outcome::Suspended(waiting) => waiting.token,
        other => panic!("{other:?}"),
    }
}

/// An outcome as far as a client can tell it from another.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(result) => format!("done: {}", Value::Object(result.to_json())),
        Outcome::Suspended(waiting) => {
            format!("asks {:?} {:?} {}", waiting.asked, waiting.partial, waiting.token)
        }
        Outcome::Refused(refusal) => format!("refused: {refusal:?}"),
        other => panic!("{other:?}"),
    }
}

fn is_forked(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Refused(Refusal::State))
}
