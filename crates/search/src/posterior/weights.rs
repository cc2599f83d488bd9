//! How well simulated values agree with measured ones.

use super::setup::{Evidence, Observed};
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::ChaCha8Rng;
use crowdtune_core::math::stats;

/// Errors are never widened more than this, standard deviations of the simulated values: there everything agrees.
pub(super) const WIDEST: f64 = 1e6;
/// Standard deviations of a normal distribution in its median absolute deviation.
pub(super) const PER_MAD: f64 = 1.482_602_218_505_602;

/// How far the errors of measured values are widened.
#[derive(Clone, Debug)]
pub(super) struct Width {
    /// Spread of each simulated value: standard deviations.
    pub spread: Vec<f64>,
    /// In these units.
    pub widened: f64,
}

impl Width {
    /// The logarithm of the density of the measured values around simulated ones, with the widened errors, up to a constant.
    pub fn agreement(&self, observed: &[Observed], statistics: &[f64]) -> f64 {
        if self.widened == f64::INFINITY {
            return 0.0;
        }
        let of = |((observed, simulated), spread): ((&Observed, &f64), &f64)| {
            let off = simulated - observed.value;
            let more = self.widened * spread;
            let variance = observed.sd * observed.sd + more * more;
            if variance > 0.0 {
                -0.5 * off * off / variance
            } else if off == 0.0 {
                0.0
            } else {
                f64::NEG_INFINITY
            }
        };
        observed.iter().zip(statistics).zip(&self.spread).map(of).sum()
    }

    /// How far each measured value still is from what would have been measured in a simulation that agrees, by simulation: of the two
    /// errors that explain the difference, the widening, drawn as the other one allows, in spreads.
    pub fn shifts(&self, observed: &[Observed], answers: &[&[f64]], rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
        let mut draws = vec![0.0; observed.len()];
        let mut of = |statistics: &&[f64]| {
            normals(rng, &mut draws);
            let shift = |k: usize| {
                let (more, own) = (self.widened * self.spread[k], observed[k].sd);
                let both = more * more + own * own;
                if both <= 0.0 || self.spread[k] <= 0.0 {
                    return 0.0;
                }
                let mean = (statistics[k] - observed[k].value) * (more * more / both);
                (mean + more * own / both.sqrt() * draws[k]) / self.spread[k]
            };
            (0..observed.len()).map(shift).collect()
        };
        answers.iter().map(&mut of).collect()
    }
}

/// The spread of each statistic: robust, or the standard deviation where most values are the same.
pub(super) fn spread<'a>(answers: impl Iterator<Item = &'a [f64]>, count: usize) -> Vec<f64> {
    let answers: Vec<&[f64]> = answers.collect();
    let of = |k: usize| {
        let values: Vec<f64> = answers.iter().map(|s| s[k]).collect();
        if values.is_empty() {
            return 0.0;
        }
        let middle = stats::median(&values);
        let off: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
        let robust = PER_MAD * stats::median(&off);
        if robust > 0.0 { robust } else { stats::sd(&values) }
    };
    (0..count).map(of).collect()
}

/// Weights that add up to 1.
#[derive(Clone, Debug)]
pub(super) struct Normalized {
    /// The weights.
    pub weights: Vec<f64>,
    /// Their effective number.
    pub effective: f64,
    /// The logarithm of what they added up to before.
    pub log_sum: f64,
}

impl Normalized {
    /// What the weights added up to, as a mean over all draws: their effective number gives its relative error.
    pub fn evidence(&self) -> Evidence {
        let error = (1.0 / self.effective - 1.0 / self.weights.len() as f64).max(0.0).sqrt();
        Evidence { log: self.log_sum, error, effective: self.effective }
    }
}

/// From the logarithms of weights; `None` if all are 0.
pub(super) fn normalized(log_weights: &[f64]) -> Option<Normalized> {
    let largest = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return None;
    }
    let weights: Vec<f64> = log_weights.iter().map(|w| libm::exp(w - largest)).collect();
    let sum: f64 = weights.iter().sum();
    let weights: Vec<f64> = weights.iter().map(|w| w / sum).collect();
    let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    Some(Normalized { weights, effective, log_sum: largest + libm::log(sum) })
}

/// The effective number of these weights, 0 if all are 0.
pub(super) fn effective(log_weights: &[f64]) -> f64 {
    normalized(log_weights).map_or(0.0, |found| found.effective)
}

/// The largest power up to 1 that leaves so many effective weights, of those that it gives.
pub(super) fn tempered(wanted: f64, effective: impl Fn(f64) -> f64) -> f64 {
    if effective(1.0) >= wanted {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if effective(middle) >= wanted { low = middle } else { high = middle }
    }
    low
}

/// So many equal draws of weighted points, at places that are evenly apart; the first one lies at a share of the distance.
pub(super) fn equal(points: &[Vec<f64>], weights: &[f64], count: usize, first: f64) -> Vec<Vec<f64>> {
    let (mut at, mut below) = (0, weights[0]);
    let draw = |k: usize| {
        let share = (k as f64 + first) / count as f64;
        while share >= below && at + 1 < points.len() {
            at += 1;
            below += weights[at];
        }
        points[at].clone()
    };
    (0..count).map(draw).collect()
}
