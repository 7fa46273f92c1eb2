//! Transports: where a client's messages come from and the replies go to. They know no method and no tool; what
//! stands in a message is the dialects' business.

#[cfg(any(feature = "http", feature = "stdio"))]
mod connection;
#[cfg(feature = "http")]
pub mod http;
mod keys;
#[cfg(feature = "stdio")]
pub mod stdio;

/// The largest message that is read: a call's arguments, or a state and the answers to it.
const LARGEST_MESSAGE: usize = 4 * 1024 * 1024;
