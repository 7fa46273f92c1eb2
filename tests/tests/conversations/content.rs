//! What a tool's result may be made of.

use expect_test::expect_file;
use saga_runtime::step::sampling::Role;
use saga_runtime::{Content, Json, ResourceContents, ResourceLink, Sagas, ToolError, ToolResult, saga_tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::conversation::{Conversation, modern, plain};
use crate::pipe::Pipe;

/// Every kind of content.
#[saga_tool(
    title = "Everything",
    annotations(read_only, destructive = false, idempotent, open_world = false)
)]
async fn everything() -> Vec<Content> {
    let plan = ResourceLink::new("trip://7/plan", "plan").title("The plan").description("Day by day");
    vec![
        Content::text("a text").audience([Role::User, Role::Assistant]).priority(0.5),
        Content::image([1, 2, 3], "image/png").last_modified("2026-07-28T12:00:00Z"),
        Content::audio([4, 5, 6], "audio/wav"),
        Content::from(plan.mime_type("text/markdown").size(1024)).priority(7.0),
        Content::resource("trip://7/note", "a note"),
        Content::resource("trip://7/photo", ResourceContents::blob([7]).mime_type("image/png")),
    ]
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    degrees: i32,
    wind: Option<f64>,
}

/// A value with a schema.
#[saga_tool]
async fn weather(city: String) -> Result<Json<Weather>, ToolError> {
    match city.as_str() {
        "Bern" => Ok(Json(Weather { degrees: 21, wind: None })),
        city => Err(ToolError::new(format!("there is no weather in {city}"))),
    }
}

/// A failure with a picture.
#[saga_tool]
async fn failed() -> ToolResult {
    let mut result = ToolResult::new([Content::text("it broke"), Content::image([0], "image/png")]);
    result.is_error = true;
    result
}

#[tokio::test]
async fn every_kind() {
    let server = Sagas::builder("Trips", "1.0.0").tool::<everything>().tool::<weather>().tool::<failed>();
    let mut talk = Conversation::with(server.build().unwrap());
    talk.ask(modern(1, "tools/list", json!({}))).await;
    talk.ask(modern(2, "tools/call", json!({ "name": "everything" }))).await;
    talk.ask(modern(3, "tools/call", json!({ "name": "weather", "arguments": { "city": "Bern" } }))).await;
    talk.ask(modern(4, "tools/call", json!({ "name": "weather", "arguments": { "city": "Troy" } }))).await;
    talk.ask(modern(5, "tools/call", json!({ "name": "failed" }))).await;
    expect_file!["transcripts/mrtr/content.txt"].assert_eq(talk.transcript());
}

/// A value that is no object.
#[saga_tool]
async fn primes() -> Json<Vec<u8>> {
    Json(vec![2, 3, 5])
}

#[tokio::test]
async fn before_2026_structured_content_is_an_object_or_none() {
    let server = Sagas::builder("Trips", "1.0.0").tool::<weather>().tool::<primes>();
    let mut pipe = Pipe::in_session(server.build().unwrap(), "2025-11-25", json!({})).await;
    pipe.ask(plain(1, "tools/list", json!({}))).await;
    pipe.ask(plain(2, "tools/call", json!({ "name": "weather", "arguments": { "city": "Bern" } }))).await;
    pipe.ask(plain(3, "tools/call", json!({ "name": "primes" }))).await;
    expect_file!["transcripts/push/structured_content.txt"].assert_eq(&pipe.close().await);
}
