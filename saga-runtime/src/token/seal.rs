//! A token's life: a fresh key for each, derived from the ring key and the whole context, seals the
//! claims and the state; opening derives it again, from what *this* request says about itself.
//!
//! ```text
//! context = BLAKE3( LP("saga-token/ctx/v1") LP(audience) LP(dialect) LP(method) LP(tool) )
//! message = header[0..37] | context [32] | arguments digest [32] | principal present u8 | LP(principal)
//! derived = BLAKE3-keyed-XOF(ring key, message)[0..48]
//! key     = derived[0..32]     commit = derived[32..48] = header[37..53]     nonce = salt[0..12]
//! sealed  = ChaCha20-Poly1305(key, nonce, aad = header[0..53], claims | state | zero padding)
//! ```
//!
//! Why the context is in the key and not only authenticated beside the text: ChaCha20-Poly1305 alone
//! does not commit to its key, so one ciphertext can be made that opens under two. The commitment, a
//! hash of key and context, can not (`tests/commitment.rs` makes such a ciphertext). And a key that is
//! used once needs no unique nonce, and tells nothing about other tokens.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::claims::{CLAIMS_LEN, Claims, field};
use super::context::{Binding, Context, Contexts, prefix_length};
use super::envelope::{Commit, HEADER_LEN, PREAMBLE_LEN, Preamble, Salt, Sealed, TAG_LEN, encode, text_len};
use super::error::{OpenError, SealError, SealerError};
use super::keys::{Key, KeyRing};
use super::limits::Limits;
use super::padding::Padding;
use crate::clock::{Clock, Entropy, EntropyError, SystemEntropy};

/// Seals states into tokens and opens them again, for one server (the audience) and its keys.
///
/// It is shared between threads and takes no lock that a writer holds for long.
#[derive(Debug)]
pub struct Sealer {
    contexts: Contexts,
    keys: KeyRing,
    padding: Padding,
    salts: Salts,
}

/// What an opened token holds; its `Debug` shows of the state the length only.
#[derive(Clone, PartialEq, Eq)]
pub struct Opened {
    /// Who and when, as it was sealed.
    pub claims: Claims,
    /// The state, byte for byte as it was sealed.
    pub state: Vec<u8>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("claims", &self.claims)
            .field("state", &format_args!("{} bytes", self.state.len()))
            .finish()
    }
}

impl Sealer {
    /// A sealer for the server named `audience`; a token of another server with the same keys is
    /// refused.
    ///
    /// # Errors
    ///
    /// When the audience is empty, or the operating system's generator fails.
    pub fn new(audience: &str, keys: KeyRing) -> Result<Self, SealerError> {
        Self::with_entropy(audience, keys, &SystemEntropy)
    }

    /// Like [`Sealer::new`], with the process secret from `entropy`.
    ///
    /// # Errors
    ///
    /// When the audience is empty, or `entropy` fails.
    pub fn with_entropy(audience: &str, keys: KeyRing, entropy: &dyn Entropy) -> Result<Self, SealerError> {
        if audience.is_empty() {
            return Err(SealerError::NoAudience);
        }
        let salts = Salts::new(entropy)?;
        Ok(Self { contexts: Contexts::new(audience), keys, padding: Padding::default(), salts })
    }

    /// Hides the state's length by `padding` instead of the default.
    ///
    /// All instances of a server pad alike: a token that is longer than this padding makes of the
    /// largest state is refused.
    #[must_use]
    pub fn with_padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// The keys that it seals and opens with.
    #[must_use]
    pub fn keys(&self) -> &KeyRing {
        &self.keys
    }

    /// Seals `state` into a token that opens only under an equal `binding`.
    ///
    /// The limits are those that [`Sealer::open`] will hold the token to, so that a token which could
    /// never be opened is an error here, where it can still be told to the tool's author.
    ///
    /// # Errors
    ///
    /// When the state is too large, the claims are beyond the limits, or `entropy` fails.
    pub fn seal(
        &self,
        binding: &Binding<'_>,
        claims: &Claims,
        state: &[u8],
        limits: &Limits,
        entropy: &dyn Entropy,
        clock: &dyn Clock,
    ) -> Result<String, SealError> {
        let state_len = limits.state_len(state)?;
        limits.check_sealing(claims)?;

        let context = self.contexts.of(binding);
        let ring_key = self.keys.active();
        let salt = self.salts.next(entropy, clock)?;
        let preamble = Preamble { key: ring_key.id(), tool: context.tool, salt }.to_bytes();
        let derived = Derived::new(ring_key, &preamble, &context, binding);

        let body_len = self.padding.padded(CLAIMS_LEN + state.len());
        let mut bytes = Vec::with_capacity(HEADER_LEN + body_len + TAG_LEN);
        bytes.extend_from_slice(&preamble);
        bytes.extend_from_slice(&derived.commit());
        bytes.extend_from_slice(&claims.to_bytes(state_len));
        bytes.extend_from_slice(state);
        bytes.resize(HEADER_LEN + body_len, 0);
        let (header, body) = bytes.split_at_mut(HEADER_LEN);
        let tag = derived
            .cipher()
            .encrypt_inout_detached(&nonce(&salt).into(), header, body.into())
            .map_err(|_| SealError::StateTooLarge { size: state.len(), limit: limits.largest_state() })?;
        bytes.extend_from_slice(&tag);
        Ok(encode(&bytes))
    }

