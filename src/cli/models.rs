//! `--models`: which of them, and each in the place of an experiment's own.

use crate::evolve::experiment::Experiment;
use crate::registry::Registry;
use crate::track_fit::searched;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_search::{Axis, Prior};
use crowdtune_sim::models::MakeModel;
use std::fmt::Write as _;

/// The models of these names, and whether these are all that there are: `all`.
///
/// # Errors
/// A name that no model has.
pub fn named(registry: &Registry, names: &[String]) -> Result<(Vec<&'static Entry<MakeModel>>, bool), Error> {
    if names.iter().any(|name| name == "all") {
        return Ok((registry.models.iter().copied().collect(), true));
    }
    let mut models: Vec<&'static Entry<MakeModel>> = Vec::new();
    for name in names {
        let known = registry.models.get(name);
        let model = known.map_err(|e| e.key("--models").help("`crowdtune list models` shows them; `all` takes all"))?;
        if models.iter().all(|other| other.name != model.name) {
            models.push(model);
        }
    }
    Ok((models, false))
}

/// What replaces values of an experiment's file so that another model stands in the place of its own. Unknown of that are the constants that a crowd
/// can tell, in the ranges of the list; those that the file asks about too keep its range and prior.
///
/// # Errors
/// If groups of the experiment have models of their own.
pub fn in_place(experiment: &Experiment, model: &Entry<MakeModel>) -> Result<Vec<(String, String)>, Error> {
    if experiment.models().len() > 1 {
        return Err(Error::input("groups of the experiment have models of their own")
            .key("--models")
            .help("write a file for each choice of models, and compare the posteriors with `crowdtune compare`"));
    }
    if experiment.model.name == model.name {
        return Ok(Vec::new());
    }
    let mut table = String::from("{ ");
    for (param, (low, high), log) in searched(model, &[]) {
        let mut asked = experiment.space.genes.iter().zip(&experiment.priors);
        let own = asked.find(|(gene, _)| gene.key == param.key);
        let words = own.and_then(|(gene, prior)| words(&gene.axis, *prior));
        let words = words.unwrap_or_else(|| format!("{{ range = [{low:?}, {high:?}], log = {log} }}"));
        let _ = write!(table, "{} = {words}, ", param.key);
    }
    table.truncate(table.trim_end_matches(", ").len());
    Ok(vec![("model".into(), model.name.into()), ("parameters".into(), table + " }")])
}

/// A range and a prior as a file has them; `None` for what is no real number.
fn words(axis: &Axis, prior: Prior) -> Option<String> {
    let Axis::Real { low, high, log } = *axis else { return None };
    let prior = match prior {
        Prior::Uniform => String::new(),
        Prior::Normal { mean, sd } => format!(", prior = {{ normal = [{mean:?}, {sd:?}] }}"),
        Prior::LogNormal { mean, sd } => format!(", prior = {{ log_normal = [{mean:?}, {sd:?}] }}"),
        Prior::Beta { a, b } => format!(", prior = {{ beta = [{a:?}, {b:?}] }}"),
    };
    Some(format!("{{ range = [{low:?}, {high:?}], log = {log}{prior} }}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::experiment::no_files;

    const TEXT: &str = "model = \"orca\"\n\
        parameters = { time_gap_s = { range = [0.5, 2.0], prior = { normal = [1.0, 0.25] } }, margin_m = { range = [0.0, 0.05] } }\n\
        scenario.room = { kind = \"room\", count = 3 }\n\
        target.time = { metric = \"evacuation_time_95_s\", equals = 5.0, tolerance = 1.0 }\n";

    #[test]
    fn another_model_has_its_own_constants_and_those_of_the_file() {
        let registry = Registry::builtin();
        let load =
            |sets: &[(String, String)]| Experiment::load(&registry, TEXT, "x.toml", sets, &mut no_files).unwrap();
        let own = load(&[]);
        assert!(in_place(&own, own.model).unwrap().is_empty());
        for model in registry.models.iter() {
            let other = load(&in_place(&own, model).unwrap());
            assert_eq!(other.model.name, model.name);
            assert_eq!(other.space.genes.len(), if model.name == "orca" { 2 } else { searched(model, &[]).len() });
        }
        let speed = load(&in_place(&own, registry.models.get("collision_free_speed").unwrap()).unwrap());
        let at = speed.space.genes.iter().position(|gene| gene.key == "time_gap_s").unwrap();
        assert_eq!(speed.priors[at], Prior::Normal { mean: 1.0, sd: 0.25 });
        assert_eq!(speed.space.genes[at].axis, Axis::Real { low: 0.5, high: 2.0, log: false });
    }
}
