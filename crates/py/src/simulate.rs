//! One run, recorded.

use crate::error::raise;
use crate::evaluate::purpose;
use crate::experiment::{Experiment, rows};
use crowdtune::core::math::rng::Seed;
use crowdtune::evolve::evaluate::{run_recorded, run_seed};
use crowdtune::sim::crowd::Trajectory;
use crowdtune::sim::world::scenario::Segment;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Simulates one scenario with the first genome, and gives where everybody was, what was measured, and the tables behind it.
#[pyfunction]
#[pyo3(signature = (experiment, genome, case, purpose, replica, seed=None))]
pub fn simulate<'py>(
    py: Python<'py>,
    experiment: &Experiment,
    genome: PyReadonlyArray2<'py, f64>,
    case: usize,
    purpose: &str,
    replica: u32,
    seed: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let experiment = &*experiment.inner;
    let genes =
        rows(&genome, experiment.space.genes.len())?.next().map_or_else(Vec::new, |row| experiment.space.decode(row));
    let case = case.min(experiment.cases.len().saturating_sub(1));
    let of_run = run_seed(experiment.search.seed, self::purpose(purpose)?, &experiment.cases[case].table, replica);
    let of_run = seed.map_or(of_run, Seed);
    let recording = py.detach(|| run_recorded(experiment, case, &genes, of_run)).map_err(raise)?;
    let said = track(py, &recording.track)?;
    let values: Vec<f64> = recording.values.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
    said.set_item("values", PyArray1::from_vec(py, values))?;
    let tables = PyDict::new(py);
    for (column, table) in &recording.tables {
        let array = self::table(py, &table.rows, table.columns.len())?;
        tables.set_item(&experiment.columns[*column].name, (table.columns.to_vec(), array))?;
    }
    said.set_item("tables", tables)?;
    let health = &recording.health;
    said.set_item("end_s", health.end_s)?;
    said.set_item("people_left", health.people_left)?;
    said.set_item("top_speed_m_per_s", health.top_speed_m_per_s)?;
    said.set_item("agent_steps", health.agent_steps)?;
    #[cfg(feature = "folder")]
    {
        let scenario = &experiment.cases[case].scenario;
        said.set_item("area", crowdtune::export::walkable_area(&recording.track, scenario))?;
    }
    said.set_item("walls", walls(py, &experiment.cases[case].scenario.world.plan.walls)?)?;
    let groups = experiment.cases[case].scenario.groups.iter().map(|group| group.name.clone());
    said.set_item("groups", groups.collect::<Vec<_>>())?;
    Ok(said)
}

/// A track as columns, one row for each person and frame.
fn track<'py>(py: Python<'py>, track: &Trajectory) -> PyResult<Bound<'py, PyDict>> {
    let people: usize = track.frames.iter().map(|frame| frame.id.len()).sum();
    let (mut id, mut frames) = (Vec::with_capacity(people), Vec::with_capacity(people));
    let (mut x, mut y) = (Vec::with_capacity(people), Vec::with_capacity(people));
    for (number, frame) in (0_i64..).zip(&track.frames) {
        id.extend(frame.id.iter().map(|id| i64::from(*id)));
        frames.extend(frame.id.iter().map(|_| number));
        x.extend(frame.pos.iter().map(|p| p.x));
        y.extend(frame.pos.iter().map(|p| p.y));
    }
    let said = PyDict::new(py);
    said.set_item("every_s", track.every_s)?;
    said.set_item("frames", track.frames.len())?;
    said.set_item("id", PyArray1::from_vec(py, id))?;
    said.set_item("frame", PyArray1::from_vec(py, frames))?;
    said.set_item("x", PyArray1::from_vec(py, x))?;
    said.set_item("y", PyArray1::from_vec(py, y))?;
    said.set_item("radius", PyArray1::from_vec(py, track.radius.clone()))?;
    said.set_item("group", PyArray1::from_vec(py, track.group.iter().map(|g| i64::from(*g)).collect()))?;
    let left = track.left_s.iter().map(|left| left.unwrap_or(f64::NAN)).collect();
    said.set_item("left_s", PyArray1::from_vec(py, left))?;
    Ok(said)
}

/// Pieces of wall as an array `[n, end, x and y]`.
pub fn walls<'py>(py: Python<'py>, walls: &[Segment]) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let ends = walls.iter().flat_map(|wall| [wall.a.x, wall.a.y, wall.b.x, wall.b.y]);
    PyArray1::from_iter(py, ends).reshape([walls.len(), 2, 2])
}

/// Rows of numbers as an array.
pub fn table<'py>(py: Python<'py>, rows: &[Vec<f64>], width: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, rows.concat()).reshape([rows.len(), width])
}
