//! The fast path in front of rmcp: one address for every client, and tokens that are good on both.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode};
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

/// The status of what is passed on, in the test below.
const PASSED_ON: StatusCode = StatusCode::IM_A_TEAPOT;

#[tokio::test]
async fn only_what_names_a_saga_is_taken() {
    let inner = tower::service_fn(async |request: Request<Body>| {
        // It is passed on whole.
        let body = to_bytes(request.into_body(), usize::MAX).await.unwrap();
        let status = if body.is_empty() { StatusCode::BAD_REQUEST } else { PASSED_ON };
        Ok::<_, Infallible>(Response::builder().status(status).body(Body::empty()).unwrap())
    });
    let front = sagas().unwrap().http_service().in_front_of(inner);
    let modern = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let prompt = "test_input_required_result_prompt";
    for (method, params, status) in [
        ("tools/call", json!({ "name": "rounds", "arguments": { "n": 1 }, "_meta": modern }), StatusCode::OK),
        ("prompts/get", json!({ "name": prompt, "_meta": modern }), StatusCode::OK),
        ("resources/read", json!({ "uri": "test://static-text", "_meta": modern }), StatusCode::OK),
        ("tools/callSaga", json!({ "name": "rounds", "arguments": { "n": 1 } }), StatusCode::OK),
        ("tools/call", json!({ "name": "another", "_meta": modern }), PASSED_ON),
        ("tools/call", json!({ "name": "rounds", "arguments": { "n": 1 } }), PASSED_ON),
        ("prompts/get", json!({ "name": "another", "_meta": modern }), PASSED_ON),
        ("resources/read", json!({ "uri": "test://another", "_meta": modern }), PASSED_ON),
        ("tools/list", json!({ "_meta": modern }), PASSED_ON),
        ("server/discover", json!({ "_meta": modern }), PASSED_ON),
        ("initialize", json!({ "protocolVersion": "2025-11-25" }), PASSED_ON),
    ] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).unwrap_or("none");
        let request = Request::post("/mcp")
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .header("mcp-name", name)
            .body(Body::from(message.to_string()))
            .unwrap();
        let response = front.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), status, "{message}");
    }
    let get = Request::get("/mcp").body(Body::from("a session's stream")).unwrap();
    assert_eq!(front.oneshot(get).await.unwrap().status(), PASSED_ON);
}
