//! One request's way through Saga, in parts that can be run by themselves: no transport, a clock that stands still,
//! inputs that never change. What is measured of it, in time, in instructions and in allocations, is measured
//! elsewhere.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use saga_runtime::clock::{Clock, Entropy, EntropyError};
use saga_runtime::host::{Arguments, Call, Outcome};
use saga_runtime::step::Answer;
use saga_runtime::token::{Binding, Claims, KeyRing, Limits, Sealer};
use saga_runtime::{Client, Form, RequestFacts, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The sizes of the text that a tool holds, in bytes.
pub const HELD: [usize; 4] = [100, 1024, 16 * 1024, 64 * 1024];

/// The state of the tokens that are sealed and opened by themselves, in bytes.
pub const STATE: usize = 256;

/// Asks again and again, and holds a text of this size meanwhile.
#[saga_tool(max_rounds = 60000)]
pub async fn holds(bytes: u32) -> Result<String, ToolError> {
    let held = "x".repeat(bytes as usize);
    let mut rounds = 0_u32;
    loop {
        let answer: Agree = elicit("Once more?").await?;
        rounds += 1;
        if !answer.ok {
            return Ok(format!("{rounds} rounds with {} bytes", held.len()));
        }
    }
}

/// A plain answer.
#[derive(Form, Serialize, Deserialize)]
struct Agree {
    ok: bool,
}

/// A moment in 2026.
const NOW: u64 = 1_790_000_000;

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        NOW
    }
}

impl Entropy for Still {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(7);
        Ok(())
    }
}

/// Something on the way, ready to be run once: what it needs is made, and what it makes is dropped by it.
pub type Ready<'a> = Box<dyn FnOnce() + 'a>;

/// A server, and what its parts are given.
pub struct Bed {
    sagas: Sagas,
    sealer: Sealer,
    limits: Limits,
    sealed: String,
    /// A token for each of [`HELD`].
    tokens: Vec<String>,
    message: Vec<u8>,
    notification: Vec<u8>,
    list: Vec<u8>,
}

impl Default for Bed {
    fn default() -> Self {
        Self::new()
    }
}

impl Bed {
    /// # Panics
    ///
    /// Nothing here depends on anything outside.
    #[must_use]
    pub fn new() -> Self {
        let limits = Limits { max_state: 1 << 20, max_rounds: u16::MAX, ..Limits::default() };
        let sagas =
            Sagas::builder("bench", "1.0.0").tool::<holds>().limits(limits).clock(Still).entropy(Still);
        let sagas = sagas.build().expect("a server");
        let sealer = Sealer::new("bench", KeyRing::ephemeral().expect("a key")).expect("a sealer");
        let mut bed = Self {
            sagas,
            sealer,
            limits,
            sealed: String::new(),
            tokens: Vec::new(),
            message: Vec::new(),
            notification: Vec::new(),
            list: message("tools/list", None).into_bytes(),
        };
        bed.sealed = bed.seal();
        bed.tokens = HELD.map(|bytes| token(bed.run(call(bytes, None)))).into();
        bed.message = message("tools/call", Some(&bed.tokens[0])).into_bytes();
        bed.notification = message("notifications/bench", Some(&bed.tokens[0])).into_bytes();
        bed
    }

    /// The token for the text of this size, as its transition is given it.
    #[must_use]
    pub fn token(&self, held: usize) -> &str {
        let index = HELD.iter().position(|bytes| *bytes == held);
        index.map_or("", |index| &self.tokens[index])
    }

    /// Reads a message: a notification, which leads nowhere.
    pub fn parse(&self) -> Ready<'_> {
        Box::new(|| done(ready(self.sagas.handle(&self.notification, &RequestFacts::default()))))
    }

    /// Opens a token.
    pub fn open(&self) -> Ready<'_> {
        Box::new(|| done(self.sealer.open(&self.sealed, &binding(), &self.limits, NOW).expect("a state")))
    }

    /// Seals a token.
    pub fn seal_one(&self) -> Ready<'_> {
        Box::new(|| done(self.seal()))
    }

    /// One transition, with a text of this size held: open, decode, run, encode, seal.
    pub fn transition(&self, held: usize) -> Ready<'_> {
        let call = call(held, Some(self.token(held)));
        Box::new(|| done(self.run(call)))
    }

    /// A whole request without its transport: from the bytes of a message to the text of its reply.
    ///
    /// # Panics
    ///
    /// Nothing here depends on anything outside.
    pub fn request(&self) -> Ready<'_> {
        self.handle(&self.message)
    }

    /// The same, for the list of the tools.
    ///
    /// # Panics
    ///
    /// Nothing here depends on anything outside.
    pub fn list(&self) -> Ready<'_> {
        self.handle(&self.list)
    }

    fn handle<'a>(&'a self, message: &'a [u8]) -> Ready<'a> {
        Box::new(|| {
            let reply = ready(self.sagas.handle(message, &RequestFacts::default()));
            assert_eq!(reply.status(), 200, "{:?}", reply.text());
            done(reply);
        })
    }

    fn seal(&self) -> String {
        let claims = Claims::first(NOW, Claims::DEFAULT_TTL, [3; 16]);
        self.sealer.seal(&binding(), &claims, &[5; STATE], &self.limits, &Still, &Still).expect("a token")
    }

    fn run(&self, call: Call) -> Outcome {
        ready(self.sagas.serve(self.sagas.tool("holds").expect("the tool"), call))
    }
}

/// Keeps what came of it from being optimised away.
fn done<T>(made: T) {
    drop(black_box(made));
}

fn binding() -> Binding<'static> {
    Binding {
        dialect: "mcp/2026-07-28",
        method: "tools/call",
        tool: "deploy",
        principal: Some(b"https://issuer.example|client|alice"),
        arguments: [9; 32],
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn call(bytes: usize, token: Option<&str>) -> Call {
    let client = Client::new(object(json!({ "elicitation": {} })));
    let arguments = Arguments::Sent(object(json!({ "bytes": bytes })));
    let mut call = Call::new("mcp/2026-07-28", "tools/call", arguments, client);
    if let Some(token) = token {
        call.token = Some(token.to_owned());
        let agreed = json!({ "action": "accept", "content": { "ok": true } });
        call.answers = BTreeMap::from([("answer".to_owned(), Answer::Result(object(agreed)))]);
    }
    call
}

fn token(outcome: Outcome) -> String {
    match outcome {
        Outcome::Suspended(waiting) => waiting.token,
        other => panic!("the tool does not ask: {other:?}"),
    }
}

fn message(method: &str, token: Option<&str>) -> String {
    let mut message = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {
            "name": "holds",
            "arguments": { "bytes": HELD[0] },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} }, "sampling": {} },
            },
            "inputResponses": { "answer": { "action": "accept", "content": { "ok": true } } },
            "requestState": token,
        },
    });
    if method.starts_with("notifications/") {
        object_of(&mut message).remove("id");
    }
    message.to_string()
}

fn object_of(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("an object")
}

/// What a future gives that waits for nothing.
///
/// # Panics
///
/// It waits.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing here waits"),
    }
}
