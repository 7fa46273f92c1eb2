//! The fast path in front of rmcp: one address for every client, and tokens that are good on both.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use rmcp::model::ProtocolVersion;
use rmcp::transport::StreamableHttpServerConfig;
use saga_conformance::sagas::sagas;
use saga_conformance::server::Server;
use saga_runtime::Sagas;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::client::{Answers, at, mount, service, text};

fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default().with_json_response(true)
}

fn in_front(sagas: &Sagas) -> Router {
    let inner = service(Server::new(sagas), config());
    Router::new().route_service("/mcp", sagas.http_service().in_front_of(inner))
}

#[tokio::test]
async fn clients_of_every_revision_are_served_at_one_address() {
    let sagas = sagas().unwrap();
    for version in
        [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18]
    {
        let person = Answers::always(json!({ "ok": true })).in_revision(version.clone());
        let client = at(in_front(&sagas), person, version).await;
        let result = client.call("rounds", json!({ "n": 9 })).await.unwrap();
        assert_eq!(text(&result), "9 rounds, 9 agreed");
        let result = client.call("test_reconnection", json!({})).await.unwrap();
        assert_eq!(text(&result), "reconnected");
        assert!(client.tools().await.contains(&"rounds".to_owned()));
    }
}

#[tokio::test]
async fn a_token_is_good_on_the_fast_path_and_in_rmcp() {
    let sagas = sagas().unwrap();
    let (front, rmcp) = (in_front(&sagas), mount(Server::new(&sagas), config()));
    for (first, second) in [(&front, &rmcp), (&rmcp, &front)] {
        let asked = post(first, json!({})).await;
        let state = &asked["result"]["requestState"];
        assert!(state.is_string(), "{asked}");
        let answer = json!({ "action": "accept", "content": { "ok": true } });
        let answers = json!({ "inputResponses": { "answer": answer }, "requestState": state });
        let done = post(second, answers).await;
        assert_eq!(done["result"]["content"][0]["text"], "1 rounds, 1 agreed", "{done}");
    }
}

#[tokio::test]
async fn a_proposals_methods_are_answered_in_front() {
    let sagas = sagas().unwrap();
    let params = json!({ "name": "rounds", "arguments": { "n": 1 } });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/callSaga", "params": params });
    let suspended = send(&in_front(&sagas), message, &[]).await;
    assert_eq!(suspended["result"]["state"], "suspended", "{suspended}");
}

/// Calls `rounds` once, with these fields beside the arguments.
async fn post(router: &Router, fields: Value) -> Value {
    let mut params = json!({ "name": "rounds", "arguments": { "n": 1 }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    } });
    for (name, value) in fields.as_object().unwrap() {
        params[name] = value.clone();
    }
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let headers =
        [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "rounds")];
    send(router, message, &headers).await
}

async fn send(router: &Router, message: Value, headers: &[(&str, &str)]) -> Value {
    let mut request = Request::post("/mcp")
        .header("host", "127.0.0.1")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(message.to_string())).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    serde_json::from_slice(&to_bytes(response.into_body(), usize::MAX).await.unwrap()).unwrap()
}
