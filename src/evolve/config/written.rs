//! Scenario tables without `kind`: the place and the people are written out.

use super::context::Context;
use super::item::{Item, Table};
use super::tracks::Recorded;
use super::tree::{Entries, Node, Value, put};
use super::{geometry, ties};
use crate::wkt;
use crowdtune_core::Error;
use crowdtune_sim::world::Built;
use crowdtune_sim::world::custom::{CustomGroup, CustomPlace, Rings, Spot, Visit, Wish};
use crowdtune_sim::world::scenario::{Named, Navigation, Spawn, named};

/// Default `limit_s`. Chosen here: ten minutes are enough to leave any place that fits one thread.
pub const LIMIT_S: f64 = 600.0;
/// Keys of a group that are read elsewhere, for the groups of registered places too.
pub const OF_GROUPS: [&str; 4] = ["parameters", "people", "model", "gives_way"];
/// Most people of one group. Chosen here: a city festival, not a typing mistake.
const MOST_PEOPLE: i64 = 100_000;

/// Writes the defaults of a written place.
pub fn fill(table: &mut Entries) {
    put(table, "periodic", Value::Text("none".into()));
    let straight = [("kind".to_owned(), Node::default(Value::Text("straight".into())))];
    put(table, "navigation", Value::Table(straight.into_iter().collect()));
}

/// Reads a place: `walkable`, `obstacles`, `walls`, `lines`, `areas`, and its groups. Those of a recording need neither number nor
/// start.
///
/// # Errors
/// If something is missing or wrong, or not supported yet.
pub fn built(table: &Table<'_>, context: &mut Context<'_>, recorded: Option<&Recorded>) -> Result<Built, Error> {
    let rings = |x: bool, y: bool| Rings { x, y };
    let periodic = table.need("periodic", "")?.word(&[
        ("none", rings(false, false)),
        ("x", rings(true, false)),
        ("y", rings(false, true)),
        ("xy", rings(true, true)),
    ])?;
    // The time in which an inflow without `count` brings people in.
    let limit_s = table.need("limit_s", "")?.positive("a number above 0 s")?;
    let walkable = shapes(table.take("walkable"), context, wkt::polygons)?;
    let obstacles = shapes(table.take("obstacles"), context, wkt::polygons)?;
    let mut walls = Vec::new();
    if let Some(item) = table.take("walls") {
        match &item.node.value {
            Value::List(_) => {
                for line in item.list()? {
                    walls.push(geometry::line(&line)?);
                }
            }
            _ => walls = shapes(Some(item), context, wkt::segments)?,
        }
    }
    if walkable.is_empty() && obstacles.is_empty() && walls.is_empty() {
        let path = &table.item.path;
        return Err(table
            .item
            .error(format!("`{path}` has no `kind`, and no `walkable`, `obstacles` or `walls` that describe a place"))
            .help("add `kind = \"room\"` or `walkable = \"POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))\"`"));
    }
    let groups = table.need("group", "say who walks there: [scenario.NAME.group.NAME] with count, from, to")?;
    let groups = match recorded {
        None => groups.named()?.iter().map(|(name, item)| group(name, item, limit_s)).collect::<Result<_, _>>()?,
        Some(recorded) => recorded_groups(&groups, recorded)?,
    };
    let place = CustomPlace {
        walkable,
        obstacles: obstacles.into_iter().map(|(shell, _)| shell).collect(),
        walls,
        groups,
        lines: places(table, "lines", geometry::line)?,
        areas: places(table, "areas", geometry::area)?,
        navigation: Navigation::Straight,
        sight_m: None,
        periodic,
    };
    place.build().map_err(|e| table.item.locate(e))
}

/// What a WKT text, here or in a file, describes; nothing where there is none.
fn shapes<T>(
    item: Option<Item<'_>>,
    context: &mut Context<'_>,
    parse: fn(&str) -> Result<Vec<T>, Error>,
) -> Result<Vec<T>, Error> {
    let Some(item) = item else { return Ok(Vec::new()) };
    if let Ok(text) = item.text() {
        return parse(&text).map_err(|e| item.located(e));
    }
    let what = "WKT in quotes, such as \"POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))\", or { file = \"place.wkt\" }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let file = table.need("file", what)?;
    table.finish()?;
    let text = context.text(&file)?;
    let name = file.text()?;
    parse(&text).map_err(|e| e.file(name).key(&file.path))
}

