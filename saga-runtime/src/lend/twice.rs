//! The same for references to what has references in it, as a list of them gives: `candidates.first()`. A copy of what
//! they show in the end travels; after the question it is lent, and a reference to that is lent, too.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use super::{Fine, Lending, Lends, Lent, Writes};
use serde::Serialize;

use crate::advance::Way;
use crate::frame::Passed;
use crate::held::{Held, Unsealable};

/// A shared reference to what lends.
pub trait LendsTwice<'s> {
    /// A copy of what it shows in the end.
    type Home: 's;

    /// What is lent of the copy, to be lent in its turn.
    type Inner<'h>: Default
    where
        's: 'h;

    /// The same, of the copy.
    type Again<'h>
    where
        's: 'h;

    /// The copy that travels.
    fn home(&self) -> Self::Home;

    /// Lends it again, through what stays in `inner`.
    fn lend<'h>(home: &'h Self::Home, inner: &'h mut Self::Inner<'h>) -> Self::Again<'h>
    where
        's: 'h;
}

impl<'s, L: Lends<'s>> LendsTwice<'s> for &L {
    type Home = L::Home;
    type Inner<'h>
        = Option<L::Again<'h>>
    where
        's: 'h;
    type Again<'h>
        = &'h L::Again<'h>
    where
        's: 'h;

    fn home(&self) -> L::Home {
        L::home(self)
    }

    fn lend<'h>(home: &'h L::Home, inner: &'h mut Self::Inner<'h>) -> &'h L::Again<'h>
    where
        's: 'h,
    {
        inner.insert(L::lend(home))
    }
}

impl<'s, L: Lends<'s>> LendsTwice<'s> for &[L] {
    type Home = Vec<L::Home>;
    type Inner<'h>
        = Vec<L::Again<'h>>
    where
        's: 'h;
    type Again<'h>
        = &'h [L::Again<'h>]
    where
        's: 'h;

    fn home(&self) -> Vec<L::Home> {
        self.iter().map(L::home).collect()
    }

    fn lend<'h>(home: &'h Vec<L::Home>, inner: &'h mut Self::Inner<'h>) -> &'h [L::Again<'h>]
    where
        's: 'h,
    {
        inner.extend(home.iter().map(L::lend));
        inner
    }
}

/// What stands beside such references: `("tea", &["green", "black"][..])`.
impl<'s> LendsTwice<'s> for &str {
    type Home = String;
    type Inner<'h>
        = ()
    where
        's: 'h;
    type Again<'h>
        = &'h str
    where
        's: 'h;

    fn home(&self) -> String {
        (*self).to_owned()
    }

    fn lend<'h>(home: &'h String, (): &'h mut ()) -> &'h str
    where
        's: 'h,
    {
        home
    }
}

impl<'s, L: LendsTwice<'s>> LendsTwice<'s> for Option<L> {
    type Home = Option<L::Home>;
    type Inner<'h>
        = L::Inner<'h>
    where
        's: 'h;
    type Again<'h>
        = Option<L::Again<'h>>
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        self.as_ref().map(L::home)
    }

    fn lend<'h>(home: &'h Self::Home, inner: &'h mut L::Inner<'h>) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.as_ref().map(|home| L::lend(home, inner))
    }
}

macro_rules! each {
    ($($list:ident<$lifetime:lifetime $(, $state:ident)?> $(: $($key:ident)+)?;)+) => {$(
        impl<'s, L: LendsTwice<$lifetime> $(, $state: BuildHasher + Default + 'static)?> LendsTwice<'s>
            for $list<L $(, $state)?>
        $(where
            for<'h> L::Again<'h>: $($key +)+,)?
        {
            type Home = Vec<L::Home>;
            type Inner<'h>
                = Vec<L::Inner<'h>>
            where
                's: 'h;
            type Again<'h>
                = $list<L::Again<'h> $(, $state)?>
            where
                's: 'h;

            fn home(&self) -> Self::Home {
                self.iter().map(L::home).collect()
            }

            fn lend<'h>(home: &'h Self::Home, inner: &'h mut Self::Inner<'h>) -> Self::Again<'h>
            where
                's: 'h,
            {
                inner.resize_with(home.len(), L::Inner::default);
                home.iter().zip(inner).map(|(home, inner)| L::lend(home, inner)).collect()
            }
        }
    )+};
}

