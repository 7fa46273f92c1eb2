//! Between a client's text and a token's bytes: where each part stands.
//!
//! ```text
//! sg1. and base64url (no padding, canonical) of:
//! off   len  field
//! 0     1    version     0x01; agrees with the text's prefix
//! 1     4    key id      which ring key sealed it
//! 5     8    tool id     which tool it belongs to
//! 13    24   salt        fresh for each token
//! 37    16   commit      to the key and the whole context
//! 53    n    ciphertext  of claims (36) | state | zero padding
//! 53+n  16   tag
//! ```
//!
//! Here a text is only taken apart; nothing that it says is believed before [`super::seal`] has verified
//! it. A token has exactly one text: base64 that is padded, of the other alphabet, with white space or
//! with stray bits in its last character is refused, so no two texts name one token.

use base64::Engine;

use super::claims::{CLAIMS_LEN, field};
use super::context::ToolId;
use super::error::OpenError;
use super::keys::KeyId;

/// What a token is sealed by, as its first byte and its text's prefix say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// A codec of the server's own.
    Codec = 0,
    One = 1,
}

impl Version {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Codec => "sg0.",
            Self::One => "sg1.",
        }
    }
}

/// Both prefixes are as long.
const PREFIX_LEN: usize = 4;

const KEY_AT: usize = 1;
const TOOL_AT: usize = 5;
const SALT_AT: usize = 13;
/// The part of the header that the key is derived from: all but the commitment.
pub(super) const PREAMBLE_LEN: usize = 37;
pub(super) const HEADER_LEN: usize = 53;
pub(super) const TAG_LEN: usize = 16;
/// The header of a token that a codec sealed.
pub(super) const CODEC_HEADER_LEN: usize = SALT_AT;
const SHORTEST: usize = HEADER_LEN + CLAIMS_LEN + TAG_LEN;

pub(super) type Salt = [u8; 24];
pub(super) type Commit = [u8; 16];

/// The tool that a token says it belongs to, for a protocol that resumes by token alone.
///
/// The answer is the client's word: it selects the tool whose binding [`open`](super::Sealer::open) then
/// verifies.
///
/// # Errors
///
/// When the text is not the beginning of a token.
pub fn tool_of(text: &str) -> Result<ToolId, OpenError> {
    // 20 characters are 15 bytes, and the tool id ends at 13.
    let found = [Version::One, Version::Codec]
        .into_iter()
        .find_map(|version| Some((version, text.strip_prefix(version.prefix())?)));
    let (version, encoded) = found.ok_or(OpenError::Prefix)?;
    let start = encoded.as_bytes().first_chunk::<20>().ok_or(OpenError::TooShort)?;
    let mut bytes = [0; 15];
    scalar::ENGINE.decode_slice(start, &mut bytes).map_err(|_| OpenError::Encoding)?;
    if bytes[0] != version as u8 {
        return Err(OpenError::Version);
    }
    Ok(ToolId(field(&bytes, TOOL_AT)))
}

/// The text of a token's bytes.
pub(super) fn encode(version: Version, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(text_len(bytes.len()));
    text.push_str(version.prefix());
    fast::engine().encode_string(bytes, &mut text);
    text
}

/// The length of the text of `len` bytes.
pub(super) const fn text_len(len: usize) -> usize {
    PREFIX_LEN + (len * 4).div_ceil(3)
}

/// The bytes of a text of at most `longest` characters, at least `shortest` bytes, with its version in front.
pub(super) fn decode(
    version: Version,
    text: &str,
    shortest: usize,
    longest: usize,
) -> Result<Vec<u8>, OpenError> {
    if text.len() > longest {
        return Err(OpenError::TooLong);
    }
    let encoded = text.strip_prefix(version.prefix()).ok_or(OpenError::Prefix)?;
    let bytes = fast::engine().decode(encoded).map_err(|_| OpenError::Encoding)?;
    if bytes.len() < shortest {
        return Err(OpenError::TooShort);
    }
    if bytes[0] != version as u8 {
        return Err(OpenError::Version);
    }
    Ok(bytes)
}

