//! A metric written in Python.

use super::fail;
use super::model::points;
use crate::error::wrong;
use crowdtune::core::registry::Entry;
use crowdtune::sim::metrics::{MakeMetric, Metric, Need, Seen, Spec, averaged};
use crowdtune::sim::world::scenario::Scenario;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

pub fn entry(
    name: &'static str,
    doc: &'static str,
    unit: &'static str,
    needs: &[String],
    measure: Py<PyAny>,
) -> PyResult<Entry<MakeMetric>> {
    let needs: Vec<Need> = needs.iter().map(|word| need(word)).collect::<PyResult<_>>()?;
    let needs: &'static [Need] = needs.leak();
    let measure = Arc::new(measure);
    let make = move |spec: &Spec, scenario: &Scenario| -> Box<dyn Metric> {
        let measure = measure.clone();
        averaged(
            move |seen| Python::attach(|py| number(py, &measure, seen, needs)).unwrap_or_else(|error| fail(&error)),
            spec,
            scenario,
        )
    };
    let make = MakeMetric::new(Box::leak(Box::new(make)), unit).needs(needs);
    Ok(Entry { name, doc, source: "written in Python", params: &[], make })
}

fn need(word: &str) -> PyResult<Need> {
    match word {
        "radius" => Ok(Need::Radius),
        "velocity" => Ok(Need::Velocity),
        "pressure" => Ok(Need::Pressure),
        "desired" => Ok(Need::Desired),
        _ => Err(wrong(format!("needs has `{word}`; allowed: radius, velocity, pressure, desired"))),
    }
}

/// What Python makes of a sample.
fn number(py: Python<'_>, measure: &Py<PyAny>, seen: &Seen<'_>, needs: &[Need]) -> PyResult<Option<f64>> {
    let sample = PyDict::new(py);
    sample.set_item("time_s", seen.time_s)?;
    sample.set_item("id", PyArray1::from_iter(py, seen.ids().iter().map(|id| i64::from(*id))))?;
    sample.set_item("group", PyArray1::from_iter(py, seen.groups().iter().map(|g| i64::from(*g))))?;
    sample.set_item("position", points(py, seen.positions())?)?;
    for need in needs {
        match need {
            Need::Radius => sample.set_item("radius", PyArray1::from_slice(py, seen.radii()))?,
            Need::Velocity => sample.set_item("velocity", points(py, seen.velocities())?)?,
            Need::Pressure => sample.set_item("pressure", PyArray1::from_slice(py, seen.pressures()))?,
            Need::Desired => sample.set_item("desired", points(py, seen.desired())?)?,
            _ => {}
        }
    }
    measure.call1(py, (sample,))?.extract(py)
}
