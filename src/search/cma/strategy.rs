//! The normal distribution that CMA-ES moves: sampling, and the update by ranked steps.
//!
//! Equation numbers are those of Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772. The covariance is active:
//! the worse half counts with negative weights.

use crate::math::linear::eigen;
use crate::math::rng::{ChaCha8Rng, normal};

/// Learning rates and weights for a dimension and a number of candidates, Table 1 and (49) to (58).
#[derive(Clone, Debug)]
struct Rates {
    /// One for each candidate, best first; the positive ones sum to 1.
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
}

impl Rates {
    fn new(n: usize, lambda: usize) -> Self {
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

/// A step from the mean in units of sigma, and what it is in the coordinates in which the distribution is a ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// (x - mean) / sigma.
    pub y: Vec<f64>,
    /// C^-1/2 y up to a rotation: D^-1 B^T y.
    pub z: Vec<f64>,
}

/// The state of one CMA-ES distribution.
#[derive(Clone, Debug)]
pub struct Strategy {
    n: usize,
    rates: Rates,
    mean: Vec<f64>,
    sigma: f64,
    covariance: Vec<f64>,
    /// Row k is the unit eigenvector k.
    vectors: Vec<f64>,
    /// Square roots of the eigenvalues, ascending.
    lengths: Vec<f64>,
    path_c: Vec<f64>,
    path_sigma: Vec<f64>,
    /// (1 - c_sigma)^(2 g), for (43).
    faded: f64,
    /// Updates since the eigenvectors were computed.
    age: u64,
    generation: u64,
}

/// Sum of squares.
fn square(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

impl Strategy {
    /// A ball of radius `sigma` around `mean`, for `lambda` candidates a generation, 2 at least.
    pub fn new(mean: &[f64], sigma: f64, lambda: usize) -> Self {
        let n = mean.len();
        let mut one = vec![0.0; n * n];
        (0..n).for_each(|i| one[i * n + i] = 1.0);
        Self {
            n,
            rates: Rates::new(n, lambda.max(2)),
            mean: mean.to_vec(),
            sigma,
            vectors: one.clone(),
            covariance: one,
            lengths: vec![1.0; n],
            path_c: vec![0.0; n],
            path_sigma: vec![0.0; n],
            faded: 1.0,
            age: 0,
            generation: 0,
        }
    }

    /// The mean.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The overall size of steps.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Number of updates.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Standard deviation of coordinate i.
    pub fn deviation(&self, i: usize) -> f64 {
        self.sigma * self.covariance[i * self.n + i].max(0.0).sqrt()
    }

    /// The largest step that is still likely: sigma times the largest deviation or path component.
    pub fn reach(&self) -> f64 {
        let path = self.path_c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.sigma * (0..self.n).map(|i| self.covariance[i * self.n + i].max(0.0).sqrt()).fold(path, f64::max)
    }

    /// Ratio of the largest eigenvalue of C to the smallest.
    pub fn condition(&self) -> f64 {
        match (self.lengths.first(), self.lengths.last()) {
            (Some(small), Some(large)) if *small > 0.0 => (large / small) * (large / small),
            (None, _) => 1.0,
            _ => f64::INFINITY,
        }
    }

    /// Draws a step, (38) and (39).
    pub fn sample(&self, rng: &mut ChaCha8Rng) -> Step {
        let z: Vec<f64> = (0..self.n).map(|_| normal(rng)).collect();
        let mut y = vec![0.0; self.n];
        for ((z, length), vector) in z.iter().zip(&self.lengths).zip(self.vectors.chunks_exact(self.n.max(1))) {
            let factor = z * length;
            y.iter_mut().zip(vector).for_each(|(y, v)| *y += factor * v);
        }
        Step { y, z }
    }

    /// Where a step leads.
    pub fn place(&self, step: &Step) -> Vec<f64> {
        self.mean.iter().zip(&step.y).map(|(m, y)| m + self.sigma * y).collect()
    }

    /// The step that leads to a place.
    pub fn step_to(&self, x: &[f64]) -> Step {
        let y: Vec<f64> = x.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma).collect();
        let along = |v: &[f64]| v.iter().zip(&y).map(|(v, y)| v * y).sum::<f64>();
        let z = self.vectors.chunks_exact(self.n.max(1)).zip(&self.lengths).map(|(v, d)| along(v) / d).collect();
        Step { y, z }
    }

    /// The same direction, no longer than the distribution's own steps are likely to be. Hansen, Injecting External
    /// Solutions Into CMA-ES, arXiv:1110.4181, (4): c_y = sqrt(n) + 2 n / (n + 2).
    pub fn clipped(&self, mut step: Step) -> Step {
        let n = self.n as f64;
        let most = n.sqrt() + 2.0 * n / (n + 2.0);
        let length = square(&step.z).sqrt();
        if length > most {
            let factor = most / length;
            step.y.iter_mut().chain(&mut step.z).for_each(|x| *x *= factor);
        }
        step
    }

    /// Moves the distribution by the steps of a generation, best first; their number may differ from generation to
    /// generation.
    pub fn update(&mut self, ranked: &[&Step]) {
        let n = self.n;
        if n == 0 || ranked.len() < 2 {
            return;
        }
        if ranked.len() != self.rates.weights.len() {
            self.rates = Rates::new(n, ranked.len());
        }
        let Rates { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu } = &self.rates;
        let dim = n as f64;
        // (41), (42): the weighted step.
        let (mut y_w, mut z_w) = (vec![0.0; n], vec![0.0; n]);
        for (step, w) in ranked.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
            y_w.iter_mut().zip(&step.y).for_each(|(s, y)| *s += w * y);
            z_w.iter_mut().zip(&step.z).for_each(|(s, z)| *s += w * z);
        }
        self.mean.iter_mut().zip(&y_w).for_each(|(m, y)| *m += self.sigma * y);
        // (43): C^-1/2 y = B z.
        let keep = 1.0 - c_sigma;
        let gain = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        self.path_sigma.iter_mut().for_each(|p| *p *= keep);
        for (z, vector) in z_w.iter().zip(self.vectors.chunks_exact(n)) {
            let factor = gain * z;
            self.path_sigma.iter_mut().zip(vector).for_each(|(p, v)| *p += factor * v);
        }
        // (44), with the usual limit of one e-fold a generation.
        let expected = dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim));
        let length = square(&self.path_sigma).sqrt();
        self.sigma *= libm::exp((c_sigma / d_sigma * (length / expected - 1.0)).min(1.0));
        // (45)
        self.faded *= keep * keep;
        let steady = length / (1.0 - self.faded).sqrt() < (1.4 + 2.0 / (dim + 1.0)) * expected;
        let gain = if steady { (c_c * (2.0 - c_c) * mu_eff).sqrt() } else { 0.0 };
        self.path_c.iter_mut().zip(&y_w).for_each(|(p, y)| *p = (1.0 - c_c) * *p + gain * y);
        // (46), (47)
        let lost = if steady { 0.0 } else { c_1 * c_c * (2.0 - c_c) };
        let keep = 1.0 + lost - c_1 - c_mu * weights.iter().sum::<f64>();
        self.covariance.iter_mut().for_each(|c| *c *= keep);
        add_outer(&mut self.covariance, n, &self.path_c, *c_1);
        for (step, w) in ranked.iter().zip(weights) {
            let w = if *w >= 0.0 { *w } else { w * dim / square(&step.z).max(1e-300) };
            add_outer(&mut self.covariance, n, &step.y, c_mu * w);
        }
        self.generation += 1;
        self.age += 1;
        // Eigenvectors are computed late, so that they cost no more than the rest. Appendix B.2 waits 1 / (10 n (c_1 + c_mu))
        // generations; chosen here: half of the time scale 1 / (n (c_1 + c_mu)), no difference in evaluations.
        if self.age as f64 >= EIGEN_LAG / (dim * (c_1 + c_mu)) {
            self.decompose();
        }
    }

    /// Moves the mean of one coordinate and widens it, for whole numbers.
    pub fn adjust(&mut self, i: usize, mean: f64, deviation: f64) {
        self.mean[i] = mean;
        let before = self.deviation(i);
        if deviation > before && before > 0.0 {
            let factor = deviation / before;
            for j in 0..self.n {
                self.covariance[i * self.n + j] *= factor;
                self.covariance[j * self.n + i] *= factor;
            }
            self.decompose();
        }
    }

    fn decompose(&mut self) {
        self.age = 0;
        self.vectors.copy_from_slice(&self.covariance);
        eigen(self.n, &mut self.vectors, &mut self.lengths);
        let largest = self.lengths.last().copied().unwrap_or(1.0);
        for d in &mut self.lengths {
            // Rounding may leave a small eigenvalue below zero; [`Strategy::condition`] then ends the run.
            *d = d.max(largest * 1e-16).sqrt();
        }
    }
}

