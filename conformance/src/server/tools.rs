//! The tools that need rmcp: notifications on the way, a stream that is closed, and schemas that no type has.
#![expect(deprecated, reason = "the suite wants MCP's log too")]

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{JsonObject, LoggingLevel, LoggingMessageNotificationParam};
use rmcp::{Peer, RoleServer, tool, tool_router};
use serde_json::{Value, json};

use super::Server;

/// Between two notifications.
const PAUSE: Duration = Duration::from_millis(50);

#[tool_router(vis = "pub(super)")]
impl Server {
    /// Writes to the client's log.
    #[tool]
    async fn test_tool_with_logging(&self, peer: Peer<RoleServer>) -> String {
        for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            log(&peer, text).await;
            tokio::time::sleep(PAUSE).await;
        }
        "done".to_owned()
    }

    /// Takes so long that its stream is closed and opened again.
    #[tool]
    async fn test_reconnection(&self) -> String {
        tokio::time::sleep(PAUSE).await;
        "reconnected".to_owned()
    }

    /// Tool with JSON Schema 2020-12 features
    #[tool(input_schema = wide_schema())]
    async fn json_schema_2020_12_tool(&self) -> String {
        "done".to_owned()
    }
}

async fn log(peer: &Peer<RoleServer>, text: &str) {
    let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(text));
    // A client that is gone reads no log.
    drop(peer.notify_logging_message(message).await);
}

fn wide_schema() -> Arc<JsonObject> {
    schema(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    }))
}

fn schema(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    })
}
