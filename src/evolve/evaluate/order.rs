//! In which order the runs of a batch are taken, so that all threads are busy to its end.

use crate::evolve::experiment::{Case, Experiment};
use std::sync::atomic::{AtomicU64, Ordering};

/// So many of the longest runs per thread are left when the order of questions ends. Chosen here: one would do if the
/// costs were known; two leave room for candidates whose runs take twice as long as expected.
const TAIL: f64 = 2.0;

/// What a run of each case costs, as far as it is known before: in agent-steps, never by a clock.
#[derive(Debug)]
pub struct Costs(Vec<Cost>);

#[derive(Debug)]
struct Cost {
    /// Everybody until the limit.
    most: f64,
    /// Agent-steps of the runs so far, and their number.
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

    /// A run of the case took so many agent-steps; 0 is no news.
    pub fn note(&self, case: usize, agent_steps: u64) {
        if agent_steps > 0 {
            self.0[case].work.fetch_add(agent_steps, Ordering::Relaxed);
            self.0[case].runs.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Expected agent-steps of a run of each case: the mean of its runs; of a case without any the most that it can
    /// take, scaled by what the others took of theirs.
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
/// runs. The last ones, enough to keep every thread busy as long as [`TAIL`] of the longest runs of all, are taken
/// longest first (equal ones as they come): the threads end together, but for a short run.
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
