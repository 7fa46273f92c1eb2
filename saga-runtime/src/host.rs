//! The host does one request: open the token, check, run one transition, seal the next token. It knows no
//! protocol (dialects do) and no transport, and has no clock and no randomness of its own: both are handed in.

mod failure;
mod guarded;
mod parked;
mod spill;
mod strict;

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tracing::Instrument;

use self::failure::{Hex, Panicked, TooLarge, Unopened, Unsealable};
#[allow(unused_imports, reason = "sessions, which features bring, ask where a tool stands")]
pub(crate) use self::guarded::Stands;
pub(crate) use self::parked::{Parked, Ran};
use crate::clock::{Clock, Entropy};
use crate::error::ToolError;
use crate::flow::Flow;
use crate::frame::{Asked, Frame, HeldSize, Position, Suspended, Transition, drive};
use crate::guard::Guard;
use crate::held::bounded;
use crate::mirror::Mirrored;
use crate::progress::Reporter;
use crate::result::ToolResult;
use crate::saga::{Client, Principal, Saga};
use crate::step::{Answer, StepKind};
use crate::store::Spill;
use crate::token::{Binding, Claims, Limits, Opened, Sealer, arguments_digest};
use crate::tool::{Definition, Running};

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
    /// The server could not do its part; the log has the reason under this reference.
    Internal,
}

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

/// A tool with its server's context, ready to run.
pub struct Registered {
    /// What clients are told about it.
    pub definition: Definition,
    /// Its flow graph.
    pub flow: &'static Flow,
    pub(crate) run: Box<Run>,
    /// The arguments that HTTP requests repeat in headers.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has headers"))]
    pub(crate) mirrored: Vec<Mirrored>,
    /// The server that the tool borrows, if it does.
    pub(crate) server: Option<Borrows>,
    /// What it holds that cannot travel. It is known once there is a context: when the server is built, or at the first
    /// call of a tool that borrows the server.
    pub(crate) misread: OnceLock<Option<Misread>>,
}

/// Why a site's held locals could not be read as they are written.
#[derive(Clone)]
pub(crate) struct Misread {
    pub(crate) site: &'static str,
    pub(crate) problem: String,
}

pub(crate) type Run =
    dyn for<'a> Fn(&'a Frame, &'a Map<String, Value>, Server<'a>) -> Running<'a> + Send + Sync;

/// The server that a request came to, for tools that borrow it as their context.
pub(crate) type Server<'a> = Option<&'a (dyn Any + Send + Sync)>;

/// The type of server that a tool borrows as its context.
#[derive(Clone, Copy)]
pub(crate) struct Borrows {
    #[cfg_attr(not(feature = "rmcp"), expect(dead_code, reason = "only rmcp's servers are borrowed"))]
    pub(crate) server: TypeId,
    #[cfg_attr(not(feature = "rmcp"), expect(dead_code, reason = "only rmcp's servers are borrowed"))]
    pub(crate) lend: for<'a> fn(&'a dyn Any) -> Server<'a>,
}

impl Borrows {
    /// Only a server that threads may share can be borrowed; others may still serve tools that borrow none.
    pub(crate) fn from<S: Send + Sync + 'static>() -> Self {
        fn lend<S: Send + Sync + 'static>(server: &dyn Any) -> Server<'_> {
            Some(server.downcast_ref::<S>()?)
        }
        Self { server: TypeId::of::<S>(), lend: lend::<S> }
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Registered").field("definition", &self.definition).finish_non_exhaustive()
    }
}

/// What is sealed.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    position: Position,
    /// The arguments as JSON, in the dialects that do not send them again.
    arguments: Option<String>,
    /// A digest of the answers that were taken, where none of them may change.
    taken: Option<[u8; 32]>,
}

/// What a request starts from: nothing, or an opened token.
struct Opening {
    saga: Saga,
    /// Seconds since the saga's start.
    age: u32,
    position: Option<Position>,
    /// Those that the token held; `None` where the request brought them.
    arguments: Option<Map<String, Value>>,
    /// Whether what is asked next is asked as if for the first time.
    is_new: bool,
    /// For how long the token can still come back; `None` where nothing is used up.
    seconds_left: Option<u32>,
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

