//! The tuned constants beside the published ones: the same text, computed in the same way, with the preset that the program has of a model.

use super::lab::{Plan, Ran, run_as};
use super::{Lab, Line};
use crate::evolve::preset::apply;
use crate::presets::{self, WALKERS};
use crate::registry::Registry;
use crowdtune_core::Error;

/// What the lines of a preset add to their labels.
const WORDS: &str = "walkers preset";

/// Runs a text with the walkers preset of a model and adds its lines, which nothing excuses; `None` if there is no such preset. Traits of
/// people that the preset has, such as the radius, are the preset's; what it leaves out, such as the desired speed, is the text's.
///
/// # Errors
/// If the lab fails.
pub fn tuned(
    lab: &dyn Lab,
    text: &str,
    plan: Plan<'_>,
    compare: &dyn Fn(&Ran) -> Vec<Line>,
    lines: &mut Vec<Line>,
) -> Result<Option<(&'static str, Ran)>, Error> {
    if presets::find(WALKERS, plan.model).is_none() {
        return Ok(None);
    }
    let registry = Registry::builtin();
    let preset = presets::named(&registry, WALKERS, plan.model)?;
    let ran = run_as(lab, text, plan, &[], &|experiment| apply(&preset, &registry.models, experiment))?;
    let mut found = compare(&ran);
    ran.judge(&mut found);
    for line in &mut found {
        line.label = format!("{}, {WORDS}", line.label);
        line.deviation = None;
    }
    lines.extend(found);
    Ok(Some((WORDS, ran)))
}
