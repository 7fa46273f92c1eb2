//! Every mistake with serde's attributes that TOKEN.md (7.2) measured, and what the author is told.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::held::Held;

/// What is wrong with a value as the local `order`.
#[track_caller]
fn refused<'s, T: Held<'s>>(value: &T) -> String {
    let refused = value.encode(Vec::new()).expect_err("the value is not sealed");
    refused.in_local("order").to_string()
}

#[track_caller]
fn asks<'s, T: Held<'s>>(value: &T, path: &str) {
    let text = refused(value);
    assert!(text.starts_with(&format!("`{path}` reads itself by asking what comes next")), "{text}");
}

#[track_caller]
fn sealed<'s, T: Held<'s>>(value: &T) {
    value.encode(Vec::new()).expect("the value is sealed");
}

#[derive(Serialize, Deserialize)]
struct Order<T> {
    id: u32,
    meta: T,
}

const fn order<T>(meta: T) -> Order<T> {
    Order { id: 7, meta }
}

#[test]
fn untagged() {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Meta {
        Count(u8),
    }
    asks(&order(Meta::Count(3)), "/order/meta");
    asks(&vec![Some(order(Meta::Count(3)))], "/order/*/meta");
}

#[test]
fn internally_tagged() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Meta {
        Count { count: u8 },
    }
    asks(&order(Meta::Count { count: 3 }), "/order/meta");
}

#[test]
fn adjacently_tagged() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "kind", content = "value")]
    enum Meta {
        Count(u8),
    }
    asks(&order(Meta::Count(3)), "/order/meta");
}

