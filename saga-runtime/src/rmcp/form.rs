//! A form in rmcp's types. They are made from ours directly: read from JSON, each field would be tried as one kind of
//! schema after the other.

use std::borrow::Cow;

use rmcp::ErrorData;
use rmcp::model::{
    BooleanSchema, ElicitationSchema, IntegerSchema, NumberSchema, PrimitiveSchemaDefinition, StringFormat,
    StringSchema,
};

use super::wire;
use crate::form::{FormSchema, Format, Property, PropertyKind};

/// The form as rmcp has it, its fields in the same order.
pub(super) fn schema(form: &FormSchema) -> Result<ElicitationSchema, ErrorData> {
    let properties = form.properties();
    let definitions =
        properties.iter().map(|property| Ok((property.name().to_owned(), definition(property)?)));
    let mut schema = ElicitationSchema::new(definitions.collect::<Result<_, ErrorData>>()?);
    schema.property_order = Some(properties.iter().map(|property| property.name().to_owned()).collect());
    schema.title = form.title().map(text);
    let required: Vec<_> = properties.iter().filter(|property| property.is_required()).collect();
    if !required.is_empty() {
        schema.required = Some(required.into_iter().map(|property| property.name().to_owned()).collect());
    }
    Ok(schema)
}

/// One field. What rmcp's numbers cannot hold is left out: the answer is checked all the same.
fn definition(property: &Property) -> Result<PrimitiveSchemaDefinition, ErrorData> {
    let (title, description) = (property.title().map(text), property.description().map(text));
    Ok(match property.kind() {
        PropertyKind::String { min_length, max_length, format, default } => {
            let mut schema = StringSchema::new();
            (schema.title, schema.description) = (title, description);
            schema.min_length = min_length.and_then(|length| length.try_into().ok());
            schema.max_length = max_length.and_then(|length| length.try_into().ok());
            schema.format = format.map(string_format);
            schema.default.clone_from(default);
            PrimitiveSchemaDefinition::String(schema)
        }
        PropertyKind::Number { minimum, maximum, default } => {
            let mut schema = NumberSchema::new();
            (schema.title, schema.description) = (title, description);
            (schema.minimum, schema.maximum, schema.default) = (*minimum, *maximum, *default);
            PrimitiveSchemaDefinition::Number(schema)
        }
        PropertyKind::Integer { minimum, maximum, default } => {
            let whole = |number: &Option<i128>| number.and_then(|number| number.try_into().ok());
            let mut schema = IntegerSchema::new();
            (schema.title, schema.description) = (title, description);
            (schema.minimum, schema.maximum, schema.default) =
                (whole(minimum), whole(maximum), whole(default));
            PrimitiveSchemaDefinition::Integer(schema)
        }
        PropertyKind::Boolean { default } => {
            let mut schema = BooleanSchema::new();
            (schema.title, schema.description, schema.default) = (title, description, *default);
            PrimitiveSchemaDefinition::Boolean(schema)
        }
        PropertyKind::Choice { .. } | PropertyKind::Choices { .. } => {
            PrimitiveSchemaDefinition::Enum(wire::read(property.to_json())?)
        }
    })
}

const fn string_format(format: Format) -> StringFormat {
    match format {
        Format::Email => StringFormat::Email,
        Format::Uri => StringFormat::Uri,
        Format::Date => StringFormat::Date,
        Format::DateTime => StringFormat::DateTime,
    }
}

fn text(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::form::{Choice, ChoiceOption};

    /// What the derive would write.
    struct Size;

    impl Choice for Size {
        fn options() -> Vec<ChoiceOption> {
            vec![ChoiceOption::titled("Small", "Up to ten people"), ChoiceOption::new("Large")]
        }

        fn from_value(_: &str) -> Option<Self> {
            None
        }

        fn value(&self) -> &'static str {
            "Small"
        }
    }

    /// Every kind of field, with everything that it can say.
    fn form() -> FormSchema {
        FormSchema::new()
            .titled("A party")
            .with(Property::of::<String>("mail").format(Format::Email).min_length(3).max_length(80))
            .with(Property::of::<String>("day").format(Format::Date).title("Day").description("of the party"))
            .with(
                Property::of::<String>("at")
                    .format(Format::DateTime)
                    .default("2026-07-28T12:00:00Z".to_owned()),
            )
            .with(Property::of::<Option<String>>("page").format(Format::Uri))
            .with(Property::of::<u8>("guests").default(3).title("Guests"))
            .with(Property::of::<i64>("depth").description("in metres"))
            .with(Property::of::<f64>("share").minimum(0.25).maximum(0.5).default(0.25))
            .with(Property::of::<bool>("now").default(true).title("Now?"))
            .with(Property::of::<Size>("size").title("Size"))
            .with(Property::of::<Size>("former").enum_names())
            .with(Property::of::<Vec<Size>>("others").description("what else there is"))
    }

    #[test]
    fn rmcp_writes_the_form_as_we_do() {
        let form = form();
        let written = serde_json::to_string(&schema(&form).unwrap()).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), form.to_json());
        let order: Vec<_> = form
            .properties()
            .iter()
            .map(|property| written.find(&format!("\"{}\":{{", property.name())))
            .collect();
        assert!(order.is_sorted(), "{written}");
    }

    #[test]
    fn a_bound_beyond_64_bits_is_left_out() {
        let form = FormSchema::new().with(Property::of::<u64>("much"));
        let property = &serde_json::to_value(schema(&form).unwrap()).unwrap()["properties"]["much"];
        assert_eq!(*property, json!({ "type": "integer", "minimum": 0 }));
    }
}
