//! One run of one case for one candidate.

use super::{Job, Scratch};
use crate::evolve::experiment::{Case, Experiment};
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
    simulate_in(&Job { experiment, case, genes, seed }, &mut Scratch::default())
}

/// [`simulate`] that says how much work it was.
///
/// # Errors
/// As [`run_one`].
pub fn simulate_in(job: &Job<'_>, scratch: &mut Scratch) -> Result<Vec<Option<f64>>, Error> {
    run(job, None, scratch).map(|ran| ran.values)
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
    run(&Job { experiment, case, genes, seed }, record, &mut Scratch::default()).map(|ran| (ran.values, ran.health))
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
    let ran = run(&Job { experiment, case, genes, seed }, Some(record), &mut Scratch::default())?;
    Ok(ran.metrics.iter().filter_map(|(column, metric)| Some((*column, metric.table()?))).collect())
}

/// What one run gave.
struct Measured {
    values: Vec<Option<f64>>,
    health: Health,
    /// The metrics with their columns, after the last sample.
    metrics: Vec<(usize, Box<dyn Metric>)>,
}

fn run(job: &Job<'_>, record: Option<&mut Trajectory>, scratch: &mut Scratch) -> Result<Measured, Error> {
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
    scratch.agent_steps = health.agent_steps;

    let mut row = vec![None; experiment.columns.len()];
    for (column, metric) in &metrics {
        row[*column] = match &experiment.columns[*column].wanted {
            Some(Wanted::Like { reference, by, .. }) => target::distance(*by, &metric.samples(), reference),
            _ => metric.value(),
        }
        // JSON has no infinity, so the log could not give it back.
        .filter(|x| x.is_finite());
    }
    Ok(Measured { values: row, health, metrics })
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
