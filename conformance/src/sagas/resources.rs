//! The resources that only answer.

use saga_runtime::{Json, saga_resource};
use serde_json::{Value, json};

/// A text.
#[saga_resource(uri = "test://static-text", mime_type = "text/plain")]
pub(super) async fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// An image.
#[saga_resource(uri = "test://static-binary", mime_type = "image/png")]
pub(super) async fn static_binary() -> Vec<u8> {
    super::content::PIXEL.to_vec()
}

/// The data of an id.
#[saga_resource(uri = "test://template/{id}/data", mime_type = "application/json")]
pub(super) async fn template(id: String) -> Json<Value> {
    Json(json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }))
}
