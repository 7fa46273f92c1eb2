//! The in-memory executor: runs a tool against scripted answers, without tokens and without a server. It answers
//! the plain function, as its author wrote it, and the compiled tool; that both say the same is the law.
//!
//! Authors test their tools with it: `docs/testing.md`, and the example `refund`.

mod kit;
mod together;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

pub use self::kit::run;
use self::together::Waiting;
pub(crate) use self::together::{Rest, rest, together};
use crate::client::Client;
use crate::error::ToolError;
use crate::frame::{Asked, Calls, Frame, Position, SavedFrame, Suspended, Transition, drive};
use crate::result::ToolResult;
use crate::saga::Saga;
use crate::step::{Answer, Asking, InputRequest, Question, Reading};
use crate::tool::Machine;

/// One thing that happened between a tool and its script.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Exchange {
    /// The key under which the tool asked.
    pub key: String,
    /// What it asked.
    pub request: InputRequest,
    /// What the script answered.
    pub answer: Answer,
}

/// Answers for a tool, and what was asked so far. Clones share both.
///
/// Answers are given in order ([`Script::new`]), and when they have run out every question is declined; or a
/// function gives them ([`Script::by`]).
#[derive(Debug, Clone, Default)]
pub struct Script {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    answers: Answers,
    exchanges: Vec<Exchange>,
    partials: Vec<ToolResult>,
    plain: Plain,
}

/// How far the plain function that runs has come.
#[derive(Debug, Default)]
struct Plain {
    visits: BTreeMap<String, u16>,
    /// How often it has waited for answers.
    rounds: u16,
    /// How often each of its questions is asked, where its tool says so.
    attempts: Option<u8>,
    /// Whether functions run together: a question then waits for those of the others.
    together: bool,
    /// Whether the function that was polled last waits for its answers.
    asks: bool,
    /// What was asked in the last pass over all of them.
    waiting: Vec<Waiting>,
}

type AnswerBy = dyn FnMut(&str, &InputRequest) -> Answer + Send;

/// Where a script's answers come from.
enum Answers {
    Listed(VecDeque<Answer>),
    By(Box<AnswerBy>),
}

