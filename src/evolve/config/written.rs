//! Scenario tables without `kind`: the place and the people are written out.

use super::item::{Item, Table};
use super::node::{Entries, Node, Value, put};
use super::{Files, geometry};
use crate::Error;
use crate::world::plan::{To, Visit, Written, WrittenGroup, written};
use crate::world::scenario::{Named, Navigation, Spawn, named};
use crate::world::scenarios::Built;
use crate::world::wkt;

/// Default `limit_s`. Chosen here: ten minutes are enough to leave any place that fits one thread.
pub const LIMIT_S: f64 = 600.0;

/// Writes the defaults of a written place.
pub fn fill(table: &mut Entries) {
    put(table, "periodic", Value::Text("none".into()));
    let straight = [("kind".to_owned(), Node::default(Value::Text("straight".into())))];
    put(table, "navigation", Value::Table(straight.into_iter().collect()));
}

/// Reads a place: `walkable`, `obstacles`, `walls`, `lines`, `areas`, and its groups.
///
/// # Errors
/// If something is missing or wrong, or not supported yet.
pub fn built(table: &Table<'_>, files: &mut Files<'_>) -> Result<Built, Error> {
    let periodic = table.need("periodic", "")?;
    if periodic.word(&[("none", false), ("x", true), ("y", true), ("xy", true)])? {
        return Err(periodic.error("periodic places are not supported yet").allowed("\"none\""));
    }
    let walkable = shapes(table.take("walkable"), files, wkt::polygons)?;
    let obstacles = shapes(table.take("obstacles"), files, wkt::polygons)?;
    let mut walls = Vec::new();
    if let Some(item) = table.take("walls") {
        match &item.node.value {
            Value::List(_) => {
                for line in item.list()? {
                    walls.push(geometry::line(&line)?);
                }
            }
            _ => walls = shapes(Some(item), files, wkt::segments)?,
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
    let place = Written {
        walkable,
        obstacles: obstacles.into_iter().map(|(shell, _)| shell).collect(),
        walls,
        groups: groups.named()?.iter().map(|(name, item)| group(name, item)).collect::<Result<_, _>>()?,
        lines: places(table, "lines", geometry::line)?,
        areas: places(table, "areas", geometry::area)?,
        navigation: Navigation::Straight,
        sight_m: None,
    };
    written(place).map_err(|e| table.item.locate(e))
}

/// What a WKT text, here or in a file, describes; nothing where there is none.
fn shapes<T>(
    item: Option<Item<'_>>,
    files: &mut Files<'_>,
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
    let text = files.text(&file)?;
    let name = file.text()?;
    parse(&text).map_err(|e| e.file(name).key(&file.path))
}

fn places<T>(table: &Table<'_>, key: &str, read: fn(&Item<'_>) -> Result<T, Error>) -> Result<Vec<Named<T>>, Error> {
    let Some(item) = table.take(key) else { return Ok(Vec::new()) };
    item.named()?.into_iter().map(|(name, item)| Ok(named(name, read(&item)?))).collect()
}

fn group(name: &str, item: &Item<'_>) -> Result<WrittenGroup, Error> {
    let table = item.table()?;
    for key in ["parameters", "people"] {
        table.take(key);
    }
    if let Some(inflow) = table.take("inflow_per_s") {
        return Err(inflow
            .error("people who enter during the run (`inflow_per_s`) are not supported yet")
            .help("give `count`, the people who are there at the start"));
    }
    let count = table.need("count", "it is the number of people")?.whole(1, 100_000)? as usize;
    let from = from(&table.need("from", "say where they start, for instance `from = { area = [[0, 0], [8, 6]] }`")?)?;
    let to = match table.take("to") {
        Some(to) => {
            let several = to.list().unwrap_or_else(|_| vec![to.clone()]);
            several.iter().map(visit).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    table.finish()?;
    Ok(WrittenGroup { name: name.to_owned(), count, from, to })
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

fn visit(item: &Item<'_>) -> Result<Visit, Error> {
    let what = "{ line = [[x, y], [x, y]] }, { area = [[x, y], [x, y]] } or { point = [x, y], radius_m = 0.5 }, with a \
                `name` if wanted, or a list of them";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let (line, area, point) = (table.take("line"), table.take("area"), table.take("point"));
    let (radius, name) = (table.take("radius_m"), table.take("name"));
    table.finish()?;
    let to = match (line, area, point, radius) {
        (Some(line), None, None, None) => To::Line(geometry::line(&line)?),
        (None, Some(area), None, None) => To::Area(geometry::area(&area)?),
        (None, None, Some(at), radius) => To::Point {
            at: geometry::point(&at)?,
            // Chosen here: half a metre, about one person.
            radius_m: radius.map_or(Ok(0.5), |r| r.positive("a number above 0 m"))?,
        },
        _ => return Err(item.wrong(what)),
    };
    Ok(Visit { name: name.map(|n| n.text()).transpose()?, what: to })
}
