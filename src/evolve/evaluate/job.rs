//! One run that is asked for, and what answers it.

use super::Scratch;
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_core::math::rng::Seed;
use std::fmt;

/// One run of one case for one candidate.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Index of the case in [`Experiment::cases`].
    pub case: usize,
    /// Decoded genes of the candidate, in the order and the units of [`Experiment::space`].
    pub genes: &'a [f64],
    /// All randomness of the run comes from it.
    pub seed: Seed,
}

type Answer<'a> = dyn Fn(&Job<'_>, &mut Scratch) -> Result<Vec<Option<f64>>, Error> + Send + Sync + 'a;

/// What does the runs: this library's simulator, or a function in its place.
pub(super) struct Simulator<'a>(Box<Answer<'a>>);

impl<'a> Simulator<'a> {
    /// A function that gives the value of each column of the experiment, or says why the run cannot be trusted.
    pub fn new(run: impl Fn(&Job<'_>, &mut Scratch) -> Result<Vec<Option<f64>>, Error> + Send + Sync + 'a) -> Self {
        Self(Box::new(run))
    }

    pub fn run(&self, job: &Job<'_>, scratch: &mut Scratch) -> Result<Vec<Option<f64>>, Error> {
        (self.0)(job, scratch)
    }
}

impl fmt::Debug for Simulator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Simulator")
    }
}
