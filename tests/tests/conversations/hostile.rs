//! Messages from somebody who means harm: every request gets one reply with its id, no notification gets any, and
//! nothing panics.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use saga_runtime::{RequestFacts, Sagas};
use saga_tests::places::{self, FIELDS};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::conversation::{modern, plain};
use crate::prompts::with_prompts;
use crate::tools::{Gate, builder};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static SERVER: LazyLock<Sagas> =
    LazyLock::new(|| with_prompts(builder(Gate::default())).build().expect("a server"));
/// A state and a saga token that are good.
static TOKENS: LazyLock<(String, String)> = LazyLock::new(|| {
    let state = reply(modern(1, "tools/call", json!({ "name": "greet" })).to_string().as_bytes());
    let token = reply(plain(1, "tools/callSaga", json!({ "name": "greet" })).to_string().as_bytes());
    let text = |body: Option<Value>, field: &str| body.unwrap()["result"][field].as_str().unwrap().to_owned();
    (text(state, "requestState"), text(token, "sagaToken"))
});

/// States of a prompt and of a resource that are good.
static STATES: LazyLock<(String, String)> = LazyLock::new(|| {
    let state = |method: &str, params: Value| {
        let body = reply(modern(1, method, params).to_string().as_bytes()).unwrap();
        body["result"]["requestState"].as_str().unwrap().to_owned()
    };
    let prompt = json!({ "name": "plan_trip", "arguments": { "city": "Bern" } });
    (state("prompts/get", prompt), state("resources/read", json!({ "uri": "trip://7/plan" })))
});

fn reply(message: &[u8]) -> Option<Value> {
    RUNTIME.block_on(SERVER.handle(message, &RequestFacts::default())).body()
}

/// Checks the law for a message that is JSON.
fn check(message: &Value) -> Result<(), TestCaseError> {
    let body = reply(message.to_string().as_bytes());
    let is_notification = message.get("method").is_some_and(Value::is_string)
        && message.get("jsonrpc") == Some(&json!("2.0"))
        && message.get("id").is_none();
    if is_notification {
        prop_assert_eq!(body, None);
        return Ok(());
    }
    let body = body.ok_or_else(|| TestCaseError::fail("no reply"))?;
    prop_assert_eq!(&body["jsonrpc"], "2.0");
    prop_assert!(body.get("result").is_some() != body.get("error").is_some(), "{}", body);
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    match message.get("id").filter(|id| is_id(id)) {
        Some(id) if message.get("method").is_some() => prop_assert_eq!(body.get("id"), Some(id)),
        _ => prop_assert_eq!(body.get("id"), None),
    }
    Ok(())
}

fn any_json() -> impl Strategy<Value = Value> {
    let words = prop_oneof![
        Just("2.0".to_owned()),
        Just("accept".to_owned()),
        Just("greet".to_owned()),
        Just("sg1.".to_owned()),
        Just("plan_trip".to_owned()),
        Just("trip://7/plan".to_owned()),
        ".{0,8}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    let names = prop::sample::select(&FIELDS);
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

fn valid() -> impl Strategy<Value = Value> {
    let (state, token) = TOKENS.clone();
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    let steps = json!([{ "stepId": "user_name", "result": answer }]);
    let (prompt, resource) = STATES.clone();
    let stay = json!({ "stay": { "action": "accept", "content": { "nights": 2 } } });
    prop::sample::select(vec![
        modern(1, "server/discover", json!({})),
        modern("a", "tools/list", json!({})),
        modern("b", "resources/templates/list", json!({})),
        modern(
            8,
            "prompts/get",
            json!({ "name": "plan_trip", "arguments": { "city": "Bern", "budget": "9" } }),
        ),
        modern(
            9,
            "prompts/get",
            json!({ "name": "plan_trip", "arguments": { "city": "Bern" },
            "inputResponses": stay, "requestState": prompt }),
        ),
        modern(
            10,
            "resources/read",
            json!({ "uri": "trip://7/plan", "inputResponses": stay,
            "requestState": resource }),
        ),
        modern(2, "tools/call", json!({ "name": "deploy", "arguments": { "service": "web" } })),
        modern(3, "tools/call", json!({ "name": "greet", "inputResponses": { "user_name": answer } })),
        modern(
            4,
            "tools/call",
            json!({ "name": "greet", "inputResponses": { "user_name": answer }, "requestState": state }),
        ),
        plain(5, "tools/callSaga", json!({ "name": "complex_tool", "arguments": { "initial_arg": "a" } })),
        plain(6, "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": steps })),
        modern(7, "tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": steps })),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
    ])
}

#[derive(Debug, Clone)]
enum Harm {
    Replace(Value),
    Remove,
    Insert(String, Value),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        any_json().prop_map(Harm::Replace),
        Just(Harm::Remove),
        (".{0,6}", any_json()).prop_map(|(name, value)| Harm::Insert(name, value)),
    ]
}

fn mutate(message: &mut Value, place: Index, harm: Harm) {
    let found = places::of(message);
    let place = place.get(&found);
    match harm {
        Harm::Replace(value) => *message.pointer_mut(place).unwrap() = value,
        Harm::Remove => places::remove(message, place),
        Harm::Insert(name, value) => match message.pointer_mut(place) {
            Some(Value::Object(fields)) => drop(fields.insert(name, value)),
            Some(other) => *other = Value::Object(Map::from_iter([(name, value)])),
            None => {}
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(reply(&bytes).is_some());
    }

    #[test]
    fn any_message(message in any_json()) {
        check(&message)?;
    }

    #[test]
    fn valid_messages_with_harm_done(
        mut message in valid(),
        harms in prop::collection::vec((any::<Index>(), harm()), 1..4),
    ) {
        for (place, harm) in harms {
            mutate(&mut message, place, harm);
        }
        check(&message)?;
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = "[".repeat(100_000);
    assert_eq!(reply(deep.as_bytes()).unwrap()["error"]["code"], -32700);
    let deep =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}"#, "{\"a\":".repeat(5_000));
    assert_eq!(reply(deep.as_bytes()).unwrap()["error"]["code"], -32700);
}

#[test]
fn a_notification_gets_no_reply_whatever_it_says() {
    for params in [json!(null), json!(1), json!([1]), json!({ "requestId": {} })] {
        for method in ["notifications/cancelled", "tools/call", "tools/callSaga", ""] {
            let notification = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            assert_eq!(reply(notification.to_string().as_bytes()), None, "{notification}");
        }
    }
}

/// What reads the first of two and what reads the last would be told different things: a proxy that looks into
/// messages, and this server.
#[test]
fn a_field_that_is_there_twice_is_refused_under_the_requests_id() {
    let call =
        |params: &str| format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{params},"id":7}}"#);
    let messages = [
        call(r#"{"name":"greet","name":"plan_trip"}"#),
        call(r#"{"name":"greet","_meta":{"progressToken":1,"progressToken":2}}"#),
        r#"{"jsonrpc":"2.0","method":"ping","method":"tools/list","id":7}"#.to_owned(),
    ];
    for message in messages {
        let body = reply(message.as_bytes()).unwrap();
        assert_eq!((&body["id"], &body["error"]["code"]), (&json!(7), &json!(-32600)), "{message}");
    }
    let unknown = call(r#"{"x":1,"x":2}"#);
    assert_eq!(reply(unknown.as_bytes()).unwrap()["error"]["code"], -32602);
}
