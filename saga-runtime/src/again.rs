//! Parameters that come again after a question, and may have been changed meanwhile through a shared reference, for
//! there may be a cell inside. What `Clone` and `RefUnwindSafe` speak of has none: a `Mutex` and an atomic do not clone,
//! and a `Cell` is not unwind safe. What else can travel travels. What would be misread comes again as it was, if it has no
//! `Cell`: many forms of serde's are without `Clone`.

use std::convert::Infallible;
use std::fmt;
use std::panic::RefUnwindSafe;

use crate::frame::{Holding, Passed, Slot, Taking};
use crate::held::Held;

/// Chooses by type whether a parameter travels. The first of the traits below that fits is found by `(&&&again).hold(..)`:
/// rustc looks at `&&&` first.
pub struct Again<'p, T>(&'p T);

impl<T> fmt::Debug for Again<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Again").finish_non_exhaustive()
    }
}

impl<T> Clone for Again<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Again<'_, T> {}

impl<'p, T> Again<'p, T> {
    /// To choose for this parameter.
    pub const fn new(parameter: &'p T) -> Self {
        Self(parameter)
    }
}

/// A part of a parameter of which another part is gone; `N` is uninhabited where the part's type says that it is what it
/// was, so that the assignment to it needs no place that can be assigned.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "generated code matches it")]
pub enum Part<N, T> {
    /// It is what it was.
    AsItWas,
    /// It is this.
    Changed(N, T),
}

impl Holding {
    /// Holds a parameter, if it travels.
    pub fn again(&mut self, parameter: Option<Passed>) {
        if let Some(parameter) = parameter {
            self.passed(parameter);
        }
    }
}

/// The choice for what is as it was.
pub trait AgainAsItWas {
    /// The parameter's type.
    type Parameter;

    /// Whether it may have been changed.
    fn may_change(self) -> bool;

    /// Nothing.
    fn hold(self, name: &'static str) -> Option<Passed>;

    /// Nothing, of a part.
    fn part(self, taking: &mut Taking<'_>, name: &'static str) -> Option<Part<Infallible, Self::Parameter>>;

    /// Nothing.
    fn take(self, taking: &mut Taking<'_>, name: &'static str) -> Option<Option<Self::Parameter>>;
}

impl<T: Clone + RefUnwindSafe> AgainAsItWas for &&&Again<'_, T> {
    type Parameter = T;

    fn may_change(self) -> bool {
        false
    }

    fn hold(self, _: &'static str) -> Option<Passed> {
        None
    }

    fn part(self, _: &mut Taking<'_>, _: &'static str) -> Option<Part<Infallible, T>> {
        Some(Part::AsItWas)
    }

    fn take(self, _: &mut Taking<'_>, _: &'static str) -> Option<Option<T>> {
        Some(None)
    }
}

/// The choice for what may have been changed.
pub trait AgainChanged<'s> {
    /// The parameter's type.
    type Parameter;

    /// Whether it may have been changed.
    fn may_change(self) -> bool;

    /// The parameter, encoded.
    fn hold(self, name: &'static str) -> Option<Passed>;

    /// The part that travelled; `None`, with the reason recorded, if it is not the one that was sealed.
    fn part(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Part<(), Self::Parameter>>;

    /// The parameter that travelled; `None`, with the reason recorded, if it is not the one that was sealed.
    fn take(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Option<Self::Parameter>>;
}

impl<'s, T: Held<'s> + RefUnwindSafe> AgainChanged<'s> for &&Again<'_, T> {
    type Parameter = T;

    fn may_change(self) -> bool {
        true
    }

    fn hold(self, name: &'static str) -> Option<Passed> {
        Some(Passed::new::<T>(name, self.0)).filter(Passed::is_sealable)
    }

    fn part(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Part<(), T>> {
        self.take(taking, name).map(|part| part.map_or(Part::AsItWas, |part| Part::Changed((), part)))
    }

    fn take(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Option<T>> {
        if taking.travels::<T>(name) { taking.local(name, &Slot::NEW).map(Some) } else { Some(None) }
    }
}

impl<'s, T: Held<'s>> AgainChanged<'s> for &Again<'_, T> {
    type Parameter = T;

    fn may_change(self) -> bool {
        true
    }

    fn hold(self, name: &'static str) -> Option<Passed> {
        Some(Passed::new::<T>(name, self.0))
    }

    fn part(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Part<(), T>> {
        self.take(taking, name).map(|part| part.map_or(Part::AsItWas, |part| Part::Changed((), part)))
    }

    fn take(self, taking: &mut Taking<'s>, name: &'static str) -> Option<Option<T>> {
        taking.local(name, &Slot::NEW).map(Some)
    }
}

/// The choice for what cannot travel: a function, for example.
pub trait AgainAsGiven {
    /// The parameter's type.
    type Parameter;

    /// Whether it may have been changed.
    fn may_change(self) -> bool;

    /// Nothing.
    fn hold(self, name: &'static str) -> Option<Passed>;

    /// Nothing, of a part.
    fn part(self, taking: &mut Taking<'_>, name: &'static str) -> Option<Part<Infallible, Self::Parameter>>;

    /// Nothing.
    fn take(self, taking: &mut Taking<'_>, name: &'static str) -> Option<Option<Self::Parameter>>;
}

impl<T> AgainAsGiven for Again<'_, T> {
    type Parameter = T;

    fn may_change(self) -> bool {
        true
    }

    fn hold(self, _: &'static str) -> Option<Passed> {
        None
    }

    fn part(self, _: &mut Taking<'_>, _: &'static str) -> Option<Part<Infallible, T>> {
        Some(Part::AsItWas)
    }

    fn take(self, _: &mut Taking<'_>, _: &'static str) -> Option<Option<T>> {
        Some(None)
    }
}
