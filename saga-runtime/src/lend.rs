//! Locals that may be shared references to what is no place of the function: `let best = cheapest(&flights)?`,
//! `let plan = fleet.plans.get(&id)`. What such a reference shows cannot change while it is there, so a copy of that
//! travels and is lent again after the question.
//!
//! What is looked at through a shared reference and changes all the same would be two things then. Of a copy that is
//! as good as the original `Clone` and `RefUnwindSafe` speak: a `Mutex` and an atomic do not clone, and a `Cell` is not
//! unwind safe.

use std::fmt;
use std::marker::PhantomData;
use std::panic::RefUnwindSafe;

use crate::advance::{Itself, Way};
use crate::frame::Passed;
use crate::held::Held;

/// Chooses by type how a local travels: itself, what it shows, or not at all, which rustc then reports. The first of
/// the traits below that fits is found by `(&&lending).choose()`: rustc looks at `&&` first.
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

/// A shared reference, or several of them.
pub trait Lends {
    /// A copy of what it shows.
    type Home: 'static;

    /// The same, of the copy.
    type Again<'h>;

    /// The copy that travels.
    fn home(&self) -> Self::Home;

    /// Lends it again.
    fn lend(home: &Self::Home) -> Self::Again<'_>;
}

impl<T: Clone + RefUnwindSafe + 'static> Lends for &T {
    type Home = T;
    type Again<'h> = &'h T;

    fn home(&self) -> T {
        (*self).clone()
    }

    fn lend(home: &T) -> &T {
        home
    }
}

impl<T: Clone + RefUnwindSafe + 'static> Lends for &[T] {
    type Home = Vec<T>;
    type Again<'h> = &'h [T];

    fn home(&self) -> Vec<T> {
        self.to_vec()
    }

    fn lend(home: &Vec<T>) -> &[T] {
        home
    }
}

impl Lends for &str {
    type Home = String;
    type Again<'h> = &'h str;

    fn home(&self) -> String {
        (*self).to_owned()
    }

    fn lend(home: &String) -> &str {
        home
    }
}

/// A position beside an item.
impl Lends for usize {
    type Home = Self;
    type Again<'h> = Self;

    fn home(&self) -> Self {
        *self
    }

    fn lend(home: &Self) -> Self {
        *home
    }
}

impl<L: Lends> Lends for Option<L> {
    type Home = Option<L::Home>;
    type Again<'h> = Option<L::Again<'h>>;

    fn home(&self) -> Self::Home {
        self.as_ref().map(L::home)
    }

    fn lend(home: &Self::Home) -> Self::Again<'_> {
        home.as_ref().map(L::lend)
    }
}

impl<L: Lends> Lends for Vec<L> {
    type Home = Vec<L::Home>;
    type Again<'h> = Vec<L::Again<'h>>;

    fn home(&self) -> Self::Home {
        self.iter().map(L::home).collect()
    }

    fn lend(home: &Self::Home) -> Self::Again<'_> {
        home.iter().map(L::lend).collect()
    }
}

impl<L: Lends, M: Lends> Lends for (L, M) {
    type Home = (L::Home, M::Home);
    type Again<'h> = (L::Again<'h>, M::Again<'h>);

    fn home(&self) -> Self::Home {
        (self.0.home(), self.1.home())
    }

    fn lend(home: &Self::Home) -> Self::Again<'_> {
        (L::lend(&home.0), M::lend(&home.1))
    }
}

/// What it shows travels.
#[derive(Debug)]
pub struct Shown<L>(PhantomData<fn(L) -> L>);

impl<L: Lends> Way for Shown<L> {
    type Saved = L::Home;
    type Again<'h> = L::Again<'h>;

    fn load(saved: L::Home, home: &mut Option<L::Home>) -> L::Again<'_> {
        L::lend(home.insert(saved))
    }
}

/// The choice for what travels as it is; a `&str` is read from the state.
pub trait LendItself<'s> {
    /// The local.
    type Local;

    /// The local itself.
    fn choose(self, name: &'static str) -> Lent<Itself<Self::Local>>;
}

impl<'s, T: Held<'s>> LendItself<'s> for &&Lending<'_, T> {
    type Local = T;

    fn choose(self, name: &'static str) -> Lent<Itself<T>> {
        Lent::new(Passed::new(name, self.0))
    }
}

/// The choice for a shared reference.
pub trait LendShown<'s> {
    /// The local.
    type Local;

    /// What it shows.
    fn choose(self, name: &'static str) -> Lent<Shown<Self::Local>>;
}

impl<'s, L: Lends<Home: Held<'s>>> LendShown<'s> for &Lending<'_, L> {
    type Local = L;

    fn choose(self, name: &'static str) -> Lent<Shown<L>> {
        Lent::new(Passed::new(name, &self.0.home()))
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
}

impl<T> LendNothing for Lending<'_, T> {
    type Local = T;

    fn choose<'s>(self, name: &'static str) -> Lent<Itself<T>>
    where
        T: Held<'s>,
    {
        Lent::new(Passed::new(name, self.0))
    }
}
