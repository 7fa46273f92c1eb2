//! The fixtures of MCP's official conformance suite: what asks is a saga, what does not is rmcp's own.

mod long;
pub mod sagas;
pub mod server;

/// The README's tool.
#[expect(dead_code, reason = "its own command line is the example's")]
#[path = "../../examples/deploy.rs"]
mod deploy;
