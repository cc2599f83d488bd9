//! From a run to its preset.

use super::shared::Shared;
use super::{FORMAT, OfGroup, Preset, PresetTarget, Provenance, Quantity};
use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::evolve::summary::Summary;
use crowdtune_core::registry::{Kind, Param};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The preset of a candidate, with what the summary says of it.
///
/// `parameters` and `people` hold what all groups of all scenarios have in common. Where groups differ in a constant or
/// trait, the value that was searched stands there, and each group that has another one is named in `groups`; without a
/// searched value all groups are named there and the key in `left_out`. What a group has differently in two scenarios
/// (an `each` over a trait) is in `left_out` only; an infinite value (no highest speed) has no JSON and is nowhere.
/// Whoever takes the preset keeps their own.
pub fn preset(experiment: &Experiment, summary: &Summary, genome: &[f64]) -> Preset {
    let genes = experiment.space.decode(genome);
    let named = experiment.cases.iter().flat_map(|case| case.scenario.groups.iter().zip(&case.groups));
    let groups: Vec<(&str, &GroupBinding)> = named.map(|(group, binding)| (group.name.as_str(), binding)).collect();
    let quantity = |param: &Param, value| (param.key.to_string(), Quantity { value, unit: param.unit.to_string() });

    let mut left_out = Vec::new();
    let mut own: BTreeMap<String, OfGroup> = BTreeMap::new();
    let mut parameters = BTreeMap::new();
    for (index, param) in experiment.model.params.iter().enumerate() {
        let value = |group: &GroupBinding| {
            let binding = group.model[index];
            (stored(param, binding.resolve(&genes)), matches!(binding, Binding::Gene(_)))
        };
        let shared = Shared::of(&groups, value);
        if shared.left_out {
            left_out.push(format!("parameters.{}", param.key));
        }
        parameters.extend(shared.all.map(|value| quantity(param, value)));
        for (name, value) in shared.own {
            own.entry(name.to_string()).or_default().parameters.extend([quantity(param, value)]);
        }
    }
    let mut people = BTreeMap::new();
    for (index, param) in TRAITS.iter().enumerate() {
        let value = |group: &GroupBinding| {
            let binding = group.people[index];
            (drawn(binding.resolve(&genes)), matches!(binding, TraitBinding::Gene(_)))
        };
        let shared = Shared::of(&groups, value);
        if shared.left_out {
            left_out.push(format!("people.{}", param.key));
        }
        people.extend(shared.all.map(|value| quantity(param, value)));
        for (name, value) in shared.own {
            own.entry(name.to_string()).or_default().people.extend([quantity(param, value)]);
        }
    }

    let wanted = experiment.targets().map(|(index, _)| &summary.targets[index]);
    Preset {
        format: FORMAT,
        crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        name: experiment.name.clone(),
        description: experiment.title.clone(),
        tags: experiment.draft_step_s().map(|_| "draft".to_string()).into_iter().collect(),
        model: experiment.model.name.to_string(),
        parameters,
        people,
        groups: own,
        left_out,
        time_step_s: experiment.timing.time_step_s,
        integrator: experiment.model.make.integrator.to_string(),
        conventions: BTreeMap::from(
            [
                ("units", "SI; the unit stands beside every value"),
                ("weight_names", "weights are named by what they do, never numbered"),
                ("friction_sign", "sliding friction acts against the relative tangential velocity"),
            ]
            .map(|(name, text)| (name.to_string(), text.to_string())),
        ),
        targets: wanted
            .map(|t| PresetTarget {
                name: t.name.clone(),
                metric: t.metric.clone(),
                wanted: t.wanted.clone(),
                value: t.tuned,
                baseline: t.default,
                met: t.met,
            })
            .collect(),
        provenance: Provenance {
            digest: summary.digest.clone(),
            seed: summary.seed,
            evaluations: summary.evaluations,
            optimizer: summary.optimizer.clone(),
        },
    }
}

/// A stored value as files write it; `None` where it is infinite.
fn stored(param: &Param, value: f64) -> Option<Value> {
    match param.kind {
        Kind::Real { .. } => value.is_finite().then(|| json!(value)),
        Kind::Integer { .. } => Some(json!(value.round() as i64)),
        Kind::Choice { options, .. } => options.get(value as usize).map(|word| json!(word)),
        Kind::Switch { .. } => Some(json!(value >= 0.5)),
    }
}

/// A distribution as files write it; `None` where a number of it is infinite.
fn drawn(distribution: Distribution) -> Option<Value> {
    let (numbers, value) = match distribution {
        Distribution::Fixed(x) => ([x, x, x, x], json!(x)),
        Distribution::Uniform { low, high } => ([low, high, low, high], json!({ "uniform": [low, high] })),
        Distribution::Normal { mean, sd, clip } => {
            ([mean, sd, clip.0, clip.1], json!({ "normal": [mean, sd], "clip": [clip.0, clip.1] }))
        }
        Distribution::Skewed { family, numbers: (a, b), clip } => {
            ([a, b, clip.0, clip.1], json!({ family.key(): [a, b], "clip": [clip.0, clip.1] }))
        }
    };
    numbers.iter().all(|x| x.is_finite()).then_some(value)
}
