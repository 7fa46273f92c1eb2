//! Iterators of `for` loops that suspend: how each travels.
//!
//! A range travels as a range; an iterator over a borrow as its position; any other iterator as the items that
//! remain, which are drawn from it at the suspension.

use std::ops::{Range, RangeFrom, RangeInclusive};

use serde::{Deserialize, Serialize};

/// An iterator over a borrow, and how many items it has given.
#[derive(Debug)]
pub struct Positioned<I> {
    iterator: I,
    position: usize,
}

impl<I: Iterator> Positioned<I> {
    /// At the start.
    pub const fn start(iterator: I) -> Self
    where
        I: StableOrder,
    {
        Self { iterator, position: 0 }
    }

    /// Goes to a position again, and gives the item before it: the one that was given last.
    pub fn resume(mut iterator: I, position: usize) -> Option<(Self, I::Item)> {
        let item = iterator.nth(position.checked_sub(1)?)?;
        Some((Self { iterator, position }, item))
    }
}

impl<I> Positioned<I> {
    /// How many items were given.
    pub const fn given(&self) -> usize {
        self.position
    }
}

impl<I: Iterator> Iterator for Positioned<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.iterator.next()?;
        self.position += 1;
        Some(item)
    }
}

/// An iterator that gives the same items in the same order over equal collections.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to have a stable order",
    label = "a question inside this loop",
    note = "after the question the collection is another one with equal contents, which may give its items in \
            another order; collect what the loop needs into a `Vec`, or use a `BTreeMap`, a `BTreeSet`, or with \
            saga-runtime's feature `indexmap` an `IndexMap`"
)]
pub trait StableOrder {}

macro_rules! stable {
    ($($(#[$meta:meta])* [$($generics:tt)*] $type:ty $(where $($bounds:tt)*)?;)*) => {$(
        impl<$($generics)*> StableOrder for $type $(where $($bounds)*)? {}
    )*};
}

stable! {
    [T] std::slice::Iter<'_, T>;
    [T] std::slice::IterMut<'_, T>;
    [T] std::slice::Windows<'_, T>;
    [T] std::slice::Chunks<'_, T>;
    [T] std::collections::vec_deque::Iter<'_, T>;
    [T] std::collections::vec_deque::IterMut<'_, T>;
    [T] std::collections::linked_list::Iter<'_, T>;
    [T] std::collections::btree_set::Iter<'_, T>;
    [K, V] std::collections::btree_map::Iter<'_, K, V>;
    [K, V] std::collections::btree_map::IterMut<'_, K, V>;
    [K, V] std::collections::btree_map::Keys<'_, K, V>;
    [K, V] std::collections::btree_map::Values<'_, K, V>;
    [T] std::option::Iter<'_, T>;
    [T] std::option::IntoIter<T>;
    [T, const N: usize] std::array::IntoIter<T, N>;
    [] std::str::Chars<'_>;
    [] std::str::CharIndices<'_>;
    [] std::str::Bytes<'_>;
    [] std::str::Lines<'_>;
    [] std::str::SplitWhitespace<'_>;
    [I: StableOrder] std::iter::Enumerate<I>;
    [I: StableOrder] std::iter::Rev<I>;
    [I: StableOrder] std::iter::Copied<I>;
    [I: StableOrder] std::iter::Cloned<I>;
    [I: StableOrder] std::iter::Skip<I>;
    [I: StableOrder] std::iter::Take<I>;
    [I: StableOrder, P] std::iter::Filter<I, P>;
    [I: StableOrder, P] std::iter::SkipWhile<I, P>;
    [I: StableOrder, P] std::iter::TakeWhile<I, P>;
    [I: StableOrder] std::iter::StepBy<I>;
    [I: StableOrder, J: StableOrder] std::iter::Zip<I, J>;
    [T] Range<T>;
    [T] RangeInclusive<T>;
    [T] RangeFrom<T>;
    [I: StableOrder + Iterator<Item: IntoIterator<IntoIter: StableOrder>>] std::iter::Flatten<I>;
}

#[cfg(feature = "indexmap")]
stable! {
    [T] indexmap::set::Iter<'_, T>;
    [K, V] indexmap::map::Iter<'_, K, V>;
    [K, V] indexmap::map::IterMut<'_, K, V>;
    [K, V] indexmap::map::Keys<'_, K, V>;
    [K, V] indexmap::map::Values<'_, K, V>;
}

/// Chooses by type how an owned iterator travels: the inherent methods are for ranges, [`PickRest`] is for the rest.
#[derive(Debug)]
pub struct Pick<I>(I);

impl<I> Pick<I> {
    /// To choose for this iterator.
    pub const fn new(iterator: I) -> Self {
        Self(iterator)
    }
}

impl<T> Pick<Range<T>> {
    /// A range stays a range.
    pub fn pick(self) -> AsRange<T> {
        AsRange(self.0)
    }
}

impl<T> Pick<RangeInclusive<T>> {
    /// A range stays a range, or is known to be exhausted.
    pub fn pick(self) -> AsRangeInclusive<T> {
        AsRangeInclusive(self.0)
    }
}

impl<T> Pick<RangeFrom<T>> {
    /// A range without an end stays one.
    pub fn pick(self) -> AsRangeFrom<T> {
        AsRangeFrom(self.0)
    }
}

/// The choice for every other iterator.
pub trait PickRest {
    /// The iterator.
    type Iterator: Iterator;

    /// Its remaining items.
    fn pick(self) -> AsRest<Self::Iterator>;
}

impl<I: Iterator> PickRest for Pick<I> {
    type Iterator = I;

    fn pick(self) -> AsRest<I> {
        AsRest(self.0)
    }
}

/// An owned iterator that travels.
///
/// What travels does not name the iterator's own type, which may hold a closure: each arm of the machine has a
/// closure type of its own.
pub trait Travels: Iterator + Sized {
    /// What travels.
    type Saved: Saved<Item = Self::Item>;

    /// What travels of the iterator; `None` if it gives more items than a state can have.
    fn save(self) -> Option<Self::Saved>;
}

/// What travels of an owned iterator.
pub trait Saved {
    /// The iterator's items.
    type Item;

    /// The iterator after the suspension.
    type Iterator: Iterator<Item = Self::Item> + Travels<Saved = Self>;

    /// The iterator again.
    fn load(self) -> Self::Iterator;
}

/// A range.
#[derive(Debug)]
pub struct AsRange<T>(Range<T>);

impl<T> Iterator for AsRange<T>
where
    Range<T>: Iterator<Item = T>,
{
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }
}

