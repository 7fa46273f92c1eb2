//! A token belongs to one key and one context: P9.
//!
//! ChaCha20-Poly1305 by itself does not commit to its key. Whoever knows two keys can solve one linear
//! equation modulo 2^130 - 5 for a block of ciphertext that gives one tag under both (Albertini et al.,
//! "How to Abuse and Fix Authenticated Encryption Without Key Commitment", 2020). Here it is solved, the
//! bare cipher opens the result under both keys, and the token opens under one.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};

use super::super::keys::Key;
use super::super::{Binding, KeyRing, OpenError, Sealer};
use super::field::Field;
use super::reference::{Reference, body};
use super::{Fixed, KEY_A, KEY_B, binding, claims, open, sealer};

/// Claims (36), a state of 28 bytes, and no padding: the last block of the state is free.
const BODY: usize = 64;

#[test]
fn a_ciphertext_for_two_principals_opens_for_one() {
    let alice = Reference::around(body(&claims(), 28, &[7; 28]));
    let mallory = Binding { principal: Some(b"mallory"), ..binding() };
    let text = open_under_both(&alice, &Reference { binding: mallory, ..Reference::around(Vec::new()) });

    assert_eq!(open(&sealer(), &binding(), &text).expect("alice's token").state.len(), 28);
    assert_eq!(open(&sealer(), &mallory, &text), Err(OpenError::OtherContext));
}

#[test]
fn a_ciphertext_for_two_ring_keys_opens_under_one() {
    let ours = Reference::around(body(&claims(), 28, &[7; 28]));
    let text = open_under_both(&ours, &Reference { key: KEY_B, ..Reference::around(Vec::new()) });
    let impostor = KeyRing::assemble(vec![Key::with_id_of(&KEY_B, &KEY_A)]).expect("a ring");
    let impostor = Sealer::with_entropy("fleet", impostor, &Fixed(1)).expect("a sealer");

    assert!(open(&sealer(), &binding(), &text).is_ok());
    assert_eq!(open(&impostor, &binding(), &text), Err(OpenError::OtherContext));
}

/// A token of `one` whose ciphertext and tag the bare cipher takes under the key of `other` as well.
fn open_under_both(one: &Reference<'_>, other: &Reference<'_>) -> String {
    let header = one.header();
    let keys = [one, other].map(|reference| {
        let derived = reference.derived(&header[..37]);
        <[u8; 32]>::try_from(&derived[..32]).expect("32 bytes")
    });
    assert_ne!(keys[0], keys[1]);
    let nonce = <[u8; 12]>::try_from(&one.salt[..12]).expect("12 bytes");

    // One try in four gives a block that is 128 bits long, so some byte of the state is varied.
    let sealed = (0..=u8::MAX).find_map(|varied| {
        let mut body = one.body.clone();
        body[40] = varied;
        let sealed = collide(keys, nonce, &header, &body)?;
        let opens = |key: [u8; 32]| {
            let payload = Payload { msg: &sealed, aad: &header };
            ChaCha20Poly1305::new(&key.into()).decrypt(&nonce.into(), payload).is_ok()
        };
        (opens(keys[0]) && opens(keys[1])).then_some(sealed)
    });
    let sealed = sealed.expect("a ciphertext that the bare cipher opens under both keys");
    format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode([header, sealed].concat()))
}

/// Encrypts `body` under the first key, with its last block chosen so that the tag is right under both.
fn collide(keys: [[u8; 32]; 2], nonce: [u8; 12], header: &[u8], body: &[u8]) -> Option<Vec<u8>> {
    let plain = Payload { msg: body, aad: header };
    let mut sealed = ChaCha20Poly1305::new(&keys[0].into()).encrypt(&nonce.into(), plain).ok()?;
    sealed.truncate(BODY);

    let one_time = keys.map(|key| one_time_key(key, nonce));
    let [(r, s), (other_r, other_s)] = one_time;
    // The tag is (rest + r^2 · block) + s: after the free block only that of the lengths follows.
    sealed[BODY - 16..].fill(0);
    let rest = |r| authenticate(r, header, &sealed).minus(r.times(r).times(Field::TWO_TO_128));
    let distance = rest(other_r).plus(other_s).minus(rest(r)).minus(s);
    let block = distance.times(r.times(r).minus(other_r.times(other_r)).inverse());

    // Poly1305 writes 2^128 above each block, and the block itself has 128 bits.
    let block = block.minus(Field::TWO_TO_128).as_u128()?;
    sealed[BODY - 16..].copy_from_slice(&block.to_le_bytes());
    let tag = authenticate(r, header, &sealed).plus_modulo_2_128(s);
    sealed.extend(tag.to_le_bytes());
    Some(sealed)
}

/// The polynomial of RFC 8439, section 2.8, before `s` is added.
fn authenticate(r: Field, header: &[u8], ciphertext: &[u8]) -> Field {
    let mut message = Vec::new();
    for part in [header, ciphertext] {
        message.extend(part);
        message.resize(message.len().next_multiple_of(16), 0);
    }
    message.extend((header.len() as u64).to_le_bytes());
    message.extend((ciphertext.len() as u64).to_le_bytes());
    message.chunks(16).fold(Field::ZERO, |sum, block| {
        let block = u128::from_le_bytes(block.try_into().expect("16 bytes"));
        sum.plus(Field::from(block)).plus(Field::TWO_TO_128).times(r)
    })
}

/// `r` and `s` of RFC 8439, section 2.6: the first half of the cipher's block zero.
fn one_time_key(key: [u8; 32], nonce: [u8; 12]) -> (Field, Field) {
    let block = chacha20_block_zero(key, nonce);
    let half = |at| u128::from_le_bytes(super::super::claims::field(&block, at));
    (Field::from(half(0) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff), Field::from(half(16)))
}

/// RFC 8439, section 2.3, which the crate does not let out.
fn chacha20_block_zero(key: [u8; 32], nonce: [u8; 12]) -> [u8; 64] {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    let mut start = [0_u32; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    let rest = [&key[..], &[0; 4], &nonce].concat();
    for (slot, bytes) in start[4..].iter_mut().zip(rest.chunks(4)) {
        *slot = word(bytes);
    }
    let columns = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
    let diagonals = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
    let mut state = start;
    for _ in 0..10 {
        for quarter in columns.into_iter().chain(diagonals) {
            quarter_round(&mut state, quarter);
        }
    }
    let mut block = [0; 64];
    for (bytes, (word, start)) in block.chunks_mut(4).zip(state.iter().zip(start)) {
        bytes.copy_from_slice(&word.wrapping_add(start).to_le_bytes());
    }
    block
}

fn quarter_round(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (sum, other, mixed, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[sum] = state[sum].wrapping_add(state[other]);
        state[mixed] = (state[mixed] ^ state[sum]).rotate_left(by);
    }
}
