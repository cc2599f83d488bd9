//! What is known of a parameter before anything was measured.

use crate::space::Axis;
use crowdtune_core::math::{beta, normal};

/// The distribution of a gene before anything was measured, within the ends of its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Prior {
    /// All values of the axis alike: of a logarithmic one all orders of magnitude.
    #[default]
    Uniform,
    /// A normal distribution, cut off at the ends.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation, above 0.
        sd: f64,
    },
    /// The logarithm is normal, cut off at the ends.
    LogNormal {
        /// Mean of the natural logarithm.
        mean: f64,
        /// Its standard deviation, above 0.
        sd: f64,
    },
    /// A beta distribution from one end to the other.
    Beta {
        /// The first parameter, above 0: large ones push the values up.
        a: f64,
        /// The second parameter, above 0: large ones push the values down.
        b: f64,
    },
}

impl Prior {
    /// The share of a normal or lognormal distribution that lies between the ends of the axis; 1 for all others.
    pub fn share(&self, axis: &Axis) -> f64 {
        self.shares(axis).map_or(1.0, |(low, high)| high - low)
    }

    /// The coordinate of a gene for a standard normal number: draws of such numbers give draws of the prior.
    pub fn coordinate(&self, axis: &Axis, z: f64) -> f64 {
        let share = normal::below(z);
        if *self == Self::Uniform {
            return share;
        }
        let Axis::Real { low, high, .. } = *axis else { return share };
        let value = match *self {
            Self::Uniform => unreachable!("returned above"),
            Self::Beta { a, b } => low + (high - low) * beta::quantile(share, a, b),
            Self::Normal { mean, sd } => mean + sd * self.deviate(axis, share),
            Self::LogNormal { mean, sd } => libm::exp(mean + sd * self.deviate(axis, share)),
        };
        axis.encode(value)
    }

    /// The standard normal number below which a share of what lies between the ends is.
    fn deviate(&self, axis: &Axis, share: f64) -> f64 {
        let (low, high) = self.shares(axis).unwrap_or((0.0, 1.0));
        normal::quantile((low + share * (high - low)).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0))
    }

    /// The shares of the whole distribution below the ends.
    fn shares(&self, axis: &Axis) -> Option<(f64, f64)> {
        let Axis::Real { low, high, .. } = *axis else { return None };
        let below = |end: f64| match *self {
            Self::Normal { mean, sd } => Some(normal::below((end - mean) / sd)),
            Self::LogNormal { .. } if end <= 0.0 => Some(0.0),
            Self::LogNormal { mean, sd } => Some(normal::below((libm::log(end) - mean) / sd)),
            Self::Uniform | Self::Beta { .. } => None,
        };
        Some((below(low)?, below(high)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::normals::normals;
    use crowdtune_core::math::rng::Seed;
    use crowdtune_core::math::stats;

    fn draws(prior: Prior, axis: &Axis) -> Vec<f64> {
        let mut z = vec![0.0; 20_000];
        normals(&mut Seed(1).rng(), &mut z);
        z.iter().map(|&z| axis.decode(prior.coordinate(axis, z))).collect()
    }

    #[test]
    fn draws_have_the_moments_of_their_distribution() {
        let axis = Axis::Real { low: 0.0, high: 10.0, log: false };
        for (prior, mean, sd) in [
            (Prior::Uniform, 5.0, 10.0 / 12.0_f64.sqrt()),
            (Prior::Normal { mean: 5.0, sd: 0.5 }, 5.0, 0.5),
            // Half a normal distribution: mean sd sqrt(2 / pi), deviation sd sqrt(1 - 2 / pi).
            (Prior::Normal { mean: 0.0, sd: 1.0 }, 0.797_88, 0.602_81),
            (Prior::LogNormal { mean: 0.0, sd: 0.25 }, (0.03125_f64).exp(), 0.262_0),
            (Prior::Beta { a: 2.0, b: 3.0 }, 4.0, 2.0),
        ] {
            let x = draws(prior, &axis);
            assert!((stats::mean(&x) - mean).abs() < 0.02 * mean, "{prior:?}: {}", stats::mean(&x));
            assert!((stats::sd(&x) - sd).abs() < 0.02 * sd, "{prior:?}: {}", stats::sd(&x));
        }
    }

    #[test]
    fn a_uniform_prior_is_uniform_on_the_axis_as_it_is_searched() {
        let x = draws(Prior::Uniform, &Axis::Real { low: 1.0, high: 100.0, log: true });
        assert!((stats::median(&x) - 10.0).abs() < 0.3, "{}", stats::median(&x));
        let x = draws(Prior::Uniform, &Axis::Integer { low: 1, high: 4 });
        for whole in 1..=4 {
            let share = x.iter().filter(|&&x| x == f64::from(whole)).count() as f64 / x.len() as f64;
            assert!((share - 0.25).abs() < 0.01, "{whole}: {share}");
        }
    }

    #[test]
    fn what_lies_between_the_ends_is_a_share() {
        let axis = Axis::Real { low: 0.0, high: 1.0, log: false };
        assert!((Prior::Normal { mean: 0.0, sd: 1.0 }.share(&axis) - 0.341_344_746).abs() < 1e-8);
        assert_eq!(Prior::Beta { a: 2.0, b: 2.0 }.share(&axis), 1.0);
        assert!(Prior::LogNormal { mean: 9.0, sd: 1.0 }.share(&axis) < 1e-15);
    }
}
