//! Places that are another after a question, where something is still of what they were: by a method of its own,
//! `cursor.advance()`, a struct may change what is in it, although a shared reference in it, or a number of it, was taken
//! before.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::Lends;

/// Chooses by type whether what is in a place is kept: a shared reference or a number, by `(&&early).read()`. The borrow
/// checker keeps any other from being changed.
pub struct Early<'p, P: ?Sized>(pub(super) &'p P);

impl<'p, P: ?Sized> Early<'p, P> {
    /// To read this place.
    pub const fn new(place: &'p P) -> Self {
        Self(place)
    }
}

impl<P: ?Sized> fmt::Debug for Early<'_, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Early").finish_non_exhaustive()
    }
}

impl<P: ?Sized> Clone for Early<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ?Sized> Copy for Early<'_, P> {}

/// The choice for a shared reference.
pub trait ReadReference {
    /// The reference.
    type Read;

    /// The reference itself.
    fn read(self) -> Self::Read;
}

impl<'s, 'a, T: ?Sized> ReadReference for &&Early<'_, &'a T>
where
    &'a T: Lends<'s>,
{
    type Read = &'a T;

    fn read(self) -> &'a T {
        self.0
    }
}

/// The choice for a number.
pub trait ReadNumber {
    /// The number.
    type Read;

    /// A copy of it.
    fn read(self) -> Self::Read;
}

impl<N: Number> ReadNumber for &Early<'_, N> {
    type Read = N;

    fn read(self) -> N {
        *self.0
    }
}

/// The choice for what nothing changes.
pub trait ReadNothing {
    /// Nothing.
    fn read(self) -> NotRead;
}

impl<P: ?Sized> ReadNothing for Early<'_, P> {
    fn read(self) -> NotRead {
        NotRead
    }
}

/// In the place of what need not be kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NotRead;

/// A type whose operators rustc knows itself: it reads the left operand of `==` before it evaluates the right one, and
/// evaluates the right one of `+=` first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number, so that rustc evaluates this place before its value, which asks; evaluate the value first: `let value = ..;`, and then `place += value;`",
    label = "this is evaluated before the question"
)]
pub trait Number: Copy {}

/// The place of a compound assignment whose value is evaluated first.
pub const fn number<N: Number>(place: &mut N) -> &mut N {
    place
}

/// What was read of a place, or the place.
pub trait Instead<P: ?Sized> {
    /// What shows it, for as long as what was read is there, or for as long as the place is.
    type Shown<'k, 'p>: Deref<Target = P>
    where
        Self: 'k,
        P: 'p;

    /// What is looked at instead of the place.
    fn instead<'k, 'p>(&'k self, place: impl FnOnce() -> &'p P) -> Self::Shown<'k, 'p>
    where
        P: 'p;
}

impl<P: ?Sized> Instead<P> for NotRead {
    type Shown<'k, 'p>
        = &'p P
    where
        P: 'p;

    fn instead<'p>(&self, place: impl FnOnce() -> &'p P) -> &'p P
    where
        P: 'p,
    {
        place()
    }
}

impl<'a, T: ?Sized> Instead<&'a T> for &'a T {
    type Shown<'k, 'p>
        = &'k &'a T
    where
        Self: 'k,
        &'a T: 'p;

    fn instead<'k, 'p>(&'k self, _: impl FnOnce() -> &'p &'a T) -> &'k &'a T
    where
        &'a T: 'p,
    {
        self
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {}

        impl Instead<$number> for $number {
            type Shown<'k, 'p> = &'k $number;

            fn instead<'k, 'p>(&'k self, _: impl FnOnce() -> &'p $number) -> &'k $number {
                self
            }
        }
    )*};
}

numbers!(bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);

/// What a place was when it was read, if it may be another since then, and what it is otherwise.
/// The place may be no longer there: an element of a list, for example.
pub fn instead<'k, 'p, K: Instead<P>, P: ?Sized>(
    read: &'k K,
    place: impl FnOnce() -> &'p P,
) -> K::Shown<'k, 'p> {
    read.instead(place)
}
