//! Searched parameters as summaries show them: numbers in their units, choices by their words.

use super::experiment::Experiment;
use super::summary::GeneSummary;
use crowdtune_core::registry::{Entry, Param};
use crowdtune_search::{Axis, Gene};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// The constant or trait that a gene stands for.
pub fn param(experiment: &Experiment, gene: &Gene) -> Option<&'static Param> {
    let key = gene.key.rsplit('.').next().unwrap_or(&gene.key);
    model(experiment, &gene.key).params.iter().chain(TRAITS).find(|p| p.key == key)
}

/// The key of a gene as `--set` takes it: constants of the whole file are called without their table.
pub fn in_file(key: &str) -> String {
    match key.split('.').next() {
        Some("people" | "scenario") => key.to_owned(),
        _ => format!("parameters.{key}"),
    }
}

/// The model whose constant a dotted key names: the one in front of it (`rvo.time_horizon_s`), that of the group, that of the file.
fn model(experiment: &Experiment, key: &str) -> &'static Entry<MakeModel> {
    let path: Vec<&str> = key.split('.').collect();
    let named = match path[..] {
        [.., name, _] => experiment.models().into_iter().find(|model| model.name == name),
        _ => None,
    };
    let of_group = || match path[..] {
        ["scenario", table, "group", name, "parameters", _] => {
            let cases = experiment.cases.iter().filter(|case| case.table == table);
            let mut groups = cases.flat_map(|case| case.scenario.groups.iter().zip(&case.groups));
            groups.find(|(group, _)| group.name == name).map(|(_, binding)| binding.steered_by)
        }
        _ => None,
    };
    named.or_else(of_group).unwrap_or(experiment.model)
}

/// A gene with its default and its tuned value, which has this coordinate.
pub(super) fn gene(
    experiment: &Experiment,
    index: usize,
    (default, tuned): (f64, f64),
    coordinate: f64,
) -> GeneSummary {
    let gene = &experiment.space.genes[index];
    let param = param(experiment, gene);
    let (low, high, log, choices, default, tuned, at_bound) = match &gene.axis {
        Axis::Real { low, high, log } => {
            (*low, *high, *log, vec![], default, tuned, !(0.01..=0.99).contains(&coordinate))
        }
        Axis::Integer { low, high } => {
            let (low, high) = (*low as f64, *high as f64);
            (low, high, false, vec![], default, tuned, tuned <= low || tuned >= high)
        }
        Axis::Choice(values) => {
            let words = values.iter().map(|&v| word(param, v)).collect();
            let last = values.len().saturating_sub(1) as f64;
            (0.0, last, false, words, place(values, default), place(values, tuned), false)
        }
    };
    GeneSummary {
        key: gene.key.clone(),
        symbol: param.map_or("", |p| p.symbol).to_string(),
        unit: param.map_or("", |p| p.unit).to_string(),
        low,
        high,
        log,
        choices,
        default,
        tuned,
        at_bound,
    }
}

/// A choice as the file writes it.
fn word(param: Option<&Param>, value: f64) -> String {
    param.map_or_else(|| value.to_string(), |p| p.written(value).to_string())
}

/// Decoded values as the summary shows them: of a choice its index.
pub(super) fn shown(experiment: &Experiment, values: &[f64]) -> Vec<f64> {
    let one = |(gene, &value): (&Gene, &f64)| match &gene.axis {
        Axis::Choice(values) => place(values, value),
        _ => value,
    };
    experiment.space.genes.iter().zip(values).map(one).collect()
}

/// The index of a value, 0 where it is none of them.
fn place(values: &[f64], value: f64) -> f64 {
    values.iter().position(|v| *v == value).unwrap_or(0) as f64
}
