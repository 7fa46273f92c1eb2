//! What an rmcp server gives its sagas: itself as the context, who calls, and the end of a request.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use saga_runtime::{Form, Principal, Progress, RequestFacts, Saga, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, at, mount, over, service, text};

/// An ordinary rmcp server.
#[derive(Clone)]
struct Counter {
    count: Arc<AtomicI32>,
    dropped: Arc<AtomicBool>,
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Counter {
    fn new(sagas: &Sagas) -> Self {
        let tool_router = Self::tool_router() + sagas.tool_router();
        Self { count: Arc::default(), dropped: Arc::default(), tool_router }
    }

    #[tool]
    fn increment(&self) -> String {
        (self.count.fetch_add(1, Ordering::SeqCst) + 1).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Counter {}

/// Sets the counter to zero, if the person agrees.
#[saga_tool]
async fn reset(#[context] counter: &Counter) -> Result<String, ToolError> {
    let before = counter.count.load(Ordering::SeqCst);
    let sure: Sure = elicit(format!("The counter stands at {before}. Reset it?")).await?;
    if sure.yes {
        counter.count.store(0, Ordering::SeqCst);
    }
    Ok(format!("was {before}"))
}

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

/// Works until it is stopped.
#[saga_tool]
async fn work(#[context] counter: &Counter, #[context] saga: &Saga) -> Result<String, ToolError> {
    struct Dropped<'a>(&'a AtomicBool);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let _dropped = Dropped(&counter.dropped);
    saga.progress(Progress::new(1));
    std::future::pending::<()>().await;
    Ok("never".to_owned())
}

/// Says who calls.
#[saga_tool]
async fn whoami(#[context] saga: &Saga) -> String {
    saga.principal().map_or("nobody".to_owned(), |principal| principal.as_str().to_owned())
}

fn sagas() -> Sagas {
    let served = Sagas::builder("counter", "1.0.0").served_by::<Counter>();
    served.tool::<reset>().tool::<work>().tool::<whoami>().build().unwrap()
}

#[tokio::test]
async fn the_server_is_the_context_in_every_revision() {
    for version in [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25] {
        let counter = Counter::new(&sagas());
        let client = over(counter.clone(), Answers::of([json!({ "yes": true })]), version).await;
        for _ in 0..3 {
            client.call("increment", json!({})).await.unwrap();
        }
        let result = client.call("reset", json!({})).await.unwrap();
        assert_eq!(text(&result), "was 3");
        assert_eq!(counter.count.load(Ordering::SeqCst), 0);
    }
}

/// No server of sagas.
struct Another;

impl ServerHandler for Another {}

#[test]
#[should_panic(expected = "`reset` has another server as its context")]
fn a_router_for_another_server_is_refused() {
    drop(sagas().tool_router::<Another>());
}

#[tokio::test]
async fn a_tool_of_a_server_fails_where_no_such_server_is() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "reset", "_meta": meta },
    });
    let reply = sagas().handle(call.to_string().as_bytes(), &RequestFacts::default()).await.body().unwrap();
    assert_eq!(reply["result"]["isError"], true, "{reply}");
}

#[tokio::test]
async fn a_cancelled_request_stops_its_transition() {
    for version in [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25] {
        let counter = Counter::new(&sagas());
        let client = over(counter.clone(), Answers::none(), version).await;
        let working = tokio::spawn(async move {
            let call = client.call("work", json!({}));
            // Its progress tells that it runs.
            tokio::select! {
                _ = call => panic!("it never ends"),
                () = client.progressed() => {}
            }
            client
        });
        let _client = working.await.unwrap();
        while !counter.dropped.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn the_principal_comes_from_the_http_request() {
    #[derive(Clone)]
    struct Claims(&'static str);

    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let sagas = Sagas::builder("counter", "1.0.0")
        .served_by::<Counter>()
        .tool::<whoami>()
        .principal(move |facts| {
            log.lock().unwrap().push(facts.header("authorization").map(str::to_owned));
            Ok(facts.extensions.get::<Claims>().map(|claims| Principal::new(claims.0)))
        })
        .build()
        .unwrap();
    let layer =
        axum::middleware::from_fn(|mut request: axum::extract::Request, next: axum::middleware::Next| {
            request.extensions_mut().insert(Claims("ada"));
            next.run(request)
        });
    let router = mount(Counter::new(&sagas), StreamableHttpServerConfig::default()).layer(layer);
    let client = at(router, Answers::none(), ProtocolVersion::V_2026_07_28).await;
    let result = client.call("whoami", json!({})).await.unwrap();
    assert_eq!(text(&result), "ada");
    assert_eq!(*seen.lock().unwrap(), [Some("Bearer token".to_owned())]);
}

#[tokio::test]
async fn the_fast_path_borrows_a_server_of_its_own() {
    let sagas = sagas();
    let counter = Counter::new(&sagas);
    counter.count.store(7, Ordering::SeqCst);
    let inner = service(counter.clone(), StreamableHttpServerConfig::default());
    let front = sagas.with_server(counter).http_service().in_front_of(inner);
    let router = axum::Router::new().route_service("/mcp", front);
    let client = at(router, Answers::of([json!({ "yes": true })]), ProtocolVersion::V_2026_07_28).await;
    assert_eq!(text(&client.call("reset", json!({})).await.unwrap()), "was 7");
    assert_eq!(text(&client.call("increment", json!({})).await.unwrap()), "1");
}