impl Script {
    /// A script with these answers.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let script = Self::default();
        script.lock().answers = Answers::Listed(answers.into_iter().collect());
        script
    }

    /// A script that answers each question with what the function gives for its key and its request.
    ///
    /// ```
    /// use saga_runtime::script::Script;
    /// use saga_runtime::step::Answer;
    /// use serde_json::Map;
    ///
    /// // Whatever is asked, the person dismisses it.
    /// let script = Script::by(|_key, _request| {
    ///     Answer::Result(Map::from_iter([("action".to_owned(), "cancel".into())]))
    /// });
    /// assert!(script.exchanges().is_empty());
    /// ```
    pub fn by(answer: impl FnMut(&str, &InputRequest) -> Answer + Send + 'static) -> Self {
        let script = Self::default();
        script.lock().answers = Answers::By(Box::new(answer));
        script
    }

    /// What was asked and answered so far.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.lock().exchanges.clone()
    }

    /// What the tool gave at its checkpoints so far.
    #[must_use]
    pub fn partials(&self) -> Vec<ToolResult> {
        self.lock().partials.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        // Whoever panicked with the lock held was a test that fails anyway.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, key: &str, request: InputRequest) -> Answer {
        let mut shared = self.lock();
        let answer = match &mut shared.answers {
            Answers::Listed(answers) => answers.pop_front().unwrap_or_else(Answer::decline),
            Answers::By(answer) => answer(key, &request),
        };
        shared.exchanges.push(Exchange { key: key.to_owned(), request, answer: answer.clone() });
        answer
    }

    /// Runs a plain function against the script: the twin of a tool, which `#[saga_tool]` keeps in tests.
    pub async fn plain<R>(&self, tool: impl Future<Output = R>) -> R {
        self.lock().plain = Plain::default();
        let mut tool = pin!(tool);
        poll_fn(|context| {
            let _running = Running::under(self.clone());
            tool.as_mut().poll(context)
        })
        .await
    }

    /// Runs a compiled tool against the script, with its state kept in memory between the transitions.
    pub async fn compiled<T: Machine<C>, C: ?Sized>(
        &self,
        arguments: &Map<String, Value>,
        context: &C,
    ) -> Outcome {
        let mut rounds = Rounds::of::<T, C>();
        let mut frame = rounds.start();
        loop {
            match drive(&frame, T::run(&frame, arguments, context)).await {
                Transition::Done(result) => return Outcome::Done(result),
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
                    self.lock().partials.extend(suspended.partial);
                    let answers = self.answers(suspended.asked);
                    rounds.next();
                    frame = rounds.resume(suspended.position, answers);
                }
                other => return Outcome::Refused(format!("{other:?}")),
            }
        }
    }

    /// Runs a compiled tool against the script so that nothing but bytes survives a suspension, and so that every
    /// transition runs twice from the same bytes; both runs must end alike (held bytes apart, since a `HashMap`'s
    /// are in no order).
    ///
    /// `between` is told of each transition: before the first run, before the second, and after both. A test
    /// records effects with it and takes back those of the second run.
    ///
    /// # Panics
    ///
    /// If two runs from the same bytes differ.
    pub async fn tortured<T: Machine<C>, C: ?Sized>(
        &self,
        arguments: &Map<String, Value>,
        context: &C,
        mut between: impl FnMut(Run),
    ) -> Outcome {
        let mut rounds = Rounds::of::<T, C>();
        let mut resumed: Option<(Vec<u8>, BTreeMap<String, Answer>)> = None;
        loop {
            between(Run::First);
            let first = run_from::<T, C>(&rounds, resumed.as_ref(), arguments, context).await;
            between(Run::Second);
            let second = run_from::<T, C>(&rounds, resumed.as_ref(), arguments, context).await;
            between(Run::Compared);
            assert_eq!(told(&first), told(&second), "two transitions from the same state differ");
            match first {
                Transition::Done(result) => return Outcome::Done(result),
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
                    self.lock().partials.extend(suspended.partial);
                    let bytes = postcard::to_allocvec(&suspended.position).expect("a position is plain data");
                    resumed = Some((bytes, self.answers(suspended.asked)));
                    rounds.next();
                }
                other => return Outcome::Refused(format!("{other:?}")),
            }
        }
    }

    /// Runs a compiled tool with a [`Fault`] in the driver: for a test that compares runs, to show that it would
    /// notice. Everything else is as in [`Script::compiled`].
    pub async fn faulty<T: Machine<C>, C: ?Sized>(
        &self,
        arguments: &Map<String, Value>,
        context: &C,
        fault: Fault,
    ) -> Outcome {
        let mut rounds = Rounds::of::<T, C>();
        let mut frame = rounds.start();
        let (mut taken, mut before) = (Vec::new(), None);
        loop {
            match drive(&frame, T::run(&frame, arguments, context)).await {
                Transition::Done(result) => return Outcome::Done(result),
                Transition::Suspended(mut suspended) | Transition::AskedAgain(mut suspended) => {
                    self.lock().partials.extend(suspended.partial.take());
                    let mut answers = self.answers(std::mem::take(&mut suspended.asked));
                    let sound = suspended.position.clone();
                    fault.befall(&mut suspended, &mut answers, before.as_ref());
                    before = Some((sound, answers.clone()));
                    taken.push(answers.clone());
                    rounds.next();
                    frame = rounds.resume(suspended.position, answers);
                    if fault == Fault::Replayed {
                        frame = replayed::<T, C>(&taken, arguments, context).await.unwrap_or(frame);
                    }
                }
                other => return Outcome::Refused(format!("{other:?}")),
            }
        }
    }

    fn answers(&self, asked: Vec<Asked>) -> BTreeMap<String, Answer> {
        let mut answers = BTreeMap::new();
        for asked in asked {
            let answer = self.answer(&asked.key, asked.request);
            answers.insert(asked.key, answer);
        }
        answers
    }
}

/// How a tool ended under a script.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool returned.
    Done(Result<ToolResult, ToolError>),
    /// The tool could not go on from its own state, which is a bug; the text says why.
    Refused(String),
}

impl Outcome {
    /// The result's text, or the failure's; for comparing.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Done(Ok(result)) => result.to_text(),
            Self::Done(Err(error)) => match error.shown() {
                Some(text) => format!("error: {text}"),
                // The client reads a reference to the log.
                None => format!("error in the log: {}", error.causes().join(": ")),
            },
            Self::Refused(reason) => format!("refused: {reason}"),
        }
    }
}

/// Which run of a transition is about to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there are two runs and their comparison")]
pub enum Run {
    /// The first.
    First,
    /// The second, from the same bytes.
    Second,
    /// None: both have run.
    Compared,
}

