//! Arrays of what lends: `[&first, &last]`. Serde knows arrays of up to 32 elements.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Lends, LendsTwice};

/// The copies, on their way.
#[derive(Debug)]
pub struct Array<H, const N: usize>([H; N]);

impl<H: Serialize, const N: usize> Serialize for Array<H, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        self.0.iter().try_for_each(|element| tuple.serialize_element(element))?;
        tuple.end()
    }
}

impl<'de, H: Deserialize<'de>, const N: usize> Deserialize<'de> for Array<H, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements<H, const N: usize>(PhantomData<H>);

        impl<'de, H: Deserialize<'de>, const N: usize> Visitor<'de> for Elements<H, N> {
            type Value = Array<H, N>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "an array of {N}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while elements.len() < N
                    && let Some(element) = parts.next_element()?
                {
                    elements.push(element);
                }
                let array = elements.try_into();
                array.map(Array).map_err(|less: Vec<_>| A::Error::invalid_length(less.len(), &self))
            }
        }

        deserializer.deserialize_tuple(N, Elements(PhantomData))
    }
}

impl<'s, L: Lends<'s>, const N: usize> Lends<'s> for [L; N] {
    type Home = Array<L::Home, N>;
    type Again<'h>
        = [L::Again<'h>; N]
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        Array(self.each_ref().map(L::home))
    }

    fn lend<'h>(home: &'h Self::Home) -> Self::Again<'h>
    where
        's: 'h,
    {
        home.0.each_ref().map(L::lend)
    }
}

impl<'s, L: LendsTwice<'s>, const N: usize> LendsTwice<'s> for [L; N] {
    type Home = Array<L::Home, N>;
    type Inner<'h>
        = Vec<L::Inner<'h>>
    where
        's: 'h;
    type Again<'h>
        = [L::Again<'h>; N]
    where
        's: 'h;

    fn home(&self) -> Self::Home {
        Array(self.each_ref().map(L::home))
    }

    fn lend<'h>(home: &'h Self::Home, inner: &'h mut Vec<L::Inner<'h>>) -> Self::Again<'h>
    where
        's: 'h,
    {
        inner.resize_with(N, L::Inner::default);
        let mut inner = inner.iter_mut();
        home.0.each_ref().map(|home| L::lend(home, inner.next().expect("there is one for each element")))
    }
}

#[cfg(test)]
mod tests {
    use super::{Array, Lends};

    #[test]
    fn as_many_as_there_were() {
        let sizes: [u8; 40] = std::array::from_fn(|at| u8::try_from(at).expect("a small number"));
        let bytes = postcard::to_allocvec(&Lends::home(&sizes.each_ref())).expect("they travel");
        let home: Array<u8, 40> = postcard::from_bytes(&bytes).expect("they are read");
        assert_eq!(<[&u8; 40] as Lends<'_>>::lend(&home), sizes.each_ref());
        assert!(postcard::from_bytes::<Array<u8, 41>>(&bytes).is_err(), "one is missing");
    }
}
