//! Questions to clients of MCP 2025-06-18 and 2025-11-25, which the server asks by requests of its own: each asked
//! step becomes a request in the words of the client's revision, and the client's response to it an answer. Pure
//! conversions; who sends the request and waits is the transport's business.
//!
//! | | 2025-06-18 | 2025-11-25 |
//! | --- | --- | --- |
//! | a form | no `mode`; see [`plain_form`] for the fields | as in 2026-07-28 |
//! | a page to visit | not known | `elicitationId` beside `url` |
//! | a prompt | one block in each message, no tools | as in 2026-07-28 |
//! | the client failed | a JSON-RPC error (`-1`: the person refused; `-32601`: it cannot) | the same |

mod plain_form;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::plain_form::Spread;
use super::{Fields, Object, question};
use crate::client::Client;
use crate::form::FormSchema;
use crate::frame::Asked;
use crate::step::{Answer, Params, StepKind};

/// A revision of MCP in which servers send requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    /// 2025-06-18, the first with elicitation.
    June2025,
    /// 2025-11-25, the last with sessions.
    November2025,
}

impl Revision {
    /// The revision of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::June2025, Self::November2025].into_iter().find(|revision| revision.name() == name)
    }

    /// The name in `protocolVersion`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::June2025 => "2025-06-18",
            Self::November2025 => "2025-11-25",
        }
    }

    /// What a client of this revision can do, of what it declared in `initialize`.
    pub(crate) fn client(self, declared: Client) -> Client {
        match self {
            Self::June2025 => declared.without_parts(),
            Self::November2025 => declared,
        }
    }
}

/// A step as a client of an older revision is asked it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pushed {
    /// The key of the step, under which its answer goes to the tool.
    pub(crate) key: String,
    /// The request's method.
    pub(crate) method: &'static str,
    /// The request's params.
    pub(crate) params: Fields,
    /// The page that the person is sent to, as the client knows it.
    pub(crate) page: Option<String>,
    /// The fields that were taken apart, for the answer.
    spread: Vec<Spread>,
}

impl Pushed {
    /// The request for a step. `elicitation` is the id that a page to visit gets, unique among the client's.
    pub(crate) fn of(asked: Asked, revision: Revision, elicitation: &str) -> Self {
        let (key, method, kind) = (asked.key.clone(), asked.request.method, asked.request.kind);
        let (mut page, mut spread) = (None, Vec::new());
        let params = match (kind, revision) {
            (StepKind::Elicit, Revision::June2025) => {
                let (params, apart) = plain(question::explained(asked));
                spread = apart;
                params
            }
            (StepKind::ElicitUrl, _) => {
                page = Some(elicitation.to_owned());
                question::params(asked).with("elicitationId", elicitation.to_owned())
            }
            (StepKind::Sample | StepKind::SampleTools, Revision::June2025) => {
                let mut params = question::tree(asked);
                single_blocks(&mut params);
                params.into()
            }
            (StepKind::Elicit | StepKind::Sample | StepKind::SampleTools, Revision::November2025)
            | (StepKind::ListRoots, _) => question::params(asked),
        };
        Self { key, method, params, page, spread }
    }

    /// The answer in a response's `result`.
    pub(crate) fn result(&self, result: Value) -> Answer {
        // What is no object fits no question: it is asked again.
        let Value::Object(mut result) = result else { return Answer::Result(Map::new()) };
        if let Some(Value::Object(content)) = result.get_mut("content") {
            self.spread.iter().for_each(|spread| spread.gather(content));
        }
        Answer::Result(result)
    }
}

/// The answer in a response's `error`: the tool's await fails with it.
pub(crate) fn error(error: Value) -> Answer {
    let mut error = match error {
        Value::Object(error) => error,
        _ => Map::new(),
    };
    let message = match error.remove("message") {
        Some(Value::String(message)) => message,
        _ => "the client's error has no message".to_owned(),
    };
    // JSON-RPC's own code for a failure of which nothing is known.
    let code = error.get("code").and_then(Value::as_i64).unwrap_or(-32603);
    Answer::Error { code, message, data: error.remove("data") }
}

/// A form without a mode, in plain fields. A step of somebody else's has its own words, where they are no form.
fn plain(params: Params) -> (Fields, Vec<Spread>) {
    let (rest, schema) = match params {
        Params::Elicitation { message, schema } => (Fields::new().with("message", message), Some(schema)),
        Params::Other(mut params) => {
            params.remove("mode");
            let schema =
                params.get("requestedSchema").and_then(|schema| FormSchema::deserialize(schema).ok());
            (params.into(), schema)
        }
    };
    let Some(schema) = schema else { return (rest, Vec::new()) };
    let (schema, spread) = plain_form::plain(&schema);
    (rest.with("requestedSchema", schema), spread)
}

/// A message of several blocks becomes several messages of the same role.
fn single_blocks(params: &mut Object) {
    let Some(Value::Array(messages)) = params.get_mut("messages") else { return };
    let apart = std::mem::take(messages).into_iter().flat_map(|message| match message.get("content") {
        Some(Value::Array(blocks)) => {
            let with = |block: &Value| json!({ "role": message["role"], "content": block });
            blocks.iter().map(with).collect()
        }
        _ => vec![message],
    });
    *messages = apart.collect();
}

#[cfg(test)]
mod tests;
