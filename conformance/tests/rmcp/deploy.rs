//! The README's tool, with a context of its own, in an rmcp server.

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::tool_handler;
use rmcp::transport::StreamableHttpServerConfig;
use saga_runtime::{Provides, Sagas};
use serde_json::json;

use crate::client::{Answers, Client, at, mount, over, text};

/// The example that runs on the command line, too.
#[expect(dead_code, reason = "its command line is not run here")]
#[path = "../../../examples/deploy.rs"]
mod example;

use example::{Fleet, deploy};

/// What the sagas share with the test.
struct Shared(Arc<Fleet>);

impl Provides<Fleet> for Shared {
    fn provide(&self) -> &Fleet {
        &self.0
    }
}

/// An rmcp server without anything of its own.
#[derive(Clone)]
struct Host {
    tool_router: ToolRouter<Self>,
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Host {}

fn host(fleet: &Arc<Fleet>) -> Host {
    let sagas = Sagas::builder("fleet", "1.0.0").context(Shared(Arc::clone(fleet))).tool::<deploy>();
    Host { tool_router: sagas.build().unwrap().tool_router() }
}

fn person(version: &ProtocolVersion) -> Answers {
    let target = json!({ "environment": "production", "regions": ["eu-west", "us-east"] });
    let answers = [target, json!({ "yes": true }), json!({ "yes": true }), json!({ "yes": false })];
    Answers::of(answers).in_revision(version.clone())
}

async fn deploys(client: Client, fleet: &Fleet) {
    let result = client.call("deploy", json!({ "service": "web" })).await.unwrap();
    assert_eq!(text(&result), "web v42 is out");
    assert_eq!(*fleet.running.lock().unwrap(), ["web v42 in eu-west"]);
}

#[tokio::test]
async fn deploys_in_every_revision_on_every_transport() {
    let versions =
        [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18];
    for version in versions {
        let fleet = Arc::default();
        deploys(over(host(&fleet), person(&version), version.clone()).await, &fleet).await;
        let fleet = Arc::default();
        let router = mount(host(&fleet), StreamableHttpServerConfig::default());
        deploys(at(router, person(&version), version).await, &fleet).await;
    }
}
