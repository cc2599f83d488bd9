//! What a log says, worked out once: its candidates, the check on fresh seeds, and the recommendation.

use super::candidates::Candidates;
use super::experiment::Experiment;
use super::front::{self, Front, Point};
use super::log::{Check, last_check};
use super::run::Finished;
use crowdtune_search::{Genome, Trial};

/// The results of a run. Nothing but the experiment and the rows of the log is read, so they can be worked out again any
/// time.
///
/// [`Self::summary`] gives `summary.json`, [`super::preset::preset`] makes `best.json` of it.
#[derive(Debug)]
pub struct Results<'a> {
    pub(super) experiment: &'a Experiment,
    pub(super) run: &'a Finished,
    pub(super) check: Check<'a>,
    pub(super) found: Found<'a>,
    /// The recommendation.
    pub(super) subject: Subject<'a>,
}

/// What the recommendation was chosen from.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// Of one objective.
    Candidates(Candidates<'a>),
    /// Of several.
    Front(Front<'a>),
}

impl<'a> Results<'a> {
    /// From a search that has ended, or as much of it as its log holds.
    pub fn new(experiment: &'a Experiment, run: &'a Finished) -> Self {
        let trials = &run.trials[..];
        let check = last_check(trials);
        let (found, subject) = if experiment.objectives.len() > 1 {
            let front = front::of_log(experiment, trials, &check);
            let subject = Subject::on_front(experiment, &front, front.pick);
            (Found::Front(front), subject)
        } else {
            let candidates = Candidates::new(experiment, trials);
            let subject = Subject::of_search(experiment, &check, &candidates);
            (Found::Candidates(candidates), subject)
        };
        Self { experiment, run, check, found, subject }
    }

    /// The recommended genome: that of the last report (of a front its knee, or what suits the preference); before there is
    /// one the best of the search, or the defaults if nothing was valid.
    pub fn recommended(&self) -> &Genome {
        &self.subject.genome
    }
}

/// The candidate that a summary is about.
#[derive(Debug)]
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
    /// The recommendation of a search with one objective.
    fn of_search(experiment: &Experiment, check: &Check<'a>, candidates: &Candidates<'_>) -> Self {
        let report = check.reports.last().copied();
        let genome = match report.or(candidates.best()) {
            Some(best) => best.question.genome.clone(),
            None => experiment.space.encode(&experiment.defaults),
        };
        let of = |t: &Trial| candidates.of(&t.question.genome);
        let reported = check.ranked().into_iter().filter_map(of).map(|t| t.id).collect();
        Self { searched: candidates.of(&genome).cloned(), genome, report, baseline: check.baseline, reported }
    }

    /// A point of a front; the defaults if there is none.
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
