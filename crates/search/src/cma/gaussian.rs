//! The normal distribution that CMA-ES moves: sampling, and the update of mean, step size and covariance by ranked steps.
//!
//! Equation numbers are those of Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772. The covariance is active:
//! the worse half counts with negative weights. In place of C^1/2 it has the Cholesky factor, which is a rotation away and cheap enough
//! to be computed anew every generation (Krause, Arbones, Igel, CMA-ES with Optimal Covariance Update and Storage Complexity,
//! NIPS 2016).

use super::rates::Rates;
use crowdtune_core::math::lanes::{Kernel, Lanes, run};
use crowdtune_core::math::linear::{add_scaled, cholesky, dot, solve_transposed};
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::ChaCha8Rng;

/// A step from the mean in units of sigma, and what it is in the coordinates in which the distribution is a ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// (x - mean) / sigma.
    pub y: Vec<f64>,
    /// C^-1/2 y up to a rotation: R^-T y with C = R^T R.
    pub z: Vec<f64>,
}

/// Steps that are drawn together: what one wide register holds.
pub const AT_ONCE: usize = 8;

/// The distribution N(mean, sigma^2 C).
#[derive(Clone, Debug)]
pub struct Gaussian {
    n: usize,
    rates: Rates,
    mean: Vec<f64>,
    sigma: f64,
    /// C, the upper triangle.
    covariance: Vec<f64>,
    /// R in the upper triangle.
    factor: Vec<f64>,
    /// True if rounding has made C indefinite; the last factor is kept then.
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

impl Gaussian {
    /// N(mean, sigma^2 I) for generations of `lambda` candidates, 2 at least.
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

    /// N(mean, sigma^2 C) with this C, row by row; with the identity in its place if that is not positive definite.
    pub fn shaped(mean: &[f64], sigma: f64, lambda: usize, shape: &[f64]) -> Self {
        let mut new = Self::new(mean, sigma, lambda);
        let mut factor = shape.to_vec();
        if cholesky(new.n, &mut factor) {
            (new.covariance, new.factor) = (shape.to_vec(), factor);
        }
        new
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

    /// sigma times the largest deviation of C or component of its path: what TolX compares.
    pub fn reach(&self) -> f64 {
        let path = self.path_c.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        self.sigma * (0..self.n).map(|i| self.covariance[i * self.n + i].max(0.0).sqrt()).fold(path, f64::max)
    }

    /// Multiplies the step size.
    pub fn widen(&mut self, by: f64) {
        self.sigma *= by;
    }

    /// A lower bound of the condition of C: the largest ratio of the squared pivots of its factor; infinite if C is indefinite.
    pub fn condition(&self) -> f64 {
        if self.thin {
            return f64::INFINITY;
        }
        let pivots = || (0..self.n).map(|i| self.factor[i * self.n + i]);
        let ratio = pivots().fold(0.0, f64::max) / pivots().fold(f64::INFINITY, f64::min);
        ratio * ratio
    }

    /// Draws steps, (38) and (39), at most [`AT_ONCE`].
    pub fn sample(&self, rng: &mut ChaCha8Rng, steps: &mut [Step]) {
        for step in &mut *steps {
            step.z.resize(self.n, 0.0);
            step.y.resize(self.n, 0.0);
            normals(rng, &mut step.z);
        }
        run(Draw { n: self.n, factor: &self.factor, steps });
    }

    /// The place that a step leads to.
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

    /// Shortens a step to the length that the distribution's own steps are likely to have. Hansen, Injecting External Solutions Into CMA-ES, arXiv:1110.4181, (4): c_y = sqrt(n) + 2 n / (n + 2).
    pub fn clip(&self, step: &mut Step) {
        let n = self.n as f64;
        let most = n.sqrt() + 2.0 * n / (n + 2.0);
        let length = square(&step.z).sqrt();
        if length > most {
            let factor = most / length;
            step.y.iter_mut().chain(&mut step.z).for_each(|x| *x *= factor);
        }
    }

    /// Moves the distribution by the steps of a generation, best first. Their number may change from one generation to the
    /// next; fewer than two change nothing.
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
        // (41), (42): the mean moves by the weighted step.
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
        run(RankUpdate { covariance: &mut self.covariance, keep, rows: &rows, weights: &all });
        self.generation += 1;
        self.decompose();
    }

