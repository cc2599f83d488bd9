//! A whole search into a run folder, watched by Python, and answered by threads here, by a function or by a crew elsewhere.

use crate::error::raise;
use crate::experiment::Experiment;
use crate::work::{interruptible, pool};
use crowdtune::core::math::rng::Seed;
use crowdtune::evolve::evaluate::{Answer, Answerers, Elsewhere, Evaluate, Job, Parts, Pool, Spent, Unanswered};
use crowdtune::evolve::exchange;
use crowdtune::evolve::run::{Observer, Phase};
use crowdtune::folder::{Options, run_to_folder_with};
use crowdtune::search::{Outcome, Trial};
use crowdtune::{Error, Experiment as Checked};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How long a crew is waited for before somebody looks whether to stop, s.
const SLICE_S: f64 = 0.1;

/// What went wrong in Python, kept until the search has ended in good order.
#[derive(Default)]
struct Fault(Mutex<Option<PyErr>>);

impl Fault {
    /// Keeps the first error.
    fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Runs an experiment to a complete run folder, or continues one.
#[pyfunction]
#[pyo3(signature = (experiment, out, resume, threads, observer=None, crew=None, simulator=None))]
pub fn evolve(
    py: Python<'_>,
    experiment: &Experiment,
    out: PathBuf,
    resume: bool,
    threads: usize,
    observer: Option<Py<PyAny>>,
    crew: Option<Py<PyAny>>,
    simulator: Option<(String, Py<PyAny>)>,
) -> PyResult<()> {
    let cancel = AtomicBool::new(false);
    let fault = Fault::default();
    let inner = &*experiment.inner;
    let shared = pool(threads)?;
    let mut watcher = Watcher { observer, fault: &fault, cancel: &cancel };
    let options = Options { threads: shared.current_num_threads(), resume };
    let ended = interruptible(py, &cancel, || {
        let evaluator: Box<dyn Evaluate> = match (&crew, &simulator) {
            (Some(crew), _) => {
                let crew = Crew { crew, fault: &fault, cancel: &cancel };
                Box::new(Elsewhere::new(inner, crew))
            }
            (None, Some((name, run))) => {
                let run = |job: &Job<'_>| {
                    Python::attach(|py| simulated(py, run, job)).map_err(|e| Error::nothing(e.to_string()))
                };
                Box::new(Pool::on(inner, shared, &cancel).with(name, run))
            }
            (None, None) => Box::new(Pool::on(inner, shared, &cancel)),
        };
        run_to_folder_with(inner, &*evaluator, &out, options, &mut watcher, &cancel).map(|_| ())
    });
    let kept = fault.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    match kept {
        Some(error) => Err(error),
        None => ended?.map_err(raise),
    }
}

/// Tells Python what the loop does.
struct Watcher<'a> {
    observer: Option<Py<PyAny>>,
    fault: &'a Fault,
    cancel: &'a AtomicBool,
}

