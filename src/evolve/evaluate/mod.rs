//! From questions to trials: every run of every question, in parallel, answered in order.

mod batch;
mod order;
mod pool;
mod scratch;
mod serial;
mod simulate;

pub use pool::Pool;
pub use scratch::Scratch;
pub use serial::Serial;
pub use simulate::{run_one, run_recorded, run_seed, simulate, simulate_in};

use super::experiment::Experiment;
use crowdtune_core::error::Error;
use crowdtune_core::math::rng::Seed;
use crowdtune_search::{Question, Trial};

/// Does one run: the index of the case, the decoded genes and the seed give the value of each column, or say why the
/// run cannot be trusted. [`simulate_in`] runs this library's simulator; another one can stand in its place. The worker's
/// [`Scratch`] is memory only: the result is the same with a fresh one.
pub type RunCase = fn(&Experiment, usize, &[f64], Seed, &mut Scratch) -> Result<Vec<Option<f64>>, String>;

/// Answers questions. The answers depend on the questions alone, not on how many threads work.
pub trait Evaluate {
    /// Answers all questions; trial ids count from `first_id`. `done` is called from the calling thread, in the order
    /// of the questions, as soon as a trial and all before it are complete; an error of `done` ends the evaluation.
    ///
    /// # Errors
    /// If `done` fails or the evaluation is interrupted; trials that were handed to `done` before are good.
    fn evaluate(
        &self,
        ask: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// What an evaluator returns when it was told to stop; [`super::run::evolve`] says what is kept.
pub(crate) fn interrupted() -> Error {
    Error::interrupted("interrupted")
}
