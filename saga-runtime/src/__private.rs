//! What generated code names. Not for people, and not guarded by semver: the macros are of the same version.

pub mod counted;

use std::convert::Infallible;
use std::future::{Pending, pending};
use std::marker::PhantomData;

use serde_json::Map;
pub use serde_json::Value;
pub use std::option::Option::{None, Some};
pub use std::result::Result::{Err, Ok};

pub use crate::advance::*;
pub use crate::again::*;
pub use crate::arguments::{Argument, Given, Signature};
pub use crate::context::Provides;
use crate::error::ToolError;
pub use crate::flow::{Edge, Flow, Node, NodeKind};
pub use crate::frame::{
    Frame, Holding, Known, OfKnown, OfRefused, OfUnknown, Passed, Received, Receiver, Slot, Source,
    StaysBehind, TakesSelf, Texts, Untied, enter, known, stable, stays,
};
pub use crate::guard::{Replay, StoreDown};
pub use crate::host::Registered;
pub use crate::iterate::*;
pub use crate::lend::*;
pub use crate::owned::*;
use crate::prompt::{self, IntoMessages};
use crate::resource::{self, IntoContents};
pub use crate::result::IntoToolResult;
use crate::result::ToolResult;
#[cfg(feature = "rmcp")]
pub use crate::rmcp::method as rmcp;
pub use crate::script;
pub use crate::step::StepKind;
pub use crate::tool::{Definition, Kind, Machine, Place, Prompt, Resource, Running, Tool};

/// A tool's arguments as they come.
pub type JsonObject = Map<String, Value>;

/// Says to the borrow checker that a borrow is still in use.
pub const fn touch<T: ?Sized>(_: &T) {}

/// The next item of a loop.
pub fn next<I: Iterator>(iterator: &mut I) -> Option<I::Item> {
    iterator.next()
}

/// The next item of a loop that is for some of them.
pub fn find<I: Iterator>(iterator: &mut I, sieve: impl FnMut(&I::Item) -> bool) -> Option<I::Item> {
    iterator.find(sieve)
}

/// The iterator of a loop.
pub fn into_iter<I: IntoIterator<IntoIter = J>, J>(source: I) -> J {
    source.into_iter()
}

/// A tool where it is called like a function. Of any lifetime: rustc looks at the bound where it is called only.
#[derive(Debug)]
pub struct ATool<'c>(PhantomData<&'c ()>);

/// What can be called like a function.
#[diagnostic::on_unimplemented(
    message = "a tool is not called like a function, since each of its questions ends the request",
    label = "called like a function",
    note = "move what both ask into a `#[saga] async fn`, and write `call(..)` of that in each"
)]
pub trait Called {}

/// What a tool would give that is called like a function.
pub type Uncalled<T> = Pending<T>;

/// Nothing is given.
pub fn uncalled<T>() -> Uncalled<T> {
    pending()
}

/// Where a function stays that has left.
pub fn left() -> Pending<Infallible> {
    pending()
}

/// Stands where control does not come.
#[expect(clippy::panic, reason = "control does not come here; if it does, saga-macros has a bug")]
pub fn unreachable() -> ! {
    panic!("code after a suspension was reached; this is a bug in saga-macros")
}

/// A transition, boxed: of a machine, and then of what the host makes of its output.
pub fn running<'a, R: 'a>(
    machine: impl Future<Output = R> + Send + 'a,
    end: fn(R) -> Result<ToolResult, ToolError>,
) -> Running<'a> {
    Box::pin(async move { end(machine.await) })
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
