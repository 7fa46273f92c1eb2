//! Saga: write an MCP tool that asks questions as one straight async function.
//!
//! `#[saga_tool]` compiles the function into a state machine. At each question the locals that later code needs
//! are serialized and sealed into a token; the next request, on any server, opens the token and goes on *on that
//! line*.

mod clock;
mod context;
mod error;
mod flow;
mod form;
mod frame;
mod held;
mod host;
mod iterate;
mod result;
mod saga;
mod sagas;
mod shape;
mod step;
mod token;
mod tool;

pub mod dialect;
#[cfg(any(feature = "http", feature = "stdio"))]
pub mod serve;

/// What generated code names; not for people.
#[doc(hidden)]
pub mod __private;

pub mod script;

pub use self::error::{IntoToolError, Problem, StepError, ToolError};
