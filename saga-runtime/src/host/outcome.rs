//! How the host answers a request.

use std::fmt;

use crate::frame::{Asked, HeldSize};
use crate::result::ToolResult;
use crate::step::StepKind;

/// How the host answers.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool ended; its failure is a result too.
    Done(ToolResult),
    /// The tool waits for answers.
    Suspended(Waiting),
    /// The request was refused before the tool could say anything.
    Refused(Refusal),
}

/// A tool that waits for answers.
#[non_exhaustive]
pub struct Waiting {
    /// The sealed state, for the client to send back.
    pub token: String,
    /// What the client is asked.
    pub asked: Vec<Asked>,
    /// The site's stable name.
    pub site: String,
    /// What travels in the token; empty when a question is asked again.
    pub held: Vec<HeldSize>,
    /// What there is so far, at a checkpoint, which asks nobody.
    pub partial: Option<ToolResult>,
}

impl Waiting {
    /// A key for this wait and this label, like no other's.
    #[allow(dead_code, reason = "sessions, which features bring, ask with it")]
    pub(crate) fn key_for(&self, label: &str) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("saga v1 wait key");
        hasher.update(self.token.as_bytes()).update(label.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

impl fmt::Debug for Waiting {
    /// Without the token and the questions: neither belongs into a log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Waiting").field("site", &self.site).finish_non_exhaustive()
    }
}

/// Why a request was refused, as far as the client may know.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The token is not good for this request; one text for every reason, the log has it.
    State,
    /// The client did not declare what the tool needs (`ClientCapabilities`).
    Capability(Vec<StepKind>),
    /// The arguments of a prompt or a resource do not fit; a tool's failure says it. The text is for the client.
    Arguments(String),
    /// Now it cannot be done, and nothing was done: the store is down, or the same request still runs. The client can
    /// send it again.
    Unavailable,
    /// The server could not do its part; the log has the reason.
    Internal,
}

impl Outcome {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Done(ToolResult { is_error: false, .. }) => "done",
            Self::Done(ToolResult { is_error: true, .. }) => "failed",
            Self::Suspended(_) => "suspended",
            Self::Refused(_) => "refused",
        }
    }
}
