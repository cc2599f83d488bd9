//! Which parameters matter: designs of experiments and what is estimated from their answers.
//!
//! Everything here works on the unit cube and on columns of numbers; NaN stands for an answer that is missing. Whoever
//! calls it asks the questions, on the same replicas for all rows (common random numbers).

pub mod forest;
pub mod morris;
pub mod points;
pub mod saltelli;
pub mod valley;

/// A number with its percentile bootstrap 95 % interval; all NaN where it cannot be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// What is not known.
    pub const NONE: Self = Self { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// A value with the quantiles of what its resamples gave; those that gave nothing are left out.
    fn new(value: f64, resampled: &[f64]) -> Self {
        use crowdtune_core::math::stats::quantile;
        if !value.is_finite() {
            return Self::NONE;
        }
        let sample: Vec<f64> = resampled.iter().copied().filter(|x| x.is_finite()).collect();
        Self { value, low: quantile(&sample, 0.025), high: quantile(&sample, 0.975) }
    }
}
