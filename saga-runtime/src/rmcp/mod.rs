//! Sagas in an [rmcp](::rmcp) server, beside its own tools: rmcp has the transport, the sessions and the lists, and
//! hands a saga's calls to the host.
//!
//! ```
//! use rmcp::handler::server::router::tool::ToolRouter;
//! use rmcp::{ServerHandler, tool, tool_handler, tool_router};
//! use saga_runtime::{Form, Sagas, ToolError, elicit, saga_tool};
//! use serde::{Deserialize, Serialize};
//!
//! struct Counter {
//!     tool_router: ToolRouter<Self>,
//! }
//!
//! #[tool_router]
//! impl Counter {
//!     fn new(sagas: &Sagas) -> Self {
//!         Self { tool_router: Self::tool_router() + sagas.tool_router() }
//!     }
//!
//!     #[tool]
//!     fn read(&self) -> String {
//!         "3".to_owned()
//!     }
//! }
//!
//! #[tool_handler(router = self.tool_router)]
//! impl ServerHandler for Counter {}
//!
//! /// Sets the counter to zero, if the person agrees.
//! #[saga_tool]
//! async fn reset(#[context] counter: &Counter) -> Result<String, ToolError> {
//!     let sure: Sure = elicit(format!("The counter stands at {}. Reset it?", counter.read())).await?;
//!     Ok(if sure.yes { "reset".to_owned() } else { "kept".to_owned() })
//! }
//!
//! #[derive(Form, Serialize, Deserialize)]
//! struct Sure {
//!     yes: bool,
//! }
//!
//! # fn main() -> Result<(), saga_runtime::BuildError> {
//! let sagas = Sagas::builder("counter", "1.0.0").served_by::<Counter>().tool::<reset>().build()?;
//! let counter = Counter::new(&sagas);
//! # assert!(counter.tool_router.has_route("reset"));
//! # Ok(())
//! # }
//! ```
//!
//! A client of MCP 2026-07-28 gets one transition per request. An older one on a session or on standard input is
//! asked in place, by requests of the server's, while its call stays open.

mod call;
mod router;
mod wire;
