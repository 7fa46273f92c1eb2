//! Reading within bounds: a value never takes much more memory than its bytes, and is never nested deeper than a small
//! stack can hold.
//!
//! Only somebody with a key can seal a state that this refuses, and only by not using this library: what is sealed here
//! is held to the same bounds first. Postcard has none. Of four bytes it reads sixteen million units, of 65 KB of zeros
//! 100 MB of `Option<[u64; 128]>`, and of some 10 KB a list that overflows the stack.

use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

/// Values within values, options and newtypes included: three for each of the containers that may be nested when a
/// value is sealed (`shape::strict`). A level takes a few kilobytes of stack in a debug build.
pub(crate) const MOST_DEPTH: u16 = 384;

/// Bytes of memory that each byte may become. A list that grows is there twice for a moment, the second time with twice
/// the room that it needs: at most 64 times then.
const MOST_GROWTH: usize = 64 / 3;
/// Bytes that a shorter value counts for, a megabyte of memory: a few bytes may well say "a thousand times nothing".
const LEAST_LEN: usize = 48 << 10;
/// Bytes that any part counts for, however small: one that takes no memory takes time.
const LEAST_PART: usize = 8;
/// Entries that a map makes room for before it has seen them; postcard's hint is not bounded by its bytes.
const MOST_HINTED: usize = 64;

/// Reads the value from exactly these bytes.
pub(crate) fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Option<T> {
    let mut deserializer = postcard::Deserializer::from_bytes(bytes);
    let value = read_by(&mut deserializer, bytes.len()).ok()?;
    deserializer.finalize().ok().filter(|left| left.is_empty())?;
    Some(value)
}

/// Reads a value of `len` bytes by this deserializer.
///
/// # Errors
///
/// The deserializer's, or that the value is out of bounds.
pub(crate) fn read_by<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    len: usize,
) -> Result<T, D::Error> {
    let room = len.max(LEAST_LEN).saturating_mul(MOST_GROWTH);
    let bounds = Bounds { depth: Cell::new(0), room: Cell::new(room) };
    T::deserialize(Bounded { of: deserializer, bounds: &bounds })
}

/// What is left of the bounds.
struct Bounds {
    depth: Cell<u16>,
    room: Cell<usize>,
}

impl Bounds {
    fn deeper<T, E: Error>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let depth = self.depth.get();
        if depth == MOST_DEPTH {
            return Err(E::custom("nested too deep"));
        }
        self.depth.set(depth + 1);
        let value = read();
        self.depth.set(depth);
        value
    }

    /// Takes room for one `T`.
    fn take<T, E: Error>(&self) -> Result<(), E> {
        let left = self.room.get().checked_sub(size_of::<T>().max(LEAST_PART));
        self.room.set(left.ok_or_else(|| E::custom("more than its bytes may become"))?);
        Ok(())
    }
}

/// A part of serde's machinery, within bounds.
struct Bounded<'b, T> {
    of: T,
    bounds: &'b Bounds,
}

macro_rules! pass_on {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.of.$method(visitor)
        }
    )*};
}

/// Calls a method that may lead deeper.
macro_rules! go_deeper {
    ($self:ident . $method:ident($($argument:expr),*; $visitor:ident)) => {{
        let Bounded { of, bounds } = $self;
        bounds.deeper(|| of.$method($($argument,)* Bounded { of: $visitor, bounds }))
    }};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<'_, D> {
    type Error = D::Error;

    // These have no parts, or (the first, the last two) are refused by postcard.
    pass_on! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_unit deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.of.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_option(; visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_newtype_struct(name; visitor))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_seq(; visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_tuple(len; visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_tuple_struct(name, len; visitor))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_map(; visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_struct(name, fields; visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        go_deeper!(self.deserialize_enum(name, variants; visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.of.is_human_readable()
    }
}

/// What a deserializer calls where there are parts; of the rest the default refuses.
impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of.expecting(formatter)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.of.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.of.visit_some(Bounded { of: deserializer, bounds: self.bounds })
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.of.visit_unit()
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.of.visit_newtype_struct(Bounded { of: deserializer, bounds: self.bounds })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.of.visit_seq(Bounded { of: parts, bounds: self.bounds })
    }

    fn visit_map<A: MapAccess<'de>>(self, parts: A) -> Result<V::Value, A::Error> {
        self.of.visit_map(Bounded { of: parts, bounds: self.bounds })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.of.visit_enum(Bounded { of: variant, bounds: self.bounds })
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.bounds.take::<S::Value, D::Error>()?;
        self.of.deserialize(Bounded { of: deserializer, bounds: self.bounds })
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.of.next_element_seed(Bounded { of: seed, bounds: self.bounds })
    }

    fn size_hint(&self) -> Option<usize> {
        self.of.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.of.next_key_seed(Bounded { of: seed, bounds: self.bounds })
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.of.next_value_seed(Bounded { of: seed, bounds: self.bounds })
    }

    fn size_hint(&self) -> Option<usize> {
        self.of.size_hint().map(|hint| hint.min(MOST_HINTED))
    }
}

impl<'de, 'b, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<'b, A> {
    type Error = A::Error;
    type Variant = Bounded<'b, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        // The variant's number, which has no parts.
        let (value, variant) = self.of.variant_seed(seed)?;
        Ok((value, Bounded { of: variant, bounds: self.bounds }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.of.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.of.newtype_variant_seed(Bounded { of: seed, bounds: self.bounds })
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.of.tuple_variant(len, Bounded { of: visitor, bounds: self.bounds })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.of.struct_variant(fields, Bounded { of: visitor, bounds: self.bounds })
    }
}
