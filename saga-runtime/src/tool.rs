//! The compiled tool as the host sees it: its definition, its flow, and one function that runs one transition.

use std::pin::Pin;

use serde_json::{Map, Value};

use crate::error::ToolError;
use crate::flow::Flow;
use crate::frame::Frame;
use crate::guard::{Replay, StoreDown};
use crate::result::ToolResult;

/// A boxed future of a transition.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send + 'a>>;

/// What `#[saga_tool]` makes of a function: a tool for servers with the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a saga tool of a server with the context `{C}`",
    note = "write `#[saga_tool]` above the function, and pass the context to `.context(..)` before `.tool::<..>()`"
)]
pub trait Tool<C: ?Sized> {
    /// What clients are told about the tool.
    fn definition() -> Definition;

    /// The tool's flow graph, known at compile time.
    fn flow() -> &'static Flow;

    /// Runs one transition: from the start or from the frame's position, to the next suspension or the end.
    fn run<'a>(frame: &'a Frame, arguments: &'a Map<String, Value>, context: &'a C) -> Running<'a>;
}

/// What clients are told about a tool (MCP's `Tool`), and how its sagas are kept.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// The name that clients call.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The function's documentation.
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The JSON Schema of the structured content.
    pub output_schema: Option<Value>,
    /// MCP's `ToolAnnotations`.
    pub annotations: Map<String, Value>,
    /// How its sagas are kept.
    pub policy: Policy,
}

impl Definition {
    /// A tool of this name with these schemas.
    #[must_use]
    pub fn new(name: &'static str, input_schema: Value, output_schema: Option<Value>) -> Self {
        let (title, description, annotations) = (None, None, Map::new());
        let policy = Policy::default();
        Self { name, title, description, input_schema, output_schema, annotations, policy }
    }

    /// The tool as `tools/list` shows it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("name".into(), self.name.into());
        if let Some(title) = self.title {
            object.insert("title".into(), title.into());
        }
        if let Some(description) = &self.description {
            object.insert("description".into(), description.as_str().into());
        }
        object.insert("inputSchema".into(), self.input_schema.clone());
        if let Some(schema) = &self.output_schema {
            object.insert("outputSchema".into(), schema.clone());
        }
        if !self.annotations.is_empty() {
            object.insert("annotations".into(), Value::Object(self.annotations.clone()));
        }
        Value::Object(object)
    }
}

/// How a tool's sagas are kept: `None` takes the server's setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// Seconds that one question may wait for its answer.
    pub ttl: Option<u32>,
    /// Seconds that a saga may take from its start.
    pub max_age: Option<u32>,
    /// How often a saga may suspend.
    pub max_rounds: Option<u16>,
    /// How often one question may be asked.
    pub attempts: Option<u8>,
    /// How often a token may be used; `None` is once where the server has a guard.
    pub replay: Option<Replay>,
    /// What to do while the guard cannot be asked; `None` refuses.
    pub store_down: Option<StoreDown>,
}
