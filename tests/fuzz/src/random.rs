//! Mutations by a seed, so that a run can be repeated.

/// xorshift64*.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of this seed.
    #[must_use]
    pub const fn of(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
        usize::try_from((self.next() >> 11) % limit).unwrap_or_default()
    }

    /// Bytes that mean something to a reader of lengths, tags and numbers more often than others do.
    fn byte(&mut self) -> u8 {
        match self.below(8) {
            0 => 0,
            1 => 1,
            2 => 0x7f,
            3 => 0x80,
            4 => 0xff,
            _ => self.next().to_le_bytes()[4],
        }
    }

    /// One of these, altered in some places, or with a part of another.
    pub fn mutated(&mut self, of: &[Vec<u8>], longest: usize) -> Vec<u8> {
        let mut bytes = of[self.below(of.len())].clone();
        for _ in 0..=self.below(5) {
            let (at, some) = (self.below(bytes.len() + 1), self.below(12));
            match self.below(7) {
                0 | 1 => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.below(8);
                    }
                }
                2 => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = self.byte();
                    }
                }
                3 => {
                    let added: Vec<u8> = (0..some).map(|_| self.byte()).collect();
                    bytes.splice(at..at, added);
                }
                4 => drop(bytes.drain(at..(at + some).min(bytes.len()))),
                5 => {
                    // A count of many, and as many zeros, ones or others.
                    let (many, byte) = (1 << self.below(16), self.byte());
                    bytes.splice(at..at, count(many).into_iter().chain(std::iter::repeat_n(byte, many)));
                }
                _ => {
                    let other = &of[self.below(of.len())];
                    let from = self.below(other.len() + 1);
                    let part: Vec<u8> = other[from..].iter().copied().take(some * 8).collect();
                    bytes.splice(at..at, part);
                }
            }
        }
        bytes.truncate(longest);
        bytes
    }
}

/// A length as postcard writes it.
fn count(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}
