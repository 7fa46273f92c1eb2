//! Items of a loop that are taken apart: `for (index, plan) in ..`. Where a part cannot travel, and is held, it is reported
//! by itself, and the item, which cannot travel for that, is not reported once more.

use crate::held::Held;
use crate::owned::Travels;

/// Each held part of an item travels.
#[derive(Debug)]
pub struct Fine;

/// A held part of an item does not travel, which rustc says of it.
#[derive(Debug)]
pub struct NotFine;

impl Fine {
    /// The same with another part.
    pub fn and<M>(self, other: M) -> M {
        other
    }

    /// Says that the items travel.
    pub const fn check<'s, I: Travels<'s, Refused: Held<'s>>>(self, _: &I) {}
}

impl NotFine {
    /// The same with another part.
    #[must_use]
    pub fn and<M>(self, _: M) -> Self {
        self
    }

    /// Says nothing.
    pub const fn check<I>(self, _: &I) {}
}
