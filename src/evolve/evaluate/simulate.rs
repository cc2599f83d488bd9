//! One run of one case for one candidate, by this library's simulator or by what stands in its place.

use crate::evolve::experiment::{Case, Experiment};
use crate::evolve::log::NATIVE;
use crate::target::{self, Wanted};
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Health;
use crowdtune_sim::crowd::Trajectory;
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::metrics::{Metric, Sample, Spec, Table};
use crowdtune_sim::models::ModelSetup;
use std::fmt;

/// One run of one case for one candidate.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Index of the case in [`Experiment::cases`].
    pub case: usize,
    /// Decoded genes of the candidate, in the order and the units of [`Experiment::space`].
    pub genes: &'a [f64],
    /// All randomness of the run comes from it.
    pub seed: Seed,
}

/// What a run gave. A simulator that does not know its work returns the values alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The value of each column of the experiment; `None` if the run has none.
    pub values: Vec<Option<f64>>,
    /// How much work it was, in agent-steps or any other unit; 0 if that is not known. Cases with long runs start first; no result
    /// depends on it.
    pub work: u64,
}

impl From<Vec<Option<f64>>> for Measured {
    fn from(values: Vec<Option<f64>>) -> Self {
        Self { values, work: 0 }
    }
}

type Run<'a> = dyn Fn(&Job<'_>) -> Result<Measured, Error> + Send + Sync + 'a;

/// What does the runs, by its name: this library's simulator, or a function in its place.
pub(super) struct Simulator<'a> {
    pub engine: String,
    run: Box<Run<'a>>,
}

impl<'a> Simulator<'a> {
    /// This library's simulator.
    pub fn native() -> Self {
        Self::new(NATIVE, |job: &Job<'_>| {
            let (values, health) = run_one(job.experiment, job.case, job.genes, job.seed, None)?;
            Ok(Measured { values, work: health.agent_steps })
        })
    }

    /// A function that measures a run, or says why the run cannot be trusted.
    pub fn new<M: Into<Measured>>(engine: &str, run: impl Fn(&Job<'_>) -> Result<M, Error> + Send + Sync + 'a) -> Self {
        Self { engine: engine.to_string(), run: Box::new(move |job| run(job).map(Into::into)) }
    }

    pub fn run(&self, job: &Job<'_>) -> Result<Measured, Error> {
        (self.run)(job)
    }
}

impl fmt::Debug for Simulator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// The seed of a run: by purpose, table and replica, so that all candidates and all `each` values of a table share it
/// (common random numbers). The baseline runs on the seeds of the report.
pub fn run_seed(seed: u64, purpose: Purpose, table: &str, replica: u32) -> Seed {
    let stream = match purpose {
        Purpose::Search => "search",
        Purpose::Select => "select",
        Purpose::Report | Purpose::Baseline => "report",
    };
    Seed(seed).child(stream, 0).child(table, u64::from(replica))
}

/// The values of [`run_one`], nothing recorded.
///
/// # Errors
/// As [`run_one`].
pub fn simulate(experiment: &Experiment, case: usize, genes: &[f64], seed: Seed) -> Result<Vec<Option<f64>>, Error> {
    run_one(experiment, case, genes, seed, None).map(|(values, _)| values)
}

/// Runs a case with these decoded genes and returns the value of each column, `None` if the case does not measure it. For a
/// `like` target the value is the distance of the run's samples from the reference.
///
/// # Errors
/// Why the run cannot be trusted: people do not fit, or the simulation is unhealthy.
pub fn run_one(
    experiment: &Experiment,
    case: usize,
    genes: &[f64],
    seed: Seed,
    record: Option<&mut Trajectory>,
) -> Result<(Vec<Option<f64>>, Health), Error> {
    run(&Job { experiment, case, genes, seed }, record).map(|ran| (ran.values, ran.health))
}

/// As [`run_one`], recorded; returns the tables behind the metrics, each with the index of its column.
///
/// # Errors
/// As [`run_one`].
pub fn run_recorded(
    experiment: &Experiment,
    case: usize,
    genes: &[f64],
    seed: Seed,
    record: &mut Trajectory,
) -> Result<Vec<(usize, Table)>, Error> {
    let ran = run(&Job { experiment, case, genes, seed }, Some(record))?;
    Ok(ran.metrics.iter().filter_map(|(column, metric)| Some((*column, metric.table()?))).collect())
}

/// All that is left of a simulation.
struct Simulated {
    values: Vec<Option<f64>>,
    health: Health,
    /// The metrics with their columns, after the last sample.
    metrics: Vec<(usize, Box<dyn Metric>)>,
}

fn run(job: &Job<'_>, record: Option<&mut Trajectory>) -> Result<Simulated, Error> {
    let Job { experiment, case, genes, seed } = *job;
    let case = &experiment.cases[case];
    let setup = RunSetup {
        scenario: case.scenario.clone(),
        traits: case.groups.iter().map(|g| g.traits(genes)).collect(),
        time_step_s: experiment.timing.time_step_s,
        sample_every_s: experiment.timing.sample_every_s,
        max_overlap_share: experiment.timing.max_overlap_share,
        seed,
    };
    let start = Start::new(setup)?;

    let values: Vec<Vec<f64>> = case.groups.iter().map(|g| g.constants(genes)).collect();
    let settings: Vec<_> = values.iter().map(|v| Settings::new(experiment.model.params, v)).collect();
    let model = (experiment.model.make.make)(&ModelSetup::new(&start, &settings));
    let mut sim = Sim::new(start, model);
    if let Some(track) = &record {
        sim.record(track.every_s);
    }

    let mut metrics = metrics(experiment, case);
    let world = &*case.scenario.world;
    let ended = sim.run(&mut |time_s, crowd, exits| {
        let sample = Sample { time_s, crowd, exits, world };
        for (column, metric) in &mut metrics {
            metric.observe(&sample.seen(experiment.columns[*column].metric.make.needs));
        }
    });
    if let (Some(track), Some(recorded)) = (record, sim.take_recording()) {
        *track = recorded;
    }
    let health = ended?;

    let mut row = vec![None; experiment.columns.len()];
    for (column, metric) in &metrics {
        row[*column] = match &experiment.columns[*column].wanted {
            Some(Wanted::Like { reference, by, .. }) => target::distance(*by, &metric.samples(), reference),
            _ => metric.value(),
        }
        // JSON has no infinity, so the log could not give it back.
        .filter(|x| x.is_finite());
    }
    Ok(Simulated { values: row, health, metrics })
}

/// The metrics of a case with their columns.
fn metrics(experiment: &Experiment, case: &Case) -> Vec<(usize, Box<dyn Metric>)> {
    let mut metrics = Vec::new();
    for (index, (column, here)) in experiment.columns.iter().zip(&case.columns).enumerate() {
        if let Some(here) = here {
            let spec = Spec {
                at: here.at.clone(),
                window: here.window,
                sample_every_s: experiment.timing.sample_every_s,
                group: here.group,
                center: here.center,
                settings: column.settings.clone(),
            };
            metrics.push((index, (column.metric.make.make)(&spec, &case.scenario)));
        }
    }
    metrics
}
