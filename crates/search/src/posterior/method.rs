//! How the answers of simulations become a posterior.

use super::sample::Sample;
use super::setup::{Evidence, PosteriorSetup};
use crowdtune_core::math::rng::ChaCha8Rng;
use std::fmt::Debug;

/// What was asked and answered.
#[derive(Debug)]
pub(super) struct Runs {
    pub setup: PosteriorSetup,
    /// Parameters, and statistics where the run went well.
    pub points: Vec<Vec<f64>>,
    pub answers: Vec<Option<Vec<f64>>>,
    /// Where the answers of the last generation begin: their spread is that of now.
    pub last: usize,
    /// Number of generations that were asked.
    pub generation: u64,
}

/// A way to a posterior, and what it has learned.
pub(super) trait Method: Debug + Send + Sync {
    /// The next draws.
    fn ask(&mut self, runs: &Runs, draws: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>>;

    /// Learns from all runs, the new ones among them.
    fn learn(&mut self, runs: &Runs);

    /// As [`super::Inference::is_settled`].
    fn is_settled(&self) -> bool;

    /// As [`super::Inference::sample`].
    fn sample(&self, runs: &Runs) -> Option<Sample>;

    /// As [`super::Inference::widening`].
    fn widening(&self, runs: &Runs) -> Vec<f64>;

    /// As [`super::Inference::evidence`].
    fn evidence(&self, runs: &Runs, widening: &[f64]) -> Option<Evidence>;

    /// As [`super::Inference::doubts`].
    fn doubts(&self) -> Option<(f64, Option<f64>)> {
        None
    }
}
