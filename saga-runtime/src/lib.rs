//! Saga: write an MCP tool that asks questions as one straight async function.
//!
//! `#[saga_tool]` compiles the function into a state machine. At each question the locals that later code needs
//! are serialized and sealed into a token; the next request, on any server, opens the token and goes on *on that
//! line*.
//!
//! A server, with a command line (`serve`, `stdio`, `play`, `keygen`, ..):
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use saga_runtime::{Form, Sagas, ToolError, cli, elicit, saga_tool};
//! use serde::{Deserialize, Serialize};
//!
//! /// Orders a book, after the person has agreed to its price.
//! #[saga_tool]
//! async fn order(
//!     /// The title, as in the catalogue.
//!     title: String,
//!     #[context] shop: &Shop,
//! ) -> Result<String, ToolError> {
//!     let price = shop.price(&title).await?;
//!     let sure: Sure = elicit(format!("{title} is {price} francs. Order it?")).await?;
//!     if !sure.yes {
//!         return Ok("not ordered".to_owned());
//!     }
//!     Ok(format!("{title} is ordered for {price} francs"))
//! }
//!
//! /// What is asked before something is ordered.
//! #[derive(Form, Serialize, Deserialize)]
//! struct Sure {
//!     yes: bool,
//! }
//!
//! struct Shop;
//!
//! impl Shop {
//!     async fn price(&self, title: &str) -> Result<u32, ToolError> {
//!         if title.is_empty() { Err(ToolError::new("which book?")) } else { Ok(30) }
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     cli::run(Sagas::builder("shop", env!("CARGO_PKG_VERSION")).context(Shop).tool::<order>())
//! }
//! ```
//!
//! Its `Cargo.toml` has `saga-runtime` and `serde` with the feature `derive`. A type of your own that is an argument, or
//! is returned as `Json(..)`, also derives `schemars::JsonSchema`: add `schemars = "1"`. Larger ones are in `examples`.
//!
//! # Features
//!
//! - `http`, `stdio`: the stateless HTTP endpoint, and standard input and output; `cli`: both, with the commands that
//!   every server binary gets. These are on by default.
//! - `rmcp`: sagas as tools of an rmcp server, of clients of every revision.
//! - `redis`, with `redis-tls` and `redis-cluster`: a guard and a store in Redis, for servers of many instances.
//! - `ring`: seals with *ring*, the same bytes in about half the time.
//! - `indexmap`: questions in loops over `IndexMap` and `IndexSet`.
//!
//! What the macros write begins with `::saga_runtime`: a dependency of another name needs
//! `extern crate name as saga_runtime;` at the root of the crate.

mod advance;
mod again;
mod arguments;
#[cfg(feature = "cli")]
pub mod cli;
mod client;
pub mod clock;
#[doc(hidden)]
pub mod common;
mod content;
mod context;
mod error;
mod example;
mod flow;
pub mod form;
pub mod frame;
pub mod guard;
mod held;
mod hex;
pub mod host;
mod iterate;
mod lend;
mod mirror;
mod owned;
pub mod progress;
mod prompt;
mod record;
#[cfg(feature = "redis")]
pub mod redis;
mod resource;
mod result;
#[cfg(feature = "rmcp")]
pub mod rmcp;
mod saga;
mod sagas;
mod shape;
pub mod step;
pub mod store;
pub mod testing;
mod texts;
pub mod token;
mod tool;

pub mod dialect;
pub mod script;
#[cfg(any(feature = "http", feature = "stdio"))]
pub mod serve;

/// What generated code names; not for people.
#[doc(hidden)]
pub mod __private;
#[doc(hidden)]
pub mod warning;

pub use saga_macros::{Choice, Form, saga, saga_prompt, saga_resource, saga_tool};

pub use self::client::Client;
pub use self::content::{Content, ResourceLink};
pub use self::context::Provides;
pub use self::dialect::{Dialect, Reply, UnknownDialect};
pub use self::error::{Problem, StepError, ToolError};
pub use self::flow::{Edge, Flow, Node, NodeKind};
pub use self::form::{Choice, Form};
pub use self::held::{Held, Unsealable};
pub use self::iterate::StableOrder;
pub use self::progress::Progress;
pub use self::prompt::{IntoMessages, PromptMessage};
pub use self::resource::{IntoContents, ResourceContents};
pub use self::result::{IntoToolResult, Json, ToolResult};
pub use self::saga::{Principal, Saga};
pub use self::sagas::{BuildError, Builder, Refused, RequestFacts, Sagas};
pub use self::step::{
    Root, Sampled, ask, call, checkpoint, elicit, elicit_url, join_all, list_roots, sample,
};
pub use self::token::KeyRing;
pub use self::tool::{Definition, Kind, Machine, Place, Policy, Prompt, Resource, Tool};
