//! Where a tool stands between two requests: what is sealed of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::HeldLocal;

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

impl Outstanding {
    fn is_open(&self) -> bool {
        self.answer.is_none()
    }
}

/// Where a tool stands between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The functions that wait: the tool first, each before the sagas that it called. A list, and not frames inside
    /// frames, so that no state can make its decoder recurse.
    pub frames: Vec<SavedFrame>,
    /// How often each key was used, for keys used in loops.
    pub visits: BTreeMap<String, u16>,
}

/// Where one function stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFrame {
    /// The place of its caller in the list; the tool's own, which nothing called, is 0.
    pub caller: u32,
    /// The suspension's stable name.
    pub site: String,
    /// The locals that later code needs, in the site's order.
    pub held: Vec<HeldLocal>,
    /// What it waits for.
    pub waits: Waits,
}

/// What a function waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "a third thing to wait for changes the state's layout")]
pub enum Waits {
    /// The client's answers.
    Answers {
        /// The dynamic parts of the question.
        #[serde(with = "serde_bytes")]
        question: Vec<u8>,
        /// The question's steps, in order.
        steps: Vec<Outstanding>,
    },
    /// Sagas that it called, in order: what each gave that has ended before the others, else nothing.
    Sagas(Vec<Option<HeldLocal>>),
}

impl SavedFrame {
    /// Whether it waits for sagas that it called.
    pub(super) const fn calls(&self) -> bool {
        matches!(self.waits, Waits::Sagas(_))
    }
}

impl Position {
    /// The site at which a question was asked; of a called saga, where one asked.
    #[must_use]
    pub fn site(&self) -> &str {
        self.frames.last().map_or("", |frame| &frame.site)
    }

    /// The steps whose answers are waited for.
    pub fn outstanding(&self) -> impl Iterator<Item = &Outstanding> {
        self.frames.iter().flat_map(|frame| match &frame.waits {
            Waits::Answers { steps, .. } => &steps[..],
            Waits::Sagas(_) => &[],
        })
    }

    /// The same, to be changed.
    pub(crate) fn outstanding_mut(&mut self) -> impl Iterator<Item = &mut Outstanding> {
        self.frames.iter_mut().flat_map(|frame| match &mut frame.waits {
            Waits::Answers { steps, .. } => &mut steps[..],
            Waits::Sagas(_) => &mut [],
        })
    }

    /// The places of the sagas that wait for the function at a place to go on, in the order in which it called them.
    pub(super) fn called_by(&self, caller: usize) -> impl Iterator<Item = usize> {
        let after = self.frames.iter().enumerate().skip(caller + 1);
        after.filter(move |(_, frame)| frame.caller as usize == caller).map(|(index, _)| index)
    }

    /// Whether the client has something to answer.
    pub(crate) fn is_asked(&self) -> bool {
        self.outstanding().any(Outstanding::is_open)
    }

    /// Lets what is outstanding be asked once more without counting; whether nothing else comes of it. What waits at a
    /// checkpoint beside it goes on.
    pub(crate) fn ask_again(&mut self) -> bool {
        let open = self.outstanding_mut().filter(|step| step.is_open());
        open.for_each(|step| step.asked = step.asked.saturating_sub(1));
        self.frames.iter().all(|frame| match &frame.waits {
            Waits::Answers { steps, .. } => steps.iter().any(Outstanding::is_open),
            Waits::Sagas(_) => true,
        })
    }
}
