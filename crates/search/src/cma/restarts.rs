//! Restarts: how large the next run is, and whether a run ends up where another one has been.
//!
//! BIPOP-CMA-ES: Hansen, Benchmarking a BI-Population CMA-ES on the BBOB-2009 Function Testbed, GECCO 2009 companion,
//! doi 10.1145/1570256.1570333.

use super::run::CmaRun;
use crate::Genome;
use crate::cost::{Cost, compare};
use crowdtune_core::math::rng::{Seed, unit};

/// Ends of runs closer than this in every gene are the same basin. Chosen here: crowd metrics cannot tell a thousandth of a
/// range apart, and runs that come so near to an old end do not leave it.
const BASIN: f64 = 1e-3;

/// Size of the next run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSize {
    /// Candidates of a generation.
    pub lambda: usize,
    /// First size of steps.
    pub sigma: f64,
}

/// The record of all runs.
#[derive(Clone, Debug)]
pub struct Restarts {
    seed: Seed,
    lambda: usize,
    sigma: f64,
    /// Runs that ended.
    runs: u64,
    /// Population of the last large run.
    large: usize,
    /// True if the current run is one of the small ones.
    small: bool,
    /// Evaluations of large runs and of small ones.
    spent: [u64; 2],
    ends: Vec<(Genome, Cost)>,
}

impl Restarts {
    /// Before the first run, which has these sizes. Differs from the source: the first large restart has four times the
    /// population, not twice, because with the surrogate a large generation costs few evaluations (docs/decisions.md).
    pub fn new(lambda: usize, sigma: f64, seed: Seed) -> Self {
        Self { seed, lambda, sigma, runs: 0, large: 2 * lambda, small: false, spent: [0, 0], ends: Vec::new() }
    }

    /// Number of runs that ended.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Records a run that is over.
    pub fn close(&mut self, run: &CmaRun) {
        self.spent[usize::from(self.small)] += run.evaluations();
        self.runs += 1;
        if let Some((genome, cost)) = run.best()
            && self.ends.iter().all(|(end, _)| apart(end, genome) >= BASIN)
        {
            self.ends.push((genome.clone(), cost));
        }
    }

    /// True if a run has shrunk into a basin where an earlier one ended, with no better cost.
    pub fn revisits(&self, run: &CmaRun) -> bool {
        if self.ends.is_empty() || run.spread() >= BASIN {
            return false;
        }
        let mean = run.mean();
        let Some((_, cost)) = run.best() else { return false };
        self.ends.iter().any(|(end, known)| apart(end, &mean) < BASIN && !compare(cost, *known).is_lt())
    }

    /// The size of the next run. The regime that has used fewer evaluations goes next; large runs double their population,
    /// small ones have a random one between the first and half of the last large one, and a step size of 1 to 1/100 of the
    /// first.
    pub fn next_size(&mut self) -> RunSize {
        let mut rng = self.seed.child("plan", self.runs).rng();
        self.small = self.spent[1] < self.spent[0];
        if !self.small {
            self.large = self.large.saturating_mul(2).min(MOST);
            return RunSize { lambda: self.large, sigma: self.sigma };
        }
        let u = unit(&mut rng);
        let ratio = 0.5 * self.large as f64 / self.lambda as f64;
        let lambda = (self.lambda as f64 * libm::pow(ratio, u * u)) as usize;
        let sigma = self.sigma * libm::pow(10.0, -2.0 * unit(&mut rng));
        RunSize { lambda: lambda.max(self.lambda), sigma }
    }
}

/// Largest population. Chosen here: memory and time of one generation stay small.
const MOST: usize = 10_000;

/// Largest difference of a gene.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regimes_take_turns_and_large_ones_double() {
        let mut restarts = Restarts::new(8, 0.2, Seed(1));
        restarts.spent = [100, 0];
        for _ in 0..20 {
            let size = restarts.next_size();
            restarts.runs += 1;
            // Half of the last large population is below the first one yet.
            assert!(restarts.small && size.lambda == 8 && size.sigma <= 0.2 && size.sigma >= 0.002);
        }
        restarts.spent = [100, 100];
        assert_eq!(restarts.next_size(), RunSize { lambda: 32, sigma: 0.2 });
        assert_eq!(restarts.next_size(), RunSize { lambda: 64, sigma: 0.2 });
        restarts.spent = [200, 100];
        assert!((8..=32).contains(&restarts.next_size().lambda));
    }
}
