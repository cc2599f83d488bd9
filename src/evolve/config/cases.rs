//! Scenario tables to cases: the place, who is in it, and the constants of every group.

use super::context::Context;
use super::each::{self, Combination};
use super::genes::{Genes, Layers};
use super::item::{Item, Table};
use super::node::Node;
use super::{geometry, params, start, tracks, written};
use crate::evolve::experiment::{Case, Timing};
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::models::MakeModel;
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::World;
use crowdtune_sim::world::scenario::{Navigation, Scenario};
use crowdtune_sim::world::{Built, MakeScenario};
use std::sync::Arc;

/// All cases of a filled file: tables in name order, held-out ones last within their table.
///
/// # Errors
/// If a scenario is wrong, its people find no place (`start`: the times and the seed of the runs), or a search acts in
/// none.
pub fn cases(
    root: &Node,
    file: &str,
    model: &'static Entry<MakeModel>,
    genes: &Genes,
    context: &mut Context<'_>,
    start: (&Timing, u64),
) -> Result<Vec<Case>, Error> {
    let part = |key: &str| root.get(key).expect("the defaults are filled in");
    let (timing, seed) = start;
    let defaults: Vec<f64> = genes.list.iter().map(|g| g.default).collect();
    let mut fields = FieldCache::default();
    let mut cases: Vec<Case> = Vec::new();
    let mut placed = None;
    for (name, item) in Item::part(file, "scenario".into(), part("scenario")).named()? {
        for combination in each::expand(file, &name, item.node, part("parameters"), part("people"))? {
            let case = case(file, &name, &combination, model, genes, context, &mut fields)?;
            let item = Item::part(file, format!("scenario.{name}"), &combination.scenario);
            (model.make.fits)(&case.scenario).map_err(|e| item.locate(e))?;
            let traits: Vec<_> = case.groups.iter().map(|g| g.traits(&defaults)).collect();
            // Constants of the model do not change where people start.
            let now = (name.clone(), case.scenario.world.plan.clone(), case.scenario.groups.clone(), traits);
            if placed.as_ref() != Some(&now) {
                start::check(&item, &case, &now.3, timing, seed)?;
                placed = Some(now);
            }
            cases.push(case);
        }
    }
    if cases.is_empty() {
        return Err(Item::part(file, "scenario".into(), part("scenario"))
            .error("the experiment has no scenario")
            .help("add a table such as `[scenario.room]` with `kind = \"room\"`"));
    }
    genes.finish()?;
    Ok(cases)
}

fn case(
    file: &str,
    name: &str,
    combination: &Combination,
    model: &'static Entry<MakeModel>,
    genes: &Genes,
    context: &mut Context<'_>,
    fields: &mut FieldCache,
) -> Result<Case, Error> {
    let item = Item::part(file, format!("scenario.{name}"), &combination.scenario);
    let table = item.table()?;
    let kind = table.take("kind").map(|k| k.entry(&context.registry.scenarios)).transpose()?;
    let mut built = match kind {
        Some(kind) => registered(&table, kind)?,
        None => written::built(&table, context)?,
    };
    if let Some(navigation) = table.take("navigation") {
        built.plan.navigation = self::navigation(&navigation)?;
    }
    let own = kind.is_some_and(|k| k.params.iter().any(|p| p.key == "sight_m"));
    if let (false, Some(sight)) = (own, table.take("sight_m")) {
        built.plan.sight_m = Some(sight.positive("a number above 0 m")?);
    }
    let tracks = table.take("tracks").map(|item| tracks::read(&item, context, &built)).transpose()?;
    let seconds = "a number above 0 s";
    let limit_s = table.need("limit_s", "")?.positive(seconds)?;
    let give_up_s =
        table.need("give_up_s", "")?.number(f64::MIN_POSITIVE, f64::INFINITY, "a number above 0 s, or inf")?;
    let replicas = table.need("replicas", "")?.whole(1, 100_000)? as u32;

    let held_out = table.need("held_out", "")?.switch()?;

    let shared = Layers {
        parameters: vec![Item::part(file, "parameters".into(), &combination.parameters)],
        people: vec![Item::part(file, "people".into(), &combination.people)],
    };
    let shared = layered(&shared, &table);
    let own = groups(&table, &built)?;
    let groups = built
        .groups
        .iter()
        .map(|group| match own.iter().find(|(name, _)| *name == group.name) {
            Some((_, table)) => genes.bind(model, &layered(&shared, table)),
            None => genes.bind(model, &shared),
        })
        .collect::<Result<Vec<_>, _>>()?;
    table.finish()?;

    let world = World::new(built.plan, fields).map_err(|e| item.locate(e))?;
    let axes: Vec<_> = combination.axes.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Ok(Case {
        name: if axes.is_empty() { name.to_owned() } else { format!("{name}[{}]", axes.join(",")) },
        table: name.to_owned(),
        axes: combination.axes.clone(),
        held_out: held_out || combination.held_out,
        scenario: Arc::new(Scenario {
            name: name.to_owned(),
            world: Arc::new(world),
            groups: built.groups,
            limit_s,
            give_up_s: give_up_s.is_finite().then_some(give_up_s),
            tracks: tracks.map(Arc::new),
        }),
        replicas,
        groups,
        columns: Vec::new(),
    })
}

