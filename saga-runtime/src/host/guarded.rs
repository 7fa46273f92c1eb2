//! One transition of a tool whose tokens are single-use: claim, run, keep the reply.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Call, Host, Opening, Outcome, Ran, Refusal, Registered, Resuming, Server, Waiting, binding, refused_token,
};
use crate::error::Problem;
use crate::frame::{Asked, Position};
use crate::guard::{Claim, Guard, Replay, StoreDown, Turn};
use crate::result::ToolResult;
use crate::step::{Answer, InputRequest, Params, StepKind};
use crate::token::{Binding, Claims, Limits, arguments_digest};

/// The largest reply that is kept. Who repeats a request whose reply was larger is refused.
const LARGEST_REPLY: usize = 1024 * 1024;

/// What is kept of a reply that is not worth keeping, too large, or without room.
const NO_REPLY: &[u8] = b"";

impl Host {
    /// Runs the transition, unless another request has it.
    pub(super) async fn guarded(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        opening: Opening,
        answers: BTreeMap<String, Answer>,
    ) -> Outcome {
        let Some((guard, turn)) = self.turn(tool, call, &opening) else {
            return self.unguarded(server, tool, call, opening, answers).await;
        };
        // Given back also where the request goes away while it claims: the store may carry that out after all.
        let claimed = Claimed { guard, turn: &turn, is_over: false };
        match guard.claim(&turn).await {
            Ok(Claim::Fresh) if opening.asks_again(call) => {
                // Nothing of the round has run: its answers are still to come.
                drop(claimed);
                return self.unguarded(server, tool, call, opening, answers).await;
            }
            Ok(Claim::Fresh) => {}
            Ok(Claim::Repeat(reply)) => {
                claimed.end();
                return self.repeat(tool, call, &turn, reply.as_deref());
            }
            Ok(Claim::Forked) => {
                claimed.end();
                refused_token(tool, call, &"it was used with other answers");
                return Outcome::Refused(Refusal::State);
            }
            Err(error) => {
                drop(claimed);
                let name = tool.definition.name;
                if tool.definition.policy.store_down == Some(StoreDown::Run) {
                    tracing::warn!(tool = name, %error, "going on unguarded");
                    return self.unguarded(server, tool, call, opening, answers).await;
                }
                tracing::error!(tool = name, %error, "whose turn it is cannot be known: refused for now");
                return Outcome::Refused(Refusal::Unavailable);
            }
        }
        let outcome = self.unguarded(server, tool, call, opening, answers).await;
        if matches!(outcome, Outcome::Refused(_)) {
            return outcome;
        }
        let reply = self.seal_reply(tool, call, &turn, &outcome);
        let kept = guard.keep(&turn, reply).await;
        claimed.end();
        match kept {
            Ok(None) => outcome,
            Ok(Some(first)) => {
                tracing::warn!(
                    tool = tool.definition.name,
                    "a transition took longer than its lease, and ran twice"
                );
                self.repeat(tool, call, &turn, Some(&first))
            }
            Err(error) => {
                let name = tool.definition.name;
                tracing::warn!(tool = name, %error, "a reply was not kept; its repetition runs again");
                outcome
            }
        }
    }

    async fn unguarded(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        opening: Opening,
        answers: BTreeMap<String, Answer>,
    ) -> Outcome {
        match self.traced(server, tool, call, opening, answers).await {
            Ran::Ended(outcome) => outcome,
            Ran::Waits(parked) => self.seal(tool, call, *parked).await,
        }
    }

    /// The guard and what it guards, where the request brings a token that is good once.
    fn turn(&self, tool: &Registered, call: &Call, opening: &Opening) -> Option<(&dyn Guard, Turn)> {
        let guard = self.guard.as_deref()?;
        let seconds = opening.seconds_left?;
        match tool.definition.policy.replay {
            Some(Replay::Window) => None,
            Some(Replay::Once) | None => {
                let answers = match call.resuming {
                    Resuming::WithAnswers => digest(&call.answers),
                    Resuming::InSession | Resuming::AskedAgain => [0; 32],
                };
                let round = opening.saga.round + u16::from(opening.asks_again(call));
                // Until the slowest clock has refused the token, too.
                let seconds = seconds.saturating_add(self.limits.max_skew);
                Some((guard, Turn::new(opening.saga.id, round, answers, seconds)))
            }
        }
    }

