//! The frame: what a running transition and its host say to each other. The host puts the opened state and the
//! answers in; the compiled tool takes its held locals and its answer out, and leaves by recording why it stops
//! and never returning, so that the user's function keeps its own return type.

mod call;
mod known;
mod leaving;
mod locals;
mod position;
mod probe;
mod receiver;
mod round;
mod round_all;
mod statics;
mod tied;

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

pub use self::call::enter;
pub use self::known::{Known, OfKnown, OfRefused, OfUnknown, Source, known, stable};
pub use self::leaving::{Away, Gathered, Leaving, Left};
use self::leaving::{On, Told, Waiting};
pub use self::locals::{HeldLocal, HeldSize, Holding, Passed, Slot, Taking};
pub use self::position::{Outstanding, Position, SavedFrame, Waits};
pub(crate) use self::probe::{probe, probes};
pub use self::receiver::{Received, Receiver, StaysBehind, TakesSelf, stays};
pub use self::round::{Branch, Calls, Kept, Round};
pub use self::statics::Texts;
pub use self::tied::Untied;
use crate::error::{Problem, StepError};
use crate::held::{Unsealable, bounded};
use crate::result::ToolResult;
use crate::saga::Saga;
use crate::step::{Answer, Asking, InputRequest, Question, Reading, Step};

/// Bytes of most questions in the state: what their expressions gave.
const USUAL_QUESTION: usize = 64;

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

/// What is different about a local since a state was sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Another local stood here.
    Name,
    /// Its type has another encoding.
    Type,
    /// Its bytes are none of its type's values.
    Value,
    /// Fewer locals were held.
    New,
    /// More locals were held.
    Gone,
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
        /// What is different there.
        change: Change,
    },
    /// The site calls more sagas now, or fewer: one is written there more, or it calls one for each of other items.
    Count {
        /// The site.
        site: String,
        /// How many it waits for.
        before: usize,
        /// How many it calls now.
        now: usize,
    },
    /// A borrow could not be rebuilt from the held values.
    Borrow {
        /// The site.
        site: String,
    },
}

/// What a compiled function and its caller share during one transition: of a tool its caller is the host.
pub struct Frame {
    shared: Arc<Shared>,
    /// How many functions wait for this one.
    depth: usize,
    /// Its place in the position, if it goes on from there.
    place: Option<usize>,
    /// Whether the next call is the one in which it left.
    goes_on_in_callee: AtomicBool,
    left: Mutex<Option<Left>>,
}

impl fmt::Debug for Frame {
    /// The site alone: an attribute on the author's function may log what the function is given.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Frame").field(&self.site().unwrap_or("start")).finish()
    }
}

/// What all frames of one transition share.
struct Shared {
    saga: Saga,
    attempts: u8,
    /// Without the visits, which go on.
    position: Option<Position>,
    answers: BTreeMap<String, Answer>,
    visits: Mutex<BTreeMap<String, u16>>,
    /// What was found about the held locals' types, where nothing else is wanted.
    probe: Option<Mutex<Result<(), Unsealable>>>,
}

impl Frame {
    /// A frame for a tool that starts.
    #[must_use]
    pub fn start(saga: Saga, attempts: u8) -> Self {
        let (answers, visits) = (BTreeMap::new(), Mutex::default());
        Self::of(Arc::new(Shared { saga, attempts, position: None, answers, visits, probe: None }), 0, None)
    }

    /// A frame for a tool that goes on from a position with the client's answers.
    #[must_use]
    pub fn resume(
        saga: Saga,
        attempts: u8,
        mut position: Position,
        answers: BTreeMap<String, Answer>,
    ) -> Self {
        let visits = Mutex::new(std::mem::take(&mut position.visits));
        let position = Some(position);
        Self::of(Arc::new(Shared { saga, attempts, position, answers, visits, probe: None }), 0, Some(0))
    }

    fn of(shared: Arc<Shared>, depth: usize, place: Option<usize>) -> Self {
        let mut frame =
            Self { shared, depth, place, goes_on_in_callee: AtomicBool::new(false), left: Mutex::default() };
        frame.goes_on_in_callee = AtomicBool::new(frame.saved().is_some_and(SavedFrame::calls));
        frame
    }

    /// What a tool may know about the saga that it runs in.
    #[must_use]
    pub fn saga(&self) -> &Saga {
        &self.shared.saga
    }

    /// The site to go on from; `None` at the start.
    #[must_use]
    pub fn site(&self) -> Option<&str> {
        self.saved().map(|saved| saved.site.as_str())
    }

