//! A tool that waits in memory: where a request ended up, before its state is sealed. A client that is asked by
//! requests of the server's answers into the same process, and there the tool goes on without a token.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::opening::missing;
use super::{Call, Host, Opening, Outcome, Refusal, Registered, Server};
use crate::frame::{Asked, Suspended};
use crate::result::ToolResult;
use crate::saga::Saga;
use crate::step::Answer;
use crate::token::{Claims, Limits};

/// What became of a run.
#[derive(Debug)]
pub(crate) enum Ran {
    /// It ended.
    Ended(Outcome),
    /// It waits for answers.
    Waits(Box<Parked>),
}

/// A tool that waits.
#[derive(Debug)]
pub(crate) struct Parked {
    pub(super) saga: Saga,
    /// What its token says of the saga, if it gets one.
    pub(super) claims: Claims,
    /// As in [`Opening`].
    pub(super) arguments: Option<Map<String, Value>>,
    pub(super) suspended: Suspended,
}

impl Parked {
    /// A key for this wait and this label, the same whenever the client is asked again.
    #[allow(dead_code, reason = "sessions, which features bring, ask with it")]
    pub(crate) fn key_for(&self, label: &str) -> String {
        self.saga.idempotency_key(label)
    }

    /// What the client is asked; nothing at a checkpoint.
    pub(crate) fn asked(&self) -> &[Asked] {
        &self.suspended.asked
    }
}

impl Host {
    /// Lets a tool wait, unless its client cannot answer, or it asked often or for long enough.
    pub(super) fn park(&self, tool: &Registered, call: &Call, mut parked: Parked) -> Ran {
        let missing = missing(call.client, parked.asked().iter().map(|asked| asked.request.kind));
        if !missing.is_empty() {
            return Ran::Ended(Outcome::Refused(Refusal::Capability(missing)));
        }
        parked.claims = parked.claims.next(self.clock.now(), self.ttl_of(tool));
        let Limits { max_rounds, max_age, .. } = self.limits_of(tool);
        let over = if parked.claims.round > max_rounds {
            format!("the tool asked more than {max_rounds} times")
        } else if parked.claims.age >= max_age {
            format!("the tool took longer than {max_age} seconds")
        } else {
            return Ran::Waits(Box::new(parked));
        };
        self::over(tool, over)
    }

    /// Goes on with a tool that waited in memory.
    #[allow(dead_code, reason = "sessions, which features bring, go on with it")]
    pub(crate) async fn go_on(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        parked: Parked,
        answers: BTreeMap<String, Answer>,
    ) -> Ran {
        let Parked { saga, claims, arguments, suspended } = parked;
        let position = Some(suspended.position);
        let opening = Opening { saga, claims, position, arguments, is_new: false, seconds_left: None };
        self.traced(server, tool, call, opening, answers).await
    }
}

/// The end of a saga that went on for longer than it may.
pub(super) fn over(tool: &Registered, why: String) -> Ran {
    tracing::warn!(tool = tool.definition.name, over = why, "a saga is over");
    Ran::Ended(Outcome::Done(ToolResult::error(why)))
}

impl Ran {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Ended(outcome) => outcome.name(),
            Self::Waits(_) => "suspended",
        }
    }
}
