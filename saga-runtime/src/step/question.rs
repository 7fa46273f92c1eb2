//! What one await asks: a single step, or several in one round.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, InputRequest, Step};
use crate::error::{Problem, StepError};
use crate::frame::{Asked, Outstanding};
use crate::result::ToolResult;

/// What one await of a tool asks the client in one round.
///
/// Every [`Step`] is a question of itself; [`Join`](super::Join) and [`JoinAll`](super::JoinAll) ask several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a question",
    label = "awaited as a question, by its name",
    note = "the compiler knows `elicit`, `sample` and their kind by name alone; call a function of your own by a path, \
            `self::sample(..)`, or give it another name"
)]
pub trait Question: Serialize + DeserializeOwned + Send {
    /// What the await gives.
    type Output;

    /// Asks each step, in order.
    fn ask(&self, asking: &mut Asking<'_>);

    /// Reads each step's answer, in the same order; `None` if any must be asked again.
    fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output>;
}

impl<S: Step> Question for S {
    type Output = Result<S::Answer, StepError>;

    fn ask(&self, asking: &mut Asking<'_>) {
        asking.step(self);
    }

    fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output> {
        reading.step(self)
    }
}

/// The steps of a question as they are asked for the first time.
#[derive(Debug)]
pub struct Asking<'a> {
    /// The keys of steps that the author gave none; the last one serves for all that follow.
    keys: &'a [&'static str],
    next: usize,
    visits: &'a mut BTreeMap<String, u16>,
    pub(crate) outstanding: Vec<Outstanding>,
    pub(crate) asked: Vec<Asked>,
    /// What a checkpoint gives.
    pub(crate) partial: Option<ToolResult>,
}

impl<'a> Asking<'a> {
    pub(crate) const fn new(keys: &'a [&'static str], visits: &'a mut BTreeMap<String, u16>) -> Self {
        Self { keys, next: 0, visits, outstanding: Vec::new(), asked: Vec::new(), partial: None }
    }

    /// Asks one step.
    pub fn step<S: Step>(&mut self, step: &S) {
        let default = self.keys.get(self.next).or_else(|| self.keys.last()).copied();
        self.next += 1;
        let key = step.key().or(default).unwrap_or(S::KIND.default_key());
        let key = visited(self.visits, key);
        let request = step.request();
        self.asked.push(Asked { key: key.clone(), request, problems: Vec::new() });
        self.outstanding.push(Outstanding { key, asked: 1, answer: None });
    }
}

/// A key that was not used before: its repeats are numbered.
fn visited(visits: &mut BTreeMap<String, u16>, key: &str) -> String {
    let mut visit = visits.get(key).copied().unwrap_or(0);
    loop {
        visit = visit.saturating_add(1);
        let name = if visit == 1 { key.to_owned() } else { format!("{key}#{visit}") };
        if visit == u16::MAX || !is_taken(visits, &name) {
            visits.insert(key.to_owned(), visit);
            return name;
        }
    }
}

/// Whether an author's key has this name, or a repeat of another: `ok#2` may be either.
fn is_taken(visits: &BTreeMap<String, u16>, name: &str) -> bool {
    let repeats =
        name.rsplit_once('#').and_then(|(key, visit)| Some((visits.get(key)?, visit.parse().ok()?)));
    visits.contains_key(name) || repeats.is_some_and(|(visits, visit): (&u16, u16)| *visits >= visit)
}

#[test]
fn no_two_steps_have_one_key() {
    let named = |keys: &[&str]| {
        let mut visits = BTreeMap::new();
        keys.iter().map(|key| visited(&mut visits, key)).collect::<Vec<_>>()
    };
    assert_eq!(named(&["a", "b", "a", "a"]), ["a", "b", "a#2", "a#3"]);
    assert_eq!(named(&["a", "a", "a#2"]), ["a", "a#2", "a#2#2"]);
    assert_eq!(named(&["a", "a#2", "a", "a"]), ["a", "a#2", "a#3", "a#4"]);
    assert_eq!(named(&["a#2", "a#2", "a", "a#2#2"]), ["a#2", "a#2#2", "a", "a#2#2#2"]);
}

/// The steps of a question as their answers are read.
#[derive(Debug)]
pub struct Reading<'a> {
    answers: &'a BTreeMap<String, Answer>,
    /// How often a step may be asked if it does not say.
    attempts: u8,
    next: usize,
    outstanding: Vec<Outstanding>,
    /// The steps whose answers are good.
    good: Vec<usize>,
    /// The steps to be asked again.
    again: Vec<Asked>,
}

impl<'a> Reading<'a> {
    pub(crate) const fn new(
        outstanding: Vec<Outstanding>,
        answers: &'a BTreeMap<String, Answer>,
        attempts: u8,
    ) -> Self {
        Self { answers, attempts, next: 0, outstanding, good: Vec::new(), again: Vec::new() }
    }

    /// The steps as they stand now, and those to be asked again. A good answer is kept for the next round, where the
    /// others are asked again.
    pub(crate) fn asked_again(self) -> (Vec<Outstanding>, Vec<Asked>) {
        let Self { answers, mut outstanding, good, again, .. } = self;
        for step in good {
            let step = &mut outstanding[step];
            let given = answers.get(&step.key);
            step.answer = step.answer.take().or_else(|| serde_json::to_string(given?).ok());
        }
        (outstanding, again)
    }

    /// Reads one step's answer; `None` if it must be asked again.
    pub fn step<S: Step>(&mut self, step: &S) -> Option<Result<S::Answer, StepError>> {
        let this = self.next;
        let outstanding = self.outstanding.get_mut(this)?;
        self.next += 1;
        let kept = outstanding.answer.as_deref().and_then(|kept| serde_json::from_str(kept).ok());
        let given = kept.as_ref().or_else(|| self.answers.get(&outstanding.key));
        let problems = match given.map(|answer| step.read(answer)) {
            None => vec![Problem::whole("the answer is missing")],
            Some(Ok(read)) => {
                self.good.push(this);
                return Some(read);
            }
            Some(Err(problems)) => problems,
        };
        if outstanding.asked >= step.attempts().unwrap_or(self.attempts) {
            return Some(Err(StepError::Invalid { problems }));
        }
        outstanding.asked = outstanding.asked.saturating_add(1);
        self.again.push(again(&outstanding.key, step.request(), problems));
        None
    }
}

fn again(key: &str, request: InputRequest, problems: Vec<Problem>) -> Asked {
    Asked { key: key.to_owned(), request, problems }
}
