//! Which case gives which column, and where it is measured there.

use super::axes::Axes;
use super::context::Context;
use super::item::Item;
use super::objectives;
use super::targets::{self, Asked, Where};
use super::tree::Origin;
use crate::evolve::experiment::{AtlasAxis, Case, CaseColumn, Search};
use crate::registry::Registry;
use crate::target::{Target, Wanted};
use crowdtune_core::registry::find;
use crowdtune_core::{Error, suggest};
use crowdtune_sim::metrics::{At, Need, Place, Window};
use crowdtune_sim::world::scenario::{FloorPlan, Named, Pull};
use std::collections::{BTreeMap, BTreeSet};

/// Targets, measures and what axes of an atlas measure in name order, and the objectives in name order.
#[derive(Debug)]
pub struct Columns {
    /// One per column.
    pub targets: Vec<Target>,
    /// Names of the objectives.
    pub objectives: Vec<String>,
    /// What the user should know, although nothing has to change.
    pub warnings: Vec<String>,
}

/// Reads targets, measures and axes, and writes into every case how it gives them.
///
/// # Errors
/// If one is wrong, or no case can give it.
pub fn columns(
    targets: Option<&Item<'_>>,
    measures: Option<&Item<'_>>,
    axes: Option<&Item<'_>>,
    cases: &mut [Case],
    context: &mut Context<'_>,
    search: &Search,
) -> Result<(Columns, Vec<AtlasAxis>), Error> {
    let mut asked = BTreeMap::new();
    for (table, wanted) in [(targets, true), (measures, false)] {
        let named = table.map(Item::named).transpose()?.unwrap_or_default();
        let count = named.len() as u64;
        table.map_or(Ok(()), |t| crate::limits::COLUMNS.check(count, &count.to_string()).map_err(|e| t.locate(e)))?;
        let whole = |(_, item): &&(String, Item<'_>)| item.node.get("metric").is_some();
        let names: Vec<_> = named.iter().filter(whole).map(|(name, _)| name.as_str()).collect();
        for (name, item) in &named {
            if let Some(error) = unknown(name, item, &names, wanted) {
                return Err(error);
            }
        }
        for (name, item) in named {
            if asked.contains_key(&name) {
                return Err(item
                    .error(format!("`{name}` is a target and a measure"))
                    .help("a target is recorded anyway; remove the measure"));
            }
            let column = targets::read(&name, &item, wanted, &[], context)?;
            asked.insert(name, column);
        }
    }
    let axes = Axes::read(axes, &mut asked, context)?;
    let objectives = objectives::names(&mut asked, search)?;
    let (mut out, mut warnings) = (Vec::new(), Vec::new());
    for asked in asked.into_values() {
        column(&asked, cases, context.registry)?;
        let at = out.len();
        if asked.target.wanted.is_some() && cases.iter().all(|c| c.held_out || c.columns[at].is_none()) {
            warnings.push(format!(
                "target `{}` is given by held-out scenarios only: it is reported, not searched for",
                asked.target.name
            ));
        }
        out.push(asked.target);
    }
    for (at, name) in objectives.iter().enumerate() {
        let mut of = out.iter().filter(|t| t.wanted.is_some() && t.objective == at).peekable();
        if of.peek().is_some() && of.all(|t| t.weight == 0.0) {
            let what = format!("all targets of the objective `{name}` have weight 0");
            return Err(targets
                .map_or_else(|| Error::input(&what), |t| t.error(&what))
                .help("give at least one of them a `weight` above 0"));
        }
    }
    let axes = axes.place(&out, &objectives, cases)?;
    Ok((Columns { targets: out, objectives, warnings }, axes))
}

/// The error of a table without a metric that was meant for another one, or that `--set` made.
fn unknown(name: &str, item: &Item<'_>, names: &[&str], wanted: bool) -> Option<Error> {
    item.node.entries().filter(|entries| !entries.contains_key("metric"))?;
    let what = format!("there is no {} `{name}`", if wanted { "target" } else { "measure" });
    match item.node.origin {
        Origin::Set => {
            let error = suggest::among(item.error(what), name, names);
            Some(error.help("a new one needs a `metric`"))
        }
        _ if suggest::nearest(name, names).is_some() => {
            Some(suggest::near(item.error(format!("`{}` has no `metric`", item.path)), name, names))
        }
        _ => None,
    }
}

/// Adds one column to all cases.
fn column(asked: &Asked<'_>, cases: &mut [Case], registry: &Registry) -> Result<(), Error> {
    names_exist(asked, cases)?;
    let mut reasons = BTreeSet::new();
    let mut given = false;
    for case in cases.iter_mut() {
        let column = match in_case(asked, case) {
            Ok(column) => {
                given = true;
                Some(column)
            }
            Err(reason) => {
                reasons.extend((!reason.is_empty()).then(|| format!("`{}` {reason}", case.table)));
                None
            }
        };
        case.columns.push(column);
    }
    let name = &asked.target.name;
    if !given {
        let why: Vec<_> = reasons.into_iter().collect();
        let why = why.join("; ");
        let metric = asked.item.node.get("metric");
        return Err(match metric.map(|m| m.origin) {
            Some(Origin::Behavior { name: behavior, .. }) => asked
                .item
                .error(format!("no scenario can give `{name}`, which the behavior `{behavior}` wants: {why}"))
                .help(format!(
                    "add a scenario of a kind that can, {}",
                    find(&registry.behaviors, behavior).map_or(String::new(), |b| b.make.suits("`"))
                )),
            _ => asked
                .item
                .error(format!("no scenario can give `{name}`: {why}"))
                .help("choose another metric or `at`, or add a scenario that can give it"),
        });
    }
    Ok(())
}

/// Where, when and for whom a case gives a column, or in words why it does not ("" where that goes without saying).
fn in_case(asked: &Asked<'_>, case: &Case) -> Result<CaseColumn, String> {
    let at = place_in_case(asked, case)?;
    let window = window_in_case(asked, case)?;
    let groups = &case.scenario.groups;
    let index = |asked: &Option<(Item<'_>, String)>| match asked {
        Some((_, name)) => match groups.iter().position(|g| g.name == *name) {
            Some(at) => Ok(Some(at as u16)),
            None => Err(format!("has no group `{name}`")),
        },
        None => Ok(None),
    };
    let (group, mut center) = (index(&asked.group)?, index(&asked.center)?);
    if asked.target.metric.make.takes_center && center.is_none() {
        let followed = groups.iter().find_map(|g| match g.pull {
            Pull::Group(other) => Some(other as u16),
            _ => None,
        });
        center = Some(followed.ok_or("has no group that others follow; name one with `center`")?);
    }
    Ok(CaseColumn { at, window, group, center })
}

/// When a case gives a column, with the line that times it.
fn window_in_case(asked: &Asked<'_>, case: &Case) -> Result<Window, String> {
    let plan = &case.scenario.world.plan;
    match (asked.window, &asked.timed_by) {
        (window, Some((_, place))) => Ok(targets::timed(window, &located(place, At::Line, case)?)),
        (Window::Crossings { .. }, None) if asked.target.metric.make.at != At::Line && plan.lines.is_empty() => {
            Err("has no line, whose crossings its window counts; name one with `of`".into())
        }
        (window, None) => Ok(window),
    }
}

/// A place that a file names or gives, in a case.
fn located(place: &Where, at: At, case: &Case) -> Result<Place, String> {
    let (table, name) = match place {
        Where::Given(place) => return Ok(place.clone()),
        Where::Named { table, name } => (table, name),
    };
    if table.as_ref().is_some_and(|t| *t != case.table) {
        return Err(String::new());
    }
    let plan = &case.scenario.world.plan;
    let place = match at {
        At::Line => of(&plan.lines, name).map(Place::Line),
        _ => of(&plan.areas, name).map(Place::Area),
    };
    place.ok_or_else(|| format!("has no {} `{name}`", if at == At::Line { "line" } else { "area" }))
}

/// Where a case gives a column, or why it does not.
fn place_in_case(asked: &Asked<'_>, case: &Case) -> Result<Option<Place>, String> {
    let metric = asked.target.metric;
    if asked.target.scenario.as_ref().is_some_and(|s| *s != case.table) {
        return Err(String::new());
    }
    if let Some(Wanted::Points { over, points, .. }) = &asked.target.wanted {
        let Some((_, value)) = case.axes.iter().find(|(key, _)| key == over) else {
            return Err(format!("has no `each` for `{over}`"));
        };
        if !points.iter().any(|p| p.0 == *value) {
            return Err(String::new());
        }
    }
    if metric.make.needs.contains(&Need::Leaving) && case.scenario.groups.iter().all(|g| !g.leaves()) {
        return Err("has nobody who leaves".into());
    }
    if metric.make.needs.contains(&Need::Leaving) && case.scenario.leaves_as_recorded() {
        return Err("lets people go when its `tracks` end, so that says nothing about the model".into());
    }
    let groups = &case.scenario.groups;
    if metric.make.needs.contains(&Need::Catching) && groups.iter().all(|g| g.catches.is_none()) {
        return Err("has nobody who catches others; give a group `catches`".into());
    }
    if metric.make.needs.contains(&Need::Tracks) && case.scenario.tracks.is_none() {
        return Err("has no `tracks` to compare with".into());
    }
    let limit_s = case.scenario.limit_s;
    if let Window::TimeS(from, _) = asked.window
        && from >= limit_s
    {
        return Err(format!("ends at {limit_s} s, before the window begins"));
    }
    let plan = &case.scenario.world.plan;
    match (&asked.at, metric.make.at) {
        (_, At::Nowhere) => Ok(None),
        (Some((_, place)), at) => located(place, at, case).map(Some),
        (None, At::Line) => match plan.lines.first() {
            Some(line) => Ok(Some(Place::Line(line.what))),
            None => Err(format!("has no line, which `{}` needs", metric.name)),
        },
        (None, At::Area) => Ok(None),
        (None, At::Region) => match plan.areas.first() {
            Some(area) => Ok(Some(Place::Area(area.what.clone()))),
            None => Err(format!("has no area, which `{}` needs", metric.name)),
        },
    }
}

fn of<T: Clone>(list: &[Named<T>], name: &str) -> Option<T> {
    list.iter().find(|n| n.name == name).map(|n| n.what.clone())
}

/// Finds names of scenarios, places and `each` values that are nowhere.
fn names_exist(asked: &Asked<'_>, cases: &[Case]) -> Result<(), Error> {
    let tables: BTreeSet<_> = cases.iter().map(|c| c.table.as_str()).collect();
    let tables: Vec<_> = tables.into_iter().collect();
    let part = |key: &str| asked.item.table()?.need(key, "");
    if let Some(name) = asked.target.scenario.as_ref().filter(|s| !tables.contains(&s.as_str())) {
        return Err(no_scenario(&part("scenario")?, name, &tables));
    }
    for (item, table, name, at) in [(&asked.at, asked.target.metric.make.at), (&asked.timed_by, At::Line)]
        .into_iter()
        .filter_map(|(place, at)| match place {
            Some((item, Where::Named { table, name })) => Some((item, table, name, at)),
            _ => None,
        })
    {
        if let Some(table) = table {
            if !tables.contains(&table.as_str()) {
                return Err(no_scenario(item, table, &tables));
            }
            if asked.target.scenario.as_ref().is_some_and(|s| s != table) {
                return Err(item.wrong("a place of the target's own `scenario`").help("remove one of the two"));
            }
        }
        let mut places = BTreeSet::new();
        for case in cases.iter().filter(|c| table.as_ref().is_none_or(|t| *t == c.table)) {
            places.extend(place_names(&case.scenario.world.plan, at));
        }
        let places: Vec<_> = places.iter().map(String::as_str).collect();
        if !places.contains(&name.as_str()) {
            let kind = if at == At::Line { "line" } else { "area" };
            let error = suggest::among(item.error(format!("there is no {kind} `{name}`")), name, &places);
            return Err(error.help(match places.is_empty() {
                true => format!("no scenario has one; give coordinates: at = {{ {kind} = [[x, y], [x, y]] }}"),
                false => format!("write one of these, or give coordinates: at = {{ {kind} = [[x, y], [x, y]] }}"),
            }));
        }
    }
    if let Some(Wanted::Points { over, points, .. }) = &asked.target.wanted {
        let of_target = |c: &&Case| asked.target.scenario.as_ref().is_none_or(|s| *s == c.table);
        let axes: Vec<_> = cases.iter().filter(of_target).flat_map(|c| &c.axes).collect();
        let keys: BTreeSet<_> = axes.iter().map(|a| a.0.as_str()).collect();
        let keys: Vec<_> = keys.into_iter().collect();
        if !keys.contains(&over.as_str()) {
            let error = part("over")?.error(format!("no scenario has an `each` for `{over}`"));
            return Err(suggest::among(error, over, &keys)
                .help(format!("give it some values in a scenario, `{over} = {{ each = [...] }}`")));
        }
        let absent = points.iter().filter(|p| !axes.iter().any(|a| a.0 == *over && a.1 == p.0));
        let absent: Vec<_> = absent.map(|p| p.0.to_string()).collect();
        if !absent.is_empty() {
            return Err(part("points")?
                .error(format!("`{over}` never is {}", absent.join(", ")))
                .help(format!("add these values to the `each` or `held_out` of `{over}`, or remove the points")));
        }
    }
    Ok(())
}

fn place_names(plan: &FloorPlan, at: At) -> Vec<String> {
    match at {
        At::Line => plan.lines.iter().map(|n| n.name.clone()).collect(),
        _ => plan.areas.iter().map(|n| n.name.clone()).collect(),
    }
}

fn no_scenario(item: &Item<'_>, name: &str, tables: &[&str]) -> Error {
    suggest::among(item.error(format!("there is no scenario `{name}`")), name, tables)
}