each! {
    Vec<'s>;
    VecDeque<'s>;
    BTreeSet<'static>: Ord;
    HashSet<'static, S>: Eq Hash;
}

macro_rules! beside_each_other {
    ($($($part:ident: $index:tt)+;)+) => {$(
        impl<'s, $($part: LendsTwice<'s>),+> LendsTwice<'s> for ($($part,)+) {
            type Home = ($($part::Home,)+);
            type Inner<'h>
                = ($($part::Inner<'h>,)+)
            where
                's: 'h;
            type Again<'h>
                = ($($part::Again<'h>,)+)
            where
                's: 'h;

            fn home(&self) -> Self::Home {
                ($(self.$index.home(),)+)
            }

            fn lend<'h>(home: &'h Self::Home, inner: &'h mut Self::Inner<'h>) -> Self::Again<'h>
            where
                's: 'h,
            {
                ($($part::lend(&home.$index, &mut inner.$index),)+)
            }
        }
    )+};
}

beside_each_other! {
    L: 0 M: 1;
    L: 0 M: 1 N: 2;
}

macro_rules! by_key {
    ($($map:ident $([$state:ident])?: $($key:ident)+;)+) => {$(
        impl<'s, K: LendsTwice<'static>, V: LendsTwice<'s> $(, $state: BuildHasher + Default + 'static)?> LendsTwice<'s>
            for $map<K, V $(, $state)?>
        where
            for<'h> K::Again<'h>: $($key +)+,
        {
            type Home = Vec<(K::Home, V::Home)>;
            type Inner<'h>
                = Vec<(K::Inner<'h>, V::Inner<'h>)>
            where
                's: 'h;
            type Again<'h>
                = $map<K::Again<'h>, V::Again<'h> $(, $state)?>
            where
                's: 'h;

            fn home(&self) -> Self::Home {
                self.iter().map(|(key, value)| (key.home(), value.home())).collect()
            }

            fn lend<'h>(home: &'h Self::Home, inner: &'h mut Self::Inner<'h>) -> Self::Again<'h>
            where
                's: 'h,
            {
                inner.resize_with(home.len(), Default::default);
                let each = home.iter().zip(inner);
                each.map(|((key, value), (of_key, of_value))| (K::lend(key, of_key), V::lend(value, of_value)))
                    .collect()
            }
        }
    )+};
}

by_key! {
    BTreeMap: Ord;
    HashMap[S]: Eq Hash;
}

/// What it shows in the end travels.
#[derive(Debug)]
pub struct ShownTwice<L>(PhantomData<fn(L) -> L>);

impl<'s, L: LendsTwice<'s>> Way<'s> for ShownTwice<L> {
    type Saved = L::Home;
    type Home<'h>
        = (L::Home, L::Inner<'h>)
    where
        's: 'h;
    type Again<'h>
        = L::Again<'h>
    where
        's: 'h;

    fn load<'h>(saved: L::Home, home: &'h mut Option<Self::Home<'h>>) -> L::Again<'h>
    where
        's: 'h,
    {
        let (home, inner) = home.insert((saved, L::Inner::default()));
        L::lend(home, inner)
    }
}

impl<'s, 'v, L: LendsTwice<'s>, V: LendsTwice<'v, Home: Serialize>> Writes<'s, V> for ShownTwice<L> {
    fn write(value: &V) -> Result<Vec<u8>, Unsealable>
    where
        L::Home: Held<'s>,
    {
        L::Home::encode_shown(&value.home(), Vec::new())
    }
}

/// The choice for a shared reference to what lends.
pub trait LendTwice<'s> {
    /// The local.
    type Local;

    /// What it shows in the end.
    fn choose(self, name: &'static str) -> Lent<ShownTwice<Self::Local>>;

    /// That there is a way.
    fn fine(self) -> Fine;
}

impl<'s, L: LendsTwice<'s, Home: Held<'s>>> LendTwice<'s> for &&Lending<'_, L> {
    type Local = L;

    fn choose(self, name: &'static str) -> Lent<ShownTwice<L>> {
        Lent::new(Passed::new(name, &self.0.home()))
    }

    fn fine(self) -> Fine {
        Fine
    }
}
