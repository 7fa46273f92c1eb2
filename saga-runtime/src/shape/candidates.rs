//! The values that are offered to a type until it takes one. The first of each kind is the plainest.

/// Whole numbers: 48 and 7 are for lengths, dates and characters.
const NUMBERS: [u8; 6] = [0, 1, 2, 48, 7, 100];
/// Numbers with a fraction.
const FRACTIONS: [f32; 4] = [0.0, 1.0, 0.5, -1.0];
/// Characters.
const CHARACTERS: [char; 4] = ['a', '0', 'A', ' '];
/// How many elements a sequence has.
pub(super) const LENGTHS: [usize; 8] = [1, 0, 2, 3, 4, 8, 16, 32];
/// How many bytes.
const BYTE_LENGTHS: [usize; 14] = [0, 16, 32, 1, 2, 4, 8, 12, 20, 24, 28, 48, 64, 6];
/// Digits: UTF-8, and no zero byte among them.
const BYTES: [u8; 64] = [b'0'; 64];
/// Texts that validating types ask for.
pub(super) const TEXTS: [&str; 28] = [
    "",
    "a",
    "0",
    "1",
    "A",
    "true",
    "2000-01-01T00:00:00Z",
    "2000-01-01",
    "00:00:00",
    "2000-01-01T00:00:00",
    "P1D",
    "1s",
    "UTC",
    "https://example.org/",
    "/a",
    "127.0.0.1",
    "::1",
    "127.0.0.1:80",
    "10.0.0.0/8",
    "00000000-0000-4000-8000-000000000000",
    "a@example.org",
    "example.org",
    "1.0.0",
    "en",
    "EUR",
    "{}",
    "0x00",
    "text/plain",
];

/// The candidate of this number; they come round.
fn nth<T: Copy>(candidates: &[T], index: usize) -> T {
    candidates[index % candidates.len()]
}

pub(super) fn number(index: usize) -> u8 {
    nth(&NUMBERS, index)
}

pub(super) fn fraction(index: usize) -> f32 {
    nth(&FRACTIONS, index)
}

pub(super) fn character(index: usize) -> char {
    nth(&CHARACTERS, index)
}

pub(super) fn text(index: usize) -> &'static str {
    nth(&TEXTS, index)
}

pub(super) fn bytes(index: usize) -> &'static [u8] {
    &BYTES[..nth(&BYTE_LENGTHS, index)]
}
