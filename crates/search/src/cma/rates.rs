//! The constants of CMA-ES: population, recombination weights, learning rates.
//!
//! Equation numbers are those of Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772.

/// Candidates of a generation for n coordinates, (48).
pub fn population(n: usize) -> usize {
    4 + (3.0 * libm::log(n.max(1) as f64)) as usize
}

/// Learning rates and weights for a dimension and a number of candidates, Table 1 and (49) to (58).
#[derive(Clone, Debug)]
pub struct Rates {
    /// One per candidate, best first; the positive ones sum to 1.
    pub weights: Vec<f64>,
    /// Variance effective selection mass of the better half.
    pub mu_eff: f64,
    /// Rate of the step size's path.
    pub c_sigma: f64,
    /// Damping of the step size.
    pub d_sigma: f64,
    /// Rate of the covariance's path.
    pub c_c: f64,
    /// Rate of the rank-one update.
    pub c_1: f64,
    /// Rate of the rank-mu update.
    pub c_mu: f64,
}

impl Rates {
    /// For n coordinates and `lambda` candidates, 2 or more.
    pub fn new(n: usize, lambda: usize) -> Self {
        let dim = n as f64;
        // (49)
        let half = libm::log((lambda as f64 + 1.0) / 2.0);
        let raw: Vec<f64> = (1..=lambda).map(|i| half - libm::log(i as f64)).collect();
        let sums = |positive: bool| {
            let part = || raw.iter().filter(move |w| (**w > 0.0) == positive);
            (part().sum::<f64>().abs(), part().map(|w| w * w).sum::<f64>())
        };
        let ((plus, plus2), (minus, minus2)) = (sums(true), sums(false));
        let mu_eff = plus * plus / plus2;
        let mu_eff_minus = if minus2 > 0.0 { minus * minus / minus2 } else { 0.0 };
        // (55)
        let c_sigma = (mu_eff + 2.0) / (dim + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        // (56) to (58), alpha_cov = 2
        let c_c = (4.0 + mu_eff / dim) / (dim + 4.0 + 2.0 * mu_eff / dim);
        let c_1 = 2.0 / ((dim + 1.3) * (dim + 1.3) + mu_eff);
        let c_mu = (1.0 - c_1).min(2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((dim + 2.0) * (dim + 2.0) + mu_eff));
        // (50) to (53)
        let least =
            (1.0 + c_1 / c_mu).min(1.0 + 2.0 * mu_eff_minus / (mu_eff + 2.0)).min((1.0 - c_1 - c_mu) / (dim * c_mu));
        let scaled = |w: &f64| if *w > 0.0 { w / plus } else { w * least.max(0.0) / minus.max(f64::MIN_POSITIVE) };
        let weights = raw.iter().map(scaled).collect();
        Self { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn populations_of_the_tutorial() {
        assert_eq!([1, 5, 10, 20].map(population), [4, 8, 10, 12]);
    }

    #[test]
    fn rates_by_hand() {
        // lambda = 4: ln 2.5 - ln i = 0.9163, 0.2231, -0.1823, -0.4700; mu_eff = 1.1394^2 / 0.8894.
        let rates = Rates::new(2, 4);
        assert!((rates.weights[0] - 0.80416).abs() < 1e-5, "{:?}", rates.weights);
        assert!((rates.mu_eff - 1.459_79).abs() < 1e-4, "{}", rates.mu_eff);
        assert!((rates.c_sigma - 3.459_79 / 8.459_79).abs() < 1e-5);
        assert!((rates.c_1 - 2.0 / (3.3 * 3.3 + 1.459_79)).abs() < 1e-6);
        assert!((rates.c_mu - 2.0 * (0.25 + 1.459_79 + 0.685_03 - 2.0) / 17.459_79).abs() < 1e-5);
        let sum: f64 = rates.weights.iter().filter(|w| **w > 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-15);
    }
}
