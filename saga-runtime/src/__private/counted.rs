//! Methods of iterators that pick one of the items, which also tell its number: how many items are before it.

use std::cmp::Ordering;

/// [`Iterator::find`]; where it finds none, all items are before it.
pub fn find<I: Iterator>(
    mut iterator: I,
    mut sieve: impl FnMut(&I::Item) -> bool,
    number: &mut usize,
) -> Option<I::Item> {
    iterator.find(|item| {
        let found = sieve(item);
        *number += usize::from(!found);
        found
    })
}

/// [`Iterator::max_by`].
pub fn max_by<I: Iterator>(
    iterator: I,
    mut compare: impl FnMut(&I::Item, &I::Item) -> Ordering,
    number: &mut usize,
) -> Option<I::Item> {
    told(iterator.enumerate().max_by(|(_, one), (_, other)| compare(one, other)), number)
}

/// [`Iterator::max_by_key`].
pub fn max_by_key<I: Iterator, K: Ord>(
    iterator: I,
    mut key: impl FnMut(&I::Item) -> K,
    number: &mut usize,
) -> Option<I::Item> {
    told(iterator.enumerate().max_by_key(|(_, item)| key(item)), number)
}

/// [`Iterator::min_by`].
pub fn min_by<I: Iterator>(
    iterator: I,
    mut compare: impl FnMut(&I::Item, &I::Item) -> Ordering,
    number: &mut usize,
) -> Option<I::Item> {
    told(iterator.enumerate().min_by(|(_, one), (_, other)| compare(one, other)), number)
}

/// [`Iterator::min_by_key`].
pub fn min_by_key<I: Iterator, K: Ord>(
    iterator: I,
    mut key: impl FnMut(&I::Item) -> K,
    number: &mut usize,
) -> Option<I::Item> {
    told(iterator.enumerate().min_by_key(|(_, item)| key(item)), number)
}

/// Where none is picked there is none, so that its number is 0.
fn told<T>(picked: Option<(usize, T)>, number: &mut usize) -> Option<T> {
    let (at, item) = picked?;
    *number = at;
    Some(item)
}
