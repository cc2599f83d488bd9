//! A guess of how well the best point is determined: a quadratic model around it, and the region that noise leaves open there. It
//! extrapolates: [`super::profile`] simulates.
//!
//! The region is where the model exceeds its minimum by less than a threshold, as a likelihood ratio region does
//! (Venzon and Moolgavkar, Appl. Stat. 37, 87, 1988); with noise of a simulation the threshold is made from that of the
//! loss (after Ionides et al., J. R. Soc. Interface 14, 20170126, 2017).

use crowdtune_core::math::eigen::eigen;
use crowdtune_core::math::least_squares::LeastSquares;
use crowdtune_core::math::stats;

/// A difference of this many standard errors is not chance: 95 % of a normal distribution.
const SIGMAS: f64 = 1.96;
/// Rows needed per term of the model. Chosen here: two leave some to judge it by.
const ENOUGH: usize = 2;
/// Rows up to this many thresholds worse than the best are fitted: the first number with which the model explains them. Chosen
/// here: close to the best a quadratic bends like the loss, further off it stands out from the noise; closer than the noise,
/// where a converged search has most of its rows, there is nothing to see.
const HEIGHTS: [f64; 3] = [4.0, 16.0, 64.0];
/// The same where the noise is unknown: shares of the rows.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];
/// At least this many rows per term are fitted, if there are as many. Chosen here.
const LEAST: usize = 4;
/// Parts of the cross-validation.
const PARTS: usize = 5;
/// Ridge as a share of the diagonal: far above rounding, far below the data. Chosen here.
const RIDGE: f64 = 1e-9;

/// The region around the best row that noise leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Valley {
    /// Minimum of the model inside the rows it was fitted to, in coordinates of the unit cube.
    pub center: Vec<f64>,
    /// The loss that the model predicts there.
    pub lowest: f64,
    /// Half the width of the region along each coordinate, all others free to follow.
    pub free: Vec<f64>,
    /// Covariance-shaped matrix of the region, row-major: the region is x^T C^-1 x <= 1 about the center.
    pub shape: Vec<f64>,
    /// Curvatures, the flattest first, in loss per squared coordinate.
    pub curvature: Vec<f64>,
    /// Their directions, a row each, of length 1.
    pub directions: Vec<Vec<f64>>,
    /// Standard error of a loss that the threshold was made from.
    pub noise: f64,
    /// Losses closer than this cannot be told apart.
    pub threshold: f64,
    /// Share of the weighted variance near the best that the model explains for rows it has not seen.
    pub explained: f64,
    /// Rows that it was fitted to.
    pub rows: usize,
}

/// Why there is no region.
#[derive(Clone, Debug, PartialEq)]
pub enum Unknown {
    /// Fewer rows than this.
    Rows(usize),
    /// The model explains only this share.
    Model(f64),
    /// Of this many rows that decide whether the region is right, this many, most of them, contradict it.
    Denied(usize, usize),
}

/// A model that explains less than this tells nothing. Chosen here: more than half of the variance would be something else.
pub const EXPLAINS: f64 = 0.5;

/// A row is clearly worse than the minimum of the model, or predicted to be, by this many thresholds: one for the region and
/// one for its own noise.
const CLEARLY: f64 = 2.0;

/// Number of terms of a full quadratic model of `n` numbers.
pub fn terms(n: usize) -> usize {
    (n + 1) * (n + 2) / 2
}

/// Fits genomes (numbers only) and losses, all finite; `noise` is the standard error of a loss near the best,
/// `None` where it is unknown: then the residuals of the model stand for it.
///
/// # Errors
/// Why there is no region.
pub fn fit(points: &[Vec<f64>], losses: &[f64], noise: Option<f64>) -> Result<Valley, Unknown> {
    let n = points.first().map_or(0, Vec::len);
    let needed = ENOUGH * terms(n);
    if n == 0 || points.len() < needed {
        return Err(Unknown::Rows(needed));
    }
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|&a, &b| losses[a].total_cmp(&losses[b]).then(a.cmp(&b)));
    let mut most = f64::NEG_INFINITY;
    let mut denied = None;
    let best = losses[order[0]];
    let noise = noise.filter(|x| *x > 0.0);
    for (height, share) in HEIGHTS.into_iter().zip(SHARES) {
        let height = noise.map(|noise| height * SIGMAS * noise);
        let count = match height {
            Some(height) => order.iter().filter(|&&row| losses[row] - best <= height).count(),
            None => (share * losses.len() as f64) as usize,
        };
        let count = count.max(LEAST * terms(n)).min(order.len());
        let near = Near::new(points, losses, &order[..count], height);
        let explained = near.explained();
        most = most.max(explained);
        if explained.is_nan() || explained < EXPLAINS {
            continue;
        }
        let model = near.solve(|_| true).ok_or(Unknown::Model(0.0))?;
        let found = near.region(&model, noise.unwrap_or_else(|| near.rest(&model)), explained);
        match found.denied(points, losses) {
            None => return Ok(found),
            Some(rows) => denied = Some(rows),
        }
    }
    Err(denied.unwrap_or(Unknown::Model(most)))
}

