//! A form in the fields of MCP 2025-06-18: texts, numbers, yes or no, and one option of a list. Defaults stand at
//! yes or no only, options have their titles in `enumNames`, and a list from which several may be chosen becomes one
//! yes or no for each option, which the answer puts together again.
//!
//! ```text
//! "regions": { "type": "array", "items": { "enum": ["eu", "us"] }, "default": ["eu"] }      asked
//! "regions.eu": { "type": "boolean", "default": true, .. }, "regions.us": { "type": "boolean", .. }
//!
//! { "regions.eu": false, "regions.us": true }                                            answered
//! { "regions": ["us"] }
//! ```

use serde_json::Value;

use super::Object;
use crate::form::{ChoiceOption, FormSchema, Property, PropertyKind};

/// A field that was taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spread {
    field: String,
    /// Whether an answer must have it: no option at all is then an empty list.
    required: bool,
    options: Vec<Part>,
}

/// The field that stands for one option.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    name: String,
    option: String,
    /// Whether it is chosen where the answer leaves the field out.
    default: bool,
}

impl Spread {
    /// Puts the field together from what was filled in.
    pub(super) fn gather(&self, content: &mut Object) {
        // A client that read the field's own name out of our message and answered with it is right, too.
        if content.contains_key(&self.field) {
            return;
        }
        let has_default = self.options.iter().any(|part| part.default);
        let is_given = self.options.iter().any(|part| content.contains_key(&part.name));
        if !is_given && (has_default || !self.required) {
            return;
        }
        let mut chosen = Vec::new();
        for part in &self.options {
            if content.remove(&part.name).map_or(part.default, |given| given == Value::Bool(true)) {
                chosen.push(part.option.clone());
            }
        }
        content.insert(self.field.clone(), chosen.into());
    }
}

/// The same form in plain fields, and those that were taken apart.
pub(super) fn plain(form: &FormSchema) -> (FormSchema, Vec<Spread>) {
    let mut plain = form.title().map_or_else(FormSchema::new, |title| FormSchema::new().titled(title));
    let mut spread = Vec::new();
    for property in form.properties() {
        if let PropertyKind::Choices { options, default, .. } = property.kind() {
            let (apart, properties) = take_apart(form, property, options, default.as_deref());
            plain = properties.into_iter().fold(plain, FormSchema::with);
            spread.push(apart);
        } else {
            plain = plain.with(property.clone().plain());
        }
    }
    (plain, spread)
}

/// A list of options as one field for each.
fn take_apart(
    form: &FormSchema,
    property: &Property,
    options: &[ChoiceOption],
    default: Option<&[String]>,
) -> (Spread, Vec<Property>) {
    let (mut parts, mut properties) = (Vec::<Part>::new(), Vec::new());
    for option in options {
        let mut name = format!("{}.{}", property.name(), option.value);
        while form.property(&name).is_some() || parts.iter().any(|part| part.name == name) {
            name.push('_');
        }
        let default = default.is_some_and(|chosen| chosen.iter().any(|value| *value == option.value));
        let field = Property::of::<bool>(name.clone()).default(default);
        let field = field.title(format!("{}: {}", property.label(), option.label()));
        properties.push(match property.description() {
            Some(description) => field.description(description.to_owned()).build(),
            None => field.build(),
        });
        parts.push(Part { name, option: option.value.clone().into_owned(), default });
    }
    let spread =
        Spread { field: property.name().to_owned(), required: property.is_required(), options: parts };
    (spread, properties)
}
