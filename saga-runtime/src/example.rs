//! A JSON value that a JSON Schema takes, where a type can be made up in no other way: one that reads itself by asking
//! what comes next, as `#[serde(tag = "..")]` makes it. A guess: what it does not fit was not needed.

use serde_json::{Map, Value, json};

/// Schemas within schemas. A type within itself ends here, if its author gave it no shorter end.
const MOST_DEPTH: usize = 16;

/// An object with an example of each property of an object's schema.
pub(crate) fn arguments(schema: &Value) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, property)| (name.clone(), example(property, schema, MOST_DEPTH)))
        .collect()
}

/// An example of a schema, whose `$ref`s lead into `root`.
fn example(schema: &Value, root: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Null };
    let first = |of: &str| schema.get(of).and_then(Value::as_array).and_then(|all| all.first());
    if let Some(value) = schema.get("const").or_else(|| schema.get("default")).or_else(|| first("enum")) {
        return value.clone();
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|path| root.pointer(path));
        return target.map_or(Value::Null, |target| example(target, root, depth));
    }
    let merged = first("oneOf").or_else(|| first("anyOf")).or_else(|| first("allOf"));
    let inner = merged.map(|one| example(one, root, depth));
    match (type_of(schema), inner) {
        (None, Some(inner)) => inner,
        (Some("object"), inner) => {
            let mut object = object(schema, root, depth);
            if let Some(Value::Object(inner)) = inner {
                object.extend(inner);
            }
            Value::Object(object)
        }
        (Some("string"), _) => text(schema),
        (Some("integer" | "number"), _) => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        (Some("boolean"), _) => json!(true),
        (Some("array"), _) => array(schema, root, depth),
        _ => Value::Null,
    }
}

fn type_of(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::Array(types) => types.first()?.as_str(),
        one => one.as_str(),
    }
}

fn object(schema: &Value, root: &Value, depth: usize) -> Map<String, Value> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let named = required.filter_map(|name| {
        let name = name.as_str()?;
        Some((name.to_owned(), example(schema.get("properties")?.get(name)?, root, depth)))
    });
    named.collect()
}

fn array(schema: &Value, root: &Value, depth: usize) -> Value {
    let each = schema.get("prefixItems").and_then(Value::as_array);
    each.into_iter().flatten().map(|item| example(item, root, depth)).collect()
}

fn text(schema: &Value) -> Value {
    json!(match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2026-01-01",
        Some("date-time") => "2026-01-01T00:00:00Z",
        Some("time") => "00:00:00",
        Some("uuid") => "00000000-0000-0000-0000-000000000000",
        Some("uri" | "url") => "https://example.com",
        Some("email") => "a@example.com",
        _ => "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_of_each_kind() {
        let schema = json!({
            "properties": {
                "message": { "$ref": "#/$defs/Message" },
                "many": { "type": "array", "items": { "$ref": "#/$defs/Message" } },
                "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer", "minimum": 3 }] },
                "maybe": { "anyOf": [{ "$ref": "#/$defs/Message" }, { "type": "null" }] },
                "nested": { "$ref": "#/$defs/Nested" },
                "kind": { "type": ["string", "null"], "enum": ["a", "b"] },
                "lost": { "$ref": "#/$defs/Lost" },
            },
            "$defs": {
                "Message": { "oneOf": [
                    { "type": "object", "properties": { "kind": { "const": "text" }, "from": { "type": "string" } },
                      "required": ["kind", "from"] },
                ] },
                "Nested": { "type": "object", "properties": { "inner": { "$ref": "#/$defs/Nested" } },
                            "required": ["inner"] },
            },
        });
        let mut made = arguments(&schema);
        assert!(made.remove("nested").is_some_and(|nested| nested["inner"]["inner"].is_object()));
        let message = json!({ "kind": "text", "from": "" });
        let expected = json!({
            "message": message, "many": [], "pair": ["", 3], "maybe": message, "kind": "a", "lost": null,
        });
        assert_eq!(Value::Object(made), expected);
    }
}
