//! A form as MCP's `requestedSchema`, its fields in the order of declaration.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::schema::{integer_json, is_titled};
use super::{ChoiceOption, FormSchema, Format, Property, PropertyKind};

impl Serialize for FormSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        entry(&mut schema, "title", self.title())?;
        schema.serialize_entry("properties", &Properties(self.properties()))?;
        if self.properties().iter().any(Property::is_required) {
            schema.serialize_entry("required", &Required(self.properties()))?;
        }
        schema.end()
    }
}

struct Properties<'a>(&'a [Property]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|property| (property.name(), property)))
    }
}

struct Required<'a>(&'a [Property]);

impl Serialize for Required<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().filter(|property| property.is_required()).map(Property::name))
    }
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut schema = serializer.serialize_map(None)?;
        self.kind.entries(self.enum_names, &mut schema)?;
        entry(&mut schema, "title", self.title())?;
        entry(&mut schema, "description", self.description())?;
        schema.end()
    }
}

impl PropertyKind {
    fn entries<M: SerializeMap>(&self, enum_names: bool, schema: &mut M) -> Result<(), M::Error> {
        let type_name = match self {
            Self::String { .. } | Self::Choice { .. } => "string",
            Self::Number { .. } => "number",
            Self::Integer { .. } => "integer",
            Self::Boolean { .. } => "boolean",
            Self::Choices { .. } => "array",
        };
        schema.serialize_entry("type", type_name)?;
        match self {
            Self::String { min_length, max_length, format, default } => {
                entry(schema, "minLength", *min_length)?;
                entry(schema, "maxLength", *max_length)?;
                entry(schema, "format", format.map(Format::name))?;
                entry(schema, "default", default.as_ref())
            }
            Self::Number { minimum, maximum, default } => {
                entry(schema, "minimum", *minimum)?;
                entry(schema, "maximum", *maximum)?;
                entry(schema, "default", *default)
            }
            Self::Integer { minimum, maximum, default } => {
                entry(schema, "minimum", minimum.and_then(integer_json))?;
                entry(schema, "maximum", maximum.and_then(integer_json))?;
                entry(schema, "default", default.and_then(integer_json))
            }
            Self::Boolean { default } => entry(schema, "default", *default),
            Self::Choice { options, default } => {
                if is_titled(options) && !enum_names {
                    schema.serialize_entry("oneOf", &Titled(options))?;
                } else {
                    schema.serialize_entry("enum", &Values(options))?;
                }
                entry(schema, "enumNames", enum_names.then_some(Labels(options)))?;
                entry(schema, "default", default.as_ref())
            }
            Self::Choices { options, min_items, max_items, default } => {
                schema.serialize_entry("items", &Items(options))?;
                entry(schema, "minItems", *min_items)?;
                entry(schema, "maxItems", *max_items)?;
                entry(schema, "default", default.as_ref())
            }
        }
    }
}

/// The options of a list from which several may be chosen.
struct Items<'a>(&'a [ChoiceOption]);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_map(None)?;
        if is_titled(self.0) {
            items.serialize_entry("anyOf", &Titled(self.0))?;
        } else {
            items.serialize_entry("type", "string")?;
            items.serialize_entry("enum", &Values(self.0))?;
        }
        items.end()
    }
}

struct Values<'a>(&'a [ChoiceOption]);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|option| &option.value))
    }
}

struct Labels<'a>(&'a [ChoiceOption]);

impl Serialize for Labels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ChoiceOption::label))
    }
}

struct Titled<'a>(&'a [ChoiceOption]);

impl Serialize for Titled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(TitledOption))
    }
}

struct TitledOption<'a>(&'a ChoiceOption);

impl Serialize for TitledOption<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("const", &*self.0.value), ("title", self.0.label())])
    }
}

fn entry<M: SerializeMap>(schema: &mut M, name: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| schema.serialize_entry(name, &value))
}
