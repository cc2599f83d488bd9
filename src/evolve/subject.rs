//! Which candidate a summary speaks of.

use super::experiment::Experiment;
use super::front::{self, Front, Point};
use super::run::{candidates, finalists};
use super::summarize::{Check, last_check};
use crowdtune_search::{Genome, Space, Trial};
use std::collections::BTreeMap;

/// The candidate that a summary speaks of.
pub(super) struct Subject<'a> {
    pub genome: Genome,
    /// What the search saw of it.
    pub searched: Option<Trial>,
    pub report: Option<&'a Trial>,
    pub baseline: Option<&'a Trial>,
    /// Ids of the reported points of a front, or of the elites of an atlas, best first.
    pub reported: Vec<u64>,
}

/// The valid candidates of a search with one objective, no two with the same values.
pub(super) struct Seen<'a> {
    space: &'a Space,
    best: Option<&'a Trial>,
    by_values: BTreeMap<Vec<u64>, &'a Trial>,
}

impl<'a> Seen<'a> {
    /// From the candidates of a log.
    pub fn new(experiment: &'a Experiment, candidates: &'a [Trial]) -> Self {
        let space = &experiment.space;
        let rows = finalists(experiment, candidates, usize::MAX);
        let by_values = rows.iter().map(|t| (space.key(&t.question.genome), *t)).collect();
        Self { space, best: rows.first().copied(), by_values }
    }

    /// The candidate with the values of this genome.
    pub fn of(&self, genome: &[f64]) -> Option<&'a Trial> {
        self.by_values.get(&self.space.key(genome)).copied()
    }
}

impl<'a> Subject<'a> {
    /// The recommendation of a log: that of the last report; before there is one the best of the search, or the
    /// defaults where nothing was valid.
    pub fn recommended(experiment: &Experiment, trials: &'a [Trial]) -> Self {
        if experiment.objectives.len() > 1 {
            let front = front::of_log(experiment, trials);
            return Self::on_front(experiment, &front, front.pick);
        }
        let candidates = candidates(experiment, trials);
        Self::of_search(experiment, &last_check(trials), &Seen::new(experiment, &candidates))
    }

    /// The recommendation of a search with one objective.
    pub fn of_search(experiment: &Experiment, check: &Check<'a>, seen: &Seen<'_>) -> Self {
        let report = check.reports.last().copied();
        let genome = match report.or(seen.best) {
            Some(best) => best.question.genome.clone(),
            None => experiment.space.encode(&experiment.defaults),
        };
        let reported = check.ranked().into_iter().filter_map(|t| seen.of(&t.question.genome)).map(|t| t.id).collect();
        Self { searched: seen.of(&genome).cloned(), genome, report, baseline: check.baseline, reported }
    }

    /// A point of a front; the defaults where there is none.
    pub fn on_front(experiment: &Experiment, front: &Front<'a>, at: Option<usize>) -> Self {
        let point = at.map(|at| &front.points[at]);
        Self {
            genome: point.map_or_else(|| experiment.space.encode(&experiment.defaults), |p| p.genome().clone()),
            searched: point.and_then(|p| p.searched.clone()),
            report: point.and_then(|p| p.report),
            baseline: front.baseline,
            reported: front.points.iter().map(Point::id).collect(),
        }
    }
}
