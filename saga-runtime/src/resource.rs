//! What a resource may return, and how it becomes MCP's `ReadResourceResult`.

pub(crate) mod address;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::result::{Json, ToolResult};

/// What stands in a resource (`TextResourceContents`, `BlobResourceContents`).
///
/// It has the address and the type that were read and declared, unless it says otherwise.
///
/// ```
/// use saga_runtime::ResourceContents;
/// let day = ResourceContents::text("# Day 1").mime_type("text/markdown").uri("trip://7/days/1");
/// # drop(day);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceContents {
    fields: Map<String, Value>,
}

impl ResourceContents {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { fields: Map::new() }.with("text", text.into())
    }

    /// Bytes that are no text.
    pub fn blob(bytes: impl AsRef<[u8]>) -> Self {
        Self { fields: Map::new() }.with("blob", STANDARD.encode(bytes))
    }

    /// Where it stands.
    #[must_use]
    pub fn uri(self, uri: impl Into<String>) -> Self {
        self.with("uri", uri.into())
    }

    /// Its type, like `text/plain`.
    #[must_use]
    pub fn mime_type(self, mime_type: impl Into<String>) -> Self {
        self.with("mimeType", mime_type.into())
    }

    /// The contents as MCP has them, at this address and of this type where they do not say.
    pub(crate) fn at(self, uri: &str, mime_type: Option<&str>) -> Value {
        let mut fields = self.fields;
        place(&mut fields, uri, mime_type);
        Value::Object(fields)
    }

    fn with(mut self, name: &str, value: String) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }
}

/// Puts contents that do not say so at this address, and gives them this type.
pub(crate) fn place(contents: &mut Map<String, Value>, uri: &str, mime_type: Option<&str>) {
    contents.entry("uri").or_insert_with(|| uri.into());
    if let Some(mime_type) = mime_type {
        contents.entry("mimeType").or_insert_with(|| mime_type.into());
    }
}

impl From<&str> for ResourceContents {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ResourceContents {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<Vec<u8>> for ResourceContents {
    fn from(bytes: Vec<u8>) -> Self {
        Self::blob(bytes)
    }
}

/// A type that a resource may return.
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    label = "not a resource's result",
    note = "return a text (`String`, `&str`), bytes (`Vec<u8>`), `Json(value)`, `ResourceContents`, a `Vec` of them, \
            or a `Result` of these"
)]
pub trait IntoContents {
    /// What stands in the resource.
    ///
    /// # Errors
    ///
    /// The resource's failure.
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError>;
}

macro_rules! one {
    ($($type:ty),*) => {$(
        impl IntoContents for $type {
            fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
                Ok(vec![self.into()])
            }
        }
    )*};
}

one!(String, &str, Vec<u8>, ResourceContents);

impl IntoContents for Vec<ResourceContents> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(self)
    }
}

impl<T: Serialize> IntoContents for Json<T> {
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        let text = serde_json::to_string(&self.0)?;
        Ok(vec![ResourceContents::text(text).mime_type("application/json")])
    }
}

impl<T: IntoContents, E> IntoContents for Result<T, E>
where
    ToolError: From<E>,
{
    fn into_contents(self) -> Result<Vec<ResourceContents>, ToolError> {
        self?.into_contents()
    }
}

/// A resource's end as the host knows ends: what stands in it is the content.
pub(crate) fn result<T: IntoContents>(returned: T) -> Result<ToolResult, ToolError> {
    let contents = returned.into_contents()?.into_iter();
    let content = contents.map(|contents| Value::Object(contents.fields)).collect();
    Ok(ToolResult { content, ..ToolResult::default() })
}
