//! Expected improvement, by its logarithm: Ament, Daulton, Eriksson, Balandat, Bakshy, NeurIPS 2023.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Below here the series of Mills' ratio is better than 1e-8, and the complement of the error function is still a normal number.
const FAR: f64 = -12.0;

/// ln(phi(z) + z Phi(z)), and its slope: the logarithm of the expected improvement over a value that is `z` deviations above the mean, in deviations.
pub(super) fn log_improvement(z: f64) -> (f64, f64) {
    let log_density = -0.5 * z * z - 0.5 * libm::log(2.0 * PI);
    // Phi over phi without the square of z, which would be 0 / 0 far below.
    let ratio = if z > FAR { libm::exp(-log_density) * 0.5 * libm::erfc(-z * FRAC_1_SQRT_2) } else { mills(-z) };
    let value = if z > FAR {
        log_density + libm::log(1.0 + z * ratio)
    } else {
        // 1 - z m(z), where most digits cancel: its own series.
        log_density + libm::log(beyond(-z))
    };
    // The slope is Phi over (phi + z Phi).
    let slope = libm::exp(libm::log(ratio) + log_density - value);
    (value, slope)
}

/// Mills' ratio for x from 12 on: (1 - Phi(x)) / phi(x). Abramowitz and Stegun 26.2.12.
fn mills(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    (1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y * (1.0 - 9.0 * y))))) / x
}

/// 1 - x m(x) for x from 12 on, by the same series.
fn beyond(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y * (1.0 - 9.0 * y))))
}

/// ln Phi(z), and its slope: the logarithm of a probability.
pub(super) fn log_normal_probability(z: f64) -> (f64, f64) {
    let log_density = -0.5 * z * z - 0.5 * libm::log(2.0 * PI);
    let value =
        if z > FAR { libm::log(0.5 * libm::erfc(-z * FRAC_1_SQRT_2)) } else { log_density + libm::log(mills(-z)) };
    (value, libm::exp(log_density - value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From mpmath 1.3 with 50 digits: `log(npdf(z) + z * ncdf(z))` and `log(ncdf(z))`.
    const KNOWN: [(f64, f64, f64); 7] = [
        (3.0, 1.098739665327708, -0.001350809964748194),
        (0.0, -0.9189385332046727, -std::f64::consts::LN_2),
        (-1.0, -2.485121025712641, -1.841021645009264),
        (-5.9, -21.95266848152973, -20.12579958020317),
        (-6.1, -23.214640722962, -21.35749841921556),
        (-20.0, -206.9178385094251, -203.9171553710973),
        (-1000.0, -500014.7344520912, -500007.8266948122),
    ];

    #[test]
    fn values_are_those_of_many_digits() {
        for (z, improvement, probability) in KNOWN {
            for (got, known) in [(log_improvement(z).0, improvement), (log_normal_probability(z).0, probability)] {
                assert!((got - known).abs() < 1e-8 * (1.0 + known.abs()), "{z}: {got}, not {known}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_values() {
        for z in [2.0, 0.3, -2.0, -5.0, -7.0, -30.0] {
            let h = 1e-5;
            for f in [log_improvement, log_normal_probability] {
                let (slope, by_steps) = (f(z).1, (f(z + h).0 - f(z - h).0) / (2.0 * h));
                assert!((slope - by_steps).abs() < 1e-4 * (1.0 + slope.abs()), "{z}: {slope}, not {by_steps}");
            }
        }
    }
}
