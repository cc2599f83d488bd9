//! The native half of the Python package `crowdtune`: experiments, evaluations, optimizers, run folders, tracks as arrays.
//!
//! What people see is written in Python (`python/crowdtune`); here are thin wrappers. Nothing in this crate computes anything that
//! the library does not, and whatever Python hands over is checked before it is used.
// The arguments of a function in Python are keywords.
#![expect(clippy::too_many_arguments)]

mod catalog;
mod error;
mod evaluate;
#[cfg(feature = "folder")]
mod evolve;
mod experiment;
mod optimizer;
mod own;
#[cfg(feature = "folder")]
mod run;
mod simulate;
#[cfg(feature = "folder")]
mod tracks;
mod work;

use pyo3::prelude::*;

/// The module `crowdtune._native`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("InputError", py.get_type::<error::InputError>())?;
    module.add("MachineError", py.get_type::<error::MachineError>())?;
    module.add("NothingFoundError", py.get_type::<error::NothingFoundError>())?;
    module.add_class::<experiment::Experiment>()?;
    module.add_class::<optimizer::Optimizer>()?;
    module.add_class::<own::Registry>()?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog, module)?)?;
    #[cfg(feature = "folder")]
    {
        module.add_function(wrap_pyfunction!(evolve::evolve, module)?)?;
        module.add_function(wrap_pyfunction!(run::read_run, module)?)?;
        module.add_function(wrap_pyfunction!(run::recommended, module)?)?;
        module.add_function(wrap_pyfunction!(run::export_run, module)?)?;
        module.add_function(wrap_pyfunction!(tracks::measure, module)?)?;
        module.add_function(wrap_pyfunction!(tracks::read_tracks, module)?)?;
    }
    Ok(())
}
