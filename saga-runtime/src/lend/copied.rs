//! What a method is called on, and an argument that asks makes another: a method that takes its `self` was to have a copy of
//! what that was before. Whether what is in a place is kept is chosen by its type, `(&&&early).copy()`: what can be copied and
//! travels. The borrow checker keeps any other from being changed.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use super::early::Early;
use super::{Lends, NotRead};
use crate::held::Held;

/// The choice for a shared reference that travels by what it shows.
pub trait CopyReference {
    /// The reference.
    type Copied;

    /// The reference itself.
    fn copy(self) -> Self::Copied;
}

impl<'s, 'a, T: PartialEq + ?Sized> CopyReference for &&&Early<'_, &'a T>
where
    &'a T: Lends<'s>,
{
    type Copied = &'a T;

    fn copy(self) -> &'a T {
        self.0
    }
}

/// The choice for any other shared reference.
pub trait CopyNoReference {
    /// Nothing.
    fn copy(self) -> NotRead;
}

impl<T: ?Sized> CopyNoReference for &&Early<'_, &T> {
    fn copy(self) -> NotRead {
        NotRead
    }
}

/// The choice for what can be copied and travels.
pub trait CopyItself<'s> {
    /// The copy.
    type Copied;

    /// A copy of what is in the place.
    fn copy(self) -> Self::Copied;
}

impl<'s, T: Copy + Held<'s>> CopyItself<'s> for &Early<'_, T> {
    type Copied = Copied<T>;

    fn copy(self) -> Copied<T> {
        Copied(*self.0)
    }
}

/// The choice for what nothing changes.
pub trait CopyNothing {
    /// Nothing.
    fn copy(self) -> NotRead;
}

impl<P: ?Sized> CopyNothing for Early<'_, P> {
    fn copy(self) -> NotRead {
        NotRead
    }
}

/// What was in a place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Copied<T>(T);

/// What a method is called on; `N` is uninhabited where that is the place by its type, so that rustc does not look at what
/// would be done with a copy.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "generated code matches it")]
pub enum Was<N, T> {
    /// The place is another one since; this it was.
    Another(N, T),
    /// The place.
    AsItIs,
}

/// What was kept of a place, or nothing.
pub trait Before<T> {
    /// Whether there may be something.
    type There;

    /// What was in the place, if it is another one now.
    fn before(&self, place: &T) -> Was<Self::There, T>;
}

impl<'s, T: Copy + Held<'s>> Before<T> for Copied<T> {
    type There = ();

    fn before(&self, place: &T) -> Was<(), T> {
        let encoded = |value: &T| value.encode(Vec::new()).ok();
        if encoded(&self.0) == encoded(place) { Was::AsItIs } else { Was::Another((), self.0) }
    }
}

impl<'a, T: PartialEq + ?Sized> Before<&'a T> for &'a T {
    type There = ();

    fn before(&self, place: &&'a T) -> Was<(), &'a T> {
        if self == place { Was::AsItIs } else { Was::Another((), self) }
    }
}

impl<T> Before<T> for NotRead {
    type There = Infallible;

    fn before(&self, _: &T) -> Was<Infallible, T> {
        Was::AsItIs
    }
}
