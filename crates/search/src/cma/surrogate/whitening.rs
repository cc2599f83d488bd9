//! Whitening: coordinates in which weighted points have mean 0 and covariance 1, by the Cholesky factor of theirs.

use crate::cma::coding::Point;
use crowdtune_core::math::linear::{add_scaled, cholesky, solve_transposed, solve_upper};

/// Coordinates u with R^T u = (x - center) / scale.
#[derive(Clone, Debug, Default)]
pub struct Whitening {
    /// Mean of the points.
    pub center: Vec<f64>,
    /// Deviation of the points in each coordinate.
    pub scale: Vec<f64>,
    /// 1 / scale.
    pub inverse: Vec<f64>,
    /// Upper triangular R; empty for the identity.
    pub shape: Vec<f64>,
}

impl Whitening {
    /// Coordinates in which the weighted points have mean 0 and deviation 1, and with `turned` no correlation.
    pub fn new(turned: bool, points: &[&Point], weights: &[f64]) -> Self {
        let n = points[0].x.len();
        let total: f64 = weights.iter().sum();
        let mut center = vec![0.0; n];
        for (point, w) in points.iter().zip(weights) {
            add_scaled(&mut center, w / total, &point.x);
        }
        let mut scale = vec![0.0; n];
        for (point, w) in points.iter().zip(weights) {
            for ((s, x), c) in scale.iter_mut().zip(&point.x).zip(&center) {
                *s += w / total * (x - c) * (x - c);
            }
        }
        scale.iter_mut().for_each(|s| *s = if *s > 0.0 { s.sqrt() } else { 1.0 });
        let mut whitening = Self::straight(center, scale);
        if turned {
            let mut shape = vec![0.0; n * n];
            let mut s = Vec::with_capacity(n);
            for (point, w) in points.iter().zip(weights) {
                whitening.local(&point.x, &mut s);
                for i in 0..n {
                    add_scaled(&mut shape[i * n + i..(i + 1) * n], w / total * s[i], &s[i..]);
                }
            }
            // Far below the data, so that points on a plane have a factor too.
            (0..n).for_each(|i| shape[i * n + i] += 1e-13);
            if cholesky(n, &mut shape) {
                whitening.shape = shape;
            }
        }
        whitening
    }

    /// Coordinates that are moved and stretched only.
    pub fn straight(center: Vec<f64>, scale: Vec<f64>) -> Self {
        let inverse = scale.iter().map(|s| 1.0 / s).collect();
        Self { center, scale, inverse, shape: Vec::new() }
    }

    /// Writes the coordinates of x to `u`.
    pub fn local(&self, x: &[f64], u: &mut Vec<f64>) {
        u.clear();
        u.extend(x.iter().zip(&self.center).zip(&self.inverse).map(|((x, c), s)| (x - c) * s));
        if !self.shape.is_empty() {
            solve_transposed(x.len(), &self.shape, u);
        }
    }

    /// The x of coordinates u.
    pub fn global(&self, u: &[f64]) -> Vec<f64> {
        let n = u.len();
        let mut s = u.to_vec();
        if !self.shape.is_empty() {
            s.fill(0.0);
            for (k, u) in u.iter().enumerate() {
                add_scaled(&mut s[k..], *u, &self.shape[k * n + k..(k + 1) * n]);
            }
        }
        s.iter().zip(&self.center).zip(&self.scale).map(|((s, c), d)| c + d * s).collect()
    }

    /// Turns derivatives by u into derivatives by (x - center) / scale: the gradient R^-1 g and the Hessian R^-1 H R^-T.
    pub fn unturned(&self, gradient: &mut [f64], hessian: &mut Vec<f64>) {
        let n = gradient.len();
        if self.shape.is_empty() {
            return;
        }
        solve_upper(n, &self.shape, gradient);
        for _ in 0..2 {
            hessian.chunks_exact_mut(n).for_each(|row| solve_upper(n, &self.shape, row));
            *hessian = (0..n * n).map(|k| hessian[k % n * n + k / n]).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_become_a_ball() {
        let points: Vec<Point> = [[0.1, 0.5], [0.3, 0.9], [0.5, 0.7], [0.9, 0.8]]
            .iter()
            .map(|x| Point { x: x.to_vec(), words: Vec::new() })
            .collect();
        let weights = [1.0, 2.0, 3.0, 4.0];
        let whitening = Whitening::new(true, &points.iter().collect::<Vec<_>>(), &weights);
        let mut u = Vec::new();
        let (mut mean, mut square) = ([0.0; 2], [0.0; 3]);
        for (point, w) in points.iter().zip(weights) {
            whitening.local(&point.x, &mut u);
            for (x, back) in point.x.iter().zip(whitening.global(&u)) {
                assert!((x - back).abs() < 1e-14);
            }
            (0..2).for_each(|i| mean[i] += w * u[i] / 10.0);
            (0..3).for_each(|k| square[k] += w * u[k / 2] * u[k.div_ceil(2)] / 10.0);
        }
        for (value, truth) in mean.iter().chain(&square).zip([0.0, 0.0, 1.0, 0.0, 1.0]) {
            assert!((value - truth).abs() < 1e-10, "{mean:?} {square:?}");
        }
    }
}
