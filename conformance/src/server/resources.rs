//! The resources.

use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use serde_json::json;

use crate::sagas::content::IMAGE;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub(super) fn list() -> ListResourcesResult {
    ListResourcesResult::with_all_items(vec![
        Resource::new(TEXT, "static-text").with_description("A text.").with_mime_type("text/plain"),
        Resource::new(BINARY, "static-binary").with_description("An image.").with_mime_type("image/png"),
        Resource::new(WATCHED, "watched")
            .with_description("To be subscribed to.")
            .with_mime_type("text/plain"),
    ])
}

pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new("test://template/{id}/data", "template");
    let template = template.with_description("The data of an id.").with_mime_type("application/json");
    ListResourceTemplatesResult::with_all_items(vec![template])
}

pub(super) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        TEXT => ResourceContents::text("This is the content of the static text resource.", uri),
        BINARY => ResourceContents::blob(IMAGE, uri).with_mime_type("image/png"),
        WATCHED => ResourceContents::text("Watched.", uri),
        _ => {
            let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
            let id = id.ok_or_else(|| {
                ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))
            })?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}
