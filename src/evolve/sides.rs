//! Defaults and a candidate side by side: targets, cases and objectives with their intervals.

use super::experiment::{Case, Experiment};
use super::figures::Resamples;
use super::scoring::{self, Rescore};
use super::summary::{CaseSummary, Figure, ObjectiveSummary, TargetSummary};
use super::unfinished::unfinished;
use crate::target::{Cell, Score, Target, Wanted};
use crowdtune_core::math::rng::Seed;
use crowdtune_search::Trial;

/// Defaults and one candidate side by side, on the same seeds.
pub(super) struct Sides<'a> {
    experiment: &'a Experiment,
    resamples: &'a Resamples,
    default: Option<&'a Trial>,
    tuned: Option<&'a Trial>,
    in_search: Option<&'a Trial>,
    rescore: Rescore<'a>,
}

impl<'a> Sides<'a> {
    /// From the rows of the defaults and of the candidate on fresh seeds, and what the search saw of the candidate; each if there is one.
    pub fn new(
        experiment: &'a Experiment,
        resamples: &'a Resamples,
        [default, tuned, in_search]: [Option<&'a Trial>; 3],
    ) -> Self {
        Self { experiment, resamples, default, tuned, in_search, rescore: Rescore::new(experiment) }
    }

    /// Targets and measures in name order.
    pub fn targets(&self) -> Vec<TargetSummary> {
        (0..self.experiment.columns.len()).map(|column| self.target(column)).collect()
    }

    /// A figure of a side; empty if that side was not run.
    fn figure(&self, trial: Option<&Trial>, statistic: impl Fn(&Trial, &[usize]) -> Option<f64>) -> Figure {
        trial.map_or_else(Figure::default, |t| self.resamples.figure(|rows| statistic(t, rows)))
    }

    fn target(&self, column: usize) -> TargetSummary {
        let experiment = self.experiment;
        let target = &experiment.columns[column];
        let value = |t: &Trial, rows: &[usize]| self.rescore.column_value(t, column, rows);
        let all = |t: &Trial| (0..t.question.replicas.len()).collect::<Vec<_>>();
        let loss = |t: Option<&Trial>| {
            t.filter(|t| t.is_done()).and_then(|t| scoring::score(experiment, &t.values).losses.get(column).copied()?)
        };
        let losses = (loss(self.default), loss(self.tuned));
        let sloped = matches!(target.wanted, Some(Wanted::Minimize { .. } | Wanted::Maximize { .. }));
        TargetSummary {
            name: target.name.clone(),
            metric: target.metric.name.to_string(),
            unit: target.unit().to_string(),
            better: target.metric.make.better,
            combine: target.combine.word().to_string(),
            wanted: target.wanted.as_ref().map_or_else(String::new, |w| w.words(target.metric.make.unit)),
            band: target.wanted.as_ref().and_then(|w| w.band(&[])).map_or((None, None), ends),
            must: target.must,
            weight: target.weight,
            default: self.figure(self.default, value),
            tuned: self.figure(self.tuned, value),
            search: self.in_search.and_then(|t| value(t, &all(t))),
            loss: losses,
            met: losses.1.filter(|_| target.must || !sloped).and(self.tuned).map(|t| self.is_met(t, column)),
            unfinished: self.tuned.filter(|t| t.is_done()).and_then(|t| self.unfinished(t, column)),
        }
    }

    /// Whether a candidate is as wanted in every case that counts.
    fn is_met(&self, trial: &Trial, column: usize) -> bool {
        let Experiment { cases, columns, .. } = self.experiment;
        let searched = cases.iter().any(|case| case.columns[column].is_some() && !case.held_out);
        let cells = &scoring::score(self.experiment, &trial.values).cells[column];
        let counting = cases.iter().zip(cells).filter(|(case, _)| case.held_out != searched);
        let met = |(case, cell): (&Case, &Option<Cell>)| {
            let rule = columns[column].wanted.as_ref()?.rule(&case.axes)?;
            Some(cell.as_ref()?.loss? <= rule.met_at())
        };
        counting.filter_map(met).all(|met| met)
    }

    /// Runs of a candidate in which the value of a column is a penalty, and all that give it; `None` if there is none such.
    fn unfinished(&self, trial: &Trial, column: usize) -> Option<(u32, u32)> {
        let cases = trial.values.iter().enumerate();
        let values = cases.flat_map(|(case, runs)| runs.iter().filter_map(move |run| Some((case, run[column]?))));
        let of = values.fold((0, 0), |(open, all), (case, value)| {
            (open + u32::from(unfinished(self.experiment, column, case, value)), all + 1)
        });
        Some(of).filter(|of| of.0 > 0)
    }

    /// Every column in every case that gives it.
    pub fn cases(&self) -> Vec<CaseSummary> {
        let experiment = self.experiment;
        let mut rows = Vec::new();
        let score = |t: Option<&Trial>| t.filter(|t| t.is_done()).map(|t| scoring::score(experiment, &t.values));
        let (default, tuned) = (score(self.default), score(self.tuned));
        let loss = |score: &Option<Score>, column: usize, case: usize| score.as_ref()?.cells[column][case]?.loss;
        for (column, target) in experiment.columns.iter().enumerate() {
            for (index, case) in experiment.cases.iter().enumerate().filter(|(_, c)| c.columns[column].is_some()) {
                let value = |t: &Trial, rows: &[usize]| self.rescore.case_value(t, column, index, rows);
                let (wanted, tolerance) = point(target, case).unzip();
                rows.push(CaseSummary {
                    case: case.name.clone(),
                    table: case.table.clone(),
                    axes: case.axes.clone(),
                    held_out: case.held_out,
                    target: target.name.clone(),
                    wanted,
                    tolerance,
                    default: self.figure(self.default, value),
                    tuned: self.figure(self.tuned, value),
                    loss: (loss(&default, column, index), loss(&tuned, column, index)),
                });
            }
        }
        rows
    }

    /// The objectives, and their paired differences.
    pub fn objectives(&self) -> Vec<ObjectiveSummary> {
        let experiment = self.experiment;
        let count = experiment.objectives.len();
        // One pass: defaults, recommendation, and their difference on the same draw of replicas.
        let figures = self.resamples.figures(3 * count, |rows| {
            let default = self.rescore.objectives(self.default, rows);
            let tuned = self.rescore.objectives(self.tuned, rows);
            let difference: Vec<_> = default.iter().zip(&tuned).map(|(d, t)| t.zip(*d).map(|(t, d)| t - d)).collect();
            [default, tuned, difference].concat()
        });
        let row = |(i, name): (usize, &String)| ObjectiveSummary {
            name: name.clone(),
            default: figures[i],
            tuned: figures[count + i],
            difference: figures[2 * count + i],
            search: self.in_search.and_then(|t| t.objectives.get(i).copied()),
        };
        experiment.objectives.iter().enumerate().map(row).collect()
    }
}

/// What the candidates of a selection gave on its seeds, each beside the defaults.
pub(super) struct OfSelection<'a> {
    experiment: &'a Experiment,
    resamples: Resamples,
    defaults: Option<&'a Trial>,
}

