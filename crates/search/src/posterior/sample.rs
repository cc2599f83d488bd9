//! What an inference finds.

use super::weights;

/// A weighted sample of the posterior.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The simulations that it is made of, by their numbers; none of them where processes stand for the likelihood.
    pub from: Vec<usize>,
    /// Parameters as standard normal numbers.
    pub points: Vec<Vec<f64>>,
    /// Weights, which add up to 1.
    pub weights: Vec<f64>,
    /// Effective number of draws: one over the sum of the squared weights.
    pub effective: f64,
    /// How much the measured errors were widened: standard deviations of the simulated values. 0: not at all.
    pub widened: f64,
}

impl Sample {
    /// The mean of a number that each draw has.
    pub fn mean(&self, of: impl Fn(&[f64]) -> f64) -> f64 {
        self.points.iter().zip(&self.weights).map(|(point, weight)| weight * of(point)).sum()
    }

    /// The covariance matrix of the parameters, row by row.
    pub fn covariance(&self) -> Vec<f64> {
        let dim = self.points[0].len();
        let means: Vec<f64> = (0..dim).map(|d| self.mean(|p| p[d])).collect();
        let cell = |k: usize| self.mean(|p| (p[k / dim] - means[k / dim]) * (p[k % dim] - means[k % dim]));
        (0..dim * dim).map(cell).collect()
    }

    /// So many draws that count alike, evenly from all; the first one lies at a share, from 0 to 1, of the distance.
    pub fn equal(&self, count: usize, first: f64) -> Vec<Vec<f64>> {
        weights::equal(&self.points, &self.weights, count, first)
    }

    /// The draw nearest to the mean of all, in standard deviations: on a ridge the mean itself may lie beside it.
    pub fn center(&self) -> &[f64] {
        let dim = self.points[0].len();
        let covariance = self.covariance();
        let moments: Vec<(f64, f64)> = (0..dim).map(|d| (self.mean(|p| p[d]), covariance[d * dim + d])).collect();
        let off = |point: &[f64]| -> f64 {
            let one = |(x, (mean, variance)): (&f64, &(f64, f64))| {
                if *variance > 0.0 { (x - mean) * (x - mean) / variance } else { 0.0 }
            };
            point.iter().zip(&moments).map(one).sum()
        };
        let nearest = self.points.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.map_or(&[], |point| &point[..])
    }
}