/// Curvatures of a region. A direction that is flat or bent down within the noise is open over the whole range: half of it to both
/// sides.
fn stiffness(curvature: &[f64], directions: &[Vec<f64>], threshold: f64) -> Vec<f64> {
    let one = |(value, v): (&f64, &Vec<f64>)| {
        let longest = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        value.max(2.0 * threshold * longest * longest).max(f64::MIN_POSITIVE)
    };
    curvature.iter().zip(directions).map(one).collect()
}

/// The best rows, scaled.
struct Near {
    n: usize,
    /// Best row and spread of each coordinate.
    origin: Vec<f64>,
    scale: Vec<f64>,
    z: Vec<Vec<f64>>,
    y: Vec<f64>,
    /// How much the squared error of a row counts.
    weight: Vec<f64>,
}

impl Near {
    /// Rows in order of their losses; `height` is how far up they were meant to reach.
    fn new(points: &[Vec<f64>], losses: &[f64], order: &[usize], height: Option<f64>) -> Self {
        let n = points[0].len();
        let origin = points[order[0]].clone();
        let y: Vec<f64> = order.iter().map(|&row| losses[row]).collect();
        // Half weight at half the height, or at the middle row: the valley counts, not its walls.
        let middle = y[y.len() / 2] - y[0];
        let height = height.map_or(middle, |h| middle.max(h / 2.0)).max(f64::MIN_POSITIVE);
        let weight: Vec<f64> = y
            .iter()
            .map(|y| 1.0 / (1.0 + (y - losses[order[0]]) / height * ((y - losses[order[0]]) / height)))
            .collect();
        let scale: Vec<f64> = (0..n)
            .map(|j| {
                let column: Vec<f64> = order.iter().map(|&row| points[row][j]).collect();
                stats::sd(&column).max(1e-6)
            })
            .collect();
        let z = order.iter().map(|&row| (0..n).map(|j| (points[row][j] - origin[j]) / scale[j]).collect()).collect();
        Self { n, origin, scale, z, y, weight }
    }

    fn terms(&self, z: &[f64]) -> Vec<f64> {
        let mut out = vec![1.0];
        out.extend(z);
        for i in 0..self.n {
            out.extend((i..self.n).map(|j| z[i] * z[j] * if i == j { 0.5 } else { 1.0 }));
        }
        out
    }

    /// Coefficients from the rows that are used.
    fn solve(&self, used: impl Fn(usize) -> bool) -> Option<Vec<f64>> {
        let mut fit = LeastSquares::default();
        fit.start(terms(self.n));
        for row in (0..self.y.len()).filter(|row| used(*row)) {
            let root = self.weight[row].sqrt();
            fit.push(self.terms(&self.z[row]).into_iter().map(|x| x * root), (self.y[row] - self.y[0]) * root);
        }
        let mut model = Vec::new();
        fit.solve(RIDGE, &mut model).then_some(model)
    }

    fn predict(&self, model: &[f64], z: &[f64]) -> f64 {
        self.y[0] + self.terms(z).iter().zip(model).map(|(x, c)| x * c).sum::<f64>()
    }

    /// Cross-validated share of the weighted variance: rows are dealt out by rank.
    fn explained(&self) -> f64 {
        let whole: f64 = self.weight.iter().sum();
        let mean = self.y.iter().zip(&self.weight).map(|(y, w)| y * w).sum::<f64>() / whole;
        let all: f64 = self.y.iter().zip(&self.weight).map(|(y, w)| w * (y - mean) * (y - mean)).sum();
        let mut left = 0.0;
        for part in 0..PARTS {
            let Some(model) = self.solve(|row| row % PARTS != part) else { return f64::NAN };
            for row in (part..self.y.len()).step_by(PARTS) {
                let e = self.y[row] - self.predict(&model, &self.z[row]);
                left += self.weight[row] * e * e;
            }
        }
        1.0 - left / all
    }

