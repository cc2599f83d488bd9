//! From a front to the figures of `summary.json`.

use super::Front;
use crate::evolve::experiment::Experiment;
use crate::evolve::figures::Resamples;
use crate::evolve::scoring::Rescore;
use crate::evolve::summary::{FrontAxis, FrontPoint, FrontSummary};
use crate::target::{self, Wanted};
use crowdtune_search::{Trial, pareto};

/// The front in figures; `genes` turns a decoded genome into what the summary shows.
pub(in crate::evolve) fn summarize(
    experiment: &Experiment,
    trials: &[Trial],
    front: &Front<'_>,
    resamples: &Resamples,
    genes: impl Fn(&[f64]) -> Vec<f64>,
) -> FrontSummary {
    let rescore = Rescore::new(experiment);
    let count = experiment.objectives.len();
    let defaults = experiment.space.decode(&experiment.space.encode(&experiment.defaults));
    let rounds = |t: &Trial| t.question.replicas.len() as u32 / experiment.replicas();
    let mut points: Vec<FrontPoint> = front
        .points
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let decoded = experiment.space.decode(p.genome());
            FrontPoint {
                id: p.id(),
                genes: genes(&decoded),
                rounds: p.searched.as_ref().map_or(0, rounds),
                search: p.searched.as_ref().map_or_else(Vec::new, |t| t.objectives.clone()),
                fresh: resamples.figures(count, |rows| rescore.objectives(p.report, rows)),
                violation: p.report.or(p.searched.as_ref()).map_or(0.0, |t| t.violation),
                standing: p.standing,
                knee: front.knee == Some(i),
                recommended: front.pick == Some(i),
                defaults: decoded == defaults,
            }
        })
        .collect();
    let loss = |p: &FrontPoint| p.fresh.first().and_then(|f| f.value).or(p.search.first().copied());
    let first = |p: &FrontPoint| loss(p).unwrap_or(f64::INFINITY);
    points.sort_by(|a, b| first(a).total_cmp(&first(b)).then(a.id.cmp(&b.id)));
    let weights = experiment.objectives.iter().cloned().zip(experiment.preference.iter().copied());
    FrontSummary {
        axes: (0..count).map(|o| axis(experiment, o)).collect(),
        preference: weights.collect(),
        size: pareto::front(trials).len() as u64,
        points,
    }
}

/// The axis of an objective: its metric if it is a line, else the loss.
fn axis(experiment: &Experiment, objective: usize) -> FrontAxis {
    let name = experiment.objectives[objective].clone();
    let lines = target::lines(&experiment.columns);
    let line = experiment.columns.iter().zip(lines).find(|(t, is_line)| *is_line && t.objective == objective);
    if let Some((t, _)) = line
        && let Some(Wanted::Minimize { good, bad } | Wanted::Maximize { good, bad }) = t.wanted
    {
        let (metric, unit) = (t.metric.name.to_string(), t.unit().to_string());
        return FrontAxis { objective: name, metric, unit, ends: (good, bad) };
    }
    FrontAxis { objective: name, metric: String::new(), unit: String::new(), ends: (0.0, 1.0) }
}
