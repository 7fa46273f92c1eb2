//! Ties in the arms after the first. A closure that a function writes once stands in each arm, and is of a type of its own
//! there: what has one in it is of several types, and cannot travel, which the first arm has said.
//!
//! What travels is tied by a slot's own method; of what does not, [`Untied`] has one of the same name.

use super::{Passed, Slot};
use crate::advance::{Chosen, Way};
use crate::held::{Held, Unsealable};
use crate::lend::Writes;

impl<'s, T: Held<'s>> Slot<T> {
    /// Says that the slot has this value's type. Stands in code that never runs.
    pub const fn tied(&self, _: &T) {}
}

impl<'s, W: Way<'s, Saved: Held<'s>>> Slot<W> {
    /// Says that the slot has the way in which this local travels. Stands in code that never runs.
    pub const fn tied_advanced(&self, _: &Chosen<'s, W>) {}

    /// Says that this is such a local again. Stands in code that never runs.
    pub const fn tied_again<'h>(&self, _: &W::Again<'h>)
    where
        's: 'h,
    {
    }

    /// Encodes a local of which only the slot says in which way it travels.
    pub fn encoded<V>(&self, name: &'static str, value: &V) -> Passed
    where
        W: Writes<'s, V>,
    {
        Passed::by_slot(name, value, self)
    }
}

/// What a slot does with a local that cannot travel: nothing.
pub trait Untied {
    /// Says nothing.
    fn tied<V>(&self, _: &V) {}

    /// Says nothing.
    fn tied_advanced<V>(&self, _: &V) {}

    /// Says nothing.
    fn tied_again<V>(&self, _: &V) {}

    /// Encodes nothing: no such code is ever run.
    fn encoded<V>(&self, name: &'static str, _: &V) -> Passed {
        Passed::failed(name, Unsealable::endless())
    }
}

impl<T> Untied for Slot<T> {}
