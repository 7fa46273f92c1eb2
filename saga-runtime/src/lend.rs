//! Locals that may be shared references to what is no place of the function: `let best = cheapest(&flights)?`,
//! `let plan = fleet.plans.get(&id)`. What such a reference shows cannot change while it is there, so a copy of that
//! travels and is lent again after the question.
//!
//! What is looked at through a shared reference and changes all the same would be two things then. Of a copy that is
//! as good as the original `Clone` and `RefUnwindSafe` speak: a `Mutex` and an atomic do not clone, and a `Cell` is not
//! unwind safe.

mod array;
mod copied;
mod early;
mod errors;
mod fine;
mod items;
mod twice;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::panic::RefUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

pub use self::array::Array;
pub use self::copied::*;
pub use self::early::*;
pub use self::errors::{Few, Io, OneOfFew};
pub use self::fine::{Fine, NotFine, Unsaid};
pub use self::items::*;
pub use self::twice::{LendTwice, LendsTwice, ShownTwice};
use crate::advance::{Itself, Way};
use crate::frame::Passed;
use crate::held::{Held, Unsealable};

/// Chooses by type how a local travels: itself, what it shows, or not at all, which rustc then reports. The first of
/// the traits below that fits is found by `(&&&lending).choose()`: rustc looks at `&&&` first.
pub struct Lending<'l, T>(&'l T);

impl<T> fmt::Debug for Lending<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lending").finish_non_exhaustive()
    }
}

impl<T> Clone for Lending<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lending<'_, T> {}

impl<'l, T> Lending<'l, T> {
    /// To choose for this local.
    pub const fn new(local: &'l T) -> Self {
        Self(local)
    }
}

/// A local that was found to travel in a way, encoded.
#[derive(Debug)]
pub struct Lent<W> {
    way: PhantomData<fn(W) -> W>,
    encoded: Passed,
}

impl<W> Lent<W> {
    const fn new(encoded: Passed) -> Self {
        Self { way: PhantomData, encoded }
    }

    /// What is held of it.
    #[must_use]
    pub fn encoded(self) -> Passed {
        self.encoded
    }
}

/// A shared reference, or several of them. A text in what it shows is read from the state, of which the lifetime is.
pub trait Lends<'s> {
    /// A copy of what it shows.
    type Home: 's;

    /// The same, of the copy.
    type Again<'h>: 'h
    where
        's: 'h;

    /// The copy that travels.
    fn home(&self) -> Self::Home;

    /// Lends it again.
    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h;
}

impl<'s, T: Clone + RefUnwindSafe + 's> Lends<'s> for &T {
    type Home = T;
    type Again<'h>
        = &'h T
    where
        's: 'h;

    fn home(&self) -> T {
        (*self).clone()
    }

    fn lend<'h>(home: &'h T) -> &'h T
    where
        's: 'h,
    {
        home
    }
}

impl<'s, T: Clone + RefUnwindSafe + 's> Lends<'s> for &[T] {
    type Home = Vec<T>;
    type Again<'h>
        = &'h [T]
    where
        's: 'h;

    fn home(&self) -> Vec<T> {
        self.to_vec()
    }

    fn lend<'h>(home: &'h Vec<T>) -> &'h [T]
    where
        's: 'h,
    {
        home
    }
}

impl<'s> Lends<'s> for &str {
    type Home = String;
    type Again<'h>
        = &'h str
    where
        's: 'h;

    fn home(&self) -> String {
        (*self).to_owned()
    }

    fn lend<'h>(home: &'h String) -> &'h str
    where
        's: 'h,
    {
        home
    }
}

/// A value that can be cloned. The lifetime means nothing: rustc looks at a bound of any lifetime where it is used only.
pub trait Copies<'c> {
    /// A clone.
    #[must_use]
    fn copied(&self) -> Self;
}

impl<T: Clone> Copies<'_> for T {
    fn copied(&self) -> Self {
        self.clone()
    }
}

/// Chooses by type whether a key is kept, which is needed again after a question: as a clone, by `(&keep).keep()`.
pub struct Keep<'k, K>(&'k K);

impl<'k, K> Keep<'k, K> {
    /// To keep this key.
    pub const fn new(key: &'k K) -> Self {
        Self(key)
    }
}

impl<K> fmt::Debug for Keep<'_, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Keep").finish_non_exhaustive()
    }
}

impl<K> Clone for Keep<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Keep<'_, K> {}

/// The choice for a key that can be cloned.
pub trait KeepClone {
    /// The key.
    type Key;

