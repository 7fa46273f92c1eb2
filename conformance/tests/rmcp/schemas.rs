//! Schemas are made when a server is, and not again for each request.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::{ServerHandler, tool_handler, tool_router};
use saga_runtime::{Json, Provides, Sagas, saga_tool};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, over};

/// How often somebody asked for the schema.
static MADE: AtomicUsize = AtomicUsize::new(0);

#[derive(Serialize, Deserialize)]
struct Counted {
    number: u32,
}

impl JsonSchema for Counted {
    fn schema_name() -> Cow<'static, str> {
        "Counted".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        MADE.fetch_add(1, Ordering::SeqCst);
        json_schema!({ "type": "object", "properties": { "number": { "type": "integer" } } })
    }
}

/// In and out.
#[saga_tool]
async fn function(with: Counted) -> Json<Counted> {
    Json(with)
}

struct Host {
    sagas: Sagas,
    tool_router: ToolRouter<Self>,
}

impl Provides<Sagas> for Host {
    fn provide(&self) -> &Sagas {
        &self.sagas
    }
}

#[tool_router]
impl Host {
    /// In and out.
    #[saga_runtime::rmcp::tool]
    async fn method(&self, with: Counted) -> Json<Counted> {
        Json(with)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Host {}

#[tokio::test]
async fn a_schema_is_made_once() {
    let sagas = Sagas::builder("host", "1.0.0").tool::<function>().build().unwrap();
    let tool_router = Host::tool_router() + sagas.tool_router();
    let made = MADE.load(Ordering::SeqCst);
    assert!(made > 0, "they are made of the type");
    let tool_router = tool_router + Host::tool_router() + sagas.tool_router();
    let mut servers = Vec::from([Host { sagas: sagas.clone(), tool_router }]);
    servers.push(Host { tool_router: Host::tool_router() + sagas.tool_router(), sagas });
    for (server, version) in
        servers.into_iter().zip([ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25])
    {
        let client = over(server, Answers::none(), version).await;
        for number in 0..3 {
            for tool in ["function", "method"] {
                let counted = json!({ "number": number });
                let done = client.call(tool, json!({ "with": counted })).await.unwrap();
                assert_eq!(done.structured_content, Some(counted));
            }
            assert_eq!(client.with_schema().await, ["function", "method"]);
        }
    }
    assert_eq!(MADE.load(Ordering::SeqCst), made);
}
