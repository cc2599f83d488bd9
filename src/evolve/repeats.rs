//! Whether a foreign simulator gives the same answer again: without that nobody can repeat a search.

use super::evaluate::{run_one, run_seed};
use super::experiment::Experiment;
use crowdtune_search::{Outcome, Trial};

/// Asks for the first run of the last healthy row of a log again, and compares it with what the log has; `None` for this library,
/// whose tests hold it to that, and for a log without such a row.
pub fn repeats(experiment: &Experiment, trials: &[Trial]) -> Option<bool> {
    experiment.engine.as_ref()?;
    let done = |trial: &&Trial| matches!(trial.outcome, Outcome::Done);
    let trial = trials.iter().rev().find(done)?;
    let case = trial.values.iter().position(|rows| rows.first().is_some_and(|row| !row.is_empty()))?;
    let question = &trial.question;
    let table = &experiment.cases[case].table;
    let seed = run_seed(experiment.search.seed, question.purpose, table, question.replicas.start);
    let genes = experiment.space.decode(&question.genome);
    let again = run_one(experiment, case, &genes, seed, None);
    let bits = |row: &[Option<f64>]| row.iter().map(|value| value.map(f64::to_bits)).collect::<Vec<_>>();
    Some(again.is_ok_and(|(values, _)| bits(&values) == bits(&trial.values[case][0])))
}
