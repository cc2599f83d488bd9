//! Answers of a cluster that speaks Python: one process of the Python package asks Ray, Dask or Slurm, and sends what comes back.

use crate::evolve::evaluate::{Answer, Answerers, Parts, Spent, Unanswered};
use crate::evolve::experiment::Experiment;
use crate::files;
use crate::worker::{LONGEST, Missed, Process};
use crowdtune_core::Error;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// What addresses of clusters start with; anything else is a command.
const SCHEMES: [&str; 3] = ["ray://", "dask://", "slurm://"];

/// The variable that names the Python to use.
const PYTHON: &str = "CROWDTUNE_PYTHON";

/// True for the address of a cluster.
pub fn is_address(evaluator: &str) -> bool {
    SCHEMES.iter().any(|scheme| evaluator.starts_with(scheme))
}

/// A cluster behind an address.
#[derive(Debug)]
pub struct Cluster<'a> {
    address: String,
    cancel: &'a AtomicBool,
    seat: Mutex<Seat>,
    /// The experiment as the process reads it.
    _folder: TempDir,
}

/// The process, and what it has said of the cluster.
#[derive(Debug)]
struct Seat {
    process: Process,
    workers: usize,
    spent: Vec<Spent>,
}

/// A line of the process: a row with the number of its question, or how many workers there are and what each machine spent.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Said {
    line: usize,
    row: Option<Box<RawValue>>,
    workers: usize,
    spent: Vec<(String, u64, f64)>,
}

impl<'a> Cluster<'a> {
    /// Starts the process, which connects to the cluster; no question is asked yet.
    ///
    /// # Errors
    /// If there is no Python with the package, or the cluster does not answer.
    pub fn new(address: &str, experiment: &Experiment, cancel: &'a AtomicBool) -> Result<Self, Error> {
        if experiment.engine.is_some() {
            return Err(Error::input(
                "an experiment with an [engine] cannot be sent to a cluster: its engine stays here",
            )
            .key("--evaluator")
            .help(
                "start `crowdtune answer EXPERIMENT` on the nodes with --evaluator COMMAND, as docs/answer.md shows",
            ));
        }
        let folder = tempfile::tempdir().map_err(|e| Error::environment(format!("cannot make a folder: {e}")))?;
        // Everything is in the resolved file: --set, --draft, the seed.
        let file = folder.path().join(format!("{}.toml", experiment.name));
        files::write(&file, experiment.resolved.as_bytes())?;
        for (name, bytes) in &experiment.inputs {
            files::write(&folder.path().join(name), bytes)?;
        }
        let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".into());
        let words = [python, "-m".into(), "crowdtune.seat".into(), address.into(), file.display().to_string()];
        let process = Process::start(&words, None, &[], LONGEST).map_err(|e| e.key("--evaluator").help(ADVICE))?;
        let mut seat = Seat { process, workers: 1, spent: Vec::new() };
        // After an interruption whoever asks next sees the flag.
        if let Some(said) = seat.hear(address, cancel)? {
            seat.workers = said.workers;
        }
        Ok(Self { address: address.into(), cancel, seat: Mutex::new(seat), _folder: folder })
    }

    fn seat(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What to do where the process cannot start.
const ADVICE: &str = "the Python package has to be there: `pip install` it with ray or dask, or set CROWDTUNE_PYTHON to a Python \
                      that has it; docs/cluster.md shows how";

fn broken(address: &str, what: &str) -> Error {
    Error::environment(format!("the cluster at {address} cannot be used: {what}")).key("--evaluator").help(ADVICE)
}

impl Seat {
    /// The next line; `None` once `cancel` is set.
    fn hear(&mut self, address: &str, cancel: &AtomicBool) -> Result<Option<Said>, Error> {
        let line = match self.process.receive(None, cancel) {
            Ok(line) => line,
            Err(Missed::Cancelled) => return Ok(None),
            Err(Missed::TooLong) => return Err(broken(address, "it wrote a line without end")),
            Err(Missed::Ended | Missed::TimedOut) => {
                let words = self.process.stderr_tail();
                return Err(broken(
                    address,
                    &format!("its process ended\n    {}", words.trim().replace('\n', "\n    ")),
                ));
            }
        };
        let said = serde_json::from_slice(&line);
        said.map(Some).map_err(|e| broken(address, &format!("a line is not what was expected: {e}")))
    }

    fn tell(&self, address: &str, line: &str) -> Result<(), Error> {
        self.process.send(line.as_bytes()).map_err(|_| broken(address, "its process ended"))
    }
}

impl Answerers for Cluster<'_> {
    fn count(&self) -> usize {
        self.seat().workers
    }

    fn each(&self, parts: &Parts<'_>, done: &mut dyn FnMut(Answer) -> Result<(), Error>) -> Result<(), Error> {
        let mut seat = self.seat();
        seat.tell(&self.address, &json!({ "batch": parts.count() }).to_string())?;
        (0..parts.count()).try_for_each(|index| seat.tell(&self.address, &parts.line(index)))?;
        let mut unanswered = Unanswered::new(parts);
        let mut ended = Ok(());
        while unanswered.left() > 0 && ended.is_ok() {
            // After an interruption the process is ended with its pipe, and takes back what it has asked.
            let Some(said) = seat.hear(&self.address, self.cancel)? else { return Ok(()) };
            let Said { line, row: Some(row), .. } = said else { continue };
            match unanswered.take(row.get().as_bytes()) {
                Ok(answer) => ended = answer.map_or(Ok(()), &mut *done),
                Err(why) => seat.tell(&self.address, &json!({ "again": line, "why": why }).to_string())?,
            }
        }
        seat.tell(&self.address, &json!({ "end": true }).to_string())?;
        while let Some(said) = seat.hear(&self.address, self.cancel)? {
            // Rows of parts that were asked twice may still be on their way.
            if said.row.is_none() {
                let spent = said.spent.into_iter().map(|(node, answers, busy_s)| Spent { node, answers, busy_s });
                (seat.workers, seat.spent) = (said.workers, spent.collect());
                break;
            }
        }
        ended
    }

    fn spent(&self) -> Vec<Spent> {
        std::mem::take(&mut self.seat().spent)
    }
}
