//! A saga that another one calls.

use std::fmt;
use std::pin::Pin;

/// Calls a function under `#[saga]`, which may ask questions of its own: `call(review(&plan)).await`.
///
/// The function keeps its signature. While it waits, its locals travel in the caller's state; arguments by value
/// travel, arguments by reference are borrowed again. It may call itself.
///
/// ```
/// use saga_runtime::{Form, StepError, call, elicit, saga, saga_tool};
///
/// #[derive(Form)]
/// struct Confirm {
///     yes: bool,
/// }
///
/// #[saga]
/// async fn confirm(what: &str) -> Result<bool, StepError> {
///     let ok: Confirm = elicit(format!("{what}?")).await?;
///     Ok(ok.yes)
/// }
///
/// #[saga_tool]
/// async fn release(name: String) -> Result<&'static str, StepError> {
///     if call(confirm(&name)).await? && call(confirm("Sure")).await? {
///         return Ok("out");
///     }
///     Ok("kept")
/// }
/// ```
#[must_use = "a call does nothing until a saga awaits it"]
pub fn call<F: Future>(saga: F) -> Call<F> {
    Call { saga: Box::pin(saga) }
}

/// A call of a saga, yet to be awaited: [`call`].
#[must_use = "a call does nothing until a saga awaits it"]
pub struct Call<F> {
    /// In a box, so that a saga may call itself.
    saga: Pin<Box<F>>,
}

impl<F> Call<F> {
    pub(crate) fn into_inner(self) -> Pin<Box<F>> {
        self.saga
    }
}

impl<F> fmt::Debug for Call<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Call").finish_non_exhaustive()
    }
}
