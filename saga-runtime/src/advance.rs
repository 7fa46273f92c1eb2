//! Locals that may be iterators which the author advances by hand: `let mut lines = text.lines();`. One that travels by
//! itself does so; of any other iterator the items travel that remain, as of a `for` loop's.

use std::cell::Cell;
use std::fmt;
use std::iter::Peekable;
use std::marker::PhantomData;
use std::vec::IntoIter;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::held::Held;
use crate::lend::Lends;
use crate::owned::Rest;

/// Chooses by type how a local travels: itself, its remaining items, or not at all, which rustc then reports. The
/// first of the traits below that fits is found by `(&&&&&&&&advanced).choose()`: rustc looks at that first.
pub struct Advanced<'l, T>(&'l Cell<Option<T>>);

impl<T> fmt::Debug for Advanced<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Advanced").finish_non_exhaustive()
    }
}

impl<T> Clone for Advanced<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Advanced<'_, T> {}

impl<'l, T> Advanced<'l, T> {
    /// To choose for this local.
    pub const fn new(local: &'l Cell<Option<T>>) -> Self {
        Self(local)
    }

    fn remaining(self) -> Option<Rest<T::Item>>
    where
        T: Iterator,
    {
        Rest::of(self.0.take()?)
    }

    /// What its remaining items show.
    pub(crate) fn shown_by<H>(self, home: impl Fn(T::Item) -> H) -> Option<Rest<H>>
    where
        T: Iterator,
    {
        Rest::of(self.0.take()?.map(home))
    }
}

/// A place from which a local can be taken.
pub const fn advanced<T>(local: T) -> Cell<Option<T>> {
    Cell::new(Some(local))
}

/// How a local travels.
pub trait Way<'s> {
    /// What travels.
    type Saved;

    /// What the local may borrow from after the suspension.
    type Home<'h>
    where
        's: 'h;

    /// The local after the suspension.
    type Again<'h>
    where
        's: 'h;

    /// The local again, which may borrow from what is put into `home`.
    fn load<'h>(saved: Self::Saved, home: &'h mut Option<Self::Home<'h>>) -> Self::Again<'h>
    where
        's: 'h;
}

/// A local on its way: none if it gives more items than a state can have.
#[derive(Debug)]
pub struct Chosen<'s, W: Way<'s>>(pub(crate) Option<W::Saved>);

/// It travels itself.
#[derive(Debug)]
pub struct Itself<T>(T);

impl<'s, T> Way<'s> for Itself<T> {
    type Saved = T;
    type Home<'h>
        = T
    where
        's: 'h;
    type Again<'h>
        = T
    where
        's: 'h;

    fn load<'h>(saved: T, _: &'h mut Option<T>) -> T
    where
        's: 'h,
    {
        saved
    }
}

/// Its remaining items travel.
#[derive(Debug)]
pub struct Remaining<T>(T);

impl<'s, T> Way<'s> for Remaining<T> {
    type Saved = Rest<T>;
    type Home<'h>
        = Rest<T>
    where
        's: 'h;
    type Again<'h>
        = IntoIter<T>
    where
        's: 'h;

    fn load<'h>(saved: Rest<T>, _: &'h mut Option<Rest<T>>) -> IntoIter<T>
    where
        's: 'h,
    {
        saved.into_items()
    }
}

/// Its remaining items travel, and the next can be looked at before it is taken.
#[derive(Debug)]
pub struct RemainingPeekable<T>(T);

impl<'s, T> Way<'s> for RemainingPeekable<T> {
    type Saved = Rest<T>;
    type Home<'h>
        = Rest<T>
    where
        's: 'h;
    type Again<'h>
        = Peekable<IntoIter<T>>
    where
        's: 'h;

    fn load<'h>(saved: Rest<T>, _: &'h mut Option<Rest<T>>) -> Peekable<IntoIter<T>>
    where
        's: 'h,
    {
        saved.into_items().peekable()
    }
}

/// What its remaining items show travels.
#[derive(Debug)]
pub struct RemainingShown<L>(PhantomData<fn(L) -> L>);

impl<'s, L: Lends<'s>> Way<'s> for RemainingShown<L> {
    type Saved = Rest<L::Home>;
    type Home<'h>
        = Rest<L::Home>
    where
        's: 'h;
    type Again<'h>
        = IntoIter<L::Again<'h>>
    where
        's: 'h;

    fn load<'h>(saved: Rest<L::Home>, home: &'h mut Option<Rest<L::Home>>) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.insert(saved).lend::<L>()
    }
}

/// What its remaining items show travels, and the next can be looked at before it is taken.
#[derive(Debug)]
pub struct RemainingShownPeekable<L>(PhantomData<fn(L) -> L>);

