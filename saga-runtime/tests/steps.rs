//! What each step asks and how it reads the answer; a step travels in the state and asks the same there.

use std::cell::Cell;

use proptest::prelude::*;
use saga_runtime::step::sampling::{Block, IncludeContext, Message, Role, Tool, ToolChoice, ToolResult};
use saga_runtime::step::{Answer, Sampled, Step, StepKind};
use saga_runtime::{Form, Problem, StepError, elicit, elicit_url, list_roots, sample};
use serde_json::{Map, Value, json};

#[derive(Debug, Clone, PartialEq, Form)]
struct Confirm {
    yes: bool,
    note: Option<String>,
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("the test wrote {other}"),
    }
}

/// Reads the answer, once as it is and once after a journey in the state.
fn read<S: Step>(step: &S, answer: Value) -> Result<Result<S::Answer, StepError>, Vec<String>> {
    read_answer(step, &Answer::Result(object(answer)))
}

fn read_answer<S: Step>(step: &S, answer: &Answer) -> Result<Result<S::Answer, StepError>, Vec<String>> {
    travelled(step).read(answer).map_err(|problems| problems.iter().map(Problem::to_string).collect())
}

fn travelled<S: Step>(step: &S) -> S {
    let bytes = postcard::to_allocvec(step).unwrap();
    let (copy, rest) = postcard::take_from_bytes(&bytes).unwrap();
    assert!(rest.is_empty());
    copy
}

/// The request's params, the same before and after a journey in the state.
fn params<S: Step>(step: &S) -> Value {
    let copy = travelled(step);
    assert_eq!(copy.request(), step.request());
    assert_eq!((copy.key(), copy.attempts()), (step.key(), step.attempts()));
    Value::Object(step.request().params.to_json())
}

fn client_error() -> Answer {
    Answer::Error { code: -1, message: "no model".into(), data: Some(json!({"a": [1]})) }
}

#[test]
fn elicit_asks_with_the_schema_of_its_type() {
    let step = elicit::<Confirm>("Go on?").key("go").title("Deployment").attempts(2);
    let schema = json!({
        "type": "object",
        "title": "Deployment",
        "properties": {"yes": {"type": "boolean"}, "note": {"type": "string"}},
        "required": ["yes"],
    });
    assert_eq!(params(&step), json!({"mode": "form", "message": "Go on?", "requestedSchema": schema}));
    assert_eq!((Step::key(&step), Step::attempts(&step)), (Some("go"), Some(2)));
    assert_eq!((step.request().kind, step.request().method), (StepKind::Elicit, "elicitation/create"));
}

#[test]
fn elicit_reads_accept_decline_and_cancel() {
    let step = elicit::<Confirm>("Go on?");
    let confirm = Confirm { yes: true, note: None };
    assert_eq!(read(&step, json!({"action": "accept", "content": {"yes": true}})), Ok(Ok(confirm.clone())));
    assert_eq!(read(&step, json!({"action": "decline"})), Ok(Err(StepError::Declined)));
    assert_eq!(
        read(&step, json!({"action": "cancel", "content": {"yes": 1}})),
        Ok(Err(StepError::Cancelled))
    );
    let step = step.optional();
    assert_eq!(read(&step, json!({"action": "accept", "content": {"yes": true}})), Ok(Ok(Some(confirm))));
    assert_eq!(read(&step, json!({"action": "decline"})), Ok(Ok(None)));
    assert_eq!(read(&step, json!({"action": "cancel"})), Ok(Ok(None)));
}

#[test]
fn elicit_refuses_what_does_not_fit() {
    let step = elicit::<Confirm>("Go on?");
    let check = |answer: Value, expected: &str| {
        assert_eq!(read(&step, answer.clone()).unwrap_err(), [expected]);
        assert_eq!(read(&step.clone().optional(), answer).unwrap_err(), [expected]);
    };
    check(json!({"action": "accept"}), "an accepted form must have its `content`");
    check(json!({"action": "accept", "content": [1]}), "`content` must be an object");
    check(json!({"action": "accept", "content": {}}), "`yes` is missing");
    check(json!({"action": "perhaps"}), "`action` must be `accept`, `decline` or `cancel`");
    check(json!({"content": {"yes": true}}), "`action` must be `accept`, `decline` or `cancel`");
    check(json!({"action": 1}), "`action` must be `accept`, `decline` or `cancel`");
}

