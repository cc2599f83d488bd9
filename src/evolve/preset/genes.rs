//! A preset as a candidate of an experiment.

use super::apply;
use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::preset::Preset;
use crowdtune_core::Error;
use crowdtune_core::registry::List;
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::MakeModel;
use std::collections::BTreeSet;

/// The decoded genes that the preset has values for, the start value of the others; and the keys of what else it has otherwise than
/// the experiment, which no candidate can say.
///
/// # Errors
/// If the preset does not fit the experiment: another model, or a value outside of its searched range.
pub fn genes_of(
    preset: &Preset,
    models: &List<MakeModel>,
    experiment: &Experiment,
) -> Result<(Vec<f64>, BTreeSet<String>), Error> {
    let mut with = experiment.clone();
    apply(preset, models, &mut with)?;
    let (mut genes, mut other) = (experiment.start.clone(), BTreeSet::new());
    for (case, applied) in experiment.cases.iter().zip(&with.cases) {
        for (group, applied) in case.groups.iter().zip(&applied.groups) {
            if group.steered_by.name != applied.steered_by.name {
                return Err(Error::input(format!(
                    "the preset is of `{}`, the experiment of `{}`",
                    applied.steered_by.name, group.steered_by.name
                ))
                .help("take the experiment that the preset was tuned with"));
            }
            take(group, applied, &mut genes, &mut other);
        }
    }
    if with.timing.time_step_s != experiment.timing.time_step_s {
        other.insert("time_step_s".into());
    }
    for (gene, &x) in experiment.space.genes.iter().zip(&genes) {
        let (back, slack) = (gene.axis.decode(gene.axis.encode(x)), 1e-9 * x.abs());
        if (back - x).abs() > slack.max(f64::MIN_POSITIVE) {
            return Err(Error::input(format!("the preset has {x} for `{}`, outside of the searched range", gene.key))
                .key(gene.key.as_str())
                .help(format!("widen it: --set {}={{range=[low,high]}}", gene.key)));
        }
    }
    Ok((genes, other))
}

/// Takes over what one group was given.
fn take(group: &GroupBinding, applied: &GroupBinding, genes: &mut [f64], other: &mut BTreeSet<String>) {
    for ((param, own), given) in group.steered_by.params.iter().zip(&group.model).zip(&applied.model) {
        match (own, given) {
            (Binding::Gene(at), Binding::Fixed(x)) => genes[*at] = *x,
            (Binding::Fixed(before), Binding::Fixed(x)) if before != x => {
                other.insert(format!("parameters.{}", param.key));
            }
            _ => {}
        }
    }
    for ((param, own), given) in TRAITS.iter().zip(&group.people).zip(&applied.people) {
        match (own, given) {
            (TraitBinding::Gene(at), TraitBinding::Drawn(Distribution::Fixed(x))) => genes[*at] = *x,
            (TraitBinding::Drawn(before), TraitBinding::Drawn(x)) if before != x => {
                other.insert(format!("people.{}", param.key));
            }
            _ => {}
        }
    }
}
