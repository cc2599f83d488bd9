//! Settings that change nothing: said as a warning, because the user meant something by them.

use crate::evolve::experiment::{Binding, Case, TraitBinding};
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::people::Distribution;
use crowdtune_sim::models::MakeModel;

/// What is set or searched without any effect.
///
/// Impatience raises the desired speed towards the highest speed, which is infinite unless the file gives one.
pub fn without(model: &Entry<MakeModel>, cases: &[Case]) -> Vec<String> {
    let Some(at) = model.params.iter().position(|p| p.key == "impatience") else { return Vec::new() };
    let groups = || cases.iter().flat_map(|case| &case.groups);
    let impatient = || groups().filter(|group| group.model[at] != Binding::Fixed(0.0));
    let unlimited = |of: &TraitBinding| *of == TraitBinding::Drawn(Distribution::Fixed(f64::INFINITY));
    if impatient().next().is_none() || !impatient().all(|group| unlimited(&group.people[1])) {
        return Vec::new();
    }
    vec![
        "`impatience` has no effect: it raises the desired speed towards `max_speed_m_per_s`, which is infinite; give \
         people a finite one"
            .into(),
    ]
}
