//! The cipher against published vectors, and its two libraries against each other: P26.

use super::super::cipher::by_rust_crypto;

const VECTORS: &str = include_str!("chacha20_poly1305.txt");

struct Vector {
    number: u16,
    is_valid: bool,
    key: [u8; 32],
    nonce: [u8; 12],
    header: Vec<u8>,
    message: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: [u8; 16],
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.trim_matches('-').as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex digits");
    pairs.map(byte).collect()
}

fn vectors() -> impl Iterator<Item = Vector> {
    VECTORS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let parts: Vec<&str> = line.split(' ').collect();
        let [number, verdict, key, nonce, header, message, ciphertext, tag] = parts[..] else {
            panic!("{line}")
        };
        Vector {
            number: number.parse().expect("a number"),
            is_valid: verdict == "valid",
            key: bytes(key).try_into().expect("a key"),
            nonce: bytes(nonce).try_into().expect("a nonce"),
            header: bytes(header),
            message: bytes(message),
            ciphertext: bytes(ciphertext),
            tag: bytes(tag).try_into().expect("a tag"),
        }
    })
}

macro_rules! holds_to_the_vectors {
    ($backend:ident) => {
        let (mut valid, mut invalid) = (0, 0);
        for Vector { number, is_valid, key, nonce, header, message, ciphertext, tag } in vectors() {
            let mut opened = ciphertext.clone();
            let is_open = $backend::open(&key, nonce, &header, &mut opened, tag).is_ok();
            assert_eq!(is_open, is_valid, "vector {number}");
            if is_valid {
                assert_eq!(opened, message, "vector {number}");
                let mut sealed = message;
                assert_eq!($backend::seal(&key, nonce, &header, &mut sealed), Ok(tag), "vector {number}");
                assert_eq!(sealed, ciphertext, "vector {number}");
                valid += 1;
            } else {
                invalid += 1;
            }
        }
        assert!(valid > 200 && invalid > 20, "{valid} valid, {invalid} not");
    };
}

#[test]
fn rust_crypto_holds_to_the_vectors() {
    holds_to_the_vectors!(by_rust_crypto);
}

#[cfg(feature = "ring")]
mod with_ring {
    use super::super::super::cipher::{by_ring, by_rust_crypto};
    use super::{Vector, vectors};
    use proptest::prelude::*;

    #[test]
    fn ring_holds_to_the_vectors() {
        holds_to_the_vectors!(by_ring);
    }

    proptest! {
        #[test]
        fn both_write_the_same_bytes_and_read_each_other(
            key in any::<[u8; 32]>(),
            nonce in any::<[u8; 12]>(),
            header in prop::collection::vec(any::<u8>(), 0..100),
            message in prop::collection::vec(any::<u8>(), 0..2000),
        ) {
            let (mut by_one, mut by_other) = (message.clone(), message.clone());
            let tag = by_rust_crypto::seal(&key, nonce, &header, &mut by_one).expect("a tag");
            prop_assert_eq!(by_ring::seal(&key, nonce, &header, &mut by_other), Ok(tag));
            prop_assert_eq!(&by_one, &by_other);
            prop_assert!(by_ring::open(&key, nonce, &header, &mut by_one, tag).is_ok());
            prop_assert!(by_rust_crypto::open(&key, nonce, &header, &mut by_other, tag).is_ok());
            prop_assert_eq!(&by_one, &message);
            prop_assert_eq!(&by_other, &message);
        }
    }
}
