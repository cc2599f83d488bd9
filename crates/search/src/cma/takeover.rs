//! A run that goes on where a descent leaves off.

use super::SIGMA;
use super::coding::Coding;
use super::rates::population;
use super::run::{CmaRun, Lookup, Start};
use super::stops::same;
use crate::cost::{Cost, cost};
use crate::{Genome, Space, Trial};
use crowdtune_core::math::rng::Seed;

/// The run is over once so many evaluations for each number, and this many in all, do not differ. Chosen here: a run by itself waits for thirty
/// generations.
const FLAT: usize = 3;
const LEAST: usize = 9;

/// Where a descent left off.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub x: Genome,
    /// What it costs, if that is known.
    pub cost: Option<Cost>,
    /// The shape of the loss there, as far as it is known: a covariance, row by row, and the size of steps with it. Without it steps have the usual
    /// size.
    pub shape: Option<(Vec<f64>, f64)>,
}

/// The run.
pub(crate) struct Takeover {
    run: CmaRun,
    numbers: usize,
    losses: Vec<f64>,
}

impl Takeover {
    /// From that place on.
    pub fn new(space: &Space, from: Place, seed: Seed) -> Self {
        let coding = Coding::new(space);
        let numbers = coding.numbers();
        let (shape, sigma) = from.shape.map_or((None, SIGMA), |(shape, sigma)| (Some(shape), sigma));
        let start = Start { mean: coding.point(&from.x), given: true, sigma, shape, lambda: population(numbers), seed };
        let mut run = CmaRun::new(&coding, &start, true);
        if let Some(cost) = from.cost {
            run.note(&from.x, cost);
        }
        Self { run, numbers, losses: Vec::new() }
    }

    /// True if there is nothing more to gain.
    pub fn ended(&self) -> bool {
        let many = LEAST.max(FLAT * self.numbers);
        let last = self.losses.iter().rev().take(many);
        let (low, high) = last.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (x.min(low), x.max(high)));
        (self.losses.len() >= many && same(low, high)) || self.run.ended().is_some()
    }

    /// The next candidates, at most so many, with what is known of those that somebody asked for.
    pub fn ask<'a>(&mut self, many: usize, known: impl Fn(&[f64]) -> Option<&'a Trial>) -> Vec<Genome> {
        let mut asked: Vec<Genome> = Vec::new();
        while asked.len() < many {
            let mut seen = |genome: &[f64]| match known(genome) {
                Some(trial) => Lookup::Known(cost(trial)),
                None if asked.iter().any(|one| one == genome) => Lookup::Pending,
                None => Lookup::New,
            };
            let Some(genome) = self.run.ask(&mut seen) else { break };
            asked.push(genome);
        }
        asked
    }

    /// The answers of all of them, in their order.
    pub fn tell(&mut self, trials: &[Trial]) {
        for trial in trials {
            let cost = cost(trial);
            self.run.tell(cost);
            self.losses.extend(cost.map(|cost| cost.1));
        }
    }
}