    /// Standard deviation of a row of full weight about the model.
    fn rest(&self, model: &[f64]) -> f64 {
        let error = |row: usize| self.y[row] - self.predict(model, &self.z[row]);
        let sum: f64 = (0..self.y.len()).map(|row| self.weight[row] * error(row) * error(row)).sum();
        (sum / (self.y.len().saturating_sub(model.len()).max(1)) as f64).sqrt()
    }

    fn region(&self, model: &[f64], noise: f64, explained: f64) -> Valley {
        let n = self.n;
        let threshold = SIGMAS * noise;
        // Second derivatives in coordinates of the cube.
        let mut hessian = vec![0.0; n * n];
        let mut at = 1 + n;
        for i in 0..n {
            for j in i..n {
                hessian[i * n + j] = model[at] / (self.scale[i] * self.scale[j]);
                hessian[j * n + i] = hessian[i * n + j];
                at += 1;
            }
        }
        let slope: Vec<f64> = (0..n).map(|i| model[1 + i] / self.scale[i]).collect();
        let (mut vectors, mut values) = (hessian.clone(), vec![0.0; n]);
        eigen(n, &mut vectors, &mut values);
        let directions: Vec<Vec<f64>> = vectors.chunks_exact(n).map(<[f64]>::to_vec).collect();
        let stiff = stiffness(&values, &directions, threshold);
        let mut shape = vec![0.0; n * n];
        for (k, v) in directions.iter().enumerate() {
            for i in 0..n {
                for j in 0..n {
                    shape[i * n + j] += 2.0 * threshold / stiff[k] * v[i] * v[j];
                }
            }
        }
        // The minimum along what is bent, from the best row, and kept where the model has rows.
        let mut step = vec![0.0; n];
        for (k, v) in directions.iter().enumerate().filter(|(k, _)| stiff[*k] == values[*k]) {
            let along = v.iter().zip(&slope).map(|(v, g)| v * g).sum::<f64>() / stiff[k];
            step.iter_mut().zip(v).for_each(|(s, v)| *s -= along * v);
        }
        let center: Vec<f64> = (0..n)
            .map(|j| {
                let column = || self.z.iter().map(|z| z[j]);
                let (low, high) = column().fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
                let z = (step[j] / self.scale[j]).clamp(low, high);
                (self.origin[j] + z * self.scale[j]).clamp(0.0, 1.0)
            })
            .collect();
        let z: Vec<f64> = (0..n).map(|j| (center[j] - self.origin[j]) / self.scale[j]).collect();
        Valley {
            center,
            lowest: self.predict(model, &z),
            free: (0..n).map(|i| shape[i * n + i].sqrt()).collect(),
            shape,
            curvature: values,
            directions,
            noise,
            threshold,
            explained,
            rows: self.y.len(),
        }
    }
}

impl Valley {
    /// How much two coordinates make up for each other, -1 to 1: their correlation in the region.
    pub fn tied(&self, i: usize, j: usize) -> f64 {
        let n = self.center.len();
        self.shape[i * n + j] / (self.free[i] * self.free[j])
    }

