//! The improvement emitter of CMA-ME: an evolution strategy that moves to where it fills or improves cells.
//!
//! Fontaine, Togelius, Nikolaidis, Hoover, GECCO 2020 (arXiv:1912.02400); adaptation as in Hansen's tutorial (arXiv:1604.00772)
//! with the Cholesky factor of the covariance in place of its square root. Choices stay as they are in
//! the elite it started from.

use super::grid::{Grid, Offer};
use super::slopes::dot;
use crate::Genome;
use crate::space::Space;
use crate::variation::{reflect, settle};
use crowdtune_core::math::rng::{ChaCha8Rng, below, normal};
use std::cmp::Ordering;

/// First step size, as a share of a range. Chosen here: about that of the authors.
const SIGMA: f64 = 0.03;
/// Candidates of a generation. As in Fontaine et al. 2020.
const GENERATION: usize = 36;
/// Largest ratio of the squared pivots of the factor. Hansen's tutorial: a condition of 1e14.
const SKEWED: f64 = 1e14;
/// A run goes on while its step size is in here. Chosen here: from less than any cell is wide to more than any range.
const SIGMAS: std::ops::Range<f64> = 1e-6..2.0;

/// One evolution strategy. It draws from its distribution at any time and adapts once a generation was told.
#[derive(Clone, Debug, Default)]
pub(super) struct ImprovementEmitter {
    mean: Vec<f64>,
    sigma: f64,
    covariance: Vec<f64>,
    /// Lower triangle A with A A' = covariance.
    factor: Vec<f64>,
    /// Paths of the step size and of the covariance.
    paths: (Vec<f64>, Vec<f64>),
    told: Vec<Find>,
    generations: i32,
}

/// A candidate of the generation under way that was told.
#[derive(Clone, Debug)]
struct Find {
    genome: Genome,
    /// What it was worth: newly filled cells before improved ones, then by loss or by improvement.
    worth: Option<(bool, f64)>,
}

impl ImprovementEmitter {
    /// A candidate near the mean; the first one starts at an elite.
    pub(super) fn draw(&mut self, space: &Space, grid: &Grid, rng: &mut ChaCha8Rng) -> Genome {
        if self.mean.len() != space.len() {
            self.restart(&grid.nth(below(rng, grid.len())).genome);
        }
        let n = space.len();
        let z: Vec<f64> = (0..n).map(|_| normal(rng)).collect();
        (0..n)
            .map(|i| {
                let axis = &space.genes[i].axis;
                let step = self.sigma * dot(&self.factor[i * n..i * n + i + 1], &z[..=i]);
                if axis.is_choice() { self.mean[i] } else { settle(axis, self.mean[i] + step, rng) }
            })
            .collect()
    }

    /// Takes what became of a candidate, `None` if it failed. A full generation moves the distribution; one that found nothing
    /// ends the run.
    pub(super) fn tell(&mut self, genome: &[f64], offer: Option<&Offer>, loss: f64) {
        let worth = match offer {
            Some(Offer::Filled) => Some((true, -loss)),
            Some(&Offer::Improved(violation, _)) if violation > 0.0 => Some((true, -loss)),
            Some(&Offer::Improved(_, before)) => Some((false, before - loss)),
            Some(Offer::Behind) | None => None,
        };
        self.told.push(Find { genome: genome.to_vec(), worth });
        if self.told.len() < GENERATION {
            return;
        }
        let mut finds: Vec<Find> = std::mem::take(&mut self.told);
        finds.retain(|find| find.worth.is_some() && find.genome.len() == self.mean.len());
        finds.sort_by(|a, b| order(b.worth, a.worth));
        if finds.is_empty() || !self.adapt(&finds) {
            self.mean.clear();
        }
    }

    fn restart(&mut self, at: &[f64]) {
        let n = at.len();
        let unit = || (0..n * n).map(|i| f64::from(i % (n + 1) == 0)).collect::<Vec<f64>>();
        *self = Self {
            mean: at.to_vec(),
            sigma: SIGMA,
            covariance: unit(),
            factor: unit(),
            paths: (vec![0.0; n], vec![0.0; n]),
            ..Self::default()
        };
    }

