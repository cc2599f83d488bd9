//! Which parameters matter: designs of experiments, and what is estimated from their answers.
//!
//! Everything here works on the unit cube and on columns of numbers; NaN stands for a missing answer. The caller asks the
//! questions, on the same replicas for all rows (common random numbers).
//!
//! ```
//! use crowdtune_core::math::rng::Seed;
//! use crowdtune_search::{Space, sensitivity::saltelli};
//!
//! let rows = saltelli::design(&Space::unit(2), 256, Seed(1));
//! let y: Vec<f64> = rows.iter().map(|x| 2.0 * x[0] + x[1]).collect();
//! let indices = saltelli::indices(2, &y, Seed(2));
//! // The variances of the two terms are as 4 to 1.
//! assert!((indices.first[0].value - 0.8).abs() < 0.02);
//! ```
//!
//! [`morris`] screens many parameters, [`saltelli`] gives shares of the variance, [`forest`] guesses them from the rows of a search, and
//! [`profile`] shows how well the best point is determined, and [`valley`] guesses it from the rows. [`points`] are the Sobol' points of the designs.

pub mod forest;
pub mod morris;
pub mod points;
pub mod profile;
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
    /// Nothing is known.
    pub const NONE: Self = Self { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// A value with the quantiles of its resamples; those that are not finite are left out.
    fn new(value: f64, resampled: &[f64]) -> Self {
        use crowdtune_core::math::stats::quantile;
        if !value.is_finite() {
            return Self::NONE;
        }
        let sample: Vec<f64> = resampled.iter().copied().filter(|x| x.is_finite()).collect();
        Self { value, low: quantile(&sample, 0.025), high: quantile(&sample, 0.975) }
    }
}
