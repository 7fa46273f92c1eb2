//! What results are made of: MCP's content blocks, for models and people to read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::resource::ResourceContents;
use crate::step::sampling::Role;

/// One part of a result (`ContentBlock`).
///
/// ```
/// use saga_runtime::{Content, ResourceLink, ToolResult};
/// let plan = ResourceLink::new("trip://7/plan", "plan").mime_type("text/plain");
/// let result = ToolResult::new([
///     Content::text("booked"),
///     Content::image([0x89, b'P', b'N', b'G'], "image/png").priority(0.3),
///     plan.into(),
/// ]);
/// assert_eq!(result.content[2]["type"], "resource_link");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    block: Map<String, Value>,
}

impl Content {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(json!({ "type": "text", "text": text.into() }))
    }

    /// A picture of this type, like `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::of(json!({ "type": "image", "data": STANDARD.encode(bytes), "mimeType": mime_type.into() }))
    }

    /// A sound of this type, like `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::of(json!({ "type": "audio", "data": STANDARD.encode(bytes), "mimeType": mime_type.into() }))
    }

    /// What stands at this address, sent along.
    pub fn resource(uri: impl Into<String>, contents: impl Into<ResourceContents>) -> Self {
        let contents = contents.into().at(&uri.into(), None);
        Self::of(json!({ "type": "resource", "resource": contents }))
    }

    /// Whom it is meant for; everybody where nothing is said.
    #[must_use]
    pub fn audience(self, roles: impl IntoIterator<Item = Role>) -> Self {
        self.annotated("audience", roles.into_iter().map(Role::name).collect())
    }

    /// How much it matters, from 0 (not at all) to 1 (it must be read).
    #[must_use]
    pub fn priority(self, priority: f64) -> Self {
        self.annotated("priority", priority.clamp(0.0, 1.0).into())
    }

    /// When it changed last, in the format of ISO 8601.
    #[must_use]
    pub fn last_modified(self, time: impl Into<String>) -> Self {
        self.annotated("lastModified", time.into().into())
    }

    /// The block as MCP has it.
    #[must_use]
    pub fn into_json(self) -> Value {
        Value::Object(self.block)
    }

    fn annotated(mut self, name: &str, value: Value) -> Self {
        if let Value::Object(annotations) = self.block.entry("annotations").or_insert_with(|| json!({})) {
            annotations.insert(name.to_owned(), value);
        }
        self
    }

    fn of(block: Value) -> Self {
        match block {
            Value::Object(block) => Self { block },
            _ => Self { block: Map::new() },
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Self {
        Self { block: link.fields }
    }
}

/// A resource that the client may read if it wants to (`ResourceLink`).
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceLink {
    fields: Map<String, Value>,
}

impl ResourceLink {
    /// The resource of this address and name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        let block = Content::of(json!({ "type": "resource_link", "uri": uri.into(), "name": name.into() }));
        Self { fields: block.block }
    }

    /// A name for people.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", title.into().into())
    }

    /// What it is, for the model to read.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with("description", description.into().into())
    }

    /// Its type, like `text/plain`.
    #[must_use]
    pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
        self.with("mimeType", mime_type.into().into())
    }

    /// How large it is, in bytes.
    #[must_use]
    pub fn size(self, bytes: u64) -> Self {
        self.with("size", bytes.into())
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_owned(), value);
        self
    }
}