    /// Opens the token `text` if this server minted it for `binding`, recently.
    ///
    /// Cheap checks come first, so that no text costs more than its own decoding before it is known
    /// to be ours; nothing is believed before the tag has been verified.
    ///
    /// # Errors
    ///
    /// The reason, which is for the log: the client is told [`OpenError::MESSAGE`] for all of them.
    pub fn open(
        &self,
        text: &str,
        binding: &Binding<'_>,
        limits: &Limits,
        now: u64,
    ) -> Result<Opened, OpenError> {
        let mut sealed = Sealed::decode(text, self.longest_text(limits))?;
        let preamble = sealed.preamble()?;
        let ring_key = self.keys.opening(preamble.key)?;
        let context = self.contexts.of(binding);
        if preamble.tool != context.tool {
            return Err(OpenError::OtherTool);
        }
        let derived = Derived::new(ring_key, &preamble.to_bytes(), &context, binding);
        if !derived.is_committed_to(&sealed.commit()) {
            return Err(OpenError::OtherContext);
        }

        let tag = sealed.tag();
        let (header, body) = sealed.header_and_body();
        derived
            .cipher()
            .decrypt_inout_detached(&nonce(&preamble.salt).into(), header, body.into(), &tag.into())
            .map_err(|_| OpenError::Forged)?;

        let (claims, state_len) = Claims::from_bytes(sealed.claims());
        limits.check_opened(&claims, now)?;
        let state = sealed.into_state(state_len)?;
        Ok(Opened { claims, state })
    }

    /// The length of the longest token that the limits allow.
    fn longest_text(&self, limits: &Limits) -> usize {
        text_len(HEADER_LEN + self.padding.padded(CLAIMS_LEN + limits.largest_state()) + TAG_LEN)
    }
}

/// One token's own key, and the commitment to it and to the context.
struct Derived(Zeroizing<[u8; 48]>);

impl Derived {
    fn new(ring_key: &Key, preamble: &[u8; PREAMBLE_LEN], context: &Context, binding: &Binding<'_>) -> Self {
        let principal = binding.principal.unwrap_or_default();
        let mut hasher = blake3::Hasher::new_keyed(ring_key.secret());
        hasher.update(preamble);
        hasher.update(&context.hash);
        hasher.update(&binding.arguments);
        hasher.update(&[u8::from(binding.principal.is_some())]);
        hasher.update(&prefix_length(principal));
        hasher.update(principal);
        let mut derived = Zeroizing::new([0; 48]);
        hasher.finalize_xof().fill(derived.as_mut_slice());
        Self(derived)
    }

    fn cipher(&self) -> ChaCha20Poly1305 {
        let (keys, _commit) = self.0.as_chunks::<32>();
        ChaCha20Poly1305::new((&keys[0]).into())
    }

    fn commit(&self) -> Commit {
        field(self.0.as_slice(), 32)
    }

    fn is_committed_to(&self, commit: &Commit) -> bool {
        self.commit().ct_eq(commit).into()
    }
}

fn nonce(salt: &Salt) -> [u8; 12] {
    field(salt, 0)
}

/// Makes salts: random bytes, hedged.
///
/// A salt must never repeat under one ring key. A machine that was cloned or restored while running may
/// be given the same random bytes twice, so they are hashed with what still differs then: a counter and
/// the time, under a secret of this process.
///
/// ```text
/// salt = BLAKE3-keyed(process secret, random [24] | counter u64 | unix nanoseconds u64)[0..24]
/// ```
pub(super) struct Salts {
    process_secret: Zeroizing<[u8; 32]>,
    counter: AtomicU64,
}

impl Salts {
    pub(super) fn new(entropy: &dyn Entropy) -> Result<Self, EntropyError> {
        let mut process_secret = Zeroizing::new([0; 32]);
        entropy.fill(process_secret.as_mut_slice())?;
        Ok(Self { process_secret, counter: AtomicU64::new(0) })
    }

    pub(super) fn next(&self, entropy: &dyn Entropy, clock: &dyn Clock) -> Result<Salt, EntropyError> {
        let mut seed = [0; 24 + 8 + 8];
        let (random, rest) = seed.split_at_mut(24);
        let (counter, time) = rest.split_at_mut(8);
        entropy.fill(random)?;
        counter.copy_from_slice(&self.counter.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        time.copy_from_slice(&clock.unix_nanos().to_le_bytes());
        let mut salt = [0; 24];
        blake3::Hasher::new_keyed(&self.process_secret).update(&seed).finalize_xof().fill(&mut salt);
        Ok(salt)
    }
}

impl fmt::Debug for Salts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salts")
    }
}
