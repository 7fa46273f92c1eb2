//! Edits to a tool while a saga waits: a token of the build before is sent to the build after. Each test is a row of
//! `docs/deploys.md`.

use std::sync::LazyLock;

use saga_runtime::host::{Arguments, Call, Outcome, Refusal};
use saga_runtime::step::Answer;
use saga_runtime::{Client, Form, KeyRing, Sagas, Tool};
use saga_tests::log::Log;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Form, Serialize, Deserialize, Debug)]
struct Confirm {
    yes: bool,
}

/// A build of the tool `moor`: the types that it holds, and the function.
macro_rules! build {
    ($name:ident: $($item:item)*) => {
        mod $name {
            #[allow(unused_imports, reason = "not every build needs all")]
            use super::{Confirm, Deserialize, Form, Serialize};
            use saga_runtime::{ToolError, elicit, saga_tool};
            $($item)*
        }
    };
}

build! { before:
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32) }
    /// Moors a ship.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, sure.yes))
    }
}

/// The tool before, with one part of it written anew.
macro_rules! edit {
    ($name:ident
        types { $($types:tt)* }
        tool { $($tool:tt)* }
    ) => {
        build! { $name: $($types)* #[doc = "Moors a ship."] #[saga_tool] $($tool)* }
    };
    ($name:ident types { $($types:tt)* }) => {
        edit! { $name types { $($types)* } tool {
            pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
                let ship = Ship { name: format!("ship {count}"), berth: Berth::Numbered(count.into()) };
                let sure: Confirm = elicit("Moor it?").await?;
                Ok(format!("{}: {}", ship.name, sure.yes && matches!(ship.berth, Berth::Numbered(_))))
            }
        } }
    };
    ($name:ident tool { $($tool:tt)* }) => {
        edit! { $name
            types {
                #[derive(Serialize, Deserialize)]
                struct Ship { name: String, berth: Berth }
                #[derive(Serialize, Deserialize)]
                enum Berth { Free, Numbered(u32) }
            }
            tool { $($tool)* }
        }
    };
}

edit! { elsewhere tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        // Other code before and after, another local that no question crosses, and a remark.
        let doubled = count.wrapping_mul(2);
        let ship = Ship { name: format!("vessel {doubled}"), berth: if doubled == 0 { Berth::Free } else { Berth::Numbered(1) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let at = match ship.berth { Berth::Numbered(number) => number + 100, Berth::Free => 0 };
        Ok(format!("now {} at {at}: {}", ship.name, sure.yes))
    }
} }

edit! { another_text tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Really?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, sure.yes))
    }
} }

edit! { more_questions tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let early: Confirm = elicit("Is it day?").await?;
        let ship = Ship { name: format!("ship {count} {}", early.yes), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let late: Confirm = elicit("And tie it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {} {}", ship.name, sure.yes, late.yes))
    }
} }

build! { moved:
    mod fleet {
        use super::{Deserialize, Serialize};
        #[derive(Serialize, Deserialize)]
        pub(super) struct Ship { pub(super) name: String, pub(super) berth: Berth }
        #[derive(Serialize, Deserialize)]
        pub(super) enum Berth { Free, Numbered(u32) }
    }
    use fleet::{Berth, Ship};
    /// Moors a ship.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, sure.yes))
    }
}

edit! { wider types {
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u64) }
    #[allow(dead_code, reason = "it is what the build before had")]
    const FREE: Berth = Berth::Free;
} }

edit! { renamed_field types {
    #[derive(Serialize, Deserialize)]
    struct Ship { #[serde(rename = "title")] name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32) }
    #[allow(dead_code, reason = "it is what the build before had")]
    const FREE: Berth = Berth::Free;
} }

edit! { swapped_fields types {
    #[derive(Serialize, Deserialize)]
    struct Ship { berth: Berth, name: String }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32) }
    #[allow(dead_code, reason = "it is what the build before had")]
    const FREE: Berth = Berth::Free;
} }

edit! { another_variant types {
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32), Taken }
    #[allow(dead_code, reason = "it is what the build before had")]
    const OTHERS: [Berth; 2] = [Berth::Free, Berth::Taken];
} }

