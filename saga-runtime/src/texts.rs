//! Arguments that come as texts: a prompt's, and the variables of a resource's address. A number or a truth value
//! among them is read from its text.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

type Error = serde_json::Error;

/// An argument's text.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Text<'_> {
    fn parse<T: FromStr<Err: Display>>(self) -> Result<T, Error> {
        self.0.parse().map_err(|error| Error::custom(format_args!("{:?}: {error}", self.0)))
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

    use crate::arguments::Given;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Pace {
        Slow,
        Fast,
    }

    #[test]
    fn each_type_is_read_from_its_text() {
        let trip = json!({ "city": "7", "nights": "3", "price": "1.5", "pace": "fast", "class": "B" });
        let mut given = Given::texts(trip.as_object().expect("an object"));
        assert_eq!(given.take::<String>("city").as_deref(), Some("7"));
        assert_eq!(given.take::<u8>("nights"), Some(3));
        assert_eq!(given.take::<Option<f64>>("price"), Some(Some(1.5)));
        assert_eq!(given.take::<Option<bool>>("direct"), Some(None));
        assert_eq!(given.take::<Pace>("pace"), Some(Pace::Fast));
        assert_eq!(given.take::<char>("class"), Some('B'));
    }

    #[tokio::test]
    async fn what_does_not_fit_is_said() {
        let error = async |arguments: serde_json::Value| {
            let mut given = Given::texts(arguments.as_object().expect("an object"));
            assert_eq!(given.take::<u8>("nights"), None);
            assert_eq!(given.take::<u8>("days"), None);
            given.refused().await.unwrap_err().shown().unwrap_or_default().to_owned()
        };
        let many = error(json!({ "nights": "many" })).await;
        assert_eq!(
            many,
            "the arguments do not fit: `nights`: \"many\": invalid digit found in string; `days` is missing"
        );
        let none = "the arguments do not fit: `nights` is missing; `days` is missing";
        assert_eq!(error(json!({})).await, none);
        // As if it had not come: the protocol has texts alone.
        assert_eq!(error(json!({ "nights": 3 })).await, none);
    }
}
