//! Prompts and resources, those that ask and those that do not.

use expect_test::expect_file;
use saga_runtime::{
    Builder, Content, Dialect, Form, IntoMessages, Json, Principal, PromptMessage, ResourceContents, Saga,
    Sagas, StepError, ToolError, elicit, saga_prompt, saga_resource,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::conversation::{Conversation, modern, modern_with, plain};
use crate::pipe::Pipe;

#[derive(Form, Serialize, Deserialize, Debug)]
struct Stay {
    nights: u8,
}

/// Plans a trip.
#[saga_prompt(title = "Plan a trip")]
async fn plan_trip(
    /// Where to.
    city: String,
    /// In whole units.
    budget: Option<u32>,
) -> Result<Vec<PromptMessage>, StepError> {
    let stay: Stay = elicit(format!("How long in {city}?")).await?;
    let budget = budget.map_or("any price".to_owned(), |budget| format!("at most {budget}"));
    Ok(vec![
        PromptMessage::user(format!("Plan {} nights in {city} for {budget}.", stay.nights)),
        PromptMessage::assistant(Content::image([1, 2, 3], "image/png")),
    ])
}

#[saga_prompt(name = "hello")]
async fn hello_prompt() -> &'static str {
    "Say hello."
}

#[saga_prompt]
async fn broken() -> Result<String, std::fmt::Error> {
    Err(std::fmt::Error)
}

/// What one may do.
#[saga_resource(uri = "trip://rules", title = "Rules", mime_type = "text/plain", cache = "5m")]
async fn rules() -> String {
    "No smoking.".to_owned()
}

/// A trip's plan.
#[saga_resource(
    uri = "trip://{id}/plan",
    mime_type = "text/markdown",
    cache = "5m",
    annotations(audience = ["user"], priority = 0.5)
)]
async fn plan(id: u64, #[context] saga: &Saga) -> Result<Vec<ResourceContents>, ToolError> {
    let stay: Stay = elicit(format!("Trip {id}: how many nights?")).await?;
    let days = (1..=stay.nights).map(|day| {
        let text = ResourceContents::text(format!("Day {day} of trip {id}, round {}", saga.round()));
        text.uri(format!("trip://{id}/plan/{day}"))
    });
    Ok(days.collect())
}

#[saga_resource(uri = "trip://rules/{+path}")]
async fn file(path: String) -> Result<Vec<u8>, ToolError> {
    if path.starts_with("secret/") { Err(ToolError::new("that is a secret")) } else { Ok(path.into_bytes()) }
}

#[saga_resource(uri = "trip://prices")]
async fn prices() -> Json<Vec<u8>> {
    Json(vec![1, 2])
}

fn builder() -> Builder<()> {
    with_prompts(Sagas::builder("Trips", "1.0.0"))
}

/// The server with all prompts and resources.
pub(crate) fn with_prompts<C: Send + Sync + 'static>(server: Builder<C>) -> Builder<C> {
    server
        .prompt::<plan_trip>()
        .prompt::<hello_prompt>()
        .prompt::<broken>()
        .resource::<file>()
        .resource::<plan>()
        .resource::<rules>()
        .resource::<prices>()
}

fn server() -> Sagas {
    builder().build().expect("a server")
}

fn nights(key: &str, nights: u8) -> Value {
    json!({ key: { "action": "accept", "content": { "nights": nights } } })
}

fn with(params: Value, more: Value) -> Value {
    let mut params = params;
    params.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    params
}

