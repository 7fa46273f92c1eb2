//! The protocols that a saga is spoken in. A client's message goes in and the reply to it comes out; between
//! them each dialect is a pair of pure functions, from a protocol's params to the host's [`Call`] and from the
//! host's [`Outcome`] to a protocol's result.
//!
//! | Methods | Dialect | The state travels in |
//! | --- | --- | --- |
//! | `tools/call`, `prompts/get`, `resources/read`, the lists, `server/discover` | MCP 2026-07-28, multi round-trip requests | `requestState` |
//! | `tools/callSaga`, `tools/resumeSaga` | SEP-1597, the extension `rs.saga/sagas` | `sagaToken` |
//! | `initialize`, `tools/call` | MCP 2025-06-18 and 2025-11-25, in a session: the server sends requests | this process |
//! | `requests/resume`, `requests/getStatus` | SEP-975, in a session, whose id over HTTP is the session | `resumeToken` |
//! | `tools/call`, which names no revision | PR #1003, resume tokens | `nextResumeToken` |
//! | `tools/call`, which names no revision | streamless round-trips | `_meta` |
//!
//! A server speaks those that it was told to ([`Dialect`]).
//!
//! **The law.** Every request gets exactly one reply, with its id; no notification gets any; and no text that a
//! client can write makes it otherwise (`tests/conversations/hostile.rs`).
//!
//! [`Call`]: crate::host::Call
//! [`Outcome`]: crate::host::Outcome

#[cfg(any(feature = "http", feature = "stdio"))]
mod front;
mod name;
pub(crate) mod route;

pub(crate) mod discovery;
pub(crate) mod mrtr;
pub(crate) mod saga;

#[cfg(any(feature = "http", feature = "stdio", feature = "rmcp"))]
pub(crate) mod peer;
#[allow(dead_code, reason = "sessions are brought by features")]
pub(crate) mod push;
#[cfg(any(feature = "http", feature = "stdio"))]
mod resumable;
#[cfg(any(feature = "http", feature = "stdio"))]
pub(crate) mod session;
#[cfg(feature = "http")]
pub(crate) mod session_id;

pub(crate) mod older;
mod resume_token;
mod streamless;

pub(crate) mod fault;
pub(crate) mod fields;
pub(crate) mod json_rpc;
pub(crate) mod meta;
pub(crate) mod params;
#[cfg(any(feature = "http", feature = "stdio"))]
pub(crate) mod progress;
pub(crate) mod question;
pub(crate) mod target;

use serde_json::{Map, Value};

pub(crate) use self::fault::Fault;
pub(crate) use self::fields::{Fields, Written};
use self::json_rpc::Id;
pub(crate) use self::name::Dialects;
pub use self::name::{Dialect, UnknownDialect};
pub(crate) use self::params::Params;

/// A JSON object.
pub(crate) type Object = Map<String, Value>;

/// What a server answers to one message.
///
/// ```
/// use saga_runtime::{RequestFacts, Sagas};
///
/// # async fn example() -> Result<(), saga_runtime::BuildError> {
/// let sagas = Sagas::builder("fleet", "1.0.0").build()?;
/// let reply = sagas.handle(b"{", &RequestFacts::default()).await;
/// assert_eq!(reply.status(), 400);
/// assert_eq!(reply.body().unwrap()["error"]["code"], -32700);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a reply must be sent to the client"]
pub struct Reply {
    text: Option<String>,
    status: u16,
    challenge: Option<Box<str>>,
}

impl Reply {
    /// The JSON-RPC response, as one line of JSON; `None` where the message was a notification.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The same text, by value.
    #[must_use]
    pub fn into_text(self) -> Option<String> {
        self.text
    }

    /// The JSON-RPC response, read again for who looks into it.
    #[must_use]
    pub fn body(&self) -> Option<Value> {
        self.text.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }

    /// The status that the reply has where it travels over HTTP.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The `WWW-Authenticate` header that the reply has over HTTP, if the status is 401.
    #[must_use]
    pub fn challenge(&self) -> Option<&str> {
        self.challenge.as_deref()
    }

    /// The reply to a notification.
    const fn none() -> Self {
        Self { text: None, status: 202, challenge: None }
    }

    /// The end of a stream whose client takes its request up again.
    #[cfg(feature = "http")]
    pub(crate) const fn unsaid() -> Self {
        Self { text: None, status: 200, challenge: None }
    }

    pub(crate) fn result(id: &Id, result: impl Into<Fields>) -> Self {
        Self::other(id, "result", result.into())
    }

    /// A response that has this in the place of a result.
    fn other(id: &Id, name: &'static str, fields: Fields) -> Self {
        Self { text: Some(json_rpc::response(id, name, fields)), status: 200, challenge: None }
    }

    /// The reply to a response that nobody waits for.
    pub(crate) fn response_refused() -> Self {
        let what = "this server sends no requests, so it takes no responses";
        Self::fault(None, Fault::not_a_request(what))
    }

    pub(crate) fn fault(id: Option<&Id>, fault: Fault) -> Self {
        let (status, challenge) = (fault.status, fault.challenge.clone());
        Self { text: Some(json_rpc::error(id, fault)), status, challenge }
    }
}
