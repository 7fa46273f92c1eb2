//! Harm done to a message: first to its JSON, then sometimes to its bytes.

use saga_tests::places::{self, FIELDS};
use serde_json::{Map, Value, json};

/// A stream of random bits (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }

    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, options: &'t [T]) -> &'t T {
        let index = self.below(options.len());
        &options[index]
    }
}

/// A valid message, broken in a few places or in none.
pub(crate) fn broken(mut message: Value, random: &mut Random) -> Vec<u8> {
    for _ in 0..random.below(4) {
        let places = places::of(&message);
        let place = random.pick(&places).clone();
        harm(&mut message, &place, random);
    }
    let mut bytes = message.to_string().into_bytes();
    if random.one_in(8) {
        break_bytes(&mut bytes, random);
    }
    bytes
}

fn harm(message: &mut Value, place: &str, random: &mut Random) {
    match random.below(5) {
        0 => places::remove(message, place),
        1 => match message.pointer_mut(place) {
            Some(Value::Object(fields)) => {
                drop(fields.insert((*random.pick(&FIELDS)).to_owned(), any(random, 3)));
            }
            Some(Value::Array(items)) => items.push(any(random, 3)),
            Some(Value::String(text)) => break_text(text, random),
            _ => {}
        },
        2 => {
            if let Some(value) = message.pointer_mut(place) {
                *value = Value::Array(vec![value.take(), any(random, 1)]);
            }
        }
        _ => {
            if let Some(value) = message.pointer_mut(place) {
                *value = any(random, 3);
            }
        }
    }
}

fn any(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 8 } else { 10 };
    match random.below(kinds) {
        0 => Value::Null,
        1 => random.one_in(2).into(),
        2 => random.next().into(),
        3 => i64::from_le_bytes(random.next().to_le_bytes()).into(),
        4 => json!(f64::from_bits(random.next())),
        5 => "\u{0}\u{7f}\u{202e}é😀".repeat(random.below(4)).into(),
        6 => (*random.pick(&["accept", "2.0", "greet", "sg1.", "-32602", "", "file:///a", "production"]))
            .into(),
        7 => "x".repeat(random.below(5000)).into(),
        8 => (0..random.below(4)).map(|_| any(random, depth - 1)).collect(),
        _ => {
            let fields =
                (0..random.below(4)).map(|_| ((*random.pick(&FIELDS)).to_owned(), any(random, depth - 1)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
    }
}

/// Tokens are texts: one of another character, length or beginning.
fn break_text(text: &mut String, random: &mut Random) {
    match random.below(3) {
        0 => text.push('A'),
        1 => text.truncate((0..=text.len() / 2).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0)),
        _ => *text = text.chars().map(|one| if random.one_in(40) { 'B' } else { one }).collect(),
    }
}

fn break_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, u8::try_from(random.below(256)).unwrap_or_default()),
            2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            _ => {
                let end = (at + random.below(60)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}
