//! rmcp's own client in older revisions: the server asks it in place, in a session or in this process; where
//! nothing leads back to it, it is told so at once.

use rmcp::model::ProtocolVersion;
use rmcp::transport::StreamableHttpServerConfig;
use serde_json::{Value, json};

use crate::client::{Answers, Client, connect, connect_http, text};

const NOVEMBER: ProtocolVersion = ProtocolVersion::V_2025_11_25;
const JUNE: ProtocolVersion = ProtocolVersion::V_2025_06_18;

fn trip() -> Answers {
    Answers::of([json!({ "start": "2026-12-24", "nights": 3 }), json!({ "confirm": true })])
}

fn rome() -> Value {
    json!({ "city": "Rome", "budget": 900 })
}

async fn books(client: Client) {
    let result = client.call("book_trip", rome()).await.unwrap();
    assert_eq!(text(&result), "booked Rome 2026-12-24 x3 for 900: a plan");
}

#[tokio::test]
async fn books_a_trip_in_this_process() {
    books(connect(trip(), NOVEMBER).await).await;
    books(connect(trip().in_revision(JUNE), JUNE).await).await;
}

#[tokio::test]
async fn books_a_trip_in_a_session() {
    books(connect_http(trip(), NOVEMBER, StreamableHttpServerConfig::default()).await).await;
    let june = trip().in_revision(JUNE);
    books(connect_http(june, JUNE, StreamableHttpServerConfig::default()).await).await;
}

#[tokio::test]
async fn hears_a_decline_and_a_cancel() {
    for (action, said) in [("decline", "the question was declined"), ("cancel", "the question was cancelled")]
    {
        let client = connect(Answers::that(action), NOVEMBER).await;
        let result = client.call("book_trip", rome()).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(text(&result), said);
    }
}

#[tokio::test]
async fn joins_three_steps_and_goes_many_rounds() {
    let client = connect(Answers::of([json!({ "name": "Ada" })]), NOVEMBER).await;
    let result = client.call("test_input_required_result_multiple_inputs", json!({})).await.unwrap();
    assert_eq!(text(&result), "a plan Ada, you have 2 roots");
    let client =
        connect_http(Answers::always(json!({ "ok": true })), NOVEMBER, StreamableHttpServerConfig::default())
            .await;
    let result = client.call("rounds", json!({ "n": 50 })).await.unwrap();
    assert_eq!(text(&result), "50 rounds, 50 agreed");
}

#[tokio::test]
async fn asks_again_what_does_not_fit() {
    let answers = [json!({ "ok": "perhaps" }), json!({ "ok": true })];
    let client = connect(Answers::of(answers), NOVEMBER).await;
    let result = client.call("rounds", json!({ "n": 1 })).await.unwrap();
    assert_eq!(text(&result), "1 rounds, 1 agreed");
}

#[tokio::test]
async fn tells_a_client_what_it_did_not_declare() {
    let client = connect(trip().undeclared(), NOVEMBER).await;
    let result = client.call("book_trip", rome()).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    let said = text(&result);
    assert!(said.starts_with("the tool needs what this client cannot be asked for: {"), "{said}");
}

#[tokio::test]
async fn tells_a_client_without_a_session_at_once() {
    for json_response in [false, true] {
        let config = StreamableHttpServerConfig::default();
        let config = config.with_legacy_session_mode(false).with_json_response(json_response);
        let client = connect_http(trip(), NOVEMBER, config).await;
        let result = client.call("book_trip", rome()).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        let said = text(&result);
        assert!(said.contains("in a session or on standard input only"), "{said}");
    }
}

#[tokio::test]
async fn a_tool_that_branches_on_the_client_sees_what_the_session_declared() {
    let client = connect(Answers::of([json!({ "name": "Ada" })]), NOVEMBER).await;
    let result = client.call("test_input_required_result_capabilities", json!({})).await.unwrap();
    assert_eq!(text(&result), "Ada a plan");
    let client = connect(Answers::none().undeclared(), NOVEMBER).await;
    let result = client.call("test_input_required_result_capabilities", json!({})).await.unwrap();
    assert_eq!(text(&result), "");
}

#[tokio::test]
async fn a_prompt_asks_in_place() {
    let client = connect(Answers::of([json!({ "context": "Rome" })]), NOVEMBER).await;
    assert_eq!(client.prompt("test_input_required_result_prompt").await, "The context is Rome.");
}
