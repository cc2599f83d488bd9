//! The normal distribution: shares and quantiles, with the same bits on every CPU (`libm`).

use std::f64::consts::SQRT_2;

/// The share of a standard normal distribution below z.
pub fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The z with a share p of a standard normal distribution above it, for p in (0, 0.5], by bisection to the last bits; at most 40.
pub fn quantile_above(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if 0.5 * libm::erfc(middle / SQRT_2) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The z with a share p of a standard normal distribution below it, for p in (0, 1).
pub fn quantile(p: f64) -> f64 {
    if p < 0.5 { -quantile_above(p) } else { quantile_above(1.0 - p) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_quantiles_are_those_of_tables() {
        // Abramowitz and Stegun, tables 26.1 and 26.5.
        for (z, p) in [(1.0, 0.841_344_746_068_543), (-1.96, 0.024_997_895_148_220), (3.0, 0.998_650_101_968_370)] {
            assert!((below(z) - p).abs() < 1e-14, "{z}");
        }
        for (p, z) in [(0.975, 1.959_963_984_540), (0.05, -1.644_853_626_951), (0.5, 0.0)] {
            assert!((quantile(p) - z).abs() < 1e-11, "{p}: {}", quantile(p));
        }
        for z in [-7.0, -0.3, 0.2, 5.0] {
            assert!((quantile(below(z)) - z).abs() < 1e-9, "{z}");
        }
    }
}
