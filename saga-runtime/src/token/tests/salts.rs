//! No two tokens share a salt, whatever the generator does: P10.

use std::collections::HashSet;

use super::super::seal::Salts;
use super::super::{Limits, SealError, Sealer, SealerError};
use super::{At, Fixed, KEY_A, NOW, binding, claims, ring, sealer};
use crate::clock::{Entropy, EntropyError};

/// A generator that fails and leaves zeros.
struct Broken;

impl Entropy for Broken {
    fn fill(&self, _: &mut [u8]) -> Result<(), EntropyError> {
        Err(EntropyError)
    }
}

#[test]
fn a_broken_generator_makes_no_token() {
    let sealed = sealer().seal(&binding(), &claims(), b"", &Limits::default(), &Broken, &At(NOW));
    assert_eq!(sealed, Err(SealError::Entropy));
    let made = Sealer::with_entropy("fleet", ring(&[KEY_A]), &Broken);
    assert_eq!(made.map(drop), Err(SealerError::Entropy));
}

#[test]
fn a_generator_that_repeats_itself_makes_no_salt_twice() {
    let salts = Salts::new(&Fixed(0)).expect("salts");
    let mut seen = HashSet::new();
    for _ in 0..20_000 {
        assert!(seen.insert(salts.next(&Fixed(0), &At(NOW)).expect("a salt")));
    }
}

/// A machine is cloned while it runs: both have the same secret, counter and random bytes.
#[test]
fn clones_of_a_machine_make_different_salts() {
    let salt = |secret, random, now| {
        let salts = Salts::new(&Fixed(secret)).expect("salts");
        salts.next(&Fixed(random), &At(now)).expect("a salt")
    };
    let original = salt(1, 2, NOW);
    assert_eq!(original, salt(1, 2, NOW), "all else being equal");
    assert_ne!(original, salt(1, 2, NOW + 1), "the time");
    assert_ne!(original, salt(1, 3, NOW), "the random bytes");
    assert_ne!(original, salt(4, 2, NOW), "the secret");
}
