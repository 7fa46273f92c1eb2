//! One tool, all dialects: each saga of a corpus, over the wire in every protocol, between two instances with one
//! key ring in turn, gives the questions, the effects and the result that the plain function gives under the script.
//!
//! ```text
//! cargo test -p saga-tests --test dialects            prints the table
//! cargo test -p saga-tests --test dialects -- loop    the sagas with `loop` in their name
//! ```

#![expect(clippy::needless_pass_by_value, reason = "`json!(..)` reads better without a borrow")]

mod client;
mod corpus;
mod hand_over;
mod person;
mod schema;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use saga_runtime::script::Script;
use saga_runtime::{Dialect, KeyRing, RequestFacts, Sagas};
use serde_json::Value;

use self::client::{Ended, Servers};
use self::corpus::{CORPUS, Log, Saga, with_corpus};
use self::person::{Mood, Person, Question};

/// A way to speak to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Mrtr,
    Saga,
    Streamless,
    /// Streamless, by a client that sends no state back.
    Reentry,
    Push11,
    Push06,
    ResumeToken,
    /// Resume tokens in a session that is asked.
    Asked,
    /// SEP-975, the server killed at each question.
    Killed,
}

impl Way {
    const ALL: [Self; 9] = [
        Self::Mrtr,
        Self::Saga,
        Self::Streamless,
        Self::Reentry,
        Self::Push11,
        Self::Push06,
        Self::ResumeToken,
        Self::Asked,
        Self::Killed,
    ];

    const fn title(self) -> &'static str {
        match self {
            Self::Mrtr => "mrtr",
            Self::Saga => "saga",
            Self::Streamless => "streamless",
            Self::Reentry => "re-entry",
            Self::Push11 => "push 11-25",
            Self::Push06 => "push 06-18",
            Self::ResumeToken => "resume",
            Self::Asked => "resume+push",
            Self::Killed => "resumable",
        }
    }

    fn dialects(self) -> Vec<Dialect> {
        match self {
            Self::Mrtr => vec![Dialect::Mrtr],
            Self::Saga => vec![Dialect::Saga],
            Self::Streamless | Self::Reentry => vec![Dialect::Streamless],
            Self::Push11 | Self::Push06 => vec![Dialect::Push],
            Self::ResumeToken => vec![Dialect::ResumeToken],
            Self::Asked => vec![Dialect::Push, Dialect::ResumeToken],
            Self::Killed => vec![Dialect::Resumable],
        }
    }

    /// Whether the protocol has a word for this question.
    fn carries(self, question: &Question) -> bool {
        let (is_page, is_roots) = (question.is_page(), question.is_roots());
        match self {
            Self::Saga => !is_page && !is_roots,
            Self::Push06 => !is_page,
            Self::ResumeToken => false,
            _ => true,
        }
    }

    /// Whether a client can say in the protocol that it failed.
    fn has_errors(self) -> bool {
        self != Self::Mrtr
    }
}

/// What a run did.
#[derive(Debug, PartialEq)]
struct Trace {
    questions: Vec<Question>,
    effects: Vec<String>,
    partials: Vec<String>,
    text: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let sagas = CORPUS.iter().filter(|saga| saga.name.contains(&filter));
    println!(
        "\nof the moods {:?}: how many gave what the plain function gives; -: not said in this protocol\n",
        Mood::ALL
    );
    print!("{:24}", "");
    for way in Way::ALL {
        print!("{:>13}", way.title());
    }
    println!();
    let (mut runs, mut failures) = (0, Vec::new());
    for saga in sagas {
        print!("{:24}", saga.name);
        for way in Way::ALL {
            let mut cell = Cell::default();
            for mood in Mood::ALL.into_iter().filter(|mood| *mood != Mood::Failing || way.has_errors()) {
                check(saga, way, mood, &mut cell, &mut failures).await;
            }
            runs += cell.same;
            print!("{:>13}", cell.to_string());
        }
        println!();
    }
    println!("\n{runs} runs as the plain function's; {} differ\n", failures.len());
    failures.extend(hand_over::matrix().await);
    discovery().await;
    let schema::Checked { valid, skipped, faults, .. } = schema::outcome();
    println!("{valid} messages are valid by MCP's schemas; {} are not\n", faults.len());
    if skipped > 0 {
        println!("SKIPPED: {skipped} messages of revisions whose schema is not in ../shared/schema\n");
    }
    failures.extend(faults.into_iter().take(5));
    for failure in &failures {
        println!("{failure}\n");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Cell {
    same: usize,
    refused: usize,
    differ: usize,
}

impl std::fmt::Display for Cell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.same, self.refused, self.differ) {
            (same, 0, 0) => write!(formatter, "{same}"),
            (0, _, 0) => write!(formatter, "-"),
            (same, _, 0) => write!(formatter, "{same} -"),
            (_, _, differ) => write!(formatter, "{differ} DIFFER"),
        }
    }
}