fn places<T>(table: &Table<'_>, key: &str, read: fn(&Item<'_>) -> Result<T, Error>) -> Result<Vec<Named<T>>, Error> {
    let Some(item) = table.take(key) else { return Ok(Vec::new()) };
    item.named()?.into_iter().map(|(name, item)| Ok(named(name, read(&item)?))).collect()
}

fn group(name: &str, item: &Item<'_>, limit_s: f64) -> Result<CustomGroup, Error> {
    let table = item.table()?;
    for key in OF_GROUPS {
        table.take(key);
    }
    let inflow = table.take("inflow_per_s").map(|i| Ok((i.positive("a number above 0 1/s")?, i))).transpose()?;
    let count = match (&inflow, table.take("count")) {
        (_, Some(count)) => count.whole(1, MOST_PEOPLE)? as usize,
        (Some((per_s, item)), None) => {
            let count = (per_s * limit_s).ceil().max(1.0);
            if count > MOST_PEOPLE as f64 {
                return Err(item
                    .error(format!("{per_s} people per second for {limit_s} s are more than {MOST_PEOPLE}"))
                    .help("lower it, or give `count`, after which nobody else comes in"));
            }
            count as usize
        }
        (None, None) => {
            table.need("count", "it is the number of people; or `inflow_per_s`, the people who come in per second")?;
            unreachable!("the key is absent")
        }
    };
    let from = from(&table.need("from", "say where they start, for instance `from = { area = [[0, 0], [8, 6]] }`")?)?;
    let to = table.take("to").map_or(Ok(Wish::Visits(Vec::new())), |to| wish(&to))?;
    let ties = ties::read(&table)?;
    table.finish()?;
    Ok(CustomGroup { name: name.to_owned(), count, from, inflow_per_s: inflow.map(|i| i.0), to, ties })
}

/// The groups of a recording. One may leave its `count` out and has whoever is in no other; who has no `from` starts where the
/// recording does, whoever has no `to` goes where the own track leads.
fn recorded_groups(groups: &Item<'_>, recorded: &Recorded) -> Result<Vec<CustomGroup>, Error> {
    let named = groups.named()?;
    let mut read = Vec::new();
    for (name, item) in &named {
        let table = item.table()?;
        for key in OF_GROUPS {
            table.take(key);
        }
        if let Some(rate) = table.take("inflow_per_s") {
            return Err(rate
                .error("the people of a recording come in when they are seen, not at a rate")
                .help("leave it out"));
        }
        let count = table.take("count").map(|c| c.whole(1, MOST_PEOPLE)).transpose()?;
        let from = table.take("from").map(|f| from(&f)).transpose()?;
        let to = table.take("to").map_or(Ok(Wish::Track), |to| wish(&to))?;
        let ties = ties::read_recorded(&table)?;
        table.finish()?;
        read.push((name, item, count.map(|c| c as usize), from, (to, ties)));
    }
    let counted: usize = read.iter().filter_map(|group| group.2).sum();
    let mut rest = recorded.people().checked_sub(counted);
    let mut first = 0;
    let mut groups = Vec::new();
    for (name, item, count, from, (to, ties)) in read {
        let wrong = || {
            item.error(format!("`{}` has no `count`, and nobody of the recording is left for it", item.path))
                .help("only one group may leave it out")
        };
        let count = count.map_or_else(|| rest.take().filter(|&rest| rest > 0).ok_or_else(wrong), Ok)?;
        let end = (first + count).min(recorded.people());
        let from = from.unwrap_or_else(|| Spawn::Points(recorded.first_places(first.min(end)..end)));
        first = end;
        groups.push(CustomGroup { name: name.clone(), count, from, inflow_per_s: None, to, ties });
    }
    Ok(groups)
}

