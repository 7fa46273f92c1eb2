//! Held locals on their way: out of the tool into the state, and back.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::statics::Texts;
use super::{Change, Frame, Left, Stale};
use crate::advance::{Chosen, Way};
use crate::held::{Held, Unsealable};
use crate::lend::{Lent, Writes};
use crate::owned::Travels;
use crate::step::Question;

/// One held local inside the sealed state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldLocal {
    /// A hash of the local's name.
    pub name: u32,
    /// A fingerprint of its type's encoding.
    pub shape: u32,
    /// Its value.
    #[serde(with = "serde_bytes")]
    pub value: Vec<u8>,
}

/// A held local as a person wants to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldSize {
    /// The local's name in the source.
    pub name: &'static str,
    /// Its encoded size in bytes.
    pub bytes: usize,
}

/// Ties the type of a held local at its suspension to its type at the resume, so that rustc infers both together.
#[derive(Debug)]
pub struct Slot<T>(PhantomData<fn(T) -> T>);

impl<T> Slot<T> {
    /// A slot of a type yet to be inferred.
    pub const NEW: Self = Self(PhantomData);

    /// Says that the slot has this value's type. Stands in code that never runs.
    pub const fn of(&self, _: &T) {}

    /// The same, of a value that is given away. Stands in code that never runs.
    pub fn given(&self, _: T) {}

    /// Says that the slot has the way in which this iterator travels. Stands in code that never runs.
    pub const fn of_iterator<'s, I: Travels<'s, Way = T>>(&self, _: &I) {}

    /// Says that the slot has the way in which this local travels. Stands in code that never runs.
    pub fn of_advanced<'s>(&self, _: &Chosen<'s, T>)
    where
        T: Way<'s>,
    {
    }

    /// The same for a local that may be a shared reference.
    pub const fn of_lent(&self, _: &Lent<T>) {}

    /// A local again from what travelled, which stays in `home` if the local borrows from it.
    pub fn load<'s: 'h, 'h>(&self, saved: T::Saved, home: &'h mut Option<T::Home<'h>>) -> T::Again<'h>
    where
        T: Way<'s>,
    {
        T::load(saved, home)
    }

    /// A value of the slot's type. Stands in a branch that is never taken.
    #[must_use]
    pub fn absent(&self) -> T {
        crate::__private::unreachable()
    }

    /// The same for a local of which the slot says in which way it travels.
    #[must_use]
    pub fn absent_again<'s: 'h, 'h>(&self) -> T::Again<'h>
    where
        T: Way<'s>,
    {
        crate::__private::unreachable()
    }

    /// Says that the slot's question is this one, and gives what its await gives. Stands in code that never runs.
    #[expect(clippy::must_use_candidate, reason = "whether the answer is used is the author's matter")]
    pub fn asked(&self, _: T) -> T::Output
    where
        T: Question,
    {
        crate::__private::unreachable()
    }
}

macro_rules! takes {
    ($($takes:ident: $($parameter:ident)+;)+) => {$(
        impl<$($parameter),+> Slot<fn($($parameter),+)> {
            /// Says that the slot has what this closure takes.
            pub const fn $takes<R, F: FnOnce($($parameter),+) -> R>(&self, _: &F) {}
        }
    )+};
}

takes! {
    takes_1: A;
    takes_2: A B;
    takes_3: A B C;
    takes_4: A B C D;
    takes_5: A B C D E;
    takes_6: A B C D E G;
    takes_7: A B C D E G H;
    takes_8: A B C D E G H I;
}

/// The held locals of a suspension, as they are gathered.
#[derive(Debug, Default)]
pub struct Holding {
    held: Vec<HeldLocal>,
    sizes: Vec<HeldSize>,
    failed: Option<(&'static str, Unsealable)>,
}

impl Holding {
    /// Nothing held yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Holds one local.
    pub fn local<'s, T: Held<'s>>(&mut self, name: &'static str, value: &T) {
        self.passed(Passed::new(name, value));
    }

    /// Holds an argument of a call, as it was before the call.
    pub fn passed(&mut self, Passed { name, encoded }: Passed) {
        match encoded {
            Ok(held) => {
                self.sizes.push(HeldSize { name, bytes: held.value.len() });
                self.held.push(held);
            }
            Err(error) => self.failed = self.failed.take().or(Some((name, error))),
        }
    }

    /// What a function that leaves holds, and its sizes.
    pub(super) fn saved(self) -> Result<(Vec<HeldLocal>, Vec<HeldSize>), Left> {
        let Self { held, sizes, failed } = self;
        if let Some((local, error)) = failed {
            return Err(Left::Unsealable { local, error: error.in_local(local).to_string() });
        }
        Ok((held, sizes))
    }
}

/// An argument that a call takes by value: encoded before the call, which may suspend, since it is gone then.
#[derive(Debug)]
pub struct Passed {
    name: &'static str,
    encoded: Result<HeldLocal, Unsealable>,
}

impl Passed {
    /// Encodes an argument.
    pub fn new<'s, T: Held<'s>>(name: &'static str, value: &T) -> Self {
        let encoded = value.encode(Vec::new());
        let held = |value| HeldLocal { name: name_hash(name), shape: T::shape(), value };
        Self { name, encoded: encoded.map(held) }
    }

