//! The tools that ask nothing: every kind of content, progress, and a failure.

use std::time::Duration;

use saga_runtime::{Content, Progress, ResourceContents, Saga, ToolError, ToolResult, saga_tool};
use serde_json::json;

/// A red pixel.
pub(super) const PIXEL: &[u8] = include_bytes!("pixel.png");
/// A sound without a sample.
const SILENCE: &[u8] = include_bytes!("silence.wav");

/// A text.
#[saga_tool]
pub(super) async fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// An image.
#[saga_tool]
pub(super) async fn test_image_content() -> ToolResult {
    ToolResult::new([Content::image(PIXEL, "image/png")])
}

/// A sound.
#[saga_tool]
pub(super) async fn test_audio_content() -> ToolResult {
    ToolResult::new([Content::audio(SILENCE, "audio/wav")])
}

/// A resource, whole.
#[saga_tool]
pub(super) async fn test_embedded_resource() -> ToolResult {
    let contents = ResourceContents::text("This is an embedded resource content.").mime_type("text/plain");
    ToolResult::new([Content::resource("test://embedded-resource", contents)])
}

/// Three kinds of content.
#[saga_tool]
pub(super) async fn test_multiple_content_types() -> ToolResult {
    let data = json!({ "test": "data", "value": 123 }).to_string();
    let contents = ResourceContents::text(data).mime_type("application/json");
    ToolResult::new([
        Content::text("Multiple content types test:"),
        Content::image(PIXEL, "image/png"),
        Content::resource("test://mixed-content-resource", contents),
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

/// Has an argument that a header repeats.
#[saga_tool]
pub(super) async fn test_header_argument(#[header = "Region"] region: String) -> String {
    region
}

/// A failure.
#[saga_tool]
pub(super) async fn test_error_handling() -> Result<String, ToolError> {
    Err(ToolError::new("This tool intentionally returns an error for testing"))
}