#[test]
fn flatten() {
    #[derive(Serialize, Deserialize)]
    struct Meta {
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    asks(&order(Meta { rest: BTreeMap::new() }), "/order/meta");
}

#[test]
fn json() {
    asks(&order(Value::from(3)), "/order/meta");
    asks(&Value::Null, "/order");
    asks(&BTreeMap::from([(1, (true, Value::Null))]), "/order/*/1");
}

/// The value at hand has no JSON in it, another one would.
#[test]
fn json_in_a_variant_that_is_not_there() {
    #[derive(Serialize, Deserialize)]
    enum Meta {
        Json { value: Value },
        Nothing,
    }
    asks(&order(Meta::Nothing), "/order/meta/Json/value");
}

#[test]
fn skip_serializing_if() {
    #[derive(Serialize, Deserialize)]
    struct Meta {
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<u8>,
    }
    sealed(&order(Meta { note: Some(1) }));
    let text = refused(&order(Meta { note: None }));
    assert!(text.starts_with("`/order/meta"), "{text}");
    assert!(text.contains("skip_serializing_if"), "{text}");
}

#[test]
fn skip_serializing() {
    #[derive(Serialize, Deserialize)]
    struct Meta {
        #[serde(skip_serializing)]
        #[expect(dead_code, reason = "skipped")]
        note: Option<u8>,
        count: u8,
    }
    let text = refused(&order(Meta { note: None, count: 0 }));
    assert!(text.starts_with("`/order/meta` is written with 1 fields and read with 2"), "{text}");
}

#[test]
fn one_field_is_written_and_another_read() {
    #[derive(Serialize, Deserialize)]
    struct Meta {
        #[serde(skip_serializing)]
        #[expect(dead_code, reason = "skipped")]
        old: u8,
        #[serde(skip_deserializing)]
        new: u8,
    }
    let text = refused(&order(Meta { old: 1, new: 2 }));
    assert!(text.starts_with("`/order/meta/old` is read where `new` is written"), "{text}");
}

#[test]
fn a_skipped_field() {
    #[derive(Serialize, Deserialize)]
    struct Meta {
        #[serde(skip)]
        #[expect(dead_code, reason = "skipped")]
        note: Option<u8>,
        count: u8,
    }
    sealed(&order(Meta { note: Some(1), count: 0 }));
}

/// The silent one: without the check `C` would be read as `D`, later and by any server.
#[test]
fn a_skipped_variant_in_the_middle() {
    #[derive(Serialize, Deserialize)]
    enum Meta {
        A,
        #[serde(skip)]
        #[expect(dead_code, reason = "skipped")]
        B,
        C,
        D,
    }
    sealed(&order(Meta::A));
    let text = refused(&order(Meta::C));
    assert!(text.starts_with("`/order/meta` has the variant `C`, which is read as `D`"), "{text}");
    let text = refused(&order(vec![HashMap::from([("x".to_owned(), Ok::<_, u8>(Meta::D))])]));
    assert!(text.starts_with("`/order/meta/*/*/Ok` has the variant `D`, which is never read"), "{text}");
}

#[test]
fn written_and_read_as_different_things() {
    #[derive(Deserialize)]
    struct Odd(#[expect(dead_code, reason = "never looked at")] u64);

    impl Serialize for Odd {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str("3")
        }
    }
    let text = refused(&Odd(3));
    assert!(
        text.starts_with("`/order` is not read back from what it wrote (1 bytes are left over)"),
        "{text}"
    );
}

#[test]
fn a_value_that_is_nested_too_deep() {
    #[derive(Serialize, Deserialize)]
    struct Chain(Vec<Chain>);
    let chain = |length| (0..length).fold(Chain(Vec::new()), |chain, _| Chain(vec![chain]));
    sealed(&chain(100));
    assert!(refused(&chain(10_000)).contains("nested more than 128 times"));
}

#[test]
fn values_of_many_kinds_are_sealed() {
    use std::num::NonZeroU8;
    use std::time::{Duration, SystemTime};

    sealed(&(1_u128, 'x', "borrowed", b"bytes".as_slice(), Some(Some(())), [1_i64; 30]));
    sealed(&(Duration::MAX, SystemTime::UNIX_EPOCH, NonZeroU8::MIN, std::path::PathBuf::from("/a")));
    sealed(&HashMap::from([(1, vec![2.5]), (2, vec![])]));
    sealed(&("::1".parse::<std::net::IpAddr>().expect("an address"), Err::<u8, _>(String::from("x"))));
    sealed(&std::borrow::Cow::Borrowed("x"));
}

#[test]
fn a_value_keeps_what_stands_before_it() {
    let bytes = 3_u8.encode(vec![1, 2]).expect("a byte is sealed");
    assert_eq!(bytes, [1, 2, 3]);
}

/// A type is known by the values that are made up of it, too.
#[test]
fn a_type_is_refused_before_there_is_a_value() {
    #[derive(Serialize, Deserialize)]
    struct Skips {
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<u8>,
    }
    #[derive(Serialize, Deserialize)]
    enum Middle {
        First,
        #[serde(skip)]
        #[expect(dead_code, reason = "it is skipped")]
        Second,
        Third,
    }
    #[derive(Serialize, Deserialize)]
    enum Fine {
        None,
        One(Option<u8>),
        Many { all: Vec<Fine>, more: BTreeMap<String, u8> },
    }
    let refused = |checked: Result<(), crate::held::Unsealable>| {
        checked.expect_err("the type is refused").in_local("order").to_string()
    };
    let skips = refused(<Order<Skips> as Held<'_>>::check());
    assert!(skips.starts_with("`/order/meta` is written with 0 fields and read with 1"), "{skips}");
    let middle = refused(<Order<Middle> as Held<'_>>::check());
    assert!(middle.starts_with("`/order/meta` has the variant `Third`"), "{middle}");
    let value = refused(<Order<Value> as Held<'_>>::check());
    assert!(value.starts_with("`/order/meta` reads itself"), "{value}");
    <Order<Fine> as Held<'_>>::check().expect("it is fine");
    crate::testing::assert_sealable::<Order<Fine>>();
    crate::testing::assert_sealable::<HashMap<String, std::time::Duration>>();
    crate::testing::assert_sealable::<std::path::PathBuf>();
}

/// A value that its type does not write does not occur: that is no reason to refuse the type.
#[test]
fn made_up_values_may_be_refused_by_their_type() {
    #[derive(Deserialize)]
    struct Even(u8);
    impl Serialize for Even {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 % 2 == 1 {
                return Err(serde::ser::Error::custom("odd"));
            }
            serializer.serialize_newtype_struct("Even", &self.0)
        }
    }
    crate::testing::assert_sealable::<(Even, Even)>();
}
