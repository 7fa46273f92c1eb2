//! Items of a loop that are taken apart: `for (index, plan) in ..`. Where a part cannot travel, and is held, it is reported
//! by itself, and the item, which cannot travel for that, is not reported once more.

use std::marker::PhantomData;

use crate::advance::{Chosen, Way};
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

    /// An iterator that is advanced by hand, of whose items the parts are, as it travels.
    pub const fn said<C>(self, chosen: C) -> C {
        chosen
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

    /// An iterator that is advanced by hand, of whose items nothing more is said.
    #[must_use]
    pub fn said<'s, W: Way<'s>>(self, _: Chosen<'s, W>) -> Chosen<'s, Unsaid<W>> {
        Chosen(None)
    }

    /// Says nothing.
    pub const fn check<I>(self, _: &I) {}
}

/// Nothing of what would travel by `W`, which cannot. It is the same where code goes on.
#[derive(Debug)]
pub struct Unsaid<W>(PhantomData<fn() -> W>);

impl<'s, W: Way<'s>> Way<'s> for Unsaid<W> {
    type Saved = ();
    type Home<'h>
        = ()
    where
        's: 'h;
    type Again<'h>
        = W::Again<'h>
    where
        's: 'h;

    fn load<'h>((): (), _: &'h mut Option<()>) -> W::Again<'h>
    where
        's: 'h,
    {
        crate::__private::unreachable()
    }
}
