//! One transition as a request and a reply that are plain JSON: what goes between `play --fresh` and the process
//! that it starts for each transition. Nothing else survives between two of them.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::failure::Failure;
use super::{KEYS, KEYS_FILE, pick};
use crate::client::Client;
use crate::error::Problem;
use crate::form::FormSchema;
use crate::frame::Asked;
use crate::host::{Arguments, Call, Outcome, Refusal, Waiting};
use crate::sagas::Sagas;
use crate::step::{Answer, Params, StepKind};

/// What the terminal's tokens are bound to: no server takes them.
const DIALECT: &str = "play";

/// A request of the terminal's to a tool.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    /// All that is left of the transitions before; `None` starts the tool.
    pub(super) token: Option<String>,
    pub(super) answers: BTreeMap<String, Sent>,
}

/// An answer on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sent {
    Result(Map<String, Value>),
    Error { code: i64, message: String, data: Option<Value> },
}

/// How the tool answered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    /// How long the transition took.
    pub(super) micros: u64,
    pub(super) ended: Ended,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ended {
    /// The tool's result, as MCP has it.
    Done(Map<String, Value>),
    Suspended {
        token: String,
        site: String,
        held: Vec<Held>,
        questions: Vec<Question>,
    },
    Refused(String),
}

/// A local that travels.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Held {
    pub(super) name: String,
    pub(super) bytes: usize,
}

/// Something that the tool asks, in MCP's words.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) key: String,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
    /// The form, its fields in their order.
    pub(super) form: Option<FormSchema>,
    /// What was wrong with the last answer.
    pub(super) problems: Vec<Problem>,
}

/// Does a transition in this process.
pub(super) async fn here(sagas: &Sagas, request: Request) -> Result<Reply, Failure> {
    let tool = pick(sagas, Some(&request.tool))?;
    // A person at a terminal can do all that a tool may ask for.
    let client = Client::able();
    let mut call = Call::new(DIALECT, "tools/call", Arguments::Sent(request.arguments), client);
    call.token = request.token;
    call.answers = request.answers.into_iter().map(|(key, sent)| (key, sent.into())).collect();
    let start = Instant::now();
    let outcome = sagas.serve(tool, call).await;
    let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(Reply { micros, ended: outcome.into() })
}

/// Does a transition in a process that is started for it and gone afterwards; gives the process's id, too.
pub(super) fn in_a_fresh_process(request: &Request, keys: &str) -> Result<(Reply, u32), Failure> {
    let failed =
        |what: &str, error: &dyn std::fmt::Display| Failure::of(format!("a fresh process {what}"), error);
    let program = std::env::current_exe().map_err(|error| failed("could not be started", &error))?;
    let mut child = Command::new(program)
        .arg("transition")
        .env(KEYS, keys)
        .env_remove(KEYS_FILE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed("could not be started", &error))?;
    let process = child.id();
    if let Some(mut stdin) = child.stdin.take() {
        let request = serde_json::to_vec(request).map_err(|error| failed("could not be asked", &error))?;
        // A process that ended early tells why by its status.
        let _ = stdin.write_all(&request);
    }
    let output = child.wait_with_output().map_err(|error| failed("was lost", &error))?;
    if !output.status.success() {
        return Err(failed("failed", &output.status));
    }
    // What the tool printed itself stands before the reply, which is one line.
    let text = String::from_utf8_lossy(&output.stdout);
    let (printed, reply) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    if !printed.is_empty() {
        writeln!(io::stdout(), "{printed}")?;
    }
    let reply = serde_json::from_str(reply).map_err(|error| failed("gave no reply", &error))?;
    Ok((reply, process))
}

/// The other side of [`in_a_fresh_process`]: the hidden command `transition`.
pub(super) async fn execute(sagas: &Sagas) -> Result<(), Failure> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| Failure::of("no request", &error))?;
    let request =
        serde_json::from_str(&text).map_err(|error| Failure::Usage(format!("no request: {error}")))?;
    let reply = here(sagas, request).await?;
    super::print(&serde_json::to_string(&reply).map_err(|error| Failure::of("no reply", &error))?)
}

impl From<Sent> for Answer {
    fn from(sent: Sent) -> Self {
        match sent {
            Sent::Result(result) => Self::Result(result),
            Sent::Error { code, message, data } => Self::Error { code, message, data },
        }
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done(result) => Self::Done(result.to_json()),
            Outcome::Suspended(Waiting { token, asked, site, held, partial: _ }) => {
                let held =
                    held.iter().map(|held| Held { name: held.name.to_owned(), bytes: held.bytes }).collect();
                Self::Suspended {
                    token,
                    site,
                    held,
                    questions: asked.into_iter().map(Question::from).collect(),
                }
            }
            Outcome::Refused(Refusal::State) => Self::Refused(
                "the token is not good for this build of the tool (the log has the reason)".to_owned(),
            ),
            Outcome::Refused(Refusal::Capability(kinds)) => {
                Self::Refused(format!("a terminal cannot do what the tool asks: {}", listed(&kinds)))
            }
            Outcome::Refused(Refusal::Arguments(text)) => Self::Refused(text),
            Outcome::Refused(Refusal::Unavailable) => Self::Refused("not now; try again".to_owned()),
            Outcome::Refused(Refusal::Internal) => {
                Self::Refused("the server failed (the log has the reason)".to_owned())
            }
        }
    }
}

impl From<Asked> for Question {
    fn from(asked: Asked) -> Self {
        let Asked { key, request, problems } = asked;
        let params = request.params.to_json();
        let form = match request.params {
            Params::Elicitation { schema, .. } => Some(schema),
            Params::Other(_) => params.get("requestedSchema").and_then(FormSchema::from_json),
        };
        Self { key, method: request.method.to_owned(), params, form, problems }
    }
}

fn listed(kinds: &[StepKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}
