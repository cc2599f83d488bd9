//! Eight numbers of double precision at a time, for kernels of [`super::lanes`] that need more digits.

use super::lanes::{Lanes, PACKED, WIDTH, folded, smaller};

/// Eight numbers; comparisons give all bits or none in each lane. The same bits on every processor, as [`Lanes`].
pub trait Doubles: Copy {
    /// The same lanes in single precision.
    type Single: Lanes;
    /// The same number in all lanes.
    fn splat(x: f64) -> Self;
    /// These numbers.
    fn of(lanes: &[f64; WIDTH]) -> Self;
    /// Writes the numbers.
    fn put(self, to: &mut [f64; WIDTH]);
    /// Of numbers in single precision.
    fn of_single(lanes: Self::Single) -> Self;
    /// Rounded to single precision.
    fn to_single(self) -> Self::Single;
    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Difference.
    fn sub(self, o: Self) -> Self;
    /// Product.
    fn mul(self, o: Self) -> Self;
    /// Quotient.
    fn div(self, o: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// The smaller one; of equals or with a NaN the second.
    fn min(self, o: Self) -> Self;
    /// The larger one; of equals or with a NaN the second.
    fn max(self, o: Self) -> Self;
    /// Lanes that are smaller or equal, as bits: bit k is set for lane k; none with a NaN.
    fn at_most(self, o: Self) -> u8;
    /// The numbers where a bit is set, else those of `o`.
    fn or_else(self, bits: u8, o: Self) -> Self;
    /// The numbers of `a` where these are smaller than those of `o` or equal, else those of `b`; of `b` with a NaN.
    fn choose(self, o: Self, a: Self, b: Self) -> Self;
    /// Each lane one place up, and `first` in the first one.
    fn up(self, first: f64) -> Self;
    /// Each lane one place down, and `last` in the last one.
    fn down(self, last: f64) -> Self;
    /// Writes the lanes whose bit is set, in their order; what is written behind them is not said.
    fn pack(self, bits: u8, to: &mut [f64; WIDTH]);
    /// The bits of each number moved up by 52 places: a whole number becomes an exponent.
    fn to_exponent(self) -> Self;

    /// The numbers.
    #[inline(always)]
    fn store(self) -> [f64; WIDTH] {
        let mut lanes = [0.0; WIDTH];
        self.put(&mut lanes);
        lanes
    }

    /// Rounded down to whole numbers; for numbers below 2^51.
    #[inline(always)]
    fn floor(self) -> Self {
        let shift = Self::splat(SHIFT);
        let nearest = self.add(shift).sub(shift);
        nearest.choose(self, nearest, nearest.sub(Self::splat(1.0)))
    }

    /// These whole numbers from 0 to 2^32 - 1; others give no particular ones.
    #[inline(always)]
    fn whole(self) -> [u32; WIDTH] {
        // The last bits of a number from 2^52 on count ones.
        let (lanes, mut whole) = (self.add(Self::splat(SHIFT)).store(), [0; WIDTH]);
        for (whole, lane) in whole.iter_mut().zip(lanes) {
            *whole = lane.to_bits() as u32;
        }
        whole
    }

    /// Sum of the lanes, always in the same order.
    #[inline(always)]
    fn total(self) -> f64 {
        folded(self.store(), std::ops::Add::add)
    }

    /// The smallest of the lanes, in the order of [`Doubles::total`]; numbers, not a NaN.
    #[inline(always)]
    fn least(self) -> f64 {
        folded(self.store(), smaller)
    }

    /// 1 / sqrt(x) to the last bits for x between 1e-37 and 1e38, in half of the time that a root and a division take.
    #[inline(always)]
    fn per_root(self) -> Self {
        let (half, c) = (self.mul(Self::splat(0.5)), Self::splat(1.5));
        // Each step of Newton's doubles the digits: 2e-7, 5e-14, rounding.
        let first = Self::of_single(Self::Single::splat(1.0).div(self.to_single().sqrt()));
        let second = first.mul(c.sub(half.mul(first).mul(first)));
        second.mul(c.sub(half.mul(second).mul(second)))
    }

    /// e^x with a relative error below 1e-15 for x in -600..600, clamped outside: what is far away stays a normal number, also divided by its distance.
    #[inline(always)]
    fn exponential(self) -> Self {
        let c = Self::splat;
        let x = self.max(c(-600.0)).min(c(600.0));
        // 1.5 * 2^52 rounds to whole numbers, 1023 is the bias of the exponent.
        let shifted = x.mul(c(std::f64::consts::LOG2_E)).add(c(ROUND));
        let n = shifted.sub(c(ROUND));
        let r = x.sub(n.mul(c(LN2_HIGH))).sub(n.mul(c(LN2_LOW)));
        // Taylor's series up to r^13/13!, which leaves less than r^14/14! < 5e-18; in quarters that do not wait for each other.
        let r2 = r.mul(r);
        let r4 = r2.mul(r2);
        let last = c(TAYLOR[12]).add(r.mul(c(TAYLOR[13])));
        let p = quarter(r, r2, 8).add(r4.mul(last));
        let p = quarter(r, r2, 4).add(r4.mul(p));
        let p = quarter(r, r2, 0).add(r4.mul(p));
        p.mul(shifted.to_exponent())
    }
}

/// Four terms of the series, two by two.
#[inline(always)]
fn quarter<D: Doubles>(r: D, r2: D, k: usize) -> D {
    let low = D::splat(TAYLOR[k]).add(r.mul(D::splat(TAYLOR[k + 1])));
    let high = D::splat(TAYLOR[k + 2]).add(r.mul(D::splat(TAYLOR[k + 3])));
    low.add(r2.mul(high))
}

/// 1 / k! for k from 0 on.
const TAYLOR: [f64; 14] = {
    let mut series = [1.0; 14];
    let (mut k, mut factorial) = (1, 1.0);
    while k < series.len() {
        factorial *= k as f64;
        series[k] = 1.0 / factorial;
        k += 1;
    }
    series
};
/// 1.5 * 2^52: adding and subtracting it rounds to whole numbers.
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The same, and its last bits are the bias of an exponent.
const ROUND: f64 = SHIFT + 1023.0;
/// ln 2 in two parts; the first has so few bits that its product with a small whole number is exact.
const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Lanes of plain Rust, for every processor.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct PlainDoubles([f64; WIDTH]);

impl PlainDoubles {
    #[inline(always)]
    fn each(self, o: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|k| f(self.0[k], o.0[k])))
    }
}

