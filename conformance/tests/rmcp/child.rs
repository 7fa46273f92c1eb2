//! rmcp's own client and servers on the other side of real pipes, each a process of its own: the counter of rmcp's
//! examples with a saga in it, and the conformance server in front of rmcp, in rmcp and alone.

use rmcp::model::ProtocolVersion;
use serde_json::json;

use crate::client::{Answers, Client, start, text};

const VERSIONS: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18];

/// The ways in which the conformance server is started.
const WAYS: [&[&str]; 3] = [&["stdio"], &["stdio", "--rmcp"], &["stdio", "--bare"]];

async fn counter(person: Answers, version: &ProtocolVersion) -> Client {
    start(env!("CARGO_BIN_EXE_counter"), &[], person.in_revision(version.clone()), version.clone()).await
}

async fn fixtures(way: &[&str], person: Answers, version: &ProtocolVersion) -> Client {
    let program = env!("CARGO_BIN_EXE_conformance");
    start(program, way, person.in_revision(version.clone()), version.clone()).await
}

async fn says(client: &Client, name: &str, arguments: serde_json::Value) -> String {
    text(&client.call(name, arguments).await.unwrap())
}

#[tokio::test]
async fn a_saga_beside_the_counters_own_tools() {
    for version in VERSIONS {
        let client = counter(Answers::of([json!({ "yes": true }), json!({ "yes": false })]), &version).await;
        assert_eq!(client.tools().await, ["add", "decrement", "increment", "reset", "value"]);
        assert_eq!(says(&client, "increment", json!({})).await, "1");
        assert_eq!(says(&client, "reset", json!({ "to": 7 })).await, "set from 1 to 7");
        assert_eq!(says(&client, "reset", json!({ "to": 9 })).await, "kept");
        assert_eq!(says(&client, "value", json!({})).await, "7");
        assert_eq!(says(&client, "add", json!({ "by": 5 })).await, "12");
        assert!(client.close().await.unwrap().success());
    }
}

#[tokio::test]
async fn books_trips_on_each_server() {
    for (way, version) in WAYS.iter().flat_map(|way| VERSIONS.map(|version| (way, version))) {
        let trip = [json!({ "start": "2026-12-24", "nights": 3 }), json!({ "confirm": true })];
        let client = fixtures(way, Answers::of(trip), &version).await;
        let rome = json!({ "city": "Rome", "budget": 900 });
        assert_eq!(says(&client, "book_trip", rome).await, "booked Rome 2026-12-24 x3 for 900: a plan");
        assert!(client.close().await.unwrap().success());
    }
}

#[tokio::test]
async fn declines_joins_and_goes_nine_rounds_on_each_server() {
    for (way, version) in WAYS.iter().flat_map(|way| VERSIONS.map(|version| (way, version))) {
        for (action, said) in [("decline", "declined"), ("cancel", "cancelled")] {
            let client = fixtures(way, Answers::that(action), &version).await;
            let rome = json!({ "city": "Rome", "budget": 900 });
            assert_eq!(says(&client, "book_trip", rome).await, format!("the question was {said}"));
        }
        let client = fixtures(way, Answers::of([json!({ "name": "Ada" })]), &version).await;
        let joined = says(&client, "test_input_required_result_multiple_inputs", json!({})).await;
        assert_eq!(joined, "a plan Ada, you have 2 roots");
        let client = fixtures(way, Answers::always(json!({ "ok": true })), &version).await;
        assert_eq!(says(&client, "rounds", json!({ "n": 9 })).await, "9 rounds, 9 agreed");
    }
}

/// One pair of pipes for clients of every revision: sagas, rmcp's own tools, the lists, and a client that calls nothing
/// but sagas or nothing at all.
#[tokio::test]
async fn what_is_no_sagas_is_rmcps_on_the_same_pipes() {
    for version in VERSIONS {
        let client = fixtures(WAYS[0], Answers::always(json!({ "ok": true })), &version).await;
        assert_eq!(says(&client, "rounds", json!({ "n": 2 })).await, "2 rounds, 2 agreed");
        assert_eq!(says(&client, "test_reconnection", json!({})).await, "reconnected");
        assert_eq!(says(&client, "rounds", json!({ "n": 1 })).await, "1 rounds, 1 agreed");
        let names = client.tools().await;
        for name in ["rounds", "json_schema_2020_12_tool"] {
            assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
        }
        assert!(client.resource("test://template/7/data").await.contains("Data for ID: 7"));
        assert!(client.close().await.unwrap().success());

        let client = fixtures(WAYS[0], Answers::none(), &version).await;
        assert_eq!(
            says(&client, "test_simple_text", json!({})).await,
            "This is a simple text response for testing."
        );
        assert!(client.close().await.unwrap().success());
        assert!(fixtures(WAYS[0], Answers::none(), &version).await.close().await.unwrap().success());
    }
}