/// The tables of a scenario or group before those that already count.
fn layered<'a>(below: &Layers<'a>, table: &Table<'a>) -> Layers<'a> {
    let with = |key: &str, below: &[Item<'a>]| table.take(key).into_iter().chain(below.iter().cloned()).collect();
    Layers { parameters: with("parameters", &below.parameters), people: with("people", &below.people) }
}

fn registered(table: &Table<'_>, kind: &'static Entry<MakeScenario>) -> Result<Built, Error> {
    let values = params::settings(table, kind.params)?;
    (kind.make.make)(&Settings::new(kind.params, &values)).map_err(|e| table.item.locate(e))
}

/// The tables of the groups that a place has.
fn groups<'a>(table: &Table<'a>, built: &Built) -> Result<Vec<(String, Table<'a>)>, Error> {
    let Some(item) = table.take("group") else { return Ok(Vec::new()) };
    let names: Vec<_> = built.groups.iter().map(|g| g.name.as_str()).collect();
    let mut out = Vec::new();
    for (name, item) in item.named()? {
        if !names.contains(&name.as_str()) {
            return Err(suggest::among(item.error(format!("there is no group `{name}` here")), &name, &names));
        }
        let group = item.table()?;
        if table.take("kind").is_some() {
            for key in ["parameters", "people"] {
                group.take(key);
            }
            group.finish()?;
        }
        out.push((name, group));
    }
    Ok(out)
}

fn navigation(item: &Item<'_>) -> Result<Navigation, Error> {
    let table = item.table().map_err(|_| {
        item.wrong(
            "{ kind = \"straight\" }, { kind = \"waypoints\", points, radius_m } or { kind = \"field\", cell_m }",
        )
    })?;
    #[derive(Clone, Copy)]
    enum Kind {
        Straight,
        Waypoints,
        Field,
    }
    let kinds = [("straight", Kind::Straight), ("waypoints", Kind::Waypoints), ("field", Kind::Field)];
    let kind = table.need("kind", "it is \"straight\", \"waypoints\" or \"field\"")?.word(&kinds)?;
    let meters = |key: &str| table.need(key, "")?.positive("a number above 0 m");
    let navigation = match kind {
        Kind::Straight => Navigation::Straight,
        Kind::Waypoints => Navigation::Waypoints {
            points: geometry::points(&table.need("points", "waypoints are [[x, y], ...] in m")?, 1)?,
            radius_m: meters("radius_m")?,
        },
        Kind::Field => Navigation::Field { cell_m: meters("cell_m")? },
    };
    table.finish()?;
    Ok(navigation)
}
