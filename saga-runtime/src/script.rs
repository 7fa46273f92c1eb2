//! The in-memory executor: runs a tool against scripted answers, without tokens and without a server. It answers
//! the plain function, as its author wrote it, and the compiled tool; that both say the same is the law.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::error::ToolError;
use crate::frame::{Asked, Frame, Transition, drive};
use crate::result::ToolResult;
use crate::saga::{Client, Saga};
use crate::step::{Answer, Asking, InputRequest, Question, Reading};
use crate::tool::Tool;

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
/// Answers are given in order. When they have run out every question is declined.
#[derive(Debug, Clone, Default)]
pub struct Script {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    answers: VecDeque<Answer>,
    exchanges: Vec<Exchange>,
    visits: BTreeMap<String, u16>,
}

impl Script {
    /// A script with these answers.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let script = Self::default();
        script.lock().answers.extend(answers);
        script
    }

    /// What was asked and answered so far.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.lock().exchanges.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        // Whoever panicked with the lock held was a test that fails anyway.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, key: &str, request: InputRequest) -> Answer {
        let mut shared = self.lock();
        let answer = shared.answers.pop_front().unwrap_or_else(declined);
        shared.exchanges.push(Exchange { key: key.to_owned(), request, answer: answer.clone() });
        answer
    }

    /// Runs a plain function against the script: the twin of a tool, which `#[saga_tool]` keeps in tests.
    pub async fn plain<R>(&self, tool: impl Future<Output = R>) -> R {
        let mut tool = pin!(tool);
        poll_fn(|context| {
            let outer = CURRENT.with(|current| current.replace(Some(self.clone())));
            let poll = tool.as_mut().poll(context);
            CURRENT.with(|current| current.replace(outer));
            poll
        })
        .await
    }

    /// Runs a compiled tool against the script, with its state kept in memory between the transitions.
    pub async fn compiled<T: Tool<C>, C: ?Sized>(
        &self,
        arguments: &Map<String, Value>,
        context: &C,
    ) -> Outcome {
        let mut frame = Frame::start(saga(), ATTEMPTS);
        loop {
            match drive(&frame, T::run(&frame, arguments, context)).await {
                Transition::Done(result) => return Outcome::Done(result),
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
                    let answers = self.answers(suspended.asked);
                    frame = Frame::resume(saga(), ATTEMPTS, suspended.position, answers);
                }
                other => return Outcome::Refused(format!("{other:?}")),
            }
        }
    }

    /// Runs a compiled tool against the script so that nothing but bytes survives a suspension, and so that every
    /// transition runs twice from the same bytes; both runs must end alike.
    ///
    /// `between` is told of each transition: before the first run, before the second, and after both. A test
    /// records effects with it and takes back those of the second run.
    ///
    /// # Panics
    ///
    /// If two runs from the same bytes differ.
    pub async fn tortured<T: Tool<C>, C: ?Sized>(
        &self,
        arguments: &Map<String, Value>,
        context: &C,
        mut between: impl FnMut(Run),
    ) -> Outcome {
        let mut resumed: Option<(Vec<u8>, BTreeMap<String, Answer>)> = None;
        loop {
            between(Run::First);
            let first = run_from::<T, C>(resumed.as_ref(), arguments, context).await;
            between(Run::Second);
            let second = run_from::<T, C>(resumed.as_ref(), arguments, context).await;
            between(Run::Compared);
            assert_eq!(
                format!("{first:?}"),
                format!("{second:?}"),
                "two transitions from the same state differ"
            );
            match first {
                Transition::Done(result) => return Outcome::Done(result),
                Transition::Suspended(suspended) | Transition::AskedAgain(suspended) => {
                    let bytes = postcard::to_allocvec(&suspended.position).expect("a position is plain data");
                    resumed = Some((bytes, self.answers(suspended.asked)));
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
                None => format!("error: {error:?}"),
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

/// How often a question is asked under a script.
const ATTEMPTS: u8 = 3;

thread_local! {
    static CURRENT: RefCell<Option<Script>> = const { RefCell::new(None) };
}

/// Asks a question of the script that the plain function runs under. Its steps are named by the keys, where they
/// have none of their own.
///
/// # Panics
///
/// If there is no script around.
#[expect(clippy::unused_async, reason = "it is awaited where the question is")]
pub async fn ask<Q: Question>(question: Q, keys: &[&'static str]) -> Q::Output {
    let script = CURRENT.with(|current| current.borrow().clone());
    let script = script.expect("a plain function asks questions under `Script::plain` only");
    let mut visits = std::mem::take(&mut script.lock().visits);
    let mut asking = Asking::new(keys, &mut visits);
    question.ask(&mut asking);
    let Asking { mut outstanding, mut asked, .. } = asking;
    script.lock().visits = visits;
    loop {
        let answers = script.answers(asked);
        let mut reading = Reading::new(outstanding, &answers, ATTEMPTS);
        if let Some(output) = question.read(&mut reading) {
            return output;
        }
        Reading { outstanding, again: asked, .. } = reading;
    }
}

async fn run_from<T: Tool<C>, C: ?Sized>(
    resumed: Option<&(Vec<u8>, BTreeMap<String, Answer>)>,
    arguments: &Map<String, Value>,
    context: &C,
) -> Transition<Result<ToolResult, ToolError>> {
    let frame = match resumed {
        None => Frame::start(saga(), ATTEMPTS),
        Some((bytes, answers)) => {
            let position = postcard::from_bytes(bytes).expect("a position decodes from its own bytes");
            Frame::resume(saga(), ATTEMPTS, position, answers.clone())
        }
    };
    drive(&frame, T::run(&frame, arguments, context)).await
}

/// A saga whose client can do everything.
fn saga() -> Saga {
    let capabilities = json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": { "tools": {} },
        "roots": {},
    });
    let capabilities = capabilities.as_object().cloned().unwrap_or_default();
    Saga { client: Client::new(capabilities), ..Saga::default() }
}

fn declined() -> Answer {
    Answer::Result(json!({ "action": "decline" }).as_object().cloned().unwrap_or_default())
}
