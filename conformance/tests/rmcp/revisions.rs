//! What differs between the revisions, and what a tool does not see of it.

use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::tool_handler;
use saga_runtime::{Json, Sagas, ToolError, elicit_url, saga_tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::client::{Answers, Client, over, text};

const MODERN: ProtocolVersion = ProtocolVersion::V_2026_07_28;
const NOVEMBER: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// Sends the person to a page.
#[saga_tool]
async fn login() -> Result<String, ToolError> {
    elicit_url("Please sign in.", "https://example.com/login").key("page").await?;
    Ok("signed in".to_owned())
}

/// A value that is no object.
#[saga_tool]
async fn primes() -> Json<Vec<u8>> {
    Json(vec![2, 3, 5])
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    degrees: i32,
}

/// A value that is an object.
#[saga_tool]
async fn weather() -> Json<Weather> {
    Json(Weather { degrees: 21 })
}

struct Host {
    tool_router: ToolRouter<Self>,
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Host {}

async fn client(person: Answers, version: ProtocolVersion) -> Client {
    let sagas = Sagas::builder("host", "1.0.0").tool::<login>().tool::<primes>().tool::<weather>();
    over(Host { tool_router: sagas.build().unwrap().tool_router() }, person, version).await
}

#[tokio::test]
async fn a_page_that_is_done_with_may_be_closed() {
    let person = Answers::that("accept").opening_pages();
    let completed = person.completed();
    let client = client(person, NOVEMBER).await;
    let mut known = Vec::<Value>::new();
    for _ in 0..2 {
        assert_eq!(text(&client.call("login", json!({})).await.unwrap()), "signed in");
        // The client takes the notification up beside the result.
        while completed.lock().unwrap().len() == known.len() {
            tokio::task::yield_now().await;
        }
        let page = completed.lock().unwrap().last().unwrap().clone();
        assert!(page.as_str().is_some_and(|page| !page.is_empty()) && !known.contains(&page), "{page}");
        known.push(page);
    }
}

#[tokio::test]
async fn a_client_that_opens_no_pages_is_told_so() {
    let client = client(Answers::that("accept"), NOVEMBER).await;
    let result = client.call("login", json!({})).await.unwrap();
    assert_eq!(
        text(&result),
        r#"the tool needs what this client cannot be asked for: {"elicitation":{"url":{}}}"#
    );
}

#[tokio::test]
async fn before_2026_structured_content_is_an_object_or_none() {
    for (version, of_primes) in [(MODERN, Some(json!([2, 3, 5]))), (NOVEMBER, None)] {
        let client = client(Answers::none(), version).await;
        let primes = client.call("primes", json!({})).await.unwrap();
        assert_eq!((text(&primes).as_str(), primes.structured_content), ("[2,3,5]", of_primes));
        let weather = client.call("weather", json!({})).await.unwrap();
        assert_eq!(weather.structured_content, Some(json!({ "degrees": 21 })));
        // The list is the same for all; one schema of another type would cost an older client all of it.
        assert_eq!(client.with_schema().await, ["weather"]);
    }
}
