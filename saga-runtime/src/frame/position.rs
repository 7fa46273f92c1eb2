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

/// Where a tool stands between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The functions that wait, outermost first: the tool, and the sagas that it called. A list, and not frames
    /// inside frames, so that no state can make its decoder recurse.
    pub frames: Vec<SavedFrame>,
    /// The dynamic parts of the question, which the innermost function asked.
    #[serde(with = "serde_bytes")]
    pub question: Vec<u8>,
    /// The question's steps, in order.
    pub outstanding: Vec<Outstanding>,
    /// How often each key was used, for keys used in loops.
    pub visits: BTreeMap<String, u16>,
}

/// Where one function stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFrame {
    /// The suspension's stable name.
    pub site: String,
    /// The locals that later code needs, in the site's order.
    pub held: Vec<HeldLocal>,
}

impl Position {
    /// The site at which the question was asked; of a called saga, where one asked.
    #[must_use]
    pub fn site(&self) -> &str {
        self.frames.last().map_or("", |frame| &frame.site)
    }

    /// Lets what is outstanding be asked once more without counting; whether there is any.
    pub(crate) fn ask_again(&mut self) -> bool {
        let mut open = self.outstanding.iter_mut().filter(|step| step.answer.is_none()).peekable();
        let is_any = open.peek().is_some();
        open.for_each(|step| step.asked = step.asked.saturating_sub(1));
        is_any
    }
}
