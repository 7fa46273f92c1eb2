//! The same for references to references, as a list of references gives them: `candidates.first()`. A copy of what they
//! show in the end travels; after the question it is lent, and a reference to it is lent, too.

use std::marker::PhantomData;
use std::panic::RefUnwindSafe;

use super::{Lending, Lent, Writes};
use crate::advance::Way;
use crate::frame::Passed;
use crate::held::{Held, Unsealable};

/// A shared reference to shared references.
pub trait LendsTwice {
    /// A copy of what it shows in the end.
    type Home: 'static;

    /// References to the copy, to be lent in their turn.
    type Inner<'h>: Default;

    /// The same, of the copy.
    type Again<'h>;

    /// The copy that travels.
    fn home(&self) -> Self::Home;

    /// Lends it again, by references that stay in `inner`.
    fn lend<'h>(home: &'h Self::Home, inner: &'h mut Self::Inner<'h>) -> Self::Again<'h>;
}

impl<T: Clone + RefUnwindSafe + 'static> LendsTwice for &&T {
    type Home = T;
    type Inner<'h> = Option<&'h T>;
    type Again<'h> = &'h &'h T;

    fn home(&self) -> T {
        (**self).clone()
    }

    fn lend<'h>(home: &'h T, inner: &'h mut Option<&'h T>) -> &'h &'h T {
        inner.insert(home)
    }
}

impl<T: Clone + RefUnwindSafe + 'static> LendsTwice for &&[T] {
    type Home = Vec<T>;
    type Inner<'h> = &'h [T];
    type Again<'h> = &'h &'h [T];

    fn home(&self) -> Vec<T> {
        self.to_vec()
    }

    fn lend<'h>(home: &'h Vec<T>, inner: &'h mut &'h [T]) -> &'h &'h [T] {
        *inner = home;
        inner
    }
}

impl LendsTwice for &&str {
    type Home = String;
    type Inner<'h> = &'h str;
    type Again<'h> = &'h &'h str;

    fn home(&self) -> String {
        (**self).to_owned()
    }

    fn lend<'h>(home: &'h String, inner: &'h mut &'h str) -> &'h &'h str {
        *inner = home;
        inner
    }
}

impl<T: Clone + RefUnwindSafe + 'static> LendsTwice for &[&T] {
    type Home = Vec<T>;
    type Inner<'h> = Vec<&'h T>;
    type Again<'h> = &'h [&'h T];

    fn home(&self) -> Vec<T> {
        self.iter().map(|item| (*item).clone()).collect()
    }

    fn lend<'h>(home: &'h Vec<T>, inner: &'h mut Vec<&'h T>) -> &'h [&'h T] {
        inner.extend(home);
        inner
    }
}

impl LendsTwice for &[&str] {
    type Home = Vec<String>;
    type Inner<'h> = Vec<&'h str>;
    type Again<'h> = &'h [&'h str];

    fn home(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }

    fn lend<'h>(home: &'h Vec<String>, inner: &'h mut Vec<&'h str>) -> &'h [&'h str] {
        inner.extend(home.iter().map(String::as_str));
        inner
    }
}

impl<L: LendsTwice> LendsTwice for Option<L> {
    type Home = Option<L::Home>;
    type Inner<'h> = L::Inner<'h>;
    type Again<'h> = Option<L::Again<'h>>;

    fn home(&self) -> Self::Home {
        self.as_ref().map(L::home)
    }

    fn lend<'h>(home: &'h Self::Home, inner: &'h mut L::Inner<'h>) -> Self::Again<'h> {
        home.as_ref().map(|home| L::lend(home, inner))
    }
}

impl<L: LendsTwice> LendsTwice for Vec<L> {
    type Home = Vec<L::Home>;
    type Inner<'h> = Vec<L::Inner<'h>>;
    type Again<'h> = Vec<L::Again<'h>>;

    fn home(&self) -> Self::Home {
        self.iter().map(L::home).collect()
    }

    fn lend<'h>(home: &'h Self::Home, inner: &'h mut Vec<L::Inner<'h>>) -> Self::Again<'h> {
        inner.resize_with(home.len(), L::Inner::default);
        home.iter().zip(inner).map(|(home, inner)| L::lend(home, inner)).collect()
    }
}

/// With its place.
impl<L: LendsTwice> LendsTwice for (usize, L) {
    type Home = (usize, L::Home);
    type Inner<'h> = L::Inner<'h>;
    type Again<'h> = (usize, L::Again<'h>);

    fn home(&self) -> Self::Home {
        (self.0, self.1.home())
    }

    fn lend<'h>(home: &'h Self::Home, inner: &'h mut L::Inner<'h>) -> Self::Again<'h> {
        (home.0, L::lend(&home.1, inner))
    }
}

/// The first and the rest.
impl<L: LendsTwice, M: LendsTwice> LendsTwice for (L, M) {
    type Home = (L::Home, M::Home);
    type Inner<'h> = (L::Inner<'h>, M::Inner<'h>);
    type Again<'h> = (L::Again<'h>, M::Again<'h>);

    fn home(&self) -> Self::Home {
        (self.0.home(), self.1.home())
    }

    fn lend<'h>(home: &'h Self::Home, (first, second): &'h mut Self::Inner<'h>) -> Self::Again<'h> {
        (L::lend(&home.0, first), M::lend(&home.1, second))
    }
}

/// What it shows in the end travels.
#[derive(Debug)]
pub struct ShownTwice<L>(PhantomData<fn(L) -> L>);

impl<L: LendsTwice> Way for ShownTwice<L> {
    type Saved = L::Home;
    type Home<'h> = (L::Home, L::Inner<'h>);
    type Again<'h> = L::Again<'h>;

    fn load<'h>(saved: L::Home, home: &'h mut Option<Self::Home<'h>>) -> L::Again<'h> {
        let (home, inner) = home.insert((saved, L::Inner::default()));
        L::lend(home, inner)
    }
}

impl<L: LendsTwice, V: LendsTwice<Home = L::Home>> Writes<V> for ShownTwice<L> {
    fn write<'s>(value: &V) -> Result<Vec<u8>, Unsealable>
    where
        L::Home: Held<'s>,
    {
        value.home().encode(Vec::new())
    }
}

/// The choice for a shared reference to a shared reference.
pub trait LendTwice<'s> {
    /// The local.
    type Local;

    /// What it shows in the end.
    fn choose(self, name: &'static str) -> Lent<ShownTwice<Self::Local>>;
}

impl<'s, L: LendsTwice<Home: Held<'s>>> LendTwice<'s> for &&Lending<'_, L> {
    type Local = L;

    fn choose(self, name: &'static str) -> Lent<ShownTwice<L>> {
        Lent::new(Passed::new(name, &self.0.home()))
    }
}
