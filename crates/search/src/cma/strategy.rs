//! The normal distribution that CMA-ES moves: sampling, and the update by ranked steps.
//!
//! Equation numbers are those of Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772. The covariance is active:
//! the worse half counts with negative weights. In place of C^1/2 it has the Cholesky factor, which is a rotation away and cheap enough
//! to be computed anew every generation (Krause, Arbones, Igel, CMA-ES with Optimal Covariance Update and Storage Complexity,
//! NIPS 2016).

use super::kernels::{Shape, Spread, Step};
use super::rates::Rates;
use crowdtune_core::math::lanes::run;
use crowdtune_core::math::linear::{add_scaled, cholesky, dot, solve_transposed};
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::ChaCha8Rng;

/// The state of one CMA-ES distribution.
#[derive(Clone, Debug)]
pub struct Strategy {
    n: usize,
    rates: Rates,
    mean: Vec<f64>,
    sigma: f64,
    /// C, the upper triangle.
    covariance: Vec<f64>,
    /// R in the upper triangle.
    factor: Vec<f64>,
    /// True if rounding has left C without a factor; the last one is kept.
    thin: bool,
    path_c: Vec<f64>,
    /// In the coordinates of [`Step::z`].
    path_sigma: Vec<f64>,
    /// (1 - c_sigma)^(2 g), for (43).
    faded: f64,
    generation: u64,
}

/// Sum of squares.
fn square(v: &[f64]) -> f64 {
    dot(v, v)
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
            factor: one.clone(),
            covariance: one,
            thin: false,
            path_c: vec![0.0; n],
            path_sigma: vec![0.0; n],
            faded: 1.0,
            generation: 0,
        }
    }

    /// The mean.
    pub fn mean(&self) -> &[f64] {
        &self.mean
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

    /// Lengthens all steps by a factor.
    pub fn widen(&mut self, by: f64) {
        self.sigma *= by;
    }

    /// Ratio of the largest eigenvalue of C to the smallest, from below: that of the squared pivots of its factor.
    pub fn condition(&self) -> f64 {
        if self.thin {
            return f64::INFINITY;
        }
        let pivots = || (0..self.n).map(|i| self.factor[i * self.n + i]);
        let ratio = pivots().fold(0.0, f64::max) / pivots().fold(f64::INFINITY, f64::min);
        ratio * ratio
    }

    /// Draws steps, (38) and (39), at most so many as are drawn beside each other.
    pub fn sample(&self, rng: &mut ChaCha8Rng, steps: &mut [Step]) {
        for step in &mut *steps {
            step.z.resize(self.n, 0.0);
            step.y.resize(self.n, 0.0);
            normals(rng, &mut step.z);
        }
        run(Shape { n: self.n, factor: &self.factor, steps });
    }

    /// Where a step leads.
    pub fn place(&self, step: &Step, x: &mut Vec<f64>) {
        x.clear();
        x.extend(self.mean.iter().zip(&step.y).map(|(m, y)| m + self.sigma * y));
    }

    /// The step that leads to a place.
    pub fn step_to(&self, x: &[f64], step: &mut Step) {
        step.y.clear();
        step.y.extend(x.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma));
        step.z.clone_from(&step.y);
        solve_transposed(self.n, &self.factor, &mut step.z);
    }

    /// Keeps the direction of a step, but lets it be no longer than the distribution's own steps are likely to be. Hansen,
    /// Injecting External Solutions Into CMA-ES, arXiv:1110.4181, (4): c_y = sqrt(n) + 2 n / (n + 2).
    pub fn clip(&self, step: &mut Step) {
        let n = self.n as f64;
        let most = n.sqrt() + 2.0 * n / (n + 2.0);
        let length = square(&step.z).sqrt();
        if length > most {
            let factor = most / length;
            step.y.iter_mut().chain(&mut step.z).for_each(|x| *x *= factor);
        }
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
            add_scaled(&mut y_w, *w, &step.y);
            add_scaled(&mut z_w, *w, &step.z);
        }
        add_scaled(&mut self.mean, self.sigma, &y_w);
        // (43), in the coordinates of z.
        let keep = 1.0 - c_sigma;
        let gain = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        self.path_sigma.iter_mut().zip(&z_w).for_each(|(p, z)| *p = keep * *p + gain * z);
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
        let scaled =
            |(step, w): (&&Step, &f64)| c_mu * if *w >= 0.0 { *w } else { w * dim / square(&step.z).max(1e-300) };
        let mut all = vec![*c_1];
        all.extend(ranked.iter().zip(weights).map(scaled));
        let mut rows = self.path_c.clone();
        ranked.iter().for_each(|step| rows.extend_from_slice(&step.y));
        run(Spread { covariance: &mut self.covariance, keep, rows: &rows, weights: &all });
        self.generation += 1;
        self.decompose();
    }

    /// Moves the mean of one coordinate and widens it, for whole numbers.
    pub fn adjust(&mut self, i: usize, mean: f64, deviation: f64) {
        let n = self.n;
        self.mean[i] = mean;
        let before = self.deviation(i);
        if deviation > before && before > 0.0 {
            let factor = deviation / before;
            (0..=i).for_each(|j| self.covariance[j * n + i] *= factor);
            self.covariance[i * n + i..(i + 1) * n].iter_mut().for_each(|c| *c *= factor);
            self.decompose();
        }
    }

    fn decompose(&mut self) {
        let before = self.factor.clone();
        self.factor.copy_from_slice(&self.covariance);
        self.thin = !cholesky(self.n, &mut self.factor);
        if self.thin {
            self.factor = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cma::kernels::BESIDE;
    use crowdtune_core::math::rng::Seed;

    fn minimize(n: usize, lambda: usize, f: impl Fn(&[f64]) -> f64, generations: usize) -> Strategy {
        let mut strategy = Strategy::new(&vec![0.5; n], 0.2, lambda);
        let mut rng = Seed(1).rng();
        for _ in 0..generations {
            let mut steps = Vec::new();
            while steps.len() < lambda {
                let (mut drawn, mut x) = (vec![Step::default(); BESIDE], Vec::new());
                strategy.sample(&mut rng, &mut drawn);
                for step in drawn {
                    strategy.place(&step, &mut x);
                    steps.push((f(&x), step));
                }
            }
            steps.truncate(lambda);
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
        let (mut step, mut place) = (Step::default(), Vec::new());
        end.step_to(&[0.1, 0.2], &mut step);
        end.place(&step, &mut place);
        assert!((place[0] - 0.1).abs() < 1e-12 && (place[1] - 0.2).abs() < 1e-12);
        end.clip(&mut step);
        assert!((square(&step.z).sqrt() - (2.0_f64.sqrt() + 1.0)).abs() < 1e-12);
    }
}
