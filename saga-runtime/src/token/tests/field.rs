//! Integers modulo 2^130 - 5, slowly and plainly, for the forger in `commitment.rs`.

/// `high · 2^128 + low`, below the modulus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Field {
    high: u128,
    low: u128,
}

const MODULUS: Field = Field { high: 3, low: u128::MAX - 4 };

impl From<u128> for Field {
    fn from(low: u128) -> Self {
        Self { high: 0, low }
    }
}

impl Field {
    pub(super) const ZERO: Self = Self { high: 0, low: 0 };
    pub(super) const TWO_TO_128: Self = Self { high: 1, low: 0 };

    pub(super) fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let sum = Self { high: self.high + other.high + u128::from(carry), low };
        if sum < MODULUS { sum } else { sum.less(MODULUS) }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.plus(MODULUS.less(other))
    }

    pub(super) fn times(self, other: Self) -> Self {
        self.bits().fold(Self::ZERO, |product, bit| {
            let doubled = product.plus(product);
            if bit { doubled.plus(other) } else { doubled }
        })
    }

    /// `self^(p - 2)`, by Fermat.
    pub(super) fn inverse(self) -> Self {
        MODULUS.less(Self::from(2)).bits().fold(Self::from(1), |power, bit| {
            let squared = power.times(power);
            if bit { squared.times(self) } else { squared }
        })
    }

    /// The value, if it is below 2^128.
    pub(super) fn as_u128(self) -> Option<u128> {
        (self.high == 0).then_some(self.low)
    }

    /// Poly1305's last step, which is not in the field.
    pub(super) fn plus_modulo_2_128(self, other: Self) -> u128 {
        self.low.wrapping_add(other.low)
    }

    /// `self - other`, which must not be negative.
    fn less(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self { high: self.high - other.high - u128::from(borrow), low }
    }

    /// The bits, the most significant first.
    fn bits(self) -> impl Iterator<Item = bool> {
        let bit = move |word: u128, at: u32| (word >> at) & 1 == 1;
        (0..2).rev().map(move |at| bit(self.high, at)).chain((0..128).rev().map(move |at| bit(self.low, at)))
    }
}

#[test]
fn an_inverse_undoes_a_product() {
    let value = Field { high: 2, low: 0x1234_5678_9abc_def0 };
    assert_eq!(value.times(value.inverse()), Field::from(1));
    assert_eq!(value.plus(Field::from(7)).minus(Field::from(7)), value);
    assert_eq!(Field::TWO_TO_128.times(Field::from(4)), Field::from(5), "2^130 is 5");
}
