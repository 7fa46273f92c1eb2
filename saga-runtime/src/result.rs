//! What a tool may return, and how it becomes MCP's `CallToolResult`.

use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::content::Content;
use crate::error::ToolError;

/// The result of a tool as the client gets it (`CallToolResult`), or what became of a prompt or a resource.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ToolResult {
    /// Content blocks (`ContentBlock`), for the model to read. Of a prompt its messages (`PromptMessage`), of a resource
    /// what stands in it (`ResourceContents`).
    pub content: Vec<Value>,
    /// A value that fits the tool's output schema.
    pub structured: Option<Value>,
    /// Whether the content tells of a failure.
    pub is_error: bool,
}

impl ToolResult {
    /// These blocks.
    pub fn new(content: impl IntoIterator<Item = Content>) -> Self {
        Self { content: content.into_iter().map(Content::into_json).collect(), ..Self::default() }
    }

    /// One block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![json!({ "type": "text", "text": text.into() })], ..Self::default() }
    }

    /// A failure that the model can read.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// The text blocks, joined.
    #[must_use]
    pub fn to_text(&self) -> String {
        let blocks = self.content.iter().filter_map(text_of);
        blocks.collect::<Vec<_>>().join("\n")
    }

    /// The fields of a `CallToolResult`, without `resultType` and `_meta`.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        self.clone().into_json()
    }

    /// The same, by value.
    #[must_use]
    pub fn into_json(self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("content".into(), Value::Array(self.content));
        if let Some(structured) = self.structured {
            object.insert("structuredContent".into(), structured);
        }
        if self.is_error {
            object.insert("isError".into(), Value::Bool(true));
        }
        object
    }
}

/// A type that a tool may return.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "not a tool's result",
    note = "return text (`String`, `&str`, numbers, `bool`, `()`), `Json(value)` for structured content, \
            `Content` or a `Vec` of it, `ToolResult`, or an `Option` or `Result` of these"
)]
pub trait IntoToolResult {
    /// The schema of the structured content, if the type has any.
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }

    /// The result as the client gets it.
    ///
    /// # Errors
    ///
    /// The tool's failure.
    fn into_tool_result(self) -> Result<ToolResult, ToolError>;
}

/// A value that is returned as structured content, with its schema as the tool's output schema.
///
/// Held across a question it travels as JSON text. That is for values that a sealed state cannot describe:
/// `serde_json::Value`, and types with serde's `flatten`, `untagged`, `tag` or `content`.
///
/// ```
/// use saga_runtime::Json;
/// let order = Json(serde_json::json!({ "items": 3 }));
/// assert_eq!(order.0["items"], 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a newtype to be made and matched by authors")]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema> IntoToolResult for Json<T> {
    fn output_schema() -> Option<Value> {
        Some(schema_for!(T).to_value())
    }

    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        // MCP asks for the same as text, for clients that do not read structured content.
        let text = serde_json::to_string(&self.0)?;
        Ok(ToolResult { structured: Some(serde_json::to_value(&self.0)?), ..ToolResult::text(text) })
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(self)
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::new([self]))
    }
}

impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::new(self))
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        Ok(ToolResult::default())
    }
}

macro_rules! text_results {
    ($($type:ty),*) => {$(
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> Result<ToolResult, ToolError> {
                Ok(ToolResult::text(self.to_string()))
            }
        }
    )*};
}

text_results!(
    String, &str, bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64
);

impl<T: IntoToolResult> IntoToolResult for Option<T> {
    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        self.map_or_else(|| Ok(ToolResult::default()), IntoToolResult::into_tool_result)
    }
}

impl<T: IntoToolResult, E> IntoToolResult for Result<T, E>
where
    ToolError: From<E>,
{
    fn output_schema() -> Option<Value> {
        T::output_schema()
    }

    fn into_tool_result(self) -> Result<ToolResult, ToolError> {
        self?.into_tool_result()
    }
}

/// The text of a content block, of a prompt's message or of a resource's contents.
fn text_of(block: &Value) -> Option<&str> {
    block.get("text").or_else(|| block.get("content")?.get("text"))?.as_str()
}
