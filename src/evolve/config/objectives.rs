//! Which objectives the targets make, whether the optimizer takes them, and which one matters more.

use super::item::Item;
use super::targets::Asked;
use crate::evolve::experiment::{Case, Search};
use crate::target::Target;
use crowdtune_core::{Error, suggest};
use crowdtune_search::{Goal, usual};
use std::collections::{BTreeMap, BTreeSet};

/// Names the objectives in name order and gives every target its own.
///
/// A `must` target has no loss in any feasible candidate, so musts alone make no objective: beside other objectives they are limits
/// only, without weight.
///
/// # Errors
/// If there are more than the optimizer takes.
pub fn names(asked: &mut BTreeMap<String, Asked<'_>>, search: &Search) -> Result<Vec<String>, Error> {
    let of = |asked: &BTreeMap<String, Asked<'_>>, all: bool| -> BTreeSet<String> {
        let wanted = asked.values().filter(|a| !a.objective.is_empty() && (all || !a.target.must));
        wanted.map(|a| a.objective.clone()).collect()
    };
    let mut names = of(asked, false);
    if names.is_empty() {
        names = of(asked, true);
    }
    let mut names: Vec<String> = names.into_iter().collect();
    if names.is_empty() {
        names.push("loss".to_owned());
    }
    for column in asked.values_mut() {
        match names.iter().position(|o| *o == column.objective) {
            Some(at) => column.target.objective = at,
            None => column.target.weight = 0.0,
        }
    }
    let most = *search.optimizer.make.objectives.end();
    if let Some(beyond) = names.get(most) {
        let named = |a: &&Asked<'_>| a.objective == *beyond;
        let asked = asked.values().find(named).expect("a target named the objective");
        let item = asked.item.table()?.need("objective", "")?;
        let what = format!(
            "the targets make {} objectives ({}), but the optimizer `{}` minimizes one",
            names.len(),
            names.join(", "),
            search.optimizer.name
        );
        return Err(item.error(what).help(format!(
            "set `search.optimizer = \"{}\"` for the best compromises, or remove `objective` and balance the targets by `weight`",
            usual(Goal::Front).name
        )));
    }
    Ok(names)
}

/// The weights of `[search] preference`, one for each objective, none if the file has none; and what the user should know.
///
/// # Errors
/// If the optimizer needs more objectives, or a preference names none of them.
pub fn check(
    targets: &[Target],
    objectives: &[String],
    item: &Item<'_>,
    search: &Search,
    cases: &[Case],
) -> Result<(Vec<f64>, Vec<String>), Error> {
    let table = item.table()?;
    let names: Vec<&str> = objectives.iter().map(String::as_str).collect();
    let wanted = targets.iter().any(|t| t.wanted.is_some());
    if wanted && names.len() < *search.optimizer.make.objectives.start() {
        let what =
            format!("`{}` finds compromises between objectives, but the targets make one", search.optimizer.name);
        return Err(table.need("optimizer", "")?.error(what).help(format!(
            "give targets an `objective = \"NAME\"`, two names or more, or choose an optimizer of one objective, such as `{}`",
            usual(Goal::Best).name
        )));
    }
    let seen = |column: usize| cases.iter().any(|c| !c.held_out && c.columns[column].is_some());
    for (at, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
        let mut of = targets.iter().enumerate().filter(|(_, t)| t.wanted.is_some() && t.objective == at);
        if !of.any(|(column, target)| target.weight > 0.0 && seen(column)) {
            let what = format!("only held-out scenarios give the targets of the objective `{name}`");
            return Err(item.error(what).help("give one of them a scenario without `held_out`"));
        }
    }
    let mut remarks = Vec::new();
    let most = cases.iter().filter(|c| !c.held_out).map(|c| c.replicas).max();
    if names.len() > 1 && most == Some(1) {
        remarks.push(
            "with one replica the search cannot see noise, so lucky candidates stay on the front until the final check; \
             give `replicas = 2` or more"
                .to_owned(),
        );
    }
    let Some(preference) = table.take("preference") else { return Ok((Vec::new(), remarks)) };
    if names.len() < 2 {
        return Err(preference.error("with one objective there is nothing to prefer").help("remove `preference`"));
    }
    let mut weights = vec![0.0; names.len()];
    let given = preference.table().map_err(|_| preference.wrong("a weight for each objective, { NAME = 2.0, ... }"))?;
    for name in given.keys() {
        let weight = given.need(name, "")?;
        let Some(at) = names.iter().position(|n| *n == name) else {
            return Err(suggest::among(weight.error(format!("there is no objective `{name}`")), name, &names));
        };
        weights[at] = weight.number(0.0, 1e12, "a number from 0")?;
    }
    if weights.iter().all(|w| *w == 0.0) {
        return Err(preference
            .error("no objective has a weight above 0")
            .help("give one of them a weight, or remove `preference`"));
    }
    Ok((weights, remarks))
}