    /// Where the tool behind a token stands; by the token alone, unless a guard knows more.
    #[allow(dead_code, reason = "sessions, which features bring, ask for it")]
    pub(crate) async fn stands(&self, tool: &Registered, call: &Call) -> Result<Stands, Refusal> {
        let opening = self.open(None, tool, call).await?;
        let is_asked = opening.position.as_ref().is_some_and(Position::is_asked);
        let kept = match self.turn(tool, call, &opening) {
            None => None,
            Some((guard, turn)) => {
                let kept = guard.kept(&turn).await.unwrap_or_default();
                kept.and_then(|reply| self.open_reply(tool, call, &turn, &reply))
            }
        };
        Ok(match kept {
            Some(Outcome::Done(ToolResult { is_error, .. })) => Stands::Ended { is_error },
            _ => Stands::Waits { is_asked },
        })
    }

    fn repeat(&self, tool: &Registered, call: &Call, turn: &Turn, reply: Option<&[u8]>) -> Outcome {
        let kept = reply.and_then(|reply| self.open_reply(tool, call, turn, reply));
        kept.unwrap_or_else(|| {
            let (reason, refusal) = match reply {
                None => ("it still runs", Refusal::Unavailable),
                Some(NO_REPLY) => {
                    ("its reply was too large to keep, or there was no room for it", Refusal::Internal)
                }
                Some(_) => ("its reply cannot be opened", Refusal::Internal),
            };
            tracing::warn!(tool = tool.definition.name, reason, "a repeated request was not answered");
            Outcome::Refused(refusal)
        })
    }

    /// The reply as a token of its own: the store holds nothing that it could read or change.
    fn seal_reply(&self, tool: &Registered, call: &Call, turn: &Turn, outcome: &Outcome) -> Vec<u8> {
        let kept = Kept::of(outcome).and_then(|kept| serde_json::to_vec(&kept).ok());
        let Some(kept) = kept else { return NO_REPLY.to_vec() };
        let mut claims = Claims::first(self.clock.now(), turn.seconds, turn.saga);
        claims.round = turn.round;
        let binding = reply_binding(tool, call, turn);
        let sealed =
            self.sealer.seal(&binding, &claims, &kept, &self.reply_limits(), &*self.entropy, &*self.clock);
        sealed.map_or_else(
            |error| {
                tracing::warn!(tool = tool.definition.name, %error, "a reply is not kept");
                NO_REPLY.to_vec()
            },
            String::into_bytes,
        )
    }

    fn open_reply(&self, tool: &Registered, call: &Call, turn: &Turn, reply: &[u8]) -> Option<Outcome> {
        let text = std::str::from_utf8(reply).ok()?;
        let binding = reply_binding(tool, call, turn);
        let opened = self.sealer.open(text, &binding, &self.reply_limits(), self.clock.now()).ok()?;
        let is_its_turn = opened.claims.saga_id == turn.saga && opened.claims.round == turn.round;
        let kept: Kept = serde_json::from_slice(&opened.state).ok().filter(|_| is_its_turn)?;
        Some(kept.into())
    }

    fn reply_limits(&self) -> Limits {
        let max_skew = self.limits.max_skew;
        Limits { max_age: u32::MAX, max_rounds: u16::MAX, max_state: LARGEST_REPLY, max_skew }
    }
}

/// A reply is bound like its token, and to the answers; as a token it is good for nothing.
fn reply_binding<'a>(tool: &'a Registered, call: &'a Call, turn: &Turn) -> Binding<'a> {
    let mut hasher = blake3::Hasher::new();
    let binding = binding(tool, call);
    hasher.update(&binding.arguments).update(&turn.answers);
    Binding { method: "saga/kept-reply", arguments: hasher.finalize().into(), ..binding }
}

