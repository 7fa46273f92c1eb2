//! Arguments that come as texts: a prompt's, and the variables of a resource's address. A number or a truth value
//! among them is read from its text.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

type Error = serde_json::Error;

/// Reads the arguments.
pub(crate) fn read<T: DeserializeOwned>(arguments: &Map<String, Value>) -> Result<T, Error> {
    let entries = arguments.iter().filter_map(|(name, value)| Some((name.as_str(), Text(value.as_str()?))));
    T::deserialize(MapDeserializer::<_, Error>::new(entries))
}

#[derive(Clone, Copy)]
struct Text<'a>(&'a str);

impl Text<'_> {
    fn parse<T: FromStr<Err: Display>>(self) -> Result<T, Error> {
        self.0.parse().map_err(|error| Error::custom(format_args!("{:?}: {error}", self.0)))
    }
}

impl<'de> IntoDeserializer<'de, Error> for Text<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! parsed {
    ($($deserialize:ident $visit:ident,)*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.parse()?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    parsed! {
        deserialize_bool visit_bool,
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32,
        deserialize_i64 visit_i64, deserialize_i128 visit_i128,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64, deserialize_u128 visit_u128,
        deserialize_f32 visit_f32, deserialize_f64 visit_f64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::read;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Pace {
        Slow,
        Fast,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    struct Trip {
        city: String,
        nights: u8,
        price: Option<f64>,
        direct: Option<bool>,
        pace: Pace,
        class: char,
    }

    #[test]
    fn each_type_is_read_from_its_text() {
        let trip = json!({ "city": "7", "nights": "3", "price": "1.5", "pace": "fast", "class": "B" });
        let expected = Trip {
            city: "7".to_owned(),
            nights: 3,
            price: Some(1.5),
            direct: None,
            pace: Pace::Fast,
            class: 'B',
        };
        assert_eq!(read::<Trip>(trip.as_object().expect("an object")).expect("a trip"), expected);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        #[derive(Deserialize, Debug)]
        struct Nights {
            #[expect(dead_code, reason = "it is never read")]
            nights: u8,
        }
        let error = |arguments: serde_json::Value| {
            read::<Nights>(arguments.as_object().expect("an object")).unwrap_err().to_string()
        };
        assert_eq!(error(json!({ "nights": "many" })), "\"many\": invalid digit found in string");
        assert_eq!(error(json!({})), "missing field `nights`");
    }
}
