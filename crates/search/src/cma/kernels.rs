//! The sums of CMA-ES that take most of its time, on the widest registers there are; each sum has one order.

use crowdtune_core::math::lanes::{Kernel, Lanes};

/// A step from the mean in units of sigma, and what it is in the coordinates in which the distribution is a ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// (x - mean) / sigma.
    pub y: Vec<f64>,
    /// C^-1/2 y up to a rotation: R^-T y with C = R^T R.
    pub z: Vec<f64>,
}

/// Steps that are drawn beside each other: what one wide register holds.
pub const BESIDE: usize = 8;

/// y = R^T z.
pub struct Shape<'a> {
    /// Number of coordinates.
    pub n: usize,
    /// R, upper triangular.
    pub factor: &'a [f64],
    /// Their z is read, their y is written; at most [`BESIDE`].
    pub steps: &'a mut [Step],
}

impl Kernel for Shape<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        let mut z = vec![[0.0; BESIDE]; n];
        for (lane, step) in self.steps.iter().enumerate() {
            z.iter_mut().zip(&step.z).for_each(|(z, value)| z[lane] = *value);
        }
        for i in 0..n {
            let mut sums = [0.0; BESIDE];
            for (z, row) in z[..=i].iter().zip(self.factor.chunks_exact(n)) {
                sums.iter_mut().zip(z).for_each(|(sum, z)| *sum += row[i] * z);
            }
            self.steps.iter_mut().zip(sums).for_each(|(step, sum)| step.y[i] = sum);
        }
    }
}

/// (47): C becomes `keep` C plus the weighted outer products of the rows, in the upper triangle.
pub struct Spread<'a> {
    /// C.
    pub covariance: &'a mut [f64],
    /// What is left of it.
    pub keep: f64,
    /// The rows, one after another.
    pub rows: &'a [f64],
    /// Weight of each row.
    pub weights: &'a [f64],
}

impl Kernel for Spread<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.rows.len() / self.weights.len();
        let mut factors = vec![0.0; self.weights.len()];
        for (i, line) in self.covariance.chunks_exact_mut(n).enumerate() {
            for ((f, w), row) in factors.iter_mut().zip(self.weights).zip(self.rows.chunks_exact(n)) {
                *f = w * row[i];
            }
            let (fours, rest) = line[i..].as_chunks_mut::<4>();
            let mut at = i;
            for four in fours {
                let mut sums = four.map(|c| self.keep * c);
                for (f, row) in factors.iter().zip(self.rows.chunks_exact(n)) {
                    let row: &[f64] = &row[at..at + 4];
                    for k in 0..4 {
                        sums[k] += f * row[k];
                    }
                }
                *four = sums;
                at += 4;
            }
            for (c, at) in rest.iter_mut().zip(at..) {
                *c *= self.keep;
                for (f, row) in factors.iter().zip(self.rows.chunks_exact(n)) {
                    *c += f * row[at];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::lanes::run;

    #[test]
    fn steps_by_hand() {
        // R = (2 3; 0 5): y = R^T z = (2 z0, 3 z0 + 5 z1).
        let mut steps: Vec<Step> = (0..3).map(|k| Step { z: vec![1.0, f64::from(k)], y: vec![0.0; 2] }).collect();
        run(Shape { n: 2, factor: &[2.0, 3.0, 0.0, 5.0], steps: &mut steps });
        assert_eq!(steps.iter().map(|s| s.y[1]).collect::<Vec<_>>(), [3.0, 8.0, 13.0]);
        assert!(steps.iter().all(|s| s.y[0] == 2.0));
    }

    #[test]
    fn outer_products_by_hand() {
        // Half of the unit matrix plus 2 v v^T - w w^T for six coordinates.
        let n = 6;
        let mut covariance: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }).collect();
        let rows: Vec<f64> = (0..2 * n).map(|k| k as f64 - 4.0).collect();
        run(Spread { covariance: &mut covariance, keep: 0.5, rows: &rows, weights: &[2.0, -1.0] });
        let (v, w) = rows.split_at(n);
        for i in 0..n {
            for j in i..n {
                let unit = if i == j { 0.5 } else { 0.0 };
                assert_eq!(covariance[i * n + j], unit + 2.0 * v[i] * v[j] - w[i] * w[j]);
            }
        }
    }
}
