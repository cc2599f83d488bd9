//! Settings that change nothing: said as a warning, because the user meant something by them.

use crate::evolve::experiment::{Binding, Case, TraitBinding};
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::MakeModel;

/// What is set or searched without any effect: a constant that acts through a trait which is infinite for everybody.
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
    model.params.iter().enumerate().filter_map(idle).collect()
}
