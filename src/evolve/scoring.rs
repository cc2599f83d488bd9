//! From raw values to a trial: the one way in which the loop, the summary and the bootstrap score.

use super::experiment::{AtlasAxis, Case, Experiment};
use crate::target::{self, CaseView, Score};
use crowdtune_core::math::stats;
use crowdtune_search::{Outcome, Part, Question, Trial, Values};

/// What the scoring needs to know of the cases.
fn views(experiment: &Experiment) -> Vec<CaseView<'_>> {
    views_of(&experiment.cases)
}

/// The same of cases that are no experiment yet.
pub(super) fn views_of(cases: &[Case]) -> Vec<CaseView<'_>> {
    cases
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
pub(crate) fn score(experiment: &Experiment, values: &Values) -> Score {
    target::score(&experiment.columns, &views(experiment), values)
}

/// What the loss of a feasible candidate is the sum of; empty where it is no such sum.
pub(crate) fn parts(experiment: &Experiment) -> Vec<Part> {
    target::parts(&experiment.columns, &views(experiment))
}

/// Scores again on some of the replicas, as the loop does.
#[derive(Debug)]
pub(crate) struct Rescore<'a> {
    experiment: &'a Experiment,
    views: Vec<CaseView<'a>>,
}

impl<'a> Rescore<'a> {
    /// For values of this experiment.
    pub fn new(experiment: &'a Experiment) -> Self {
        Self { experiment, views: views(experiment) }
    }

    /// True if the values of a finished trial give what it says of them, to the last bit.
    pub fn confirms(&self, trial: &Trial) -> bool {
        let mut score = target::score(&self.experiment.columns, &self.views, &trial.values);
        score.objectives.truncate(self.experiment.objectives.len());
        score.failure.is_none()
            && (&score.objectives, score.violation) == (&trial.objectives, trial.violation)
            && measures(self.experiment, &trial.values) == trial.measures
    }

    /// Scores these replicas (positions in each case), the same ones in all cases.
    pub fn score(&self, values: &Values, replicas: &[usize]) -> Score {
        target::score_replicas(&self.experiment.columns, &self.views, values, replicas)
    }

    /// The value of a column in a case over these replicas, combined as its target says; replicas without a value do not count.
    pub fn case_value(&self, trial: &Trial, column: usize, case: usize, replicas: &[usize]) -> Option<f64> {
        let runs = trial.values.get(case)?;
        let value = |&r: &usize| runs.get(r)?.get(column).copied().flatten();
        let values: Vec<f64> = replicas.iter().filter_map(value).collect();
        self.experiment.columns[column].combine(self.views[case].axes, &values)
    }

    /// As [`Self::case_value`], over all replicas; `None` of a trial that failed, and for a value that is not finite.
    pub fn whole_value(&self, trial: &Trial, column: usize, case: usize) -> Option<f64> {
        let all: Vec<usize> = (0..trial.values.get(case)?.len()).collect();
        self.case_value(trial, column, case, &all).filter(|x| x.is_finite() && trial.is_done())
    }

    /// The value of a column: the mean over the cases that its loss counts, which are those it covers, held-out ones only if no
    /// other case gives it. A `must` target has the value of its case with the largest loss, the first of equal ones.
    pub fn column_value(&self, trial: &Trial, column: usize, replicas: &[usize]) -> Option<f64> {
        let target = &self.experiment.columns[column];
        let searched = target.is_searched(column, &self.views);
        let counts = |view: &CaseView<'_>| target.covers(column, view) && view.held_out != searched;
        let values: Vec<(f64, f64)> = self
            .views
            .iter()
            .enumerate()
            .filter(|(_, view)| counts(view))
            .filter_map(|(case, view)| {
                let value = self.case_value(trial, column, case, replicas)?;
                let line = target.wanted.as_ref().and_then(|wanted| wanted.line(view.axes, value));
                Some((value, line.unwrap_or(0.0)))
            })
            .collect();
        if target.must {
            let worse = |a: (f64, f64), b: (f64, f64)| if b.1 > a.1 { b } else { a };
            return values.into_iter().reduce(worse).map(|(value, _)| value);
        }
        (!values.is_empty()).then(|| stats::mean(&values.iter().map(|v| v.0).collect::<Vec<_>>()))
    }

    /// Objectives of a trial over these replicas; `None` each if it has none.
    pub fn objectives(&self, trial: Option<&Trial>, replicas: &[usize]) -> Vec<Option<f64>> {
        let score =
            trial.filter(|t| t.is_done()).map(|t| self.score(&t.values, replicas)).filter(|s| s.failure.is_none());
        match score {
            Some(score) => score.objectives.into_iter().map(Some).collect(),
            None => vec![None; self.experiment.objectives.len()],
        }
    }
}

/// The trial of an answered question, scored.
///
/// `values` are raw, `[case][replica][column]` in the order of the experiment; a case that the question does not run has no
/// replica. A value that is missing or not finite where a target needs it makes the trial fail, with the reason.
pub fn trial(experiment: &Experiment, id: u64, question: Question, values: Values) -> Trial {
    let Score { mut objectives, violation, failure, .. } = score(experiment, &values);
    // A sensitivity of measures alone has no objective.
    objectives.truncate(experiment.objectives.len());
    let measures = if failure.is_none() { measures(experiment, &values) } else { Vec::new() };
    let outcome = failure.map_or(Outcome::Done, Outcome::Failed);
    Trial { id, question, outcome, objectives, violation, measures, values }
}

/// The values of several rows of one candidate as if they were one row: replicas one after the other.
pub(crate) fn joined<'a>(rows: impl Iterator<Item = &'a Values>) -> Values {
    let mut all = Values::new();
    for values in rows {
        all.resize(all.len().max(values.len()), Vec::new());
        for (case, runs) in values.iter().enumerate() {
            all[case].extend(runs.iter().cloned());
        }
    }
    all
}

/// One trial out of the rows of one candidate, whose replicas follow each other from 0, scored on the first `n` replicas; a
/// row with a failure among them is a failure of all.
pub(crate) fn join(experiment: &Experiment, rows: &[Trial], n: u32) -> Trial {
    let first = &rows[0];
    let question = Question { replicas: 0..n, ..first.question.clone() };
    let within = rows.iter().filter(|t| t.question.replicas.start < n);
    let values = joined(within.clone().map(|t| &t.values));
    let (id, measures) = (first.id, first.measures.clone());
    if let Some(failed) = within.clone().find(|t| !t.is_done()) {
        return Trial { id, question, measures, values, ..failed.clone() };
    }
    let all: Vec<usize> = (0..n as usize).collect();
    let Score { objectives, violation, failure, .. } = Rescore::new(experiment).score(&values, &all);
    let outcome = failure.map_or(Outcome::Done, Outcome::Failed);
    Trial { id, question, outcome, objectives, violation, measures, values }
}

/// Where values lie on the axes of the atlas: of each column the mean over replicas, then over cases; held-out cases and
/// cases without a run do not count. Empty if an axis has no value in one of the runs, and without axes.
pub(crate) fn measures(experiment: &Experiment, values: &Values) -> Vec<f64> {
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