/// What a server says about itself, and how it refuses, for the check against the schemas.
async fn discovery() {
    let server = servers(&[Dialect::Mrtr], &Log::default()).instances[0].clone();
    let ask = async |method: &str, params: Value| {
        let request = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let reply = server.handle(request.to_string().as_bytes(), &RequestFacts::default()).await;
        (request, reply.body().expect("a reply"))
    };
    let meta = serde_json::json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let (_, reply) = ask("server/discover", meta.clone()).await;
    schema::check("2026-07-28", "DiscoverResult", &reply["result"]);
    let (_, reply) = ask("tools/list", meta.clone()).await;
    schema::check("2026-07-28", "ListToolsResult", &reply["result"]);
    let plain = servers(&[Dialect::ResumeToken], &Log::default()).instances[0].clone();
    let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let reply = plain.handle(list, &RequestFacts::default()).await.body().expect("a reply");
    schema::check("2025-06-18", "ListToolsResult", &reply["result"]);
    schema::check("2025-11-25", "ListToolsResult", &reply["result"]);
    for name in ["one_form", "folders", "nothing"] {
        let mut params = meta.clone();
        params["name"] = name.into();
        params["arguments"] = serde_json::json!({ "subject": "web" });
        let (request, reply) = ask("tools/call", params).await;
        schema::check_call(&request);
        schema::check_reply(&reply);
    }
}

async fn check(saga: &Saga, way: Way, mood: Mood, cell: &mut Cell, failures: &mut Vec<String>) {
    let expected = plain(saga, mood).await;
    let (actual, is_refused) = over_the_wire(saga, way, mood).await;
    if expected.questions.iter().any(|question| !way.carries(question)) {
        if is_refused {
            cell.refused += 1;
        } else {
            cell.differ += 1;
            failures.push(format!("`{}` by {way:?}, {mood:?}: not refused: {actual:#?}", saga.name));
        }
        return;
    }
    let mut expected = expected;
    if way == Way::Reentry {
        // The documented difference: what stands above a question runs again.
        expected.effects.clone_from(&actual.effects);
    }
    if !matches!(way, Way::ResumeToken | Way::Asked) {
        expected.partials.clear();
    }
    if expected == actual {
        cell.same += 1;
    } else {
        cell.differ += 1;
        failures
            .push(format!("`{}` by {way:?}, {mood:?}:\nplain {expected:#?}\nwire {actual:#?}", saga.name));
    }
}

async fn plain(saga: &Saga, mood: Mood) -> Trace {
    let log = Log::default();
    let person = Arc::new(Mutex::new(Person::new(mood)));
    let answering = Arc::clone(&person);
    let script = Script::by(move |_, request| {
        answering.lock().unwrap().answer(request.method, &Value::Object(request.params.to_json()))
    });
    let outcome = (saga.plain)(&log, &script).await;
    let text = match outcome.text() {
        text if text.starts_with("error: ") => text.replacen("error: ", "failed: ", 1),
        text => text,
    };
    let questions = person.lock().unwrap().asked().to_vec();
    let partials = script.partials().iter().map(saga_runtime::ToolResult::to_text).collect();
    Trace { questions, effects: log.effects(), partials, text }
}

async fn over_the_wire(saga: &Saga, way: Way, mood: Mood) -> (Trace, bool) {
    let (log, mut person) = (Log::default(), Person::new(mood));
    let mut servers = servers(&way.dialects(), &log);
    let ended = speak(way, &mut servers, saga.name, &mut person).await;
    let Ended { text, partials, is_refused } = ended;
    (Trace { questions: person.asked().to_vec(), effects: log.effects(), partials, text }, is_refused)
}

async fn speak(way: Way, servers: &mut Servers, name: &str, person: &mut Person) -> Ended {
    match way {
        Way::Mrtr => client::mrtr(servers, name, person).await,
        Way::Saga => client::saga(servers, name, person).await,
        Way::Streamless => client::streamless(servers, name, person, true).await,
        Way::Reentry => client::streamless(servers, name, person, false).await,
        Way::Push11 | Way::Asked => client::push(servers, name, person, "2025-11-25").await,
        Way::Push06 => client::push(servers, name, person, "2025-06-18").await,
        Way::ResumeToken => client::resume_token(servers, name).await,
        Way::Killed => client::resumable(servers, name, person).await,
    }
}

/// Two instances with one key ring that speak these dialects.
fn servers(dialects: &[Dialect], log: &Log) -> Servers {
    let key = KeyRing::generate_key().expect("a key");
    let instance = || {
        let keys = KeyRing::parse(&key).expect("the key");
        let builder =
            Sagas::builder("corpus", "1.0.0").keys(keys).dialects(dialects.iter().copied()).strict_steps();
        with_corpus(builder, log.clone()).build().expect("a server")
    };
    Servers { instances: [instance(), instance()], next: 0, asked: IndexMap::new() }
}
