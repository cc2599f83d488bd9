//! From a run to its preset.

use crate::evolve::codec;
use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::evolve::summary::Summary;
use crate::preset::{FORMAT, Interval, OfGroup, Preset, PresetTarget, Provenance, Quantity};
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;
use serde_json::Value;
use std::collections::BTreeMap;

/// The preset of a candidate, with what the summary says of it; see [`preset_with`].
pub fn preset(experiment: &Experiment, summary: &Summary, genome: &[f64]) -> Preset {
    let wanted = experiment.targets().map(|(index, _)| &summary.targets[index]);
    let said = Said {
        intervals: (0..experiment.space.len()).map(|gene| interval(experiment, summary, gene)).collect(),
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
            engine: summary.engine.clone(),
        },
    };
    preset_with(experiment, genome, said)
}

/// What is said of a candidate in its preset.
#[derive(Clone, Debug)]
pub struct Said {
    /// One for each gene.
    pub intervals: Vec<Option<Interval>>,
    /// What was wanted, and what came out.
    pub targets: Vec<PresetTarget>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// The preset of a candidate, with what is said of it.
///
/// `parameters` and `people` hold what all groups of all scenarios have in common. Where groups differ in a constant or
/// trait, the value that was searched stands there, and each group that has another one is named in `groups`; without a
/// searched value all groups are named there and the key in `left_out`. What a group has differently in two scenarios
/// (an `each` over a trait, another model) is in `left_out` only; an infinite value (no highest speed) has no JSON and is nowhere.
/// Whoever takes the preset keeps their own. `models` has the constants of the models that `groups` name, as `parameters` has those of
/// the file's model.
pub fn preset_with(experiment: &Experiment, genome: &[f64], said: Said) -> Preset {
    let genes = experiment.space.decode(genome);
    let named = experiment.cases.iter().flat_map(|case| case.scenario.groups.iter().zip(&case.groups));
    let groups: Vec<(&str, &GroupBinding)> = named.map(|(group, binding)| (group.name.as_str(), binding)).collect();
    let quantity = |param: &Param, value, gene: Option<usize>| {
        let interval = gene.and_then(|gene| said.intervals[gene].clone());
        (param.key.to_string(), Quantity { value, unit: param.unit.to_string(), interval })
    };

    let mut left_out = Vec::new();
    let mut own: BTreeMap<String, OfGroup> = BTreeMap::new();
    // A group that two scenarios give different models has none here.
    let of_two = |name: &str, model: &Entry<MakeModel>| {
        groups.iter().any(|(other, group)| *other == name && group.steered_by.name != model.name)
    };
    for (name, group) in groups.iter().filter(|(_, group)| group.steered_by.name != experiment.model.name) {
        let key = format!("group.{name}.model");
        if !of_two(name, group.steered_by) {
            own.entry((*name).to_string()).or_default().model = Some(group.steered_by.name.to_string());
        } else if !left_out.contains(&key) {
            left_out.push(key);
        }
    }
    let mut models = BTreeMap::new();
    for model in experiment.models() {
        let of_file = model.name == experiment.model.name;
        let groups: Vec<_> = groups.iter().copied().filter(|(_, group)| group.steered_by.name == model.name).collect();
        let mut parameters = BTreeMap::new();
        for (index, param) in model.params.iter().enumerate() {
            let value = |group: &GroupBinding| {
                let binding = group.model[index];
                (codec::json(&codec::value(param, binding.resolve(&genes))), matches!(binding, Binding::Gene(_)))
            };
            let shared = Shared::of(&groups, value);
            if shared.left_out {
                left_out.push(if of_file {
                    format!("parameters.{}", param.key)
                } else {
                    format!("parameters.{}.{}", model.name, param.key)
                });
            }
            let gene = one(groups.iter().map(|(_, group)| match group.model[index] {
                Binding::Gene(gene) => Some(gene),
                _ => None,
            }));
            parameters.extend(shared.all.map(|value| quantity(param, value, gene)));
            for (name, value) in shared.own.into_iter().filter(|(name, _)| !of_two(name, model)) {
                own.entry(name.to_string()).or_default().parameters.extend([quantity(param, value, None)]);
            }
        }
        models.insert(model.name.to_string(), parameters);
    }
    let parameters = models.remove(experiment.model.name).unwrap_or_default();
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
        let gene = one(groups.iter().map(|(_, group)| match group.people[index] {
            TraitBinding::Gene(gene) => Some(gene),
            TraitBinding::Drawn(_) => None,
        }));
        people.extend(shared.all.map(|value| quantity(param, value, gene)));
        for (name, value) in shared.own {
            own.entry(name.to_string()).or_default().people.extend([quantity(param, value, None)]);
        }
    }

