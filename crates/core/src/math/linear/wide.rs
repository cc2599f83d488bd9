//! The same sums for long rows, eight numbers at a time, inside of a [`Kernel`](super::super::lanes::Kernel).
//!
//! What a compiler makes of a loop is as wide as the baseline, since it has seen the loop before it knows in which kernel it will stand. So the
//! lanes are named here. Every number goes through the same operations in the same order as in the loops for short rows.

use super::super::doubles::Doubles;
use super::super::lanes::WIDTH;

/// Rows of this length and longer are worth the way through these functions. Chosen here: below they cost as much as they save.
pub const WORTH: usize = 24;

/// As [`dot`](super::dot).
#[inline(always)]
pub fn dot<D: Doubles>(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..n].as_chunks::<WIDTH>(), b[..n].as_chunks::<WIDTH>());
    let mut all = D::splat(0.0);
    for k in 0..a.len() {
        all = all.add(D::of(&a[k]).mul(D::of(&b[k])));
    }
    let mut sums = all.store();
    for k in 0..a_rest.len() {
        sums[k] += a_rest[k] * b_rest[k];
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// As [`add_scaled`](super::add_scaled).
#[inline(always)]
pub fn add_scaled<D: Doubles>(to: &mut [f64], factor: f64, from: &[f64]) {
    let n = to.len().min(from.len());
    let ((to, to_rest), (from, from_rest)) = (to[..n].as_chunks_mut::<WIDTH>(), from[..n].as_chunks::<WIDTH>());
    let wide = D::splat(factor);
    for k in 0..to.len() {
        D::of(&to[k]).add(wide.mul(D::of(&from[k]))).put(&mut to[k]);
    }
    for k in 0..to_rest.len() {
        to_rest[k] += factor * from_rest[k];
    }
}

/// Adds four rows times their factors, one after the other, as far as the first one reaches; the others may be longer.
#[inline(always)]
pub fn add_four<D: Doubles>(to: &mut [f64], factors: [f64; 4], rows: [&[f64]; 4]) {
    let n = rows[0].len();
    let [(a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)] = chunks(rows, n);
    let (to, to_rest) = to[..n].as_chunks_mut::<WIDTH>();
    let [fa, fb, fc, fd] = factors;
    let (wa, wb, wc, wd) = (D::splat(fa), D::splat(fb), D::splat(fc), D::splat(fd));
    for k in 0..to.len() {
        let sum = D::of(&to[k]).add(wa.mul(D::of(&a[k]))).add(wb.mul(D::of(&b[k])));
        sum.add(wc.mul(D::of(&c[k]))).add(wd.mul(D::of(&d[k]))).put(&mut to[k]);
    }
    for k in 0..to_rest.len() {
        to_rest[k] = (((to_rest[k] + fa * a_rest[k]) + fb * b_rest[k]) + fc * c_rest[k]) + fd * d_rest[k];
    }
}

/// Subtracts four rows times their factors, added in pairs first.
#[inline(always)]
pub(super) fn take_off_four<D: Doubles>(from: &mut [f64], factors: [f64; 4], rows: [&[f64]; 4]) {
    let n = from.len();
    let [(a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)] = chunks(rows, n);
    let (from, from_rest) = from.as_chunks_mut::<WIDTH>();
    let [fa, fb, fc, fd] = factors;
    let (wa, wb, wc, wd) = (D::splat(fa), D::splat(fb), D::splat(fc), D::splat(fd));
    for k in 0..from.len() {
        let first = wa.mul(D::of(&a[k])).add(wb.mul(D::of(&b[k])));
        let second = wc.mul(D::of(&c[k])).add(wd.mul(D::of(&d[k])));
        D::of(&from[k]).sub(first.add(second)).put(&mut from[k]);
    }
    for k in 0..from_rest.len() {
        from_rest[k] -= (fa * a_rest[k] + fb * b_rest[k]) + (fc * c_rest[k] + fd * d_rest[k]);
    }
}

/// A row as whole lanes and what is left of it.
type Chunks<'a> = (&'a [[f64; WIDTH]], &'a [f64]);

/// The first `n` numbers of four rows.
#[inline(always)]
fn chunks<'a>([a, b, c, d]: [&'a [f64]; 4], n: usize) -> [Chunks<'a>; 4] {
    [a[..n].as_chunks(), b[..n].as_chunks(), c[..n].as_chunks(), d[..n].as_chunks()]
}

/// As [`solve_transposed`](super::solve_transposed).
#[inline(always)]
pub fn solve_transposed<D: Doubles>(n: usize, r: &[f64], b: &mut [f64]) {
    for k in 0..n {
        b[k] /= r[k * n + k];
        let x = b[k];
        add_scaled::<D>(&mut b[k + 1..n], -x, &r[k * n + k + 1..(k + 1) * n]);
    }
}

/// As [`solve_upper`](super::solve_upper).
#[inline(always)]
pub fn solve_upper<D: Doubles>(n: usize, r: &[f64], b: &mut [f64]) {
    for k in (0..n).rev() {
        let known = dot::<D>(&r[k * n + k + 1..(k + 1) * n], &b[k + 1..n]);
        b[k] = (b[k] - known) / r[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::super as plain;
    use super::super::super::lanes::{Kernel, Lanes, run};
    use super::*;

    /// Numbers without a pattern, of several magnitudes.
    fn numbers(n: usize, of: usize) -> Vec<f64> {
        let number = |i: usize| libm::sin(((i + 1) * (of + 3)) as f64) * libm::exp((i % 7) as f64 - 3.0);
        (0..n).map(number).collect()
    }

    struct All(usize);

    impl Kernel for All {
        type Out = ();

        fn run<L: Lanes>(self) {
            let n = self.0;
            let rows: Vec<Vec<f64>> = (0..4).map(|of| numbers(n, of)).collect();
            let four = [0, 1, 2, 3].map(|k| rows[k].as_slice());
            let factors = [0.3, -1.7, 0.011, 5.9];
            assert_eq!(dot::<L::Double>(four[0], four[1]), plain::dot(four[0], four[1]), "{n}");

            let (mut ours, mut theirs) = (numbers(n, 9), numbers(n, 9));
            add_scaled::<L::Double>(&mut ours, 0.37, four[2]);
            plain::add_scaled(&mut theirs, 0.37, four[2]);
            assert_eq!(ours, theirs, "{n}");
            add_four::<L::Double>(&mut ours, factors, four);
            factors.iter().zip(four).for_each(|(&factor, row)| plain::add_scaled(&mut theirs, factor, row));
            assert_eq!(ours, theirs, "{n}");
            take_off_four::<L::Double>(&mut ours, factors, four);
            plain::take_off(&mut theirs, factors, four);
            assert_eq!(ours, theirs, "{n}");

            let mut upper = numbers(n * n, 5);
            (0..n).for_each(|k| upper[k * n + k] = 20.0 + k as f64);
            solve_transposed::<L::Double>(n, &upper, &mut ours);
            plain::solve_transposed(n, &upper, &mut theirs);
            assert_eq!(ours, theirs, "{n}");
            solve_upper::<L::Double>(n, &upper, &mut ours);
            plain::solve_upper(n, &upper, &mut theirs);
            assert_eq!(ours, theirs, "{n}");
        }
    }

    #[test]
    fn wide_sums_are_the_narrow_ones_bit_by_bit() {
        (0..40).for_each(|n| run(All(n)));
    }
}
