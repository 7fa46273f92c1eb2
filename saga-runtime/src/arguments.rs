//! A function's arguments: what clients are told of them, and what a request gives. Each is a call for each argument,
//! generic over the argument's type alone: what is compiled for one tool serves all.

use std::fmt;
use std::future::ready;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::value::Error as Missing;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::frame::probes;
use crate::mirror;
use crate::shape::samples;
use crate::texts::Text;
use crate::tool::Running;

/// The type of an argument: it comes as JSON, and clients are told its schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument, since it does not come as JSON with a schema",
    label = "clients send this, and are told what to send",
    note = "let it derive `serde::Deserialize` and `schemars::JsonSchema`; what is the server's \
            and not the client's is taken as `#[context] name: &{Self}`"
)]
pub trait Argument: Sized {
    /// Tells clients of an argument of this type.
    fn describe(signature: &mut Signature, name: &'static str, notes: &[(&'static str, &'static str)]);

    /// Takes it out of a request; `None`, with the reason recorded, if it does not fit.
    fn take(given: &mut Given<'_>, name: &'static str) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + DeserializeOwned> Argument for T {
    fn describe(signature: &mut Signature, name: &'static str, notes: &[(&'static str, &'static str)]) {
        signature.argument::<T>(name, notes);
    }

    fn take(given: &mut Given<'_>, name: &'static str) -> Option<Self> {
        given.take(name)
    }
}

/// The JSON Schema of a function's arguments, as it is gathered.
#[derive(Debug, Default)]
pub struct Signature {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
    /// The names, in their order.
    pub(crate) names: Vec<&'static str>,
}

impl Signature {
    /// Without arguments.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, and what its schema says beside its type.
    fn argument<T: JsonSchema + DeserializeOwned>(
        &mut self,
        name: &'static str,
        notes: &[(&'static str, &'static str)],
    ) {
        let schema = self.generator.subschema_for::<T>();
        self.names.push(name);
        self.add(name, schema, notes, is_required::<T>());
    }

    fn add(
        &mut self,
        name: &str,
        mut schema: schemars::Schema,
        notes: &[(&'static str, &'static str)],
        required: bool,
    ) {
        for (key, text) in notes {
            schema.insert((*key).to_owned(), (*text).into());
        }
        self.properties.insert(name.to_owned(), schema.to_value());
        if required {
            self.required.push(name.into());
        }
    }

    /// The schema.
    pub(crate) fn schema(self) -> Value {
        let Self { mut generator, properties, required, names: _ } = self;
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), Value::Object(properties));
        if !required.is_empty() {
            schema.insert("required".into(), Value::Array(required));
        }
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".into(), Value::Object(definitions));
        }
        if let Some(dialect) = &generator.settings().meta_schema {
            schema.insert("$schema".into(), dialect.as_ref().into());
        }
        mirror::make_plain(&mut schema);
        Value::Object(schema)
    }
}

/// Whether an argument of the type may not be left out.
fn is_required<T: DeserializeOwned>() -> bool {
    T::deserialize(LeftOut).is_err()
}

/// What stands for an argument that was left out: an `Option` is `None`.
struct LeftOut;

impl<'de> Deserializer<'de> for LeftOut {
    type Error = Missing;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Missing> {
        Err(Missing::custom(""))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Missing> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The arguments of one request, to be taken one by one.
pub struct Given<'a> {
    arguments: &'a Map<String, Value>,
    comes: Comes,
    /// What is wrong with those that were taken so far.
    misfits: Vec<String>,
}

/// How arguments come.
#[derive(Debug, Clone, Copy)]
enum Comes {
    /// As JSON.
    Values,
    /// As texts, from which numbers and truth values are read.
    Texts,
    /// Not at all: they are made up, since nothing is done with them.
    MadeUp,
}

impl fmt::Debug for Given<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Given").field("comes", &self.comes).finish_non_exhaustive()
    }
}

impl<'a> Given<'a> {
    /// A tool's arguments.
    #[must_use]
    pub fn values(arguments: &'a Map<String, Value>) -> Self {
        Self::of(arguments, Comes::Values)
    }

    /// A prompt's arguments, or the variables of a resource's address.
    #[must_use]
    pub fn texts(arguments: &'a Map<String, Value>) -> Self {
        Self::of(arguments, Comes::Texts)
    }

    fn of(arguments: &'a Map<String, Value>, comes: Comes) -> Self {
        Self { arguments, comes: if probes() { Comes::MadeUp } else { comes }, misfits: Vec::new() }
    }

    /// Takes an argument; `None`, with the reason recorded, if it does not fit.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Option<T> {
        let read = match (self.arguments.get(name), self.comes) {
            (example, Comes::MadeUp) => {
                let made_up = samples(1).pop().or_else(|| T::deserialize(example?).ok());
                made_up.ok_or_else(|| " cannot be made up".to_owned())
            }
            (Some(value), Comes::Values) => T::deserialize(value).map_err(|error| misfit(&error)),
            (Some(Value::String(text)), Comes::Texts) => {
                T::deserialize(Text(text)).map_err(|error| misfit(&error))
            }
            (_, Comes::Values | Comes::Texts) => {
                T::deserialize(LeftOut).map_err(|_| " is missing".to_owned())
            }
        };
        read.map_err(|why| self.misfits.push(format!("`{name}`{why}"))).ok()
    }

    /// The end of a function whose arguments do not fit: its own failure, which the model can read and mend.
    #[must_use]
    pub fn refused(self) -> Running<'a> {
        let text = format!("the arguments do not fit: {}", self.misfits.join("; "));
        Box::pin(ready(Err(ToolError::new(text).because(Misfit))))
    }
}

fn misfit(error: &serde_json::Error) -> String {
    format!(": {error}")
}

/// That a function did not run, since its arguments do not fit.
#[derive(Debug)]
pub(crate) struct Misfit;

impl fmt::Display for Misfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the arguments do not fit")
    }
}

impl std::error::Error for Misfit {}
