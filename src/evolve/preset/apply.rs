//! Running an experiment with a preset.

use super::Preset;
use super::read::{distribution, number};
use crate::crowd::people::TRAITS;
use crate::error::Error;
use crate::evolve::experiment::{Binding, Experiment, TraitBinding};
use crate::registry;

/// Gives every group of every scenario the preset's model, constants, traits and step. What the preset leaves out
/// stays as the experiment has it, or, where the model changes, at the published default. Genes that nothing uses
/// any more stay in the space.
///
/// # Errors
/// If the preset names something that is not registered or accepted; [`Preset::parse`] has checked that.
pub fn apply(preset: &Preset, experiment: &mut Experiment) -> Result<(), Error> {
    let model = preset.entry()?;
    let known = |params: &[registry::Param], key: &str| {
        let at = params.iter().position(|p| p.key == key);
        at.ok_or_else(|| Error::input(format!("nothing is called `{key}` here")).key(key))
    };
    let mut constants = Vec::new();
    for (key, quantity) in &preset.parameters {
        let at = known(model.params, key)?;
        constants.push((at, Binding::Fixed(number(&model.params[at], &quantity.value)?)));
    }
    let mut traits = Vec::new();
    for (key, quantity) in &preset.people {
        let at = known(TRAITS, key)?;
        traits.push((at, TraitBinding::Drawn(distribution(&TRAITS[at], &quantity.value)?)));
    }
    let changes = model.name != experiment.model.name;
    for group in experiment.cases.iter_mut().flat_map(|c| &mut c.groups) {
        if changes {
            group.model = registry::defaults(model.params).into_iter().map(Binding::Fixed).collect();
        }
        for &(at, binding) in &constants {
            group.model[at] = binding;
        }
        for &(at, binding) in &traits {
            group.people[at] = binding;
        }
    }
    experiment.model = model;
    experiment.timing.time_step_s = preset.time_step_s;
    Ok(())
}
