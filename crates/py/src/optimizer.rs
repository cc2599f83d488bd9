//! Optimizers for functions of one's own, by ask and tell.

use crate::error::{raise, wrong};
use crowdtune::limits;
use crowdtune::search::{Answer, AskTell, Axis, Gene, Measure, Options, Rule, Space};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A gene: its key, what it is (`real`, `log`, `integer`, `choice`), its ends, and the stored values of a choice.
type Told = (String, String, f64, f64, Vec<f64>);

/// A part of a loss: what it is (`band`, `squares`), its ends, the unit of its loss, and its weight.
type ToldPart = (String, f64, f64, f64, f64);

/// Points, one a row.
type Points<'py> = Bound<'py, PyArray2<f64>>;

/// A search on a function of somebody else.
#[pyclass(frozen, module = "crowdtune._native")]
pub struct Optimizer {
    search: Mutex<AskTell>,
    space: Space,
    objectives: usize,
    measures: usize,
    parts: usize,
}

/// Most whole numbers of an axis, so that each is exact.
const MOST_CELLS: f64 = (1_u64 << 50) as f64;

fn gene((key, kind, low, high, values): Told) -> PyResult<Gene> {
    let finite = low.is_finite() && high.is_finite() && (high - low).is_finite();
    let ends = || wrong(format!("`{key}` goes from {low} to {high}"));
    let axis = match kind.as_str() {
        "real" | "log" if finite => Axis::Real { low, high, log: kind == "log" },
        "integer" if finite && low.abs().max(high.abs()) <= MOST_CELLS => {
            Axis::Integer { low: low.ceil() as i64, high: high.floor() as i64 }
        }
        "real" | "log" | "integer" => return Err(ends()),
        "choice" if !values.is_empty() && values.iter().all(|x| x.is_finite()) => Axis::Choice(values),
        "choice" => return Err(wrong(format!("`{key}` has no choices"))),
        _ => return Err(wrong(format!("`{key}` is `{kind}`; allowed: real, log, integer, choice"))),
    };
    Ok(Gene { key, axis })
}

fn part((kind, low, high, unit, weight): ToldPart) -> PyResult<(Rule, f64)> {
    match kind.as_str() {
        "band" if low <= high && unit > 0.0 => Ok((Rule::Band { low, high, unit }, weight)),
        "squares" if low.is_finite() && unit > 0.0 => Ok((Rule::Squares { value: low, unit }, weight)),
        _ => {
            Err(wrong(format!("a part is `{kind}` from {low} to {high} with the unit {unit}; allowed: band, squares")))
        }
    }
}

#[pymethods]
impl Optimizer {
    #[new]
    #[pyo3(signature = (space, optimizer, seed, parallel, start, noisy, objectives, measures, parts, settings))]
    fn new(
        space: Vec<Told>,
        optimizer: Option<String>,
        seed: u64,
        parallel: u32,
        start: Vec<Vec<f64>>,
        noisy: Option<bool>,
        objectives: usize,
        measures: Vec<(f64, f64, u32)>,
        parts: Vec<ToldPart>,
        settings: Vec<(String, f64)>,
    ) -> PyResult<Self> {
        let space = Space { genes: space.into_iter().map(gene).collect::<PyResult<_>>()? };
        limits::DIMENSION.check(space.genes.len() as u64, &space.genes.len().to_string()).map_err(raise)?;
        if !(1..=limits::PARALLEL.most).contains(&u64::from(parallel)) {
            return Err(wrong(format!("parallel is {parallel}; allowed: 1 to {}", limits::PARALLEL.most)));
        }
        let measures: Vec<Measure> =
            measures.into_iter().map(|(low, high, cells)| Measure { low, high, cells }).collect();
        let parts: Vec<(Rule, f64)> = parts.into_iter().map(part).collect::<PyResult<_>>()?;
        let (count, values) = (measures.len(), parts.len());
        let parallel = parallel as usize;
        let options = Options { optimizer, seed, parallel, start, noisy, objectives, measures, parts, settings };
        let search = AskTell::new(space.clone(), &options).map_err(raise)?;
        Ok(Self { search: Mutex::new(search), space, objectives, measures: count, parts: values })
    }

