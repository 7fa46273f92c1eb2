//! The frame: what a running transition and its host say to each other. The host puts the opened state and the
//! answers in; the compiled tool takes its held locals and its answer out, and leaves by recording why it stops
//! and never returning, so that the user's function keeps its own return type.

mod locals;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use serde::{Deserialize, Serialize};

pub use self::locals::{HeldLocal, HeldSize, Holding, Slot, Taking};
use crate::error::Problem;
use crate::result::ToolResult;
use crate::saga::Saga;
use crate::step::{Answer, Asking, InputRequest, Question, Reading};

/// A step that was asked and whose answer the tool waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outstanding {
    /// The key under which the client answers.
    pub key: String,
    /// How often it was asked.
    pub asked: u8,
    /// Its answer as JSON, if it came in an earlier round and other steps are still outstanding.
    pub answer: Option<String>,
}

/// Where a tool stands between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The suspension's stable name.
    pub site: String,
    /// The locals that later code needs, in the site's order.
    pub held: Vec<HeldLocal>,
    /// The question's dynamic parts.
    pub question: Vec<u8>,
    /// The question's steps, in order.
    pub outstanding: Vec<Outstanding>,
    /// How often each key was used, for keys used in loops.
    pub visits: BTreeMap<String, u16>,
}

impl Position {
    /// Lets what is outstanding be asked once more without counting; whether there is any.
    pub(crate) fn ask_again(&mut self) -> bool {
        let mut open = self.outstanding.iter_mut().filter(|step| step.answer.is_none()).peekable();
        let is_any = open.peek().is_some();
        open.for_each(|step| step.asked = step.asked.saturating_sub(1));
        is_any
    }
}

/// A request that the client must answer before the tool goes on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The key under which the client answers.
    pub key: String,
    /// The request.
    pub request: InputRequest,
    /// What was wrong with the last answer, if it was asked before.
    pub problems: Vec<Problem>,
}

/// How a transition ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum Transition<R> {
    /// The tool returned.
    Done(R),
    /// The tool waits for answers.
    Suspended(Suspended),
    /// An answer was missing or did not fit: the same position, asked once more.
    AskedAgain(Suspended),
    /// The state does not belong to this build of the tool.
    Stale(Stale),
    /// A held local cannot be serialized, or would not be read as it was.
    Unsealable {
        /// The local's name.
        local: &'static str,
        /// Which part of it cannot travel, and why.
        error: String,
    },
}

/// A tool that waits for answers.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suspended {
    /// What is sealed.
    pub position: Position,
    /// What is asked.
    pub asked: Vec<Asked>,
    /// What the position holds; empty when it was asked again.
    pub held: Vec<HeldSize>,
    /// What there is so far, at a checkpoint.
    pub partial: Option<ToolResult>,
}

/// Why an authentic state cannot be resumed, for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stale {
    /// The tool has no such site any more.
    Site(String),
    /// The site holds other locals, or the local has another name, type, or encoding now.
    Local {
        /// The site.
        site: String,
        /// The local at which old and new part, in the words of the present source.
        local: String,
    },
    /// A borrow could not be rebuilt from the held values.
    Borrow {
        /// The site.
        site: String,
    },
}

/// What the compiled tool and the host share during one transition.
#[derive(Debug)]
pub struct Frame {
    saga: Saga,
    attempts: u8,
    position: Option<Position>,
    answers: BTreeMap<String, Answer>,
    left: Mutex<Option<Transition<Infallible>>>,
}

impl Frame {
    /// A frame for a tool that starts.
    #[must_use]
    pub fn start(saga: Saga, attempts: u8) -> Self {
        Self { saga, attempts, position: None, answers: BTreeMap::new(), left: Mutex::new(None) }
    }

    /// A frame for a tool that goes on from a position with the client's answers.
    #[must_use]
    pub fn resume(saga: Saga, attempts: u8, position: Position, answers: BTreeMap<String, Answer>) -> Self {
        Self { saga, attempts, position: Some(position), answers, left: Mutex::new(None) }
    }

    /// What a tool may know about the saga that it runs in.
    #[must_use]
    pub const fn saga(&self) -> &Saga {
        &self.saga
    }

    /// The site to go on from; `None` at the start.
    #[must_use]
    pub fn site(&self) -> Option<&str> {
        self.position.as_ref().map(|position| position.site.as_str())
    }

