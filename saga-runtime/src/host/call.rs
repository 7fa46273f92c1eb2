//! One request to a tool, in no protocol's words.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::client::Client;
use crate::progress::Reporter;
use crate::saga::{Principal, Saga};
use crate::step::Answer;

/// One request to a tool, in no protocol's words.
#[derive(Clone)]
#[non_exhaustive]
pub struct Call {
    /// The protocol that the request came in; a token is good in its own only.
    pub dialect: &'static str,
    /// The protocol's method; bound into the token likewise.
    pub method: &'static str,
    /// Where the arguments come from when the saga goes on.
    pub arguments: Arguments,
    /// The answers to outstanding steps. Others are ignored.
    pub answers: BTreeMap<String, Answer>,
    /// The token; `None` starts the tool.
    pub token: Option<String>,
    /// What the client of this request can do.
    pub client: Client,
    /// Who calls.
    pub principal: Option<Principal>,
    /// Whether the protocol can give up a request that asks nobody; where not, the tool runs on.
    pub checkpoints: bool,
    /// What else the token is bound to, where the arguments are sealed in it.
    pub bound: Map<String, Value>,
    /// How the client takes up what waits.
    pub resuming: Resuming,
    /// Whether the answers are all since the start, and none of them may have changed.
    pub is_strict: bool,
    /// Where the transition's progress goes.
    pub reporter: Reporter,
}

impl fmt::Debug for Call {
    /// Without the token, the arguments and the answers: none of them belongs into a log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Call").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

/// How a client takes up what waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a dialect decides between exactly these")]
pub enum Resuming {
    /// With a token and the answers: a round that comes again has the same of both.
    WithAnswers,
    /// With the answers, in a session: who takes the round up again after that does not know them.
    InSession,
    /// Without answers, after a session: what is outstanding is asked once more, at no cost.
    AskedAgain,
}

/// Where a tool's arguments come from.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "a dialect decides between exactly these")]
pub enum Arguments {
    /// The client sends them with every request: the token holds their digest.
    Sent(Map<String, Value>),
    /// The client sends them once: the token holds them. Empty when the saga goes on.
    Sealed(Map<String, Value>),
}

impl Arguments {
    pub(super) const fn map(&self) -> &Map<String, Value> {
        match self {
            Self::Sent(arguments) | Self::Sealed(arguments) => arguments,
        }
    }
}

impl Call {
    /// A call that starts a tool, from a client that can do nothing; set the other fields as needed.
    #[must_use]
    pub fn new(dialect: &'static str, method: &'static str, arguments: Arguments, client: Client) -> Self {
        Self {
            dialect,
            method,
            arguments,
            answers: BTreeMap::new(),
            token: None,
            client,
            principal: None,
            checkpoints: false,
            bound: Map::new(),
            resuming: Resuming::WithAnswers,
            is_strict: false,
            reporter: Reporter::none(),
        }
    }

    /// Who calls, for the log.
    pub(super) fn caller(&self) -> String {
        self.principal.as_ref().map_or_else(|| "unknown".to_owned(), Principal::fingerprint)
    }

    /// What the tool may know of the saga that this call is a part of.
    pub(super) fn saga(&self, id: [u8; 16], round: u16) -> Saga {
        let (principal, client) = (self.principal.clone(), self.client);
        Saga { id, round, is_plain: false, principal, client, reporter: self.reporter.clone() }
    }
}