#[test]
fn elicit_fills_the_form_in_beforehand() {
    let step = elicit::<Confirm>("Go on?").default(Confirm { yes: true, note: Some("soon".into()) });
    let properties = json!({
        "yes": {"type": "boolean", "default": true},
        "note": {"type": "string", "default": "soon"},
    });
    assert_eq!(params(&step)["requestedSchema"]["properties"], properties);
    assert_eq!(params(&step)["requestedSchema"]["required"], json!(["yes"]));
    let answer = read(&step, json!({"action": "accept", "content": {}}));
    assert_eq!(answer, Ok(Ok(Confirm { yes: true, note: Some("soon".into()) })));
    let answer = read(&step, json!({"action": "accept", "content": {"yes": false, "note": null}}));
    assert_eq!(answer, Ok(Ok(Confirm { yes: false, note: None })));
}

#[test]
fn elicit_is_send_whatever_its_form_is() {
    struct Local(#[expect(dead_code, reason = "makes the form `!Send`")] Cell<*const u8>);

    impl Form for Local {
        fn schema() -> saga_runtime::form::FormSchema {
            saga_runtime::form::FormSchema::new()
        }
        fn read(_: &Map<String, Value>) -> Result<Self, Vec<Problem>> {
            Ok(Self(Cell::new(std::ptr::null())))
        }
        fn write(&self) -> Map<String, Value> {
            Map::new()
        }
    }

    fn is_send<T: Send + Sync>(_: &T) {}
    let step = elicit::<Local>("Go on?");
    is_send(&step);
    assert!(matches!(read(&step, json!({"action": "accept"})), Ok(Ok(Local(_)))));
}

#[test]
fn elicit_url_asks_for_a_page() {
    let step = elicit_url("Sign in.", "https://example.com/login").key("login").attempts(1);
    assert_eq!(
        params(&step),
        json!({"mode": "url", "message": "Sign in.", "url": "https://example.com/login"})
    );
    assert_eq!(step.request().kind, StepKind::ElicitUrl);
    assert_eq!(read(&step, json!({"action": "accept"})), Ok(Ok(())));
    assert_eq!(read(&step, json!({"action": "decline"})), Ok(Err(StepError::Declined)));
    assert_eq!(read(&step, json!({"action": "cancel"})), Ok(Err(StepError::Cancelled)));
    assert!(read(&step, json!({})).is_err());
}

#[test]
fn list_roots_reads_the_folders() {
    let step = list_roots().key("folders").attempts(1);
    assert_eq!(params(&step), json!({}));
    assert_eq!((step.request().method, step.request().kind), ("roots/list", StepKind::ListRoots));
    let answer = json!({"roots": [{"uri": "file:///a", "name": "A", "_meta": {}}, {"uri": "file:///b"}]});
    let roots = read(&step, answer).unwrap().unwrap();
    assert_eq!((&*roots[0].uri, roots[0].name.as_deref()), ("file:///a", Some("A")));
    assert_eq!((&*roots[1].uri, roots[1].name.as_deref()), ("file:///b", None));
    let bytes = postcard::to_allocvec(&roots).unwrap();
    assert_eq!(postcard::from_bytes::<Vec<saga_runtime::step::Root>>(&bytes).unwrap(), roots);
    let answer = json!({"roots": [{"uri": "nowhere"}, 1, {"uri": "file:///a", "name": 1}]});
    let expected = [
        "`roots[0]` must have an absolute `uri`",
        "`roots[1]` must have an absolute `uri`",
        "`roots[2]` must have a text as its `name`",
    ];
    assert_eq!(read(&step, answer).unwrap_err(), expected);
    assert_eq!(read(&step, json!({"roots": {}})).unwrap_err(), ["`roots` must be a list"]);
}

#[test]
fn sample_asks_with_little() {
    let expected = json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "Safe?"}}],
        "maxTokens": 1024,
    });
    assert_eq!(params(&sample("Safe?")), expected);
    assert_eq!(params(&sample(String::from("Safe?"))), expected);
    assert_eq!(params(&sample(vec![Message::user("Safe?")])), expected);
    assert_eq!(sample("Safe?").request().kind, StepKind::Sample);
}

