//! The contract of an optimizer: how it is set up, what it can do, ask and tell.

use crate::noise::Noise;
use crate::part::Part;
use crate::question::Question;
use crate::space::{Genome, Space};
use crate::trial::Trial;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::registry::Settings;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Works on the unit cube and minimizes.
///
/// The same setup and the same answers give the same questions, on any machine and with any number of threads.
pub trait Optimizer: Send {
    /// The next batch, at most [`Setup::parallel`] questions; empty only when [`Optimizer::stop`] says why.
    fn ask(&mut self) -> Vec<Question>;
    /// Takes the answers to the whole last batch, in the order of the questions.
    fn tell(&mut self, trials: &[Trial]);
    /// Why there is nothing left to ask, if so.
    fn stop(&self) -> Option<StopReason>;
    /// What it would recommend, best first, whether asked or not: the mean of a distribution, the minimum of a fitted
    /// model, with several objectives a spread over the front. Empty if that is just the best trial.
    fn recommend(&self) -> Vec<Genome> {
        Vec::new()
    }
    /// The loss that it expects of a candidate under other random numbers, if it has a model that tells noise from the loss. The best answer
    /// is partly luck; this is not.
    fn expected(&self, _candidate: &[f64]) -> Option<f64> {
        None
    }
}

/// Why an optimizer stops by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StopReason {
    /// Every candidate of a finite space was asked.
    Exhausted,
}

/// An axis of an atlas: a measure from `low` to `high`, cut into cells of equal width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Lower end.
    pub low: f64,
    /// Upper end, above `low`.
    pub high: f64,
    /// Number of cells, 1 or more.
    pub cells: u32,
}

/// Most cells of an atlas, so that each has a number of its own.
const MOST_CELLS: u64 = 1 << 53;

impl Measure {
    /// Looks for mistakes in the axes of an atlas.
    ///
    /// # Errors
    /// With the key `cells` or `low`, if an axis has no cell, all of them have too many, or the ends of one are not apart.
    pub fn check_all(axes: &[Self]) -> Result<(), Error> {
        let cells: Vec<u32> = axes.iter().map(|axis| axis.cells).collect();
        let wrong = |allowed: &str| Err(Error::input(format!("`cells` is {cells:?}")).key("cells").allowed(allowed));
        if cells.contains(&0) {
            return wrong("whole numbers, each 1 or more");
        }
        let all = cells.iter().try_fold(1_u64, |all, &n| all.checked_mul(n.into()).filter(|&all| all <= MOST_CELLS));
        if all.is_none() {
            return wrong("at most 2^53 cells in all");
        }
        match axes.iter().position(|axis| axis.low >= axis.high || !(axis.high - axis.low).is_finite()) {
            None => Ok(()),
            Some(at) => Err(Error::input(format!("measure {at} goes from {} to {}", axes[at].low, axes[at].high))
                .key("low")
                .allowed("below the upper end, and less than 1.7e308 away from it")),
        }
    }
}

/// How an optimizer is set up. The number of evaluations is not part of it: a search can be extended, so no optimizer may
/// depend on its length.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The space.
    pub space: &'a Space,
    /// Seed of the search.
    pub seed: Seed,
    /// Most questions of a batch; 0 counts as 1.
    pub parallel: usize,
    /// Replicas per question: a set. Asking for more means whole sets, because an evaluator may have fewer replicas than
    /// are in one.
    pub replicas: u32,
    /// Candidates that are asked first, such as published defaults: genomes in [0, 1]. Those of another length than the space
    /// are left out.
    pub start: Vec<Genome>,
    /// Roughly how long one core needs for the simulations of a candidate, s, the same on every machine; `None` if nobody knows. An
    /// optimizer that thinks long about a question can see from it whether that pays.
    pub work_s: Option<f64>,
    /// What is known of noise.
    pub noise: Noise,
    /// Number of objectives.
    pub objectives: usize,
    /// Axes of the atlas; empty if none is wanted.
    pub measures: Vec<Measure>,
    /// What the loss of a feasible candidate is the sum of; empty where nobody says.
    pub parts: Vec<Part>,
    /// Values of the optimizer's own params.
    pub settings: Settings<'a>,
}

impl<'a> Setup<'a> {
    /// For one objective, one question at a time with one replica, from nowhere, with seed 1; of the simulations nothing is known.
    pub fn new(space: &'a Space, settings: Settings<'a>) -> Self {
        Self {
            space,
            seed: Seed(1),
            parallel: 1,
            replicas: 1,
            start: Vec::new(),
            work_s: None,
            noise: Noise::Unknown,
            objectives: 1,
            measures: Vec::new(),
            parts: Vec::new(),
            settings,
        }
    }

    /// The start points that fit the space, the last one first, so that `pop` gives them in order.
    pub(crate) fn start_inside(&self) -> Vec<Genome> {
        self.start.iter().rev().filter(|g| g.len() == self.space.len()).cloned().collect()
    }
}

/// What an optimizer looks for, and so what its answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// Numbers of objectives that it takes.
    pub objectives: RangeInclusive<usize>,
    /// True if it asks candidates again by itself where replicas differ, so that nobody else needs to.
    pub repeats: bool,
    /// True if it needs [`Setup::parts`] that are squares.
    pub squares: bool,
    /// True for the optimizer that is taken for its goal where none is named.
    pub usual: bool,
    /// Makes one.
    pub make: fn(&Setup<'_>) -> Box<dyn Optimizer>,
}

impl MakeOptimizer {
    /// An optimizer of one objective that looks for the best candidate and leaves replicas to others.
    pub const fn new(make: fn(&Setup<'_>) -> Box<dyn Optimizer>) -> Self {
        Self { goal: Goal::Best, objectives: 1..=1, repeats: false, squares: false, usual: false, make }
    }
}
