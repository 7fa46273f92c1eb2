//! A token of one build of a tool, sent to another build of it: it opens where the site and what it holds are the
//! same, and is refused where they are not.

use saga_runtime::host::{Arguments, Call, Outcome, Refusal};
use saga_runtime::step::Answer;
use saga_runtime::{Client, Form, KeyRing, Sagas, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

#[derive(Form, Serialize, Deserialize, Debug)]
struct Confirm {
    yes: bool,
}

/// The build that the tokens are from.
mod first {
    use super::Confirm;
    use saga_runtime::{ToolError, elicit, saga_tool};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Ship {
        name: String,
        berth: Berth,
    }

    #[derive(Serialize, Deserialize)]
    enum Berth {
        Free,
        Numbered(u32),
    }

    /// Moors the fleet.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: Berth::Numbered(count) };
        let spare = Berth::Free;
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match (ship.berth, spare) {
            (Berth::Numbered(number), Berth::Free) => number,
            (Berth::Free | Berth::Numbered(_), _) => 0,
        };
        Ok(format!("first: {} at {berth}, {}", ship.name, sure.yes))
    }
}

/// Another build, from items in which the first one's types are written out again.
macro_rules! build {
    ($(#[$meta:meta])* $name:ident: $($item:item)*) => {
        $(#[$meta])*
        mod $name {
            use super::Confirm;
            use saga_runtime::{ToolError, elicit, saga_tool};
            $($item)*
        }
    };
}

build! {
    /// Reformatted, its types in a module of their own, with another local that no question crosses, another text,
    /// and one more question after the first.
    elsewhere:
    mod fleet {
        use serde::{Deserialize, Serialize};
        #[derive(Serialize, Deserialize)]
        pub(super) enum Berth { Free, Numbered(u32) }
        #[derive(Serialize, Deserialize)]
        pub(super) struct Ship { pub(super) name: String, pub(super) berth: Berth }
    }
    use fleet::{Berth, Ship};
    /// Moors the fleet, after asking twice.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let doubled = count * 2;
        let ship = Ship { name: format!("vessel {doubled}"), berth: Berth::Numbered(doubled) };
        let spare = Berth::Free;
        let sure: Confirm = elicit("Moor it, really?").await?;
        let berth = match (&ship.berth, spare) {
            (Berth::Numbered(number), Berth::Free) => *number,
            (Berth::Free | Berth::Numbered(_), _) => 0,
        };
        let again: Confirm = elicit("And the next one?").await?;
        Ok(format!("elsewhere: {} at {berth}, {} {}", ship.name, sure.yes, again.yes))
    }
}

build! {
    /// A number inside a variant inside a struct is wider.
    wider:
    use serde::{Deserialize, Serialize};
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u64) }
    /// Moors the fleet.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: Berth::Numbered(count.into()) };
        let spare = Berth::Free;
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match (ship.berth, spare) {
            (Berth::Numbered(number), Berth::Free) => number,
            (Berth::Free | Berth::Numbered(_), _) => 0,
        };
        Ok(format!("wider: {} at {berth}, {}", ship.name, sure.yes))
    }
}

build! {
    /// The same types, one local with another name.
    renamed:
    use serde::{Deserialize, Serialize};
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Free, Numbered(u32) }
    /// Moors the fleet.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let vessel = Ship { name: format!("ship {count}"), berth: Berth::Numbered(count) };
        let spare = Berth::Free;
        let sure: Confirm = elicit("Moor it?").await?;
        let berth = match (vessel.berth, spare) {
            (Berth::Numbered(number), Berth::Free) => number,
            (Berth::Free | Berth::Numbered(_), _) => 0,
        };
        Ok(format!("renamed: {} at {berth}, {}", vessel.name, sure.yes))
    }
}

build! {
    /// One local less is held.
    fewer:
    use serde::{Deserialize, Serialize};
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String, berth: Berth }
    #[derive(Serialize, Deserialize)]
    enum Berth { Numbered(u32) }
    /// Moors the fleet.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}"), berth: Berth::Numbered(count) };
        let sure: Confirm = elicit("Moor it?").await?;
        let Berth::Numbered(berth) = ship.berth;
        Ok(format!("fewer: {} at {berth}, {}", ship.name, sure.yes))
    }
}

build! {
    /// The question is gone; there is another one.
    removed:
    use serde::{Deserialize, Serialize};
    #[derive(Serialize, Deserialize)]
    struct Ship { name: String }
    /// Moors the fleet.
    #[saga_tool]
    pub(super) async fn moor(count: u32) -> Result<String, ToolError> {
        let ship = Ship { name: format!("ship {count}") };
        let berth: Confirm = elicit("Berth it?").await?;
        Ok(format!("removed: {}, {}", ship.name, berth.yes))
    }
}