    /// Encodes what remains of an owned iterator.
    pub fn iterator<'s, I: Travels<'s, Way: Way<'s, Saved: Held<'s>>>>(
        name: &'static str,
        iterator: I,
    ) -> Self {
        Self::saved(name, iterator.save().as_ref())
    }

    /// Encodes a local that may be an iterator.
    pub fn advanced<'s, W: Way<'s, Saved: Held<'s>>>(
        name: &'static str,
        Chosen(saved): Chosen<'s, W>,
    ) -> Self {
        Self::saved(name, saved.as_ref())
    }

    fn saved<'s, T: Held<'s>>(name: &'static str, saved: Option<&T>) -> Self {
        match saved {
            Some(saved) => Self::new(name, saved),
            None => Self::failed(name, Unsealable::endless()),
        }
    }

    /// Encodes a local of which only its slot will say in which way it travels.
    pub fn by_slot<'s, W: Way<'s, Saved: Held<'s>> + Writes<'s, V>, V>(
        name: &'static str,
        value: &V,
        _: &Slot<W>,
    ) -> Self {
        let encoded = W::write(value);
        let held = |value| HeldLocal { name: name_hash(name), shape: <W::Saved as Held>::shape(), value };
        Self { name, encoded: encoded.map(held) }
    }

    /// A local that cannot be encoded.
    pub(super) const fn failed(name: &'static str, error: Unsealable) -> Self {
        Self { name, encoded: Err(error) }
    }

    /// Whether it will be read as the same value again.
    pub(crate) const fn is_sealable(&self) -> bool {
        self.encoded.is_ok()
    }

    /// What is held of it.
    pub(super) fn encoded(self) -> Result<HeldLocal, Left> {
        let Self { name: local, encoded } = self;
        encoded.map_err(|error| Left::Unsealable { local, error: error.in_local(local).to_string() })
    }
}

impl HeldLocal {
    /// The value again, if it is the one that was sealed.
    pub(super) fn taken<'s, T: Held<'s>>(&'s self, name: &str) -> Result<T, Change> {
        if self.name != name_hash(name) {
            return Err(Change::Name);
        }
        if self.shape != T::shape() {
            return Err(Change::Type);
        }
        T::decode(&self.value).ok_or(Change::Value)
    }
}

/// Held locals on their way back into the tool.
#[derive(Debug)]
pub struct Taking<'s> {
    pub(super) frame: &'s Frame,
    pub(super) held: std::slice::Iter<'s, HeldLocal>,
}

impl<'s> Taking<'s> {
    /// Takes the next local; `None`, with the reason recorded, if it is not the one that was sealed.
    pub fn local<T: Held<'s>>(&mut self, name: &'static str, _: &Slot<T>) -> Option<T> {
        if self.frame.is_probe() {
            self.frame.found(name, T::check());
            return None;
        }
        let value = self.held.next().ok_or(Change::New).and_then(|held| held.taken(name));
        value.map_err(|change| self.mismatch(name, change)).ok()
    }

    /// Whether the next local is this one.
    pub(crate) fn travels<T: Held<'s>>(&self, name: &str) -> bool {
        if self.frame.is_probe() {
            return T::check().is_ok();
        }
        self.held.as_slice().first().is_some_and(|held| held.name == name_hash(name))
    }

    /// Takes the next local, a text of the program.
    pub fn text<T: Held<'s> + Texts>(&mut self, name: &'static str, slot: &Slot<T>) -> Option<T::Static> {
        self.local(name, slot).map(T::found)
    }

    /// Takes what travels of the next local, of which the slot says in which way it does.
    pub fn saved<W: Way<'s, Saved: Held<'s>>>(
        &mut self,
        name: &'static str,
        _: &Slot<W>,
    ) -> Option<W::Saved> {
        self.local(name, &Slot::NEW)
    }

    /// Says that all locals were taken; `None`, with the reason recorded, if the state holds more.
    #[must_use]
    pub fn end(mut self) -> Option<()> {
        if self.frame.is_probe() {
            return None;
        }
        if self.held.next().is_some() {
            self.mismatch("(the last)", Change::Gone);
            return None;
        }
        Some(())
    }

    fn mismatch(&self, local: &str, change: Change) {
        // The first is the one to report: after it the others are out of step.
        self.frame.left().get_or_insert_with(|| {
            let site = self.frame.site().unwrap_or_default().to_owned();
            Left::Stale(Stale::Local { site, local: local.to_owned(), change })
        });
    }
}

/// FNV-1a, 32 bit: names are told apart by accident only, the seal keeps out intent.
const fn name_hash(name: &str) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut index = 0;
    while index < name.len() {
        hash = (hash ^ name.as_bytes()[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash
}
