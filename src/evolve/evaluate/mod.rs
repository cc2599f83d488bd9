//! From questions to trials: every run of every question, in parallel, answered in order.
//!
//! [`Pool`] and [`Serial`] run this library's simulator, or with their `with` any function of a [`Job`]: a formula, a foreign
//! simulator, a process at the other end of a pipe. Whatever answers whole questions itself implements [`Evaluate`], and scores
//! what it measured with [`trial`]. [`Elsewhere`] has questions answered by other processes that run crowdtune. Each says what its
//! engine is called: the log keeps the name.

mod asked;
mod batch;
mod elsewhere;
mod evaluator;
mod foreign;
mod observe;
mod order;
mod parts;
#[cfg(feature = "parallel")]
mod pool;
mod replier;
mod serial;
mod simulate;
mod watched;

pub use super::scoring::trial;
pub use asked::Asked;
pub use elsewhere::{Answerers, Elsewhere};
#[cfg(test)]
pub(crate) use evaluator::tests::twelve_leave;
pub use evaluator::{Evaluator, Job};
pub(crate) use foreign::ask_for;
pub(super) use observe::metrics;
pub use parts::{Answer, Parts, Unanswered};
#[cfg(feature = "parallel")]
pub use pool::{Pool, Threads};
pub use replier::Replier;
pub use serial::{Caller, Serial};
pub use simulate::{Measured, Ran, Recording, run_one, run_people, run_recorded, run_seed, simulate};
pub use watched::Watched;

use crowdtune_core::Error;
use crowdtune_search::{Question, Trial};
use serde::{Deserialize, Serialize};

/// Answers questions. The answers depend on the questions alone, not on how many threads work.
pub trait Evaluate {
    /// What runs the simulations, with its version where that matters: [`super::log::NATIVE`] for this library, any other name
    /// for a foreign simulator. The log keeps it, and only the same engine continues the log.
    fn engine(&self) -> &str;

    /// Answers all questions; trial ids count from `first_id`. `done` is called from the calling thread, in the order
    /// of the questions, as soon as a trial and all before it are complete; an error of `done` ends the evaluation.
    ///
    /// # Errors
    /// If `done` fails or the evaluation is interrupted; trials that were handed to `done` before are good.
    fn evaluate(
        &self,
        questions: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// When people left in a run of the report that was done here, s, in any order; `None` for who does not know. Who needs it then simulates the run again.
    fn left_s(&self, job: &Job<'_>) -> Option<Vec<f64>> {
        let _ = job;
        None
    }

    /// What each machine did since this was asked last, by name; empty where all is done here.
    fn spent(&self) -> Vec<Spent> {
        Vec::new()
    }
}

/// What one machine did for a batch: for people, in the timing log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Its name.
    pub node: String,
    /// How many answers it gave; parts of a question count each.
    pub answers: u64,
    /// How long its workers were busy with them, s.
    pub busy_s: f64,
}

/// The error of an evaluator that was told to stop; [`super::run::evolve`] says what is kept.
pub(crate) fn interrupted() -> Error {
    Error::interrupted("interrupted")
}