fn from(item: &Item<'_>) -> Result<Spawn, Error> {
    let what = "{ area = [[x, y], [x, y]] }, on a lattice with `spacing_m`, or { points = [[x, y], ...] }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let (area, spacing, points) = (table.take("area"), table.take("spacing_m"), table.take("points"));
    table.finish()?;
    match (area, spacing, points) {
        (Some(area), None, None) => Ok(Spawn::Random(geometry::area(&area)?)),
        (Some(area), Some(spacing), None) => Ok(Spawn::Lattice {
            area: geometry::area(&area)?,
            spacing_m: Some(spacing.positive("a number above 0 m")?),
        }),
        (None, None, Some(points)) => Ok(Spawn::Points(geometry::points(&points, 1)?)),
        _ => Err(item.wrong(what)),
    }
}

/// How near to the place of a `gather` people want to go nowhere any more, m. Chosen here: as for a point to visit.
const GATHERED_M: f64 = 0.5;

/// `{ heading = [x, y] }`, `{ group = "leader" }`, `{ gather = [x, y] }`, or places to visit.
fn wish(item: &Item<'_>) -> Result<Wish, Error> {
    if item.is_table() {
        let table = item.table()?;
        let (heading, group, gather) = (table.take("heading"), table.take("group"), table.take("gather"));
        let radius = gather.as_ref().and_then(|_| table.take("radius_m"));
        if heading.is_some() || group.is_some() || gather.is_some() {
            table.finish()?;
        }
        match (heading, group, gather) {
            (Some(heading), None, None) => return geometry::point(&heading).map(Wish::Heading),
            (None, Some(group), None) => return group.text().map(Wish::Group),
            (None, None, Some(at)) => {
                let radius_m = radius.map_or(Ok(GATHERED_M), |r| r.positive("a number above 0 m"))?;
                return Ok(Wish::Gather { at: geometry::point(&at)?, radius_m });
            }
            (None, None, None) => {}
            _ => {
                return Err(item
                    .error("a group goes one way: `heading`, `group` or `gather`")
                    .help("keep one of them"));
            }
        }
    }
    let several = item.list().unwrap_or_else(|_| vec![item.clone()]);
    several.iter().map(visit).collect::<Result<_, _>>().map(Wish::Visits)
}

fn visit(item: &Item<'_>) -> Result<Visit, Error> {
    let what = "{ line = [[x, y], [x, y]] }, { area = [[x, y], [x, y]] } { point = [x, y], radius_m = 0.5 }, with a \
                `name` if wanted, { any = [...] } of them, a list of them, { heading = [x, y] }, { group = \"leader\" } or { gather = [x, y] }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let (line, area, point) = (table.take("line"), table.take("area"), table.take("point"));
    let (radius, name, any) = (table.take("radius_m"), table.take("name"), table.take("any"));
    table.finish()?;
    if let Some(any) = any {
        if line.is_some() || area.is_some() || point.is_some() || radius.is_some() {
            return Err(any.error("people go to one place, or to the nearest of several").help("keep `any` alone"));
        }
        let what = any.list()?.iter().map(|one| Ok(visit(one)?.what)).collect::<Result<Vec<_>, Error>>()?.concat();
        if what.is_empty() {
            return Err(any.wrong("a list of one place or more"));
        }
        return Ok(Visit { name: name.map(|n| n.text()).transpose()?, what });
    }
    let to = match (line, area, point, radius) {
        (Some(line), None, None, None) => Spot::Line(geometry::line(&line)?),
        (None, Some(area), None, None) => Spot::Area(geometry::area(&area)?),
        (None, None, Some(at), radius) => Spot::Point {
            at: geometry::point(&at)?,
            // Chosen here: half a meter, about one person.
            radius_m: radius.map_or(Ok(0.5), |r| r.positive("a number above 0 m"))?,
        },
        _ => return Err(item.wrong(what)),
    };
    Ok(Visit { name: name.map(|n| n.text()).transpose()?, what: vec![to] })
}
