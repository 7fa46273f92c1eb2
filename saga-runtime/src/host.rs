//! The host does one request: open the token, check, run one transition, seal the next token. It knows no
//! protocol (dialects do) and no transport, and has no clock and no randomness of its own: both are handed in.

mod call;
mod failure;
mod guarded;
mod opening;
mod outcome;
mod parked;
mod registered;
mod spill;
mod strict;

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use serde_json::{Map, Value};
use tracing::Instrument;

pub use self::call::{Arguments, Call, Resuming};
use self::failure::{Panicked, TooLarge, Unopened, Unsealable};
#[allow(unused_imports, reason = "sessions, which features bring, ask where a tool stands")]
pub(crate) use self::guarded::Stands;
use self::opening::{Opening, State};
pub use self::outcome::{Outcome, Refusal, Waiting};
use self::parked::over;
pub(crate) use self::parked::{Parked, Ran};
pub use self::registered::Registered;
pub(crate) use self::registered::{Borrows, Misread, Run, Server};
use crate::arguments::Misfit;
use crate::clock::{Clock, Entropy};
use crate::error::ToolError;
use crate::frame::{Frame, Position, Suspended, Transition, drive};
use crate::guard::Guard;
use crate::hex::Hex;
use crate::result::ToolResult;
use crate::saga::Saga;
use crate::step::Answer;
use crate::store::Spill;
use crate::token::{Binding, Limits, Sealer, arguments_digest};
use crate::tool::Kind;

/// Time, randomness and rules of a server, for all its tools.
pub struct Host {
    pub(crate) sealer: Sealer,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) limits: Limits,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    pub(crate) spill: Option<Spill>,
    /// Seconds that one question may wait for its answer.
    pub(crate) ttl: u32,
    /// How often one question may be asked.
    pub(crate) attempts: u8,
}

/// Bytes of most states beside the locals in them.
const USUAL_STATE: usize = 256;

