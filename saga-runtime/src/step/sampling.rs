//! The words of a conversation with a model: messages, their blocks, and the tools that the model may use.
//!
//! They are an author's values: they can be held across questions, and a tool loop keeps its conversation in one.
//!
//! ```
//! use saga_runtime::step::sampling::{Block, Message, ToolResult};
//!
//! let mut talk = vec![Message::user("What is the weather in Bern?")];
//! // .. let turn = sample(&talk).tool(weather()).await?; talk.push(turn.into()); ..
//! talk.push(Message::tool_results([ToolResult::text("call-1", "sunny")]));
//! assert!(matches!(&talk[1].content[0], Block::ToolResult(result) if !result.is_error));
//! ```

mod wire;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json_text;

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "MCP has these two, and authors match on them")]
pub enum Role {
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Vec<Block>,
}

impl Message {
    /// What the one who asks says.
    pub fn user(block: impl Into<Block>) -> Self {
        Self { role: Role::User, content: vec![block.into()] }
    }

    /// What the model is to have said.
    pub fn assistant(block: impl Into<Block>) -> Self {
        Self { role: Role::Assistant, content: vec![block.into()] }
    }

    /// What the model's tool calls gave: every call of the message before, and nothing else.
    pub fn tool_results(results: impl IntoIterator<Item = ToolResult>) -> Self {
        Self { role: Role::User, content: results.into_iter().map(Block::ToolResult).collect() }
    }

    /// Adds a block.
    #[must_use]
    pub fn and(mut self, block: impl Into<Block>) -> Self {
        self.content.push(block.into());
        self
    }
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Block {
    /// A text.
    Text(String),
    /// A picture.
    Image {
        /// The picture in base64.
        data: String,
        /// Its type, like `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The sound in base64.
        data: String,
        /// Its type, like `audio/wav`.
        mime_type: String,
    },
    /// The model calls a tool.
    ToolUse(ToolUse),
    /// What a tool call gave.
    ToolResult(ToolResult),
    /// A block of a type that is not named here, as it came; in a tool's result also a resource or a link to one.
    Other(#[serde(with = "json_text")] Map<String, Value>),
}

impl Block {
    /// The text, where the block is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Image { .. }
            | Self::Audio { .. }
            | Self::ToolUse(_)
            | Self::ToolResult(_)
            | Self::Other(_) => None,
        }
    }
}

impl From<&str> for Block {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Block {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// The model's call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// What the result must name.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The tool's arguments, as the model wrote them: check them against the tool's schema.
    #[serde(with = "json_text")]
    pub input: Map<String, Value>,
    /// What the client wants to see again with the call (`_meta`).
    #[serde(with = "json_text")]
    pub meta: Option<Map<String, Value>>,
}

/// What a tool call gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call's [`id`](ToolUse::id).
    pub tool_use_id: String,
    /// What it gave, in blocks.
    pub content: Vec<Block>,
    /// What it gave, as data.
    #[serde(with = "json_text")]
    pub structured_content: Option<Value>,
    /// Whether the call failed.
    pub is_error: bool,
    /// What the client wants to see again with the result (`_meta`).
    #[serde(with = "json_text")]
    pub meta: Option<Map<String, Value>>,
}

impl ToolResult {
    /// A result in blocks.
    pub fn new(tool_use_id: impl Into<String>, content: Vec<Block>) -> Self {
        Self {
            tool_use_id: tool_use_id.into(),
            content,
            structured_content: None,
            is_error: false,
            meta: None,
        }
    }

    /// A result that is a text.
    pub fn text(tool_use_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(tool_use_id, vec![Block::Text(text.into())])
    }

    /// A failure, in words that help the model to do better.
    pub fn error(tool_use_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(tool_use_id, text) }
    }

    /// Adds the result as data.
    #[must_use]
    pub fn structured(mut self, content: Value) -> Self {
        self.structured_content = Some(content);
        self
    }
}

/// A tool that the model may use; the author runs it when the model calls it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    #[serde(with = "json_text")]
    definition: Map<String, Value>,
}

impl Tool {
    /// A tool with a JSON schema of its arguments, which must be of type `object`.
    pub fn new(name: impl Into<String>, input_schema: Value) -> Self {
        let mut definition = Map::new();
        definition.insert("name".into(), Value::String(name.into()));
        definition.insert("inputSchema".into(), input_schema);
        Self { definition }
    }

    /// Sets what the model reads about the tool.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with("description", Value::String(description.into()))
    }

    /// Sets a further field of MCP's `Tool`, like `title`, `outputSchema` or `annotations`.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>, value: Value) -> Self {
        self.definition.insert(field.into(), value);
        self
    }
}

/// Whether the model uses tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// The model uses at least one.
    Required,
    /// The model uses none.
    None,
}

/// Which servers' context the client adds to the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum IncludeContext {
    /// None.
    None,
    /// This server's; deprecated by MCP.
    ThisServer,
    /// Every server's; deprecated by MCP.
    AllServers,
}