impl<T> Travels for AsRange<T>
where
    Range<T>: Iterator<Item = T>,
{
    type Saved = Range<T>;

    fn save(self) -> Option<Range<T>> {
        Some(self.0)
    }
}

impl<T> Saved for Range<T>
where
    Self: Iterator<Item = T>,
{
    type Item = T;
    type Iterator = AsRange<T>;

    fn load(self) -> AsRange<T> {
        AsRange(self)
    }
}

/// A range without an end.
#[derive(Debug)]
pub struct AsRangeFrom<T>(RangeFrom<T>);

impl<T> Iterator for AsRangeFrom<T>
where
    RangeFrom<T>: Iterator<Item = T>,
{
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }
}

impl<T> Travels for AsRangeFrom<T>
where
    RangeFrom<T>: Iterator<Item = T>,
{
    type Saved = RangeFrom<T>;

    fn save(self) -> Option<RangeFrom<T>> {
        Some(self.0)
    }
}

impl<T> Saved for RangeFrom<T>
where
    Self: Iterator<Item = T>,
{
    type Item = T;
    type Iterator = AsRangeFrom<T>;

    fn load(self) -> AsRangeFrom<T> {
        AsRangeFrom(self)
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

impl<T: PartialOrd> Travels for AsRangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Saved = SavedRangeInclusive<T>;

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

impl<T: PartialOrd> Saved for SavedRangeInclusive<T>
where
    RangeInclusive<T>: Iterator<Item = T>,
{
    type Item = T;
    type Iterator = AsRangeInclusive<T>;

    fn load(self) -> AsRangeInclusive<T> {
        let mut range = self.start..=self.end;
        if self.exhausted {
            // An exhausted range has equal ends, or none between them: one item at most is given once more.
            range.next();
        }
        AsRangeInclusive(range)
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

/// More items than any state holds: the smallest take a byte each. Keeps an endless iterator from being drawn for good.
const MOST_ITEMS: usize = 1 << 20;

impl<I: Iterator> Travels for AsRest<I> {
    type Saved = Rest<I::Item>;

    fn save(self) -> Option<Rest<I::Item>> {
        let items: Vec<_> = self.0.take(MOST_ITEMS + 1).collect();
        (items.len() <= MOST_ITEMS).then_some(Rest(items))
    }
}

/// The items that remained of an iterator.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rest<T>(Vec<T>);

impl<T> Rest<T> {
    pub(crate) fn into_items(self) -> std::vec::IntoIter<T> {
        self.0.into_iter()
    }
}

impl<T> Saved for Rest<T> {
    type Item = T;
    type Iterator = AsRest<std::vec::IntoIter<T>>;

    fn load(self) -> Self::Iterator {
        AsRest(self.0.into_iter())
    }
}
