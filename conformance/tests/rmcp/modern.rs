//! rmcp's own client through whole conversations: the answers come from its callbacks, the final text is checked.

use rmcp::model::ProtocolVersion;
use serde_json::json;

use crate::client::{Answers, connect, text};

const MODERN: ProtocolVersion = ProtocolVersion::V_2026_07_28;

#[tokio::test]
async fn books_a_trip() {
    let person = Answers::of([json!({ "start": "2026-12-24", "nights": 3 }), json!({ "confirm": true })]);
    let client = connect(person, MODERN).await;
    let result = client.call("book_trip", json!({ "city": "Rome", "budget": 900 })).await.unwrap();
    assert_eq!(text(&result), "booked Rome 2026-12-24 x3 for 900: a plan");
}

#[tokio::test]
async fn hears_a_decline_and_a_cancel() {
    for (action, said) in [("decline", "the question was declined"), ("cancel", "the question was cancelled")]
    {
        let client = connect(Answers::that(action), MODERN).await;
        let result = client.call("book_trip", json!({ "city": "Rome", "budget": 900 })).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(text(&result), said);
    }
}

#[tokio::test]
async fn joins_three_steps_in_one_round() {
    let client = connect(Answers::of([json!({ "name": "Ada" })]), MODERN).await;
    let result = client.call("test_input_required_result_multiple_inputs", json!({})).await.unwrap();
    assert_eq!(text(&result), "a plan Ada, you have 2 roots");
}

#[tokio::test]
async fn goes_nine_rounds_and_further_where_the_cap_is_raised() {
    let client = connect(Answers::always(json!({ "ok": true })), MODERN).await;
    let result = client.call("rounds", json!({ "n": 9 })).await.unwrap();
    assert_eq!(text(&result), "9 rounds, 9 agreed");
    let result = client.call_up_to(60, "rounds", json!({ "n": 50 })).await.unwrap();
    assert_eq!(text(&result), "50 rounds, 50 agreed");
}

#[tokio::test]
async fn ordinary_tools_stand_beside_the_sagas() {
    let client = connect(Answers::none(), MODERN).await;
    let names: Vec<_> = client.tools().await;
    for name in ["book_trip", "rounds", "test_reconnection", "json_schema_2020_12_tool"] {
        assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
    }
    let result = client.call("test_reconnection", json!({})).await.unwrap();
    assert_eq!(text(&result), "reconnected");
}

#[tokio::test]
async fn speaks_the_proposal_too() {
    let client = connect(Answers::none(), MODERN).await;
    let suspended =
        client.custom("tools/callSaga", json!({ "name": "rounds", "arguments": { "n": 1 } })).await;
    let token = &suspended["sagaToken"];
    assert_eq!(suspended["steps"][0]["stepId"], "answer", "{suspended}");
    let step = json!({ "stepId": "answer", "result": { "action": "accept", "content": { "ok": true } } });
    let done =
        client.custom("tools/resumeSaga", json!({ "sagaToken": token, "completedSteps": [step] })).await;
    assert_eq!(done["content"][0]["text"], "1 rounds, 1 agreed", "{done}");
}

#[tokio::test]
async fn a_prompt_asks_and_a_resource_is_read() {
    let client = connect(Answers::of([json!({ "context": "Rome" })]), MODERN).await;
    assert_eq!(client.prompt("test_input_required_result_prompt").await, "The context is Rome.");
    let text = client.resource("test://template/7/data").await;
    assert!(text.contains("Data for ID: 7"), "{text}");
}