    /// The next points as values, and the same as genomes.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<(Points<'py>, Points<'py>)> {
        let (points, genomes) = py.detach(|| {
            let mut search = self.search();
            (search.ask(), search.asked().iter().map(|q| q.genome.clone()).collect::<Vec<_>>())
        });
        Ok((self.table(py, points)?, self.table(py, genomes)?))
    }

    /// What the points are worth: objectives `[n, objective]`, violations, places on the axes, values of the parts; a row with NaN has failed.
    #[pyo3(signature = (objectives, violation=None, measures=None, values=None))]
    fn tell(
        &self,
        py: Python<'_>,
        objectives: PyReadonlyArray2<'_, f64>,
        violation: Option<PyReadonlyArray1<'_, f64>>,
        measures: Option<PyReadonlyArray2<'_, f64>>,
        values: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let objectives = objectives.as_array();
        let violation = violation.as_ref().map(PyReadonlyArray1::as_array);
        let measures = measures.as_ref().map(PyReadonlyArray2::as_array);
        let values = values.as_ref().map(PyReadonlyArray2::as_array);
        let rows = objectives.nrows();
        let width = measures.as_ref().map_or(0, |m| m.ncols());
        if objectives.ncols() != self.objectives || width != self.measures {
            return Err(wrong(format!(
                "{} objectives and {width} measures; allowed: {} and {}",
                objectives.ncols(),
                self.objectives,
                self.measures
            )));
        }
        if values.as_ref().is_some_and(|v| v.nrows() != rows || v.ncols() != self.parts) {
            return Err(wrong(format!("values are not [n, part]; allowed: {rows} rows of {}", self.parts)));
        }
        if violation.as_ref().is_some_and(|v| v.len() != rows) || measures.as_ref().is_some_and(|m| m.nrows() != rows) {
            return Err(wrong("objectives, violation and measures have different numbers of rows"));
        }
        if violation.as_ref().is_some_and(|v| v.iter().any(|x| *x < 0.0)) {
            return Err(wrong("a violation is below 0; allowed: 0 where a point is feasible, more where it is not"));
        }
        let answer = |row: usize| {
            Some(Answer {
                objectives: objectives.row(row).to_vec(),
                violation: violation.as_ref().map_or(0.0, |v| v[row]),
                measures: measures.as_ref().map_or_else(Vec::new, |m| m.row(row).to_vec()),
                values: values.as_ref().map_or_else(Vec::new, |v| v.row(row).to_vec()),
            })
        };
        let answers = (0..rows).map(answer).collect();
        py.detach(|| self.search().tell_answers(answers)).map_err(raise)
    }

    /// The best point that was told, and its first objective.
    fn best(&self) -> Option<(Vec<f64>, f64)> {
        self.search().best()
    }

    /// What the optimizer recommends, best first.
    fn recommended<'py>(&self, py: Python<'py>) -> PyResult<Points<'py>> {
        let points = py.detach(|| self.search().recommended());
        self.table(py, points)
    }

    /// The loss that is expected of a point under other random numbers.
    #[allow(clippy::needless_pass_by_value)]
    fn expected(&self, py: Python<'_>, point: Vec<f64>) -> PyResult<Option<f64>> {
        py.detach(|| self.search().expected(&point)).map_err(raise)
    }

    #[getter]
    fn told(&self) -> u64 {
        self.search().told()
    }
}

impl Optimizer {
    fn search(&self) -> MutexGuard<'_, AskTell> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table<'py>(&self, py: Python<'py>, points: Vec<Vec<f64>>) -> PyResult<Points<'py>> {
        PyArray1::from_vec(py, points.concat()).reshape([points.len(), self.space.genes.len()])
    }
}
