//! One run after the other: for places without threads.

use super::Evaluate;
use super::batch::{Assembly, Batch};
use super::simulate::{Job, Measured, Simulator};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::{Question, Trial};
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates in the calling thread.
#[derive(Debug)]
pub struct Serial<'a> {
    experiment: &'a Experiment,
    simulator: Simulator<'a>,
    cancel: &'a AtomicBool,
}

impl<'a> Serial<'a> {
    /// An evaluator that stops after the running simulation when `cancel` is set.
    pub fn new(experiment: &'a Experiment, cancel: &'a AtomicBool) -> Self {
        Self { experiment, simulator: Simulator::native(), cancel }
    }

    /// The same with a function in place of this library's simulator. `engine` names it, with its version where that matters. The
    /// function returns a [`Measured`], or just the value of each column of the experiment (`None` if the run has none), or an error if
    /// the run cannot be trusted; the log keeps [`Error::what`]. Panics are caught.
    #[must_use]
    pub fn with<M: Into<Measured>>(
        self,
        engine: &str,
        run: impl Fn(&Job<'_>) -> Result<M, Error> + Send + Sync + 'a,
    ) -> Self {
        Self { simulator: Simulator::new(engine, run), ..self }
    }
}

impl Evaluate for Serial<'_> {
    fn engine(&self) -> &str {
        &self.simulator.engine
    }

    fn evaluate(
        &self,
        questions: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let batch = Batch::new(self.experiment, &self.simulator, questions);
        let mut assembly = Assembly::new(&batch, first_id);
        for index in 0..batch.len() {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            assembly.put(index, batch.run(index));
            while let Some(trial) = assembly.next() {
                done(trial)?;
            }
        }
        super::batch::finish(assembly, done)
    }
}
