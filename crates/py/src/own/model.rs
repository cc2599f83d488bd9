//! A model written in Python.

use super::fail;
use crate::simulate::walls;
use crowdtune::core::registry::{Entry, Param, Settings};
use crowdtune::sim::crowd::{Steering, Update, View};
use crowdtune::sim::models::{MakeModel, ModelSetup, Symmetry};
use crowdtune::sim::{Vec2, vec2};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why nobody else steers people beside it.
const ALONE: &str = "a model written in Python sees only the people it steers";

pub fn entry(
    name: &'static str,
    doc: &'static str,
    params: &'static [Param],
    (time_step_s, reach_m): (f64, f64),
    make: Py<PyAny>,
) -> Entry<MakeModel> {
    let make = move |_: &ModelSetup<'_>, settings: &[Settings<'_>]| -> Box<dyn Steering> {
        let made = Python::attach(|py| {
            let constants = PyDict::new(py);
            for param in params {
                constants.set_item(param.key, settings.first().map(|s| s.get(param.key)))?;
            }
            make.call1(py, (constants,))
        });
        Box::new(Own { steer: made.unwrap_or_else(|error| fail(&error)), reach_m })
    };
    let make = MakeModel {
        make: Box::leak(Box::new(make)),
        fits: |_, _| Ok(()),
        time_step_s,
        max_time_step_s: time_step_s,
        person_step_s: 1e-6,
        integrator: "its own, in Python",
        alone: Some(ALONE),
        mirror: Symmetry::Statistically("that depends on its author"),
        renumber: Symmetry::Statistically("that depends on its author"),
    };
    Entry { name, doc, source: "written in Python", params, make }
}

/// What Python made for a run.
struct Own {
    steer: Py<PyAny>,
    reach_m: f64,
}

impl Own {
    fn step(&self, py: Python<'_>, view: &View<'_>, next: &mut Update<'_>) -> PyResult<()> {
        let crowd = view.crowd;
        let seen = PyDict::new(py);
        seen.set_item("time_s", view.step as f64 * view.dt)?;
        seen.set_item("dt_s", view.dt)?;
        seen.set_item("id", PyArray1::from_iter(py, crowd.id.iter().map(|id| i64::from(*id))))?;
        seen.set_item("group", PyArray1::from_iter(py, crowd.group.iter().map(|g| i64::from(*g))))?;
        seen.set_item("position", points(py, &crowd.pos)?)?;
        seen.set_item("velocity", points(py, &crowd.vel)?)?;
        seen.set_item("desired", points(py, view.desired)?)?;
        seen.set_item("radius", PyArray1::from_slice(py, &crowd.radius))?;
        seen.set_item("desired_speed", PyArray1::from_slice(py, &crowd.desired_speed))?;
        seen.set_item("walls", walls(py, &view.world.plan.walls)?)?;
        let said = self.steer.call1(py, (seen,))?;
        let said: PyReadonlyArray2<'_, f64> = said.extract(py).map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(
                "a model has to return velocities as an array of floats, one row (x, y) a person",
            )
        })?;
        if said.shape() != [crowd.len(), 2] {
            let what = format!("a model returned {:?} velocities for {} people", said.shape(), crowd.len());
            return Err(pyo3::exceptions::PyValueError::new_err(what));
        }
        let said = said.as_array();
        for (row, vel) in next.vel.iter_mut().enumerate() {
            *vel = vec2(said[[row, 0]], said[[row, 1]]);
        }
        Ok(())
    }
}

impl Steering for Own {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        Python::attach(|py| self.step(py, view, next)).unwrap_or_else(|error| fail(&error));
    }

    fn reach_m(&self) -> f64 {
        self.reach_m
    }
}

/// Points as an array `[n, 2]`.
pub fn points<'py>(py: Python<'py>, points: &[Vec2]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let flat = PyArray1::from_iter(py, points.iter().flat_map(|p| [p.x, p.y]));
    flat.reshape([points.len(), 2])
}