/// Where a tool stands between two requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "sessions, which features bring, tell it")]
pub(crate) enum Stands {
    /// It waits, or goes on somewhere.
    Waits {
        /// Whether for the client's answers.
        is_asked: bool,
    },
    /// It has ended.
    Ended {
        /// Whether by a failure.
        is_error: bool,
    },
}

impl Opening {
    /// Whether this request does nothing but ask once more what is outstanding.
    fn asks_again(&self, call: &Call) -> bool {
        call.resuming == Resuming::AskedAgain && self.is_new
    }
}

/// A claim that is given back unless the turn ends: the request may go away while the tool runs.
struct Claimed<'a> {
    guard: &'a dyn Guard,
    turn: &'a Turn,
    is_over: bool,
}

impl Claimed<'_> {
    fn end(mut self) {
        self.is_over = true;
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.guard.abandon(self.turn);
        }
    }
}

/// One digest for the same answers, however they are written.
fn digest(answers: &BTreeMap<String, Answer>) -> [u8; 32] {
    let value = |answer: &Answer| match answer {
        Answer::Result(result) => Value::Array(vec![Value::Object(result.clone())]),
        Answer::Error { code, message, data } => {
            Value::Array(vec![(*code).into(), message.as_str().into(), data.clone().unwrap_or_default()])
        }
    };
    arguments_digest(&answers.iter().map(|(key, answer)| (key.clone(), value(answer))).collect())
}

/// A reply as it is kept.
#[derive(Serialize, Deserialize)]
enum Kept {
    Done(KeptResult),
    Suspended { token: String, site: String, asked: Vec<KeptAsked>, partial: Option<KeptResult> },
}

#[derive(Serialize, Deserialize)]
struct KeptResult {
    content: Vec<Value>,
    structured: Option<Value>,
    /// `structured` is there, and `null`, which JSON does not tell from nothing.
    #[serde(default)]
    is_null: bool,
    is_error: bool,
}

#[derive(Serialize, Deserialize)]
struct KeptAsked {
    key: String,
    kind: StepKind,
    params: Params,
    problems: Vec<Problem>,
}

impl Kept {
    fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Done(result) => Some(Self::Done(result.into())),
            Outcome::Suspended(Waiting { token, asked, site, held: _, partial }) => Some(Self::Suspended {
                token: token.clone(),
                site: site.clone(),
                asked: asked.iter().map(KeptAsked::from).collect(),
                partial: partial.as_ref().map(KeptResult::from),
            }),
            Outcome::Refused(_) => None,
        }
    }
}

impl From<Kept> for Outcome {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Done(result) => Self::Done(result.into()),
            Kept::Suspended { token, site, asked, partial } => Self::Suspended(Waiting {
                token,
                site,
                asked: asked.into_iter().map(Asked::from).collect(),
                held: Vec::new(),
                partial: partial.map(ToolResult::from),
            }),
        }
    }
}

impl From<&ToolResult> for KeptResult {
    fn from(ToolResult { content, structured, is_error }: &ToolResult) -> Self {
        let is_null = structured.as_ref().is_some_and(Value::is_null);
        Self { content: content.clone(), structured: structured.clone(), is_null, is_error: *is_error }
    }
}

impl From<KeptResult> for ToolResult {
    fn from(KeptResult { content, structured, is_null, is_error }: KeptResult) -> Self {
        Self { content, structured: structured.or(is_null.then_some(Value::Null)), is_error }
    }
}

impl From<&Asked> for KeptAsked {
    fn from(Asked { key, request, problems }: &Asked) -> Self {
        let InputRequest { method: _, params, kind } = request;
        Self { key: key.clone(), kind: *kind, params: params.clone(), problems: problems.clone() }
    }
}

impl From<KeptAsked> for Asked {
    fn from(KeptAsked { key, kind, params, problems }: KeptAsked) -> Self {
        Self { key, request: InputRequest::of(kind, params), problems }
    }
}
