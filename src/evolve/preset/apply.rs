//! Running an experiment with a preset.

use crate::evolve::experiment::{Binding, Experiment, GroupBinding, TraitBinding};
use crate::preset::{Preset, Quantities};
use crowdtune_core::Error;
use crowdtune_core::registry::{self, Entry, List, Param};
use crowdtune_sim::crowd::people::TRAITS;
use crowdtune_sim::models::MakeModel;

/// Gives every group of every scenario the preset's model, constants, traits and step; a group of a name that the
/// preset knows gets its own. What the preset leaves out stays as the experiment has it, or, where the model changes, at
/// the published default. Genes that nothing uses any more stay in the space.
///
/// # Errors
/// If the preset names something that is not registered or accepted ([`Preset::parse`] has checked that), or models that cannot steer
/// the groups of a scenario.
pub fn apply(preset: &Preset, models: &List<MakeModel>, experiment: &mut Experiment) -> Result<(), Error> {
    let model = preset.entry(models)?;
    for case in &mut experiment.cases {
        for (group, binding) in case.scenario.groups.iter().zip(&mut case.groups) {
            let own = preset.groups.get(&group.name);
            let named = own.and_then(|own| own.model.as_deref()).map(|name| models.get(name)).transpose()?;
            let left_out = preset.left_out.contains(&format!("group.{}.model", group.name));
            let steered_by = if left_out { binding.steered_by } else { named.unwrap_or(model) };
            binding.model = of(binding, steered_by);
            binding.steered_by = steered_by;
            if let Some(constants) = preset.constants(steered_by.name) {
                fix(&mut binding.model, steered_by.params, constants)?;
            }
            dress(binding, &preset.people)?;
            if let Some(own) = own {
                fix(&mut binding.model, steered_by.params, &own.parameters)?;
                dress(binding, &own.people)?;
            }
        }
        let here = case.models();
        for binding in &mut case.groups {
            let others = here.iter().filter(|model| model.name != binding.steered_by.name);
            let seen_by = others.map(|&other| {
                let mut constants = of(binding, other);
                preset.constants(other.name).map_or(Ok(()), |given| fix(&mut constants, other.params, given))?;
                Ok((other, constants))
            });
            binding.seen_by = seen_by.collect::<Result<_, Error>>()?;
        }
        case.fits()?;
    }
    experiment.model = model;
    experiment.timing.time_step_s = preset.time_step_s;
    Ok(())
}

/// What a group has for the constants of a model, the defaults where it has none.
fn of(group: &GroupBinding, model: &Entry<MakeModel>) -> Vec<Binding> {
    let own = (group.steered_by.name == model.name).then_some(&group.model);
    let seen = || group.seen_by.iter().find(|(other, _)| other.name == model.name).map(|(_, constants)| constants);
    let defaults = || registry::defaults(model.params).into_iter().map(Binding::Fixed).collect();
    own.or_else(seen).map_or_else(defaults, Clone::clone)
}

/// Fixes constants of a model.
fn fix(bindings: &mut [Binding], params: &[Param], constants: &Quantities) -> Result<(), Error> {
    for (key, quantity) in constants {
        let at = known(params, key)?;
        bindings[at] = Binding::Fixed(quantity.number(&params[at], &format!("parameters.{key}"))?);
    }
    Ok(())
}

/// Fixes traits of the people of a group.
fn dress(group: &mut GroupBinding, traits: &Quantities) -> Result<(), Error> {
    for (key, quantity) in traits {
        let at = known(TRAITS, key)?;
        group.people[at] = TraitBinding::Drawn(quantity.distribution(&TRAITS[at], &format!("people.{key}"))?);
    }
    Ok(())
}

fn known(params: &[Param], key: &str) -> Result<usize, Error> {
    let at = params.iter().position(|p| p.key == key);
    at.ok_or_else(|| Error::input(format!("nothing is called `{key}` here")).key(key))
}
