//! The beta distribution, with the same bits on every CPU (`libm`).

/// Terms of the continued fraction, which mostly ends after some ten. Chosen here: enough for parameters of a thousand.
const TERMS: u32 = 1000;

/// The share of a beta distribution with parameters a and b, both above 0, below x.
///
/// The continued fraction of DLMF 8.17.22, worked out from the front (Lentz).
pub fn below(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast on this side.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - below(1.0 - x, b, a);
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log(1.0 - x);
    libm::exp(front) / (a * fraction(x, a, b))
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let (mut value, mut above, mut beneath) = (1.0, 1.0, 0.0);
    for term in 0..TERMS {
        let m = f64::from(term / 2);
        let coefficient = match term {
            0 => -(a + b) / (a + 1.0) * x,
            _ if term % 2 == 0 => -(a + m) * (a + b + m) / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)) * x,
            _ => {
                let m = m + 1.0;
                m * (b - m) / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)) * x
            }
        };
        above = 1.0 + coefficient / above;
        beneath = 1.0 / (1.0 + coefficient * beneath);
        let factor = above * beneath;
        value *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The x with a share p of a beta distribution below it, for p in (0, 1), by bisection.
pub fn quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if below(middle, a, b) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_closed_forms() {
        // Of Beta(1, b) it is 1 - (1 - x)^b, of Beta(a, 1) x^a, of Beta(2, 2) 3 x^2 - 2 x^3.
        for x in [0.01, 0.2, 0.5, 0.77, 0.999] {
            assert!((below(x, 1.0, 3.5) - (1.0 - libm::pow(1.0 - x, 3.5))).abs() < 1e-14, "{x}");
            assert!((below(x, 4.0, 1.0) - x.powi(4)).abs() < 1e-14, "{x}");
            assert!((below(x, 2.0, 2.0) - (3.0 * x * x - 2.0 * x * x * x)).abs() < 1e-14, "{x}");
        }
        for x in [0.01, 0.2, 0.5, 0.8] {
            assert!((quantile(below(x, 2.5, 7.0), 2.5, 7.0) - x).abs() < 1e-9, "{x}");
        }
        // Beta(0.5, 0.5) is the arcsine distribution.
        let arcsine = |x: f64| 2.0 / std::f64::consts::PI * libm::asin(x.sqrt());
        assert!((below(0.3, 0.5, 0.5) - arcsine(0.3)).abs() < 1e-14);
        assert_eq!((below(-1.0, 2.0, 2.0), below(1.0, 2.0, 2.0)), (0.0, 1.0));
    }
}
