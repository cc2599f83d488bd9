//! Runs that are done elsewhere, by workers who keep nothing: any of them can answer any part of a question, in any order and
//! twice.

use super::batch::{Assembly, Plan, finish};
use super::parts::{Answer, Parts};
use super::{Evaluate, Spent};
use crate::evolve::experiment::Experiment;
use crate::evolve::log::simulated_by;
use crowdtune_core::Error;
use crowdtune_search::{Question, Trial};

/// Who answers.
pub trait Answerers {
    /// How many work at once.
    fn count(&self) -> usize;

    /// Has each part answered once, by [`Parts::answer`] of a line; in any order, handed over in the calling thread.
    ///
    /// # Errors
    /// That of `done`; if nobody answers, or the user has interrupted.
    fn each(&self, parts: &Parts<'_>, done: &mut dyn FnMut(Answer) -> Result<(), Error>) -> Result<(), Error>;

    /// As [`Evaluate::spent`].
    fn spent(&self) -> Vec<Spent> {
        Vec::new()
    }
}

/// Gives the same trials as the simulator of this process, because that is what works elsewhere.
#[derive(Debug)]
pub struct Elsewhere<'a, A> {
    experiment: &'a Experiment,
    answerers: A,
}

impl<'a, A> Elsewhere<'a, A> {
    /// An evaluator that asks these.
    pub fn new(experiment: &'a Experiment, answerers: A) -> Self {
        Self { experiment, answerers }
    }
}

impl<A: Answerers> Evaluate for Elsewhere<'_, A> {
    fn engine(&self) -> &str {
        simulated_by(self.experiment)
    }

    fn evaluate(
        &self,
        questions: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let plan = Plan::new(self.experiment, questions);
        let parts = Parts::new(&plan, first_id, self.answerers.count());
        let mut assembly = Assembly::new(&plan, first_id);
        self.answerers.each(&parts, &mut |Answer(runs)| {
            for (run, ran) in runs {
                assembly.put(run, ran);
            }
            assembly.hand_over(done)
        })?;
        finish(assembly, done)
    }

    fn spent(&self) -> Vec<Spent> {
        self.answerers.spent()
    }
}
