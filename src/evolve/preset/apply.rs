//! Running an experiment with a preset.

use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::preset::{Preset, Quantities};
use crowdtune_core::Error;
use crowdtune_core::registry::{self, List, Param};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// Gives every group of every scenario the preset's model, constants, traits and step; a group of a name that the
/// preset knows gets its own. What the preset leaves out stays as the experiment has it, or, where the model changes, at
/// the published default. Genes that nothing uses any more stay in the space.
///
/// # Errors
/// If the preset names something that is not registered or accepted; [`Preset::parse`] has checked that.
pub fn apply(preset: &Preset, models: &List<MakeModel>, experiment: &mut Experiment) -> Result<(), Error> {
    let model = preset.entry(models)?;
    let changes = model.name != experiment.model.name;
    for case in &mut experiment.cases {
        for (group, binding) in case.scenario.groups.iter().zip(&mut case.groups) {
            if changes {
                binding.model = registry::defaults(model.params).into_iter().map(Binding::Fixed).collect();
            }
            fix(binding, model.params, &preset.parameters, &preset.people)?;
            if let Some(own) = preset.groups.get(&group.name) {
                fix(binding, model.params, &own.parameters, &own.people)?;
            }
        }
    }
    experiment.model = model;
    experiment.timing.time_step_s = preset.time_step_s;
    Ok(())
}

/// Fixes constants and traits of one group.
fn fix(group: &mut GroupBinding, params: &[Param], constants: &Quantities, traits: &Quantities) -> Result<(), Error> {
    let known = |params: &[Param], key: &str| {
        let at = params.iter().position(|p| p.key == key);
        at.ok_or_else(|| Error::input(format!("nothing is called `{key}` here")).key(key))
    };
    for (key, quantity) in constants {
        let at = known(params, key)?;
        group.model[at] = Binding::Fixed(quantity.number(&params[at], &format!("parameters.{key}"))?);
    }
    for (key, quantity) in traits {
        let at = known(TRAITS, key)?;
        group.people[at] = TraitBinding::Drawn(quantity.distribution(&TRAITS[at], &format!("people.{key}"))?);
    }
    Ok(())
}