    /// Moves the mean of coordinate i and raises its deviation to at least `deviation`, for whole numbers.
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

/// A kernel: y = R^T z for several steps.
pub struct Draw<'a> {
    /// Number of coordinates.
    pub n: usize,
    /// R, upper triangular.
    pub factor: &'a [f64],
    /// At most [`AT_ONCE`]; z is read, y is written.
    pub steps: &'a mut [Step],
}

impl Kernel for Draw<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.n;
        let mut z = vec![[0.0; AT_ONCE]; n];
        for (lane, step) in self.steps.iter().enumerate() {
            z.iter_mut().zip(&step.z).for_each(|(z, value)| z[lane] = *value);
        }
        for i in 0..n {
            let mut sums = [0.0; AT_ONCE];
            for (z, row) in z[..=i].iter().zip(self.factor.chunks_exact(n)) {
                sums.iter_mut().zip(z).for_each(|(sum, z)| *sum += row[i] * z);
            }
            self.steps.iter_mut().zip(sums).for_each(|(step, sum)| step.y[i] = sum);
        }
    }
}

/// A kernel, (47): C becomes `keep` C plus the weighted outer products of the rows, in the upper triangle.
pub struct RankUpdate<'a> {
    /// C.
    pub covariance: &'a mut [f64],
    /// What is kept of C.
    pub keep: f64,
    /// The rows, one after another.
    pub rows: &'a [f64],
    /// Weight of each row.
    pub weights: &'a [f64],
}

impl Kernel for RankUpdate<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let n = self.rows.len() / self.weights.len();
        let mut factors = vec![0.0; self.weights.len()];
        for (i, line) in self.covariance.chunks_exact_mut(n).enumerate() {
            for ((f, w), row) in factors.iter_mut().zip(self.weights).zip(self.rows.chunks_exact(n)) {
                *f = w * row[i];
            }
            let (fours, rest) = line[i..].as_chunks_mut::<4>();
            let mut at = i;
            for four in fours {
                let mut sums = four.map(|c| self.keep * c);
                for (f, row) in factors.iter().zip(self.rows.chunks_exact(n)) {
                    let row: &[f64] = &row[at..at + 4];
                    for k in 0..4 {
                        sums[k] += f * row[k];
                    }
                }
                *four = sums;
                at += 4;
            }
            for (c, at) in rest.iter_mut().zip(at..) {
                *c *= self.keep;
                for (f, row) in factors.iter().zip(self.rows.chunks_exact(n)) {
                    *c += f * row[at];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::Seed;

    fn minimize(n: usize, lambda: usize, f: impl Fn(&[f64]) -> f64, generations: usize) -> Gaussian {
        let mut gaussian = Gaussian::new(&vec![0.5; n], 0.2, lambda);
        let mut rng = Seed(1).rng();
        for _ in 0..generations {
            let mut steps = Vec::new();
            while steps.len() < lambda {
                let (mut drawn, mut x) = (vec![Step::default(); AT_ONCE], Vec::new());
                gaussian.sample(&mut rng, &mut drawn);
                for step in drawn {
                    gaussian.place(&step, &mut x);
                    steps.push((f(&x), step));
                }
            }
            steps.truncate(lambda);
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            gaussian.update(&steps.iter().map(|s| &s.1).collect::<Vec<_>>());
        }
        gaussian
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

    #[test]
    fn steps_by_hand() {
        // R = (2 3; 0 5): y = R^T z = (2 z0, 3 z0 + 5 z1).
        let mut steps: Vec<Step> = (0..3).map(|k| Step { z: vec![1.0, f64::from(k)], y: vec![0.0; 2] }).collect();
        run(Draw { n: 2, factor: &[2.0, 3.0, 0.0, 5.0], steps: &mut steps });
        assert_eq!(steps.iter().map(|s| s.y[1]).collect::<Vec<_>>(), [3.0, 8.0, 13.0]);
        assert!(steps.iter().all(|s| s.y[0] == 2.0));
    }

    #[test]
    fn outer_products_by_hand() {
        // Half of the unit matrix plus 2 v v^T - w w^T for six coordinates.
        let n = 6;
        let mut covariance: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }).collect();
        let rows: Vec<f64> = (0..2 * n).map(|k| k as f64 - 4.0).collect();
        run(RankUpdate { covariance: &mut covariance, keep: 0.5, rows: &rows, weights: &[2.0, -1.0] });
        let (v, w) = rows.split_at(n);
        for i in 0..n {
            for j in i..n {
                let unit = if i == j { 0.5 } else { 0.0 };
                assert_eq!(covariance[i * n + j], unit + 2.0 * v[i] * v[j] - w[i] * w[j]);
            }
        }
    }
}
