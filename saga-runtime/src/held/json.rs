//! [`Json`] across a question: its value travels as JSON text, which says what comes next where a sealed state does not.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::result::Json;

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        serializer.serialize_str(&serde_json::to_string(&self.0).map_err(S::Error::custom)?)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return T::deserialize(deserializer).map(Self);
        }
        let text = String::deserialize(deserializer)?;
        serde_json::from_str(&text).map(Self).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::Json;
    use crate::held::Held;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Either {
        Number(f64),
        Text(String),
    }

    fn travels<T>(value: T)
    where
        T: for<'s> Held<'s> + PartialEq + std::fmt::Debug,
    {
        let bytes = value.encode(Vec::new()).expect("it travels");
        assert_eq!(T::decode(&bytes), Some(value));
    }

    #[test]
    fn what_asks_what_comes_next_travels_as_json() {
        for value in [Value::Null, json!(1.5), json!({ "a": [1, "b", null, { "c": true }] })] {
            travels(Json(value.clone()));
            travels((7_u8, vec![Json(value)], "after".to_owned()));
        }
        travels(Json(vec![Either::Number(1.0), Either::Text("x".to_owned())]));
        travels(BTreeMap::from([(1, Json(json!({})))]));
    }

    #[test]
    fn text_that_is_no_json_is_refused() {
        let bytes = "{".to_owned().encode(Vec::new()).expect("a text");
        assert!(Json::<Value>::decode(&bytes).is_none());
    }

    /// In JSON it is the value itself.
    #[test]
    fn elsewhere_it_is_transparent() {
        assert_eq!(serde_json::to_value(Json(json!([1]))).expect("JSON"), json!([1]));
        assert_eq!(serde_json::from_str::<Json<Vec<u8>>>("[1]").expect("JSON"), Json(vec![1]));
    }
}
