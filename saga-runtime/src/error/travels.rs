//! A failure that is held across a question: what the client may read of it, and the texts of its causes.

use std::error::Error;
use std::{fmt, iter};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ToolError;

/// A failure on its way.
#[derive(Serialize, Deserialize)]
struct Travelling {
    shown: Option<String>,
    /// The outermost first.
    causes: Vec<String>,
}

impl Serialize for ToolError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A state is binary. What is not may be for a client to read.
        let causes = if serializer.is_human_readable() { Vec::new() } else { self.causes() };
        Travelling { shown: self.shown.clone(), causes }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Travelling { shown, causes } = Travelling::deserialize(deserializer)?;
        let cause = Told::of(causes).map(|told| Box::new(told) as _);
        Ok(Self { shown, cause })
    }
}

/// The texts of an error and of its sources.
pub(crate) fn texts(error: Option<&(dyn Error + Send + Sync + 'static)>) -> Vec<String> {
    let mut next = error.map(|error| error as &(dyn Error + 'static));
    let errors = iter::from_fn(|| {
        let error = next?;
        next = error.source();
        Some(error.to_string())
    });
    errors.collect()
}

/// What is left of a cause.
#[derive(Debug)]
pub(crate) struct Told {
    text: String,
    source: Option<Box<Self>>,
}

impl Told {
    /// What is left of a cause and its causes: their texts, the outermost first.
    pub(crate) fn of(texts: Vec<String>) -> Option<Self> {
        let told = |source: Option<Self>, text| Some(Self { text, source: source.map(Box::new) });
        texts.into_iter().rev().fold(None, told)
    }
}

impl fmt::Display for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Error for Told {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl Drop for Told {
    /// One after the other: a chain as long as a state may say would not fit the stack.
    fn drop(&mut self) {
        let mut source = self.source.take();
        while let Some(mut told) = source {
            source = told.source.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::error::StepError;

    fn again(error: &ToolError) -> ToolError {
        postcard::from_bytes(&postcard::to_allocvec(error).unwrap()).unwrap()
    }

    #[test]
    fn the_texts_travel() {
        let error = ToolError::from(io::Error::other(fmt::Error));
        let error = ToolError { shown: Some("stopped".to_owned()), ..error };
        let came = again(&error);
        assert_eq!(came.shown(), Some("stopped"));
        assert_eq!(came.causes(), error.causes());
        assert_eq!(format!("{came:?}"), format!("{error:?}"));
        let declined = again(&ToolError::from(StepError::Declined));
        assert_eq!(declined.shown(), Some("the question was declined"));
        assert!(again(&ToolError::new("no")).cause().is_none());
    }

    #[test]
    fn text_formats_have_what_the_client_may_read() {
        let error = ToolError::from(io::Error::other("the password is x"));
        assert_eq!(serde_json::to_string(&error).unwrap(), r#"{"shown":null,"causes":[]}"#);
    }

    #[test]
    fn a_chain_of_any_length_is_dropped() {
        let causes = vec![String::new(); 1_000_000];
        let bytes = postcard::to_allocvec(&Travelling { shown: None, causes }).unwrap();
        drop(postcard::from_bytes::<ToolError>(&bytes).unwrap());
    }
}