    async fn open(&self, server: Server<'_>, tool: &Registered, call: &Call) -> Result<Opening, Refusal> {
        // Before the first side effect, too.
        if let Some(Misread { site, problem }) = tool.misread(server) {
            tracing::error!(tool = tool.definition.name, site, problem, "a tool holds what cannot travel");
            return Err(Refusal::Internal);
        }
        let Some(token) = &call.token else { return self.start(tool, call) };
        let opened = self.opened(tool, call, token).await;
        opened.and_then(|opened| self.reopen(call, &opened)).map_err(|reason| {
            let tool = tool.definition.name;
            if let Unopened::StoreDown(error) = reason {
                tracing::error!(tool, %error, "a state cannot be fetched: refused for now");
                return Refusal::Internal;
            }
            tracing::warn!(tool, %reason, "refused a token");
            Refusal::State
        })
    }

    fn start(&self, tool: &Registered, call: &Call) -> Result<Opening, Refusal> {
        // Before the first side effect: what every path will ask must be possible.
        let missing = missing(&call.client, tool.flow.needs.iter().copied());
        if !missing.is_empty() {
            return Err(Refusal::Capability(missing));
        }
        let mut id = [0; 16];
        self.entropy.fill(&mut id).map_err(|error| {
            tracing::error!(%error, "no randomness for a saga id");
            Refusal::Internal
        })?;
        let saga = call.saga(id, 0);
        Ok(Opening { saga, age: 0, position: None, arguments: None, is_new: true, seconds_left: None })
    }

    fn reopen(&self, call: &Call, opened: &Opened) -> Result<Opening, Unopened> {
        let now = self.clock.now();
        let Some(state) = bounded::read::<State>(&opened.state) else {
            return Err(Unopened::State);
        };
        let arguments = match (&call.arguments, state.arguments) {
            (Arguments::Sent(_), _) => None,
            (Arguments::Sealed(_), Some(json)) => {
                Some(serde_json::from_str(&json).map_err(|_| Unopened::State)?)
            }
            (Arguments::Sealed(_), None) => return Err(Unopened::State),
        };
        if call.is_strict && state.taken != Some(strict::taken(&state.position, &call.answers)) {
            return Err(Unopened::Changed);
        }
        let claims = opened.claims;
        let waited = now.saturating_sub(u64::from(claims.issued_at));
        let age = claims.age.saturating_add(u32::try_from(waited).unwrap_or(u32::MAX));
        let mut saga = call.saga(claims.saga_id, claims.round);
        let mut position = state.position;
        let is_new = call.resuming == Resuming::AskedAgain && position.ask_again();
        if is_new {
            saga.round = saga.round.saturating_sub(1);
        }
        let expires = u64::from(claims.issued_at) + u64::from(claims.ttl);
        let seconds_left = u32::try_from(expires.saturating_sub(now)).ok();
        Ok(Opening { saga, age, position: Some(position), arguments, is_new, seconds_left })
    }