impl fmt::Debug for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Host").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Host {
    /// Does one request to one tool: one transition, and a further one for each answer that came early. The tool may
    /// borrow the server.
    pub(crate) async fn serve_at(&self, server: Server<'_>, tool: &Registered, mut call: Call) -> Outcome {
        match self.open(server, tool, &call).await {
            Ok(opening) => {
                // A guard and the strict reading look at them again.
                let is_read_again = self.guard.is_some() || call.is_strict;
                let answers = if is_read_again { call.answers.clone() } else { take(&mut call.answers) };
                self.guarded(server, tool, &call, opening, answers).await
            }
            Err(refusal) => Outcome::Refused(refusal),
        }
    }

    /// Runs a tool until it waits for answers or ends.
    #[allow(dead_code, reason = "sessions, which features bring, start with it; they have no token to guard")]
    pub(crate) async fn run(&self, server: Server<'_>, tool: &Registered, call: &Call) -> Ran {
        match self.open(server, tool, call).await {
            Ok(opening) => self.traced(server, tool, call, opening, call.answers.clone()).await,
            Err(refusal) => Ran::Ended(Outcome::Refused(refusal)),
        }
    }

    async fn traced(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        opening: Opening,
        answers: BTreeMap<String, Answer>,
    ) -> Ran {
        let span = tracing::info_span!(
            "transition",
            saga = %Hex(&opening.saga.id),
            tool = tool.definition.name,
            round = opening.saga.round,
            from = opening.position.as_ref().map_or("start", Position::site),
            outcome = tracing::field::Empty,
        );
        let ran = self.advance(server, tool, call, opening, answers).instrument(span.clone()).await;
        span.record("outcome", ran.name());
        span.in_scope(|| tracing::debug!("transition done"));
        ran
    }

    async fn advance(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        opening: Opening,
        answers: BTreeMap<String, Answer>,
    ) -> Ran {
        let Opening { mut saga, claims, mut position, arguments, is_new, seconds_left: _ } = opening;
        let attempts = self.attempts_of(tool);
        let is_first = position.is_none();
        let (mut answers, mut early) =
            if is_first { (BTreeMap::new(), answers) } else { (answers, BTreeMap::new()) };
        loop {
            let frame = match position.take() {
                None => Frame::start(saga.clone(), attempts),
                Some(position) => Frame::resume(saga.clone(), attempts, position, take(&mut answers)),
            };
            let given = arguments.as_ref().unwrap_or(call.arguments.map());
            let transition = run_caught(server, tool, &frame, given).await;
            let mut suspended = match transition {
                Transition::Done(Ok(result)) => return Ran::Ended(Outcome::Done(result)),
                Transition::Done(Err(error)) => {
                    return Ran::Ended(failed(tool, &saga, &error));
                }
                Transition::Stale(stale) => {
                    refused_token(tool, call, &Unopened::Stale(stale));
                    return Ran::Ended(Outcome::Refused(Refusal::State));
                }
                Transition::Unsealable { local, error } => {
                    let error = ToolError::from(Unsealable { local, error });
                    return Ran::Ended(Outcome::Done(failure(tool, &saga, &error)));
                }
                Transition::AskedAgain(suspended) if suspended.asked.is_empty() => {
                    // Nobody could answer it, and nothing would ever change: no tool of ours left it so.
                    refused_token(tool, call, &Unopened::State);
                    return Ran::Ended(Outcome::Refused(Refusal::State));
                }
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => suspended,
            };
            let Some(round) = saga.round.checked_add(1) else {
                // The next effects would have the keys of these.
                return over(tool, format!("the tool went on more than {} times", u16::MAX));
            };
            saga.round = round;
            let is_checkpoint = suspended.partial.is_some() && call.checkpoints;
            if suspended.asked.is_empty() && !is_checkpoint {
                // A round of no steps asks nobody.
                position = Some(suspended.position);
                continue;
            }
            if let Some(taken) = take_early(&mut suspended, &mut early) {
                answers = taken;
                position = Some(suspended.position);
                continue;
            }
            if is_new {
                // An early answer that did not fit counts as none: the question is asked for the first time.
                suspended.asked.iter_mut().for_each(|asked| asked.problems.clear());
            }
            return self.park(tool, call, Parked { saga, claims, arguments, suspended });
        }
    }

    /// Seals where a tool waits.
    pub(crate) async fn seal(&self, tool: &Registered, call: &Call, parked: Parked) -> Outcome {
        let Parked { saga, claims, arguments, suspended } = parked;
        let Suspended { position, asked, held, partial } = suspended;
        let site = position.site().to_owned();
        let arguments = match &call.arguments {
            Arguments::Sent(_) => None,
            Arguments::Sealed(given) => serde_json::to_string(arguments.as_ref().unwrap_or(given)).ok(),
        };
        let answered = call.is_strict.then(|| strict::taken(&position, &call.answers));
        // Grown step by step it would be copied as often.
        let usual = USUAL_STATE + held.iter().map(|local| local.bytes).sum::<usize>();
        let state = State { position, arguments, taken: answered, round: saga.round };
        let state = match postcard::to_extend(&state, Vec::with_capacity(usual)) {
            Ok(state) => state,
            Err(error) => return internal(tool, &error),
        };
        let most = self.largest_state(tool);
        if state.len() > most {
            let reason = TooLarge::new(state.len(), most, &held);
            tracing::error!(tool = tool.definition.name, site, %reason, "a state is too large to travel");
            return Outcome::Done(ToolResult::error(reason.to_string()));
        }
        match self.sealed(tool, call, claims, &state, &held).await {
            Ok(token) => Outcome::Suspended(Waiting { token, asked, site, held, partial }),
            Err(error) => internal(tool, &*error),
        }
    }

    /// How many seconds the tool's questions may wait for their answers.
    pub(crate) fn ttl_of(&self, tool: &Registered) -> u32 {
        tool.definition.policy.ttl.unwrap_or(self.ttl)
    }

    /// How often one of the tool's questions may be asked.
    pub(crate) fn attempts_of(&self, tool: &Registered) -> u8 {
        tool.definition.policy.attempts.unwrap_or(self.attempts)
    }

    pub(crate) fn limits_of(&self, tool: &Registered) -> Limits {
        let policy = tool.definition.policy;
        let mut limits = self.limits;
        limits.max_age = policy.max_age.unwrap_or(limits.max_age);
        limits.max_rounds = policy.max_rounds.unwrap_or(limits.max_rounds);
        limits
    }
}

