//! Types whose methods do nothing but what their names say, so that a borrow by one of them can be derived again.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::held::Held;
use crate::iterate::{Positioned, StableOrder};

/// A type of the standard library, or of `serde_json`.
#[diagnostic::on_unimplemented(
    message = "this method of `{Self}` would run again after a later question; where it only borrows, say that it may \
               by `#[saga(rebuild)]` above the `let`, or name the field that it borrows; else hold a clone of what it \
               gives, or collect the items into a `Vec`",
    label = "what is borrowed here is derived again"
)]
pub trait Known {}

/// Says that a borrow is derived from this by methods.
pub const fn known<T: Known + ?Sized>(_: &T) {}

/// Says that an item is picked of this.
pub const fn stable<I: StableOrder>(_: &I) {}

/// What a loop goes over by a method, where that is a local that travels: what cannot is refused as that, and no more is
/// said of it. Chooses by type, by `(&&source).known()`.
#[derive(Debug)]
pub struct Source<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Source<T> {
    /// To choose for this local.
    #[must_use]
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// The choice for what is known.
pub trait OfKnown {
    /// Says that it is.
    fn known(self);

    /// Goes over it.
    fn start<I: Iterator + StableOrder>(self, iterator: I) -> Positioned<I>;
}

impl<T: ?Sized + Known> OfKnown for &&Source<T> {
    fn known(self) {}

    fn start<I: Iterator + StableOrder>(self, iterator: I) -> Positioned<I> {
        Positioned::start(iterator)
    }
}

/// The choice for what travels and is not known, which rustc says.
pub trait OfUnknown<'s> {
    /// What the loop goes over.
    type Source: ?Sized;

    /// Says that it is known.
    fn known(self)
    where
        Self::Source: Known;

    /// Goes over it.
    fn start<I: Iterator>(self, iterator: I) -> Positioned<I>;
}

impl<'s, T: Held<'s>> OfUnknown<'s> for &Source<T> {
    type Source = T;

    fn known(self)
    where
        T: Known,
    {
    }

    fn start<I: Iterator>(self, iterator: I) -> Positioned<I> {
        Positioned::start_anyway(iterator)
    }
}

/// The choice for what cannot travel, which rustc says of the local.
pub trait OfRefused {
    /// Says nothing.
    fn known(self);

    /// Goes over it.
    fn start<I: Iterator>(self, iterator: I) -> Positioned<I>;
}

impl<T: ?Sized> OfRefused for Source<T> {
    fn known(self) {}

    fn start<I: Iterator>(self, iterator: I) -> Positioned<I> {
        Positioned::start_anyway(iterator)
    }
}

macro_rules! known {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Known for $type {}
    )*};
}

known! {
    [] bool;
    [] char;
    [] f32;
    [] f64;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] i128;
    [] isize;
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] u128;
    [] usize;
    [] Duration;
    [] Ordering;
    [T] Reverse<T>;
    [A, B] (A, B);
    [A, B, C] (A, B, C);
    [] str;
    [] String;
    [] OsStr;
    [] OsString;
    [] CStr;
    [] CString;
    [] Path;
    [] PathBuf;
    [] Value;
    [] Map<String, Value>;
    [T] [T];
    [T, const N: usize] [T; N];
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T] LinkedList<T>;
    [T] BinaryHeap<T>;
    [T] BTreeSet<T>;
    [T, S] HashSet<T, S>;
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
    [T] Option<T>;
    [T, E] Result<T, E>;
    [T] Range<T>;
    [T] RangeFrom<T>;
    [T] RangeInclusive<T>;
    [T: ?Sized + Known] &T;
    [T: ?Sized + Known] &mut T;
    [T: ?Sized + Known] Box<T>;
    [T: ?Sized + Known] Rc<T>;
    [T: ?Sized + Known] Arc<T>;
    [T: ?Sized + Known + ToOwned] Cow<'_, T>;
}

#[cfg(feature = "indexmap")]
known! {
    [T, S] indexmap::IndexSet<T, S>;
    [K, V, S] indexmap::IndexMap<K, V, S>;
}
