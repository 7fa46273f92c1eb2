//! What an author reads who awaits a question outside of a saga, or by a name that the compiler does not know. The
//! awaits that it compiles are never these: it takes the questions out of them.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::{
    Call, Checkpoint, Each, Elicit, ElicitUrl, Join, JoinAll, ListRoots, OptionalElicit, Question, Sample,
    Step,
};
use crate::form::Form;

/// That a question is awaited where it can be asked. It never is: generated code takes the question out of the await.
#[diagnostic::on_unimplemented(
    message = "a question can be asked in a saga only, by its own name",
    label = "not a question that the compiler sees",
    note = "a question is awaited by the tool itself, and by no other future: not by a `timeout(..)`, which is \
            `#[saga_tool(ttl = \"10m\")]`, nor by another `join` than `saga_runtime`'s",
    note = "put `#[saga_tool]` or `#[saga]` above this function; in a saga, write `elicit(..)` or \
            `saga_runtime::elicit(..)`, since the compiler does not see through a renamed import; ask a \
            question that was made before by `ask(question).await`"
)]
pub trait InSaga {}

/// Where an await stands. With a lifetime, so that rustc looks at the bound below at an await, and not before; and
/// a type of its own, so that rustc reports this trait and not `Future`.
#[derive(Debug)]
pub struct Here<'a>(std::marker::PhantomData<&'a ()>);

macro_rules! outside {
    ($([$($generics:tt)*] $question:ty => $output:ty $(, $bound:ty: $trait:path)?;)*) => {$(
        impl<$($generics)*> Future for $question
        where
            for<'a> Here<'a>: InSaga,
            $($bound: $trait,)?
        {
            type Output = $output;

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
                Poll::Pending
            }
        }
    )*};
}

outside! {
    [T: Form] Elicit<T> => <Self as Question>::Output;
    [T: Form] OptionalElicit<T> => <Self as Question>::Output;
    [] ElicitUrl => <Self as Question>::Output;
    [] Sample => <Self as Question>::Output;
    [] ListRoots => <Self as Question>::Output;
    [] Checkpoint => ();
    [S: Step] JoinAll<S> => <Self as Question>::Output;
    [S: Step] Each<JoinAll<S>> => <Self as Question>::Output;
    [T] Join<T> => <Self as Question>::Output, Self: Question;
    [T] Each<Join<T>> => <Self as Question>::Output, Self: Question;
    [F: Future] Call<F> => F::Output;
}