impl Watcher<'_> {
    fn tell(&self, what: &str, arguments: impl FnOnce(Python<'_>) -> PyResult<Bound<'_, PyDict>>) {
        let Some(observer) = &self.observer else { return };
        if self.cancel.load(Ordering::Relaxed) {
            return;
        }
        let told = Python::attach(|py| {
            let arguments = arguments(py)?;
            observer.getattr(py, what)?.call(py, (), Some(&arguments))
        });
        if let Err(error) = told {
            self.fault.keep(error);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for Watcher<'_> {
    fn phase(&mut self, phase: Phase, trials: u64) {
        let name = match phase {
            Phase::Search => "search",
            Phase::Select => "select",
            Phase::Report => "report",
            Phase::Profile => "profile",
            Phase::Planted => "planted",
        };
        self.tell("phase", |py| {
            let said = PyDict::new(py);
            said.set_item("name", name)?;
            said.set_item("trials", trials)?;
            Ok(said)
        });
    }

    fn trial(&mut self, trial: &Trial, replayed: bool) {
        self.tell("trial", |py| {
            let said = PyDict::new(py);
            said.set_item("id", trial.id)?;
            said.set_item("purpose", crate::evaluate::word(trial.question.purpose))?;
            said.set_item("genome", &trial.question.genome)?;
            said.set_item("replicas", (trial.question.replicas.start, trial.question.replicas.end))?;
            said.set_item("objectives", &trial.objectives)?;
            said.set_item("violation", trial.violation)?;
            let failed = match &trial.outcome {
                Outcome::Done => None,
                Outcome::Failed(why) => Some(why),
            };
            said.set_item("failed", failed)?;
            said.set_item("replayed", replayed)?;
            Ok(said)
        });
    }
}

/// A run by a function in Python: it gets the scenario, the parameters by name and a seed, and gives the value of each column.
fn simulated(py: Python<'_>, run: &Py<PyAny>, job: &Job<'_>) -> PyResult<Vec<Option<f64>>> {
    let Checked { space, cases, columns, .. } = job.experiment;
    let parameters = PyDict::new(py);
    for (gene, x) in space.genes.iter().zip(job.genes) {
        let value = exchange::value(job.experiment, gene, *x);
        match (value.as_f64(), value.as_str(), value.as_bool()) {
            (Some(x), _, _) => parameters.set_item(&gene.key, x)?,
            (_, Some(word), _) => parameters.set_item(&gene.key, word)?,
            (_, _, on) => parameters.set_item(&gene.key, on)?,
        }
    }
    let Seed(seed) = job.seed;
    let said = run.call1(py, (&cases[job.case].name, parameters, seed))?;
    let said: std::collections::BTreeMap<String, Option<f64>> = said.extract(py)?;
    let value = |name: &String| {
        said.get(name).copied().ok_or_else(|| crate::error::wrong(format!("the simulator returned no `{name}`")))
    };
    columns.iter().map(|column| value(&column.name)).collect()
}

/// Workers that a Python object asks: `begin(lines)`, `next(seconds)` with pairs of an index and an answer, `again(index, why)`, `end()`.
struct Crew<'a> {
    crew: &'a Py<PyAny>,
    fault: &'a Fault,
    cancel: &'a AtomicBool,
}

impl Crew<'_> {
    /// Asks Python; its error is kept, and ends the search.
    fn ask<T>(&self, what: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Error> {
        Python::attach(what).map_err(|error| {
            let words = error.to_string();
            self.fault.keep(error);
            Error::environment(words)
        })
    }
}

impl Answerers for Crew<'_> {
    fn count(&self) -> usize {
        self.ask(|py| self.crew.getattr(py, "count")?.extract::<usize>(py)).unwrap_or(1)
    }

    fn each(&self, parts: &Parts<'_>, done: &mut dyn FnMut(Answer) -> Result<(), Error>) -> Result<(), Error> {
        let lines: Vec<String> = (0..parts.count()).map(|index| parts.line(index)).collect();
        self.ask(|py| {
            let lines: Vec<_> = lines.iter().map(|line| PyBytes::new(py, line.as_bytes())).collect();
            self.crew.call_method1(py, "begin", (lines,))
        })?;
        let mut unanswered = Unanswered::new(parts);
        let mut ended = Ok(());
        while unanswered.left() > 0 && ended.is_ok() && !self.cancel.load(Ordering::Relaxed) {
            let answers: Vec<(usize, Vec<u8>)> =
                self.ask(|py| self.crew.call_method1(py, "next", (SLICE_S,))?.extract(py))?;
            for (index, line) in answers {
                match unanswered.take(&line) {
                    Ok(answer) => ended = answer.map_or(Ok(()), &mut *done),
                    Err(why) => {
                        self.ask(|py| self.crew.call_method1(py, "again", (index, why)))?;
                    }
                }
                if ended.is_err() {
                    break;
                }
            }
        }
        self.ask(|py| self.crew.call_method0(py, "end"))?;
        ended
    }

    fn spent(&self) -> Vec<Spent> {
        let spent = self.ask(|py| self.crew.call_method0(py, "spent")?.extract::<Vec<(String, u64, f64)>>(py));
        let spent = spent.unwrap_or_default();
        spent.into_iter().map(|(node, answers, busy_s)| Spent { node, answers, busy_s }).collect()
    }
}