edit! { renamed_local tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let vessel = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match vessel.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", vessel.name, sure.yes))
    }
} }

edit! { held_besides tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let length = ship.name.len();
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} ({length}) at {berth}: {}", ship.name, sure.yes))
    }
} }

edit! { renamed_question tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let certain: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, certain.yes))
    }
} }

edit! { renamed_question_with_key tool {
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let certain: Confirm = elicit("Moor it?").key("sure").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, certain.yes))
    }
} }

edit! { optional_parameter tool {
    pub(super) async fn moor(count: u32, side: Option<String>) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth} {side:?}: {}", ship.name, sure.yes))
    }
} }

edit! { required_parameter tool {
    pub(super) async fn moor(count: u32, side: String) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth} {side}: {}", ship.name, sure.yes))
    }
} }

build! { another_form:
    #[derive(Form, Serialize, Deserialize)]
    struct Measure { metres: i64 }
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32) }
    /// Moors a ship.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: if count == 0 { Berth::Free } else { Berth::Numbered(count) } };
        let sure: Measure = elicit("How long?").await?;
        let berth = match ship.berth { Berth::Numbered(number) => number, Berth::Free => 0 };
        Ok(format!("{} at {berth}: {}", ship.name, sure.metres))
    }
}

/// Calls a saga for each of these ships.
macro_rules! fleet {
    ($name:ident: $ships:expr) => {
        build! { $name:
            const SHIPS: &[&str] = &$ships;
            #[saga_runtime::saga]
            async fn inspect(ship: &str) -> Result<bool, ToolError> {
                let sure: Confirm = elicit(format!("Inspect {ship}?")).await?;
                Ok(sure.yes)
            }
            /// Moors ships.
            #[saga_tool]
            pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
                let fit = saga_runtime::join_all(SHIPS.iter().map(|ship| saga_runtime::call(inspect(ship)))).await?;
                Ok(format!("{count} {fit:?}"))
            }
        }
    };
}

fleet! { two_ships: ["ada", "bo"] }
fleet! { three_ships: ["ada", "bo", "cy"] }

/// The log of all tests.
static LOG: LazyLock<Log> = LazyLock::new(Log::of_all);

fn sagas<T: Tool<()> + 'static>(keys: &KeyRing) -> Sagas {
    Sagas::builder("harbour", "1").keys(keys.clone()).tool::<T>().build().expect("one tool and a key")
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

async fn call(sagas: &Sagas, token: Option<String>, content: &Value) -> Outcome {
    let client = Client::new(object(&json!({ "elicitation": {} })));
    let mut call = Call::new("test", "tools/call", Arguments::Sent(object(&json!({ "count": 7 }))), client);
    if token.is_some() && !content.is_null() {
        let answer = object(&json!({ "action": "accept", "content": content }));
        call.answers.insert("sure".to_owned(), Answer::Result(answer));
    }
    call.token = token;
    sagas.serve(sagas.tool("moor").expect("the tool"), call).await
}

/// What the build after makes of the answer to the question of the build before.
async fn deploy<After: Tool<()> + 'static>(content: Value) -> Outcome {
    deploy_over::<before::moor, After>(content).await
}

async fn deploy_over<Before: Tool<()> + 'static, After: Tool<()> + 'static>(content: Value) -> Outcome {
    LazyLock::force(&LOG);
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let Outcome::Suspended(waiting) = call(&sagas::<Before>(&keys), None, &Value::Null).await else {
        panic!("the build before asks")
    };
    call(&sagas::<After>(&keys), Some(waiting.token), &content).await
}

async fn goes_on<After: Tool<()> + 'static>(with: &str) {
    match deploy::<After>(json!({ "yes": true })).await {
        Outcome::Done(result) => assert_eq!((result.to_text().as_str(), result.is_error), (with, false)),
        other => panic!("{other:?}"),
    }
}

/// The client is told one text whatever changed; the log says what did.
async fn is_refused<After: Tool<()> + 'static>(reason: &str) {
    assert_refused(&deploy::<After>(json!({ "yes": true })).await, reason);
}

