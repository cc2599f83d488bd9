//! Scenario tables to cases: the place, and who is in it.

use super::context::Context;
use super::each::{self, Combination};
use super::item::{Item, Table, join};
use super::models::Models;
use super::tree::{Node, Value};
use super::{geometry, ground, meetings, params, ties, tracks, written};
use crate::evolve::experiment::Case;
use crate::evolve::features;
use crowdtune_core::registry::{Entry, Settings};
use crowdtune_core::{Error, suggest};
use crowdtune_sim::world::FieldCache;
use crowdtune_sim::world::World;
use crowdtune_sim::world::scenario::{Discomfort, Navigation, Scenario};
use crowdtune_sim::world::{Built, MakeScenario};
use std::sync::Arc;

/// A case without its constants, and the tables that it was made of.
#[derive(Debug)]
pub struct Placed {
    /// The case; nothing is bound yet.
    pub case: Case,
    /// One value for each `each`.
    pub each: Combination,
}

impl Placed {
    /// The scenario table.
    pub fn item<'p>(&'p self, file: &'p str) -> Item<'p> {
        Item::part(file, join("scenario", &self.case.table), &self.each.scenario)
    }
}

/// All cases of a filled file: tables in name order, held-out ones last within their table.
///
/// # Errors
/// If a scenario is wrong, or there is none.
pub fn cases(root: &Node, file: &str, models: &Models, context: &mut Context<'_>) -> Result<Vec<Placed>, Error> {
    let scenarios = Item::part(file, "scenario".into(), root.get("scenario").expect("it was asked for"));
    let mut fields = FieldCache::default();
    let mut cases = Vec::new();
    for (name, item) in scenarios.named()? {
        for each in each::expand(root, file, &name, item.node, models)? {
            let placed = Placed { case: case(file, &name, &each, context, &mut fields)?, each };
            if let (Some(_), Some(what)) = (context.foreign, features::untold(&placed.case)) {
                return Err(placed
                    .item(file)
                    .error(format!("`scenario.{name}` has {what}, and engines are not told of that"))
                    .help("take it out, or hand it over in words of your own by `engine = { ... }`"));
            }
            models.fit(&placed.case.scenario).map_err(|e| match e.named_key() {
                // Which groups can meet: the line of the first that names a model says more than that of the file.
                Some("model") => models.named_first(&placed.item(file)).locate(e),
                _ => placed.item(file).locate(e),
            })?;
            cases.push(placed);
        }
    }
    if cases.is_empty() {
        return Err(scenarios
            .error("the experiment has no scenario")
            .help("add a table such as `[scenario.room]` with `kind = \"room\"`"));
    }
    Ok(cases)
}

fn case(
    file: &str,
    name: &str,
    combination: &Combination,
    context: &mut Context<'_>,
    fields: &mut FieldCache,
) -> Result<Case, Error> {
    let item = Item::part(file, format!("scenario.{name}"), &combination.scenario);
    let table = item.table()?;
    let kind = table.take("kind").map(|k| k.entry(&context.registry.scenarios)).transpose()?;
    let tracks = table.take("tracks");
    let recorded = tracks.as_ref().map(|item| tracks::read(item, context)).transpose()?;
    let mut built = match kind {
        Some(kind) => registered(&table, kind)?,
        None => written::built(&table, context, recorded.as_ref())?,
    };
    if let Some(navigation) = table.take("navigation") {
        built.plan.navigation = self::navigation(&navigation)?;
    }
    if let Some(item) = table.take("discomfort") {
        built.plan.discomfort = discomfort(&item)?;
    }
    let weighs = |navigation: &Navigation| matches!(navigation, Navigation::Field { discomfort_weight, .. } if *discomfort_weight > 0.0);
    let brings = built.groups.iter().any(|group| group.discomfort.is_some());
    if weighs(&built.plan.navigation) && built.plan.discomfort.is_empty() && !brings {
        return Err(item
            .error("`discomfort_weight` of its navigation has no effect: the place has no `discomfort`")
            .help("draw an area, such as `discomfort = [{ area = [[0, 0], [4, 3]], people_per_m2 = 2.0 }]`"));
    }
    if let Some(item) = table.take("ground") {
        built.plan.relief = Some(ground::read(&item, context)?);
    }
    let own = kind.is_some_and(|k| k.params.iter().any(|p| p.key == "sight_m"));
    if let (false, Some(sight)) = (own, table.take("sight_m")) {
        built.plan.sight_m = Some(sight.positive("a number above 0 m")?);
    }
    let most = crate::limits::SIMULATED.most as f64;
    let seconds = format!("a number above 0, at most {most} s");
    let limit_s = table.need("limit_s", "")?.number(f64::MIN_POSITIVE, most, &seconds)?;
    let give_up_s =
        table.need("give_up_s", "")?.number(f64::MIN_POSITIVE, f64::INFINITY, "a number above 0 s, or inf")?;
    let replicas = table.need("replicas", "")?.whole(1, 100_000)? as u32;

    let held_out = table.need("held_out", "")?.switch()?;
    let settings = match (table.take("engine"), context.foreign) {
        (Some(item), None) => {
            return Err(item
                .error("this experiment has no engine that could read it")
                .help("remove it, or describe the engine in [engine]"));
        }
        (Some(item), Some(_)) => {
            item.table()?;
            plain(item.node)
        }
        (None, _) => serde_json::json!({}),
    };

    check_groups(&table, &built)?;
    meetings::read(&table, &mut built.groups)?;
    // `layers` has read them.
    for key in ["parameters", "people"] {
        table.take(key);
    }
    table.finish()?;

    let world = World::new(built.plan, fields).map_err(|e| item.locate(e))?;
    let mut put_beside = None;
    if let Some((item, recorded)) = tracks.zip(recorded) {
        recorded.warn(&item, context, &world)?;
        put_beside = Some(Arc::new(recorded.tracks(&item, &built.groups, &world.plan.periodic)?));
    }
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
            tracks: put_beside,
        }),
        replicas,
        groups: Vec::new(),
        settings,
        columns: Vec::new(),
    })
}

