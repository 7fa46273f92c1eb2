//! What a called saga has before the dot: `call(plan.review())`. Whether the method takes `plan` or borrows it only
//! rustc knows. What is borrowed is encoded after the call, since the saga may change it; what is taken is gone then,
//! so it is encoded before.
//!
//! A `#[saga]` method that takes its `self` gives a future of a type of its own, [`TakesSelf`]: by that rustc chooses.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A saga that takes its `self`.
#[must_use = "a saga does nothing until it is called: `call(..).await`"]
#[derive(Debug)]
pub struct TakesSelf<F>(Pin<Box<F>>);

impl<F> TakesSelf<F> {
    /// The saga, and what it gives.
    pub fn new<R>(saga: F) -> Self
    where
        F: Future<Output = R>,
    {
        Self(Box::pin(saga))
    }
}

impl<F: Future> Future for TakesSelf<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(context)
    }
}

/// Chooses for what stands before the dot, by the type of the saga's future.
#[derive(Debug)]
pub struct Receiver<F>(PhantomData<fn(F) -> F>);

impl<F> Receiver<F> {
    /// The choice for a type yet to be inferred.
    pub const NEW: Self = Self(PhantomData);

    /// Says that the call gives this future. Stands in code that never runs.
    pub const fn of(&self, _: &F) {}
}

impl<F> Receiver<TakesSelf<F>> {
    /// It is taken, and was this.
    pub fn before<P>(&self, value: impl FnOnce() -> P) -> Received<Infallible, P> {
        Received::Taken(value())
    }
}

/// The choice for all other sagas.
pub trait StaysBehind {
    /// It is borrowed.
    fn before<P>(&self, value: impl FnOnce() -> P) -> Received<(), P>;
}

impl<F> StaysBehind for Receiver<F> {
    fn before<P>(&self, _: impl FnOnce() -> P) -> Received<(), P> {
        Received::Stays(())
    }
}

/// What became of what stands before the dot; `N` is uninhabited where it was taken.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "generated code matches it")]
pub enum Received<N, P> {
    /// It was taken, and was this before.
    Taken(P),
    /// It is still there.
    Stays(N),
}

/// Control comes back from here only where the local is still there: rustc sees it by the type, and lets generated
/// code behind it read the local in that case alone.
pub fn stays<N>(there: N) -> N {
    there
}
