//! JSON that is read as it comes in, without a tree in between: what is an object is read as a type, and what is none
//! is skipped where nobody asked for it, and told where somebody did.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What stands where an object should be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Record<T> {
    /// Nothing, or `null`.
    #[default]
    Absent,
    Is(T),
    /// What is no object.
    Other,
}

impl<T> Record<T> {
    pub(crate) const fn get(&self) -> Option<&T> {
        match self {
            Self::Is(record) => Some(record),
            Self::Absent | Self::Other => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Record<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any(PhantomData))
    }
}

struct Any<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
    type Value = Record<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Record<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Record::Is)
    }

    fn visit_unit<E: Error>(self) -> Result<Record<T>, E> {
        Ok(Record::Absent)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Record<T>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Record::Other)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Record<T>, E> {
        Ok(Record::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Record<T>, E> {
        Ok(Record::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Record<T>, E> {
        Ok(Record::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Record<T>, E> {
        Ok(Record::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Record<T>, E> {
        Ok(Record::Other)
    }
}

/// Whether anything but `null` stands here.
pub(crate) fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::<IgnoredAny>::deserialize(deserializer).map(|there| there.is_some())
}

/// A value that may be `null`, which as an `Option` alone would be none.
pub(crate) fn with_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// An object of which nothing is read.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Deserialize)]
pub(crate) struct Bare {}