    async fn advance(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
        opening: Opening,
        answers: BTreeMap<String, Answer>,
    ) -> Ran {
        let Opening { mut saga, age, mut position, arguments, is_new, seconds_left: _ } = opening;
        let attempts = tool.definition.policy.attempts.unwrap_or(self.attempts);
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
                    return Ran::Ended(Outcome::Done(failure(tool, &saga, &error)));
                }
                Transition::Stale(stale) => {
                    tracing::warn!(reason = %Unopened::Stale(stale), "refused a token");
                    return Ran::Ended(Outcome::Refused(Refusal::State));
                }
                Transition::Unsealable { local, error } => {
                    let error = ToolError::from(Unsealable { local, error });
                    return Ran::Ended(Outcome::Done(failure(tool, &saga, &error)));
                }
                Transition::AskedAgain(suspended) if suspended.asked.is_empty() => {
                    // Nobody could answer it, and nothing would ever change: no tool of ours left it so.
                    tracing::warn!(reason = %Unopened::State, "refused a token");
                    return Ran::Ended(Outcome::Refused(Refusal::State));
                }
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => suspended,
            };
            saga.round = saga.round.saturating_add(1);
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
            return self.park(
                tool,
                call,
                Parked { saga, age, since: self.clock.now(), arguments, suspended },
            );
        }
    }

    /// Seals where a tool waits.
    pub(crate) async fn seal(&self, tool: &Registered, call: &Call, parked: Parked) -> Outcome {
        let Parked { saga, age, since: _, arguments, suspended } = parked;
        let Suspended { position, asked, held, partial } = suspended;
        let site = position.site().to_owned();
        let arguments = match &call.arguments {
            Arguments::Sent(_) => None,
            Arguments::Sealed(given) => serde_json::to_string(arguments.as_ref().unwrap_or(given)).ok(),
        };
        let answered = call.is_strict.then(|| strict::taken(&position, &call.answers));
        // Grown step by step it would be copied as often.
        let usual = USUAL_STATE + held.iter().map(|local| local.bytes).sum::<usize>();
        let state = State { position, arguments, taken: answered };
        let state = match postcard::to_extend(&state, Vec::with_capacity(usual)) {
            Ok(state) => state,
            Err(error) => return internal(&error),
        };
        let most = self.largest_state(tool);
        if state.len() > most {
            let reason = TooLarge::new(state.len(), most, &held);
            tracing::error!(tool = tool.definition.name, site, %reason, "a state is too large to travel");
            return Outcome::Done(ToolResult::error(reason.to_string()));
        }
        let claims = Claims {
            issued_at: u32::try_from(self.clock.now()).unwrap_or(u32::MAX),
            ttl: self.ttl_of(tool),
            age,
            round: saga.round,
            flags: 0,
            saga_id: saga.id,
        };
        match self.sealed(tool, call, claims, &state, &held).await {
            Ok(token) => Outcome::Suspended(Waiting { token, asked, site, held, partial }),
            Err(error) => internal(&*error),
        }
    }

    /// How many seconds the tool's questions may wait for their answers.
    pub(crate) fn ttl_of(&self, tool: &Registered) -> u32 {
        tool.definition.policy.ttl.unwrap_or(self.ttl)
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

fn missing(client: &Client, kinds: impl Iterator<Item = StepKind>) -> Vec<StepKind> {
    let mut missing: Vec<_> = kinds.filter(|kind| !client.supports(*kind)).collect();
    missing.sort_unstable();
    missing.dedup();
    missing
}

/// Runs a transition; a panic in the author's code is a failure of the tool and not of the server.
async fn run_caught(
    server: Server<'_>,
    tool: &Registered,
    frame: &Frame,
    arguments: &Map<String, Value>,
) -> Transition<Result<ToolResult, ToolError>> {
    let mut running = (tool.run)(frame, arguments, server);
    let caught = poll_fn(|context| {
        let poll = AssertUnwindSafe(|| running.as_mut().poll(context));
        match catch_unwind(poll) {
            Ok(poll) => poll,
            Err(panic) => Poll::Ready(Err(ToolError::from(Panicked::new(panic.as_ref())))),
        }
    });
    drive(frame, caught).await
}

/// The tool's failure as the client reads it; what it may not read goes to the log under a reference.
fn failure(tool: &Registered, saga: &Saga, error: &ToolError) -> ToolResult {
    if let Some(text) = error.shown() {
        return ToolResult::error(text);
    }
    let reference = format!("{}.{}", Hex(&saga.id[..4]), saga.round);
    let mut chain = Vec::new();
    let mut cause = error.cause().map(|cause| cause as &(dyn Error + 'static));
    while let Some(error) = cause {
        chain.push(error.to_string());
        cause = error.source();
    }
    tracing::error!(reference, error = chain.join(": "), "the tool failed");
    ToolResult::error(format!("the {} failed (ref {reference})", tool.definition.kind.word()))
}

fn internal(error: &dyn fmt::Display) -> Outcome {
    tracing::error!(%error, "could not seal a state");
    Outcome::Refused(Refusal::Internal)
}

impl Arguments {
    const fn map(&self) -> &Map<String, Value> {
        match self {
            Self::Sent(arguments) | Self::Sealed(arguments) => arguments,
        }
    }
}

impl Outcome {
    const fn name(&self) -> &'static str {
        match self {
            Self::Done(ToolResult { is_error: false, .. }) => "done",
            Self::Done(ToolResult { is_error: true, .. }) => "failed",
            Self::Suspended(_) => "suspended",
            Self::Refused(_) => "refused",
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

    /// What the tool may know of the saga that this call is a part of.
    fn saga(&self, id: [u8; 16], round: u16) -> Saga {
        let (principal, client) = (self.principal.clone(), self.client.clone());
        Saga { id, round, principal, client, reporter: self.reporter.clone() }
    }
}
