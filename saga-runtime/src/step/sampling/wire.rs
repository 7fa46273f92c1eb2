//! The words of a conversation as MCP writes them, and back. What comes back is read in full: a wrong shape is a
//! fault with its place, never a panic.

use serde_json::{Map, Value, json};

use super::{Block, IncludeContext, Message, Role, Tool, ToolChoice, ToolResult, ToolUse};
use crate::error::Problem;

impl Role {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    pub(in crate::step) fn read(value: &Value) -> Option<Self> {
        match value.as_str() {
            Some("user") => Some(Self::User),
            Some("assistant") => Some(Self::Assistant),
            _ => None,
        }
    }
}

impl ToolChoice {
    pub(in crate::step) fn to_json(self) -> Value {
        let mode = match self {
            Self::Auto => "auto",
            Self::Required => "required",
            Self::None => "none",
        };
        json!({ "mode": mode })
    }
}

impl IncludeContext {
    pub(in crate::step) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ThisServer => "thisServer",
            Self::AllServers => "allServers",
        }
    }
}

impl Tool {
    pub(in crate::step) fn to_json(&self) -> Value {
        Value::Object(self.definition.clone())
    }
}

impl Message {
    /// One block stands alone: clients before 2025-11-25 know no list.
    pub(in crate::step) fn to_json(&self) -> Value {
        let content = match self.content.as_slice() {
            [block] => block.to_json(),
            blocks => blocks.iter().map(Block::to_json).collect(),
        };
        json!({ "role": self.role.name(), "content": content })
    }
}

impl Block {
    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => json!({ "type": "text", "text": text }),
            Self::Image { data, mime_type } => {
                json!({ "type": "image", "data": data, "mimeType": mime_type })
            }
            Self::Audio { data, mime_type } => {
                json!({ "type": "audio", "data": data, "mimeType": mime_type })
            }
            Self::ToolUse(call) => call.to_json(),
            Self::ToolResult(result) => result.to_json(),
            Self::Other(block) => Value::Object(block.clone()),
        }
    }

    /// Reads one block or a list of them; `place` is where they stand in the answer.
    pub(in crate::step) fn read_content(content: &Value, place: &str) -> Result<Vec<Self>, Problem> {
        match content {
            Value::Array(blocks) => {
                let blocks = blocks.iter().enumerate();
                blocks.map(|(index, block)| Self::read(block, &format!("{place}[{index}]"))).collect()
            }
            Value::Object(_) => Ok(vec![Self::read(content, place)?]),
            _ => Err(Problem::field(place, "must be an object or a list")),
        }
    }

    fn read(value: &Value, place: &str) -> Result<Self, Problem> {
        let block = value.as_object().ok_or_else(|| Problem::field(place, "must be an object"))?;
        let text = |name: &str| match block.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(Problem::field(place, format!("must have a text as its `{name}`"))),
        };
        let object = |name: &str| block.get(name).and_then(Value::as_object).cloned();
        match text("type")?.as_str() {
            "text" => Ok(Self::Text(text("text")?)),
            "image" => Ok(Self::Image { data: text("data")?, mime_type: text("mimeType")? }),
            "audio" => Ok(Self::Audio { data: text("data")?, mime_type: text("mimeType")? }),
            "tool_use" => {
                let input = object("input");
                let input =
                    input.ok_or_else(|| Problem::field(place, "must have an object as its `input`"))?;
                Ok(Self::ToolUse(ToolUse {
                    id: text("id")?,
                    name: text("name")?,
                    input,
                    meta: object("_meta"),
                }))
            }
            "tool_result" => {
                let content = block.get("content").filter(|content| content.is_array());
                let content =
                    content.ok_or_else(|| Problem::field(place, "must have a list as its `content`"))?;
                Ok(Self::ToolResult(ToolResult {
                    tool_use_id: text("toolUseId")?,
                    content: Self::read_content(content, &format!("{place}.content"))?,
                    structured_content: block.get("structuredContent").cloned(),
                    is_error: block.get("isError").and_then(Value::as_bool).unwrap_or(false),
                    meta: object("_meta"),
                }))
            }
            _ => Ok(Self::Other(block.clone())),
        }
    }
}

impl ToolUse {
    fn to_json(&self) -> Value {
        let mut call = Map::new();
        call.insert("type".into(), "tool_use".into());
        call.insert("id".into(), self.id.as_str().into());
        call.insert("name".into(), self.name.as_str().into());
        call.insert("input".into(), Value::Object(self.input.clone()));
        if let Some(meta) = &self.meta {
            call.insert("_meta".into(), Value::Object(meta.clone()));
        }
        Value::Object(call)
    }
}

impl ToolResult {
    fn to_json(&self) -> Value {
        let mut result = Map::new();
        result.insert("type".into(), "tool_result".into());
        result.insert("toolUseId".into(), self.tool_use_id.as_str().into());
        result.insert("content".into(), self.content.iter().map(Block::to_json).collect());
        if let Some(content) = &self.structured_content {
            result.insert("structuredContent".into(), content.clone());
        }
        if self.is_error {
            result.insert("isError".into(), true.into());
        }
        if let Some(meta) = &self.meta {
            result.insert("_meta".into(), Value::Object(meta.clone()));
        }
        Value::Object(result)
    }
}
