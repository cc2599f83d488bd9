//! Every case on several replicas: what `sweep` runs.

use super::evaluate::{Ran, run_people, run_seed};
use super::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use rayon::prelude::*;

/// What one run gave, or why it cannot be trusted.
pub type RunValues = Result<Ran, Error>;

/// Runs each case of an experiment, with its start values, on replicas 0..`replicas` of the report's seeds.
///
/// The result is `[case][replica]` and the same for any number of threads (0: one for each core). `done` is called
/// after every run, from any thread.
///
/// # Errors
/// If the machine refuses the threads.
pub fn run_cases(
    experiment: &Experiment,
    replicas: u32,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Vec<RunValues>>, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::environment(format!("cannot start threads: {e}")).help("take fewer with --threads"))?;
    let runs: Vec<(usize, u32)> =
        (0..experiment.cases.len()).flat_map(|case| (0..replicas).map(move |replica| (case, replica))).collect();
    let one = |&(case, replica): &(usize, u32)| {
        let seed = run_seed(experiment.search.seed, Purpose::Report, &experiment.cases[case].table, replica);
        let ran = run_people(experiment, case, &experiment.start, seed);
        done();
        ran
    };
    let flat: Vec<RunValues> = pool.install(|| runs.par_iter().map(one).collect());
    let mut flat = flat.into_iter();
    Ok(experiment.cases.iter().map(|_| flat.by_ref().take(replicas as usize).collect()).collect())
}
