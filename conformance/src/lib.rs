//! The fixtures of MCP's official conformance suite: what asks is a saga, what does not is rmcp's own.

mod long;
pub mod sagas;
pub mod server;
