//! One run of this library's simulator, and what the metrics saw in it.

use super::foreign;
use super::observe::Simulated;
use super::watched::Watched;
use crate::evolve::experiment::Experiment;
use crate::evolve::people::ByPerson;
use crate::replay::Look;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::{Health, Sim, Trajectory};
use crowdtune_sim::metrics::Table;

/// Interval at which a recorded run is looked at, s. Chosen here: people read no faster.
const LOOK_S: f64 = 0.5;

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

/// The seed of a run: by purpose, table and replica, so that all candidates and all `each` values of a table share it
/// (common random numbers). The baseline runs on the seeds of the report.
pub fn run_seed(seed: u64, purpose: Purpose, table: &str, replica: u32) -> Seed {
    let stream = match purpose {
        Purpose::Search => "search",
        Purpose::Select => "select",
        Purpose::Report | Purpose::Baseline => "report",
        Purpose::Profile => "profile",
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

/// A run with what each person adds to its columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// The value of each column, as in [`Measured`].
    pub values: Vec<Option<f64>>,
    /// By column: what each person adds ([`crowdtune_sim::metrics::Metric::by_person`]); empty where the metric does not say.
    pub people: Vec<ByPerson>,
}

/// The values of [`run_one`] and what each person adds to them, nothing recorded.
///
/// # Errors
/// As [`run_one`].
pub fn run_people(experiment: &Experiment, case: usize, genes: &[f64], seed: Seed) -> Result<Ran, Error> {
    let ran = run(experiment, case, (genes, seed), None)?;
    let mut people = vec![ByPerson::new(); experiment.columns.len()];
    for (column, metric) in &ran.metrics {
        people[*column] = metric.by_person();
    }
    Ok(Ran { values: ran.values, people })
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
    run(experiment, case, (genes, seed), record).map(|ran| (ran.values, ran.health))
}

/// A recorded run, and what the metrics saw in it.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Where everybody was.
    pub track: Trajectory,
    /// The value of each column of the experiment; `None` if the case does not measure it.
    pub values: Vec<Option<f64>>,
    /// What went wrong, and when it ended.
    pub health: Health,
    /// The tables behind the metrics, each with the index of its column.
    pub tables: Vec<(usize, Table)>,
    /// What was measured by and by; a foreign simulator tells the end only.
    pub looks: Vec<Look>,
}

/// As [`run_one`], recorded at the interval of the experiment.
///
/// # Errors
/// As [`run_one`].
pub fn run_recorded(experiment: &Experiment, case: usize, genes: &[f64], seed: Seed) -> Result<Recording, Error> {
    let mut track = Trajectory::every(experiment.timing.record_every_s);
    let Simulated { values, health, metrics, looks, .. } = run(experiment, case, (genes, seed), Some(&mut track))?;
    let tables = metrics.iter().filter_map(|(column, metric)| Some((*column, metric.table()?))).collect();
    Ok(Recording { track, values, health, tables, looks })
}

/// Runs a case, nothing recorded, and says when people left, s.
///
/// # Errors
/// As [`run_one`].
pub(super) fn measured(
    experiment: &Experiment,
    case: usize,
    genes: &[f64],
    seed: Seed,
) -> Result<(Measured, Vec<f64>), Error> {
    let ran = run(experiment, case, (genes, seed), None)?;
    Ok((Measured { values: ran.values, work: ran.health.agent_steps }, ran.left_s))
}

/// Whoever simulates the experiment: its engine, or this library.
fn run(
    experiment: &Experiment,
    case: usize,
    (genes, seed): (&[f64], Seed),
    record: Option<&mut Trajectory>,
) -> Result<Simulated, Error> {
    match &experiment.engine {
        Some(engine) => foreign::run(experiment, engine, case, (genes, seed), record),
        None => native(experiment, case, experiment.sim(case, genes, seed)?, record),
    }
}

fn native(
    experiment: &Experiment,
    case: usize,
    mut sim: Sim,
    record: Option<&mut Trajectory>,
) -> Result<Simulated, Error> {
    if let Some(track) = &record {
        sim.record(track.every_s);
    }
    let mut watched = Watched::of(experiment, case, sim);
    let mut looks: Vec<Look> = Vec::new();
    let recording = record.is_some();
    let ended = watched.run(experiment, &mut |watched| {
        let due = looks.last().is_none_or(|last| watched.is_over() || watched.sim.time_s() >= last.time + LOOK_S);
        if recording && due {
            looks.push(watched.look(experiment));
        }
    });
    if let (Some(track), Some(recorded)) = (record, watched.sim.take_recording()) {
        *track = recorded;
    }
    let health = ended?;
    let left_s = watched.sim.exits().iter().filter(|exit| !exit.caught).map(|exit| exit.time_s).collect();
    Ok(Simulated { values: watched.values(experiment), health, metrics: watched.metrics, looks, left_s })
}