/// Share of the time scale of C after which eigenvectors are computed anew. Chosen here: see [`Strategy::update`].
const EIGEN_LAG: f64 = 0.5;

/// Adds w v v^T, the lower triangle and its mirror.
fn add_outer(matrix: &mut [f64], n: usize, v: &[f64], w: f64) {
    for (i, row) in matrix.chunks_exact_mut(n).enumerate() {
        let factor = w * v[i];
        row.iter_mut().zip(v).for_each(|(c, v)| *c += factor * v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Seed;

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

    fn minimize(n: usize, lambda: usize, f: impl Fn(&[f64]) -> f64, generations: usize) -> Strategy {
        let mut strategy = Strategy::new(&vec![0.5; n], 0.2, lambda);
        let mut rng = Seed(1).rng();
        for _ in 0..generations {
            let mut steps: Vec<(f64, Step)> = (0..lambda)
                .map(|_| {
                    let step = strategy.sample(&mut rng);
                    (f(&strategy.place(&step)), step)
                })
                .collect();
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            strategy.update(&steps.iter().map(|s| &s.1).collect::<Vec<_>>());
        }
        strategy
    }

    #[test]
    fn a_sphere_is_solved_as_fast_as_published() {
        let sphere = |x: &[f64]| x.iter().map(|x| (x - 0.3) * (x - 0.3)).sum::<f64>();
        // Hansen 2016: about 10^3 evaluations for a factor of 10^-7 in distance at n = 10, lambda = 10.
        let end = minimize(10, 10, sphere, 180);
        assert!(sphere(end.mean()) < 1e-10, "{}", sphere(end.mean()));
    }

    #[test]
    fn a_cigar_is_learned() {
        let cigar = |x: &[f64]| (x[0] - x[1]).powi(2) + 1e-4 * (x[0] + x[1] - 1.0).powi(2);
        let end = minimize(2, 6, cigar, 120);
        assert!(end.condition() > 100.0, "{}", end.condition());
        // The step to a place leads there, and its length is that of z.
        let step = end.step_to(&[0.1, 0.2]);
        let place = end.place(&step);
        assert!((place[0] - 0.1).abs() < 1e-12 && (place[1] - 0.2).abs() < 1e-12);
        assert!((square(&end.clipped(step).z).sqrt() - (2.0_f64.sqrt() + 1.0)).abs() < 1e-12);
    }
}
