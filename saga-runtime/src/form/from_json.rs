//! A form as a client reads it: MCP's restricted schema back into a typed value, for front ends like `play`.

use serde_json::Value;

use super::{ChoiceOption, FormSchema, Format, Property, PropertyKind};

impl FormSchema {
    /// Reads a `requestedSchema`; `None` where it is not one, or has a property of a kind that MCP does not know.
    pub(crate) fn from_json(schema: &Value) -> Option<Self> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
        let mut form = Self::new();
        for (name, property) in schema.get("properties")?.as_object()? {
            let text = |key: &str| property.get(key).and_then(Value::as_str).map(str::to_owned);
            form = form.with(Property {
                name: name.clone(),
                title: text("title"),
                description: text("description"),
                required: is_required(name),
                enum_names: false,
                kind: PropertyKind::from_json(property)?,
            });
        }
        Some(match schema.get("title").and_then(Value::as_str) {
            Some(title) => form.titled(title),
            None => form,
        })
    }
}

impl PropertyKind {
    fn from_json(property: &Value) -> Option<Self> {
        let whole = |key: &str| property.get(key).and_then(super::check::as_integer);
        let count = |key: &str| property.get(key).and_then(Value::as_u64);
        let number = |key: &str| property.get(key).and_then(Value::as_f64);
        let mut kind = match property.get("type")?.as_str()? {
            "string" => match options(property, "oneOf").or_else(|| options(property, "enum")) {
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
        Value::String(value) => Some(ChoiceOption::new(value)),
        entry => {
            let value = entry.get("const")?.as_str()?;
            let title = entry.get("title").and_then(Value::as_str).filter(|title| *title != value);
            Some(title.map_or_else(|| ChoiceOption::new(value), |title| ChoiceOption::titled(value, title)))
        }
    };
    schema.get(key)?.as_array()?.iter().map(option).collect()
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
        assert_eq!(FormSchema::from_json(&schema.to_json()), Some(schema));
    }

    #[test]
    fn options_read_with_and_without_titles() {
        let schema = json!({ "properties": {
            "plain": { "type": "string", "enum": ["a", "b"], "default": "b" },
            "titled": { "type": "string", "oneOf": [{ "const": "a", "title": "A" }] },
            "several": { "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }] }, "minItems": 1 },
        } });
        let form = FormSchema::from_json(&schema).unwrap();
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
            ]
        );
    }

    #[test]
    fn what_is_no_form_is_none() {
        for schema in [json!(null), json!({}), json!({ "properties": { "a": { "type": "object" } } })] {
            assert_eq!(FormSchema::from_json(&schema), None, "{schema}");
        }
    }
}