    /// The held locals, to be taken in the site's order.
    #[must_use]
    pub fn held(&self) -> Taking<'_> {
        let held = self.saved().map_or(&[][..], |saved| &saved.held);
        Taking { frame: self, held: held.iter() }
    }

    fn saved(&self) -> Option<&SavedFrame> {
        self.shared.position.as_ref()?.frames.get(self.place?)
    }

    /// What the site's await gives; `None`, with the reason recorded, where a step must be asked again.
    pub fn answer<Q: Question>(&self, _: &Slot<Q>) -> Option<Q::Output> {
        let saved = self.saved()?;
        let question = match &saved.waits {
            Waits::Answers { question, .. } => bounded::read::<Q>(question),
            Waits::Sagas(_) => None,
        };
        let Some(question) = question else {
            let (site, local) = (saved.site.clone(), "(the question)".to_owned());
            self.leave_with(Left::Stale(Stale::Local { site, local, change: Change::Value }));
            return None;
        };
        self.read(saved, &question).map_err(|left| self.leave_with(left)).ok()
    }

    /// Reads the answers to a question; where one must be asked again, the function waits as it did before.
    fn read<Q: Question>(&self, saved: &SavedFrame, question: &Q) -> Result<Q::Output, Left> {
        let Waits::Answers { question: bytes, steps } = &saved.waits else {
            return Err(Left::Stale(Stale::Site(saved.site.clone())));
        };
        let mut reading = Reading::new(steps.clone(), &self.shared.answers, self.shared.attempts);
        if let Some(answer) = question.read(&mut reading) {
            return Ok(answer);
        }
        let (steps, asked) = reading.asked_again();
        let SavedFrame { site, held, .. } = saved.clone();
        let waiting = Waiting { site, held, on: On::Answers { question: bytes.clone(), steps } };
        let told = Told { asked, ..Told::default() };
        Err(Left::Suspended(Box::new(Leaving { waiting, told })))
    }

    /// Leaves the function at a question: records what is held and asked.
    pub fn leave<Q: Question>(
        &self,
        site: &'static str,
        keys: &[&'static str],
        holding: Holding,
        question: &Q,
    ) {
        let unsealable = |error: postcard::Error| Left::Unsealable { local: site, error: error.to_string() };
        let bytes = postcard::to_extend(question, Vec::with_capacity(USUAL_QUESTION)).map_err(unsealable);
        let left = bytes.and_then(|bytes| self.asking(site, keys, holding, question, bytes));
        self.leave_with(left.unwrap_or_else(|left| left));
    }

    fn asking<Q: Question>(
        &self,
        site: &'static str,
        keys: &[&'static str],
        holding: Holding,
        question: &Q,
        bytes: Vec<u8>,
    ) -> Result<Left, Left> {
        let (held, sizes) = holding.saved()?;
        let mut visits = self.shared.visits();
        let mut asking = Asking::new(keys, &mut visits);
        question.ask(&mut asking);
        let Asking { outstanding: steps, asked, partial, .. } = asking;
        let waiting = Waiting { site: site.to_owned(), held, on: On::Answers { question: bytes, steps } };
        let told = Told { asked, held: sizes, partial, is_new: true };
        Ok(Left::Suspended(Box::new(Leaving { waiting, told })))
    }

    /// A step among called sagas: it asks here, or gives what was answered. The caller holds it.
    fn step<S: Step>(&self, key: &'static str, step: &S) -> Result<Result<S::Answer, StepError>, Left> {
        match self.saved() {
            Some(saved) if saved.site == key => self.read(saved, step),
            Some(saved) => Err(Left::Stale(Stale::Site(saved.site.clone()))),
            None => Err(self.asking(key, &[key], Holding::new(), step, Vec::new())?),
        }
    }

    /// Leaves the function because sagas that it called have left.
    pub fn leave_calling(&self, site: &'static str, holding: Holding, away: Away) {
        let left = match away {
            Away::Waiting(gathered) => gathered
                .around(site, holding)
                .map_or_else(|left| left, |leaving| Left::Suspended(Box::new(leaving))),
            Away::Left(left) => left,
        };
        self.leave_with(left);
    }

    /// Leaves because the tool has no such site.
    pub fn no_such_site(&self) {
        let site = self.site().unwrap_or_default().to_owned();
        self.leave_with(Left::Stale(Stale::Site(site)));
    }

    /// Leaves because a borrow could not be rebuilt, or a held local could not be read (which is known by now).
    pub fn stale(&self) {
        let site = self.site().unwrap_or_default().to_owned();
        self.left().get_or_insert(Left::Stale(Stale::Borrow { site }));
    }

    fn leave_with(&self, left: Left) {
        *self.left() = Some(left);
    }

    fn left(&self) -> MutexGuard<'_, Option<Left>> {
        // The lock is held for an assignment only; a poisoned one still has a whole value.
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    fn visits(&self) -> MutexGuard<'_, BTreeMap<String, u16>> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a compiled tool until it returns or leaves.
pub async fn drive<R>(frame: &Frame, tool: impl Future<Output = R>) -> Transition<R> {
    let mut tool = pin!(tool);
    poll_fn(|context| match tool.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Transition::Done(result)),
        Poll::Pending => match frame.left().take() {
            Some(left) => Poll::Ready(left.transition(std::mem::take(&mut *frame.shared.visits()))),
            None => Poll::Pending,
        },
    })
    .await
}
