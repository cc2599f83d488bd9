//! From raw values to a trial: the one way in which the loop, the summary and the bootstrap score.

use super::experiment::{AtlasAxis, Case, Experiment};
use crate::math::stats;
use crate::search::{Outcome, Question, Trial, Values};
use crate::target::{self, CaseView, Score};

/// What the scoring needs to know of the cases.
pub fn views(experiment: &Experiment) -> Vec<CaseView<'_>> {
    experiment
        .cases
        .iter()
        .map(|case| CaseView {
            name: &case.name,
            table: &case.table,
            axes: &case.axes,
            held_out: case.held_out,
            gives: case.columns.iter().map(Option::is_some).collect(),
        })
        .collect()
}

/// Scores values; held-out cases and cases without a run do not count.
pub fn score(experiment: &Experiment, values: &Values) -> Score {
    target::score(&experiment.columns, &views(experiment), values)
}

/// The trial of an answered question.
pub fn trial(experiment: &Experiment, id: u64, question: Question, values: Values) -> Trial {
    let Score { objectives, violation, failure, .. } = score(experiment, &values);
    let measures = if failure.is_none() { measures(experiment, &values) } else { Vec::new() };
    let outcome = failure.map_or(Outcome::Done, Outcome::Failed);
    Trial { id, question, outcome, objectives, violation, measures, values }
}

/// Where values lie on the axes of the atlas: of each column the mean over replicas, then over cases; held-out cases and
/// cases without a run do not count. Empty where an axis has no value in one of the runs, and without axes.
pub fn measures(experiment: &Experiment, values: &Values) -> Vec<f64> {
    let place = |axis: &AtlasAxis| {
        let of_case = |(_, runs): (&Case, &Vec<Vec<Option<f64>>>)| -> Option<f64> {
            let all: Option<Vec<f64>> = runs.iter().map(|run| run.get(axis.column).copied().flatten()).collect();
            all.map(|all| stats::mean(&all))
        };
        let counts =
            |(case, runs): &(&Case, &Vec<_>)| !case.held_out && case.columns[axis.column].is_some() && !runs.is_empty();
        let of_cases: Option<Vec<f64>> = experiment.cases.iter().zip(values).filter(counts).map(of_case).collect();
        of_cases.filter(|m| !m.is_empty()).map(|m| stats::mean(&m)).filter(|m| m.is_finite())
    };
    experiment.atlas.iter().map(place).collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
#[path = "scoring_tests.rs"]
mod tests;
