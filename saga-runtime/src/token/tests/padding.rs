//! What a length tells: P16's arithmetic.

use super::super::Padding;
use super::{binding, open, seal, sealer, state};

#[test]
fn a_padded_length_is_never_shorter() {
    let paddings =
        [Padding::None, Padding::Block(0), Padding::Block(1), Padding::Block(u16::MAX), Padding::Padme];
    for padding in paddings {
        for len in (0..5000).chain([1 << 20, (1 << 24) + 36]) {
            assert!(padding.padded(len) >= len, "{padding:?} of {len}");
        }
    }
}

#[test]
fn blocks_round_up() {
    let padded = [36, 63, 64, 65].map(|len| Padding::default().padded(len));
    assert_eq!(padded, [64, 64, 64, 128]);
    assert_eq!(Padding::Block(0).padded(37), 37);
}

/// The examples of the paper's reference implementation, and its bound.
#[test]
fn padme_adds_little_and_keeps_few_lengths() {
    let padded = [0, 1, 2, 8, 9, 100, 1000, 10_000, 65_572].map(|len| Padding::Padme.padded(len));
    assert_eq!(padded, [0, 1, 2, 8, 10, 104, 1024, 10_240, 67_584]);
    let mut lengths = std::collections::BTreeSet::new();
    for len in 1..=65_536 {
        let padded = Padding::Padme.padded(len);
        assert!((padded - len) * 100 <= len * 12, "{len} to {padded}");
        lengths.insert(padded);
    }
    assert!(lengths.len() < 260, "{} lengths", lengths.len());
}

#[test]
fn every_padding_opens() {
    for padding in [Padding::None, Padding::Block(16), Padding::Block(1000), Padding::Padme] {
        let sealer = sealer().with_padding(padding);
        for len in [0, 1, 100, 64 * 1024] {
            let token = seal(&sealer, &binding(), &state(len));
            assert_eq!(open(&sealer, &binding(), &token).map(|opened| opened.state), Ok(state(len)));
        }
    }
}
