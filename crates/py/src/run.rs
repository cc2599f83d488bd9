//! Run folders: read as arrays, and taken to other tools.

use crate::error::{raise, wrong};
use crate::evaluate::{Answers, arrays, word};
use crate::experiment::Experiment;
use crate::own;
use crowdtune::Registry;
use crowdtune::core::registry::List;
use crowdtune::evolve::Results;
use crowdtune::evolve::run::Finished;
use crowdtune::folder::{self, Taken};
use crowdtune::limits;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// The rows of a log: the experiment, ids, purposes, genomes, replicas `[first, end]`, and the answers.
type Rows<'py> = (
    Experiment,
    Bound<'py, PyArray1<i64>>,
    Vec<String>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<i64>>,
    Answers<'py>,
);

/// Reads the experiment and the log of a run folder.
#[pyfunction]
#[pyo3(signature = (path, registry=None))]
pub fn read_run<'py>(py: Python<'py>, path: PathBuf, registry: Option<&own::Registry>) -> PyResult<Rows<'py>> {
    let added = registry;
    let registry = registry.map_or_else(Registry::builtin, own::Registry::snapshot);
    let (experiment, log) = py.detach(|| folder::read_run(&registry, &path)).map_err(raise)?;
    let trials = log.trials;
    let ids = trials.iter().map(|trial| trial.id as i64).collect();
    let purposes = trials.iter().map(|trial| word(trial.question.purpose)).collect();
    let genomes: Vec<f64> = trials.iter().flat_map(|trial| trial.question.genome.iter().copied()).collect();
    let ends = trials.iter().flat_map(|trial| [&trial.question.replicas.start, &trial.question.replicas.end]);
    let ends: Vec<i64> = ends.map(|end| i64::from(*end)).collect();
    let shape = [trials.len(), experiment.space.genes.len()];
    let rows = trials.len();
    let trials: Vec<_> = trials.into_iter().map(Ok).collect();
    let answers = arrays(py, &experiment, &trials)?;
    Ok((
        Experiment::of_run(experiment, registry, added),
        PyArray1::from_vec(py, ids),
        purposes,
        PyArray1::from_vec(py, genomes).reshape(shape)?,
        PyArray1::from_vec(py, ends).reshape([rows, 2])?,
        answers,
    ))
}

/// The genome that a run folder recommends. It need not be in the log of the search: the published constants, or a point that an
/// optimizer proposed at the end.
#[pyfunction]
#[pyo3(signature = (path, registry=None))]
pub fn recommended<'py>(
    py: Python<'py>,
    path: PathBuf,
    registry: Option<&own::Registry>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let registry = registry.map_or_else(Registry::builtin, own::Registry::snapshot);
    let genome = py.detach(|| {
        let (experiment, log) = folder::read_run(&registry, &path)?;
        let run = Finished::of(&experiment, log);
        Ok(Results::new(&experiment, &run).recommended().to_vec())
    });
    Ok(PyArray1::from_vec(py, genome.map_err(raise)?))
}

/// A file that an exporter gives: its name and its bytes.
type Files<'py> = Vec<(String, Bound<'py, PyBytes>)>;

/// The files of an exporter for a run folder or a preset, and what it had to leave out.
#[pyfunction]
#[pyo3(signature = (source, tool, pick=None, seeds=1, force=false))]
pub fn export_run<'py>(
    py: Python<'py>,
    source: PathBuf,
    tool: &str,
    pick: Option<u64>,
    seeds: u32,
    force: bool,
) -> PyResult<(Files<'py>, Vec<String>)> {
    limits::REPLICAS.check(seeds.into(), &seeds.to_string()).map_err(raise)?;
    let registry = Registry::builtin();
    let entry = List::get(&registry.exporters, tool).map_err(raise)?;
    let taken = Taken { pick, seeds, force };
    if pick.is_some() && !source.is_dir() {
        return Err(wrong("pick= chooses among the evaluations of a run folder, and this is a preset"));
    }
    let export = py.detach(|| match source.is_dir() {
        true => folder::export_run(&registry, &source, entry, taken),
        false => folder::export_preset(&registry, &source, entry, taken),
    });
    let export = export.map_err(raise)?;
    let files = export.files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes)));
    Ok((files.collect(), export.warnings))
}
