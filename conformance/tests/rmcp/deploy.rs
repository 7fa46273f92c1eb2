//! The README's tool, with a context of its own, in an rmcp server.

use std::sync::{Arc, Mutex};

use rmcp::ServerHandler;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::tool_handler;
use rmcp::transport::StreamableHttpServerConfig;
use saga_runtime::{Choice, Form, Provides, Sagas, ToolError, elicit, saga_tool, sample};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, Client, at, mount, over, text};

/// Deploys a service after a person picks the target and a model reviews it.
#[saga_tool]
async fn deploy(service: String, #[context] fleet: &Fleet) -> Result<String, ToolError> {
    let release = fleet.latest_release(&service).await;
    let target: Target = elicit(format!("Where should {service} {release} go?")).await?;
    let verdict = sample(format!("Is deploying to {} safe?", target.environment.value())).await?;
    if !verdict.text().starts_with("Yes") {
        let go: Confirm = elicit(format!("The reviewer says: {}. Continue?", verdict.text())).await?;
        if !go.yes {
            return Err(ToolError::new("stopped by the operator"));
        }
    }
    for region in &target.regions {
        let ok: Confirm = elicit(format!("Roll out to {}?", region.value())).await?;
        if ok.yes {
            fleet.deploy(&format!("{service} {release} in {}", region.value())).await;
        }
    }
    Ok(format!("{service} {release} is out"))
}

#[derive(Form, Serialize, Deserialize)]
struct Target {
    environment: Environment,
    regions: Vec<Region>,
}

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Environment {
    Staging,
    Production,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "kebab-case")]
enum Region {
    EuWest,
    UsEast,
}

#[derive(Default)]
struct Fleet {
    running: Mutex<Vec<String>>,
}

impl Fleet {
    async fn latest_release(&self, _: &str) -> String {
        tokio::task::yield_now().await;
        "v42".to_owned()
    }

    async fn deploy(&self, what: &str) {
        tokio::task::yield_now().await;
        self.running.lock().unwrap().push(what.to_owned());
    }
}

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
