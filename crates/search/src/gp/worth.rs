//! What a value is worth that is only known as a normal distribution.

use crate::Rule;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// A loss: its mean and variance, and their slopes along the mean of the value and its variance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Worth {
    pub mean: f64,
    pub variance: f64,
    pub of_mean: [f64; 2],
    pub of_variance: [f64; 2],
}

impl Worth {
    /// Of a value with this mean and variance, above 0.
    pub fn of(rule: Rule, mean: f64, variance: f64) -> Self {
        match rule {
            Rule::Squares { value, unit } => {
                let (each, off) = (1.0 / (unit * unit), mean - value);
                Self {
                    mean: each * (off * off + variance),
                    variance: each * each * (2.0 * variance + 4.0 * off * off) * variance,
                    of_mean: [2.0 * each * off, each],
                    of_variance: [8.0 * each * each * off * variance, 4.0 * each * each * (variance + off * off)],
                }
            }
            Rule::Band { low, high, unit } => {
                let each = 1.0 / if unit > 0.0 { unit } else { 1.0 };
                Self::beyond(&[(high, each), (low, -each)], mean, variance)
            }
            Rule::Slope { good, bad } => {
                Self::beyond(&[(good, 1.0 / if bad == good { 1.0 } else { bad - good })], mean, variance)
            }
        }
    }

    /// Linear beyond ends, of which a value cannot be beyond two: above an end by what each unit costs, below it where that is negative.
    fn beyond(ends: &[(f64, f64)], mean: f64, variance: f64) -> Self {
        let (mut first, mut second) = ([0.0; 3], [0.0; 3]);
        for &(end, each) in ends.iter().filter(|(end, _)| end.is_finite()) {
            let (of, square) = positive(each.signum() * (mean - end), variance);
            // Along the mean it grows with the sign.
            let signs = [each.abs(), each, each.abs()];
            for k in 0..3 {
                first[k] += signs[k] * of[k];
                second[k] += each.abs() * signs[k] * square[k];
            }
        }
        let slope = |k: usize| second[k] - 2.0 * first[0] * first[k];
        Self {
            mean: first[0],
            variance: (second[0] - first[0] * first[0]).max(0.0),
            of_mean: [first[1], first[2]],
            of_variance: [slope(1), slope(2)],
        }
    }
}

/// The mean of what a normal number is above 0, and that of its square, each with its slopes along mean and variance of the number.
fn positive(mean: f64, variance: f64) -> ([f64; 3], [f64; 3]) {
    let deviation = variance.sqrt();
    let z = mean / deviation;
    let density = libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt();
    let chance = 0.5 * libm::erfc(-z * FRAC_1_SQRT_2);
    // Far below 0 both are differences of nearly equal numbers.
    let of = (deviation * (density + z * chance)).max(0.0);
    let square = (variance * ((1.0 + z * z) * chance + z * density)).max(0.0);
    ([of, chance, 0.5 * density / deviation], [square, 2.0 * of, chance])
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [Rule; 5] = [
        Rule::Band { low: -0.4, high: 0.7, unit: 0.5 },
        Rule::Band { low: f64::NEG_INFINITY, high: 0.2, unit: 2.0 },
        Rule::Slope { good: 0.2, bad: 1.2 },
        Rule::Slope { good: 0.5, bad: -1.5 },
        Rule::Squares { value: 0.3, unit: 0.8 },
    ];
    const VALUES: [(f64, f64); 4] = [(0.1, 0.25), (-1.0, 0.5), (2.0, 0.09), (0.15, 1e-3)];

    #[test]
    fn moments_are_those_of_many_values() {
        // By summing the density on a fine line, out to eight deviations.
        for (rule, (mean, variance)) in RULES.into_iter().flat_map(|rule| VALUES.map(|value| (rule, value))) {
            let (mut weight, mut first, mut second) = (0.0, 0.0, 0.0);
            for k in -16_000..=16_000 {
                let z = f64::from(k) * 5e-4;
                let (w, loss) = (libm::exp(-0.5 * z * z), rule.loss(mean + z * f64::sqrt(variance)));
                (weight, first, second) = (weight + w, first + w * loss, second + w * loss * loss);
            }
            let (first, second) = (first / weight, second / weight);
            let got = Worth::of(rule, mean, variance);
            assert!((got.mean - first).abs() < 1e-6 * (1.0 + first), "{rule:?}: {got:?}, not {first}");
            let variance = second - first * first;
            assert!((got.variance - variance).abs() < 1e-6 * (1.0 + second), "{rule:?}: {got:?}, not {variance}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_moments() {
        let h = 1e-6;
        for (rule, (mean, variance)) in RULES.into_iter().flat_map(|rule| VALUES.map(|value| (rule, value))) {
            let got = Worth::of(rule, mean, variance);
            let moved = [
                [-h, h].map(|h| Worth::of(rule, mean + h, variance)),
                [-h, h].map(|h| Worth::of(rule, mean, variance + h)),
            ];
            for (k, [a, b]) in moved.into_iter().enumerate() {
                let (of_mean, of_variance) = ((b.mean - a.mean) / (2.0 * h), (b.variance - a.variance) / (2.0 * h));
                assert!(
                    (of_mean - got.of_mean[k]).abs() < 1e-4 * (1.0 + of_mean.abs()),
                    "{rule:?} {k}: {got:?}, not {of_mean}"
                );
                assert!(
                    (of_variance - got.of_variance[k]).abs() < 1e-4 * (1.0 + of_variance.abs()),
                    "{rule:?} {k}: {got:?}, not {of_variance}"
                );
            }
        }
    }

    #[test]
    fn what_is_nearly_certain_is_worth_what_the_rule_says() {
        for rule in RULES {
            for value in [-5.0, 0.1, 0.6, 40.0] {
                let worth = Worth::of(rule, value, 1e-12);
                assert!(
                    (worth.mean - rule.loss(value)).abs() < 1e-5 && worth.variance < 1e-7,
                    "{rule:?} {value} {worth:?}"
                );
            }
        }
    }
}
