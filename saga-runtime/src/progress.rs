//! How far a transition has come, told to the client while it runs (MCP, `notifications/progress`).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// How far a tool has come, for [`Saga::progress`](crate::Saga::progress).
///
/// ```
/// use saga_runtime::Progress;
/// let progress = Progress::new(3).total(10).message("copied eu-west");
/// assert_eq!((progress.done, progress.total), (3.0, Some(10.0)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done, in the tool's own unit.
    pub done: f64,
    /// How much there is to do, in the same unit, where that is known.
    pub total: Option<f64>,
    /// What a person may read.
    pub message: Option<String>,
}

impl Progress {
    /// This much is done.
    pub fn new(done: impl Into<f64>) -> Self {
        Self { done: done.into(), total: None, message: None }
    }

    /// Of this much.
    #[must_use]
    pub fn total(mut self, total: impl Into<f64>) -> Self {
        self.total = Some(total.into());
        self
    }

    /// With a word on it.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// JSON has no word for the other numbers.
    fn is_finite(&self) -> bool {
        self.done.is_finite() && self.total.is_none_or(f64::is_finite)
    }
}

/// Where a request's progress goes: to its client, or nowhere if that did not ask for it.
#[derive(Clone, Default)]
pub struct Reporter {
    client: Option<Arc<Listener>>,
}

struct Listener {
    tell: Box<dyn Fn(Progress) + Send + Sync>,
    /// What the client heard last.
    last: Mutex<f64>,
}

impl Reporter {
    /// Nobody wants to know.
    #[must_use]
    pub const fn none() -> Self {
        Self { client: None }
    }

    /// Tells a client, in order. The function is called while a tool runs, and so must not block.
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        let client = Listener { tell: Box::new(tell), last: Mutex::new(f64::NEG_INFINITY) };
        Self { client: Some(Arc::new(client)) }
    }

    /// MCP asks that progress increases: what does not is left out.
    pub(crate) fn report(&self, progress: Progress) {
        let Some(client) = &self.client else { return };
        let mut last = client.last.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.is_finite() && progress.done > *last {
            *last = progress.done;
            (client.tell)(progress);
        }
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.client.is_some() { "Reporter(..)" } else { "Reporter(none)" })
    }
}