impl<'a> OfSelection<'a> {
    /// From the rows of the selection.
    pub fn new(experiment: &'a Experiment, selection: &'a [Trial]) -> Self {
        let replicas = selection.first().map_or(0, |t| t.question.replicas.len());
        let space = &experiment.space;
        let defaults = space.key(&space.encode(&experiment.defaults));
        Self {
            experiment,
            resamples: Resamples::new(Seed(experiment.search.seed), replicas),
            defaults: selection.iter().find(|t| space.key(&t.question.genome) == defaults),
        }
    }

    /// Targets and measures in name order, of the candidate of a row of the selection.
    pub fn targets(&self, row: &Trial) -> Vec<TargetSummary> {
        Sides::new(self.experiment, &self.resamples, [self.defaults, Some(row), None]).targets()
    }
}

/// The finite ends of a band.
fn ends((low, high): (f64, f64)) -> (Option<f64>, Option<f64>) {
    (Some(low).filter(|x| x.is_finite()), Some(high).filter(|x| x.is_finite()))
}

/// The middle of the band that is wanted in a case, and half its width; `None` unless it has two ends.
fn point(target: &Target, case: &Case) -> Option<(f64, f64)> {
    let here = target.scenario.as_ref().is_none_or(|table| *table == case.table);
    let (low, high) = target.wanted.as_ref().filter(|_| here)?.band(&case.axes)?;
    (low.is_finite() && high.is_finite()).then(|| (f64::midpoint(low, high), (high - low) / 2.0))
}