/// What may go wrong in a driver between two transitions; see [`Script::faulty`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The held local of this name is left out of the state.
    Lost(&'static str),
    /// Two held locals have each other's values.
    Exchanged(&'static str, &'static str),
    /// A held local has the value that it had at the suspension before. A loop's position is called `(loop)`.
    Outdated(&'static str),
    /// Every request runs the tool from the top, over the answers so far, as a replaying engine does.
    Replayed,
    /// The tool is given the answer to the question before as the answer to this one.
    AnswerReused,
}

impl Fault {
    fn befall(
        self,
        suspended: &mut Suspended,
        answers: &mut BTreeMap<String, Answer>,
        before: Option<&(Position, BTreeMap<String, Answer>)>,
    ) {
        let Some(SavedFrame { held, .. }) = suspended.position.frames.first_mut() else { return };
        let place = |name: &str| suspended.held.iter().position(|local| local.name == name);
        match self {
            Self::Lost(name) => {
                if let Some(place) = place(name) {
                    held.remove(place);
                }
            }
            Self::Exchanged(one, other) => {
                if let (Some(one), Some(other)) = (place(one), place(other)) {
                    let value = std::mem::take(&mut held[one].value);
                    held[one].value = std::mem::replace(&mut held[other].value, value);
                }
            }
            Self::Outdated(name) => {
                if let (Some(place), Some((before, _))) = (place(name), before)
                    && let Some(old) = before
                        .frames
                        .first()
                        .and_then(|frame| frame.held.iter().find(|local| local.name == held[place].name))
                {
                    held[place].value.clone_from(&old.value);
                }
            }
            Self::Replayed => {}
            Self::AnswerReused => {
                if let Some(old) = before.and_then(|(_, answers)| answers.values().next()) {
                    for answer in answers.values_mut() {
                        answer.clone_from(old);
                    }
                }
            }
        }
    }
}

/// The frame that running the tool from the top over all these answers ends with.
async fn replayed<T: Machine<C>, C: ?Sized>(
    taken: &[BTreeMap<String, Answer>],
    arguments: &Map<String, Value>,
    context: &C,
) -> Option<Frame> {
    let mut rounds = Rounds::of::<T, C>();
    let mut frame = rounds.start();
    for answers in taken {
        match drive(&frame, T::run(&frame, arguments, context)).await {
            Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
                rounds.next();
                frame = rounds.resume(suspended.position, answers.clone());
            }
            _ => return None,
        }
    }
    Some(frame)
}

/// How often a question is asked under a script, where its tool does not say.
const ATTEMPTS: u8 = 3;

/// The rounds of a compiled tool under a script.
struct Rounds {
    attempts: u8,
    saga: Saga,
}

impl Rounds {
    fn of<T: Machine<C>, C: ?Sized>() -> Self {
        let saga = Saga { is_plain: false, ..saga() };
        Self { attempts: T::definition().policy.attempts.unwrap_or(ATTEMPTS), saga }
    }

    fn start(&self) -> Frame {
        Frame::start(self.saga.clone(), self.attempts)
    }

    fn next(&mut self) {
        self.saga.round = self.saga.round.saturating_add(1);
    }

