//! A run of this library's simulator, step by step, with the metrics that look at it.

use super::observe::{metrics, value_of};
use crate::evolve::experiment::Experiment;
use crate::evolve::scoring::score;
use crate::evolve::unfinished::unfinished;
use crate::replay::Look;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_sim::crowd::{Crowd, Exit, Health, Sim};
use crowdtune_sim::metrics::{Metric, Sample};
use crowdtune_sim::world::scenario::Scenario;
use std::sync::Arc;

/// A simulation of a case, and what is measured of it.
pub struct Watched {
    pub(super) sim: Sim,
    case: usize,
    scenario: Arc<Scenario>,
    /// With their columns.
    pub(super) metrics: Vec<(usize, Box<dyn Metric>)>,
}

impl Watched {
    /// A candidate (decoded genes) in a case, at the start of its run.
    ///
    /// # Errors
    /// If people do not fit, or the run cannot be trusted from its start.
    pub fn new(experiment: &Experiment, case: usize, genes: &[f64], seed: Seed) -> Result<Self, Error> {
        let mut watched = Self::of(experiment, case, experiment.sim(case, genes, seed)?);
        watched.begin(experiment)?;
        Ok(watched)
    }

    /// A simulation whose run has not begun.
    pub(super) fn of(experiment: &Experiment, case: usize, sim: Sim) -> Self {
        let scenario = experiment.cases[case].scenario.clone();
        Self { sim, case, scenario, metrics: metrics(experiment, &experiment.cases[case]) }
    }

    /// The simulation.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// True if its run has ended.
    pub fn is_over(&self) -> bool {
        self.sim.is_over()
    }

    /// One step.
    ///
    /// # Errors
    /// Why the run cannot be trusted.
    pub fn step(&mut self, experiment: &Experiment) -> Result<(), Error> {
        let Self { sim, scenario, metrics, .. } = self;
        sim.advance(&mut looking(experiment, scenario, metrics))
    }

    /// The value of each column so far, as [`super::simulate()`] gives it at the end.
    pub fn values(&self, experiment: &Experiment) -> Vec<Option<f64>> {
        let mut row = vec![None; experiment.columns.len()];
        for (column, metric) in &self.metrics {
            row[*column] = value_of(experiment, *column, metric.as_ref());
        }
        row
    }

    /// The values that somebody has seen by now: none for a time until people are out while they are inside.
    pub fn so_far(&self, experiment: &Experiment) -> Vec<Option<f64>> {
        let seen = |(column, value): (usize, Option<f64>)| {
            value.filter(|&value| !unfinished(experiment, column, self.case, value))
        };
        self.values(experiment).into_iter().enumerate().map(seen).collect()
    }

    /// The loss of each target, if the run ended now and were the only one; `None` for measures and what other cases decide.
    pub fn losses(&self, experiment: &Experiment) -> Vec<Option<f64>> {
        let mut values = experiment.empty_values();
        values[self.case].push(self.values(experiment));
        score(experiment, &values).losses
    }

    /// To the end; `each` looks at the start and after every step.
    pub(super) fn run(&mut self, experiment: &Experiment, each: &mut dyn FnMut(&Self)) -> Result<Health, Error> {
        self.begin(experiment)?;
        each(self);
        while !self.is_over() {
            self.step(experiment)?;
            each(self);
        }
        Ok(self.sim.health())
    }

    /// What is measured so far.
    pub(super) fn look(&self, experiment: &Experiment) -> Look {
        Look { time: self.sim.time_s(), values: self.so_far(experiment), losses: self.losses(experiment) }
    }

    fn begin(&mut self, experiment: &Experiment) -> Result<(), Error> {
        let Self { sim, scenario, metrics, .. } = self;
        sim.begin(&mut looking(experiment, scenario, metrics))
    }
}

/// What shows samples to metrics.
fn looking<'a>(
    experiment: &'a Experiment,
    scenario: &'a Scenario,
    metrics: &'a mut [(usize, Box<dyn Metric>)],
) -> impl FnMut(f64, &Crowd, &[Exit]) + 'a {
    move |time_s, crowd, exits| {
        let sample = Sample { time_s, crowd, exits, world: &scenario.world };
        for (column, metric) in &mut *metrics {
            metric.observe(&sample.seen(experiment.columns[*column].metric.make.needs));
        }
    }
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").field("case", &self.case).field("sim", &self.sim).finish_non_exhaustive()
    }
}
