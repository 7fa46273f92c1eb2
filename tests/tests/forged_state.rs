//! States that a holder of the keys makes up: whatever is in them, the server answers, and nothing panics (P18).
//!
//! More cases than by default: `PROPTEST_CASES=1000000 cargo test --release -p saga-tests --test forged_state`.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::sample::Index;
use saga_runtime::clock::{Clock, SystemClock, SystemEntropy};
use saga_runtime::frame::{Position, Waits};
use saga_runtime::host::{Arguments, Call, Outcome, Refusal};
use saga_runtime::step::Answer;
use saga_runtime::token::{Binding, Claims, Limits, Sealer, arguments_digest};
use saga_runtime::{Client, Form, KeyRing, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use tokio::runtime::Runtime;

#[derive(Form, Serialize, Deserialize, Debug)]
struct Confirm {
    yes: bool,
}

#[derive(Serialize, Deserialize, Debug, Clone)]
struct Crate {
    label: Option<String>,
    weights: Vec<u16>,
    inside: Vec<Crate>,
}

#[derive(Serialize, Deserialize, Debug)]
enum Berth {
    Free,
    Numbered(u32),
    Named { name: String, at: (i64, f64) },
}

/// Holds values of many kinds across a question in a loop.
#[saga_tool]
async fn load() -> Result<String, ToolError> {
    let small = Crate { label: Some("small".to_owned()), weights: vec![1, 2, 300], inside: Vec::new() };
    let large = Crate { label: None, weights: Vec::new(), inside: vec![small.clone(), small] };
    let berths = vec![Berth::Free, Berth::Numbered(7), Berth::Named { name: "a".to_owned(), at: (1, 2.0) }];
    let count: HashMap<String, u64> = HashMap::from([("x".to_owned(), 1)]);
    let mut seen = String::new();
    for berth in berths {
        for piece in &large.inside {
            let sure: Confirm = elicit(format!("Load {:?} at {berth:?}?", piece.label)).await?;
            seen.push(if sure.yes { 'y' } else { 'n' });
        }
    }
    Ok(format!("{seen} {large:?} {count:?}"))
}

static PANICS: AtomicU32 = AtomicU32::new(0);

struct Server {
    runtime: Runtime,
    sagas: Sagas,
    sealer: Sealer,
    /// The states of the tool's questions.
    honest: Vec<Vec<u8>>,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let before = std::panic::take_hook();
    // A tool that panics is a failed tool; here none should.
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        before(info);
    }));
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let sagas = Sagas::builder("harbour", "1").keys(keys.clone()).tool::<load>().build().expect("sagas");
    let sealer = Sealer::new("harbour", keys).expect("a sealer");
    let runtime = Runtime::new().expect("a runtime");
    let mut server = Server { runtime, sagas, sealer, honest: Vec::new() };
    let mut outcome = server.serve(None);
    while let Outcome::Suspended(waiting) = outcome {
        let opened = server.sealer.open(&waiting.token, &binding(), &Limits::default(), SystemClock.now());
        server.honest.push(opened.expect("the server's own").state);
        outcome = server.serve(Some(waiting.token));
    }
    assert!(matches!(&outcome, Outcome::Done(result) if !result.is_error), "{outcome:?}");
    server
});

fn binding() -> Binding<'static> {
    let arguments = arguments_digest(&Map::new());
    Binding { dialect: "test", method: "tools/call", tool: "load", principal: None, arguments }
}

impl Server {
    fn serve(&self, token: Option<String>) -> Outcome {
        let capabilities = json!({ "elicitation": {} });
        let client = Client::new(capabilities.as_object().cloned().expect("an object"));
        let mut call = Call::new("test", "tools/call", Arguments::Sent(Map::new()), client);
        if token.is_some() {
            let answer = json!({ "action": "accept", "content": { "yes": true } });
            for visit in 1..8 {
                let key = if visit == 1 { "sure".to_owned() } else { format!("sure#{visit}") };
                call.answers.insert(key, Answer::Result(answer.as_object().cloned().expect("an object")));
            }
        }
        call.token = token;
        self.runtime.block_on(self.sagas.serve(self.sagas.tool("load").expect("the tool"), call))
    }

