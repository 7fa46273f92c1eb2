//! A form as a client reads it: MCP's restricted schema back into a typed value, for front ends like `play`.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{ChoiceOption, FormSchema, Format, Property, PropertyKind};

impl<'de> Deserialize<'de> for FormSchema {
    /// Reads a `requestedSchema`, its fields in the order in which they were written.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Schema { title, properties, required } = Schema::deserialize(deserializer)?;
        let mut form = Self { title, properties: Vec::new() };
        for (name, property) in properties.0 {
            let required = required.contains(&name);
            let unknown = || D::Error::custom(format_args!("`{name}` is of a kind that MCP does not know"));
            form = form.with(Property::from_json(&name, &property, required).ok_or_else(unknown)?);
        }
        Ok(form)
    }
}

impl FormSchema {
    /// Reads a `requestedSchema`; `None` where it is not one, or has a property of a kind that MCP does not know.
    #[cfg(feature = "cli")]
    pub(crate) fn from_json(schema: &Value) -> Option<Self> {
        Self::deserialize(schema).ok()
    }
}

#[derive(Deserialize)]
struct Schema {
    title: Option<String>,
    properties: InOrder,
    #[serde(default)]
    required: Vec<String>,
}

/// An object's fields, as they came.
struct InOrder(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = InOrder;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<InOrder, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(InOrder(fields))
    }
}

impl Property {
    fn from_json(name: &str, property: &Value, required: bool) -> Option<Self> {
        let text = |key: &str| property.get(key).and_then(Value::as_str).map(|text| text.to_owned().into());
        Some(Self {
            name: name.to_owned().into(),
            title: text("title"),
            description: text("description"),
            required,
            enum_names: property.get("enumNames").is_some(),
            kind: PropertyKind::from_json(property)?,
        })
    }
}

impl PropertyKind {
    fn from_json(property: &Value) -> Option<Self> {
        let whole = |key: &str| property.get(key).and_then(super::check::as_integer);
        let count = |key: &str| property.get(key).and_then(Value::as_u64);
        let number = |key: &str| property.get(key).and_then(Value::as_f64);
        let mut kind = match property.get("type")?.as_str()? {
            "string" => match options(property, "oneOf").or_else(|| named(property)) {
                Some(options) => Self::Choice { options, default: None },
                None => Self::String {
                    min_length: count("minLength"),
                    max_length: count("maxLength"),
                    format: property.get("format").and_then(Value::as_str).and_then(format_of),
                    default: None,
                },
            },
            "number" => {
                Self::Number { minimum: number("minimum"), maximum: number("maximum"), default: None }
            }
            "integer" => {
                Self::Integer { minimum: whole("minimum"), maximum: whole("maximum"), default: None }
            }
            "boolean" => Self::Boolean { default: None },
            "array" => {
                let items = property.get("items")?;
                Self::Choices {
                    options: options(items, "anyOf").or_else(|| options(items, "enum"))?,
                    min_items: count("minItems"),
                    max_items: count("maxItems"),
                    default: None,
                }
            }
            _ => return None,
        };
        if let Some(default) = property.get("default") {
            kind.set_default(default);
        }
        Some(kind)
    }
}

/// A list of options: plain values in an `enum`, titled ones in `oneOf` and `anyOf`.
fn options(schema: &Value, key: &str) -> Option<Vec<ChoiceOption>> {
    let option = |entry: &Value| match entry {
        Value::String(value) => Some(ChoiceOption::new(value.clone())),
        entry => {
            let value = entry.get("const")?.as_str()?.to_owned().into();
            let title = entry.get("title").and_then(Value::as_str).map(|title| title.to_owned().into());
            Some(ChoiceOption { value, title })
        }
    };
    schema.get(key)?.as_array()?.iter().map(option).collect()
}

/// A list of plain values, and the titles in `enumNames` if it has those.
fn named(property: &Value) -> Option<Vec<ChoiceOption>> {
    let mut options = options(property, "enum")?;
    let names = property.get("enumNames").and_then(Value::as_array).into_iter().flatten();
    for (option, name) in options.iter_mut().zip(names) {
        option.title = name.as_str().map(|name| name.to_owned().into());
    }
    Some(options)
}

fn format_of(name: &str) -> Option<Format> {
    [Format::Email, Format::Uri, Format::Date, Format::DateTime]
        .into_iter()
        .find(|format| format.name() == name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_was_written_reads_as_it_was() {
        let schema = FormSchema::new()
            .with(Property::of::<String>("mail").title("E-mail").format(Format::Email).min_length(3))
            .with(Property::of::<u8>("count").description("how many").default(3))
            .with(Property::of::<f64>("share").maximum(0.5))
            .with(Property::of::<Option<bool>>("sure"))
            .titled("About you");
        let written = serde_json::to_string(&schema).unwrap();
        assert_eq!(serde_json::from_str::<FormSchema>(&written).unwrap(), schema);
    }

    #[test]
    fn options_read_with_and_without_titles() {
        let schema = r#"{ "properties": {
            "plain": { "type": "string", "enum": ["a", "b"], "default": "b" },
            "titled": { "type": "string", "oneOf": [{ "const": "a", "title": "A" }] },
            "several": { "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }] }, "minItems": 1 },
            "former": { "type": "string", "enum": ["a"], "enumNames": ["A"] }
        } }"#;
        let form: FormSchema = serde_json::from_str(schema).unwrap();
        let (plain, titled) = (ChoiceOption::new, ChoiceOption::titled);
        let kinds: Vec<_> = form.properties().iter().map(|property| property.kind().clone()).collect();
        assert_eq!(
            kinds,
            [
                PropertyKind::Choice { options: vec![plain("a"), plain("b")], default: Some("b".into()) },
                PropertyKind::Choice { options: vec![titled("a", "A")], default: None },
                PropertyKind::Choices {
                    options: vec![titled("a", "A")],
                    min_items: Some(1),
                    max_items: None,
                    default: None
                },
                PropertyKind::Choice { options: vec![titled("a", "A")], default: None },
            ]
        );
    }

    #[test]
    fn what_is_no_form_is_none() {
        for schema in [json!(null), json!({}), json!({ "properties": { "a": { "type": "object" } } })] {
            assert_eq!(FormSchema::deserialize(&schema).ok(), None, "{schema}");
        }
    }
}
