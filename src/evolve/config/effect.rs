//! Settings that change nothing: said as a warning, because the user meant something by them.

use crate::evolve::experiment::{Binding, Case, GroupBinding, TraitBinding};
use crowdtune_core::registry::{Entry, Param};
use crowdtune_sim::crowd::people::{Distribution, TRAITS};
use crowdtune_sim::models::{DISCOMFORT_WEIGHT, MakeModel};

/// What is set or searched without any effect: a constant that acts through a trait which is infinite for everybody, or
/// through a discomfort that no place has.
pub fn without(models: &[&'static Entry<MakeModel>], cases: &[Case]) -> Vec<String> {
    let of_model = |(at, &model): (usize, &&'static Entry<MakeModel>)| {
        let of_model = |group: &&GroupBinding| group.steered_by.name == model.name;
        let groups: Vec<_> = cases.iter().flat_map(|case| &case.groups).filter(of_model).collect();
        // As the file has the keys: those of its own model without a name.
        let table = if at == 0 { String::new() } else { format!("{}.", model.name) };
        let idle = model.params.iter().enumerate().filter_map(|param| idle(param, &table, &groups));
        idle.chain(no_discomfort(model, &table, &groups, cases)).collect::<Vec<_>>()
    };
    models.iter().enumerate().flat_map(of_model).collect()
}

/// A constant that acts through a trait which is infinite for everybody.
fn idle((at, param): (usize, &Param), table: &str, groups: &[&GroupBinding]) -> Option<String> {
    let through = param.acts_through?;
    let slot = TRAITS.iter().position(|of_people| of_people.key == through)?;
    let mut acting = groups.iter().filter(|group| group.model[at] != Binding::Fixed(0.0)).peekable();
    acting.peek()?;
    let infinite = TraitBinding::Drawn(Distribution::Fixed(f64::INFINITY));
    acting.all(|group| group.people[slot] == infinite).then(|| {
        format!(
            "`{table}{}` has no effect: it acts through `{through}`, which is infinite; give people a finite one",
            param.key
        )
    })
}

/// A weight of discomfort where there is none.
fn no_discomfort(model: &Entry<MakeModel>, table: &str, groups: &[&GroupBinding], cases: &[Case]) -> Option<String> {
    let slot = |key: &str| model.params.iter().position(|p| p.key == key);
    let (weight, prediction) = (slot(DISCOMFORT_WEIGHT)?, slot("prediction")?);
    let usual = Binding::Fixed(model.params[weight].default_value());
    let set = groups.iter().any(|group| group.model[weight] != usual && group.model[weight] != Binding::Fixed(0.0));
    let predicted = groups.iter().any(|group| group.model[prediction] != Binding::Fixed(0.0));
    let drawn = cases.iter().any(|case| case.scenario.has_discomfort());
    (set && !predicted && !drawn).then(|| {
        format!(
            "`{table}{DISCOMFORT_WEIGHT}` has no effect: no scenario has `discomfort`, and `prediction` is off; draw an area such as \
             `discomfort = [{{ area = [[0, 0], [4, 3]], people_per_m2 = 2.0 }}]`, or turn `prediction` on"
        )
    })
}