/// A step whose key and shape match an answer that came with the first call takes it, once; the client was not
/// asked for it, and if it does not fit, the first of the question's attempts is still to come.
fn take_early(
    suspended: &mut Suspended,
    early: &mut BTreeMap<String, Answer>,
) -> Option<BTreeMap<String, Answer>> {
    let mut taken = BTreeMap::new();
    for asked in &suspended.asked {
        if let Some(answer) = early.remove(&asked.key) {
            taken.insert(asked.key.clone(), answer);
        }
    }
    if taken.is_empty() {
        return None;
    }
    suspended.position.outstanding_mut().for_each(|step| step.asked = step.asked.saturating_sub(1));
    Some(taken)
}

fn binding<'a>(tool: &'a Registered, call: &'a Call) -> Binding<'a> {
    Binding {
        dialect: call.dialect,
        method: call.method,
        tool: tool.definition.name,
        principal: call.principal.as_ref().map(|principal| principal.as_str().as_bytes()),
        arguments: match &call.arguments {
            Arguments::Sent(arguments) => arguments_digest(arguments),
            Arguments::Sealed(_) => arguments_digest(&call.bound),
        },
    }
}

/// Runs a transition; a panic in the author's code is a failure of the tool and not of the server.
async fn run_caught(
    server: Server<'_>,
    tool: &Registered,
    frame: &Frame,
    arguments: &Map<String, Value>,
) -> Transition<Result<ToolResult, ToolError>> {
    let mut running = match caught(|| (tool.run)(frame, arguments, server)) {
        Ok(running) => running,
        Err(panicked) => return Transition::Done(Err(panicked)),
    };
    let polled = poll_fn(|context| {
        caught(|| running.as_mut().poll(context)).unwrap_or_else(|panicked| Poll::Ready(Err(panicked)))
    });
    let transition = drive(frame, polled).await;
    // Whatever it holds is dropped here, which is the author's code, too.
    caught(|| drop(running)).map_or_else(|panicked| Transition::Done(Err(panicked)), |()| transition)
}

fn caught<T>(run: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| ToolError::from(Panicked::new(panic.as_ref())))
}

/// How a failure ends a request. That a function did not run is a result of tools only.
fn failed(tool: &Registered, saga: &Saga, error: &ToolError) -> Outcome {
    let is_misfit = matches!(error.cause(), Some(cause) if cause.is::<Misfit>());
    match error.shown() {
        Some(text) if is_misfit && tool.definition.kind != Kind::Tool => {
            Outcome::Refused(Refusal::Arguments(text.to_owned()))
        }
        _ => Outcome::Done(failure(tool, saga, error)),
    }
}

/// The tool's failure as the client reads it; what it may not read goes to the log under a reference.
fn failure(tool: &Registered, saga: &Saga, error: &ToolError) -> ToolResult {
    if let Some(text) = error.shown() {
        return ToolResult::error(text);
    }
    let reference = format!("{}.{}", Hex(&saga.id[..4]), saga.round);
    tracing::error!(reference, error = error.causes().join(": "), "the tool failed");
    ToolResult::error(format!("the {} failed (ref {reference})", tool.definition.kind.word()))
}

/// The one line for the operator; the client is told none of it.
fn refused_token(tool: &Registered, call: &Call, reason: &dyn fmt::Display) {
    tracing::warn!(tool = tool.definition.name, caller = call.caller(), %reason, "refused a token");
}

fn internal(tool: &Registered, error: &dyn fmt::Display) -> Outcome {
    tracing::error!(tool = tool.definition.name, %error, "could not seal a state");
    Outcome::Refused(Refusal::Internal)
}
