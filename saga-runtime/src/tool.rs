//! The compiled function as the host sees it: its definition, its flow, and one function that runs one transition.
//! A tool, a prompt and a resource are the same to it; what parts them is how clients come to them.

use std::pin::Pin;

use serde_json::{Map, Value};

use crate::arguments::Signature;
use crate::dialect::Fields;
use crate::dialect::fields::Part;
use crate::error::ToolError;
use crate::flow::Flow;
#[cfg(feature = "cli")]
use crate::form::FormSchema;
use crate::frame::Frame;
use crate::guard::{Replay, StoreDown};
use crate::result::ToolResult;

/// A boxed future of a transition.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send + 'a>>;

/// What the compiler makes of a function, for servers with the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a compiled function of a server with the context `{C}`",
    note = "write `#[saga_tool]`, `#[saga_prompt]` or `#[saga_resource]` above the function"
)]
pub trait Machine<C: ?Sized> {
    /// What clients are told about it.
    fn definition() -> Definition;

    /// Its flow graph, known at compile time.
    fn flow() -> &'static Flow;

    /// Runs one transition: from the start or from the frame's position, to the next suspension or the end.
    fn run<'a>(frame: &'a Frame, arguments: &'a Map<String, Value>, context: &'a C) -> Running<'a>;
}

/// What `#[saga_tool]` makes of a function: a tool for servers with the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a saga tool of a server with the context `{C}`",
    note = "write `#[saga_tool]` above the function, and pass the context to `.context(..)` before `.tool::<..>()`"
)]
pub trait Tool<C: ?Sized>: Machine<C> {}

/// What `#[saga_prompt]` makes of a function: a prompt for servers with the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a saga prompt of a server with the context `{C}`",
    note = "write `#[saga_prompt]` above the function, and pass the context to `.context(..)` before \
            `.prompt::<..>()`"
)]
pub trait Prompt<C: ?Sized>: Machine<C> {}

/// What `#[saga_resource]` makes of a function: a resource, or a template of them, for servers with the context `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a saga resource of a server with the context `{C}`",
    note = "write `#[saga_resource(uri = \"..\")]` above the function, and pass the context to `.context(..)` before \
            `.resource::<..>()`"
)]
pub trait Resource<C: ?Sized>: Machine<C> {}

/// What clients are told about a tool (MCP's `Tool`), a prompt (`Prompt`) or a resource (`Resource`,
/// `ResourceTemplate`), and how its sagas are kept.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// How clients come to it.
    pub kind: Kind,
    /// The name that clients call.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The function's documentation.
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The arguments' names, in the order of the parameters, which the schema does not keep.
    pub arguments: Vec<&'static str>,
    /// The JSON Schema of the structured content.
    pub output_schema: Option<Value>,
    /// MCP's `ToolAnnotations`, or a resource's `Annotations`.
    pub annotations: Map<String, Value>,
    /// How its sagas are kept.
    pub policy: Policy,
}

impl Definition {
    /// A tool of this name with these arguments, and this schema of its structured content.
    #[must_use]
    pub fn new(name: &'static str, mut signature: Signature, output_schema: Option<Value>) -> Self {
        let arguments = std::mem::take(&mut signature.names);
        Self {
            kind: Kind::Tool,
            name,
            title: None,
            description: None,
            input_schema: signature.schema(),
            arguments,
            output_schema,
            annotations: Map::new(),
            policy: Policy::default(),
        }
    }

    /// It as the method that lists its kind shows it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.fields().into_json()
    }

    /// The same, with the arguments in their order.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = Fields::new().with("name", self.name);
        if let Some(title) = self.title {
            fields.push("title", title);
        }
        if let Some(description) = &self.description {
            fields.push("description", description.clone());
        }
        match self.kind {
            Kind::Tool => {
                fields.push("inputSchema", self.schema());
                if let Some(schema) = &self.output_schema {
                    fields.push("outputSchema", schema.clone());
                }
            }
            Kind::Prompt => fields.push("arguments", self.prompt_arguments()),
            Kind::Resource(place) => {
                fields.push(if place.is_template() { "uriTemplate" } else { "uri" }, place.uri);
                if let Some(mime_type) = place.mime_type {
                    fields.push("mimeType", mime_type);
                }
            }
        }
        if !self.annotations.is_empty() {
            fields.push("annotations", self.annotations.clone());
        }
        fields
    }

    /// The schema of the arguments, which are in their order.
    pub(crate) fn schema(&self) -> Part {
        let Value::Object(schema) = &self.input_schema else { return self.input_schema.clone().into() };
        let mut fields = Fields::new();
        for (name, value) in schema {
            if name == "properties" {
                let mut properties = Fields::new();
                for (argument, schema) in self.properties() {
                    properties.push(argument.to_owned(), schema.clone());
                }
                fields.push("properties", properties);
            } else {
                fields.push(name.clone(), value.clone());
            }
        }
        fields.into()
    }

    /// The arguments as a form, where they are as flat as one.
    #[cfg(feature = "cli")]
    pub(crate) fn form(&self) -> Option<FormSchema> {
        serde_json::from_str(&serde_json::to_string(&self.schema()).ok()?).ok()
    }

    /// The arguments and their schemas, in their order.
    fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        let ordered = self.arguments.iter().filter_map(move |name| Some((*name, properties?.get(*name)?)));
        let others = properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema));
        ordered.chain(others.filter(|(name, _)| !self.arguments.contains(name)))
    }

    /// A prompt's arguments (`PromptArgument`): each is a text, which has a name and no schema.
    fn prompt_arguments(&self) -> Vec<Part> {
        let argument = |(name, schema): (&str, &Value)| {
            let mut argument = Fields::new().with("name", name.to_owned());
            for field in ["title", "description"] {
                if let Some(text) = schema.get(field) {
                    argument.push(field, text.clone());
                }
            }
            argument.with("required", Value::from(self.requires(name))).into()
        };
        self.properties().map(argument).collect()
    }

    /// Whether an argument may not be left out.
    fn requires(&self, argument: &str) -> bool {
        self.required().any(|required| required == argument)
    }

    /// The arguments that may not be left out.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.input_schema.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }
}

/// How clients come to a compiled function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "MCP has these three requests that may ask for input")]
pub enum Kind {
    /// By name, with arguments: `tools/call`.
    Tool,
    /// By name, with texts as arguments: `prompts/get`.
    Prompt,
    /// By address: `resources/read`.
    Resource(Place),
}

impl Kind {
    /// The word for it in a sentence.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource(_) => "resource",
        }
    }
}

/// Where a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The address, or a template of addresses (RFC 6570) with the variables `{one_segment}` and `{+several}`. A value
    /// is what the segment says when it is decoded, and may itself hold a `/` or be `..`: a client writes `%2F` and
    /// `%2E%2E`. Check it before it becomes a part of a path.
    pub uri: &'static str,
    /// The type of what stands there, like `text/plain`.
    pub mime_type: Option<&'static str>,
    /// For how many seconds a client may keep what it read, if the resource asks nothing.
    pub cache: u32,
}

impl Place {
    /// At this address.
    #[must_use]
    pub const fn new(uri: &'static str) -> Self {
        Self { uri, mime_type: None, cache: 0 }
    }

    /// Whether many resources are there.
    pub(crate) fn is_template(self) -> bool {
        self.uri.contains('{')
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
