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
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::cipher::{self, CipherKey};
use super::claims::{CLAIMS_LEN, Claims, field};
use super::codec::{Codec, bound};
use super::context::{Binding, Context, Contexts, ToolId, prefix_length, tool_id};
use super::envelope::{
    CODEC_HEADER_LEN, Commit, HEADER_LEN, PREAMBLE_LEN, Preamble, Salt, Sealed, TAG_LEN, Version,
    codec_header, decode, encode, take_state, text_len,
};
use super::error::{OpenError, SealError, SealerError};
use super::keys::{Key, KeyRing};
use super::limits::Limits;
use super::padding::Padding;
use crate::clock::{Clock, Entropy, EntropyError, SystemEntropy};

/// Seals states into tokens and opens them again, for one server (the audience) and its keys.
///
/// It is shared between threads; neither sealing nor opening waits for a change of the keys.
#[derive(Debug)]
pub struct Sealer {
    audience: String,
    means: Means,
    padding: Padding,
}

/// What seals: version 1 of the token, or a codec of the server's own.
#[derive(Debug)]
enum Means {
    Keys { keys: ArcSwap<KeyRing>, contexts: Contexts, salts: Salts },
    Codec(Arc<dyn Codec>),
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
        let salts = Salts::new(entropy)?;
        let keys = ArcSwap::from_pointee(keys);
        Self::by(audience, Means::Keys { keys, contexts: Contexts::new(audience), salts })
    }

    /// A sealer that seals by `codec` in place of keys.
    ///
    /// # Errors
    ///
    /// When the audience is empty.
    pub fn with_codec(audience: &str, codec: Arc<dyn Codec>) -> Result<Self, SealerError> {
        Self::by(audience, Means::Codec(codec))
    }

    fn by(audience: &str, means: Means) -> Result<Self, SealerError> {
        if audience.trim().is_empty() {
            return Err(SealerError::NoAudience);
        }
        Ok(Self { audience: audience.to_owned(), means, padding: Padding::default() })
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

    /// The keys that it seals and opens with now; a codec has its own.
    #[must_use]
    pub fn keys(&self) -> Option<KeyRing> {
        match &self.means {
            Means::Keys { keys, .. } => Some(KeyRing::clone(&keys.load())),
            Means::Codec(_) => None,
        }
    }

    /// Seals and opens with `keys` from now on; what is being sealed and opened goes on with the ones before.
    ///
    /// # Errors
    ///
    /// When a codec seals, which has its own keys.
    pub fn set_keys(&self, ring: KeyRing) -> Result<(), SealerError> {
        match &self.means {
            Means::Keys { keys, .. } => keys.store(Arc::new(ring)),
            Means::Codec(_) => return Err(SealerError::HasCodec),
        }
        Ok(())
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
        let claims = claims.to_bytes(state_len);
        let body_len = self.padding.padded(CLAIMS_LEN + state.len());
        let too_large = SealError::StateTooLarge { size: state.len(), limit: limits.largest_state() };
        let (keys, contexts, salts) = match &self.means {
            Means::Keys { keys, contexts, salts } => (keys.load(), contexts, salts),
            Means::Codec(codec) => {
                let mut body = Vec::with_capacity(body_len);
                body.extend_from_slice(&claims);
                body.extend_from_slice(state);
                body.resize(body_len, 0);
                let header = codec_header(tool_id(binding.tool));
                let bound = bound(&header, &self.audience, binding);
                let sealed = codec.seal(&body, &bound, entropy).map_err(|_| SealError::Codec)?;
                if sealed.len() > body_len + codec.overhead() {
                    return Err(too_large);
                }
                return Ok(encode(Version::Codec, &[&header[..], &sealed].concat()));
            }
        };

        let context = contexts.of(binding);
        let ring_key = keys.minting(clock.now());
        let salt = salts.next(entropy, clock)?;
        let preamble = Preamble { key: ring_key.id(), tool: context.tool, salt }.to_bytes();
        let derived = Derived::new(ring_key, &preamble, &context, binding);

        let mut bytes = Vec::with_capacity(HEADER_LEN + body_len + TAG_LEN);
        bytes.extend_from_slice(&preamble);
        bytes.extend_from_slice(&derived.commit());
        bytes.extend_from_slice(&claims);
        bytes.extend_from_slice(state);
        bytes.resize(HEADER_LEN + body_len, 0);
        let (header, body) = bytes.split_at_mut(HEADER_LEN);
        let tag = cipher::seal(derived.key(), nonce(&salt), header, body).map_err(|_| too_large)?;
        bytes.extend_from_slice(&tag);
        Ok(encode(Version::One, &bytes))
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
        let (keys, contexts) = match &self.means {
            Means::Keys { keys, contexts, .. } => (keys.load(), contexts),
            Means::Codec(codec) => return self.open_by(&**codec, text, binding, limits, now),
        };
        let longest = self.longest_text(limits, HEADER_LEN + TAG_LEN);
        let mut sealed = Sealed::decode(text, longest)?;
        let preamble = sealed.preamble();
        let ring_key = keys.opening(preamble.key, now)?;
        let context = contexts.of(binding);
        if preamble.tool != context.tool {
            return Err(OpenError::OtherTool);
        }
        let derived = Derived::new(ring_key, &preamble.to_bytes(), &context, binding);
        if !derived.is_committed_to(&sealed.commit()) {
            return Err(OpenError::OtherContext);
        }

        let tag = sealed.tag();
        let (header, body) = sealed.header_and_body();
        cipher::open(derived.key(), nonce(&preamble.salt), header, body, tag)
            .map_err(|_| OpenError::Forged)?;

        let (claims, state_len) = Claims::from_bytes(sealed.claims());
        limits.check_opened(&claims, now)?;
        if u64::from(claims.issued_at) < keys.not_before() {
            return Err(OpenError::BeforeCutoff);
        }
        let state = sealed.into_state(state_len)?;
        Ok(Opened { claims, state })
    }

    fn open_by(
        &self,
        codec: &dyn Codec,
        text: &str,
        binding: &Binding<'_>,
        limits: &Limits,
        now: u64,
    ) -> Result<Opened, OpenError> {
        let longest = self.longest_text(limits, CODEC_HEADER_LEN + codec.overhead());
        let bytes = decode(Version::Codec, text, CODEC_HEADER_LEN + CLAIMS_LEN, longest)?;
        let (header, sealed) = bytes.split_at(CODEC_HEADER_LEN);
        let tool = tool_id(binding.tool);
        if ToolId(field(header, 5)) != tool {
            return Err(OpenError::OtherTool);
        }
        // By its own header, so that one that was altered is another token.
        let bound = bound(header, &self.audience, binding);
        let body = codec.open(sealed, &bound).map_err(|_| OpenError::Codec)?;
        let claims = body.first_chunk().ok_or(OpenError::Body)?;
        let (claims, state_len) = Claims::from_bytes(*claims);
        limits.check_opened(&claims, now)?;
        let end = body.len();
        Ok(Opened { claims, state: take_state(body, CLAIMS_LEN, end, state_len)? })
    }

    /// The length of the longest token that the limits allow, with so many bytes around claims and state.
    fn longest_text(&self, limits: &Limits, around: usize) -> usize {
        text_len(self.padding.padded(CLAIMS_LEN + limits.largest_state()) + around)
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
        let mut output = hasher.finalize_xof();
        output.fill(derived.as_mut_slice());
        // Both hold the ring key, and their memory is the next caller's.
        output.zeroize();
        hasher.zeroize();
        Self(derived)
    }

    fn key(&self) -> &CipherKey {
        let (keys, _commit) = self.0.as_chunks::<32>();
        &keys[0]
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
