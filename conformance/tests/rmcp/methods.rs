//! Methods of an rmcp server that are sagas.

use std::sync::Mutex;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use saga_runtime::{Form, Json, Provides, Saga, Sagas, StepError, ToolError, elicit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, over, text};

const VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25];

struct Fleet {
    sagas: Sagas,
    regions: Vec<String>,
    deployed: Mutex<Vec<String>>,
    tool_router: ToolRouter<Self>,
}

impl Provides<Sagas> for Fleet {
    fn provide(&self) -> &Sagas {
        &self.sagas
    }
}

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

#[derive(Serialize, JsonSchema)]
struct Rolled {
    regions: usize,
    round: u16,
}

#[tool_router]
impl Fleet {
    fn new() -> Self {
        let sagas = Sagas::builder("fleet", "1.0.0").build().unwrap();
        let regions = ["eu", "us", "ap"].map(str::to_owned).into();
        Self { sagas, regions, deployed: Mutex::default(), tool_router: Self::tool_router() }
    }

    #[tool]
    fn count(&self) -> String {
        self.deployed.lock().unwrap().len().to_string()
    }

    /// Rolls a service out, region by region.
    #[saga_runtime::rmcp::tool(title = "Roll out", annotations(destructive, idempotent = false))]
    async fn roll_out(
        &self,
        /// The service's name.
        service: String,
        #[context] saga: &Saga,
    ) -> Result<Json<Rolled>, ToolError> {
        let mut regions = 0;
        for region in &self.regions {
            let ok: Sure = elicit(format!("Roll {service} out to {region}?")).await?;
            if ok.yes {
                self.deploy(&service, region);
                regions += 1;
            }
        }
        Ok(Json(Rolled { regions, round: saga.round() }))
    }

    /// Asks once.
    #[saga_runtime::rmcp::tool(name = "ask-once")]
    async fn ask_once(&self) -> Result<String, StepError> {
        let ok: Sure = elicit("Well?").await?;
        Ok(format!("{} of {}", ok.yes, self.regions.len()))
    }

    /// A value that is no object.
    #[saga_runtime::rmcp::tool(title = "Order of regions", annotations(read_only))]
    async fn order(
        &self,
        /// Backwards.
        reversed: bool,
    ) -> Json<Vec<usize>> {
        let order = 0..self.regions.len();
        Json(if reversed { order.rev().collect() } else { order.collect() })
    }
}

impl Fleet {
    fn deploy(&self, service: &str, region: &str) {
        self.deployed.lock().unwrap().push(format!("{service} in {region}"));
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Fleet {}

#[tokio::test]
async fn a_method_asks_in_a_loop_over_the_servers_own() {
    for version in VERSIONS {
        let client = over(Fleet::new(), Answers::always(json!({ "yes": true })), version).await;
        let result = client.call("roll_out", json!({ "service": "web" })).await.unwrap();
        assert_eq!(result.structured_content, Some(json!({ "regions": 3, "round": 3 })));
        assert_eq!(text(&client.call("count", json!({})).await.unwrap()), "3");
        assert_eq!(text(&client.call("ask-once", json!({})).await.unwrap()), "true of 3");
    }
}

#[test]
fn clients_are_told_the_same_as_of_a_function() {
    let router = Fleet::tool_router();
    let tool = serde_json::to_value(router.get("roll_out").unwrap()).unwrap();
    assert_eq!(tool["title"], "Roll out");
    assert_eq!(tool["description"], "Rolls a service out, region by region.");
    assert_eq!(tool["inputSchema"]["properties"]["service"]["description"], "The service's name.");
    assert_eq!(tool["inputSchema"]["required"], json!(["service"]));
    assert_eq!(tool["annotations"]["destructiveHint"], true);
    assert_eq!(tool["annotations"]["idempotentHint"], false);
    assert_eq!(tool["outputSchema"]["properties"]["regions"]["type"], "integer");
    assert!(router.has_route("ask-once"));
}

/// The list is one for clients of every revision, and before 2026-07-28 an output schema was of an object.
#[tokio::test]
async fn a_value_that_is_no_object_has_no_schema() {
    for (version, structured) in VERSIONS.into_iter().zip([Some(json!([2, 1, 0])), None]) {
        let client = over(Fleet::new(), Answers::none(), version).await;
        assert_eq!(client.with_schema().await, ["roll_out"]);
        let order = client.call("order", json!({ "reversed": true })).await.unwrap();
        assert_eq!((text(&order).as_str(), order.structured_content), ("[2,1,0]", structured));
    }
    let tool = serde_json::to_value(Fleet::tool_router().get("order").unwrap()).unwrap();
    assert_eq!(
        (&tool["title"], &tool["description"]),
        (&json!("Order of regions"), &json!("A value that is no object."))
    );
    assert_eq!(tool["annotations"]["readOnlyHint"], true);
    assert_eq!(tool["inputSchema"]["properties"]["reversed"]["description"], "Backwards.");
}

#[tokio::test]
async fn an_argument_that_does_not_fit_is_told_to_the_model() {
    let client = over(Fleet::new(), Answers::none(), ProtocolVersion::V_2026_07_28).await;
    let result = client.call("roll_out", json!({ "service": 7 })).await.unwrap();
    assert_eq!(result.is_error, Some(true));
}
