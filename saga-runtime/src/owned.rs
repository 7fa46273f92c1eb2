//! Owned iterators of `for` loops that suspend: a range travels as a range, any other iterator as the items that
//! remain, which are drawn from it at the suspension.

use std::iter::{Empty, empty};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeInclusive};

use serde::{Deserialize, Serialize};

use crate::advance::Way;
use crate::held::Held;
use crate::lend::Lends;

/// Chooses by type how an owned iterator travels. The first of the traits below that fits is found by
/// `(&&&&&pick).pick()`: rustc looks at `&&&&&` first.
#[derive(Debug)]
pub struct Pick<'i, I>(PhantomData<&'i I>);

impl<I> Clone for Pick<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Pick<'_, I> {}

impl<'i, I> Pick<'i, I> {
    /// To choose for this iterator.
    #[must_use]
    pub const fn new(_: &'i I) -> Self {
        Self(PhantomData)
    }
}

/// The choice for a range, which stays one, or is known to be exhausted.
pub trait PickRange {
    /// The range.
    type Range;

    /// The range as it travels.
    type As;

    /// Makes one of the other.
    fn pick(self) -> fn(Self::Range) -> Self::As;
}

impl<T> PickRange for &&&&&Pick<'_, Range<T>> {
    type Range = Range<T>;
    type As = AsRange<Range<T>>;

    fn pick(self) -> fn(Range<T>) -> AsRange<Range<T>> {
        AsRange
    }
}

impl<T> PickRange for &&&&&Pick<'_, RangeInclusive<T>> {
    type Range = RangeInclusive<T>;
    type As = AsRangeInclusive<T>;

    fn pick(self) -> fn(RangeInclusive<T>) -> AsRangeInclusive<T> {
        AsRangeInclusive
    }
}

impl<T> PickRange for &&&&&Pick<'_, RangeFrom<T>> {
    type Range = RangeFrom<T>;
    type As = AsRange<RangeFrom<T>>;

    fn pick(self) -> fn(RangeFrom<T>) -> AsRange<RangeFrom<T>> {
        AsRange
    }
}

/// The choice for items that travel.
pub trait PickRest<'s> {
    /// The iterator.
    type Iterator;

    /// Its remaining items.
    fn pick(self) -> fn(Self::Iterator) -> AsRest<Self::Iterator>;
}

impl<'s, I: Iterator<Item: Held<'s>>> PickRest<'s> for &&&&Pick<'_, I> {
    type Iterator = I;

    fn pick(self) -> fn(I) -> AsRest<I> {
        AsRest
    }
}

/// The choice for items that are shared references.
pub trait PickShown<'s> {
    /// The iterator.
    type Iterator;

    /// What its remaining items show.
    fn pick(self) -> fn(Self::Iterator) -> AsShown<Self::Iterator>;
}

impl<'s, I: Iterator<Item: Lends<'s, Home: Held<'s>>>> PickShown<'s> for &&Pick<'_, I> {
    type Iterator = I;

    fn pick(self) -> fn(I) -> AsShown<I> {
        AsShown
    }
}

/// No choice: rustc says what cannot travel, where [`Travels::Refused`] is looked at.
pub trait PickNothing {
    /// The iterator.
    type Iterator;

    /// Nothing of it.
    fn pick(self) -> fn(Self::Iterator) -> AsNothing<Self::Iterator>;
}

impl<I: Iterator> PickNothing for &Pick<'_, I> {
    type Iterator = I;

    fn pick(self) -> fn(I) -> AsNothing<I> {
        AsNothing
    }
}

/// What is no iterator, which rustc has said already.
pub trait PickNone {
    /// Whatever it is.
    type Value;

    /// An iterator in its place.
    fn pick<T>(self) -> fn(Self::Value) -> AsNothing<Empty<T>>;
}

impl<I> PickNone for Pick<'_, I> {
    type Value = I;

    fn pick<T>(self) -> fn(I) -> AsNothing<Empty<T>> {
        |_| AsNothing(empty())
    }
}

/// An owned iterator that travels.
///
/// Its way does not name the iterator's own type, which may hold a closure: each arm of the machine has a closure
/// type of its own.
pub trait Travels<'s>: Iterator + Sized {
    /// How it travels.
    type Way: Way<'s>;

    /// Its items, if they cannot travel.
    type Refused;

    /// What travels of the iterator; `None` if it gives more items than a state can have.
    fn save(self) -> Option<<Self::Way as Way<'s>>::Saved>;
}

/// A range whose bounds tell all about it, with an end or without.
#[derive(Debug)]
pub struct AsRange<R>(R);

impl<R: Iterator> Iterator for AsRange<R> {
    type Item = R::Item;

    fn next(&mut self) -> Option<R::Item> {
        self.0.next()
    }
}

impl<R: Iterator> Travels<'_> for AsRange<R> {
    type Way = Self;
    type Refused = ();

    fn save(self) -> Option<R> {
        Some(self.0)
    }
}

impl<'s, R> Way<'s> for AsRange<R> {
    type Saved = R;
    type Home<'h>
        = R
    where
        's: 'h;
    type Again<'h>
        = Self
    where
        's: 'h;

    fn load<'h>(saved: R, _: &'h mut Option<R>) -> Self
    where
        's: 'h,
    {
        Self(saved)
    }
}

