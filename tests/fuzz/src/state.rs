//! The decoder of states, behind a valid seal: whatever a holder of the key writes, the server answers.

use std::collections::{BTreeMap, HashMap};
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use saga_runtime::clock::{Clock, SystemClock, SystemEntropy};
use saga_runtime::frame::Position;
use saga_runtime::host::{Arguments, Call, Outcome};
use saga_runtime::step::Answer;
use saga_runtime::token::{Binding, Claims, Limits, Sealer, arguments_digest};
use saga_runtime::{Client, Form, Json, KeyRing, Sagas, ToolError, call, elicit, join, saga, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::bounds::{Cost, within};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

#[derive(Serialize, Deserialize, Clone)]
struct Crate {
    label: Option<String>,
    weights: Vec<u16>,
    inside: Vec<Crate>,
    next: Option<Box<Crate>>,
}

#[derive(Serialize, Deserialize)]
enum Berth {
    Free,
    Numbered(u32),
    Named { name: String, at: (i64, f64) },
}

/// A byte becomes two hundred and more.
type Wide = Option<[u64; 32]>;

#[saga]
async fn inspect(piece: &Crate, notes: &mut Vec<String>) -> Result<bool, ToolError> {
    let seen = BTreeMap::from([(piece.weights.len(), 'x')]);
    let sure: Confirm = elicit(format!("Inspect {:?}?", piece.label)).await?;
    notes.push(format!("{seen:?}"));
    Ok(sure.yes)
}

/// Holds values of many kinds, in a loop, in a called saga and in a round of two questions.
#[saga_tool]
async fn load() -> Result<String, ToolError> {
    let small =
        Crate { label: Some("small".to_owned()), weights: vec![1, 2, 300], inside: Vec::new(), next: None };
    let large =
        Crate { label: None, weights: Vec::new(), inside: vec![small.clone()], next: Some(Box::new(small)) };
    let berths = vec![Berth::Free, Berth::Numbered(7), Berth::Named { name: "a".to_owned(), at: (1, 2.0) }];
    let count: HashMap<String, u64> = HashMap::from([("x".to_owned(), 1)]);
    let (wide, nothing, meta): (Vec<Wide>, _, _) =
        (vec![None, Some([0; 32])], vec![(); 3], Json(json!({ "a": [1] })));
    let mut notes = Vec::new();
    for berth in berths {
        for piece in &large.inside {
            let sure: Confirm = elicit("Load it?").await?;
            let at = match &berth {
                Berth::Free => "free".to_owned(),
                Berth::Numbered(number) => number.to_string(),
                Berth::Named { name, at } => format!("{name} {at:?}"),
            };
            if sure.yes && call(inspect(piece, &mut notes)).await? {
                notes.push(at);
            }
        }
    }
    let (one, other) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Other?")).await?;
    let next = large.next.iter().map(|next| next.weights.len()).sum::<usize>();
    Ok(format!(
        "{notes:?} {count:?} {next} {} {} {} {} {}",
        wide.len(),
        nothing.len(),
        meta.0,
        one.yes,
        other.yes
    ))
}

struct Server {
    sagas: Sagas,
    sealer: Sealer,
    /// The states of the tool's questions.
    honest: Vec<Vec<u8>>,
    /// The keys of all that it asks.
    keys: Vec<String>,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let sagas = Sagas::builder("harbour", "1").keys(keys.clone()).tool::<load>().build().expect("sagas");
    let sealer = Sealer::new("harbour", keys).expect("a sealer");
    let mut server = Server { sagas, sealer, honest: Vec::new(), keys: Vec::new() };
    let mut outcome = server.serve(None, false);
    while let Outcome::Suspended(waiting) = outcome {
        let opened = server.sealer.open(&waiting.token, &binding(), &Limits::default(), SystemClock.now());
        server.honest.push(opened.expect("the server's own").state);
        server.keys.extend(waiting.asked.into_iter().map(|asked| asked.key));
        outcome = server.serve(Some(waiting.token), true);
    }
    assert!(matches!(&outcome, Outcome::Done(result) if !result.is_error), "{outcome:?}");
    server
});

fn binding() -> Binding<'static> {
    let arguments = arguments_digest(&Map::new());
    Binding { dialect: "test", method: "tools/call", tool: "load", principal: None, arguments }
}

impl Server {
    /// Answers a request that brings this token, and every answer that the tool ever asks for or none.
    fn serve(&self, token: Option<String>, answers: bool) -> Outcome {
        let object = |json: &Value| json.as_object().cloned().unwrap_or_default();
        let client = Client::new(object(&json!({ "elicitation": {} })));
        let mut call = Call::new("test", "tools/call", Arguments::Sent(Map::new()), client);
        if answers {
            let answer = Answer::Result(object(&json!({ "action": "accept", "content": { "yes": true } })));
            call.answers = self.keys.iter().map(|key| (key.clone(), answer.clone())).collect();
        }
        call.token = token;
        let tool = self.sagas.tool("load").expect("the tool");
        // It waits for nothing.
        match pin!(self.sagas.serve(tool, call)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => unreachable!("nobody is waited for"),
        }
    }

    fn token(&self, state: &[u8]) -> String {
        let claims = Claims::first(SystemClock.now(), 600, [1; 16]);
        let limits = Limits::default();
        let token = self.sealer.seal(&binding(), &claims, state, &limits, &SystemEntropy, &SystemClock);
        token.expect("a token")
    }
}

/// Serves a request that brings a state, sealed by the server's own key. The input's first byte tells what the rest is:
/// the state, or (1) which value of which honest state is another one, whose length is right then; and whether (2) all
/// answers come with it, so that the tool goes on and holds again what it held, which is read once more then.
///
/// # Panics
///
/// Beyond the bounds.
#[must_use]
pub fn state(input: &[u8]) -> Cost {
    let mut state = match input {
        [kind, which, frame, local, value @ ..] if kind & 1 == 1 => with_local(*which, *frame, *local, value),
        [_, state @ ..] => state.to_vec(),
        [] => Vec::new(),
    };
    state.truncate(crate::LONGEST);
    let token = SERVER.token(&state);
    let answers = input.first().is_some_and(|kind| kind & 2 == 2);
    let serve = || SERVER.serve(Some(token.clone()), answers);
    within(&state, 1 + usize::from(answers), || !matches!(serve(), Outcome::Refused(_)))
}

fn with_local(which: u8, frame: u8, local: u8, value: &[u8]) -> Vec<u8> {
    let honest = &SERVER.honest[usize::from(which) % SERVER.honest.len()];
    let (mut position, rest) = parts(honest);
    let frames = position.frames.len();
    let held = &mut position.frames[usize::from(frame) % frames].held;
    let count = held.len().max(1);
    if let Some(local) = held.get_mut(usize::from(local) % count) {
        local.value = value.to_vec();
    }
    [&postcard::to_allocvec(&position).expect("bytes")[..], rest].concat()
}

fn parts(honest: &[u8]) -> (Position, &[u8]) {
    postcard::take_from_bytes(honest).expect("a position")
}

/// Inputs to begin with: the states of the tool's questions, and what they hold, value by value.
#[must_use]
pub fn states() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for (which, honest) in (0..).zip(&SERVER.honest) {
        for answers in [0, 2] {
            inputs.push([&[answers], &honest[..]].concat());
            for (frame, saved) in (0..).zip(&parts(honest).0.frames) {
                let values = (0..).zip(&saved.held);
                inputs
                    .extend(values.map(|(local, held)| {
                        [&[answers | 1, which, frame, local], &held.value[..]].concat()
                    }));
            }
        }
    }
    inputs
}
