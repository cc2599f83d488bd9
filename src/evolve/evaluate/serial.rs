//! One run after the other: for places without threads.

use super::batch::{Plan, Ran, Workers};
use super::evaluator::Evaluator;
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates in the calling thread.
pub type Serial<'a> = Evaluator<'a, Caller>;

/// The calling thread.
#[derive(Debug)]
pub struct Caller;

impl<'a> Evaluator<'a, Caller> {
    /// An evaluator that stops after the running simulation when `cancel` is set.
    pub fn new(experiment: &'a Experiment, cancel: &'a AtomicBool) -> Self {
        Self::of(experiment, cancel, Caller)
    }
}

impl Workers for Caller {
    fn each(
        &self,
        plan: &Plan<'_>,
        cancel: &AtomicBool,
        run: &(dyn Fn(usize) -> Ran + Sync),
        done: &mut dyn FnMut(usize, Ran) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for index in (0..plan.len()).take_while(|_| !cancel.load(Ordering::Relaxed)) {
            done(index, run(index))?;
        }
        Ok(())
    }
}
