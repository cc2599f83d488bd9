//! Student's t distribution with a whole number of degrees of freedom, for tests and intervals of small samples.

use super::stats;
use libm::{atan, cos, sin};

/// Probability that a t deviate with `df` (1 or more) degrees of freedom is above `t`; 0.5 at 0, NaN for NaN.
///
/// Finite series of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
pub fn upper_tail(t: f64, df: u32) -> f64 {
    let angle = atan(t.abs() / f64::from(df).sqrt());
    let (s, c) = (sin(angle), cos(angle));
    let (mut sum, mut term) = (0.0, 1.0);
    // Even numbers: 1 + c^2 / 2 + 3 c^4 / 8 + ...; odd ones: c + 2 c^3 / 3 + 8 c^5 / 15 + ...; both up to the power df - 2.
    let odd = df % 2 == 1;
    let mut power = u32::from(odd);
    if odd {
        term = c;
    }
    while power + 2 <= df {
        sum += term;
        let k = f64::from(power);
        term *= c * c * (k + 1.0) / (k + 2.0);
        power += 2;
    }
    let within = if odd { (angle + s * sum) / std::f64::consts::FRAC_PI_2 } else { s * sum };
    let above = (0.5 * (1.0 - within)).max(0.0);
    if t < 0.0 { 1.0 - above } else { above }
}

/// The t that is exceeded with probability `p`, for 0 < p < 0.5, by bisection to the last bits.
pub fn quantile_above(p: f64, df: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while upper_tail(high, df) > p && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..100 {
        let mid = f64::midpoint(low, high);
        if upper_tail(mid, df) > p { low = mid } else { high = mid }
    }
    f64::midpoint(low, high)
}

/// Probability of a mean at least as far above 0 as that of `x`, were the true mean 0 (one-sided t test).
///
/// Fewer than two values show nothing: 1. Values without any spread are 0 if they are above 0, else 1.
pub fn above_zero(x: &[f64]) -> f64 {
    let n = x.len();
    if n < 2 {
        return 1.0;
    }
    let (mean, sd) = (stats::mean(x), stats::sd(x));
    if sd <= 0.0 || sd.is_nan() {
        return if mean > 0.0 { 0.0 } else { 1.0 };
    }
    upper_tail(mean / (sd / (n as f64).sqrt()), u32::try_from(n - 1).unwrap_or(u32::MAX).min(100_000))
}

/// Mean of `x` with its 95 % interval, `(mean, low, high)`; the ends are the mean for one value, `None` for none.
pub fn interval(x: &[f64]) -> Option<(f64, f64, f64)> {
    let mean = stats::mean(x);
    match x.len() {
        0 => None,
        1 => Some((mean, mean, mean)),
        n => {
            let df = u32::try_from(n - 1).unwrap_or(u32::MAX).min(100_000);
            let half = quantile_above(0.025, df) * stats::sd(x) / (n as f64).sqrt();
            Some((mean, mean - half, mean + half))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn tails_of_the_tables() {
        // Abramowitz, Stegun 1964, table 26.10: the t exceeded with probability 0.025, 0.005 and 0.0005.
        for (df, t) in [(1, [12.706, 63.657, 636.619]), (4, [2.776, 4.604, 8.610]), (19, [2.093, 2.861, 3.883])] {
            for (p, t) in [0.025, 0.005, 0.0005].into_iter().zip(t) {
                close(upper_tail(t, df), p, 2e-3 * p);
                close(quantile_above(p, df), t, 6e-4);
            }
        }
        // One degree of freedom is the Cauchy distribution, a quarter of which lies above 1.
        close(upper_tail(1.0, 1), 0.25, 1e-15);
        close(upper_tail(-1.0, 1), 0.75, 1e-15);
        // Two: 1/2 - t / (2 sqrt(2 + t^2)).
        close(upper_tail(1.0, 2), 0.5 - 0.5 / 3.0_f64.sqrt(), 1e-15);
        assert_eq!(upper_tail(0.0, 7), 0.5);
    }

    #[test]
    fn a_mean_above_zero_by_hand() {
        // Mean 2, sd 1, n = 4: t = 4 with 3 degrees of freedom.
        close(above_zero(&[1.0, 2.0, 2.0, 3.0]), upper_tail(2.0 * 2.0 / (2.0_f64 / 3.0).sqrt(), 3), 1e-15);
        assert_eq!(above_zero(&[3.0]), 1.0);
        assert_eq!(above_zero(&[3.0, 3.0]), 0.0);
        assert_eq!(above_zero(&[0.0, 0.0]), 1.0);
        assert!(above_zero(&[-1.0, -2.0, -3.0]) > 0.95);
    }

    #[test]
    fn an_interval_by_hand() {
        let (mean, low, high) = interval(&[1.0, 2.0, 3.0]).unwrap();
        close(high - mean, 4.303 / 3.0_f64.sqrt(), 1e-3);
        close(mean - low, high - mean, 1e-12);
        assert_eq!(interval(&[2.0]), Some((2.0, 2.0, 2.0)));
        assert_eq!(interval(&[]), None);
    }
}