/// A range with its end.
#[derive(Debug)]
pub struct AsRangeInclusive<T>(RangeInclusive<T>);

impl<T> Iterator for AsRangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }
}

impl<T: PartialOrd> Travels<'_> for AsRangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Way = Self;
    type Refused = ();

    fn save(self) -> Option<SavedRangeInclusive<T>> {
        let exhausted = self.0.is_empty();
        let (start, end) = self.0.into_inner();
        Some(SavedRangeInclusive { start, end, exhausted })
    }
}

/// Both ends of a range, and whether it is exhausted, which its ends do not tell.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedRangeInclusive<T> {
    start: T,
    end: T,
    exhausted: bool,
}

impl<'s, T> Way<'s> for AsRangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Saved = SavedRangeInclusive<T>;
    type Home<'h>
        = SavedRangeInclusive<T>
    where
        's: 'h;
    type Again<'h>
        = Self
    where
        's: 'h;

    fn load<'h>(saved: SavedRangeInclusive<T>, _: &'h mut Option<SavedRangeInclusive<T>>) -> Self
    where
        's: 'h,
    {
        let mut range = saved.start..=saved.end;
        if saved.exhausted {
            // An exhausted range has equal ends, or none between them: one item at most is given once more.
            range.next();
        }
        Self(range)
    }
}

/// Any other iterator.
#[derive(Debug)]
pub struct AsRest<I>(I);

impl<I: Iterator> Iterator for AsRest<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

impl<I: Iterator> Travels<'_> for AsRest<I> {
    type Way = Rest<I::Item>;
    type Refused = ();

    fn save(self) -> Option<Rest<I::Item>> {
        Rest::of(self.0)
    }
}

/// An iterator whose items do not travel, which rustc has said.
#[derive(Debug)]
pub struct AsNothing<I>(I);

impl<I: Iterator> Iterator for AsNothing<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

impl<I: Iterator> Travels<'_> for AsNothing<I> {
    type Way = Nothing<I::Item>;
    type Refused = I::Item;

    fn save(self) -> Option<()> {
        None
    }
}

/// No way.
#[derive(Debug)]
pub struct Nothing<T>(PhantomData<fn(T) -> T>);

impl<'s, T> Way<'s> for Nothing<T> {
    type Saved = ();
    type Home<'h>
        = ()
    where
        's: 'h;
    type Again<'h>
        = AsNothing<Empty<T>>
    where
        's: 'h;

    fn load<'h>((): (), _: &'h mut Option<()>) -> AsNothing<Empty<T>>
    where
        's: 'h,
    {
        AsNothing(empty())
    }
}

/// More items than any state holds: the smallest take a byte each. Keeps an endless iterator from being drawn for good.
const MOST_ITEMS: usize = 1 << 20;

/// The items that remained of an iterator.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rest<T>(Vec<T>);

impl<T> Rest<T> {
    /// What remains of an iterator, if a state can have it.
    pub(crate) fn of(iterator: impl Iterator<Item = T>) -> Option<Self> {
        let items: Vec<_> = iterator.take(MOST_ITEMS + 1).collect();
        (items.len() <= MOST_ITEMS).then_some(Self(items))
    }

    /// The items, each lent.
    pub(crate) fn lend<'s: 'h, 'h, L: Lends<'s, Home = T>>(&'h self) -> std::vec::IntoIter<L::Again<'h>> {
        self.0.iter().map(L::lend).collect::<Vec<_>>().into_iter()
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.0
    }

    pub(crate) fn into_items(self) -> std::vec::IntoIter<T> {
        self.0.into_iter()
    }
}

impl<'s, T> Way<'s> for Rest<T> {
    type Saved = Self;
    type Home<'h>
        = Self
    where
        's: 'h;
    type Again<'h>
        = AsRest<std::vec::IntoIter<T>>
    where
        's: 'h;

    fn load<'h>(saved: Self, _: &'h mut Option<Self>) -> AsRest<std::vec::IntoIter<T>>
    where
        's: 'h,
    {
        AsRest(saved.into_items())
    }
}

/// An iterator whose items are shared references.
#[derive(Debug)]
pub struct AsShown<I>(I);

impl<I: Iterator> Iterator for AsShown<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

impl<'s, I: Iterator<Item: Lends<'s>>> Travels<'s> for AsShown<I> {
    type Way = RestShown<I::Item>;
    type Refused = ();

    fn save(self) -> Option<Rest<<I::Item as Lends<'s>>::Home>> {
        Rest::of(self.0.map(|item| item.home()))
    }
}

/// What the items that remained show.
#[derive(Debug)]
pub struct RestShown<L>(PhantomData<fn(L) -> L>);

impl<'s, L: Lends<'s>> Way<'s> for RestShown<L> {
    type Saved = Rest<L::Home>;
    type Home<'h>
        = Rest<L::Home>
    where
        's: 'h;
    type Again<'h>
        = AsShown<std::vec::IntoIter<L::Again<'h>>>
    where
        's: 'h;

    fn load<'h>(saved: Rest<L::Home>, home: &'h mut Option<Rest<L::Home>>) -> Self::Again<'h>
    where
        's: 'h,
    {
        AsShown(home.insert(saved).lend::<L>())
    }
}
