//! The canonical text of the types that tools hold.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroI64, NonZeroU8, NonZeroU32};
use std::ops::{Bound, Range};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer};

use super::{is_known, text};

macro_rules! texts {
    ($($name:ident: $type:ty => $text:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(text::<$type>(), $text);
        }
    )*};
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read by their shape only")]
struct Order<'a> {
    paid_at: u64,
    items: Vec<Item>,
    #[serde(borrow)]
    note: Option<&'a str>,
    state: State,
    #[serde(skip)]
    cache: u8,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
struct Item {
    name: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
enum State {
    Open,
    Sent(u32),
    Paid(Item, bool),
    Lost { reason: String },
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
struct Meters(f64);

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
#[serde(transparent)]
struct Plain(f64);

#[derive(Deserialize)]
struct Nothing;

#[derive(Deserialize)]
struct Wrap<T>(T, T);

texts! {
    a_number: u64 => "u64";
    a_pointer_sized_number: usize => "u64";
    a_wide_number: u128 => "u128";
    a_character: char => "char";
    a_text: String => "str";
    a_borrowed_text: &str => "str";
    borrowed_bytes: &[u8] => "bytes";
    a_cow: Cow<'_, str> => "str";
    a_path: PathBuf => "str";
    nothing: () => "()";
    a_unit_struct: Nothing => r#""Nothing""#;
    a_newtype: Meters => r#""Meters"(f64)"#;
    a_transparent_newtype: Plain => "f64";
    a_generic: Wrap<Wrap<u8>> => r#""Wrap"(2:"Wrap"(2:u8,u8),"Wrap"(2:u8,u8))"#;
    a_box: Box<Meters> => r#""Meters"(f64)"#;
    a_tuple: (u8, String) => "(u8,str)";
    an_array: [i16; 3] => "(i16,i16,i16)";
    no_elements: [i16; 0] => "()";
    an_option: Option<i8> => "?i8";
    options: Option<Option<u8>> => "??u8";
    a_list: Vec<(u8, char)> => "[(u8,char)]";
    a_queue: VecDeque<f32> => "[f32]";
    a_set: BTreeSet<u8> => "[u8]";
    a_hash_set: HashSet<String> => "[str]";
    a_map: BTreeMap<String, Vec<u8>> => "{str,[u8]}";
    a_hash_map: HashMap<u8, bool> => "{u8,bool}";
    not_zero: NonZeroU32 => "u32";
    not_zeros: (NonZeroU8, NonZeroI64, u8) => "(u8,i64,u8)";
    a_duration: Duration => r#""Duration"{"secs":u64,"nanos":u32}"#;
    a_time: SystemTime => r#""SystemTime"{"secs_since_epoch":u64,"nanos_since_epoch":u32}"#;
    a_range: Range<u8> => r#""Range"{"start":u8,"end":u8}"#;
    a_bound: Bound<u8> => r#"enum "Bound"<"Unbounded":"Unbounded","Included":"Included"(u8),"Excluded":"Excluded"(u8)>"#;
    a_result: Result<u8, String> => r#"enum "Result"<"Ok":"Ok"(u8),"Err":"Err"(str)>"#;
    an_order: Order<'_> => concat!(
        r#""Order"{"paidAt":u64,"items":["Item"{"name":str}],"note":?str,"#,
        r#""state":enum "State"<"Open":"Open","Sent":"Sent"(u32),"Paid":"Paid"(2:"Item"{"name":str},bool),"#,
        r#""Lost":"Lost"{"reason":str}>}"#,
    );
}

#[test]
fn addresses() {
    is_known::<(IpAddr, SocketAddr)>();
    let octets = |count| ["u8"; 16][..count].join(",");
    let text = text::<IpAddr>();
    assert_eq!(text, format!(r#"enum "IpAddr"<"V4":"V4"(({})),"V6":"V6"(({}))>"#, octets(4), octets(16)));
}

#[test]
fn what_steps_give() {
    is_known::<Result<crate::step::Sampled, crate::StepError>>();
    is_known::<Result<Vec<crate::step::Root>, crate::Problem>>();
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
struct Chain {
    next: Option<Box<Chain>>,
    value: u8,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
enum Sum {
    Add(Box<Sum>, Box<Sum>, u8),
    Value(i32),
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
#[serde(rename = "Sum")]
enum SumLast {
    Value(i32),
    Add(Box<SumLast>, Box<SumLast>, u8),
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
struct Even {
    odd: Odd,
    value: u8,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read by their shape only")]
enum Odd {
    More(Box<Even>, String),
    End,
}

texts! {
    a_chain: Chain => r#""Chain"{"next":?="","value":u8}"#;
    recursive_first: Sum => r#"enum "Sum"<"Add":"Add"(3:="",="",u8),"Value":"Value"(i32)>"#;
    recursive_last: SumLast => r#"enum "Sum"<"Value":"Value"(i32),"Add":"Add"(3:="",="",u8)>"#;
    mutual: Even => r#""Even"{"odd":enum "Odd"<"More":"More"(2:="",str),"End":"End">,"value":u8}"#;
    recursive_below: (u8, Vec<Sum>) => r#"(u8,[enum "Sum"<"Add":"Add"(3:="/1/*",="/1/*",u8),"Value":"Value"(i32)>])"#;
}

/// Refuses what does not fit, after it was read.
macro_rules! validating {
    ($($name:ident $from:ty: |$value:ident| $fits:expr;)*) => {$(
        struct $name;

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let $value = <$from>::deserialize(deserializer)?;
                if $fits { Ok(Self) } else { Err(serde::de::Error::custom("does not fit")) }
            }
        }
    )*};
}

validating! {
    Date String: |text| text.len() == 20 && text.ends_with('Z');
    Email String: |text| text.contains('@');
    Id &'de [u8]: |bytes| bytes.len() == 16;
    NotEmpty Vec<u8>: |items| !items.is_empty();
    Empty Vec<u8>: |items| items.is_empty();
    Rising (u8, u8): |pair| pair.0 < pair.1;
    Falling (u8, u8): |pair| pair.0 > pair.1;
    Present Option<u8>: |option| option.is_some();
    Absent Option<u8>: |option| option.is_none();
}

texts! {
    validated: (Date, Email, Id, NotEmpty, Empty, Rising, Falling, Present, Absent, bool) =>
        "(str,str,bytes,[u8],[u8],(u8,u8),(u8,u8),?u8,?u8,bool)";
    validated_in_a_list: Vec<(Date, Option<(Rising, State)>)> => concat!(
        r#"[(str,?((u8,u8),enum "State"<"Open":"Open","Sent":"Sent"(u32),"#,
        r#""Paid":"Paid"(2:"Item"{"name":str},bool),"Lost":"Lost"{"reason":str}>))]"#,
    );
}
