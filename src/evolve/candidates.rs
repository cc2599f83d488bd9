//! The candidates of a log, and which of them the final check runs.

use super::experiment::Experiment;
use super::scoring;
use crowdtune_search::{Genome, Purpose, Trial, better};
use crowdtune_search::{Space, bits};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Number of the optimizer's own recommendations that take part in the selection. Chosen here: the mean of a distribution,
/// the minimum of a model, and one more.
const PROPOSED: usize = 3;

/// The search trials of a log; with adaptive replicas one for each candidate, all its rows together.
pub(super) fn candidates<'a>(experiment: &Experiment, trials: &'a [Trial]) -> Cow<'a, [Trial]> {
    if !experiment.search.adaptive() {
        return Cow::Borrowed(trials);
    }
    let mut order: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    let mut rows: Vec<Vec<Trial>> = Vec::new();
    for trial in trials.iter().filter(|t| t.question.purpose == Purpose::Search) {
        let at = *order.entry(bits(&trial.question.genome)).or_insert(rows.len());
        rows.resize(rows.len().max(at + 1), Vec::new());
        // Replicas of a candidate are consecutive unless it was asked twice as a new one.
        if trial.question.replicas.start == rows[at].last().map_or(0, |t| t.question.replicas.end) {
            rows[at].push(trial.clone());
        }
    }
    let all = |rows: &Vec<Trial>| Some(scoring::join(experiment, rows, rows.last()?.question.replicas.end));
    Cow::Owned(rows.iter().filter_map(all).collect())
}

/// The best candidates of the search, best first, at most `count`, no two with the same values.
///
/// If a candidate was asked several times, the row with the latest replicas stands for it. Candidates that came further in a race
/// come first: a loss on few replicas may be luck. Failed trials do not count.
pub fn finalists<'a>(experiment: &Experiment, trials: &'a [Trial], count: usize) -> Vec<&'a Trial> {
    ranked(experiment, trials, count).into_iter().map(|at| &trials[at]).collect()
}

/// As [`finalists`], as positions in `trials`.
fn ranked(experiment: &Experiment, trials: &[Trial], count: usize) -> Vec<usize> {
    let valid = |t: &Trial| t.question.purpose == Purpose::Search && t.is_done();
    let mut order: Vec<usize> = (0..trials.len()).filter(|&at| valid(&trials[at])).collect();
    let replicas = |at: usize| trials[at].question.replicas.end;
    order.sort_by(|&a, &b| replicas(b).cmp(&replicas(a)).then_with(|| better(&trials[a], &trials[b])));
    let mut seen = BTreeSet::new();
    order.retain(|&at| seen.len() < count && seen.insert(experiment.space.key(&trials[at].question.genome)));
    order
}

/// The valid candidates of a search with one objective, found by their values.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    space: &'a Space,
    rows: Cow<'a, [Trial]>,
    /// Positions in `rows`.
    best: Option<usize>,
    by_values: BTreeMap<Vec<u64>, usize>,
}

impl<'a> Candidates<'a> {
    /// From all rows of a log.
    pub fn new(experiment: &'a Experiment, trials: &'a [Trial]) -> Self {
        let space = &experiment.space;
        let rows = candidates(experiment, trials);
        let order = ranked(experiment, &rows, usize::MAX);
        let by_values = order.iter().map(|&at| (space.key(&rows[at].question.genome), at)).collect();
        Self { space, best: order.first().copied(), by_values, rows }
    }

    /// The best one; `None` if none is valid.
    pub fn best(&self) -> Option<&Trial> {
        self.best.map(|at| &self.rows[at])
    }

    /// The candidate with the values of this genome.
    pub fn of(&self, genome: &[f64]) -> Option<&Trial> {
        self.by_values.get(&self.space.key(genome)).map(|&at| &self.rows[at])
    }
}

/// The genomes that take part in the selection: the finalists, what the optimizer proposes beyond them, and the defaults; none
/// twice. Empty if no candidate was valid.
pub(super) fn contestants(
    experiment: &Experiment,
    candidates: &[Trial],
    proposed: &[Genome],
    defaults: &Genome,
) -> Vec<Genome> {
    let best = finalists(experiment, candidates, experiment.search.finalists);
    let mut genomes: Vec<Genome> = best.iter().map(|t| t.question.genome.clone()).collect();
    if genomes.is_empty() {
        return genomes;
    }
    let fits = |g: &&Genome| g.len() == experiment.space.len();
    genomes.extend(proposed.iter().filter(fits).take(PROPOSED).map(|g| experiment.space.canonical(g)));
    genomes.push(defaults.clone());
    let mut seen = BTreeSet::new();
    genomes.retain(|genome| seen.insert(experiment.space.key(genome)));
    genomes
}