#[test]
fn sample_asks_with_everything() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let image = Block::Image { data: "aGk=".into(), mime_type: "image/png".into() };
    let step = sample(Message::user("Weather?").and(image))
        .messages([Message::assistant("Where?"), Message::user("Bern")])
        .max_tokens(7)
        .system_prompt("Be brief.")
        .temperature(0.5)
        .stop_sequence("END")
        .model_hint("claude")
        .model_hint("gpt")
        .cost_priority(0.25)
        .speed_priority(2.0)
        .intelligence_priority(f64::NAN)
        .include_context(IncludeContext::None)
        .metadata(object(json!({"a": {"b": 1}})))
        .tool(
            Tool::new("weather", schema.clone()).description("The weather.").with("title", json!("Weather")),
        )
        .tools([Tool::new("time", schema.clone())])
        .tool_choice(ToolChoice::Required)
        .key("weather")
        .attempts(5);
    let expected = json!({
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Weather?"},
                {"type": "image", "data": "aGk=", "mimeType": "image/png"},
            ]},
            {"role": "assistant", "content": {"type": "text", "text": "Where?"}},
            {"role": "user", "content": {"type": "text", "text": "Bern"}},
        ],
        "maxTokens": 7,
        "systemPrompt": "Be brief.",
        "modelPreferences": {
            "hints": [{"name": "claude"}, {"name": "gpt"}], "costPriority": 0.25, "speedPriority": 1.0,
        },
        "temperature": 0.5,
        "stopSequences": ["END"],
        "includeContext": "none",
        "metadata": {"a": {"b": 1}},
        "tools": [
            {"name": "weather", "inputSchema": schema, "description": "The weather.", "title": "Weather"},
            {"name": "time", "inputSchema": schema},
        ],
        "toolChoice": {"mode": "required"},
    });
    assert_eq!(params(&step), expected);
    assert_eq!(step.request().kind, StepKind::SampleTools);
    assert_eq!((Step::key(&step), Step::attempts(&step)), (Some("weather"), Some(5)));
}

fn sampled(content: &Value) -> Sampled {
    let answer = json!({"role": "assistant", "model": "m", "stopReason": "endTurn", "content": content});
    let sampled = read(&sample("?"), answer).unwrap().unwrap();
    let bytes = postcard::to_allocvec(&sampled).unwrap();
    assert_eq!(postcard::from_bytes::<Sampled>(&bytes).unwrap(), sampled);
    sampled
}

#[test]
fn sample_reads_one_block_or_many() {
    let one = sampled(&json!({"type": "text", "text": "Yes"}));
    assert_eq!((one.text(), one.model(), one.stop_reason()), ("Yes".into(), "m", Some("endTurn")));
    assert_eq!(one.role(), Role::Assistant);
    let many = sampled(&json!([
        {"type": "text", "text": "Yes"},
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
        {"type": "thinking", "depth": [1, {"x": null}]},
        {"type": "text", "text": ", sir", "annotations": {}},
    ]));
    assert_eq!(many.text(), "Yes, sir");
    assert_eq!(many.content().len(), 4);
    assert!(matches!(&many.content()[2], Block::Other(block) if block["depth"][0] == 1));
    assert_eq!(sampled(&json!([])).text(), "");
}

