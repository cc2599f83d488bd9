//! Runs on several threads, with the same bytes for any number of them.

use super::Evaluate;
use super::batch::{Assembly, Batch};
use super::order::{Costs, order};
use super::simulate::{Job, Measured, Simulator};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use crowdtune_search::{Question, Trial};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Evaluates on a pool of threads; the calling thread collects.
#[derive(Debug)]
pub struct Pool<'a> {
    experiment: &'a Experiment,
    simulator: Simulator<'a>,
    cancel: &'a AtomicBool,
    threads: rayon::ThreadPool,
    costs: Costs,
}

impl<'a> Pool<'a> {
    /// An evaluator with `threads` threads (0: one for each core) that stops after the running simulations when
    /// `cancel` is set.
    ///
    /// # Errors
    /// If the machine refuses the threads.
    pub fn new(experiment: &'a Experiment, threads: usize, cancel: &'a AtomicBool) -> Result<Self, Error> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| {
            Error::environment(format!("cannot start {threads} threads: {e}")).help("ask for fewer with --threads")
        })?;
        let costs = Costs::new(experiment);
        Ok(Self { experiment, simulator: Simulator::native(), cancel, threads, costs })
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

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }
}

impl Evaluate for Pool<'_> {
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
        let stop = AtomicBool::new(false);
        let expected = self.costs.expected();
        let costs: Vec<f64> = (0..batch.len()).map(|index| expected[batch.case(index)]).collect();
        let order = order(&costs, self.threads());
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::channel();
        let work = |send: mpsc::Sender<_>| {
            while !stop.load(Ordering::Relaxed) && !self.cancel.load(Ordering::Relaxed) {
                let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let ran = batch.run(index);
                self.costs.note(batch.case(index), ran.work());
                if send.send((index, ran)).is_err() {
                    break;
                }
            }
        };
        self.threads.in_place_scope(|scope| {
            let work = &work;
            for _ in 0..self.threads().min(batch.len()) {
                let send = send.clone();
                scope.spawn(move |_| work(send));
            }
            drop(send);
            let mut ended = Ok(());
            for (index, ran) in receive {
                assembly.put(index, ran);
                while ended.is_ok()
                    && let Some(trial) = assembly.next()
                {
                    ended = done(trial);
                }
                stop.store(ended.is_err(), Ordering::Relaxed);
            }
            ended
        })?;
        super::batch::finish(assembly, done)
    }
}
