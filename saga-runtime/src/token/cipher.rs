//! ChaCha20-Poly1305 (RFC 8439) over bytes in place, by one of two libraries that give the same bytes: `RustCrypto`'s,
//! and with the feature `ring` the assembly of *ring*, which is about twice as fast and not for every platform.

use super::envelope::TAG_LEN;

#[cfg(feature = "ring")]
pub(super) use self::by_ring::{open, seal};
#[cfg(not(feature = "ring"))]
pub(super) use self::by_rust_crypto::{open, seal};

/// The body is longer than the cipher's counter reaches, or the tag does not fit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failed;

pub(super) type CipherKey = [u8; 32];
pub(super) type Nonce = [u8; 12];
pub(super) type Tag = [u8; TAG_LEN];

#[cfg(any(test, not(feature = "ring")))]
pub(super) mod by_rust_crypto {
    use chacha20poly1305::aead::AeadInOut;
    use chacha20poly1305::{ChaCha20Poly1305, KeyInit};

    use super::{CipherKey, Failed, Nonce, Tag};

    /// Encrypts `body` in place and authenticates it together with `header`.
    pub(in crate::token) fn seal(
        key: &CipherKey,
        nonce: Nonce,
        header: &[u8],
        body: &mut [u8],
    ) -> Result<Tag, Failed> {
        let cipher = ChaCha20Poly1305::new(key.into());
        cipher.encrypt_inout_detached(&nonce.into(), header, body.into()).map(Into::into).map_err(|_| Failed)
    }

    /// Decrypts `body` in place, if the tag fits it and `header`.
    pub(in crate::token) fn open(
        key: &CipherKey,
        nonce: Nonce,
        header: &[u8],
        body: &mut [u8],
        tag: Tag,
    ) -> Result<(), Failed> {
        let cipher = ChaCha20Poly1305::new(key.into());
        cipher.decrypt_inout_detached(&nonce.into(), header, body.into(), &tag.into()).map_err(|_| Failed)
    }
}

#[cfg(feature = "ring")]
pub(super) mod by_ring {
    use ring::aead::{self, Aad, CHACHA20_POLY1305, LessSafeKey, UnboundKey};

    use super::{CipherKey, Failed, Nonce, Tag};

    /// Encrypts `body` in place and authenticates it together with `header`.
    pub(in crate::token) fn seal(
        key: &CipherKey,
        nonce: Nonce,
        header: &[u8],
        body: &mut [u8],
    ) -> Result<Tag, Failed> {
        let nonce = aead::Nonce::assume_unique_for_key(nonce);
        let tag = cipher(key)?.seal_in_place_separate_tag(nonce, Aad::from(header), body);
        Tag::try_from(tag.map_err(|_| Failed)?.as_ref()).map_err(|_| Failed)
    }

    /// Decrypts `body` in place, if the tag fits it and `header`.
    pub(in crate::token) fn open(
        key: &CipherKey,
        nonce: Nonce,
        header: &[u8],
        body: &mut [u8],
        tag: Tag,
    ) -> Result<(), Failed> {
        let nonce = aead::Nonce::assume_unique_for_key(nonce);
        let opened = cipher(key)?.open_in_place_separate_tag(nonce, Aad::from(header), tag.into(), body, 0..);
        opened.map(drop).map_err(|_| Failed)
    }

    fn cipher(key: &CipherKey) -> Result<LessSafeKey, Failed> {
        UnboundKey::new(&CHACHA20_POLY1305, key).map(LessSafeKey::new).map_err(|_| Failed)
    }
}