    /// Its clone.
    fn keep(self) -> Self::Key;
}

impl<K: Clone> KeepClone for &Keep<'_, K> {
    type Key = K;

    fn keep(self) -> K {
        self.0.clone()
    }
}

/// No choice: what is reached by such a key cannot go over a question.
pub trait KeepNothing {
    /// Nothing.
    fn keep(self) -> KeyIsNotClone;
}

impl<K> KeepNothing for Keep<'_, K> {
    fn keep(self) -> KeyIsNotClone {
        KeyIsNotClone
    }
}

/// In the place of a key that has no clone; no map has it as its key.
#[derive(Debug)]
pub struct KeyIsNotClone;

macro_rules! beside {
    ($($type:ty),*) => {$(
        /// What stands beside references: `(usize, &Plan)`.
        impl<'s> Lends<'s> for $type {
            type Home = Self;
            type Again<'h>
                = Self
            where
                's: 'h;

            fn home(&self) -> Self {
                self.clone()
            }

            fn lend<'h>(home: &'h Self) -> Self
            where
                's: 'h,
            {
                home.clone()
            }
        }

        impl<'s> LendsTwice<'s> for $type {
            type Home = Self;
            type Inner<'h>
                = ()
            where
                's: 'h;
            type Again<'h>
                = Self
            where
                's: 'h;

            fn home(&self) -> Self {
                self.clone()
            }

            fn lend<'h>(home: &'h Self, (): &'h mut ()) -> Self
            where
                's: 'h,
            {
                home.clone()
            }
        }
    )*};
}

beside!(
    bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, String, PathBuf,
    Duration
);

impl<'s, L: Lends<'s>> Lends<'s> for Option<L> {
    type Home = Option<L::Home>;
    type Again<'h>
        = Option<L::Again<'h>>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.as_ref().map(L::home)
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.as_ref().map(L::lend)
    }
}

impl<'s, L: Lends<'s>, M: Lends<'s>> Lends<'s> for Result<L, M> {
    type Home = Result<L::Home, M::Home>;
    type Again<'h>
        = Result<L::Again<'h>, M::Again<'h>>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.as_ref().map(L::home).map_err(M::home)
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.as_ref().map(L::lend).map_err(M::lend)
    }
}

// What is bounded `for<'h>` is of `'static`: rustc takes every `'h` there to be outlived by the state.
macro_rules! each {
    ($($list:ident<$state:lifetime> $(: $key:ident)?;)*) => {$(
        impl<'s, L: Lends<$state>> Lends<'s> for $list<L>
        $(where
            L::Home: $key,
            for<'h> L::Again<'h>: $key,)?
        {
            type Home = $list<L::Home>;
            type Again<'h>
                = $list<L::Again<'h>>
            where
                's: 'h;

            fn home(&self) -> Self::Home {
                self.iter().map(L::home).collect()
            }

            fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
            where
                's: 'h,
            {
                home.iter().map(L::lend).collect()
            }
        }
    )*};
}

each! {
    Vec<'s>;
    VecDeque<'s>;
    BTreeSet<'static>: Ord;
}

impl<'s, L, S: BuildHasher + Default + 'static> Lends<'s> for HashSet<L, S>
where
    L: Lends<'static, Home: Eq + Hash>,
    for<'h> L::Again<'h>: Eq + Hash,
{
    type Home = HashSet<L::Home, S>;
    type Again<'h>
        = HashSet<L::Again<'h>, S>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.iter().map(L::home).collect()
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.iter().map(L::lend).collect()
    }
}

impl<'s, L: Lends<'s>, M: Lends<'s>> Lends<'s> for (L, M) {
    type Home = (L::Home, M::Home);
    type Again<'h>
        = (L::Again<'h>, M::Again<'h>)
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        (self.0.home(), self.1.home())
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        (L::lend(&home.0), M::lend(&home.1))
    }
}

impl<'s, L: Lends<'s>, M: Lends<'s>, N: Lends<'s>> Lends<'s> for (L, M, N) {
    type Home = (L::Home, M::Home, N::Home);
    type Again<'h>
        = (L::Again<'h>, M::Again<'h>, N::Again<'h>)
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        (self.0.home(), self.1.home(), self.2.home())
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        (L::lend(&home.0), M::lend(&home.1), N::lend(&home.2))
    }
}