const TOOL: &str = "moor";

fn sagas<T: Tool<()> + 'static>(keys: &KeyRing) -> Sagas {
    Sagas::builder("harbour", "1").keys(keys.clone()).tool::<T>().build().expect("one tool and a key")
}

fn object(value: &serde_json::Value) -> Map<String, serde_json::Value> {
    value.as_object().cloned().expect("an object")
}

async fn call(sagas: &Sagas, token: Option<String>) -> Outcome {
    let client = Client::new(object(&json!({ "elicitation": {} })));
    let mut call = Call::new("test", "tools/call", Arguments::Sent(object(&json!({ "count": 7 }))), client);
    if token.is_some() {
        let answer = object(&json!({ "action": "accept", "content": { "yes": true } }));
        call.answers.insert("sure".to_owned(), Answer::Result(answer));
    }
    call.token = token;
    sagas.serve(sagas.tool(TOOL).expect("the tool"), call).await
}

/// What the second build makes of a token of the first.
async fn deploy<First: Tool<()> + 'static, Second: Tool<()> + 'static>() -> Outcome {
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let Outcome::Suspended(waiting) = call(&sagas::<First>(&keys), None).await else {
        panic!("the first build asks")
    };
    call(&sagas::<Second>(&keys), Some(waiting.token)).await
}

/// The error text is the frozen one of the dialect: the host says no more than this.
#[track_caller]
fn is_refused(outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Refused(Refusal::State)), "{outcome:?}");
}

