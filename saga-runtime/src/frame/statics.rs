//! Texts of the program itself, whose type the author wrote: `let word: &'static str = if sure { "go" } else { "stay" };`.
//! After a question such a text is found among those that were found before, so that each is kept once, for good.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static FOUND: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// A type of texts of the program.
pub trait Texts {
    /// The type that the author wrote.
    type Static;

    /// The program's texts again.
    fn found(self) -> Self::Static;
}

impl Texts for &str {
    type Static = &'static str;

    fn found(self) -> &'static str {
        // The lock is held for a look-up only; a poisoned one still has whole texts.
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = found.get(self) {
            return text;
        }
        let text: &'static str = Box::leak(self.into());
        found.insert(text);
        text
    }
}

impl<T: Texts> Texts for Option<T> {
    type Static = Option<T::Static>;

    fn found(self) -> Self::Static {
        self.map(Texts::found)
    }
}
