//! Bootstrap intervals over replicas.

use super::experiment::Experiment;
use super::summary::Figure;
use crate::target::CaseView;
use crowdtune_core::math::rng::{Seed, below};
use crowdtune_core::math::stats;
use crowdtune_search::Trial;

/// Resamples of the replicas, drawn once, so that everything of one run is resampled jointly: all scenarios, all
/// targets, defaults and recommendation.
#[derive(Clone, Debug)]
pub struct Resamples {
    all: Vec<usize>,
    draws: Vec<Vec<usize>>,
}

impl Resamples {
    /// Draws them for runs of `replicas` replicas.
    pub fn new(seed: Seed, replicas: usize) -> Self {
        let mut rng = seed.child("bootstrap", 0).rng();
        // One replica says nothing of the scatter.
        let count = if replicas < 2 { 0 } else { stats::RESAMPLES };
        let draws = (0..count).map(|_| (0..replicas).map(|_| below(&mut rng, replicas)).collect()).collect();
        Self { all: (0..replicas).collect(), draws }
    }

    /// Several statistics of the replicas, each with its percentile 95 % interval; draws in which a statistic is
    /// undefined are left out of its interval.
    pub fn figures(&self, count: usize, statistics: impl Fn(&[usize]) -> Vec<Option<f64>>) -> Vec<Figure> {
        let values = statistics(&self.all);
        let drawn: Vec<_> = self.draws.iter().map(|d| statistics(d)).collect();
        (0..count)
            .map(|i| {
                let sample: Vec<f64> = drawn.iter().filter_map(|d| d[i]).filter(|x| x.is_finite()).collect();
                let end = |p| Some(stats::quantile(&sample, p)).filter(|x| x.is_finite());
                match values[i].filter(|x| x.is_finite()) {
                    None => Figure::default(),
                    value => Figure { value, low: end(0.025), high: end(0.975) },
                }
            })
            .collect()
    }

    /// One statistic.
    pub fn figure(&self, statistic: impl Fn(&[usize]) -> Option<f64>) -> Figure {
        self.figures(1, |rows| vec![statistic(rows)])[0]
    }
}

/// The value of a column in a case over these replicas (positions in the trial), combined as its target says;
/// replicas without a value do not count.
pub fn case_value(
    experiment: &Experiment,
    trial: &Trial,
    column: usize,
    case: usize,
    replicas: &[usize],
) -> Option<f64> {
    let runs = trial.values.get(case)?;
    let value = |&r: &usize| runs.get(r)?.get(column).copied().flatten();
    let values: Vec<f64> = replicas.iter().filter_map(value).collect();
    experiment.columns[column].combine(&experiment.cases[case].axes, &values)
}

/// The value of a column: the mean over the cases that its loss counts, which are those it covers, held-out ones only if no other
/// case gives it. A `must` target has the value of its case with the largest loss, the first of equal ones.
pub fn column_value(
    experiment: &Experiment,
    views: &[CaseView<'_>],
    trial: &Trial,
    column: usize,
    replicas: &[usize],
) -> Option<f64> {
    let target = &experiment.columns[column];
    let searched = target.is_searched(column, views);
    let counts = |view: &CaseView<'_>| target.covers(column, view) && view.held_out != searched;
    let values: Vec<(f64, f64)> = views
        .iter()
        .enumerate()
        .filter(|(_, view)| counts(view))
        .filter_map(|(case, view)| {
            let value = case_value(experiment, trial, column, case, replicas)?;
            let loss = target.wanted.as_ref().and_then(|wanted| wanted.loss(view.axes, value));
            Some((value, loss.unwrap_or(0.0)))
        })
        .collect();
    if target.must {
        let worse = |a: (f64, f64), b: (f64, f64)| if b.1 > a.1 { b } else { a };
        return values.into_iter().reduce(worse).map(|(value, _)| value);
    }
    (!values.is_empty()).then(|| stats::mean(&values.iter().map(|v| v.0).collect::<Vec<_>>()))
}
