//! A state that is too large to travel waits in a store, and has every property of a token there.

mod faults;
mod properties;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use saga_runtime::host::{Arguments, Call, Outcome};
use saga_runtime::step::Answer;
use saga_runtime::store::{Handle, MemoryStore, Spill, Store, StoreError, Storing};
use saga_runtime::{Builder, Client, Form, KeyRing, Principal, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Bytes above which states are stored here.
const ABOVE: usize = 1024;
/// What is looked for where no state should be seen.
const CANARY: &str = "the canary in the state";

#[derive(Form, Serialize, Deserialize, Debug)]
struct Confirm {
    yes: bool,
}

/// Holds a text of so many canaries across two questions.
#[saga_tool]
async fn hoard(canaries: usize) -> Result<String, ToolError> {
    let text = CANARY.repeat(canaries);
    let first: Confirm = elicit("Go on?").await?;
    let second: Confirm = elicit("And further?").await?;
    Ok(format!("{} bytes, {} {}", text.len(), first.yes, second.yes))
}

/// The same by another name.
#[saga_tool]
async fn other(canaries: usize) -> Result<String, ToolError> {
    let text = CANARY.repeat(canaries);
    let first: Confirm = elicit("Go on?").await?;
    Ok(format!("{} bytes, {}", text.len(), first.yes))
}

fn keys() -> KeyRing {
    KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key")
}

fn builder(keys: &KeyRing) -> Builder<()> {
    Sagas::builder("harbour", "1").keys(keys.clone()).tool::<hoard>().tool::<other>()
}

fn server(keys: &KeyRing, store: impl Store + 'static) -> Sagas {
    builder(keys).spill(Spill::above(ABOVE, store)).build().expect("two tools and a key")
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// A call of a tool that holds so many canaries.
fn call(canaries: usize, token: Option<&str>, answers: &[(&str, bool)]) -> Call {
    let client = Client::new(object(&json!({ "elicitation": {} })));
    let arguments = Arguments::Sent(object(&json!({ "canaries": canaries })));
    let mut call = Call::new("test", "tools/call", arguments, client);
    call.token = token.map(str::to_owned);
    call.principal = Some(Principal::new("ada"));
    let answer =
        |yes: bool| Answer::Result(object(&json!({ "action": "accept", "content": { "yes": yes } })));
    call.answers =
        answers.iter().map(|(key, yes)| ((*key).to_owned(), answer(*yes))).collect::<BTreeMap<_, _>>();
    call
}

async fn send(sagas: &Sagas, call: Call) -> Outcome {
    sagas.serve(sagas.tool("hoard").expect("the tool"), call).await
}

/// The token of the first question of a saga that holds so many canaries.
async fn start(sagas: &Sagas, canaries: usize) -> String {
    token(send(sagas, call(canaries, None, &[])).await)
}

#[track_caller]
fn token(outcome: Outcome) -> String {
    match outcome {
        Outcome::Suspended(waiting) => waiting.token,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done(result) => result.to_text(),
        other => panic!("{other:?}"),
    }
}

/// A handle, and what is given for it.
type Kept = (Handle, Vec<u8>);

/// A store that does as a test says, and shows what it was given.
#[derive(Debug, Default, Clone)]
struct Glass {
    kept: Arc<Mutex<Vec<Kept>>>,
    is_down: Arc<Mutex<bool>>,
}

impl Glass {
    fn last(&self) -> Vec<u8> {
        self.kept.lock().expect("no panic").last().expect("a state").1.clone()
    }

    /// Gives this from now on, whatever it is asked for.
    fn give(&self, sealed: &[u8]) {
        self.kept.lock().expect("no panic").iter_mut().for_each(|(_, kept)| *kept = sealed.to_vec());
    }

    fn down(&self, is_down: bool) {
        *self.is_down.lock().expect("no panic") = is_down;
    }

    fn up(&self) -> Result<(), StoreError> {
        let is_down = *self.is_down.lock().expect("no panic");
        if is_down { Err(StoreError::new("it is down")) } else { Ok(()) }
    }
}

impl Store for Glass {
    fn put<'a>(&'a self, handle: &'a Handle, sealed: Vec<u8>, _: u32) -> Storing<'a, ()> {
        let put = self.up().map(|()| self.kept.lock().expect("no panic").push((*handle, sealed)));
        Box::pin(std::future::ready(put))
    }

    fn get<'a>(&'a self, handle: &'a Handle) -> Storing<'a, Option<Vec<u8>>> {
        let found = self.up().map(|()| {
            let kept = self.kept.lock().expect("no panic");
            kept.iter().find(|(known, _)| known == handle).map(|(_, sealed)| sealed.clone())
        });
        Box::pin(std::future::ready(found))
    }
}

/// The same store for several instances.
#[derive(Debug, Clone)]
struct Shared(Arc<MemoryStore>);

impl Store for Shared {
    fn put<'a>(&'a self, handle: &'a Handle, sealed: Vec<u8>, seconds: u32) -> Storing<'a, ()> {
        self.0.put(handle, sealed, seconds)
    }

    fn get<'a>(&'a self, handle: &'a Handle) -> Storing<'a, Option<Vec<u8>>> {
        self.0.get(handle)
    }
}
