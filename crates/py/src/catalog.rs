//! What an experiment can name.

use crowdtune::Registry;
use crowdtune::core::registry::{List, Param};
use pyo3::prelude::*;

/// A constant: key, unit, what is accepted, meaning, source.
type Constant = (&'static str, &'static str, String, &'static str, &'static str);

/// A thing: name, meaning, source, constants.
type Thing = (&'static str, &'static str, &'static str, Vec<Constant>);

fn things<F>(list: &List<F>) -> Vec<Thing> {
    let constant = |p: &Param| (p.key, p.unit, p.allowed(), p.doc, p.source);
    list.iter().map(|e| (e.name, e.doc, e.source, e.params.iter().map(constant).collect())).collect()
}

/// All things of a kind that come with crowdtune; `None` if there is no such kind.
#[pyfunction]
pub fn catalog(kind: &str) -> Option<Vec<Thing>> {
    let all = Registry::builtin();
    match kind {
        "models" => Some(things(&all.models)),
        "metrics" => Some(things(&all.metrics)),
        "scenarios" => Some(things(&all.scenarios)),
        "behaviors" => Some(things(&all.behaviors)),
        "optimizers" => Some(things(&all.optimizers)),
        "exporters" => Some(things(&all.exporters)),
        _ => None,
    }
}