impl Doubles for PlainDoubles {
    type Single = super::lanes::Plain;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; WIDTH])
    }
    #[inline(always)]
    fn of(lanes: &[f64; WIDTH]) -> Self {
        Self(*lanes)
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; WIDTH]) {
        *to = self.0;
    }
    #[inline(always)]
    fn of_single(lanes: Self::Single) -> Self {
        Self(lanes.store().map(f64::from))
    }
    #[inline(always)]
    fn to_single(self) -> Self::Single {
        Self::Single::of(&self.0.map(|x| x as f32))
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.each(o, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.each(o, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.each(o, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.each(o, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        self.each(o, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        self.each(o, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> u8 {
        (0..WIDTH).fold(0, |bits, k| bits | u8::from(self.0[k] <= o.0[k]) << k)
    }
    #[inline(always)]
    fn or_else(self, bits: u8, o: Self) -> Self {
        Self(std::array::from_fn(|k| if bits >> k & 1 == 1 { self.0[k] } else { o.0[k] }))
    }
    #[inline(always)]
    fn choose(self, o: Self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|k| if self.0[k] <= o.0[k] { a.0[k] } else { b.0[k] }))
    }
    #[inline(always)]
    fn up(self, first: f64) -> Self {
        let [a, b, c, d, e, f, g, _] = self.0;
        Self([first, a, b, c, d, e, f, g])
    }
    #[inline(always)]
    fn down(self, last: f64) -> Self {
        let [_, b, c, d, e, f, g, h] = self.0;
        Self([b, c, d, e, f, g, h, last])
    }
    #[inline(always)]
    fn pack(self, bits: u8, to: &mut [f64; WIDTH]) {
        *to = PACKED[usize::from(bits)].map(|lane| self.0[usize::from(lane) & 7]);
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(self.0.map(|x| f64::from_bits(x.to_bits() << 52)))
    }
}

#[cfg(test)]
#[path = "doubles_tests.rs"]
mod tests;