#[tokio::test]
async fn what_a_server_has() {
    let mut talk = Conversation::with(server());
    talk.ask(modern(1, "server/discover", json!({}))).await;
    talk.ask(modern(2, "prompts/list", json!({}))).await;
    talk.ask(modern(3, "resources/list", json!({}))).await;
    talk.ask(modern(4, "resources/templates/list", json!({}))).await;
    talk.ask(modern(5, "tools/list", json!({}))).await;
    expect_file!["transcripts/mrtr/prompts_discovery.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_prompt_that_asks() {
    let mut talk = Conversation::with(server());
    let get = |id: u32, more: Value| {
        let params = json!({ "name": "plan_trip", "arguments": { "city": "Bern", "budget": "900" } });
        modern(id, "prompts/get", with(params, more))
    };
    talk.ask(get(1, json!({}))).await;
    talk.ask(get(2, json!({ "requestState": "<state 1>" }))).await;
    let answers = nights("stay", 3);
    talk.ask(get(3, json!({ "requestState": "<state 1>", "inputResponses": answers }))).await;
    // The answer may be no.
    let declined = json!({ "stay": { "action": "decline" } });
    talk.ask(get(4, json!({ "requestState": "<state 1>", "inputResponses": declined }))).await;
    talk.ask(modern(5, "prompts/get", json!({ "name": "hello" }))).await;
    expect_file!["transcripts/mrtr/prompts_get.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn a_resource_that_asks() {
    let mut talk = Conversation::with(server());
    let read =
        |id: u32, uri: &str, more: Value| modern(id, "resources/read", with(json!({ "uri": uri }), more));
    talk.ask(read(1, "trip://7/plan", json!({}))).await;
    let answers = json!({ "requestState": "<state 1>", "inputResponses": nights("stay", 2) });
    talk.ask(read(2, "trip://7/plan", answers.clone())).await;
    // An answer that came with the first request must not be kept either.
    talk.ask(read(3, "trip://7/plan", json!({ "inputResponses": nights("stay", 1) }))).await;
    talk.ask(read(4, "trip://rules", json!({}))).await;
    talk.ask(read(5, "trip://rules/a/b%20c", json!({}))).await;
    talk.ask(read(6, "trip://prices", json!({}))).await;
    // The state is good for one address.
    talk.ask(read(7, "trip://8/plan", answers)).await;
    expect_file!["transcripts/mrtr/resources_read.txt"].assert_eq(talk.transcript());
}

#[tokio::test]
async fn every_error() {
    let mut talk = Conversation::with(server());
    let get = |id: u32, params: Value| modern(id, "prompts/get", params);
    let read = |id: u32, params: Value| modern(id, "resources/read", params);
    talk.ask(get(1, json!({}))).await;
    talk.ask(get(2, json!({ "name": "nothing" }))).await;
    talk.ask(get(3, json!({ "name": "plan_trip" }))).await;
    talk.ask(get(4, json!({ "name": "plan_trip", "arguments": { "city": 1 } }))).await;
    talk.ask(get(5, json!({ "name": "plan_trip", "arguments": { "city": "Bern", "budget": "much" } }))).await;
    talk.ask(get(6, json!({ "name": "broken" }))).await;
    talk.ask(read(7, json!({}))).await;
    talk.ask(read(8, json!({ "uri": "trip://" }))).await;
    talk.ask(read(9, json!({ "uri": "trip://seven/plan" }))).await;
    talk.ask(read(10, json!({ "uri": "trip://rules/secret/1" }))).await;
    talk.ask(modern_with(json!({}), 11, "resources/read", json!({ "uri": "trip://7/plan" }))).await;
    talk.ask(modern(12, "resources/list", json!({ "cursor": "next" }))).await;
    talk.ask(modern(13, "tools/call", json!({ "name": "plan_trip", "arguments": { "city": "Bern" } }))).await;
    let text = talk.transcript();
    // The failure of `broken` has a reference of its own each time.
    let (before, after) = text.split_once("(ref ").expect("a reference");
    let text = format!("{before}(ref ..{}", &after[after.find(')').expect("its end")..]);
    expect_file!["transcripts/mrtr/prompts_errors.txt"].assert_eq(&text);
}

#[tokio::test]
async fn a_state_is_good_for_its_method_and_name_alone() {
    #[saga_prompt]
    async fn plan() -> Result<String, StepError> {
        let stay: Stay = elicit("How many nights?").await?;
        Ok(stay.nights.to_string())
    }
    #[saga_prompt]
    async fn other() -> Result<String, StepError> {
        let stay: Stay = elicit("How many nights?").await?;
        Ok(stay.nights.to_string())
    }
    #[saga_runtime::saga_tool(name = "plan")]
    async fn plan_tool() -> Result<String, StepError> {
        let stay: Stay = elicit("How many nights?").await?;
        Ok(stay.nights.to_string())
    }
    let server = Sagas::builder("Trips", "1.0.0").prompt::<plan>().prompt::<other>().tool::<plan_tool>();
    let mut talk = Conversation::with(server.build().unwrap());
    talk.ask(modern(1, "prompts/get", json!({ "name": "plan" }))).await;
    let resumed = |method: &str, name: &str| {
        let params =
            json!({ "name": name, "requestState": "<state 1>", "inputResponses": nights("stay", 2) });
        modern(2, method, params)
    };
    for (method, name) in [("tools/call", "plan"), ("prompts/get", "other")] {
        assert_eq!(talk.ask(resumed(method, name)).await["error"]["code"], -32602, "{method} {name}");
    }
    let done = talk.ask(resumed("prompts/get", "plan")).await;
    assert_eq!(done["result"]["messages"][0]["content"]["text"], "2");
}

#[tokio::test]
async fn what_one_caller_learned_is_not_for_others() {
    let server = builder().principal(|_| Ok(Some(Principal::new("ada")))).build().unwrap();
    let mut talk = Conversation::with(server);
    let rules = talk.ask(modern(1, "resources/read", json!({ "uri": "trip://rules" }))).await;
    assert_eq!(rules["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn servers_that_cannot_be() {
    #[saga_prompt(name = "hello")]
    async fn second() -> &'static str {
        "Hello."
    }
    #[saga_resource(uri = "trip://rules", name = "again")]
    async fn same_place() -> &'static str {
        "none"
    }
    #[saga_resource(uri = "other://rules", name = "rules")]
    async fn same_name() -> &'static str {
        "none"
    }
    let error = |server: Builder<()>| server.build().unwrap_err().to_string();
    assert!(error(builder().prompt::<second>()).contains("`hello`"));
    assert!(error(builder().resource::<same_place>()).contains("`trip://rules`"));
    assert!(error(builder().resource::<same_name>()).contains("`rules`"));
}

#[tokio::test]
async fn the_plain_functions_stay_beside_them() {
    let messages = hello_prompt().await.into_messages().unwrap();
    assert_eq!(messages, [PromptMessage::user("Say hello.")]);
    assert_eq!(rules().await, "No smoking.");
}

/// What `initialize` announces is there: outside of a session clients of older revisions have tools alone.
#[tokio::test]
async fn without_a_session_there_are_none() {
    for dialect in [Dialect::Streamless, Dialect::ResumeToken] {
        let mut talk = Conversation::with(builder().dialects([dialect]).build().unwrap());
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
        let reply = talk.ask(plain(1, "initialize", params)).await;
        let capabilities = reply["result"]["capabilities"].as_object().unwrap();
        for (name, method) in
            [("tools", "tools/list"), ("prompts", "prompts/list"), ("resources", "resources/list")]
        {
            let list = talk.ask(plain(2, method, json!({}))).await;
            assert_eq!(capabilities.contains_key(name), list.get("result").is_some(), "{dialect} {name}");
        }
    }
}

#[tokio::test]
async fn in_a_session_of_an_older_revision() {
    let mut pipe = Pipe::in_session(server(), "2025-11-25", json!({ "elicitation": {} })).await;
    pipe.ask(plain(1, "prompts/list", json!({}))).await;
    let get = json!({ "name": "plan_trip", "arguments": { "city": "Bern" } });
    let form = pipe.ask(plain(2, "prompts/get", get.clone())).await;
    let stay = |nights: u8| json!({ "action": "accept", "content": { "nights": nights } });
    pipe.answer(&form, stay(3)).await;
    pipe.ask(plain(4, "resources/list", json!({}))).await;
    pipe.ask(plain(5, "resources/templates/list", json!({}))).await;
    let form = pipe.ask(plain(6, "resources/read", json!({ "uri": "trip://7/plan" }))).await;
    pipe.answer(&form, stay(1)).await;
    pipe.ask(plain(7, "resources/read", json!({ "uri": "trip://rules" }))).await;
    pipe.ask(plain(8, "resources/read", json!({ "uri": "trip://nowhere" }))).await;
    pipe.ask(plain(9, "resources/read", json!({}))).await;
    // Nobody to ask.
    pipe.restart(server(), "2025-06-18", json!({})).await;
    pipe.ask(plain(1, "prompts/get", get)).await;
    pipe.ask(plain(2, "resources/read", json!({ "uri": "trip://7/plan" }))).await;
    expect_file!["transcripts/push/prompts_and_resources.txt"].assert_eq(&pipe.close().await);
}