#[test]
fn a_tool_loop_keeps_its_conversation() {
    let call = json!({"type": "tool_use", "id": "1", "name": "weather", "input": {"city": "Bern"}, "_meta": {"k": 1}});
    let turn = sampled(&json!([call]));
    let calls: Vec<&str> = turn.tool_uses().map(|call| &*call.name).collect();
    assert_eq!((calls, &turn.tool_uses().next().unwrap().input["city"]), (vec!["weather"], &json!("Bern")));
    let talk = vec![
        Message::user("Weather?"),
        turn.into(),
        Message::tool_results([
            ToolResult::text("1", "sunny").structured(json!([1])),
            ToolResult::error("2", "no"),
        ]),
    ];
    let bytes = postcard::to_allocvec(&talk).unwrap();
    assert_eq!(postcard::from_bytes::<Vec<Message>>(&bytes).unwrap(), talk);
    let expected = json!([
        {"role": "user", "content": {"type": "text", "text": "Weather?"}},
        {"role": "assistant", "content": call},
        {"role": "user", "content": [
            {"type": "tool_result", "toolUseId": "1", "content": [{"type": "text", "text": "sunny"}],
             "structuredContent": [1]},
            {"type": "tool_result", "toolUseId": "2", "content": [{"type": "text", "text": "no"}], "isError": true},
        ]},
    ]);
    assert_eq!(params(&sample(&talk))["messages"], expected);
    let results = sampled(&expected[2]["content"]);
    assert_eq!(results.content(), talk[2].content);
}

#[test]
fn sample_refuses_what_does_not_fit() {
    let check = |answer: Value, expected: &[&str]| {
        assert_eq!(read(&sample("?"), answer).unwrap_err(), expected);
    };
    check(
        json!({}),
        &["`role` must be `user` or `assistant`", "`model` must be a text", "`content` is missing"],
    );
    let content = |content: Value| json!({"role": "assistant", "model": "m", "content": content});
    check(content(json!("Yes")), &["`content` must be an object or a list"]);
    check(content(json!({"text": "Yes"})), &["`content` must have a text as its `type`"]);
    check(content(json!([{"type": "text"}])), &["`content[0]` must have a text as its `text`"]);
    check(
        content(json!([{"type": "text", "text": ""}, {"type": "tool_use", "id": "1", "name": "n"}])),
        &["`content[1]` must have an object as its `input`"],
    );
    let nested = json!({"type": "tool_result", "toolUseId": "1", "content": [{"type": "image", "data": ""}]});
    check(content(nested), &["`content.content[0]` must have a text as its `mimeType`"]);
    check(
        json!({"role": "assistant", "model": "m", "content": [], "stopReason": 1}),
        &["`stopReason` must be a text"],
    );
}

#[test]
fn a_clients_error_is_the_steps_error() {
    let error = StepError::Client { code: -1, message: "no model".into(), data: Some(json!({"a": [1]})) };
    assert_eq!(read_answer(&sample("?"), &client_error()), Ok(Err(error.clone())));
    assert_eq!(read_answer(&list_roots(), &client_error()), Ok(Err(error.clone())));
    assert_eq!(read_answer(&elicit_url("?", "a:b"), &client_error()), Ok(Err(error.clone())));
    assert_eq!(read_answer(&elicit::<Confirm>("?"), &client_error()), Ok(Err(error.clone())));
    assert_eq!(read_answer(&elicit::<Confirm>("?").optional(), &client_error()), Ok(Err(error.clone())));
    let bytes = postcard::to_allocvec(&error).unwrap();
    assert_eq!(postcard::from_bytes::<StepError>(&bytes).unwrap(), error);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![
            Just("accept"),
            Just("text"),
            Just("tool_use"),
            Just("tool_result"),
            Just("assistant"),
            Just("file:///a")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let names = prop_oneof![
            Just("action"),
            Just("content"),
            Just("role"),
            Just("model"),
            Just("type"),
            Just("text"),
            Just("id"),
            Just("name"),
            Just("input"),
            Just("toolUseId"),
            Just("uri"),
            Just("roots"),
            Just("yes")
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map(names.prop_map(String::from), inner, 0..6)
                .prop_map(|fields| fields.into_iter().collect::<Value>()),
        ]
    })
}

proptest! {
    #[test]
    fn reading_never_panics(answer in any_json()) {
        if let Value::Object(result) = answer {
            let answer = Answer::Result(result);
            let _ = elicit::<Confirm>("?").read(&answer);
            let _ = elicit_url("?", "a:b").read(&answer);
            let _ = list_roots().read(&answer);
            let _ = sample("?").read(&answer);
        }
    }
}
