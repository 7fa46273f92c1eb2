//! What generated code names. Not for people, and not guarded by semver: the macros are of the same version.

use std::convert::Infallible;
use std::future::{pending, ready};

pub use schemars;
pub use serde;
use serde::de::DeserializeOwned;
use serde_json::Map;
pub use serde_json::Value;
pub use std::option::Option::{None, Some};
pub use std::result::Result::{Err, Ok};

pub use crate::advance::*;
pub use crate::context::Provides;
use crate::error::ToolError;
pub use crate::flow::{Edge, Flow, Node, NodeKind};
use crate::frame::probes;
pub use crate::frame::{Frame, Holding, Passed, Slot, enter};
pub use crate::guard::{Replay, StoreDown};
pub use crate::host::Registered;
pub use crate::iterate::*;
use crate::mirror;
use crate::prompt::{self, IntoMessages};
use crate::resource::{self, IntoContents};
pub use crate::result::IntoToolResult;
use crate::result::ToolResult;
#[cfg(feature = "rmcp")]
pub use crate::rmcp::method as rmcp;
pub use crate::script;
use crate::shape::samples;
pub use crate::step::StepKind;
use crate::texts;
pub use crate::tool::{Definition, Kind, Machine, Place, Prompt, Resource, Running, Tool};

/// A tool's arguments as they come.
pub type JsonObject = Map<String, Value>;

/// Says to the borrow checker that a borrow is still in use.
pub const fn touch<T: ?Sized>(_: &T) {}

/// The next item of a loop.
pub fn next<I: Iterator>(iterator: &mut I) -> Option<I::Item> {
    iterator.next()
}

/// The iterator of a loop.
pub fn into_iter<I: IntoIterator>(source: I) -> I::IntoIter {
    source.into_iter()
}

/// Where a function stays that has left.
pub async fn left() -> Infallible {
    pending().await
}

/// Stands where control does not come.
#[expect(clippy::panic, reason = "control does not come here; if it does, saga-macros has a bug")]
pub fn unreachable() -> ! {
    panic!("code after a suspension was reached; this is a bug in saga-macros")
}

/// The JSON Schema of a tool's arguments.
#[must_use]
pub fn schema<T: schemars::JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    if let Some(object) = schema.as_object_mut() {
        // The name of the generated type.
        object.remove("title");
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        mirror::make_plain(object);
    }
    schema
}

/// Reads the arguments and runs the tool with them; arguments that do not fit are the tool's failure, which the
/// model can read and mend.
pub fn run<'a, T, F, R>(arguments: &'a JsonObject, tool: F) -> Running<'a>
where
    T: DeserializeOwned,
    F: FnOnce(T) -> R + Send + 'a,
    R: Future<Output = Result<ToolResult, ToolError>> + Send + 'a,
{
    run_with(|| T::deserialize(arguments), tool)
}

/// Reads arguments that come as texts, and runs the prompt or the resource with them.
pub fn run_with_texts<'a, T, F, R>(arguments: &'a JsonObject, machine: F) -> Running<'a>
where
    T: DeserializeOwned,
    F: FnOnce(T) -> R + Send + 'a,
    R: Future<Output = Result<ToolResult, ToolError>> + Send + 'a,
{
    run_with(|| texts::read(arguments), machine)
}

fn run_with<'a, T, F, R>(read: impl FnOnce() -> Result<T, serde_json::Error>, machine: F) -> Running<'a>
where
    T: DeserializeOwned,
    F: FnOnce(T) -> R + Send + 'a,
    R: Future<Output = Result<ToolResult, ToolError>> + Send + 'a,
{
    let arguments = if probes() {
        let made_up = samples(1).pop();
        made_up.ok_or_else(|| serde::de::Error::custom("no arguments can be made up"))
    } else {
        read()
    };
    match arguments {
        Ok(arguments) => Box::pin(machine(arguments)),
        Err(error) => Box::pin(ready(Err(ToolError::new(format!("the arguments do not fit: {error}"))))),
    }
}

/// A prompt's end.
///
/// # Errors
///
/// The prompt's failure.
pub fn prompt_result<T: IntoMessages>(returned: T) -> Result<ToolResult, ToolError> {
    prompt::result(returned)
}

/// A resource's end.
///
/// # Errors
///
/// The resource's failure.
pub fn resource_result<T: IntoContents>(returned: T) -> Result<ToolResult, ToolError> {
    resource::result(returned)
}