#[tokio::test]
async fn the_same_build_goes_on() {
    match deploy::<first::moor, first::moor>().await {
        Outcome::Done(result) => assert_eq!(result.to_text(), "first: ship 7 at 7, true"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_edit_elsewhere_still_opens() {
    match deploy::<first::moor, elsewhere::moor>().await {
        Outcome::Suspended(waiting) => assert_eq!(waiting.asked[0].key, "again"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_changed_struct_is_refused() {
    is_refused(&deploy::<first::moor, wider::moor>().await);
    is_refused(&deploy::<wider::moor, first::moor>().await);
}

#[tokio::test]
async fn a_renamed_local_is_refused() {
    is_refused(&deploy::<first::moor, renamed::moor>().await);
}

#[tokio::test]
async fn a_local_that_is_gone_or_new_is_refused() {
    is_refused(&deploy::<first::moor, fewer::moor>().await);
    is_refused(&deploy::<fewer::moor, first::moor>().await);
}

#[tokio::test]
async fn a_removed_question_is_refused() {
    is_refused(&deploy::<first::moor, removed::moor>().await);
}

/// Values that no state could be read back from: their server is not built, and names them; what it cannot see fails
/// where it is held, before anything is asked.
mod unsealable {
    use super::{Arguments, Call, Client, Confirm, Map, Outcome, json, object};
    use saga_runtime::{BuildError, Sagas, ToolError, call, elicit, saga, saga_tool};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Order {
        meta: serde_json::Value,
    }

    /// Holds JSON, after a while, in some loop.
    #[saga_tool]
    async fn hold(
        count: u8,
        names: Vec<String>,
        #[context] calls: &std::sync::Mutex<u32>,
    ) -> Result<String, ToolError> {
        *calls.lock().expect("no panic") += 1;
        let first: Confirm = elicit("Begin?").await?;
        let order = Order { meta: json!(count) };
        for name in &names {
            let sure: Confirm = elicit(format!("Go on with {name}?")).key("sure").await?;
            if sure.yes == first.yes {
                return Ok(order.meta.to_string());
            }
        }
        Ok(String::new())
    }

    /// None of the tool's code runs, and it has no arguments.
    #[tokio::test]
    async fn a_server_is_not_built() {
        let calls = std::sync::Mutex::new(0);
        let error =
            Sagas::builder("shop", "1").context(calls).tool::<hold>().build().expect_err("it holds JSON");
        assert!(matches!(error, BuildError::Unsealable { tool: "hold", .. }), "{error:?}");
        let text = error.to_string();
        assert!(
            text.starts_with("`hold` cannot wait at `sure`: `/order/meta` reads itself by asking"),
            "{text}"
        );
    }

    /// As MCP's arguments often are: one of several kinds, which its tag says.
    #[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Message {
        Text { from: String, parts: Vec<Message> },
        Leave,
    }

    /// Its argument is of such a type, and so is what it holds of it.
    #[saga_tool]
    async fn reply(messages: Vec<Message>, first: Message) -> Result<String, ToolError> {
        let last = messages.last().cloned().unwrap_or(first);
        let sure: Confirm = elicit("Reply?").key("sure").await?;
        Ok(format!("{last:?} {}", sure.yes))
    }

    #[test]
    fn a_server_is_not_built_whose_arguments_are_of_such_a_type() {
        let error = Sagas::builder("chat", "1").tool::<reply>().build().expect_err("it holds a message");
        let text = error.to_string();
        assert!(text.starts_with("`reply` cannot wait at `sure`: `/last` reads itself by asking"), "{text}");
    }

    #[derive(Serialize, Deserialize)]
    struct Parcel {
        weight: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }

    /// What it holds is read as it was written, this time.
    #[saga_tool]
    async fn parcel() -> Result<String, ToolError> {
        let parcel = Parcel { weight: 3, note: Some("fragile".to_owned()) };
        let sure: Confirm = elicit("Send it?").await?;
        Ok(format!("{} {:?} {}", parcel.weight, parcel.note, sure.yes))
    }

    #[tokio::test]
    async fn a_server_is_not_built_for_what_may_be_misread() {
        let error = Sagas::builder("shop", "1").tool::<parcel>().build().expect_err("a note may be left out");
        let text = error.to_string();
        assert!(
            text.starts_with("`parcel` cannot wait at `sure`: `/parcel` is written with 1 fields and read"),
            "{text}"
        );
    }

    /// Arguments whose values nobody can make up.
    #[derive(Deserialize, schemars::JsonSchema)]
    #[serde(try_from = "String")]
    struct Odd(String);

    impl TryFrom<String> for Odd {
        type Error = &'static str;

        fn try_from(text: String) -> Result<Self, Self::Error> {
            if text == "only this will do" { Ok(Self(text)) } else { Err("odd") }
        }
    }

    /// Nothing is found before it holds something.
    #[saga_tool]
    async fn odd(odd: Odd) -> Result<String, ToolError> {
        let order = Order { meta: json!(odd.0) };
        let sure: Confirm = elicit("Go on?").await?;
        Ok(format!("{} {}", order.meta, sure.yes))
    }

    #[saga]
    async fn inner() -> Result<String, ToolError> {
        let order = Order { meta: json!(3) };
        let sure: Confirm = elicit("Go on?").await?;
        Ok(format!("{} {}", order.meta, sure.yes))
    }

    /// A saga that it calls holds JSON.
    #[saga_tool]
    async fn outer() -> Result<String, ToolError> {
        call(inner()).await
    }

    #[tokio::test]
    async fn fails_at_the_suspension() {
        let sagas =
            Sagas::builder("shop", "1").tool::<odd>().tool::<outer>().build().expect("nothing is seen");
        let client = Client::new(object(&json!({ "elicitation": {} })));
        let arguments = object(&json!({ "odd": "only this will do" }));
        let call = Call::new("test", "tools/call", Arguments::Sent(arguments), client);
        for tool in ["odd", "outer"] {
            match sagas.serve(sagas.tool(tool).expect("the tool"), call.clone()).await {
                // The client reads a reference, the log the path.
                Outcome::Done(result) => assert!(result.is_error, "{}", result.to_text()),
                other => panic!("{other:?}"),
            }
        }
    }

    #[tokio::test]
    async fn says_which_part() {
        let outcome =
            saga_runtime::script::Script::default().tortured::<outer, ()>(&Map::new(), &(), |_| {}).await;
        let text = outcome.text();
        assert!(text.contains("`/order/meta` reads itself by asking what comes next"), "{text}");
        assert!(text.contains(r#"local: "order""#), "{text}");
    }

    /// Holds JSON as JSON.
    #[saga_tool]
    async fn carry() -> Result<String, ToolError> {
        let order = saga_runtime::Json(json!({ "items": [1, null] }));
        let sure: Confirm = elicit("Go on?").await?;
        Ok(format!("{} {}", order.0, sure.yes))
    }

    #[tokio::test]
    async fn goes_on_with_json_that_is_said_to_be() {
        let sagas = Sagas::builder("shop", "1").tool::<carry>().build().expect("one tool");
        let client = Client::new(object(&json!({ "elicitation": {} })));
        let call = Call::new("test", "tools/call", Arguments::Sent(Map::new()), client);
        let tool = sagas.tool("carry").expect("the tool");
        let Outcome::Suspended(waiting) = sagas.serve(tool, call.clone()).await else { panic!("it asks") };
        let answer = json!({ "action": "accept", "content": { "yes": true } });
        let mut call = call;
        call.token = Some(waiting.token);
        call.answers.insert("sure".to_owned(), saga_runtime::step::Answer::Result(object(&answer)));
        match sagas.serve(tool, call).await {
            Outcome::Done(result) => assert_eq!(result.to_text(), r#"{"items":[1,null]} true"#),
            other => panic!("{other:?}"),
        }
    }
}
