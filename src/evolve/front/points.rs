//! The front as `summary.json` says it.

use super::Front;
use crate::evolve::experiment::Experiment;
use crate::evolve::figures::Resamples;
use crate::evolve::scoring::Rescore;
use crate::evolve::summary::Figure;
use crate::target::Wanted;
use crowdtune_search::Trial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a point on fresh seeds; better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nothing dominates it.
    Front,
    /// It was not run on fresh seeds yet.
    Unchecked,
    /// Another point or the defaults are nowhere worse and better somewhere.
    Dominated,
    /// It misses a `must`.
    Infeasible,
    /// A run failed.
    Failed,
}

/// An objective as an axis of tables and plots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontAxis {
    /// The objective.
    pub objective: String,
    /// The metric whose value is shown; "" where losses are shown.
    pub metric: String,
    /// Its unit, or "".
    pub unit: String,
    /// What is shown for the losses 0 and 1; between and beyond them it is linear.
    pub ends: (f64, f64),
}

impl FrontAxis {
    /// The axis of an objective: the metric where it is a single target that only wants less or more, else the loss.
    fn new(experiment: &Experiment, objective: usize) -> Self {
        let of = |t: &&crate::target::Target| t.objective == objective && t.weight > 0.0;
        let targets: Vec<_> = experiment.targets().map(|(_, t)| t).filter(of).collect();
        let name = experiment.objectives[objective].clone();
        match targets[..] {
            [t] => match t.wanted {
                Some(Wanted::Minimize { good, bad } | Wanted::Maximize { good, bad }) => {
                    let (metric, unit) = (t.metric.name.to_string(), t.unit().to_string());
                    Self { objective: name, metric, unit, ends: (good, bad) }
                }
                _ => Self::losses(name),
            },
            _ => Self::losses(name),
        }
    }

    fn losses(objective: String) -> Self {
        Self { objective, metric: String::new(), unit: String::new(), ends: (0.0, 1.0) }
    }

    /// What is shown for a loss.
    pub fn value(&self, loss: f64) -> f64 {
        self.ends.0 + loss * (self.ends.1 - self.ends.0)
    }

    /// What is shown for the figure of a loss.
    pub fn figure(&self, loss: &Figure) -> Figure {
        let [value, low, high] = [loss.value, loss.low, loss.high].map(|x| x.map(|x| self.value(x)));
        if self.high_is_good() { Figure { value, low: high, high: low } } else { Figure { value, low, high } }
    }

    /// True if larger values are better.
    pub fn high_is_good(&self) -> bool {
        self.ends.1 < self.ends.0
    }
}

/// One compromise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontPoint {
    /// Id of its first row in the log; `crowdtune export --pick` takes it.
    pub id: u64,
    /// Values of the searched parameters, in the order of `genes` of the summary; of a choice its index.
    pub genes: Vec<f64>,
    /// How often the search asked it, each time on other replicas.
    pub rounds: u32,
    /// Its losses as the search saw them, means over the rounds; empty if the search did not.
    pub search: Vec<f64>,
    /// Its losses on the seeds of the report.
    pub fresh: Vec<Figure>,
    /// Its violation on these seeds.
    pub violation: f64,
    /// What became of it there.
    pub standing: Standing,
    /// True for the most balanced one.
    pub knee: bool,
    /// True for the recommended one.
    pub recommended: bool,
    /// True if it has the published defaults.
    pub defaults: bool,
}

/// The best compromises of a run with several objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontSummary {
    /// The objectives.
    pub axes: Vec<FrontAxis>,
    /// Weights that chose the recommended point; empty: it is the knee.
    pub preference: BTreeMap<String, f64>,
    /// Number of candidates on the front of the search, of which a subset was checked.
    pub size: u64,
    /// The points, by their first loss.
    pub points: Vec<FrontPoint>,
}

/// The front in figures; `genes` turns a decoded genome into what the summary shows.
pub fn summary(
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
        axes: (0..count).map(|o| FrontAxis::new(experiment, o)).collect(),
        preference: weights.collect(),
        size: super::size(trials),
        points,
    }
}