    fn resume(&self, position: Position, answers: BTreeMap<String, Answer>) -> Frame {
        Frame::resume(self.saga.clone(), self.attempts, position, answers)
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Script>> = const { RefCell::new(None) };
}

/// A plain function that runs under a script, until this is dropped: also where it panics.
struct Running {
    outer: Option<Script>,
}

impl Running {
    fn under(script: Script) -> Self {
        Self { outer: CURRENT.replace(Some(script)) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.outer.take());
    }
}

/// Asks a question of the script that the plain function runs under. Its steps are named by the keys, where they
/// have none of their own. The output's own parameter is for rustc: it reports what is no question once, and not at the
/// await again.
///
/// # Panics
///
/// If there is no script around.
pub async fn ask<O, Q: Question<Output = O>>(question: Q, keys: &[&'static str]) -> O {
    let script = current();
    let mut visits = std::mem::take(&mut script.lock().plain.visits);
    let mut asking = Asking::new(keys, &mut visits);
    question.ask(&mut asking);
    let Asking { mut outstanding, mut asked, partial, .. } = asking;
    {
        let mut shared = script.lock();
        shared.plain.visits = visits;
        shared.partials.extend(partial);
    }
    loop {
        let answers = script.answered(asked).await;
        let attempts = script.lock().plain.attempts.unwrap_or(ATTEMPTS);
        let mut reading = Reading::new(outstanding, &answers, attempts);
        if let Some(output) = question.read(&mut reading) {
            return output;
        }
        (outstanding, asked) = reading.asked_again();
    }
}

/// The script that a plain function runs under.
fn current() -> Script {
    let script = CURRENT.with(|current| current.borrow().clone());
    script.expect("a plain function asks questions under `Script::plain` only")
}

/// What a refused question gives where nothing can be awaited, so that its refusal is the only report.
///
/// # Panics
///
/// Always: what was refused does not run.
pub fn refused<F: Future>(_question: F) -> F::Output {
    unreachable!("the function was refused by the compiler")
}

/// What a refused question's `?` gives where nothing can be returned, so that its refusal is the only report.
///
/// # Panics
///
/// Always: what was refused does not run.
pub fn no_answer<T, E>(_answer: Result<T, E>) -> T {
    unreachable!("the function was refused by the compiler")
}

/// Runs called sagas as plain functions, under the script that their caller runs under.
pub async fn call<C: Calls>(calls: C, keys: &'static [&'static str]) -> C::Output {
    calls.plain(keys).await
}

/// Whether a plain function runs: a saga that it calls is then a plain function, too.
#[must_use]
pub fn is_running() -> bool {
    CURRENT.with(|current| current.borrow().is_some())
}

async fn run_from<T: Machine<C>, C: ?Sized>(
    rounds: &Rounds,
    resumed: Option<&(Vec<u8>, BTreeMap<String, Answer>)>,
    arguments: &Map<String, Value>,
    context: &C,
) -> Transition<Result<ToolResult, ToolError>> {
    let frame = match resumed {
        None => rounds.start(),
        Some((bytes, answers)) => {
            let position = postcard::from_bytes(bytes).expect("a position decodes from its own bytes");
            rounds.resume(position, answers.clone())
        }
    };
    drive(&frame, T::run(&frame, arguments, context)).await
}

/// What a transition tells client and host.
fn told(transition: &Transition<Result<ToolResult, ToolError>>) -> String {
    match transition {
        Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
            let Suspended { position, asked, held, partial } = suspended;
            let sites: Vec<_> = position.frames.iter().map(|frame| &frame.site).collect();
            let (outstanding, visits) = (position.outstanding().collect::<Vec<_>>(), &position.visits);
            format!("{sites:?} {outstanding:?} {visits:?} {asked:?} {held:?} {partial:?}")
        }
        ended => format!("{ended:?}"),
    }
}

/// The saga that every tool runs in under a script, for the plain function that asks for one: its client can do
/// everything, nobody is known to call, and its rounds are those of the script that the function runs under.
#[must_use]
pub fn saga() -> Saga {
    Saga { is_plain: true, client: Client::able(), ..Saga::default() }
}

/// How often the plain function that runs has waited for answers.
pub(crate) fn rounds() -> u16 {
    CURRENT.with(|current| current.borrow().as_ref().map_or(0, |script| script.lock().plain.rounds))
}

/// Says how often each question of the plain function that runs is asked.
pub fn attempts(attempts: u8) {
    if is_running() {
        current().lock().plain.attempts = Some(attempts);
    }
}

impl Default for Answers {
    fn default() -> Self {
        Self::Listed(VecDeque::new())
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(answers) => formatter.debug_list().entries(answers).finish(),
            Self::By(_) => formatter.write_str("By(..)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::task::{Context, Waker};

    use super::*;
    use crate::step::list_roots;

    /// Asks twice under one key.
    async fn twice() {
        for _ in 0..2 {
            drop(ask(list_roots(), &["folders"]).await);
        }
    }

    #[test]
    fn each_run_names_its_questions_anew() {
        let script =
            Script::by(|_, _| Answer::Result(Map::from_iter([("roots".to_owned(), Value::Array(vec![]))])));
        for _ in 0..2 {
            script.run_plain(twice());
        }
        let keys: Vec<_> = script.exchanges().into_iter().map(|exchange| exchange.key).collect();
        assert_eq!(keys, ["folders", "folders#2", "folders", "folders#2"]);
    }

    /// What it left behind is another run's no more.
    #[test]
    fn a_run_after_one_that_panicked_among_others_ends() {
        let script = Script::default();
        let first = || script.run_plain(together(|_| panic!("among others")));
        assert!(catch_unwind(AssertUnwindSafe(first)).is_err());
        let mut second = Box::pin(script.plain(twice()));
        assert!(second.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }

    #[test]
    fn a_plain_function_that_panics_runs_no_longer() {
        let script = Script::default();
        let mut running = Box::pin(script.plain(async { panic!("at once") }));
        let mut context = Context::from_waker(Waker::noop());
        let polled = catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(&mut context).map(|(): ()| ())));
        assert!(polled.is_err());
        assert!(!is_running());
    }
}
