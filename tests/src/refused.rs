//! What the compiler refuses because it could not keep the law: programs that rustc accepts and that would mean
//! something else after a question. Each stands beside the rewrite, which compiles; `prototypes` of the design
//! called them the rebuild traps. (That the others of them mean what plain Rust means is in
//! `tests/equivalence/borrows.rs`.)
//!
//! A mutable borrow that a method gave:
//!
//! ```compile_fail
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let mut parts = vec![String::from("p")];
//!     let last = parts.last_mut().unwrap();
//!     last.push('!');
//!     elicit::<Yes>("?").await?;
//!     last.push('?');
//!     Ok(parts.concat())
//! }
//! ```
//!
//! ```
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let mut parts = vec![String::from("p")];
//!     let last = parts.last_mut().unwrap();
//!     last.push('!');
//!     elicit::<Yes>("?").await?;
//!     let last = parts.last_mut().unwrap();
//!     last.push('?');
//!     Ok(parts.concat())
//! }
//! ```
//!
//! An assignment of which only the types say whether its target or its value is evaluated first:
//!
//! ```compile_fail
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Name;
//! # fn next() -> usize { 0 }
//! #[saga_tool]
//! async fn tool(mut texts: Vec<String>) -> Result<String, ToolError> {
//!     texts[next()] += elicit::<Name>("text?").await?.name.as_str();
//!     Ok(texts.concat())
//! }
//! ```
//!
//! ```
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Name;
//! # fn next() -> usize { 0 }
//! #[saga_tool]
//! async fn tool(mut texts: Vec<String>) -> Result<String, ToolError> {
//!     let index = next();
//!     texts[index] += elicit::<Name>("text?").await?.name.as_str();
//!     Ok(texts.concat())
//! }
//! ```
//!
//! A question that an assertion asks only when it fails:
//!
//! ```compile_fail
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::{Count, Name};
//! #[saga_tool]
//! async fn tool(limit: u8) -> Result<String, ToolError> {
//!     assert!(elicit::<Count>("n?").await?.n < limit, "{}", elicit::<Name>("why?").await?.name);
//!     Ok(String::new())
//! }
//! ```
//!
//! ```
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::{Count, Name};
//! #[saga_tool]
//! async fn tool(limit: u8) -> Result<String, ToolError> {
//!     if elicit::<Count>("n?").await?.n >= limit {
//!         panic!("{}", elicit::<Name>("why?").await?.name);
//!     }
//!     Ok(String::new())
//! }
//! ```