    /// Moves the distribution towards the finds, best first; false if the run is over.
    fn adapt(&mut self, finds: &[Find]) -> bool {
        let n = self.mean.len();
        let d = n as f64;
        let raw: Vec<f64> =
            (1..=finds.len()).map(|i| libm::log(finds.len() as f64 + 0.5) - libm::log(i as f64)).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mass = 1.0 / dot(&weights, &weights);
        // Tutorial, Table 1.
        let cs = (mass + 2.0) / (d + mass + 5.0);
        let cc = (4.0 + mass / d) / (d + 4.0 + 2.0 * mass / d);
        let c1 = 2.0 / ((d + 1.3) * (d + 1.3) + mass);
        let cmu = (1.0 - c1).min(2.0 * (mass - 2.0 + 1.0 / mass).max(0.0) / ((d + 2.0) * (d + 2.0) + mass));
        let damping = 1.0 + 2.0 * (((mass - 1.0) / (d + 1.0)).max(0.0).sqrt() - 1.0).max(0.0) + cs;
        let chi = d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));
        let steps: Vec<Vec<f64>> = finds
            .iter()
            .map(|f| f.genome.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma).collect())
            .collect();
        let moved: Vec<f64> = (0..n).map(|i| steps.iter().zip(&weights).map(|(s, w)| w * s[i]).sum()).collect();
        let plain = self.whiten(&moved);
        let (sp, cp) = &mut self.paths;
        let push = (cs * (2.0 - cs) * mass).sqrt();
        sp.iter_mut().zip(&plain).for_each(|(p, z)| *p = (1.0 - cs) * *p + push * z);
        self.generations += 1;
        let length = dot(sp, sp).sqrt();
        let settled = (1.0 - libm::pow(1.0 - cs, 2.0 * f64::from(self.generations))).sqrt();
        let calm = length / settled < (1.4 + 2.0 / (d + 1.0)) * chi;
        let push = if calm { (cc * (2.0 - cc) * mass).sqrt() } else { 0.0 };
        cp.iter_mut().zip(&moved).for_each(|(p, m)| *p = (1.0 - cc) * *p + push * m);
        for i in 0..n {
            for j in 0..=i {
                let spread: f64 = steps.iter().zip(&weights).map(|(s, w)| w * s[i] * s[j]).sum();
                let c = &mut self.covariance[i * n + j];
                *c = (1.0 - c1 - cmu) * *c + c1 * cp[i] * cp[j] + cmu * spread;
            }
        }
        for (mean, step) in self.mean.iter_mut().zip(&moved) {
            *mean = reflect(*mean + self.sigma * step);
        }
        self.sigma *= libm::exp(((cs / damping) * (length / chi - 1.0)).min(1.0));
        SIGMAS.contains(&self.sigma) && self.factorize()
    }

    /// Solves A z = y: the step in coordinates in which the distribution is a ball.
    fn whiten(&self, y: &[f64]) -> Vec<f64> {
        let n = y.len();
        let mut z = y.to_vec();
        for i in 0..n {
            let row = &self.factor[i * n..i * n + i];
            z[i] = (z[i] - dot(row, &z[..i])) / self.factor[i * n + i];
        }
        z
    }

    /// The Cholesky factor of the covariance; false if that is no longer positive definite.
    fn factorize(&mut self) -> bool {
        let n = self.mean.len();
        let a = &mut self.factor;
        let (mut least, mut most) = (f64::MAX, 0.0_f64);
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
                let rest = self.covariance[i * n + j] - sum;
                if i != j {
                    a[i * n + j] = rest / a[j * n + j];
                } else if rest > 0.0 && rest.is_finite() {
                    a[i * n + i] = rest.sqrt();
                    (least, most) = (least.min(rest), most.max(rest));
                } else {
                    return false;
                }
            }
        }
        most <= least * SKEWED
    }
}

/// Newly filled before improved, then the larger number.
fn order(a: Option<(bool, f64)>, b: Option<(bool, f64)>) -> Ordering {
    let key = |worth: Option<(bool, f64)>| worth.unwrap_or((false, f64::MIN));
    let ((a_new, a), (b_new, b)) = (key(a), key(b));
    a_new.cmp(&b_new).then(a.total_cmp(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Axis, Gene};
    use crate::{Measure, Trial, atlas::grid::Elite};
    use crowdtune_core::math::rng::Seed;

    /// Where cells lie along one gene, a strategy that is paid for new cells walks along it and stretches.
    #[test]
    fn it_follows_new_cells() {
        let gene = |i| Gene { key: format!("x{i}"), axis: Axis::Real { low: 0.0, high: 1.0, log: false } };
        let space = Space { genes: (0..3).map(gene).collect() };
        let mut grid = Grid::new(&[Measure { low: 0.0, high: 1.0, cells: 5000 }], 1);
        let mut offer = |genome: &[f64]| {
            let trial = Trial { measures: vec![genome[0]], ..Trial::of_search(0, genome.to_vec(), 0.0) };
            let offer = grid.offer(Elite::of(&trial, 1).expect("a sound trial"));
            (offer, grid.clone())
        };
        let (_, mut archive) = offer(&[0.5; 3]);
        let mut improvement = ImprovementEmitter::default();
        let mut rng = Seed(3).rng();
        for _ in 0..10 * GENERATION {
            let genome = improvement.draw(&space, &archive, &mut rng);
            let (became, now) = offer(&genome);
            archive = now;
            improvement.tell(&genome, Some(&became), 0.0);
        }
        assert_eq!(improvement.generations, 10);
        assert!(archive.len() > 250, "{}", archive.len());
    }

    #[test]
    fn nothing_found_ends_a_run() {
        let mut improvement = ImprovementEmitter::default();
        improvement.restart(&[0.5, 0.5]);
        for _ in 0..GENERATION {
            assert!(!improvement.mean.is_empty());
            improvement.tell(&[0.4, 0.4], Some(&Offer::Behind), 0.0);
        }
        assert!(improvement.mean.is_empty());
    }

    #[test]
    fn new_cells_come_first() {
        let mut worths = [None, Some((false, 9.0)), Some((true, -3.0)), Some((true, -1.0))];
        worths.sort_by(|a, b| order(*b, *a));
        assert_eq!(worths, [Some((true, -1.0)), Some((true, -3.0)), Some((false, 9.0)), None]);
    }
}
