//! What a generation is drawn from: normal distributions around the points that agreed.

use crowdtune_core::math::linear::{cholesky, solve_transposed};
use std::f64::consts::PI;

/// Most centers of a mixture. Chosen here: more follow a curved ridge no better, and every density costs all of them.
const CENTERS: usize = 200;
/// Share of draws from the prior itself: what no point has found yet stays possible, and no weight grows beyond its inverse. Hesterberg's
/// defensive mixture (Technometrics 37, 185, 1995); 0.1 is in the range that he advises.
const DEFENSIVE: f64 = 0.1;

/// A mixture: the prior, and equal normal distributions around weighted centers.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    dim: usize,
    /// Cumulated weights of the centers; none: the prior alone.
    cumulated: Vec<f64>,
    /// The centers, and whitened: their coordinates in deviations of the distribution around them.
    centers: Vec<Vec<f64>>,
    white: Vec<Vec<f64>>,
    /// Upper triangle R of their covariance R^T R.
    root: Vec<f64>,
    /// ln of the density at a center.
    log_peak: f64,
}

/// ln of the standard normal density.
pub(super) fn log_prior(point: &[f64]) -> f64 {
    -0.5 * point.iter().map(|z| z * z).sum::<f64>() - 0.5 * point.len() as f64 * libm::log(2.0 * PI)
}

impl Proposal {
    /// The prior alone.
    pub fn prior(dim: usize) -> Self {
        Self { dim, cumulated: Vec::new(), centers: Vec::new(), white: Vec::new(), root: Vec::new(), log_peak: 0.0 }
    }

    /// Around points with these weights, which add up to 1. Each distribution has the covariance of all of them: twice it, as in Beaumont and
    /// others (Biometrika 96, 983, 2009), would leave half of the draws outside in ten dimensions.
    pub fn around(points: &[Vec<f64>], weights: &[f64], dim: usize) -> Self {
        let mean: Vec<f64> = (0..dim).map(|d| points.iter().zip(weights).map(|(p, w)| w * p[d]).sum()).collect();
        let mut root = vec![0.0; dim * dim];
        for (point, weight) in points.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
            for row in 0..dim {
                for column in row..dim {
                    root[row * dim + column] += weight * (point[row] - mean[row]) * (point[column] - mean[column]);
                }
            }
        }
        // A direction without any spread would never be left again.
        (0..dim).for_each(|d| root[d * dim + d] += 1e-6);
        if !cholesky(dim, &mut root) {
            return Self::prior(dim);
        }
        let heavy = heaviest(weights);
        let total: f64 = heavy.iter().map(|&i| weights[i]).sum();
        let mut sum = 0.0;
        let cumulated = heavy.iter().map(|&i| {
            sum += weights[i] / total;
            sum
        });
        let cumulated: Vec<f64> = cumulated.collect();
        let centers: Vec<Vec<f64>> = heavy.iter().map(|&i| points[i].clone()).collect();
        let log_peak =
            -(0..dim).map(|d| libm::log(root[d * dim + d])).sum::<f64>() - 0.5 * dim as f64 * libm::log(2.0 * PI);
        let mut proposal = Self { dim, cumulated, centers, white: Vec::new(), root, log_peak };
        proposal.white = proposal.centers.iter().map(|c| proposal.whitened(c)).collect();
        proposal
    }

    /// Moves standard normal numbers to the part of the mixture at a share of its weight, from 0 to 1.
    pub fn draw(&self, share: f64, point: &mut [f64]) {
        if self.centers.is_empty() || share < DEFENSIVE {
            return;
        }
        let share = (share - DEFENSIVE) / (1.0 - DEFENSIVE);
        let at = self.cumulated.partition_point(|&sum| sum <= share).min(self.centers.len() - 1);
        let normal = point.to_vec();
        for (d, x) in point.iter_mut().enumerate() {
            let spread: f64 = (0..=d).map(|k| self.root[k * self.dim + d] * normal[k]).sum();
            *x = self.centers[at][d] + spread;
        }
    }

    /// The density at a point.
    pub fn density(&self, point: &[f64]) -> f64 {
        let prior = libm::exp(log_prior(point));
        if self.centers.is_empty() {
            return prior;
        }
        let point = self.whitened(point);
        let mut before = 0.0;
        let mut sum = 0.0;
        for (center, &cumulated) in self.white.iter().zip(&self.cumulated) {
            let d2: f64 = point.iter().zip(center).map(|(x, c)| (x - c) * (x - c)).sum();
            sum += (cumulated - before) * libm::exp(-0.5 * d2);
            before = cumulated;
        }
        DEFENSIVE * prior + (1.0 - DEFENSIVE) * sum * libm::exp(self.log_peak)
    }

    fn whitened(&self, point: &[f64]) -> Vec<f64> {
        let mut white = point.to_vec();
        solve_transposed(self.dim, &self.root, &mut white);
        white
    }
}

/// The points of most weight, in their order.
fn heaviest(weights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    order.truncate(CENTERS);
    order.sort_unstable();
    order
}
