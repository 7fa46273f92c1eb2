//! One transition without its transport, beside the sum of what it cannot do without: base64, the derivation of the
//! key, the cipher, and postcard, on the same bytes.

use base64::Engine;
use base64::engine::Simd;
use base64::engine::general_purpose::NO_PAD;
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use path::{Bed, HELD};
use saga_bench::{Figures, Subject, measure};

/// A token's header, and the tag behind its body.
const HEADER: usize = 53;
const TAG: usize = 16;
/// What a token's key is derived from: preamble, context, arguments, and that there is no principal.
const DERIVED_FROM: usize = 37 + 32 + 32 + 1 + 4;

/// What came of one size.
pub struct Transition {
    pub held: usize,
    pub token: usize,
    pub whole: Figures,
    pub parts: Figures,
}

/// Measures a transition for each of the sizes.
pub fn measured() -> Vec<Transition> {
    let bed = Bed::new();
    HELD.into_iter().map(|held| one(&bed, held)).collect()
}

fn one(bed: &Bed, held: usize) -> Transition {
    let token = bed.token(held);
    let base64 = Simd::url_safe(NO_PAD);
    let bytes = base64.decode(&token[4..]).expect("base64");
    let cipher = ChaCha20Poly1305::new(&[1; 32].into());
    let header = [2; HEADER];
    let mut ciphertext = vec![4; bytes.len() - HEADER - TAG];
    let tag = cipher
        .encrypt_inout_detached(&[7; 12].into(), &header, ciphertext.as_mut_slice().into())
        .expect("a ciphertext");
    let text = "x".repeat(held);
    let state = postcard::to_allocvec(&text).expect("a state");
    let derive = || {
        let mut key = [0; 48];
        blake3::Hasher::new_keyed(&[3; 32]).update(&[5; DERIVED_FROM]).finalize_xof().fill(&mut key);
        key
    };
    let mut body = ciphertext.clone();
    let parts = || {
        let opened = base64.decode(&token[4..]).expect("base64");
        let opening = derive();
        body.copy_from_slice(&ciphertext);
        cipher
            .decrypt_inout_detached(&[7; 12].into(), &header, body.as_mut_slice().into(), &tag)
            .expect("a plaintext");
        let text: String = postcard::from_bytes(&state).expect("a text");
        let state = postcard::to_allocvec(&text).expect("a state");
        let sealing = derive();
        let tag = cipher.encrypt_inout_detached(&[7; 12].into(), &header, body.as_mut_slice().into());
        (opened, opening, state, sealing, tag.expect("a tag"), base64.encode(&bytes))
    };
    let mut subjects =
        [Subject::prepared("a transition", || bed.transition(held)), Subject::new("its parts", parts)];
    let times = if held > 4096 { 100 } else { 500 };
    let figures = measure(&mut subjects, 101, times);
    Transition { held, token: token.len(), whole: figures[0], parts: figures[1] }
}
