//! What the compiler refuses because it could not keep the law: programs that rustc accepts and that would mean
//! something else after a question. Each stands beside the rewrite, which compiles; `prototypes` of the design
//! called them the rebuild traps. (That the others of them mean what plain Rust means is in
//! `tests/equivalence/borrows.rs`.)
//!
//! A reference to what may change behind it, of which a copy would be another thing:
//!
//! ```compile_fail
//! # use std::cell::RefCell; use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let cells = vec![RefCell::new(0)];
//!     let first = cells.first().unwrap();
//!     elicit::<Yes>("?").await?;
//!     first.replace(1);
//!     Ok(format!("{cells:?}"))
//! }
//! ```
//!
//! ```compile_fail
//! # use std::sync::atomic::{AtomicU32, Ordering};
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let counts = vec![AtomicU32::new(0)];
//!     let first = counts.first().unwrap();
//!     elicit::<Yes>("?").await?;
//!     first.store(1, Ordering::Relaxed);
//!     Ok(format!("{counts:?}"))
//! }
//! ```
//!
//! ```
//! # use std::cell::RefCell; use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let cells = vec![RefCell::new(0)];
//!     #[saga(rebuild)]
//!     let first = cells.first().unwrap();
//!     elicit::<Yes>("?").await?;
//!     first.replace(1);
//!     Ok(format!("{cells:?}"))
//! }
//! ```
//!
//! A mutable borrow that a function gives, which might give another one when it is called again:
//!
//! ```compile_fail
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! # fn longest(parts: &mut [String]) -> &mut String { parts.iter_mut().max_by_key(|part| part.len()).unwrap() }
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let mut parts = vec![String::from("p"), String::from("q")];
//!     let long = longest(&mut parts);
//!     long.push('!');
//!     elicit::<Yes>("?").await?;
//!     long.push('?');
//!     Ok(parts.concat())
//! }
//! ```
//!
//! ```
//! # use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Yes;
//! #[saga_tool]
//! async fn tool() -> Result<String, ToolError> {
//!     let mut parts = vec![String::from("p"), String::from("q")];
//!     let long = parts.iter_mut().max_by_key(|part| part.len()).unwrap();
//!     long.push('!');
//!     elicit::<Yes>("?").await?;
//!     long.push('?');
//!     Ok(parts.concat())
//! }
//! ```
//!
//! An assignment of which only the types say whether its target or its value is evaluated first:
//!
//! ```compile_fail
//! # use std::time::Duration; use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Count;
//! # fn next() -> usize { 0 }
//! #[saga_tool]
//! async fn tool(mut waits: Vec<Duration>) -> Result<String, ToolError> {
//!     waits[next()] += Duration::from_secs(elicit::<Count>("n?").await?.n.into());
//!     Ok(format!("{waits:?}"))
//! }
//! ```
//!
//! ```
//! # use std::time::Duration; use saga_runtime::{ToolError, elicit, saga_tool}; use saga_tests::forms::Count;
//! # fn next() -> usize { 0 }
//! #[saga_tool]
//! async fn tool(mut waits: Vec<Duration>) -> Result<String, ToolError> {
//!     let more = Duration::from_secs(elicit::<Count>("n?").await?.n.into());
//!     waits[next()] += more;
//!     Ok(format!("{waits:?}"))
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