    /// The held locals, to be taken in the site's order.
    #[must_use]
    pub fn held(&self) -> Taking<'_> {
        let held = self.position.as_ref().map_or(&[][..], |position| &position.held);
        Taking { frame: self, held: held.iter() }
    }

    /// What the site's await gives. Stays pending where a step must be asked again.
    pub fn answer<Q: Question>(&self, _: &Slot<Q>) -> impl Future<Output = Q::Output> {
        let answer = self.read_answer::<Q>();
        async move {
            match answer {
                Some(answer) => answer,
                None => pending().await,
            }
        }
    }

    fn read_answer<Q: Question>(&self) -> Option<Q::Output> {
        let position = self.position.as_ref()?;
        let Ok(question) = postcard::from_bytes::<Q>(&position.question) else {
            let local = "(the question)".to_owned();
            self.leave_with(Transition::Stale(Stale::Local { site: position.site.clone(), local }));
            return None;
        };
        let mut reading = Reading::new(position.outstanding.clone(), &self.answers, self.attempts);
        if let Some(answer) = question.read(&mut reading) {
            return Some(answer);
        }
        let Reading { outstanding, again: asked, .. } = reading;
        let position = Position { outstanding, ..position.clone() };
        self.leave_with(Transition::AskedAgain(Suspended {
            position,
            asked,
            held: Vec::new(),
            partial: None,
        }));
        None
    }

    /// Leaves the tool at a site: records what is held and asked, and stays pending for good.
    pub fn leave<Q: Question>(
        &self,
        site: &'static str,
        keys: &[&'static str],
        holding: Holding,
        question: &Q,
    ) -> impl Future<Output = Infallible> + Send + use<Q> {
        let transition = self.suspended(site, keys, holding, question);
        self.leave_with(transition);
        pending()
    }

    fn suspended<Q: Question>(
        &self,
        site: &'static str,
        keys: &[&'static str],
        holding: Holding,
        question: &Q,
    ) -> Transition<Infallible> {
        if let Some((local, error)) = holding.failed {
            return Transition::Unsealable { local, error: error.in_local(local).to_string() };
        }
        let bytes = match postcard::to_allocvec(question) {
            Ok(bytes) => bytes,
            Err(error) => return Transition::Unsealable { local: site, error: error.to_string() },
        };
        let mut visits = self.position.as_ref().map(|position| position.visits.clone()).unwrap_or_default();
        let mut asking = Asking::new(keys, &mut visits);
        question.ask(&mut asking);
        let Asking { outstanding, asked, partial, .. } = asking;
        let sizes = holding.names.iter().zip(&holding.held);
        let held = sizes.map(|(name, local)| HeldSize { name, bytes: local.value.len() }).collect();
        let (site, held_locals) = (site.to_owned(), holding.held);
        let position = Position { site, held: held_locals, question: bytes, outstanding, visits };
        Transition::Suspended(Suspended { position, asked, held, partial })
    }

    /// Leaves because the tool has no such site.
    pub fn no_such_site(&self) -> impl Future<Output = Infallible> + Send + use<> {
        let site = self.site().unwrap_or_default().to_owned();
        self.leave_with(Transition::Stale(Stale::Site(site)));
        pending()
    }

    /// Leaves because a borrow could not be rebuilt, or a held local could not be read (which is known by now).
    pub fn stale(&self) -> impl Future<Output = Infallible> + Send + use<> {
        let site = self.site().unwrap_or_default().to_owned();
        let mut left = self.left();
        if left.is_none() {
            *left = Some(Transition::Stale(Stale::Borrow { site }));
        }
        pending()
    }

    fn leave_with(&self, transition: Transition<Infallible>) {
        *self.left() = Some(transition);
    }

    fn left(&self) -> MutexGuard<'_, Option<Transition<Infallible>>> {
        // The lock is held for an assignment only; a poisoned one still has a whole value.
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a compiled tool until it returns or leaves.
pub async fn drive<R>(frame: &Frame, tool: impl Future<Output = R>) -> Transition<R> {
    let mut tool = pin!(tool);
    poll_fn(|context| match tool.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Transition::Done(result)),
        Poll::Pending => match frame.left().take() {
            Some(left) => Poll::Ready(left.widen()),
            None => Poll::Pending,
        },
    })
    .await
}

impl Transition<Infallible> {
    fn widen<R>(self) -> Transition<R> {
        match self {
            Self::Done(never) => match never {},
            Self::Suspended(suspended) => Transition::Suspended(suspended),
            Self::AskedAgain(suspended) => Transition::AskedAgain(suspended),
            Self::Stale(stale) => Transition::Stale(stale),
            Self::Unsealable { local, error } => Transition::Unsealable { local, error },
        }
    }
}
