//! The token: a suspended call, sealed, in the hands of the client.
//!
//! State and claims go in and a text comes out; whatever text a client sends back is an attacker's
//! until [`Sealer::open`] has returned. A server needs to keep nothing but its keys.
//!
//! **The law.** `open(seal(state, binding), other)` gives `state` back when `other == binding` and the
//! token is neither expired nor altered in any bit; in every other case it gives an error, and the
//! client is told the same error whatever the reason ([`OpenError::MESSAGE`]). `tests/integrity.rs`
//! and `tests/binding.rs` hold it to that.
//!
//! What a token does *not* promise: that the world is still as it was, and that it is opened only once.
//! Look up prices and permissions again after a question, and use a guard where twice is too often.
//!
//! ```
//! use saga_runtime::clock::{Clock, SystemClock, SystemEntropy};
//! use saga_runtime::token::{Binding, Claims, KeyRing, Limits, OpenError, Sealer, arguments_digest};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sealer = Sealer::new("fleet", KeyRing::ephemeral()?)?;
//! let arguments = serde_json::json!({ "service": "web" });
//! let binding = Binding {
//!     dialect: "mcp/2026-07-28",
//!     method: "tools/call",
//!     tool: "deploy",
//!     principal: Some(b"alice"),
//!     arguments: arguments_digest(arguments.as_object().expect("an object")),
//! };
//! let (limits, now) = (Limits::default(), SystemClock.now());
//! let claims = Claims::first(now, 600, *b"sixteen id bytes");
//!
//! let text = sealer.seal(&binding, &claims, b"state", &limits, &SystemEntropy, &SystemClock)?;
//! assert_eq!(sealer.open(&text, &binding, &limits, now)?.state, b"state");
//!
//! let stolen = Binding { principal: Some(b"mallory"), ..binding };
//! assert_eq!(sealer.open(&text, &stolen, &limits, now), Err(OpenError::OtherContext));
//! # Ok(())
//! # }
//! ```
//!
//! `seal.rs` is the whole of a token's life and the place to begin; the other files are its parts.

mod seal;

mod cipher;
mod claims;
mod codec;
mod context;
mod digest;
mod envelope;
mod error;
mod keys;
mod limits;
mod padding;

#[cfg(test)]
mod tests;

pub use claims::Claims;
pub use codec::{Codec, CodecError};
pub use context::{Binding, ToolId, tool_id};
pub use digest::arguments_digest;
pub use envelope::tool_of;
pub use error::{KeyError, OpenError, SealError, SealerError};
#[cfg(feature = "cli")]
pub(crate) use keys::{CLOCKS_APART, rfc3339};
pub use keys::{KeyId, KeyList, KeyRing, KeyState, Rotated};
pub use limits::Limits;
pub use padding::Padding;
pub use seal::{Opened, Sealer};
