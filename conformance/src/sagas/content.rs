//! The fixtures that ask nothing: every kind of content, and a failure.

use std::time::Duration;

use saga_runtime::{Progress, Saga, ToolError, ToolResult, saga_tool};
use serde_json::{Value, json};

/// A red pixel.
pub(crate) const IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// A sound without a sample.
const AUDIO: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

fn blocks(blocks: impl IntoIterator<Item = Value>) -> ToolResult {
    let mut result = ToolResult::default();
    result.content.extend(blocks);
    result
}

fn image() -> Value {
    json!({ "type": "image", "data": IMAGE, "mimeType": "image/png" })
}

/// A text.
#[saga_tool]
pub(super) async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// An image.
#[saga_tool]
pub(super) async fn test_image_content() -> ToolResult {
    blocks([image()])
}

/// A sound.
#[saga_tool]
pub(super) async fn test_audio_content() -> ToolResult {
    blocks([json!({ "type": "audio", "data": AUDIO, "mimeType": "audio/wav" })])
}

/// A resource, whole.
#[saga_tool]
pub(super) async fn test_embedded_resource() -> ToolResult {
    let text = "This is an embedded resource content.";
    let resource = json!({ "uri": "test://embedded-resource", "mimeType": "text/plain", "text": text });
    blocks([json!({ "type": "resource", "resource": resource })])
}

/// Three kinds of content.
#[saga_tool]
pub(super) async fn test_multiple_content_types() -> ToolResult {
    let text = json!({ "test": "data", "value": 123 }).to_string();
    let resource =
        json!({ "uri": "test://mixed-content-resource", "mimeType": "application/json", "text": text });
    blocks([
        json!({ "type": "text", "text": "Multiple content types test:" }),
        image(),
        json!({ "type": "resource", "resource": resource }),
    ])
}

/// Tells how far it is.
#[saga_tool]
pub(super) async fn test_tool_with_progress(#[context] saga: &Saga) -> &'static str {
    for done in [0, 50, 100] {
        saga.progress(Progress::new(done).total(100));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "done"
}

/// Writes nothing to the client's log, which no request asks for.
#[saga_tool]
pub(super) async fn test_logging_tool() -> &'static str {
    "done"
}

/// A failure.
#[saga_tool]
pub(super) async fn test_error_handling() -> Result<String, ToolError> {
    Err(ToolError::new("This tool intentionally returns an error for testing"))
}