    /// What the server makes of this state, sealed with its own key.
    fn serve_state(&self, state: &[u8]) -> Outcome {
        let claims = Claims::first(SystemClock.now(), 600, [1; 16]);
        let (limits, clock) = (Limits::default(), SystemClock);
        let token = self.sealer.seal(&binding(), &claims, state, &limits, &SystemEntropy, &clock);
        self.serve(Some(token.expect("a token")))
    }
}

#[derive(Debug, Clone)]
enum Forgery {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, u8),
    Repeat(Index, u8, u16),
}

fn forgery() -> impl Strategy<Value = Forgery> {
    let some =
        || prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(1), Just(0xff), Just(0x7f)], 1..12);
    prop_oneof![
        (any::<Index>(), 1..=u8::MAX).prop_map(|(at, with)| Forgery::Flip(at, with)),
        (any::<Index>(), some()).prop_map(|(at, bytes)| Forgery::Insert(at, bytes)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, count)| Forgery::Remove(at, count)),
        (any::<Index>(), any::<u8>(), 1..2000_u16)
            .prop_map(|(at, byte, count)| Forgery::Repeat(at, byte, count)),
    ]
}

fn forge(mut state: Vec<u8>, forgeries: &[Forgery]) -> Vec<u8> {
    for forgery in forgeries {
        let place = |at: &Index| at.index(state.len() + 1);
        match forgery {
            Forgery::Flip(at, with) if !state.is_empty() => {
                let at = at.index(state.len());
                state[at] ^= with;
            }
            Forgery::Flip(..) => {}
            Forgery::Insert(at, bytes) => {
                let at = place(at);
                state.splice(at..at, bytes.iter().copied());
            }
            Forgery::Remove(at, count) => {
                let at = place(at);
                let end = (at + usize::from(*count)).min(state.len());
                state.drain(at..end);
            }
            Forgery::Repeat(at, byte, count) => {
                let at = place(at);
                state.splice(at..at, std::iter::repeat_n(*byte, usize::from(*count)));
            }
        }
    }
    state
}

#[track_caller]
fn no_panic(outcome: &Outcome) {
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "{outcome:?}");
}

#[test]
fn honest_states_go_on() {
    assert_eq!(SERVER.honest.len(), 6);
    for state in &SERVER.honest {
        let outcome = SERVER.serve_state(state);
        assert!(matches!(outcome, Outcome::Suspended(_) | Outcome::Done(_)), "{outcome:?}");
    }
}

/// Zeros, ones and large numbers as far as a state reaches: counts, depths and options of all kinds.
#[test]
fn states_of_one_byte_repeated() {
    for byte in 0..=u8::MAX {
        no_panic(&SERVER.serve_state(&[byte; 300]));
    }
    for byte in [0, 1, 2, 0x7f, 0x80, 0xff] {
        for len in [0, 1, 5_000, 64 * 1024] {
            no_panic(&SERVER.serve_state(&vec![byte; len]));
        }
    }
}

/// The state says that nothing is outstanding, and has no answer: who took that for a round of no steps would go round
/// for ever.
#[test]
fn a_question_without_steps_is_refused() {
    for state in &SERVER.honest {
        let (mut position, rest) = postcard::take_from_bytes::<Position>(state).expect("a position");
        for frame in &mut position.frames {
            let Waits::Answers { steps, .. } = &mut frame.waits else { panic!("it calls no saga") };
            steps.clear();
        }
        let forged = [&postcard::to_allocvec(&position).expect("bytes")[..], rest].concat();
        let outcome = SERVER.serve_state(&forged);
        assert!(matches!(outcome, Outcome::Refused(Refusal::State)), "{outcome:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn forged_states_are_answered(which in any::<Index>(), forgeries in prop::collection::vec(forgery(), 1..6)) {
        let state = forge(which.get(&SERVER.honest).clone(), &forgeries);
        no_panic(&SERVER.serve_state(&state[..state.len().min(64 * 1024)]));
    }

    #[test]
    fn random_states_are_answered(state in prop::collection::vec(any::<u8>(), 0..500)) {
        no_panic(&SERVER.serve_state(&state));
    }
}
