//! In which order the runs of a batch are taken, so that all threads are busy to its end.

use crate::evolve::experiment::{Case, Experiment};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of longest runs per thread that the sorted end of a batch is worth. Chosen here: one would do if the costs were known;
/// two leave room for candidates whose runs take twice as long as expected.
const TAIL: f64 = 2.0;

/// What a run of each case is expected to cost, in agent-steps (or the unit of a foreign engine) and never by a clock.
#[derive(Debug)]
pub struct Costs(Vec<Cost>);

#[derive(Debug)]
struct Cost {
    /// If everybody stays until the limit.
    most: f64,
    /// Of the runs so far, and their number.
    work: AtomicU64,
    runs: AtomicU64,
}

impl Costs {
    /// Before the first run.
    pub fn new(experiment: &Experiment) -> Self {
        let most = |case: &Case| {
            let people: usize = case.scenario.groups.iter().map(|g| g.count).sum();
            people as f64 * case.scenario.limit_s / experiment.timing.time_step_s
        };
        let cost = |case| Cost { most: most(case), work: AtomicU64::new(0), runs: AtomicU64::new(0) };
        Self(experiment.cases.iter().map(cost).collect())
    }

    /// Notes the work of a run of the case; 0 means unknown.
    pub fn note(&self, case: usize, work: u64) {
        if work > 0 {
            self.0[case].work.fetch_add(work, Ordering::Relaxed);
            self.0[case].runs.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Expected work of a run of each case: the mean of its runs so far; before the first the most agent-steps that it can take,
    /// scaled by the share that the other cases took of theirs.
    pub fn expected(&self) -> Vec<f64> {
        let taken: Vec<_> = self
            .0
            .iter()
            .map(|c| (c.most, c.work.load(Ordering::Relaxed) as f64, c.runs.load(Ordering::Relaxed) as f64))
            .collect();
        let (work, most) = taken.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.1, sum.1 + c.0 * c.2));
        let share = if most > 0.0 { work / most } else { 1.0 };
        taken.into_iter().map(|(most, work, runs)| if runs > 0.0 { work / runs } else { most * share }).collect()
    }
}

/// The order in which `threads` threads take runs of these costs.
///
/// Most are taken as they come, so that trials are complete early and the first failure of a question saves its other
/// runs. The last ones, enough to keep every thread busy for [`TAIL`] of the longest runs, are taken longest first (equal ones
/// as they come), so that all threads end within a short run of each other.
pub fn order(costs: &[f64], threads: usize) -> Vec<usize> {
    let longest = costs.iter().fold(0.0_f64, |a, &c| a.max(c));
    let enough = TAIL * threads as f64 * longest;
    let (mut from, mut work) = (costs.len(), 0.0);
    while from > 0 && work < enough {
        from -= 1;
        work += costs[from];
    }
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order[from..].sort_by(|&a, &b| costs[b].total_cmp(&costs[a]));
    order
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