impl<'s, K, V: Lends<'s>> Lends<'s> for BTreeMap<K, V>
where
    K: Lends<'static, Home: Ord>,
    for<'h> K::Again<'h>: Ord,
{
    type Home = BTreeMap<K::Home, V::Home>;
    type Again<'h>
        = BTreeMap<K::Again<'h>, V::Again<'h>>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.iter().map(|(key, value)| (key.home(), value.home())).collect()
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.iter().map(|(key, value)| (K::lend(key), V::lend(value))).collect()
    }
}

impl<'s, K, V: Lends<'s>, S: BuildHasher + Default + 'static> Lends<'s> for HashMap<K, V, S>
where
    K: Lends<'static, Home: Eq + Hash>,
    for<'h> K::Again<'h>: Eq + Hash,
{
    type Home = HashMap<K::Home, V::Home, S>;
    type Again<'h>
        = HashMap<K::Again<'h>, V::Again<'h>, S>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.iter().map(|(key, value)| (key.home(), value.home())).collect()
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.iter().map(|(key, value)| (K::lend(key), V::lend(value))).collect()
    }
}

/// What it shows travels.
#[derive(Debug)]
pub struct Shown<L>(PhantomData<fn(L) -> L>);

impl<'s, L: Lends<'s>> Way<'s> for Shown<L> {
    type Saved = L::Home;
    type Home<'h>
        = L::Home
    where
        's: 'h;
    type Again<'h>
        = L::Again<'h>
    where
        's: 'h;

    fn load<'h>(saved: L::Home, home: &'h mut Option<L::Home>) -> L::Again<'h>
    where
        's: 'h,
    {
        L::lend(home.insert(saved))
    }
}

/// A way in which what such a value shows travels: of a type of its own, since the slot's may live longer than the
/// value, and by the way, so that rustc says once what cannot travel.
pub trait Writes<'s, V>: Way<'s> {
    /// The value's bytes, which are read as what travels.
    ///
    /// # Errors
    ///
    /// Which part of it would be misread.
    fn write(value: &V) -> Result<Vec<u8>, Unsealable>
    where
        Self::Saved: Held<'s>;
}

impl<'s, T, V: Serialize> Writes<'s, V> for Itself<T> {
    fn write(value: &V) -> Result<Vec<u8>, Unsealable>
    where
        T: Held<'s>,
    {
        T::encode_shown(value, Vec::new())
    }
}

impl<'s, 'v, L: Lends<'s>, V: Lends<'v, Home: Serialize>> Writes<'s, V> for Shown<L> {
    fn write(value: &V) -> Result<Vec<u8>, Unsealable>
    where
        L::Home: Held<'s>,
    {
        L::Home::encode_shown(&value.home(), Vec::new())
    }
}

/// The choice for what travels as it is; a `&str` is read from the state.
pub trait LendItself<'s> {
    /// The local.
    type Local;

    /// The local itself.
    fn choose(self, name: &'static str) -> Lent<Itself<Self::Local>>;

    /// That there is a way.
    fn fine(self) -> Fine;
}

impl<'s, T: Held<'s>> LendItself<'s> for &&&Lending<'_, T> {
    type Local = T;

    fn choose(self, name: &'static str) -> Lent<Itself<T>> {
        Lent::new(Passed::new(name, self.0))
    }

    fn fine(self) -> Fine {
        Fine
    }
}

/// The choice for a shared reference.
pub trait LendShown<'s> {
    /// The local.
    type Local;

    /// What it shows.
    fn choose(self, name: &'static str) -> Lent<Shown<Self::Local>>;

    /// That there is a way.
    fn fine(self) -> Fine;
}

impl<'s, L: Lends<'s, Home: Held<'s>>> LendShown<'s> for &Lending<'_, L> {
    type Local = L;

    fn choose(self, name: &'static str) -> Lent<Shown<L>> {
        Lent::new(Passed::new(name, &self.0.home()))
    }

    fn fine(self) -> Fine {
        Fine
    }
}

/// No choice: rustc says that it cannot travel.
pub trait LendNothing {
    /// The local.
    type Local;

    /// The local itself.
    fn choose<'s>(self, name: &'static str) -> Lent<Itself<Self::Local>>
    where
        Self::Local: Held<'s>;

    /// That there is none.
    fn fine(self) -> NotFine;
}

impl<T> LendNothing for Lending<'_, T> {
    type Local = T;

    fn choose<'s>(self, name: &'static str) -> Lent<Itself<T>>
    where
        T: Held<'s>,
    {
        Lent::new(Passed::new(name, self.0))
    }

    fn fine(self) -> NotFine {
        NotFine
    }
}
