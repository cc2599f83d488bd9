//! Where the minimum lies, as far as the noise tells.

use super::quadratic::Quadratic;
use super::{HEIGHT, LEVEL, Profiles, TAKES_PART};
use crowdtune_core::math::eigen::eigen;
use crowdtune_core::math::least_squares::LeastSquares;
use crowdtune_core::math::stats;
use crowdtune_core::math::student::quantile_above;

/// The minimum of each replica, relative to the best, and the directions in which there is none to speak of.
pub(super) struct Minimum {
    /// [coordinate][replica]
    at: Vec<Vec<f64>>,
    flat: Vec<Vec<f64>>,
}

impl Minimum {
    /// The interval of the minimum along a way; `None` if the way takes part in a direction that is flat within the noise.
    pub fn along(&self, way: &[f64]) -> Option<(f64, f64)> {
        let takes_part = |flat: &Vec<f64>| {
            let longest = flat.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            way.iter().zip(flat).map(|(w, f)| w * f).sum::<f64>().abs() > TAKES_PART * longest
        };
        if self.flat.iter().any(takes_part) {
            return None;
        }
        let count = self.at[0].len();
        let minima: Vec<f64> =
            (0..count).map(|part| way.iter().zip(&self.at).map(|(w, m)| w * m[part]).sum()).collect();
        let df = u32::try_from(count - 1).unwrap_or(u32::MAX).min(100_000);
        let half = quantile_above((1.0 - LEVEL) / 2.0, df) * stats::sd(&minima) / (count as f64).sqrt();
        Some((stats::mean(&minima) - half, stats::mean(&minima) + half))
    }
}

impl Profiles {
    /// Where the minimum lies; `None` where the noise cannot be told. Each replica has a quadratic through the profiles with curvatures that all
    /// of them, and the search, share, and so a minimum of its own; their spread says how well that of the mean is known.
    pub(super) fn minimum(&self, threshold: f64) -> Option<Minimum> {
        let n = self.best.len();
        let best = self.points.first()?.answer.as_ref()?;
        let count = best.parts.len();
        let used: Vec<usize> = (0..self.points.len())
            .filter(|&k| self.points[k].answer.as_ref().is_some_and(|a| a.parts.len() == count))
            .collect();
        if count < 2 || used.len() < n + 3 {
            return None;
        }
        let model = Quadratic::fit(&self.rows(), &self.best, None, HEIGHT * threshold)?;
        if self.contradicts(&model, threshold) {
            return None;
        }
        let (back, flat) = inverse(n, &model.bend, threshold)?;
        let share = |k: usize| {
            let high = self.worse(k).max(0.0) / (HEIGHT * threshold).max(f64::MIN_POSITIVE);
            1.0 / (1.0 + high * high)
        };
        let mut fit = LeastSquares::default();
        let mut slope = Vec::new();
        let mut minima = vec![Vec::with_capacity(count); n];
        for part in 0..count {
            fit.start(n + 1);
            for &k in &used {
                let point = &self.points[k];
                let d: Vec<f64> = (0..n).map(|i| point.x[i] - self.best[i]).collect();
                let bent: f64 =
                    (0..n).map(|i| 0.5 * d[i] * (0..n).map(|j| model.bend[i * n + j] * d[j]).sum::<f64>()).sum();
                let root = share(k).sqrt();
                let own = point.answer.as_ref().map_or(0.0, |a| a.parts[part]) - best.parts[part];
                let columns = [1.0].into_iter().chain((0..n).map(|i| d[i] / model.reach[i]));
                fit.push(columns.map(|x| x * root), (own - bent) * root);
            }
            if !fit.solve(1e-12, &mut slope) {
                return None;
            }
            for (i, minima) in minima.iter_mut().enumerate() {
                minima.push(-(0..n).map(|j| back[i * n + j] * slope[1 + j] / model.reach[j]).sum::<f64>());
            }
        }
        Some(Minimum { at: minima, flat })
    }
}

impl Profiles {
    /// True if the points near the best lie farther from a quadratic than their noise explains: the sum of squares over its
    /// variance is three standard deviations of chi squared above what it should be.
    fn contradicts(&self, model: &Quadratic, threshold: f64) -> bool {
        let Some(noise) = self.threshold().1 else { return true };
        let near = (0..self.points.len()).filter(|&k| self.worse(k) <= HEIGHT * threshold);
        let off: Vec<f64> = near.map(|k| self.worse(k) - model.rise(&self.best, &self.points[k].x)).collect();
        let free = (off.len() - 1) as f64;
        let mean = stats::mean(&off);
        let squares: f64 = off.iter().map(|off| (off - mean) * (off - mean)).sum();
        squares / (noise * noise) > free + 3.0 * (2.0 * free).sqrt()
    }
}

/// The inverse of the curvatures, and the directions that are flat within the noise, or bent down: from the middle of the range the threshold
/// is not reached at its ends. No direction counts as bent by less than what reaches it over the whole range.
fn inverse(n: usize, bend: &[f64], threshold: f64) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let (mut ways, mut values) = (bend.to_vec(), vec![0.0; n]);
    eigen(n, &mut ways, &mut values);
    let (mut back, mut flat) = (vec![0.0; n * n], Vec::new());
    for (way, value) in ways.chunks_exact(n).zip(&values) {
        let longest = way.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let least = 2.0 * threshold * longest * longest;
        if *value < 4.0 * least {
            flat.push(way.to_vec());
        }
        let value = value.max(least).max(f64::MIN_POSITIVE);
        for i in 0..n {
            for j in 0..n {
                back[i * n + j] += way[i] * way[j] / value;
            }
        }
    }
    back.iter().all(|x| x.is_finite()).then_some((back, flat))
}
