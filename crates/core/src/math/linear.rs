//! Small dense linear algebra: Cholesky factors and triangular systems.
//!
//! Matrices are row-major slices of `n * n` numbers. Everything is + - * / and square roots in one fixed order, so the
//! bits are the same on every CPU. Inner loops run along rows over independent numbers, on the widest registers there are.

pub mod wide;

use super::lanes::{Kernel, Lanes, run};
use wide::WORTH;

/// Independent sums in [`dot`].
const SUMS: usize = 8;

/// The scalar product, as eight sums by index modulo 8, which are added at the end.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    for (a, b) in a.iter().zip(b) {
        for k in 0..SUMS {
            sums[k] += a[k] * b[k];
        }
    }
    for (k, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[k] += a * b;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Adds `factor` times `from` to `to`.
#[inline(always)]
pub fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    // Unrolled by four by hand: rows are often too short for what a compiler makes of a loop.
    let ((to, to_rest), (from, from_rest)) = (to.as_chunks_mut::<4>(), from.as_chunks::<4>());
    for (t, f) in to.iter_mut().zip(from) {
        for k in 0..4 {
            t[k] += factor * f[k];
        }
    }
    to_rest.iter_mut().zip(from_rest).for_each(|(t, f)| *t += factor * f);
}

/// Replaces a symmetric matrix, of which the upper triangle is read, by R with A = R^T R in the upper triangle. False,
/// with `a` spoiled, if it is not positive definite.
pub fn cholesky(n: usize, a: &mut [f64]) -> bool {
    debug_assert_eq!(a.len(), n * n, "sizes agree");
    run(Factor { n, a })
}

struct Factor<'a> {
    n: usize,
    a: &'a mut [f64],
}

impl Kernel for Factor<'_> {
    type Out = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let n = self.n;
        for i in 0..n {
            let (above, rest) = self.a.split_at_mut(i * n);
            let line = &mut rest[i..n];
            // Four rows at a time, because a large matrix does not fit the nearest cache.
            let mut fours = above.chunks_exact(4 * n);
            for four in &mut fours {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| &four[k * n + i..(k + 1) * n]);
                let factors = [a[0], b[0], c[0], d[0]];
                if line.len() >= WORTH {
                    wide::take_off_four::<L::Double>(line, factors, [a, b, c, d]);
                    continue;
                }
                let (fours, rest) = line.as_chunks_mut::<4>();
                let whole = 4 * fours.len();
                for (k, four) in fours.iter_mut().enumerate() {
                    take_off(four, factors, [a, b, c, d].map(|row| &row[4 * k..4 * k + 4]));
                }
                take_off(rest, factors, [a, b, c, d].map(|row| &row[whole..]));
            }
            for row in fours.remainder().chunks_exact(n) {
                add_scaled(line, -row[i], &row[i..]);
            }
            let pivot = line[0];
            // Written so that NaN fails too.
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            let root = pivot.sqrt();
            line.iter_mut().for_each(|x| *x /= root);
        }
        true
    }
}

/// Subtracts four rows times their factors from `line`.
#[inline(always)]
fn take_off(line: &mut [f64], factors: [f64; 4], [a, b, c, d]: [&[f64]; 4]) {
    let [fa, fb, fc, fd] = factors;
    for ((x, (a, b)), (c, d)) in line.iter_mut().zip(a.iter().zip(b)).zip(c.iter().zip(d)) {
        *x -= (fa * a + fb * b) + (fc * c + fd * d);
    }
}

/// Solves R^T x = b in place, R as [`cholesky`] leaves it.
pub fn solve_transposed(n: usize, r: &[f64], b: &mut [f64]) {
    for k in 0..n {
        b[k] /= r[k * n + k];
        let x = b[k];
        add_scaled(&mut b[k + 1..n], -x, &r[k * n + k + 1..(k + 1) * n]);
    }
}

/// Solves R x = b in place, R as [`cholesky`] leaves it.
pub fn solve_upper(n: usize, r: &[f64], b: &mut [f64]) {
    for k in (0..n).rev() {
        let known = dot(&r[k * n + k + 1..(k + 1) * n], &b[k + 1..n]);
        b[k] = (b[k] - known) / r[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn products_by_hand() {
        let a: Vec<f64> = (1..=11).map(f64::from).collect();
        // 1 + 4 + ... + 121
        assert_eq!(dot(&a, &a), 506.0);
        assert_eq!(dot(&a[..0], &a[..0]), 0.0);
        let mut b = [1.0, 2.0];
        add_scaled(&mut b, 2.0, &[10.0, -1.0]);
        assert_eq!(b, [21.0, 0.0]);
    }

    #[test]
    fn cholesky_by_hand() {
        let mut a = [4.0, 2.0, 0.0, 5.0];
        assert!(cholesky(2, &mut a));
        assert_eq!((a[0], a[1], a[3]), (2.0, 1.0, 2.0));
        let mut b = [8.0, 14.0];
        solve_transposed(2, &a, &mut b);
        solve_upper(2, &a, &mut b);
        assert_eq!(b, [0.75, 2.5]);
        assert!(!cholesky(2, &mut [1.0, 2.0, 2.0, 1.0]));
        assert!(!cholesky(1, &mut [f64::NAN]));
        assert!(cholesky(0, &mut []));
    }

    fn square(n: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => -10.0..10.0_f64], n * n)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn cholesky_rebuilds_the_matrix((n, a) in (1_usize..40).prop_flat_map(|n| (Just(n), square(n)))) {
            // A A^T + 1 is positive definite.
            let mut b = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    b[i * n + j] = dot(&a[i * n..(i + 1) * n], &a[j * n..(j + 1) * n]) + f64::from(u8::from(i == j));
                }
            }
            let mut r = b.clone();
            prop_assert!(cholesky(n, &mut r));
            for i in 0..n {
                for j in i..n {
                    let rebuilt: f64 = (0..=i).map(|k| r[k * n + i] * r[k * n + j]).sum();
                    prop_assert!((rebuilt - b[i * n + j]).abs() < 1e-11 * n as f64);
                }
            }
        }
    }
}
