//! Which candidate a summary speaks of.

use super::experiment::Experiment;
use super::front::{self, Front, Point};
use super::run::{candidates, finalists};
use super::summarize::last_check;
use crate::search::{Genome, Trial};

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

impl<'a> Subject<'a> {
    /// The recommendation of a log: that of the last report; before there is one the best of the search, or the
    /// defaults where nothing was valid.
    pub fn recommended(experiment: &Experiment, trials: &'a [Trial]) -> Self {
        if experiment.objectives.len() > 1 {
            let front = front::of_log(experiment, trials);
            return Self::on_front(experiment, &front, front.pick);
        }
        let check = last_check(trials);
        let candidates = candidates(experiment, trials);
        let seen = finalists(experiment, &candidates, usize::MAX);
        let report = check.reports.last().copied();
        let best = report.or_else(|| seen.first().copied());
        let genome = best.map_or_else(|| experiment.space.encode(&experiment.defaults), |t| t.question.genome.clone());
        let row = |genome: &Genome| {
            let genes = experiment.space.decode(genome);
            seen.iter().copied().find(|t| experiment.space.decode(&t.question.genome) == genes)
        };
        let reported = check.ranked().into_iter().filter_map(|t| row(&t.question.genome)).map(|t| t.id).collect();
        Self { searched: row(&genome).cloned(), genome, report, baseline: check.baseline, reported }
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
