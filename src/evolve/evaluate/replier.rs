//! A worker that keeps nothing: it answers the lines of [`super::Elsewhere`], wherever they come from.

use super::{Asked, Evaluate as _, Serial};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use serde_json::Value;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// What reads the experiment with another seed.
type Load<'l> = dyn Fn(u64) -> Result<Experiment, Error> + Send + Sync + 'l;

/// Answers questions about one experiment in the calling thread, which may be several. Nothing is kept from one to the next but the
/// experiment.
pub struct Replier<'l> {
    /// With the seed of the last question.
    experiment: Mutex<Arc<Experiment>>,
    load: Box<Load<'l>>,
}

impl<'l> Replier<'l> {
    /// About this experiment; `load` gives it for another seed.
    pub fn new(experiment: Experiment, load: impl Fn(u64) -> Result<Experiment, Error> + Send + Sync + 'l) -> Self {
        Self { experiment: Mutex::new(Arc::new(experiment)), load: Box::new(load) }
    }

    /// The answer to a line.
    ///
    /// # Errors
    /// If the line is no question about the experiment.
    pub fn answer(&self, line: Value) -> Result<String, Error> {
        let asked: Asked = serde_json::from_value(line)
            .map_err(|e| Error::input(format!("this line is no question: {e}")).help("docs/answer.md shows one"))?;
        let experiment = self.with_seed(asked.seed)?;
        asked.check(&experiment)?;
        let never = AtomicBool::new(false);
        let mut said = String::new();
        Serial::new(&experiment, &never).evaluate(&[asked.question], asked.id, &mut |trial| {
            said = serde_json::to_string(&trial).expect("a trial has string keys only");
            Ok(())
        })?;
        Ok(said)
    }

    fn with_seed(&self, seed: u64) -> Result<Arc<Experiment>, Error> {
        let mut last = self.experiment.lock().unwrap_or_else(PoisonError::into_inner);
        if last.search.seed != seed {
            *last = Arc::new((self.load)(seed)?);
        }
        Ok(last.clone())
    }
}

impl fmt::Debug for Replier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replier").finish_non_exhaustive()
    }
}
