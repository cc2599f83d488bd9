//! The candidates of a log, and which of them the final check runs.

use super::experiment::Experiment;
use super::scoring;
use crowdtune_search::{Genome, Purpose, Trial, better, bits};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// So many of the optimizer's own recommendations take part in the selection. Chosen here: the mean of a distribution, the
/// minimum of a model, and one more.
const PROPOSED: usize = 3;

/// The search trials of a log, one for each candidate where replicas adapt: all its rows together.
pub fn candidates<'a>(experiment: &Experiment, trials: &'a [Trial]) -> Cow<'a, [Trial]> {
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
/// Of a candidate that was asked several times the row with the latest replicas stands for it, and candidates that
/// came further in a race go before others: a loss on few replicas may be luck. Failed trials are none.
pub fn finalists<'a>(experiment: &Experiment, trials: &'a [Trial], count: usize) -> Vec<&'a Trial> {
    let mut rows: Vec<&Trial> =
        trials.iter().filter(|t| t.question.purpose == Purpose::Search && t.is_done()).collect();
    rows.sort_by(|a, b| b.question.replicas.end.cmp(&a.question.replicas.end).then_with(|| better(a, b)));
    let mut seen = BTreeSet::new();
    rows.retain(|t| seen.len() < count && seen.insert(experiment.space.key(&t.question.genome)));
    rows
}

/// Who takes part in the selection: the finalists, what the optimizer proposes beyond them, the defaults; nobody twice. Empty if
/// no candidate was valid.
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
