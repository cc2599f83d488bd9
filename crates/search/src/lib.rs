//! Parameter space and optimizers behind ask/tell. This room uses `math` only and knows no crowd.

pub mod atlas;
pub mod auto;
pub mod cma;
pub mod cost;
pub mod ga;
mod memory;
pub mod pareto;
pub mod random;
pub mod replication;
pub mod sensitivity;
pub mod space;
pub mod unseen;
mod variation;

use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::{Entry, Settings};
use serde::{Deserialize, Serialize};
use space::Space;
use std::ops::{Range, RangeInclusive};

/// A point of the unit cube, one coordinate per gene; [`Space::decode`] gives the values.
pub type Genome = Vec<f64>;

/// Raw measured values of one trial: `[scenario][replica][column]`; `None` where a metric has no value.
pub type Values = Vec<Vec<Vec<Option<f64>>>>;

/// What a question is asked for; each purpose but `Baseline` draws its own seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// Asked by the optimizer.
    Search,
    /// Picks the recommendation among the finalists, on fresh seeds.
    Select,
    /// Gives the figures of the recommendation, on seeds that nothing else saw.
    Report,
    /// The published defaults on the seeds of `Report`.
    Baseline,
}

/// One question to the evaluator: these genes, on these replicas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What it is asked for.
    pub purpose: Purpose,
    /// The candidate.
    pub genome: Genome,
    /// Numbers of the replicas; equal numbers of one purpose mean equal seeds (common random numbers). In JSON
    /// `[first, end]`, the end not included.
    #[serde(with = "replica_range")]
    pub replicas: Range<u32>,
}

/// How an evaluation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All simulations were healthy and every objective is finite.
    Done,
    /// At least one simulation was unhealthy or a target had no value; the reason in words.
    Failed(String),
}

/// One answered question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Running number in the log, from 0.
    pub id: u64,
    /// What was asked.
    #[serde(flatten)]
    pub question: Question,
    /// How it ended.
    pub outcome: Outcome,
    /// Losses to be minimized, finite; empty for a failed trial.
    pub objectives: Vec<f64>,
    /// Summed loss of missed `must` targets, 0 if feasible.
    pub violation: f64,
    /// Where the behavior lies on the axes of an atlas, in the order of [`Setup::measures`]; empty in other searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<f64>,
    /// What was measured, raw.
    pub values: Values,
}

/// A range of replicas as `[first, end]`.
mod replica_range {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use std::ops::Range;

    pub fn serialize<S: Serializer>(range: &Range<u32>, to: S) -> Result<S::Ok, S::Error> {
        [range.start, range.end].serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Range<u32>, D::Error> {
        <[u32; 2]>::deserialize(from).map(|[start, end]| start..end)
    }
}

impl Trial {
    /// True if the trial gave objectives.
    pub fn is_done(&self) -> bool {
        self.outcome == Outcome::Done
    }

    /// Sort key of a single-objective search: done before failed, feasible before infeasible, then the loss.
    pub fn rank(&self) -> (bool, f64, f64) {
        (!self.is_done(), self.violation, self.objectives.first().copied().unwrap_or(f64::INFINITY))
    }
}

/// Compares two trials, better first: done, violation, first objective, then the smaller id.
pub fn better(a: &Trial, b: &Trial) -> std::cmp::Ordering {
    let (fa, va, la) = a.rank();
    let (fb, vb, lb) = b.rank();
    fa.cmp(&fb).then(va.total_cmp(&vb)).then(la.total_cmp(&lb)).then(a.id.cmp(&b.id))
}

/// Why an optimizer stops by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// A finite space is used up.
    Exhausted,
}

/// An axis of an atlas: a metric from `low` to `high` in so many cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Lower end.
    pub low: f64,
    /// Upper end, above `low`.
    pub high: f64,
    /// Number of cells, 1 or more.
    pub cells: u32,
}

/// What an optimizer is told at its birth. The number of evaluations is not in it: a search can be extended, so no
/// optimizer may depend on its length.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The space.
    pub space: &'a Space,
    /// Seed of the search.
    pub seed: Seed,
    /// Logical width of a batch.
    pub parallel: usize,
    /// Replicas per question: a set. Who wants more asks for whole sets, because cases may have fewer than a set has.
    pub replicas: u32,
    /// Asked first: the published defaults and the file's start values, inside the space.
    pub start: Vec<Genome>,
    /// Number of objectives.
    pub objectives: usize,
    /// Axes of the atlas, if one is wanted.
    pub measures: Vec<Measure>,
    /// Values of the entry's own params.
    pub settings: Settings<'a>,
}

/// Works on the unit cube and minimizes. The same setup and the same answers give the same questions, whatever the
/// number of threads.
pub trait Optimizer: Send {
    /// The next batch, at most [`Setup::parallel`] questions; empty only when [`Optimizer::stop`] says why.
    fn ask(&mut self) -> Vec<Question>;
    /// The answers to the whole last batch, in the order of the questions.
    fn tell(&mut self, trials: &[Trial]);
    /// Why there is nothing left to ask, if so.
    fn stop(&self) -> Option<StopReason>;
    /// What it would recommend, best first, whether asked or not: the mean of a distribution, the minimum of a fitted
    /// model, with several objectives a spread over the front. Empty if that is the best trial.
    fn recommend(&self) -> Vec<Genome> {
        Vec::new()
    }
}

/// What an optimizer looks for, so what its answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The best candidate.
    Best,
    /// The best compromises between objectives.
    Front,
    /// The best candidate in every cell of an atlas; needs [`Setup::measures`].
    Atlas,
}

/// What an optimizer can do, and how one is made.
#[derive(Clone, Debug)]
pub struct MakeOptimizer {
    /// What it looks for.
    pub goal: Goal,
    /// How many objectives it takes.
    pub objectives: RangeInclusive<usize>,
    /// True if it asks candidates again by itself where replicas differ, so that nobody else needs to.
    pub repeats: bool,
    /// True for the optimizer of its goal that is taken where none is named.
    pub usual: bool,
    /// Makes one.
    pub make: fn(&Setup<'_>) -> Box<dyn Optimizer>,
}

impl MakeOptimizer {
    /// An optimizer of one objective that looks for the best candidate and leaves replicas to others.
    pub const fn new(make: fn(&Setup<'_>) -> Box<dyn Optimizer>) -> Self {
        Self { goal: Goal::Best, objectives: 1..=1, repeats: false, usual: false, make }
    }
}

/// All optimizers.
pub static OPTIMIZERS: &[&Entry<MakeOptimizer>] =
    &[&atlas::ENTRY, &auto::ENTRY, &cma::ENTRY, &ga::ENTRY, &pareto::ENTRY, &random::ENTRY];

/// The optimizer that is taken for a goal where none is named.
///
/// # Panics
/// If the list has none: a program error, found by a test.
pub fn usual(goal: Goal) -> &'static Entry<MakeOptimizer> {
    let fits = |entry: &&&Entry<MakeOptimizer>| entry.make.usual && entry.make.goal == goal;
    OPTIMIZERS.iter().find(fits).expect("one optimizer of each goal is the usual one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goal_has_one_usual_optimizer() {
        for goal in [Goal::Best, Goal::Front, Goal::Atlas] {
            assert_eq!(OPTIMIZERS.iter().filter(|e| e.make.usual && e.make.goal == goal).count(), 1, "{goal:?}");
            let many = usual(goal).make.objectives.contains(&2);
            assert_eq!(many, goal == Goal::Front);
        }
    }
}
