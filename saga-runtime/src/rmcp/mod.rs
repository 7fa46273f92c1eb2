//! Sagas in an [rmcp](https://docs.rs/rmcp) server, beside its own tools: rmcp has the transport, the sessions and the lists, and
//! hands a saga's calls to the host.
//!
//! ```ignore
//! #[tool_router]
//! impl Counter {
//!     fn new(sagas: &Sagas) -> Self {
//!         Self { tool_router: Self::tool_router() + sagas.tool_router(), .. }
//!     }
//!
//!     #[tool]
//!     fn read(&self) -> String { .. }
//! }
//!
//! #[tool_handler(router = self.tool_router)]
//! impl ServerHandler for Counter {}
//!
//! /// Sets the counter to zero, if the person agrees.
//! #[saga_tool]
//! async fn reset(#[context] counter: &Counter) -> Result<String, ToolError> {
//!     let sure: Sure = elicit(format!("The counter stands at {}. Reset it?", counter.read())).await?;
//!     ..
//! }
//!
//! let sagas = Sagas::builder("counter", "1.0.0").served_by::<Counter>().tool::<reset>().build()?;
//! ```
//!
//! A client of MCP 2026-07-28 gets one transition per request. An older one on a session or on standard input is
//! asked in place, by requests of the server's, while its call stays open.

mod call;
mod custom;
mod form;
#[doc(hidden)]
pub mod method;
mod progress;
mod push;
mod router;
#[cfg(feature = "stdio")]
mod stdio;
mod wire;

pub use saga_macros::rmcp_tool as tool;