fn assert_refused(outcome: &Outcome, reason: &str) {
    assert!(matches!(outcome, Outcome::Refused(Refusal::State)), "{outcome:?}");
    let log = LOG.text();
    assert!(log.contains(reason), "{reason} in {log}");
}

#[tokio::test]
async fn nothing_changed() {
    goes_on::<before::moor>("ship 7 at 7: true").await;
}

#[tokio::test]
async fn code_elsewhere() {
    goes_on::<elsewhere::moor>("now ship 7 at 107: true").await;
}

#[tokio::test]
async fn a_type_moved() {
    goes_on::<moved::moor>("ship 7 at 7: true").await;
}

#[tokio::test]
async fn a_questions_text() {
    goes_on::<another_text::moor>("ship 7 at 7: true").await;
    // Asked again, it is the question that was asked.
    match deploy::<another_text::moor>(Value::Null).await {
        Outcome::Suspended(waiting) => {
            assert_eq!(waiting.asked[0].request.params.message(), Some("Moor it?"));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn questions_before_and_after() {
    match deploy::<more_questions::moor>(json!({ "yes": true })).await {
        Outcome::Suspended(waiting) => assert_eq!(waiting.asked[0].key, "late"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_question_renamed_that_keeps_its_key() {
    goes_on::<renamed_question_with_key::moor>("ship 7 at 7: true").await;
}

#[tokio::test]
async fn an_optional_parameter() {
    goes_on::<optional_parameter::moor>("ship 7 at 7 None: true").await;
}

#[tokio::test]
async fn a_required_parameter() {
    match deploy::<required_parameter::moor>(json!({ "yes": true })).await {
        Outcome::Done(result) => {
            assert!(result.is_error && result.to_text().contains("the arguments do not fit"), "{result:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_questions_form() {
    match deploy::<another_form::moor>(json!({ "yes": true })).await {
        Outcome::Suspended(waiting) => {
            assert!(!waiting.asked[0].problems.is_empty());
            let schema = waiting.asked[0].request.params.to_json()["requestedSchema"].to_string();
            assert!(schema.contains("metres"), "{schema}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_field_of_another_type() {
    is_refused::<wider::moor>("`ship`, held at `sure`, has a type of another encoding now").await;
}

#[tokio::test]
async fn a_field_renamed() {
    is_refused::<renamed_field::moor>("`ship`, held at `sure`").await;
}

#[tokio::test]
async fn fields_in_another_order() {
    is_refused::<swapped_fields::moor>("`ship`, held at `sure`").await;
}

#[tokio::test]
async fn a_variant_more() {
    is_refused::<another_variant::moor>("`ship`, held at `sure`").await;
}

#[tokio::test]
async fn a_held_local_renamed() {
    is_refused::<renamed_local::moor>("`vessel`, held at `sure`, stands where another local stood").await;
}

#[tokio::test]
async fn a_local_held_besides() {
    is_refused::<held_besides::moor>("`length`, held at `sure`, ").await;
}

#[tokio::test]
async fn a_question_renamed() {
    is_refused::<renamed_question::moor>("the tool has no question `sure` any more").await;
}

#[tokio::test]
async fn sagas_for_more_items() {
    let outcome = deploy_over::<two_ships::moor, three_ships::moor>(Value::Null).await;
    assert_refused(&outcome, "`fit` waits for 2 sagas, and calls 3 now");
}

/// The page and this file have the same rows.
#[test]
fn the_page_has_every_row() {
    let page = include_str!("../../docs/deploys.md");
    let tests = include_str!("deploys.rs");
    let mut rows: Vec<&str> = tests
        .split("#[tokio::test]\nasync fn ")
        .skip(1)
        .map(|test| test.split('(').next().expect("a name"))
        .collect();
    let mut named: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with('|') && line.ends_with("` |"))
        .filter_map(|line| line.rsplit('`').nth(1))
        .collect();
    rows.sort_unstable();
    named.sort_unstable();
    assert_eq!(rows, named);
}
