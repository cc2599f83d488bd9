//! From a run to its preset.

use super::shared::Shared;
use super::{FORMAT, OfGroup, Preset, PresetTarget, Provenance, Quantity};
use crate::evolve::codec;
use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::evolve::summary::Summary;
use crowdtune_core::registry::Param;
use crowdtune_sim::crowd::people::TRAITS;
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
            (codec::json(&codec::value(param, binding.resolve(&genes))), matches!(binding, Binding::Gene(_)))
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
            (codec::json(&codec::drawn(binding.resolve(&genes))), matches!(binding, TraitBinding::Gene(_)))
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
