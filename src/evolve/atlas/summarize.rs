//! From a log to the figures of its atlas.

use super::{constants, filled, found, has_place};
use crate::evolve::experiment::{AtlasAxis, Experiment};
use crate::evolve::figures::Resamples;
use crate::evolve::genes::shown;
use crate::evolve::log::Check;
use crate::evolve::scoring::Rescore;
use crate::evolve::summary::{AtlasCell, AtlasSummary, AxisSummary, Checked, Figure};
use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::stats;
use crowdtune_search::bits;
use crowdtune_search::{Elite, Grid};
use crowdtune_search::{Purpose, Trial};
use std::collections::BTreeMap;

/// What the log says of the atlas; `None` without axes.
pub(in crate::evolve) fn summarize(
    experiment: &Experiment,
    trials: &[Trial],
    check: &Check<'_>,
) -> Option<AtlasSummary> {
    if experiment.atlas.is_empty() {
        return None;
    }
    let grid = Grid::new(&experiment.measures(), 1);
    let found = found(experiment, trials);
    let filled = filled(experiment, check);
    let axes: Vec<AxisSummary> = experiment.atlas.iter().map(|a| axis(experiment, a)).collect();
    let candidates: BTreeMap<Vec<u64>, Elite> = {
        let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
        Elite::candidates(axes.len(), searched).into_iter().map(|e| (bits(&e.genome), e)).collect()
    };
    let fresh = filled.is_some();
    let cells = match &filled {
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
    let defaults = check.baseline.filter(|t| !t.measures.is_empty());
    atlas.defaults = defaults.map(|t| t.measures.clone());
    if fresh {
        let rows: Vec<&Trial> = check.selection.iter().filter(|t| has_place(experiment, t)).collect();
        let replicas = rows.first().map_or(0, |row| row.question.replicas.len());
        let figures = Figures {
            experiment,
            resamples: Resamples::new(Seed(experiment.search.seed), replicas),
            rescore: Rescore::new(experiment),
        };
        let checked = |row: &&Trial| Checked {
            genes: shown(experiment, &experiment.space.decode(&row.question.genome)),
            measures: (0..atlas.axes.len()).map(|axis| figures.measure(row, axis)).collect(),
            loss: figures.loss(row),
        };
        atlas.checked = rows.iter().map(checked).collect();
        atlas.splits = constants::splits(experiment, &rows, &atlas.checked);
    }
    Some(atlas)
}

fn axis(experiment: &Experiment, axis: &AtlasAxis) -> AxisSummary {
    let column = &experiment.columns[axis.column];
    AxisSummary {
        name: axis.name.clone(),
        metric: column.metric.name.to_string(),
        unit: column.unit().to_string(),
        low: axis.low,
        high: axis.high,
        cells: axis.cells,
        split: axis.split,
    }
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
