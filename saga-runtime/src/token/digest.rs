//! One digest for all the ways to write the same arguments.
//!
//! A client sends its arguments again with the token, and proxies re-encode JSON on the way. So the
//! digest is of what the arguments *mean*: the order of keys, escapes, and `1.0` for `1` make no
//! difference; types, the order of a list, and every value do. Each value is written as
//!
//! ```text
//! null   0                     integer  3 | i128            list    6 | count u64 | values
//! false  1                     float    4 | f64 bits        object  7 | count u64 | keys (as strings)
//! true   2                     string   5 | length u64 | UTF-8                  and values, sorted by key
//! number that is neither       8 | length u64 | its text
//! ```
//!
//! in little endian, and BLAKE3 hashes that. A float with an integral value is written as the integer,
//! because JavaScript writes `1.0` as `1`. Nothing here depends on which features of `serde_json`
//! another crate has turned on: keys are sorted here, and numbers are read by value.

use std::cmp::Reverse;

use serde_json::{Map, Number, Value};

/// The digest of a call's arguments, for [`Binding::arguments`](super::Binding::arguments).
///
/// ```
/// use saga_runtime::token::arguments_digest;
/// use serde_json::{Map, Value, from_str};
///
/// let digest = |text| arguments_digest(&from_str::<Map<String, Value>>(text).expect("an object"));
/// assert_eq!(digest(r#"{"service":"web","count":1}"#), digest(r#"{"count":1.0, "service":"\u0077eb"}"#));
/// assert_ne!(digest(r#"{"count":1}"#), digest(r#"{"count":"1"}"#));
/// ```
#[must_use]
pub fn arguments_digest(arguments: &Map<String, Value>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let rest = canonical(arguments, |part| {
        hasher.update(part);
    });
    hasher.update(&rest).finalize().into()
}

/// Bytes that are gathered before they are hashed: what is written may be many times longer than its JSON.
const PART: usize = 4 * 1024;

/// What is still to be written, the next on top: an object's entry with its key, or a list's value.
type Pending<'a> = Vec<(Option<&'a str>, &'a Value)>;

/// Writes the arguments, hands out what is gathered, and gives the rest. A stack of our own, because a deep value must
/// not overflow the thread's.
fn canonical(arguments: &Map<String, Value>, mut hand_out: impl FnMut(&[u8])) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    let mut pending = Pending::new();
    write_object(&mut out, &mut pending, arguments);
    while let Some((key, value)) = pending.pop() {
        if out.len() >= PART {
            hand_out(&out);
            out.clear();
        }
        if let Some(key) = key {
            write_text(&mut out, 5, key);
        }
        match value {
            Value::Null => out.push(0),
            Value::Bool(false) => out.push(1),
            Value::Bool(true) => out.push(2),
            Value::Number(number) => write_number(&mut out, number),
            Value::String(text) => write_text(&mut out, 5, text),
            Value::Array(values) => {
                write_count(&mut out, 6, values.len());
                pending.extend(values.iter().rev().map(|value| (None, value)));
            }
            Value::Object(object) => write_object(&mut out, &mut pending, object),
        }
    }
    out
}

fn write_object<'a>(out: &mut Vec<u8>, pending: &mut Pending<'a>, object: &'a Map<String, Value>) {
    write_count(out, 7, object.len());
    push_sorted(pending, object.iter());
}

/// By the UTF-8 bytes of the keys, the first on top; a `Map` has this order or that of the text, depending on a feature.
fn push_sorted<'a>(pending: &mut Pending<'a>, entries: impl Iterator<Item = (&'a String, &'a Value)>) {
    let start = pending.len();
    pending.extend(entries.map(|(key, value)| (Some(key.as_str()), value)));
    pending[start..].sort_unstable_by_key(|(key, _)| Reverse(*key));
}

fn write_number(out: &mut Vec<u8>, number: &Number) {
    let integer = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| number.as_f64().and_then(integral));
    match (integer, number.as_f64()) {
        (Some(integer), _) => {
            out.push(3);
            out.extend_from_slice(&integer.to_le_bytes());
        }
        (None, Some(float)) => {
            out.push(4);
            out.extend_from_slice(&float.to_bits().to_le_bytes());
        }
        // Larger than any f64, which only `serde_json/arbitrary_precision` lets through.
        (None, None) => write_text(out, 8, &number.to_string()),
    }
}

/// The integer that `float` is, if it is one.
fn integral(float: f64) -> Option<i128> {
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0; // 2^127
    let is_integral = float.fract() == 0.0 && float.abs() < LIMIT;
    #[expect(clippy::cast_possible_truncation, reason = "an integral f64 below 2^127 is an i128")]
    is_integral.then_some(float as i128)
}

fn write_text(out: &mut Vec<u8>, tag: u8, text: &str) {
    write_count(out, tag, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn write_count(out: &mut Vec<u8>, tag: u8, count: usize) {
    out.push(tag);
    out.extend_from_slice(&(count as u64).to_le_bytes());
}

#[test]
fn entries_are_sorted_by_their_keys() {
    let keys = ["b", "ä", "", "aa", "B", "a"].map(str::to_owned);
    let mut pending = vec![(None, &Value::Null)];
    push_sorted(&mut pending, keys.iter().map(|key| (key, &Value::Null)));
    let popped: Vec<Option<&str>> = pending.iter().rev().map(|(key, _)| *key).collect();
    assert_eq!(popped, [Some(""), Some("B"), Some("a"), Some("aa"), Some("b"), Some("ä"), None]);
}
