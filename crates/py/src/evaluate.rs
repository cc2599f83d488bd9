//! Candidates in, measured values out, as arrays.

use crate::error::{raise, wrong};
use crate::experiment::{Experiment, rows};
use crate::work::{interruptible, pool};
use crowdtune::Experiment as Checked;
use crowdtune::evolve::evaluate::{Evaluate as _, Pool, Serial};
use crowdtune::limits;
use crowdtune::search::{Outcome, Purpose, Question, Trial};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// What an evaluation gives: values `[n, scenario, replica, column]`, objectives `[n, objective]`, violations, places on the axes of
/// an atlas, and why a candidate failed.
pub type Answers<'py> = (
    Bound<'py, PyArray4<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Vec<Option<String>>,
);

/// A purpose by the word that logs have for it.
pub fn purpose(word: &str) -> PyResult<Purpose> {
    serde_json::from_value(word.into())
        .map_err(|_| wrong(format!("purpose is `{word}`; allowed: search, select, report, baseline, profile")))
}

/// The word that logs have for a purpose.
#[cfg(feature = "folder")]
pub fn word(purpose: Purpose) -> String {
    serde_json::to_value(purpose).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Simulates candidates. `replicas` is a range of replicas as the log has it; `count` sets how many each scenario has.
#[pyfunction]
#[pyo3(signature = (experiment, genomes, purpose, replicas=None, count=None, seed=None, threads=0))]
pub fn evaluate<'py>(
    py: Python<'py>,
    experiment: &Experiment,
    genomes: PyReadonlyArray2<'py, f64>,
    purpose: &str,
    replicas: Option<(u32, u32)>,
    count: Option<u32>,
    seed: Option<u64>,
    threads: usize,
) -> PyResult<Answers<'py>> {
    let asked = self::purpose(purpose)?;
    let other = experiment.inner.with_runs(seed, count);
    let experiment: &Checked = other.as_ref().unwrap_or(&experiment.inner);
    let replicas = range(experiment, asked, replicas, count)?;
    let mut refused = Vec::new();
    let mut questions = Vec::new();
    for row in rows(&genomes, experiment.space.genes.len())? {
        let why = outside(experiment, row);
        if why.is_none() {
            questions.push(Question { purpose: asked, genome: row.to_vec(), replicas: replicas.clone() });
        }
        refused.push(why);
    }
    let mut trials = answered(py, experiment, &questions, threads)?.into_iter();
    let answer = |why: Option<String>| match why {
        Some(why) => Err(why),
        None => Ok(trials.next().expect("an evaluation gives a trial for each question")),
    };
    let all: Vec<Result<Trial, String>> = refused.into_iter().map(answer).collect();
    arrays(py, experiment, &all)
}

/// The replicas of a question.
fn range(
    experiment: &Checked,
    purpose: Purpose,
    replicas: Option<(u32, u32)>,
    count: Option<u32>,
) -> PyResult<Range<u32>> {
    let usual = match purpose {
        Purpose::Search | Purpose::Profile => experiment.replicas(),
        Purpose::Select => experiment.search.select_replicas,
        Purpose::Report | Purpose::Baseline => experiment.search.report_replicas,
    };
    let (first, end) = replicas.unwrap_or((0, count.unwrap_or(usual)));
    if first >= end {
        return Err(wrong(format!("replicas go from {first} to {end}; allowed: the end above the first")));
    }
    limits::REPLICAS.check((end - first).into(), &format!("{first} to {end}")).map_err(raise)?;
    Ok(first..end)
}

/// Why a genome cannot be evaluated.
fn outside(experiment: &Checked, genome: &[f64]) -> Option<String> {
    let at = genome.iter().position(|u| !(0.0..=1.0).contains(u))?;
    let key = &experiment.space.genes[at].key;
    Some(format!("the coordinate of `{key}` is {}, and coordinates go from 0 to 1", genome[at]))
}

/// The trials of questions; a single run is done in this thread, because waking others takes as long.
fn answered(py: Python<'_>, experiment: &Checked, questions: &[Question], threads: usize) -> PyResult<Vec<Trial>> {
    let never = AtomicBool::new(false);
    let mut trials = Vec::with_capacity(questions.len());
    let keep = &mut |trial| {
        trials.push(trial);
        Ok(())
    };
    let runs = questions.first().map_or(0, |q| q.replicas.len() * experiment.cases.len()) * questions.len();
    let done = match runs {
        0 => Ok(()),
        1 => py.detach(|| Serial::new(experiment, &never).evaluate(questions, 0, keep)),
        _ => {
            let pool = pool(threads)?;
            interruptible(py, &never, || Pool::on(experiment, pool, &never).evaluate(questions, 0, keep))?
        }
    };
    done.map_err(raise)?;
    Ok(trials)
}

/// Trials as arrays; NaN where there is no value.
pub fn arrays<'py>(py: Python<'py>, experiment: &Checked, trials: &[Result<Trial, String>]) -> PyResult<Answers<'py>> {
    let (cases, columns) = (experiment.cases.len(), experiment.columns.len());
    let known = || trials.iter().flatten();
    let replicas = known().flat_map(|trial| trial.values.iter().map(Vec::len)).max().unwrap_or(0);
    let mut values = vec![f64::NAN; trials.len() * cases * replicas * columns];
    let (many, axes) = (experiment.objectives.len(), experiment.atlas.len());
    let mut objectives = vec![f64::NAN; trials.len() * many];
    let mut measures = vec![f64::NAN; trials.len() * axes];
    let mut violation = vec![f64::NAN; trials.len()];
    let mut failed = Vec::with_capacity(trials.len());
    for (row, trial) in trials.iter().enumerate() {
        let trial = match trial {
            Ok(trial) => trial,
            Err(why) => {
                failed.push(Some(why.clone()));
                continue;
            }
        };
        for (case, of_case) in trial.values.iter().enumerate().take(cases) {
            for (replica, of_replica) in of_case.iter().enumerate() {
                let from = ((row * cases + case) * replicas + replica) * columns;
                for (to, value) in values[from..from + columns].iter_mut().zip(of_replica) {
                    *to = value.unwrap_or(f64::NAN);
                }
            }
        }
        let put = |to: &mut [f64], given: &[f64]| to.iter_mut().zip(given).for_each(|(to, x)| *to = *x);
        put(&mut objectives[row * many..(row + 1) * many], &trial.objectives);
        put(&mut measures[row * axes..(row + 1) * axes], &trial.measures);
        failed.push(match &trial.outcome {
            Outcome::Done => {
                violation[row] = trial.violation;
                None
            }
            Outcome::Failed(why) => Some(why.clone()),
        });
    }
    Ok((
        PyArray1::from_vec(py, values).reshape([trials.len(), cases, replicas, columns])?,
        PyArray1::from_vec(py, objectives).reshape([trials.len(), many])?,
        PyArray1::from_vec(py, violation),
        PyArray1::from_vec(py, measures).reshape([trials.len(), axes])?,
        failed,
    ))
}