/// A part of the file as JSON.
fn plain(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Bool(on) => (*on).into(),
        Value::Integer(n) => (*n).into(),
        Value::Float(x) => (*x).into(),
        Value::Text(text) => text.clone().into(),
        Value::List(list) => list.iter().map(plain).collect(),
        Value::Table(entries) => entries.iter().map(|(key, node)| (key.clone(), plain(node))).collect(),
    }
}

/// Areas where people do not like to be.
fn discomfort(item: &Item<'_>) -> Result<Vec<Discomfort>, Error> {
    let what = "a list of { area = [[x, y], [x, y]], people_per_m2 = 2.0 }";
    let list = item.list().map_err(|_| item.wrong(what))?;
    let one = |item: &Item<'_>| {
        let table = item.table().map_err(|_| item.wrong(what))?;
        let area = geometry::area(&table.need("area", what)?)?;
        let people_per_m2 =
            table.need("people_per_m2", what)?.number(0.0, ties::MOST_DISCOMFORT, "a number from 0 to 1000 1/m2")?;
        table.finish()?;
        Ok(Discomfort { area, people_per_m2 })
    };
    list.iter().map(one).collect()
}

fn registered(table: &Table<'_>, kind: &'static Entry<MakeScenario>) -> Result<Built, Error> {
    let values = params::settings(table, kind.params)?;
    (kind.make.make)(&Settings::new(kind.params, &values)).map_err(|e| table.item.locate(e))
}

/// Refuses tables of groups that a place does not have.
fn check_groups(table: &Table<'_>, built: &Built) -> Result<(), Error> {
    let Some(item) = table.take("group") else { return Ok(()) };
    let names: Vec<_> = built.groups.iter().map(|g| g.name.as_str()).collect();
    for (name, item) in item.named()? {
        if !names.contains(&name.as_str()) {
            return Err(suggest::among(item.error(format!("there is no group `{name}` here")), &name, &names));
        }
        let group = item.table()?;
        if table.take("kind").is_some() {
            for key in written::OF_GROUPS {
                group.take(key);
            }
            group.finish()?;
        }
    }
    Ok(())
}

fn navigation(item: &Item<'_>) -> Result<Navigation, Error> {
    let table = item.table().map_err(|_| {
        item.wrong(
            "{ kind = \"straight\" }, { kind = \"waypoints\", points, radius_m }, { kind = \"field\", cell_m } or \
             { kind = \"corners\", margin_m }",
        )
    })?;
    #[derive(Clone, Copy)]
    enum Kind {
        Straight,
        Waypoints,
        Field,
        Corners,
    }
    let kinds = [
        ("straight", Kind::Straight),
        ("waypoints", Kind::Waypoints),
        ("field", Kind::Field),
        ("corners", Kind::Corners),
    ];
    let kind = table.need("kind", "it is \"straight\", \"waypoints\", \"field\" or \"corners\"")?.word(&kinds)?;
    let meters = |key: &str| table.need(key, "")?.positive("a number above 0 m");
    let navigation = match kind {
        Kind::Straight => Navigation::Straight,
        Kind::Corners => {
            Navigation::Corners { margin_m: table.need("margin_m", "")?.number(0.0, 1.0, "a number from 0 to 1 m")? }
        }
        Kind::Waypoints => Navigation::Waypoints {
            points: geometry::points(&table.need("points", "waypoints are [[x, y], ...] in m")?, 1)?,
            radius_m: meters("radius_m")?,
        },
        Kind::Field => {
            let weight = table.take("discomfort_weight");
            let weight = weight.map(|w| w.number(0.0, 100.0, "a number from 0 to 100 m2")).transpose()?;
            Navigation::Field { cell_m: meters("cell_m")?, discomfort_weight: weight.unwrap_or(0.0) }
        }
    };
    table.finish()?;
    Ok(navigation)
}
