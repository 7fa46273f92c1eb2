//! Arguments that HTTP requests repeat in a header, for the machines between that route by them (MCP 2026-07-28,
//! streamable HTTP, custom headers from tool parameters): a property of the input schema with `x-mcp-header`.

use serde_json::{Map, Value};

const MARK: &str = "x-mcp-header";

/// An argument that a header repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mirrored {
    pub(crate) argument: String,
    /// The header's whole name.
    pub(crate) header: String,
}

/// The arguments of this schema that a header repeats; or one that no header can.
pub(crate) fn of(schema: &Value) -> Result<Vec<Mirrored>, String> {
    let marked =
        properties(schema).filter_map(|(name, property)| Some((name, property, property.get(MARK)?)));
    let mirrored = marked.map(|(argument, property, header)| {
        let is_text = matches!(property["type"].as_str(), Some("string" | "integer" | "boolean"));
        match header.as_str().filter(|_| is_text) {
            Some(header) => {
                Ok(Mirrored { argument: argument.clone(), header: format!("Mcp-Param-{header}") })
            }
            None => Err(argument.clone()),
        }
    });
    mirrored.collect()
}

/// Clients take no argument into a header that may be `null`; it is left out instead.
pub(crate) fn make_plain(schema: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for property in properties.values_mut().filter(|property| property.get(MARK).is_some()) {
        let Some(Value::Array(types)) = property.get_mut("type") else { continue };
        types.retain(|name| name != "null");
        if let [one] = &types[..] {
            property["type"] = one.clone();
        }
    }
}

/// Whether a header's text says the same as the argument. Numbers may be written in several ways.
#[cfg(feature = "http")]
pub(crate) fn says(header: &str, argument: &Value) -> bool {
    match argument {
        Value::String(text) => header == text,
        Value::Bool(value) => header == if *value { "true" } else { "false" },
        Value::Number(number) => match (whole(&number.to_string()), whole(header)) {
            (Some(number), header) => header == Some(number),
            // No whole number does not fit the schema either.
            (None, _) => true,
        },
        // The argument does not fit the schema: the tool will say so.
        Value::Null | Value::Array(_) | Value::Object(_) => true,
    }
}

/// The whole number that a text says, exactly.
#[cfg(feature = "http")]
fn whole(text: &str) -> Option<i128> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let float = || text.parse::<f64>().ok().filter(|float| float.fract() == 0.0 && float.abs() < EXACT);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 is an i128")]
    text.parse().ok().or_else(|| float().map(|float| float as i128))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[cfg(feature = "http")]
    use super::says;
    use super::{Mirrored, of};

    #[test]
    fn a_header_is_for_what_fits_into_one() {
        let of = |property| of(&json!({ "properties": { "a": property, "b": { "type": "string" } } }));
        let mirrored = Mirrored { argument: "a".to_owned(), header: "Mcp-Param-Region".to_owned() };
        for name in ["string", "integer", "boolean"] {
            assert_eq!(of(json!({ "type": name, "x-mcp-header": "Region" })), Ok(vec![mirrored.clone()]));
        }
        assert_eq!(of(json!({ "type": "string" })), Ok(vec![]));
        for property in [json!({ "type": "number", "x-mcp-header": "A" }), json!({ "x-mcp-header": "A" })] {
            assert_eq!(of(property), Err("a".to_owned()));
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn a_header_says_what_the_argument_is() {
        for (header, argument) in
            [("a", json!("a")), ("42.0", json!(42)), ("-1", json!(-1)), ("true", json!(true))]
        {
            assert!(says(header, &argument), "{header}");
        }
        for (header, argument) in [
            ("A", json!("a")),
            ("43", json!(42)),
            ("", json!(42)),
            ("9007199254740993", json!(9_007_199_254_740_992_u64)),
            ("True", json!(true)),
        ] {
            assert!(!says(header, &argument), "{header}");
        }
    }
}
