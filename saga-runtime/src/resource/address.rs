//! A resource's address: a URI, or a template with variables in it (RFC 6570).
//!
//! Of templates there are two kinds of variables: `{id}` is one segment of the address as it is written, and `{+path}`
//! may be several. A variable takes as little as it can, and what stands between two variables keeps them apart.
//!
//! The values are decoded afterwards, as RFC 6570 has it: also one of `{id}` may hold a `/`, written `%2F`, or be `..`.
//! Whoever makes a path of one must check it first.

use std::fmt;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// The longest URI that is looked up, in bytes.
const LONGEST: usize = 8 * 1024;

/// A resource's address, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// What stands before the first variable.
    start: String,
    /// Each variable, with what stands behind it.
    variables: Vec<(Variable, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    name: String,
    has_segments: bool,
}

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressError {
    Unclosed,
    Variable,
    Adjacent,
}

impl fmt::Display for AddressError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unclosed => "a `{` has no `}`",
            Self::Variable => "a variable is `{name}` or `{+name}`",
            Self::Adjacent => "nothing stands between two variables",
        })
    }
}

impl Address {
    /// Reads a URI or a template.
    pub(crate) fn parse(text: &str) -> Result<Self, AddressError> {
        let mut parts = text.split('{');
        let start = parts.next().unwrap_or_default().to_owned();
        let mut variables = Vec::new();
        for part in parts {
            let (name, literal) = part.split_once('}').ok_or(AddressError::Unclosed)?;
            variables.push((Variable::parse(name)?, literal.to_owned()));
        }
        let between = variables.split_last().map_or(&[][..], |(_, between)| between);
        if between.iter().any(|(_, literal)| literal.is_empty()) {
            return Err(AddressError::Adjacent);
        }
        Ok(Self { start, variables })
    }

    /// Whether it stands for many resources.
    pub(crate) fn is_template(&self) -> bool {
        !self.variables.is_empty()
    }

    /// The variables' values where `uri` is of this address.
    pub(crate) fn read(&self, uri: &str) -> Option<Map<String, Value>> {
        let mut rest = uri.strip_prefix(self.start.as_str()).filter(|_| uri.len() <= LONGEST)?;
        let mut values = Map::new();
        let last = self.variables.len().saturating_sub(1);
        for (index, (variable, literal)) in self.variables.iter().enumerate() {
            let (value, behind) = if index == last {
                (rest.strip_suffix(literal.as_str())?, "")
            } else {
                rest.split_once(literal.as_str())?
            };
            if value.is_empty() || (!variable.has_segments && value.contains('/')) {
                return None;
            }
            let value = percent_decode_str(value).decode_utf8().ok()?;
            values.insert(variable.name.clone(), value.into());
            rest = behind;
        }
        rest.is_empty().then_some(values)
    }
}

impl Variable {
    fn parse(text: &str) -> Result<Self, AddressError> {
        let (name, has_segments) = text.strip_prefix('+').map_or((text, false), |name| (name, true));
        let is_name =
            !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        if is_name { Ok(Self { name: name.to_owned(), has_segments }) } else { Err(AddressError::Variable) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, AddressError};

    #[track_caller]
    fn check(template: &str, uri: &str, expected: Option<&str>) {
        let values = Address::parse(template).expect("an address").read(uri);
        let values = values.map(|values| serde_json::Value::Object(values).to_string());
        assert_eq!(values.as_deref(), expected, "{uri} of {template}");
    }

    #[test]
    fn a_uri_is_itself_alone() {
        check("trip://rules", "trip://rules", Some("{}"));
        check("trip://rules", "trip://rules/", None);
        check("trip://rules", "trip://rule", None);
        check("trip://rules", "", None);
    }

    #[test]
    fn a_variable_is_one_segment() {
        check("trip://{id}/plan", "trip://7/plan", Some(r#"{"id":"7"}"#));
        check("trip://{id}/plan", "trip://7/8/plan", None);
        check("trip://{id}/plan", "trip:///plan", None);
        check("trip://{id}/plan", "trip://7/plan/plan", None);
        // What it says is no path yet.
        check("trip://{id}", "trip://a%2Fb%20c", Some(r#"{"id":"a/b c"}"#));
        check("trip://{id}", "trip://..%2F..", Some(r#"{"id":"../.."}"#));
        check("trip://{id}", "trip://%ff", None);
        check("trip://{id}", "trip://", None);
    }

    #[test]
    fn a_path_has_segments() {
        check("file:///{+path}", "file:///a/b.txt", Some(r#"{"path":"a/b.txt"}"#));
        check("file:///{+path}/raw", "file:///a/raw/raw", Some(r#"{"path":"a/raw"}"#));
        check("git://{repo}/{+path}@{rev}", "git://r/a/b@1", Some(r#"{"path":"a/b","repo":"r","rev":"1"}"#));
        check("git://{repo}/{+path}@{rev}", "git://r/a/b", None);
    }

    #[test]
    fn what_is_no_address() {
        let error = |text: &str| Address::parse(text).unwrap_err();
        assert_eq!(error("trip://{id"), AddressError::Unclosed);
        assert_eq!(error("trip://{}"), AddressError::Variable);
        assert_eq!(error("trip://{?page}"), AddressError::Variable);
        assert_eq!(error("trip://{a}{b}"), AddressError::Adjacent);
    }

    #[test]
    fn a_long_uri_is_none_of_ours() {
        check("trip://{id}", &format!("trip://{}", "7".repeat(8 * 1024)), None);
    }
}
