//! The digest follows the meaning of arguments, not their spelling: P5.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::arguments_digest;

fn digest(text: &str) -> [u8; 32] {
    arguments_digest(&serde_json::from_str::<Map<String, Value>>(text).expect("an object"))
}

#[track_caller]
fn same(one: &str, other: &str) {
    assert_eq!(digest(one), digest(other), "{one} and {other}");
}

#[test]
fn spelling_makes_no_difference() {
    same(r#"{"a":1,"b":2}"#, r#"{ "b" : 2, "a" : 1 }"#);
    same(r#"{"a":{"x":1,"y":[{"p":1,"q":2}]}}"#, r#"{"a":{"y":[{"q":2,"p":1}],"x":1}}"#);
    same(r#"{"a":"web\/é"}"#, r#"{"a":"w\u0065b/\u00e9"}"#);
    same(r#"{"a":1}"#, r#"{"a":1.0}"#);
    same(r#"{"a":100}"#, r#"{"a":1e2}"#);
    same(r#"{"a":0}"#, r#"{"a":-0.0}"#);
    same(r#"{"a":0}"#, r#"{"a":-0}"#);
    same(r#"{"a":-5}"#, r#"{"a":-5.0}"#);
    same(r#"{"a":1e20}"#, r#"{"a":100000000000000000000}"#);
    same(r#"{"a":0.1}"#, r#"{"a":1e-1}"#);
    same(r#"{"a":1,"a":2}"#, r#"{"a":2}"#);
}

/// Values of which no two mean the same.
#[test]
fn meaning_makes_a_difference() {
    let values = [
        r"{}",
        r#"{"a":null}"#,
        r#"{"a":false}"#,
        r#"{"a":true}"#,
        r#"{"a":0}"#,
        r#"{"a":1}"#,
        r#"{"a":-1}"#,
        r#"{"a":1.5}"#,
        r#"{"a":-1.5}"#,
        r#"{"a":"1"}"#,
        r#"{"a":"true"}"#,
        r#"{"a":"null"}"#,
        r#"{"a":""}"#,
        r#"{"a":[]}"#,
        r#"{"a":{}}"#,
        r#"{"a":[1]}"#,
        r#"{"a":[1,2]}"#,
        r#"{"a":[2,1]}"#,
        r#"{"a":[[1],2]}"#,
        r#"{"a":[[1,2]]}"#,
        r#"{"a":{"b":1}}"#,
        r#"{"a":["b",1]}"#,
        r#"{"A":1}"#,
        r#"{"a":1,"b":2}"#,
        r#"{"a":2,"b":1}"#,
        r#"{"ab":"c"}"#,
        r#"{"a":"bc"}"#,
        r#"{"a":"\u00e9"}"#,
        r#"{"a":"e\u0301"}"#,
        r#"{"a":18446744073709551615}"#,
        r#"{"a":18446744073709551616}"#,
        r#"{"a":-9223372036854775808}"#,
        r#"{"a":9007199254740993}"#,
        r#"{"a":9007199254740992}"#,
        r#"{"a":1e300}"#,
        r#"{"a":5e-324}"#,
    ];
    let digests: std::collections::HashMap<_, _> = values.iter().map(|text| (digest(text), text)).collect();
    assert_eq!(digests.len(), values.len());
}

/// The digest is part of the token's format: another encoding would refuse all tokens under way.
#[test]
fn the_bytes_are_pinned() {
    let hex = |digest: [u8; 32]| blake3::Hash::from(digest).to_hex().to_string();
    assert_eq!(hex(digest("{}")), hex(blake3::hash(&[7, 0, 0, 0, 0, 0, 0, 0, 0]).into()));
    let mut one = vec![7, 1, 0, 0, 0, 0, 0, 0, 0]; // an object of one entry
    one.extend([5, 1, 0, 0, 0, 0, 0, 0, 0, b'a']); // the key
    one.push(3); // an integer
    one.extend(7_i128.to_le_bytes());
    assert_eq!(hex(digest(r#"{"a":7}"#)), hex(blake3::hash(&one).into()));
}

#[test]
fn deep_arguments_do_not_overflow_the_stack() {
    let mut deep = json!(1);
    for _ in 0..100_000 {
        deep = Value::Array(vec![deep]);
    }
    let mut arguments = Map::new();
    arguments.insert("deep".to_owned(), deep);
    let deep = arguments_digest(&arguments);
    assert_ne!(deep, digest("{}"));
    // Dropping it would overflow, but that is not ours.
    std::mem::forget(arguments);
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(".{0,4}", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn a_round_through_text_makes_no_difference(values in prop::collection::hash_map(".{0,4}", value(), 0..4)) {
        let arguments: Map<String, Value> = values.into_iter().collect();
        let text = serde_json::to_string_pretty(&arguments).expect("text");
        prop_assert_eq!(arguments_digest(&arguments), digest(&text));
    }
}
