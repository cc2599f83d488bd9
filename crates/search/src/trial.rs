//! An answered question, and which of two answers is better.

use crate::question::Question;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Raw measured values of one trial: `[scenario][replica][column]`; `None` where a metric has no value.
pub type Values = Vec<Vec<Vec<Option<f64>>>>;

/// How an evaluation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every objective is finite.
    Done,
    /// No objectives, and why not: a simulation went wrong, or a target had no value.
    Failed(String),
}

/// One answered question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Running number in the log, from 0.
    pub id: u64,
    /// What was asked.
    #[serde(flatten)]
    pub question: Question,
    /// How it ended.
    pub outcome: Outcome,
    /// Losses to be minimized, finite; empty for a failed trial.
    pub objectives: Vec<f64>,
    /// By how much constraints are violated, 0 if feasible; every feasible trial beats every other.
    pub violation: f64,
    /// Where the behavior lies on the axes of an atlas, in the order of [`Setup::measures`](crate::Setup::measures); empty in
    /// other searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<f64>,
    /// What was measured, raw; empty where an evaluator gives objectives only.
    pub values: Values,
}

impl Trial {
    /// True if the trial gave objectives.
    pub fn is_done(&self) -> bool {
        self.outcome == Outcome::Done
    }

    /// True if replicas differ.
    pub(crate) fn is_noisy(&self) -> bool {
        self.values.iter().any(|replicas| replicas.windows(2).any(|pair| pair[0] != pair[1]))
    }

    /// Sort key of a single-objective search: failed, violation, first objective; the smaller, the better.
    pub fn rank(&self) -> (bool, f64, f64) {
        (!self.is_done(), self.violation, self.objectives.first().copied().unwrap_or(f64::INFINITY))
    }
}

#[cfg(test)]
impl Trial {
    /// A candidate that a search asked once, with its loss.
    pub(crate) fn of_search(id: u64, genome: crate::Genome, loss: f64) -> Self {
        Self {
            id,
            question: Question { genome, replicas: 0..1, purpose: crate::Purpose::Search },
            outcome: Outcome::Done,
            objectives: vec![loss],
            violation: 0.0,
            measures: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// Compares two trials, the better one first: done before failed, then the smaller violation, the smaller first objective,
/// the smaller id.
pub fn better(a: &Trial, b: &Trial) -> Ordering {
    let (fa, va, la) = a.rank();
    let (fb, vb, lb) = b.rank();
    fa.cmp(&fb).then(va.total_cmp(&vb)).then(la.total_cmp(&lb)).then(a.id.cmp(&b.id))
}
