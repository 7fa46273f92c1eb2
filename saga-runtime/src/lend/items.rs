//! Iterators whose items are references to references: `words.iter()` of a `Vec<&str>`. What the remaining ones show in
//! the end travels.

use std::iter::Peekable;
use std::marker::PhantomData;
use std::vec::IntoIter;

use super::LendsTwice;
use crate::advance::{Advanced, Chosen, Way};
use crate::held::Held;
use crate::owned::{Pick, Rest, Travels};

/// The copies, and the references to them that are lent in their turn.
type Homes<'s, 'h, L> = (Rest<<L as LendsTwice<'s>>::Home>, Vec<<L as LendsTwice<'s>>::Inner<'h>>);

fn lend<'s: 'h, 'h, L: LendsTwice<'s>>(
    saved: Rest<L::Home>,
    home: &'h mut Option<Homes<'s, 'h, L>>,
) -> IntoIter<L::Again<'h>> {
    let (rest, inner) = home.insert((saved, Vec::new()));
    inner.resize_with(rest.items().len(), L::Inner::default);
    let again: Vec<_> = rest.items().iter().zip(inner).map(|(home, inner)| L::lend(home, inner)).collect();
    again.into_iter()
}

macro_rules! ways {
    ($($(#[$doc:meta])+ $way:ident: $again:ty, $made:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub struct $way<L>(PhantomData<fn(L) -> L>);

        impl<'s, L: LendsTwice<'s>> Way<'s> for $way<L> {
            type Saved = Rest<L::Home>;
            type Home<'h>
                = Homes<'s, 'h, L>
            where
                's: 'h;
            type Again<'h>
                = $again
            where
                's: 'h;

            fn load<'h>(saved: Rest<L::Home>, home: &'h mut Option<Homes<'s, 'h, L>>) -> Self::Again<'h>
            where
                's: 'h,
            {
                let make: fn(IntoIter<L::Again<'h>>) -> Self::Again<'h> = $made;
                make(lend::<L>(saved, home))
            }
        }
    )+};
}

ways! {
    /// Of a loop.
    RestTwice: AsTwice<IntoIter<L::Again<'h>>>, AsTwice;
    /// Advanced by hand.
    RemainingTwice: IntoIter<L::Again<'h>>, |items| items;
    /// The same, and the next can be looked at before it is taken.
    RemainingTwicePeekable: Peekable<IntoIter<L::Again<'h>>>, Iterator::peekable;
}

/// A loop's iterator with such items.
#[derive(Debug)]
pub struct AsTwice<I>(I);

impl<I: Iterator> Iterator for AsTwice<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

impl<'s, I: Iterator<Item: LendsTwice<'s>>> Travels<'s> for AsTwice<I> {
    type Way = RestTwice<I::Item>;
    type Refused = ();

    fn save(self) -> Option<Rest<<I::Item as LendsTwice<'s>>::Home>> {
        Rest::of(self.0.map(|item| item.home()))
    }
}

/// The choice for a loop over such items.
pub trait PickTwice<'s> {
    /// The iterator.
    type Iterator;

    /// What its remaining items show.
    fn pick(self) -> fn(Self::Iterator) -> AsTwice<Self::Iterator>;
}

impl<'s, I: Iterator<Item: LendsTwice<'s, Home: Held<'s>>>> PickTwice<'s> for &&&Pick<'_, I> {
    type Iterator = I;

    fn pick(self) -> fn(I) -> AsTwice<I> {
        AsTwice
    }
}

/// The choice for an iterator over such items that is advanced by hand.
pub trait ChooseTwice<'s> {
    /// The iterator's items.
    type Item: LendsTwice<'s>;

    /// What its remaining items show.
    fn choose(self) -> Chosen<'s, RemainingTwice<Self::Item>>;
}

impl<'s, I: Iterator<Item: LendsTwice<'s, Home: Held<'s>>>> ChooseTwice<'s> for &&&Advanced<'_, I> {
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RemainingTwice<I::Item>> {
        Chosen(self.shown_by(|item| item.home()))
    }
}

/// The same for one that was looked into ahead.
pub trait ChooseTwicePeekable<'s> {
    /// The iterator's items.
    type Item: LendsTwice<'s>;

    /// What its remaining items show.
    fn choose(self) -> Chosen<'s, RemainingTwicePeekable<Self::Item>>;
}

impl<'s, I: Iterator<Item: LendsTwice<'s, Home: Held<'s>>>> ChooseTwicePeekable<'s>
    for &&&&&&Advanced<'_, Peekable<I>>
{
    type Item = I::Item;

    fn choose(self) -> Chosen<'s, RemainingTwicePeekable<I::Item>> {
        Chosen(self.shown_by(|item| item.home()))
    }
}
