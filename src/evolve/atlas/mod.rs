//! The atlas of behaviors of a run: which elites are checked on fresh seeds, and which cells they fill there.
//!
//! Everything is read from the log. A file with axes gives an atlas, whichever optimizer searched.

mod constants;
mod pick;
mod summarize;

pub use pick::{near, nearest};
pub(super) use summarize::summarize;

use super::experiment::Experiment;
use super::log::Check;
use crowdtune_search::{Elite, Genome, Grid, Purpose, Trial, better, bits};
use std::collections::{BTreeMap, BTreeSet};

/// Number of questions on a candidate after which more of them do not count in the contest for a cell. As in the optimizer.
const SETTLED: u32 = 4;
/// Rounds of a check on fresh seeds: if an elite has left its cell, the next best of that cell is checked. Chosen here: a cell
/// that three candidates have left is not where the search saw it.
pub(super) const ROUNDS: usize = 3;

/// The feasible candidates of each cell as the search saw them, by number of the cell, best first.
///
/// Candidates that were asked on more replicas come first, as a loss on few may be luck; then the loss decides.
fn found(experiment: &Experiment, trials: &[Trial]) -> BTreeMap<u64, Vec<Elite>> {
    let grid = Grid::new(&experiment.measures(), 1);
    let settled = SETTLED * experiment.replicas();
    let mut cells: BTreeMap<u64, Vec<Elite>> = BTreeMap::new();
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    for elite in Elite::candidates(experiment.atlas.len(), searched).into_iter().filter(|e| e.violation <= 0.0) {
        cells.entry(grid.index(&elite.measures)).or_default().push(elite);
    }
    let proved = |e: &Elite| e.replicas.min(settled);
    for candidates in cells.values_mut() {
        candidates.sort_by(|a, b| proved(b).cmp(&proved(a)).then_with(|| a.compare(b)));
    }
    cells
}

/// The genomes to be checked on fresh seeds next: of each cell that the search filled and no row of `checked` fills, the
/// best candidate that was not checked yet; in the order of their losses, and with `checked` no more than
/// [`super::experiment::Search::finalists`]. Empty without axes, and where no candidate has a place on them.
pub(super) fn elites(experiment: &Experiment, trials: &[Trial], checked: &[&Trial]) -> Vec<Genome> {
    if experiment.atlas.is_empty() {
        return Vec::new();
    }
    let filled = places(experiment, checked);
    let seen: BTreeSet<Vec<u64>> = checked.iter().map(|t| bits(&t.question.genome)).collect();
    let next = |(_, candidates): (u64, Vec<Elite>)| candidates.into_iter().find(|e| !seen.contains(&bits(&e.genome)));
    let empty = found(experiment, trials).into_iter().filter(|(cell, _)| !filled.contains_key(cell));
    let mut elites: Vec<Elite> = empty.filter_map(next).collect();
    elites.sort_by(Elite::compare);
    let left = experiment.search.finalists.saturating_sub(checked.len());
    elites.into_iter().take(left).map(|e| e.genome).collect()
}

/// The cells that these rows fill: each goes where its means lie, and of several in one cell the best stays.
fn places<'t>(experiment: &Experiment, rows: &[&'t Trial]) -> BTreeMap<u64, &'t Trial> {
    let grid = Grid::new(&experiment.measures(), 1);
    let mut cells: BTreeMap<u64, &Trial> = BTreeMap::new();
    for &row in rows.iter().filter(|t| has_place(experiment, t)) {
        let holds = cells.entry(grid.index(&row.measures)).or_insert(row);
        if better(row, holds).is_lt() {
            *holds = row;
        }
    }
    cells
}

/// True for a row that fills a cell.
fn has_place(experiment: &Experiment, row: &Trial) -> bool {
    row.is_done() && row.violation <= 0.0 && row.measures.len() == experiment.atlas.len()
}

/// The cells that the last check on fresh seeds fills, each with its row. `None` without axes or before a check.
pub(super) fn filled<'t>(experiment: &Experiment, check: &Check<'t>) -> Option<BTreeMap<u64, &'t Trial>> {
    let done = !experiment.atlas.is_empty() && !check.reports.is_empty();
    done.then(|| places(experiment, &check.ranked()))
}

#[cfg(test)]
mod tests;
