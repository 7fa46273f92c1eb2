//! JSON on its way to the client: put together in the order in which the client sees it, written once, and never looked
//! into. A tree of `Value`s would copy every name, and sort the fields of a form.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::Object;
use crate::form::FormSchema;

/// The fields of a JSON object.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Fields(Vec<(Cow<'static, str>, Part)>);

/// What a field has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(Cow<'static, str>),
    List(Vec<Self>),
    Fields(Fields),
    Written(Arc<Written>),
    Form(FormSchema),
    Json(Value),
}

impl Fields {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a field; one of the same name is replaced.
    pub(crate) fn push(&mut self, name: impl Into<Cow<'static, str>>, part: impl Into<Part>) {
        let (name, part) = (name.into(), part.into());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = part,
            None => self.0.push((name, part)),
        }
    }

    /// The same with this field.
    pub(crate) fn with(mut self, name: impl Into<Cow<'static, str>>, part: impl Into<Part>) -> Self {
        self.push(name, part);
        self
    }

    /// The same with these fields, too.
    pub(crate) fn and(self, more: Self) -> Self {
        more.0.into_iter().fold(self, |fields, (name, part)| fields.with(name, part))
    }

    /// What the field of this name has.
    pub(crate) fn get(&self, name: &str) -> Option<&Part> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, part)| part)
    }

    /// The same without this field.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.0.retain(|(known, _)| known != name);
        self
    }

    /// As a tree, for who has no other use for it.
    #[allow(dead_code, reason = "rmcp wants trees")]
    pub(crate) fn into_json(self) -> Value {
        serde_json::to_value(&self).unwrap_or_default()
    }
}

/// What is the same in every message, written once for all of them.
#[derive(Debug)]
pub(crate) struct Written {
    fields: Fields,
    text: Box<RawValue>,
}

impl From<Fields> for Written {
    fn from(fields: Fields) -> Self {
        // They have nothing that cannot be written.
        let text = to_raw_value(&fields).unwrap_or_default();
        Self { fields, text }
    }
}

impl Written {
    /// The same, for who does not send it as it is.
    pub(crate) const fn fields(&self) -> &Fields {
        &self.fields
    }
}

impl PartialEq for Written {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl From<Object> for Fields {
    fn from(object: Object) -> Self {
        Self(object.into_iter().map(|(name, value)| (name.into(), Part::Json(value))).collect())
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, part)| (name, part)))
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::List(parts) => parts.serialize(serializer),
            Self::Fields(fields) => fields.serialize(serializer),
            Self::Written(written) => written.serialize(serializer),
            Self::Form(form) => form.serialize(serializer),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}

impl From<&'static str> for Part {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Fields> for Part {
    fn from(fields: Fields) -> Self {
        Self::Fields(fields)
    }
}

impl From<Arc<Written>> for Part {
    fn from(written: Arc<Written>) -> Self {
        Self::Written(written)
    }
}

impl From<Object> for Part {
    fn from(object: Object) -> Self {
        Self::Json(Value::Object(object))
    }
}

impl From<Value> for Part {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<Vec<Self>> for Part {
    fn from(parts: Vec<Self>) -> Self {
        Self::List(parts)
    }
}

impl From<FormSchema> for Part {
    fn from(form: FormSchema) -> Self {
        Self::Form(form)
    }
}