/// The state at the beginning of `bytes[at..end]`, if it is `len` bytes long and only zeros follow it there.
pub(super) fn take_state(mut bytes: Vec<u8>, at: usize, end: usize, len: u32) -> Result<Vec<u8>, OpenError> {
    let len = usize::try_from(len).map_err(|_| OpenError::Body)?;
    let padding_at = at.checked_add(len).ok_or(OpenError::Body)?;
    let padding = bytes.get(padding_at..end).ok_or(OpenError::Body)?;
    if padding.iter().any(|byte| *byte != 0) {
        return Err(OpenError::Body);
    }
    bytes.truncate(padding_at);
    bytes.drain(..at);
    Ok(bytes)
}

/// The header of a codec's token: the version, zeros, and the tool.
pub(super) fn codec_header(tool: ToolId) -> [u8; CODEC_HEADER_LEN] {
    let mut bytes = [0; CODEC_HEADER_LEN];
    bytes[0] = Version::Codec as u8;
    bytes[TOOL_AT..SALT_AT].copy_from_slice(&tool.0);
    bytes
}

/// The beginning of a token's header.
#[derive(Clone, Copy)]
pub(super) struct Preamble {
    pub(super) key: KeyId,
    pub(super) tool: ToolId,
    pub(super) salt: Salt,
}

impl Preamble {
    pub(super) fn to_bytes(self) -> [u8; PREAMBLE_LEN] {
        let mut bytes = [0; PREAMBLE_LEN];
        bytes[0] = Version::One as u8;
        bytes[KEY_AT..TOOL_AT].copy_from_slice(&self.key.0);
        bytes[TOOL_AT..SALT_AT].copy_from_slice(&self.tool.0);
        bytes[SALT_AT..PREAMBLE_LEN].copy_from_slice(&self.salt);
        bytes
    }
}

/// A token's bytes, of which there are enough for every part; the body is ciphertext, and after
/// decryption plaintext.
pub(super) struct Sealed(Vec<u8>);

impl Sealed {
    /// Takes a text of at most `longest` characters apart.
    pub(super) fn decode(text: &str, longest: usize) -> Result<Self, OpenError> {
        decode(Version::One, text, SHORTEST, longest).map(Self)
    }

    pub(super) fn preamble(&self) -> Preamble {
        Preamble {
            key: KeyId(field(&self.0, KEY_AT)),
            tool: ToolId(field(&self.0, TOOL_AT)),
            salt: field(&self.0, SALT_AT),
        }
    }

    pub(super) fn commit(&self) -> Commit {
        field(&self.0, PREAMBLE_LEN)
    }

    pub(super) fn tag(&self) -> [u8; TAG_LEN] {
        field(&self.0, self.body_end())
    }

    pub(super) fn header_and_body(&mut self) -> (&[u8], &mut [u8]) {
        let end = self.body_end();
        let (header, body) = self.0[..end].split_at_mut(HEADER_LEN);
        (header, body)
    }

    /// The claims of a decrypted body.
    pub(super) fn claims(&self) -> [u8; CLAIMS_LEN] {
        field(&self.0, HEADER_LEN)
    }

    /// The state of a decrypted body, if it is as long as the claims say and only zeros follow.
    pub(super) fn into_state(self, state_len: u32) -> Result<Vec<u8>, OpenError> {
        let end = self.body_end();
        take_state(self.0, HEADER_LEN + CLAIMS_LEN, end, state_len)
    }

    fn body_end(&self) -> usize {
        self.0.len() - TAG_LEN
    }
}

/// The engine for texts of any length: as fast as the processor allows.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod fast {
    use std::sync::LazyLock;

    use base64::engine::Simd;
    use base64::engine::general_purpose::NO_PAD;

    pub(super) fn engine() -> &'static Simd {
        static ENGINE: LazyLock<Simd> = LazyLock::new(|| Simd::url_safe(NO_PAD));
        &ENGINE
    }
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))))]
mod fast {
    use base64::engine::GeneralPurpose;

    pub(super) fn engine() -> &'static GeneralPurpose {
        &super::scalar::ENGINE
    }
}

/// The engine for short texts, and for processors without the other.
pub(super) mod scalar {
    use base64::engine::GeneralPurpose;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    pub(in crate::token) const ENGINE: GeneralPurpose = URL_SAFE_NO_PAD;
}
