//! One run after the other: for places without threads.

use super::batch::{Assembly, Batch};
use super::{Evaluate, RunCase, Scratch, simulate_in};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::{Question, Trial};
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates in the calling thread.
#[derive(Debug)]
pub struct Serial<'a> {
    experiment: &'a Experiment,
    run_case: RunCase,
    cancel: &'a AtomicBool,
}

impl<'a> Serial<'a> {
    /// An evaluator that stops after the running simulation when `cancel` is set.
    pub fn new(experiment: &'a Experiment, cancel: &'a AtomicBool) -> Self {
        Self { experiment, run_case: simulate_in, cancel }
    }

    /// The same with another simulator.
    #[must_use]
    pub fn with(self, run_case: RunCase) -> Self {
        Self { run_case, ..self }
    }
}

impl Evaluate for Serial<'_> {
    fn evaluate(
        &self,
        ask: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let batch = Batch::new(self.experiment, self.run_case, ask);
        let mut assembly = Assembly::new(&batch, first_id);
        let mut scratch = Scratch::default();
        for index in 0..batch.len() {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            assembly.put(index, batch.run(index, &mut scratch));
            while let Some(trial) = assembly.next() {
                done(trial)?;
            }
        }
        super::batch::finish(assembly, done)
    }
}
