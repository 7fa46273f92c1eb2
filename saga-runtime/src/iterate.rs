//! Iterators over borrows in `for` loops that suspend: they travel as their position.

use std::ops::{Range, RangeFrom, RangeInclusive};

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

    /// The same where something else was refused.
    pub(crate) const fn start_anyway(iterator: I) -> Self {
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
    [T] std::slice::ChunksMut<'_, T>;
    [T] std::slice::ChunksExactMut<'_, T>;
    [T] std::slice::RChunksMut<'_, T>;
    [T] std::collections::vec_deque::Iter<'_, T>;
    [T] std::collections::vec_deque::IterMut<'_, T>;
    [T] std::collections::linked_list::Iter<'_, T>;
    [T] std::collections::btree_set::Iter<'_, T>;
    [K, V] std::collections::btree_map::Iter<'_, K, V>;
    [K, V] std::collections::btree_map::IterMut<'_, K, V>;
    [K, V] std::collections::btree_map::RangeMut<'_, K, V>;
    [K, V] std::collections::btree_map::Keys<'_, K, V>;
    [K, V] std::collections::btree_map::Values<'_, K, V>;
    [K, V] std::collections::btree_map::ValuesMut<'_, K, V>;
    [T] std::option::Iter<'_, T>;
    [T] std::option::IntoIter<T>;
    [T, const N: usize] std::array::IntoIter<T, N>;
    [] std::str::Chars<'_>;
    [] std::str::CharIndices<'_>;
    [] std::str::Bytes<'_>;
    [] std::str::Lines<'_>;
    [] std::str::SplitWhitespace<'_>;
    // An object's members are in the order of their names, or with serde_json's `preserve_order` in that of the object.
    [] serde_json::map::Iter<'_>;
    [] serde_json::map::IterMut<'_>;
    [] serde_json::map::Keys<'_>;
    [] serde_json::map::Values<'_>;
    [] serde_json::map::ValuesMut<'_>;
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
    [I: StableOrder, U: IntoIterator<IntoIter: StableOrder>, F] std::iter::FlatMap<I, U, F>;
}

#[cfg(feature = "indexmap")]
stable! {
    [T] indexmap::set::Iter<'_, T>;
    [K, V] indexmap::map::Iter<'_, K, V>;
    [K, V] indexmap::map::IterMut<'_, K, V>;
    [K, V] indexmap::map::Keys<'_, K, V>;
    [K, V] indexmap::map::Values<'_, K, V>;
    [K, V] indexmap::map::ValuesMut<'_, K, V>;
}
