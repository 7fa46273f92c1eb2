//! The place for another cipher: who must use one of another library or module (FIPS 140, a key service) gives the
//! sealer a [`Codec`], and keeps claims, limits, padding and the canonical text.
//!
//! ```text
//! sg0. and base64url (no padding, canonical) of:
//! off  len  field
//! 0    1    version   0x00; agrees with the text's prefix
//! 1    4    zeros     where version 1 has its key id
//! 5    8    tool id   which tool it belongs to
//! 13   n    what the codec made of claims (36) | state | zero padding
//! ```

use std::fmt;

use super::context::{Binding, prefix_length};
use crate::clock::Entropy;

/// Seals a token's body by a cipher of the server's own.
///
/// An implementation brings its keys and their rotation. It must authenticate every bit of `body` and `bound`, hide
/// `body`, and use a fresh nonce each time. Its tokens are refused by servers without it, and the other way round.
pub trait Codec: Send + Sync + fmt::Debug {
    /// By how many bytes a sealed body is longer than the body, at most.
    fn overhead(&self) -> usize;

    /// Seals `body`, so that it opens only under the same `bound`: associated data, authenticated and not sent.
    ///
    /// # Errors
    ///
    /// When it cannot; no token is made then.
    fn seal(&self, body: &[u8], bound: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>, CodecError>;

    /// The body that `sealed` was made of, if it was sealed by this codec under the same `bound`.
    ///
    /// # Errors
    ///
    /// When it was not; the client is told the error of all refused tokens.
    fn open(&self, sealed: &[u8], bound: &[u8]) -> Result<Vec<u8>, CodecError>;
}

/// A codec did not seal or open. It carries no reason: a codec logs what an operator should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodecError;

impl CodecError {
    /// A failure to seal or to open.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a failure is no default")]
    pub const fn new() -> Self {
        Self
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the codec refused")
    }
}

impl std::error::Error for CodecError {}

/// `LP("saga-token/codec/v1") LP(header) LP(audience) LP(dialect) LP(method) LP(tool) | arguments digest [32] |
/// principal present u8 | LP(principal)`
pub(super) fn bound(header: &[u8], audience: &str, binding: &Binding<'_>) -> Vec<u8> {
    let Binding { dialect, method, tool, principal, arguments } = binding;
    let mut bound = Vec::with_capacity(256);
    let mut part = |part: &[u8]| {
        bound.extend_from_slice(&prefix_length(part));
        bound.extend_from_slice(part);
    };
    part(b"saga-token/codec/v1");
    part(header);
    for text in [audience, dialect, method, tool] {
        part(text.as_bytes());
    }
    bound.extend_from_slice(arguments);
    bound.push(u8::from(principal.is_some()));
    let principal = principal.unwrap_or_default();
    bound.extend_from_slice(&prefix_length(principal));
    bound.extend_from_slice(principal);
    bound
}
