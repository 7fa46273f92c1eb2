//! A tool that borrows its rmcp server, or is a method of it, and holds what postcard would misread: it is looked at
//! when it is first called, before anything of it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::ServiceError;
use rmcp::{ServerHandler, tool_handler, tool_router};
use saga_runtime::{Form, Json, Provides, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::{Answers, over, text};

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

#[derive(Serialize, Deserialize)]
struct Order {
    meta: Value,
}

#[derive(Clone)]
struct Shop {
    /// How often something was done.
    effects: Arc<AtomicU32>,
    sagas: Sagas,
    tool_router: ToolRouter<Self>,
}

impl Provides<Sagas> for Shop {
    fn provide(&self) -> &Sagas {
        &self.sagas
    }
}

/// Holds JSON, which describes itself.
#[saga_tool]
async fn function(#[context] shop: &Shop) -> Result<String, ToolError> {
    shop.charge();
    let order = Order { meta: json!({ "gift": true }) };
    let sure: Sure = elicit("Order?").await?;
    Ok(format!("{} {}", order.meta, sure.yes))
}

/// Holds it as text.
#[saga_tool]
async fn sound(#[context] shop: &Shop) -> Result<String, ToolError> {
    shop.charge();
    let order = Json(json!({ "gift": true }));
    let sure: Sure = elicit("Order?").await?;
    Ok(format!("{} {}", order.0, sure.yes))
}

#[tool_router]
impl Shop {
    fn new() -> Self {
        let sagas = Sagas::builder("shop", "1.0.0").served_by::<Self>().tool::<function>().tool::<sound>();
        let sagas = sagas.build().unwrap();
        let tool_router = Self::tool_router() + sagas.tool_router();
        Self { effects: Arc::default(), sagas, tool_router }
    }

    /// Holds JSON, which describes itself.
    #[saga_runtime::rmcp::tool]
    async fn method(&self) -> Result<String, ToolError> {
        self.charge();
        let order = Order { meta: json!({ "gift": true }) };
        let sure: Sure = elicit("Order?").await?;
        Ok(format!("{} {}", order.meta, sure.yes))
    }
}

impl Shop {
    fn charge(&self) {
        self.effects.fetch_add(1, Ordering::SeqCst);
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Shop {}

#[tokio::test]
async fn nothing_of_a_tool_runs_that_holds_what_cannot_travel() {
    for version in [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25] {
        let shop = Shop::new();
        let client = over(shop.clone(), Answers::always(json!({ "yes": true })), version).await;
        for tool in ["function", "method"] {
            for _ in 0..2 {
                let refused = client.call(tool, json!({})).await.unwrap_err();
                let ServiceError::McpError(error) = refused else { panic!("{refused}") };
                assert_eq!(error.code, ErrorCode::INTERNAL_ERROR, "{tool}");
            }
        }
        assert_eq!(shop.effects.load(Ordering::SeqCst), 0);
        let done = client.call("sound", json!({})).await.unwrap();
        assert_eq!(text(&done), r#"{"gift":true} true"#);
    }
}
