//! Runs on several threads, with the same bytes for any number of them.

use super::batch::{Plan, Ran, Workers};
use super::evaluator::Evaluator;
use super::order::{Costs, order};
use crate::evolve::experiment::Experiment;
use crowdtune_core::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// Evaluates on a pool of threads; the calling thread collects.
pub type Pool<'a> = Evaluator<'a, Threads>;

/// A pool of threads that starts the longest runs first where that helps.
#[derive(Debug)]
pub struct Threads {
    pool: Arc<rayon::ThreadPool>,
    costs: Costs,
}

impl<'a> Evaluator<'a, Threads> {
    /// An evaluator with `threads` threads (0: one for each core) that stops after the running simulations when
    /// `cancel` is set.
    ///
    /// # Errors
    /// If the machine refuses the threads.
    pub fn new(experiment: &'a Experiment, threads: usize, cancel: &'a AtomicBool) -> Result<Self, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| {
            Error::environment(format!("cannot start {threads} threads: {e}")).help("ask for fewer with --threads")
        })?;
        Ok(Self::on(experiment, Arc::new(pool), cancel))
    }

    /// The same on threads that are there already: starting some takes longer than a short run.
    pub fn on(experiment: &'a Experiment, pool: Arc<rayon::ThreadPool>, cancel: &'a AtomicBool) -> Self {
        Self::of(experiment, cancel, Threads { pool, costs: Costs::new(experiment) })
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.workers.pool.current_num_threads()
    }
}

impl Workers for Threads {
    fn each(
        &self,
        plan: &Plan<'_>,
        cancel: &AtomicBool,
        run: &(dyn Fn(usize) -> Ran + Sync),
        done: &mut dyn FnMut(usize, Ran) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let stop = AtomicBool::new(false);
        let expected = self.costs.expected();
        let costs: Vec<f64> = (0..plan.len()).map(|index| expected[plan.case(index)]).collect();
        let threads = self.pool.current_num_threads();
        let order = order(&costs, threads);
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::channel();
        let work = |send: mpsc::Sender<_>| {
            while !stop.load(Ordering::Relaxed) && !cancel.load(Ordering::Relaxed) {
                let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let ran = run(index);
                self.costs.note(plan.case(index), ran.work());
                if send.send((index, ran)).is_err() {
                    break;
                }
            }
        };
        self.pool.in_place_scope(|scope| {
            let work = &work;
            for _ in 0..threads.min(plan.len()) {
                let send = send.clone();
                scope.spawn(move |_| work(send));
            }
            drop(send);
            let mut ended = Ok(());
            for (index, ran) in receive {
                if ended.is_ok() {
                    ended = done(index, ran);
                }
                stop.store(ended.is_err(), Ordering::Relaxed);
            }
            ended
        })
    }
}
