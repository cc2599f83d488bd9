//! The cost of a trial with one objective: violation, then loss.

use crate::Trial;
use std::cmp::Ordering;

/// Violation and loss, both finite.
pub type Cost = (f64, f64);

/// Smaller violation first, then the smaller loss.
pub fn compare(a: Cost, b: Cost) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// The cost of a trial, `None` if it failed.
pub fn cost(trial: &Trial) -> Option<Cost> {
    let cost = (trial.violation, trial.objectives.first().copied()?);
    (trial.is_done() && cost.0.is_finite() && cost.1.is_finite()).then_some(cost)
}

/// The loss of a feasible trial, infinite for the others.
pub fn loss(trial: &Trial) -> f64 {
    cost(trial).filter(|cost| cost.0 <= 0.0).map_or(f64::INFINITY, |cost| cost.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violation_counts_before_loss() {
        assert_eq!(compare((0.0, 9.0), (1.0, 0.0)), Ordering::Less);
        assert_eq!(compare((1.0, 2.0), (1.0, 1.0)), Ordering::Greater);
    }
}