    /// Checks the region against all rows. Those that decide are the rows inside it, and the ones clearly outside that are as good as
    /// its minimum. If most of them contradict, the model, which knows the rows near the best, is wrong further off.
    fn denied(&self, points: &[Vec<f64>], losses: &[f64]) -> Option<Unknown> {
        let stiff = stiffness(&self.curvature, &self.directions, self.threshold);
        let depth = |p: &Vec<f64>| -> f64 {
            let along = |v: &Vec<f64>| v.iter().zip(p).zip(&self.center).map(|((v, p), c)| v * (p - c)).sum::<f64>();
            self.directions.iter().zip(&stiff).map(|(v, k)| k * along(v) * along(v)).sum::<f64>() / 2.0
        };
        let (mut all, mut against) = (0, 0);
        for (depth, loss) in points.iter().map(depth).zip(losses) {
            let inside = depth <= self.threshold;
            let left_out = depth > CLEARLY * self.threshold && *loss <= self.lowest + self.threshold;
            all += usize::from(inside || left_out);
            against += usize::from(left_out || (inside && *loss > self.lowest + CLEARLY * self.threshold));
        }
        (2 * against > all).then_some(Unknown::Denied(all, against))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensitivity::points::Points;
    use crowdtune_core::math::rng::{Seed, normal};

    /// Loss 10 + 8 (x + y - 1)^2 + 0.02 (x - y)^2: a valley along x + y = 1.
    fn valley(noise: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let points: Vec<Vec<f64>> = (0..200).map(|k| Points::scrambled(2, Seed(1)).point(k)).collect();
        let mut rng = Seed(5).rng();
        let loss = |p: &Vec<f64>| {
            let (a, b) = (p[0] + p[1] - 1.0, p[0] - p[1]);
            10.0 + 8.0 * a * a + 0.02 * b * b
        };
        let losses = points.iter().map(|p| loss(p) + noise * normal(&mut rng)).collect();
        (points, losses)
    }

    #[test]
    fn a_flat_valley_is_found_with_its_width_by_hand() {
        let (points, losses) = valley(0.0);
        let found = fit(&points, &losses, Some(0.001 / SIGMAS)).unwrap();
        // Curvatures along (1, -1) / sqrt 2 and (1, 1) / sqrt 2: 2 x 0.02 x 2 and 2 x 8 x 2.
        assert!((found.curvature[0] - 0.08).abs() < 1e-6 && (found.curvature[1] - 32.0).abs() < 1e-6, "{found:?}");
        assert!((found.directions[0][0] + found.directions[0][1]).abs() < 1e-6);
        assert!(found.center.iter().all(|c| (c - 0.5).abs() < 1e-6) && found.explained > 0.999, "{found:?}");
        // Variances 2 x 0.001 / 0.08 = 0.025 and 2 x 0.001 / 32 along the axes: half the sum of both for each coordinate.
        let free = ((0.025 + 0.000_062_5) / 2.0_f64).sqrt();
        assert!(found.free.iter().all(|w| (w - free).abs() < 1e-6), "{found:?}");
        assert!((found.tied(0, 1) + (0.025 - 0.000_062_5) / (0.025 + 0.000_062_5)).abs() < 1e-6);
    }

    #[test]
    fn noise_opens_the_valley_and_is_measured_where_it_is_not_given() {
        let (points, losses) = valley(0.05);
        let found = fit(&points, &losses, None).unwrap();
        assert!((0.025..0.1).contains(&found.noise), "{}", found.noise);
        assert!(found.free[0] > 0.3, "{found:?}");
        assert!(found.tied(0, 1) < -0.8, "{}", found.tied(0, 1));
    }

    #[test]
    fn a_model_that_the_rest_of_the_log_contradicts_is_not_believed() {
        // Near the best, y from 0.15 to 0.25, only x counts; further off, y from 0.4 on, there is a step of 5.
        let unit = |k: u32| Points::scrambled(2, Seed(1)).point(k);
        let near = (0..60).map(|k| vec![0.4 + 0.2 * unit(k)[0], 0.15 + 0.1 * unit(k)[1]]);
        let far = (60..120).map(|k| vec![0.49 + 0.02 * unit(k)[0], 0.4 + 0.6 * unit(k)[1]]);
        let points: Vec<Vec<f64>> = near.chain(far).collect();
        let bowl = |p: &Vec<f64>| 10.0 + 8.0 * (p[0] - 0.5) * (p[0] - 0.5);
        let flat: Vec<f64> = points.iter().map(bowl).collect();
        let found = fit(&points, &flat, Some(0.001)).unwrap();
        // Open over the whole range.
        assert!(found.free[1] > 0.5 && (found.lowest - 10.0).abs() < 1e-6, "{found:?}");
        let stepped: Vec<f64> = points.iter().map(|p| bowl(p) + if p[1] >= 0.4 { 5.0 } else { 0.0 }).collect();
        let denied = fit(&points, &stepped, Some(0.001));
        assert!(matches!(denied, Err(Unknown::Denied(all, worse)) if worse > 20 && 2 * worse > all), "{denied:?}");
    }

    #[test]
    fn nothing_is_told_from_few_rows_or_from_chance() {
        let (points, losses) = valley(0.0);
        assert_eq!(fit(&points[..11], &losses[..11], None), Err(Unknown::Rows(12)));
        assert_eq!(fit(&[], &[], None), Err(Unknown::Rows(2)));
        let (points, losses) = valley(1000.0);
        assert!(matches!(fit(&points, &losses, None), Err(Unknown::Model(share)) if share < EXPLAINS));
        assert!(fit(&points, &vec![1.0; 200], None).is_err());
    }
}
