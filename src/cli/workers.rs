//! Who answers the questions of a run: this process, or others elsewhere.

use crate::evolve::evaluate::{Elsewhere, Evaluate, Pool};
use crate::evolve::experiment::Experiment;
use crate::limits;
use crate::remote::{Cluster, Crew, is_address};
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Workers elsewhere.
#[derive(Debug, ClapArgs)]
pub struct Workers {
    /// A command that answers questions as `crowdtune answer EXPERIMENT` does, here or elsewhere (`ssh`, `srun`, ...); it is run by the
    /// shell, and CROWDTUNE_WORKER is the number of the worker. Or a cluster by its address, through the Python package:
    /// ray://auto, dask://HOST:PORT, slurm://FOLDER?tasks=N
    #[arg(long, value_name = "COMMAND")]
    evaluator: Option<String>,
    /// How many of them work at once; results do not depend on it [default: one per core]
    #[arg(long, value_name = "N", requires = "evaluator", value_parser = super::options::whole::<u32>(&limits::WORKERS))]
    workers: Option<u32>,
    /// A worker that gives no answer for so many seconds is started again, and its questions go to whoever is free [default: wait]
    #[arg(long, value_name = "SECONDS", requires = "evaluator", value_parser = super::options::whole::<u64>(&limits::SILENCE))]
    answer_timeout: Option<u64>,
}

impl Workers {
    /// How many workers to start.
    fn crew(&self) -> usize {
        // They may be on other machines, so that the cores of this one do not limit them.
        self.workers.map_or_else(|| limits::threads(0), |workers| workers as usize)
    }

    /// True if a command of the user's answers, which knows one experiment.
    pub fn are_commands(&self) -> bool {
        self.evaluator.as_ref().is_some_and(|command| !is_address(command))
    }

    /// Has the questions of a run answered: by those workers, or by so many threads here.
    ///
    /// # Errors
    /// If the workers cannot be reached, or as `run`.
    pub fn answer<R>(
        &self,
        experiment: &Experiment,
        threads: usize,
        cancel: &AtomicBool,
        run: impl FnOnce(&dyn Evaluate) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match &self.evaluator {
            None => run(&Pool::new(experiment, threads, cancel)?),
            Some(address) if is_address(address) => {
                run(&Elsewhere::new(experiment, Cluster::new(address, experiment, cancel)?))
            }
            Some(command) => {
                let silence = self.answer_timeout.map(Duration::from_secs);
                run(&Elsewhere::new(experiment, Crew::new(command, self.crew(), silence, cancel)))
            }
        }
    }
}
