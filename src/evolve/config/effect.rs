//! Settings that change nothing: said as a warning, because the user meant something by them.

use crate::evolve::experiment::{Binding, Case, TraitBinding};
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::{DISCOMFORT_WEIGHT, MakeModel};

/// What is set or searched without any effect: a constant that acts through a trait which is infinite for everybody, or
/// through a discomfort that no place has.
pub fn without(model: &Entry<MakeModel>, cases: &[Case]) -> Vec<String> {
    let idle = |(at, param): (usize, &Param)| {
        let through = param.acts_through?;
        let slot = TRAITS.iter().position(|of_people| of_people.key == through)?;
        let groups = cases.iter().flat_map(|case| &case.groups);
        let mut acting = groups.filter(|group| group.model[at] != Binding::Fixed(0.0)).peekable();
        acting.peek()?;
        let infinite = TraitBinding::Drawn(Distribution::Fixed(f64::INFINITY));
        acting.all(|group| group.people[slot] == infinite).then(|| {
            format!(
                "`{}` has no effect: it acts through `{through}`, which is infinite; give people a finite one",
                param.key
            )
        })
    };
    let idle = model.params.iter().enumerate().filter_map(idle);
    idle.chain(no_discomfort(model, cases)).collect()
}

/// A weight of discomfort where there is none.
fn no_discomfort(model: &Entry<MakeModel>, cases: &[Case]) -> Option<String> {
    let slot = |key: &str| model.params.iter().position(|p| p.key == key);
    let (weight, prediction) = (slot(DISCOMFORT_WEIGHT)?, slot("prediction")?);
    let usual = Binding::Fixed(model.params[weight].default_value());
    let groups = || cases.iter().flat_map(|case| &case.groups);
    let set = groups().any(|group| group.model[weight] != usual && group.model[weight] != Binding::Fixed(0.0));
    let predicted = groups().any(|group| group.model[prediction] != Binding::Fixed(0.0));
    let drawn = cases.iter().any(|case| case.scenario.has_discomfort());
    (set && !predicted && !drawn).then(|| {
        format!(
            "`{DISCOMFORT_WEIGHT}` has no effect: no scenario has `discomfort`, and `prediction` is off; draw an area such as \
             `discomfort = [{{ area = [[0, 0], [4, 3]], people_per_m2 = 2.0 }}]`, or turn `prediction` on"
        )
    })
}
