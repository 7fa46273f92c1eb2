//! MCP has deprecated sampling and roots, and rmcp will take their types away: tools that ask for them name none of
//! rmcp's. This file does not compile if they must, nor if the macros silence the lint in its place.
#![forbid(deprecated)]

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::ProtocolVersion;
use rmcp::{ServerHandler, tool_handler, tool_router};
use saga_runtime::{
    Form, Provides, Sagas, ToolError, elicit, join, list_roots, saga_prompt, saga_tool, sample,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, over, text};

#[derive(Form, Serialize, Deserialize)]
struct Name {
    name: String,
}

/// Asks everything that can be asked.
#[saga_tool]
async fn all() -> Result<String, ToolError> {
    let plan = sample("A plan?").system_prompt("Be brief.").max_tokens(20).await?;
    let (roots, name) = join!(list_roots(), elicit::<Name>("Who?")).await?;
    Ok(format!("{}: {} with {} roots, {}", name.name, plan.text(), roots.len(), plan.model()))
}

/// A prompt of the model's own.
#[saga_prompt]
async fn own() -> Result<String, ToolError> {
    Ok(sample("A prompt?").await?.text())
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
    /// Asks the model.
    #[saga_runtime::rmcp::tool]
    async fn asks(&self) -> Result<String, ToolError> {
        let roots = list_roots().await?.len();
        Ok(format!("{} in {roots}", sample("A plan?").await?.text()))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Host {}

#[tokio::test]
async fn sagas_ask_for_what_is_deprecated_and_do_not_name_it() {
    for version in [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25] {
        let sagas = Sagas::builder("host", "1.0.0").tool::<all>().prompt::<own>().build().unwrap();
        let tool_router = Host::tool_router() + sagas.tool_router();
        let person = Answers::of([json!({ "name": "Ada" })]);
        let client = over(Host { sagas, tool_router }, person, version).await;
        let all = client.call("all", json!({})).await.unwrap();
        assert_eq!(text(&all), "Ada: a plan with 2 roots, a-model");
        assert_eq!(text(&client.call("asks", json!({})).await.unwrap()), "a plan in 2");
    }
}