impl<'s, L: Lends<'s>> Way<'s> for RemainingShownPeekable<L> {
    type Saved = Rest<L::Home>;
    type Home<'h>
        = Rest<L::Home>
    where
        's: 'h;
    type Again<'h>
        = Peekable<IntoIter<L::Again<'h>>>
    where
        's: 'h;

    fn load<'h>(saved: Rest<L::Home>, home: &'h mut Option<Rest<L::Home>>) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.insert(saved).lend::<L>().peekable()
    }
}

/// Its items `T` cannot travel, which rustc says of them. It is such an iterator all the same where code goes on.
#[derive(Debug)]
pub struct Refused<T, I = IntoIter<T>>(PhantomData<fn(T) -> I>);

/// The same of one whose next item can be looked at.
pub type RefusedPeekable<T> = Refused<T, Peekable<IntoIter<T>>>;

impl<'s, T, I> Way<'s> for Refused<T, I> {
    type Saved = T;
    type Home<'h>
        = ()
    where
        's: 'h;
    type Again<'h>
        = I
    where
        's: 'h;

    fn load<'h>(_: T, _: &'h mut Option<()>) -> I
    where
        's: 'h,
    {
        crate::__private::unreachable()
    }
}

/// The choice for what serializes.
pub trait ChooseItself<'s> {
    /// The local.
    type Local;

    /// The local itself.
    fn choose(self) -> Chosen<'s, Itself<Self::Local>>;
}

impl<'s, T: Serialize + DeserializeOwned> ChooseItself<'s> for &&&&&&&&Advanced<'_, T> {
    type Local = T;

    fn choose(self) -> Chosen<'s, Itself<T>> {
        Chosen(self.0.take())
    }
}

/// The choice for an iterator that was looked into ahead: it can be again.
pub trait ChoosePeekable<'s> {
    /// The iterator's items.
    type Item;

    /// Its remaining items, the one that was looked at among them.
    fn choose(self) -> Chosen<'s, RemainingPeekable<Self::Item>>;
}

impl<'s, I: Iterator<Item: Held<'s>>> ChoosePeekable<'s> for &&&&&&&Advanced<'_, Peekable<I>> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RemainingPeekable<I::Item>> {
        Chosen(self.remaining())
    }
}

/// The same for one whose items are shared references.
pub trait ChooseShownPeekable<'s> {
    /// The iterator's items.
    type Item: Lends<'s>;

    /// What its remaining items show.
    fn choose(self) -> Chosen<'s, RemainingShownPeekable<Self::Item>>;
}

impl<'s, I: Iterator<Item: Lends<'s, Home: Held<'s>>>> ChooseShownPeekable<'s>
    for &&&&&Advanced<'_, Peekable<I>>
{
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RemainingShownPeekable<I::Item>> {
        Chosen(self.shown_by(|item| item.home()))
    }
}

/// The choice for other iterators.
pub trait ChooseRemaining<'s> {
    /// The iterator's items.
    type Item;

    /// Its remaining items.
    fn choose(self) -> Chosen<'s, Remaining<Self::Item>>;
}

impl<'s, I: Iterator<Item: Held<'s>>> ChooseRemaining<'s> for &&&&Advanced<'_, I> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, Remaining<I::Item>> {
        Chosen(self.remaining())
    }
}

/// The same for those whose items are shared references.
pub trait ChooseShown<'s> {
    /// The iterator's items.
    type Item: Lends<'s>;

    /// What its remaining items show.
    fn choose(self) -> Chosen<'s, RemainingShown<Self::Item>>;
}

impl<'s, I: Iterator<Item: Lends<'s, Home: Held<'s>>>> ChooseShown<'s> for &&Advanced<'_, I> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RemainingShown<I::Item>> {
        Chosen(self.shown_by(|item| item.home()))
    }
}

/// No choice for an iterator whose items cannot travel. It is looked for beside [`ChooseShown`], which fits no such iterator.
pub trait ChooseRefusedPeekable<'s> {
    /// The iterator's items.
    type Item;

    /// Nothing of it.
    fn choose(self) -> Chosen<'s, RefusedPeekable<Self::Item>>;
}

impl<'s, I: Iterator> ChooseRefusedPeekable<'s> for &&Advanced<'_, Peekable<I>> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RefusedPeekable<I::Item>> {
        Chosen(None)
    }
}

/// The same for other iterators.
pub trait ChooseRefused<'s> {
    /// The iterator's items.
    type Item;

    /// Nothing of it.
    fn choose(self) -> Chosen<'s, Refused<Self::Item>>;
}

impl<'s, I: Iterator> ChooseRefused<'s> for &Advanced<'_, I> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, Refused<I::Item>> {
        Chosen(None)
    }
}

/// No choice: rustc says that it cannot travel.
pub trait ChooseNothing<'s> {
    /// The local.
    type Local;

    /// The local itself.
    fn choose(self) -> Chosen<'s, Itself<Self::Local>>;
}

impl<'s, T> ChooseNothing<'s> for Advanced<'_, T> {
    type Local = T;

    fn choose(self) -> Chosen<'s, Itself<T>> {
        Chosen(self.0.take())
    }
}
