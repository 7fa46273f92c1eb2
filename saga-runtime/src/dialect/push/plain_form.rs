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

use serde_json::{Map, Value, json};

use super::Object;

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
    option: Value,
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

/// Writes a `requestedSchema` anew; gives the fields that were taken apart.
pub(super) fn write(schema: &mut Value) -> Vec<Spread> {
    let required: Vec<String> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let mut spread = Vec::new();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let names: Vec<_> = properties.keys().cloned().collect();
        let mut plain = Map::new();
        for (name, property) in std::mem::take(properties) {
            let Value::Object(property) = property else { continue };
            if property.contains_key("items") {
                let apart = take_apart(&name, &property, &names, required.contains(&name));
                plain.extend(apart.properties);
                spread.push(apart.spread);
            } else {
                plain.insert(name, Value::Object(plain_property(property)));
            }
        }
        *properties = plain;
    }
    if let Some(Value::Array(names)) = schema.get_mut("required") {
        names.retain(|name| spread.iter().all(|spread| *name != spread.field.as_str()));
    }
    spread
}

fn plain_property(mut property: Object) -> Object {
    if property.get("type") != Some(&json!("boolean")) {
        property.shift_remove("default");
    }
    if let Some(Value::Array(options)) = property.shift_remove("oneOf") {
        let each = |name: &str| options.iter().map(|option| option[name].clone()).collect::<Value>();
        property.insert("enum".into(), each("const"));
        property.insert("enumNames".into(), each("title"));
    }
    property
}

struct Apart {
    properties: Object,
    spread: Spread,
}

fn take_apart(name: &str, property: &Object, taken: &[String], required: bool) -> Apart {
    let label = property.get("title").and_then(Value::as_str).unwrap_or(name);
    let default = property.get("default").and_then(Value::as_array);
    let mut properties = Map::new();
    let mut options = Vec::new();
    for (option, title) in titled_options(&property["items"]) {
        let mut field = format!("{name}.{}", option.as_str().unwrap_or_default());
        while taken.contains(&field) || properties.contains_key(&field) {
            field.push('_');
        }
        let mut choice = Map::new();
        choice.insert("type".into(), "boolean".into());
        choice.insert("title".into(), format!("{label}: {title}").into());
        if let Some(description) = property.get("description") {
            choice.insert("description".into(), description.clone());
        }
        let default = default.is_some_and(|chosen| chosen.contains(&option));
        choice.insert("default".into(), default.into());
        properties.insert(field.clone(), Value::Object(choice));
        options.push(Part { name: field, option, default });
    }
    Apart { properties, spread: Spread { field: name.to_owned(), required, options } }
}

/// The options of a list, each with what the person reads.
fn titled_options(items: &Value) -> Vec<(Value, String)> {
    let titled = items.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let titled = titled.map(|option| (option["const"].clone(), &option["title"]));
    let untitled = items.get("enum").and_then(Value::as_array).into_iter().flatten();
    let untitled = untitled.map(|option| (option.clone(), option));
    titled
        .chain(untitled)
        .map(|(option, title)| (option, title.as_str().unwrap_or_default().to_owned()))
        .collect()
}
