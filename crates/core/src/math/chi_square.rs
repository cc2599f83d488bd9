//! The chi-square distribution with a whole number of degrees of freedom, for tests of histograms.

use super::normal;

/// Probability of more than `x` with `df` (1 or more) degrees of freedom; 1 below 0, NaN for NaN.
///
/// Finite series of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.4.4 and 26.4.5.
pub fn above(x: f64, df: u32) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let density = libm::exp(-0.5 * x);
    if df.is_multiple_of(2) {
        // 1 + y + y^2 / 2! + ..., of y half of x, up to the power df / 2 - 1.
        let (mut sum, mut term) = (1.0, 1.0);
        for k in 1..df / 2 {
            term *= 0.5 * x / f64::from(k);
            sum += term;
        }
        return density * sum;
    }
    // chi + chi^3 / 3 + chi^5 / 15 + ..., up to the power df - 2.
    let chi = x.sqrt();
    let (mut sum, mut term) = (0.0, chi);
    for k in 1..=df / 2 {
        sum += term;
        term *= x / f64::from(2 * k + 1);
    }
    2.0 * (1.0 - normal::below(chi)) + density * (2.0 / std::f64::consts::PI).sqrt() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_tables() {
        // Abramowitz and Stegun, table 26.8.
        for (x, df, p) in
            [(3.841_46, 1, 0.05), (5.991_46, 2, 0.05), (11.344_9, 3, 0.01), (30.143_5, 19, 0.05), (37.566_2, 20, 0.01)]
        {
            assert!((above(x, df) - p).abs() < 1e-6, "{x} {df}: {}", above(x, df));
        }
        assert_eq!(above(0.0, 4), 1.0);
    }
}
