//! The atlas of behaviors of a run: which elites are checked on fresh seeds, and which cells they fill there.
//!
//! Everything is read from the log. A file with axes gives an atlas whichever optimizer searched.

mod pick;
mod summary;

pub use pick::{near, nearest};
pub use summary::{AtlasCell, AtlasSummary, AxisSummary};

use super::experiment::Experiment;
use super::figures::Resamples;
use super::scoring::Rescore;
use super::summarize::last_check;
use super::summary::Figure;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use crowdtune_search::{Elite, Genome, Grid, Purpose, Trial, better, bits};
use std::collections::{BTreeMap, BTreeSet};

/// Questions on a candidate after which more of them say no more about who keeps a cell. As the optimizer settles them.
const SETTLED: u32 = 4;
/// Rounds of a check on fresh seeds: where an elite has left its cell, the next best of that cell is checked. Chosen here: a cell
/// that three candidates left is not where the search saw it.
pub const ROUNDS: usize = 3;

/// The feasible candidates of each cell as the search saw them, by number of the cell, best first.
///
/// Those that were asked on more replicas go before others, as a loss on few may be luck; then the loss decides.
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
pub fn elites(experiment: &Experiment, trials: &[Trial], checked: &[&Trial]) -> Vec<Genome> {
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
    for &row in rows.iter().filter(|t| t.is_done() && t.violation <= 0.0) {
        if row.measures.len() == experiment.atlas.len() {
            let holds = cells.entry(grid.index(&row.measures)).or_insert(row);
            if better(row, holds).is_lt() {
                *holds = row;
            }
        }
    }
    cells
}

/// The cells that the last check on fresh seeds fills, each with its row. `None` without axes or before a check.
pub fn checked<'t>(experiment: &Experiment, trials: &'t [Trial]) -> Option<BTreeMap<u64, &'t Trial>> {
    let check = last_check(trials);
    let done = !experiment.atlas.is_empty() && !check.reports.is_empty();
    done.then(|| places(experiment, &check.ranked()))
}

/// What the log says of the atlas; `None` without axes.
pub fn summarize(experiment: &Experiment, trials: &[Trial]) -> Option<AtlasSummary> {
    if experiment.atlas.is_empty() {
        return None;
    }
    let grid = Grid::new(&experiment.measures(), 1);
    let found = found(experiment, trials);
    let checked = checked(experiment, trials);
    let axes: Vec<AxisSummary> = experiment.atlas.iter().map(|axis| AxisSummary::of(axis, experiment)).collect();
    let candidates: BTreeMap<Vec<u64>, Elite> = {
        let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
        Elite::candidates(axes.len(), searched).into_iter().map(|e| (bits(&e.genome), e)).collect()
    };
    let fresh = checked.is_some();
    let cells = match &checked {
        Some(rows) => {
            let replicas = rows.values().next().map_or(0, |row| row.question.replicas.len());
            let figures = Figures {
                experiment,
                resamples: Resamples::new(Seed(experiment.search.seed), replicas),
                rescore: Rescore::new(experiment),
            };
            let cell = |(&index, row): (&u64, &&Trial)| {
                let search = candidates.get(&bits(&row.question.genome));
                let came_from = search.map(|e| grid.index(&e.measures)).filter(|&from| from != index);
                AtlasCell {
                    at: grid.coordinates(index),
                    name: name(&axes, &grid.coordinates(index)),
                    trial: search.map(|e| e.id),
                    loss: figures.loss(row),
                    measures: (0..axes.len()).map(|axis| figures.measure(row, axis)).collect(),
                    search_loss: search.map(|e| e.loss),
                    came_from: came_from.map(|from| grid.coordinates(from)),
                    outside: outside(&axes, &row.measures),
                }
            };
            rows.iter().map(cell).collect()
        }
        None => {
            let plain = |value| Figure { value: Some(value), low: None, high: None };
            let cell = |(index, elite): (u64, &Elite)| AtlasCell {
                at: grid.coordinates(index),
                name: name(&axes, &grid.coordinates(index)),
                trial: Some(elite.id),
                loss: plain(elite.loss),
                measures: elite.measures.iter().copied().map(plain).collect(),
                search_loss: Some(elite.loss),
                came_from: None,
                outside: outside(&axes, &elite.measures),
            };
            found.iter().filter_map(|(&index, all)| Some((index, all.first()?))).map(cell).collect::<Vec<_>>()
        }
    };
    let mut atlas = AtlasSummary::new(axes, cells, found.len() as u64, fresh, experiment.targets().next().is_some());
    let defaults = last_check(trials).baseline.filter(|t| !t.measures.is_empty());
    atlas.defaults = defaults.map(|t| t.measures.clone());
    Some(atlas)
}

fn outside(axes: &[AxisSummary], measures: &[f64]) -> bool {
    axes.iter().zip(measures).any(|(axis, m)| *m < axis.low || *m > axis.high)
}

/// A cell as `--near` takes it: the middle of the cell on each axis.
fn name(axes: &[AxisSummary], at: &[u32]) -> String {
    let parts = axes.iter().zip(at).map(|(axis, &at)| format!("{}={}", axis.name, axis.middle(at)));
    parts.collect::<Vec<_>>().join(",")
}

/// Means on fresh seeds with their intervals.
struct Figures<'a> {
    experiment: &'a Experiment,
    resamples: Resamples,
    rescore: Rescore<'a>,
}

impl Figures<'_> {
    fn loss(&self, row: &Trial) -> Figure {
        self.resamples.figure(|rows| self.rescore.objectives(Some(row), rows).first().copied().flatten())
    }

    fn measure(&self, row: &Trial, axis: usize) -> Figure {
        let column = self.experiment.atlas[axis].column;
        let counts = |case: usize| {
            let case = &self.experiment.cases[case];
            !case.held_out && case.columns[column].is_some()
        };
        let cases = row.values.iter().enumerate().filter(|(case, runs)| counts(*case) && !runs.is_empty());
        let values: Vec<Vec<f64>> =
            cases.map(|(_, runs)| runs.iter().filter_map(|run| run.get(column).copied().flatten()).collect()).collect();
        let mean = |rows: &[usize]| {
            let of_case = |values: &Vec<f64>| {
                let drawn: Vec<f64> = rows.iter().map(|&r| values[r % values.len()]).collect();
                stats::mean(&drawn)
            };
            stats::mean(&values.iter().map(of_case).collect::<Vec<_>>())
        };
        self.resamples.figure(|rows| (!values.iter().any(Vec::is_empty)).then(|| mean(rows)))
    }
}

#[cfg(test)]
mod tests;
