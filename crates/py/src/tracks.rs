//! The metrics of simulations on arrays of tracks.

use crate::error::{raise, wrong};
use crate::simulate::table;
use crowdtune::Registry;
use crowdtune::evolve::config::asked;
use crowdtune::sim::crowd::recording::{Known, Recording, Row, Unit};
use crowdtune::sim::metrics::recorded::{Request, Staging};
use crowdtune::sim::metrics::{Place, recorded};
use crowdtune::sim::vec2;
use crowdtune::tracks;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What a metric gives: its value, its unit, the samples behind it, and the table behind it with the names of its columns.
type Measured<'py> =
    (Option<f64>, &'static str, Bound<'py, PyArray1<f64>>, Vec<&'static str>, Option<Bound<'py, PyArray2<f64>>>);

/// Columns of tracks.
type Columns<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Measures tracks: columns of person, frame, x and y in meters.
#[pyfunction]
#[pyo3(signature = (id, frame, x, y, fps, metric, at=None, geometry=None, radius_m=None, every_s=None, window=None, settings=Vec::new(), periodic=None))]
pub fn measure<'py>(
    py: Python<'py>,
    id: PyReadonlyArray1<'py, i64>,
    frame: PyReadonlyArray1<'py, i64>,
    x: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    fps: f64,
    metric: &str,
    at: Option<&str>,
    geometry: Option<&str>,
    radius_m: Option<f64>,
    every_s: Option<f64>,
    window: Option<&str>,
    settings: Vec<(String, String)>,
    periodic: Option<&str>,
) -> PyResult<(Measured<'py>, Vec<String>)> {
    let registry = Registry::builtin();
    let entry = registry.metrics.get(metric).map_err(raise)?;
    asked::all_known(&settings, &[entry]).map_err(raise)?;
    for (name, value) in [("radius_m", radius_m), ("every_s", every_s)] {
        if let Some(value) = value.filter(|x| !(x.is_finite() && *x > 0.0)) {
            return Err(wrong(format!("{name} is {value}; allowed: above 0")));
        }
    }
    let place: Option<Place> = at.map(asked::place).transpose().map_err(raise)?;
    let request = Request {
        entry,
        at: place,
        window: window.map_or(Ok(entry.make.window), |text| asked::window(text, entry)).map_err(raise)?,
        settings: asked::settings(&settings, entry).map_err(raise)?,
    };
    let (id, frame, x, y) = (id.as_array(), frame.as_array(), x.as_array(), y.as_array());
    if [frame.len(), x.len(), y.len()].iter().any(|n| *n != id.len()) {
        return Err(wrong("id, frame, x and y have different lengths"));
    }
    let row = |at: usize| Row { id: id[at], frame: frame[at], pos: vec2(x[at], y[at]), line: at + 1 };
    let rows: Vec<Row> = (0..id.len()).map(row).collect();
    let measured = py.detach(|| {
        let recording = Recording::of(fps, rows)?;
        let shapes = geometry.map(tracks::geometry).transpose()?.unwrap_or_default();
        let plan = tracks::plan(&recording, shapes, periodic)?;
        let odd = recording.oddities(|a, b| plan.periodic.apart(a, b))?;
        let staging = Staging { plan, radius_m, every_s };
        recorded::measure(&recording, staging, &[request], &mut |_, _| ()).map(|all| (all, odd))
    });
    let (all, odd) = measured.map_err(raise)?;
    let metric = all.first().ok_or_else(|| wrong("nothing was measured"))?;
    let behind = metric.table();
    let value = metric.value().filter(|x| x.is_finite());
    let columns = behind.as_ref().map_or_else(Vec::new, |table| table.columns.to_vec());
    let rows = behind.map(|t| table(py, &t.rows, t.columns.len())).transpose()?;
    Ok(((value, entry.make.unit, PyArray1::from_vec(py, metric.samples()), columns, rows), odd))
}

/// Reads a file of tracks: rows of text as PedPy has them, or a database of JuPedSim; meters, frames per second, and the area as WKT.
#[pyfunction]
#[pyo3(signature = (path, fps=None, unit=None, columns=None))]
pub fn read_tracks<'py>(
    py: Python<'py>,
    path: PathBuf,
    fps: Option<f64>,
    unit: Option<&str>,
    columns: Option<Vec<String>>,
) -> PyResult<(Columns<'py>, f64, Option<String>)> {
    let unit = match unit {
        None => None,
        Some("m") => Some(Unit::M),
        Some("cm") => Some(Unit::Cm),
        Some(other) => return Err(wrong(format!("unit is `{other}`; allowed: m, cm"))),
    };
    let known = Known { fps, unit, columns };
    let (recording, shapes) = py.detach(|| tracks::read(&path, &known)).map_err(raise)?;
    let (mut id, mut frame, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for moment in &recording.moments {
        for (person, p) in moment.ids.iter().zip(&moment.positions) {
            id.push(recording.names[*person as usize]);
            frame.push(moment.frame);
            x.push(p.x);
            y.push(p.y);
        }
    }
    let columns = (
        PyArray1::from_vec(py, id),
        PyArray1::from_vec(py, frame),
        PyArray1::from_vec(py, x),
        PyArray1::from_vec(py, y),
    );
    let area = shapes.filter(|s| !s.polygons.is_empty()).map(|s| crowdtune::wkt::areas(&s.polygons));
    Ok((columns, recording.fps, area))
}
