//! The one resource that needs rmcp, since clients subscribe to it.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::json;

const WATCHED: &str = "test://watched-resource";

pub(super) fn watched() -> Resource {
    Resource::new(WATCHED, "watched").with_description("To be subscribed to.").with_mime_type("text/plain")
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    match uri {
        WATCHED => Ok(ReadResourceResult::new(vec![ResourceContents::text("Watched.", uri)])),
        _ => Err(ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))),
    }
}