    Preset {
        format: FORMAT,
        crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        name: experiment.name.clone(),
        description: experiment.title.clone(),
        tags: experiment.draft_step_s().map(|_| "draft".to_string()).into_iter().collect(),
        model: experiment.model.name.to_string(),
        parameters,
        models,
        people,
        groups: own,
        left_out,
        time_step_s: experiment.timing.time_step_s,
        integrator: integrator(experiment),
        conventions: BTreeMap::from(
            [
                ("units", "SI; the unit stands beside every value"),
                ("weight_names", "weights are named by what they do, never numbered"),
                ("friction_sign", "sliding friction acts against the relative tangential velocity"),
            ]
            .map(|(name, text)| (name.to_string(), text.to_string())),
        ),
        targets: said.targets,
        provenance: said.provenance,
    }
}

/// How the models integrate; of several each with its name.
fn integrator(experiment: &Experiment) -> String {
    match &experiment.models()[..] {
        [model] => model.make.integrator.to_string(),
        models => {
            let each: Vec<_> = models.iter().map(|m| format!("{}: {}", m.name, m.make.integrator)).collect();
            each.join("; ")
        }
    }
}

/// The gene that groups have a value from, if it is one.
fn one(genes: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    let mut genes = genes.flatten();
    let first = genes.next()?;
    genes.all(|gene| gene == first).then_some(first)
}

/// What the profiles say of a gene.
fn interval(experiment: &Experiment, summary: &Summary, gene: usize) -> Option<Interval> {
    let key = &experiment.space.genes[gene].key;
    let profiles = &summary.identified.as_ref()?.profiles;
    profiles.iter().find(|p| p.keys == [key.clone()])?.interval.clone()
}

/// One constant or trait in all groups.
#[derive(Debug, PartialEq)]
struct Shared<'a> {
    /// The value for everybody whom `own` does not name.
    all: Option<Value>,
    /// Values of the groups that differ from it.
    own: BTreeMap<&'a str, Value>,
    /// True if there is no value for all although each group has one.
    left_out: bool,
}

impl<'a> Shared<'a> {
    /// From the groups of all scenarios with their names; `of` gives the value of one, `None` where a file cannot hold
    /// it, and whether it was searched.
    fn of(groups: &[(&'a str, &GroupBinding)], of: impl Fn(&GroupBinding) -> (Option<Value>, bool)) -> Self {
        let groups: Vec<_> = groups.iter().map(|(name, group)| (*name, of(group))).collect();
        Self::among(&groups)
    }

    fn among(groups: &[(&'a str, (Option<Value>, bool))]) -> Self {
        if let Some(all) = common(groups.iter().map(|(_, (value, _))| value)) {
            return Self { all: all.clone(), own: BTreeMap::new(), left_out: false };
        }
        let mut own = BTreeMap::new();
        for (name, (value, _)) in groups {
            match value {
                // The same group differs between scenarios, or no file can hold what it has.
                Some(value) if own.entry(*name).or_insert_with(|| value.clone()) == value => {}
                _ => return Self { all: None, own: BTreeMap::new(), left_out: true },
            }
        }
        let searched = groups.iter().filter(|(_, (_, searched))| *searched);
        let all = common(searched.map(|(_, (value, _))| value)).cloned().flatten();
        own.retain(|_, value| all.as_ref() != Some(value));
        let left_out = all.is_none();
        Self { all, own, left_out }
    }
}

/// The value that all have, if they agree.
fn common<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|v| v == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Group = (&'static str, Option<f64>, bool);

    /// The value for all, those of groups, and whether it is left out.
    fn shared(groups: &[Group]) -> (Option<f64>, Vec<(&'static str, f64)>, bool) {
        let groups: Vec<_> =
            groups.iter().map(|&(name, value, gene)| (name, (value.map(|v| json!(v)), gene))).collect();
        let Shared { all, own, left_out } = Shared::among(&groups);
        let own = own.into_iter().map(|(name, value)| (name, value.as_f64().unwrap()));
        (all.and_then(|v| v.as_f64()), own.collect(), left_out)
    }

    #[test]
    fn the_searched_value_is_for_all_but_those_who_have_their_own() {
        let groups = [("followers", Some(0.3), true), ("leader", Some(1.0), false), ("followers", Some(0.3), true)];
        assert_eq!(shared(&groups), (Some(0.3), vec![("leader", 1.0)], false));
        // A leader who has the searched value by chance is like everybody.
        assert_eq!(shared(&[("followers", Some(1.0), true), ("leader", Some(1.0), false)]), (Some(1.0), vec![], false));
    }

    #[test]
    fn without_one_searched_value_every_group_has_its_own() {
        let own = vec![("east", 0.2), ("west", 0.4)];
        for searched in [true, false] {
            let groups = [("east", Some(0.2), searched), ("west", Some(0.4), searched)];
            assert_eq!(shared(&groups), (None, own.clone(), true));
        }
    }

    #[test]
    fn a_group_that_differs_between_scenarios_or_is_infinite_is_left_out() {
        assert_eq!(shared(&[("people", Some(1.0), false), ("people", Some(2.0), false)]), (None, vec![], true));
        assert_eq!(shared(&[("a", Some(1.0), true), ("b", None, false)]), (None, vec![], true));
        assert_eq!(shared(&[("a", None, false), ("b", None, false)]), (None, vec![], false));
    }
}
