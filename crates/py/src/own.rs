//! Models and metrics written in Python: slow, for trying.

mod metric;
mod model;

use crate::error::{raise, wrong};
use crowdtune::core::registry::{Entry, Param};
use crowdtune::sim::metrics::MakeMetric;
use crowdtune::sim::models::MakeModel;
use crowdtune::{Experiment, Registry as Known};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A constant of a model: key, unit, default, accepted range, searched range, whether a search covers orders of magnitude, meaning.
type Constant = (String, String, f64, (f64, f64), (f64, f64), bool, String);

/// What an experiment can name: everything that comes with crowdtune, and what Python adds.
#[pyclass(frozen, module = "crowdtune._native")]
pub struct Registry {
    known: Mutex<Known>,
    /// Names of what was added.
    own: Mutex<Vec<String>>,
}

#[pymethods]
impl Registry {
    #[new]
    fn new() -> Self {
        Self { known: Mutex::new(Known::builtin()), own: Mutex::new(Vec::new()) }
    }

    /// Adds a model: `make(constants)` gives, for each run, what is called at each step with a view, and returns velocities.
    fn add_model(
        &self,
        name: &str,
        doc: &str,
        constants: Vec<Constant>,
        time_step_s: f64,
        reach_m: f64,
        make: Py<PyAny>,
    ) -> PyResult<()> {
        for (what, value) in [("time_step_s", time_step_s), ("reach_m", reach_m)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(wrong(format!("{what} is {value}; allowed: above 0")));
            }
        }
        let params: Vec<Param> = constants.into_iter().map(param).collect::<PyResult<_>>()?;
        let entry: Entry<MakeModel> = model::entry(leak(name), leak(doc), params.leak(), (time_step_s, reach_m), make);
        self.known().models.add(Box::leak(Box::new(entry))).map_err(raise)?;
        self.own.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_string());
        Ok(())
    }

    /// Adds a metric: `measure(sample)` gives a number at each sample, or None; the value is their mean.
    fn add_metric(&self, name: &str, doc: &str, unit: &str, needs: Vec<String>, measure: Py<PyAny>) -> PyResult<()> {
        let entry: Entry<MakeMetric> = metric::entry(leak(name), leak(doc), leak(unit), &needs, measure)?;
        self.known().metrics.add(Box::leak(Box::new(entry))).map_err(raise)?;
        self.own.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_string());
        Ok(())
    }
}

impl Registry {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it holds now.
    pub fn snapshot(&self) -> Known {
        self.known().clone()
    }

    /// True if an experiment uses something that Python added.
    pub fn is_used(&self, experiment: &Experiment) -> bool {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = |name: &str| own.iter().any(|own| own == name);
        experiment.models().iter().any(|model| uses(model.name))
            || experiment.columns.iter().any(|c| uses(c.metric.name))
    }
}

/// Entries are never removed, and there are few.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

fn param((key, unit, default, hard, search, log, doc): Constant) -> PyResult<Param> {
    let inside = |(low, high): (f64, f64)| low < high && hard.0 <= low && high <= hard.1;
    if !(hard.0 <= default && default <= hard.1 && inside(search)) || (log && search.0 <= 0.0) {
        return Err(wrong(format!(
            "the constant `{key}` is {default}, accepted from {} to {}, searched from {} to {}; allowed: the default and the searched \
             range inside the accepted one, and above 0 where the search covers orders of magnitude",
            hard.0, hard.1, search.0, search.1
        )));
    }
    let param = Param::real(leak(&key), leak(&unit), default).range(hard.0, hard.1).search(search.0, search.1);
    let param = param.doc(leak(&doc)).source("written in Python");
    Ok(if log { param.log_scale() } else { param })
}

/// Ends the run with what Python said; the panic hook has nothing to say about it.
fn fail(error: &PyErr) -> ! {
    std::panic::resume_unwind(Box::new(error.to_string()))
}
