//! JSON that travels as its text: the state's encoding describes no types, so a `Value` could not be read back.
//! For `#[serde(with = "json_text")]`.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The default, which most values are, is an empty text.
pub(crate) fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize + Default + PartialEq,
    S: Serializer,
{
    if *value == T::default() {
        return serializer.serialize_str("");
    }
    serializer.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
}

/// Whoever traces a type's shape hands in empty texts, too.
pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializeOwned + Default,
    D: Deserializer<'de>,
{
    match String::deserialize(deserializer)?.as_str() {
        "" => Ok(T::default()),
        text => serde_json::from_str(text).map_err(D::Error::custom),
    }
}
