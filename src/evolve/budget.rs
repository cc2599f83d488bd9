//! How much of its budget a search has used, and why it ended.

use super::experiment::Experiment;
use super::stop::Watch;
use super::watch::Stopped;
use crowdtune_core::Error;
use crowdtune_search::{Purpose, Trial};
use std::collections::BTreeSet;

/// Why the search of a log ended, as far as its rows tell. Without a report at the end it was interrupted; with fewer
/// search trials than asked for, a stop rule held, the space was used up, or time was over.
pub fn stopped(experiment: &Experiment, trials: &[Trial]) -> Stopped {
    let mut watch = Watch::new(experiment.search.stop, experiment.replicas(), experiment.search.adaptive());
    trials.iter().for_each(|t| watch.see(t));
    let searched = || trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    let enough = spent(experiment, trials) >= budget(experiment);
    let used_up = || {
        experiment.space.finite_size().is_some_and(|size| {
            let tried: BTreeSet<_> = searched().map(|t| experiment.space.key(&t.question.genome)).collect();
            tried.len() as u64 >= size
        })
    };
    // Profiles change nothing in how the search ended.
    let last = trials.iter().rfind(|t| t.question.purpose != Purpose::Profile);
    match (last.map(|t| t.question.purpose), watch.over()) {
        (Some(Purpose::Baseline), Some(Stopped::Loss)) => Stopped::Loss,
        (Some(Purpose::Baseline), _) if enough => Stopped::Budget,
        (Some(Purpose::Baseline), Some(rule)) => rule,
        (Some(Purpose::Baseline), None) if experiment.search.stop.time_s.is_some() && !used_up() => Stopped::Time,
        (Some(Purpose::Baseline), None) => Stopped::Exhausted,
        _ => Stopped::Interrupted,
    }
}

/// Number of simulations that the search may take: those of its evaluations.
pub(super) fn budget(experiment: &Experiment) -> u64 {
    experiment.search.evaluations.saturating_mul(experiment.simulations())
}

/// Simulations that the search rows count for.
pub(super) fn spent(experiment: &Experiment, trials: &[Trial]) -> u64 {
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    searched.map(|t| experiment.cost(&t.question)).sum()
}

/// Number of evaluations that the search rows of a log count for, rounded down; with fixed replicas one for each row.
pub fn evaluations(experiment: &Experiment, trials: &[Trial]) -> u64 {
    spent(experiment, trials) / experiment.simulations()
}

/// Checks that a log has no more search trials than the experiment asks for. The last one may reach beyond.
///
/// # Errors
/// If they are more.
pub fn check_budget(experiment: &Experiment, trials: &[Trial], file: &str) -> Result<(), Error> {
    let last =
        trials.iter().rfind(|t| t.question.purpose == Purpose::Search).map_or(0, |t| experiment.cost(&t.question));
    let spent = spent(experiment, trials);
    if spent - last < budget(experiment) {
        return Ok(());
    }
    let done = spent.div_ceil(experiment.simulations());
    Err(Error::input(format!(
        "the log has {done} evaluations, more than the {} asked for",
        experiment.search.evaluations
    ))
    .file(file)
    .key("search.evaluations")
    .allowed(format!("at least {done}"))
    .help("resume with --evaluations as large as before, or larger"))
}
