//! Random bits from a seed: the same on every machine and in every version.

/// A source of random bits (`SplitMix64`).
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The bits of this seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub(crate) const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, and 0 if there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.number() % bound).unwrap_or_default()
    }

    /// Whether a thing of which there is one in `many` happens.
    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// One of several, if there is one.
    pub(crate) fn pick<'t, T>(&mut self, options: &'t [T]) -> Option<&'t T> {
        options.get(self.below(options.len()))
    }

    /// One of several texts.
    pub(crate) fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.pick(words).copied().unwrap_or_default()
    }
}
