//! What a token's length tells: a bucket, and not the state's own length.
//!
//! The encoding of a state is as long as its content makes it (`None` is shorter than `Some`, 127 than
//! 128), and a token's length is there for all to see. Zeros after the state, inside the seal, round it
//! up. States are never compressed, because then their length would tell of their content again.

/// How a state's length is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Padding {
    /// Not at all: a token is as long as its state makes it.
    None,
    /// Up to a multiple of so many bytes, which is `Block(64)` by default; zero and one add nothing.
    Block(u16),
    /// Up to one of few lengths, at most 12 % longer, so that the length of a large state tells no more
    /// than that of a small one (PURBs, Nikitin et al. 2019, algorithm Padmé).
    Padme,
}

impl Default for Padding {
    fn default() -> Self {
        Self::Block(64)
    }
}

impl Padding {
    /// The padded length of `len` bytes.
    pub(super) fn padded(self, len: usize) -> usize {
        match self {
            Self::None | Self::Block(0) => len,
            Self::Block(block) => len.next_multiple_of(usize::from(block)),
            Self::Padme => padme(len),
        }
    }
}

/// Keeps as many leading bits of the length as its exponent has bits, and rounds up the rest.
fn padme(len: usize) -> usize {
    let Some(exponent) = len.checked_ilog2() else { return len };
    let Some(kept) = exponent.checked_ilog2() else { return len };
    let rounded = exponent - (kept + 1).min(exponent);
    len.next_multiple_of(1 << rounded)
}
