//! Scenario tables without `kind`: the place and the people are written out.

use super::item::{Item, Table};
use super::node::{Entries, Node, Value, put};
use super::{Files, geometry};
use crate::Error;
use crate::math::Vec2;
use crate::world::scenario::{Goal, Group, Named, Navigation, Plan, Polygon, Segment, Spawn, named};
use crate::world::scenarios::Built;

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
    let parts = [wkt_text(table.take("walkable"), files)?, wkt_text(table.take("obstacles"), files)?];
    let walls = match table.take("walls") {
        Some(item) => item.list()?.iter().map(geometry::line).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    if parts.iter().all(Option::is_none) && walls.is_empty() {
        let path = &table.item.path;
        return Err(table
            .item
            .error(format!("`{path}` has no `kind`, and no `walkable`, `obstacles` or `walls` that describe a place"))
            .help("add `kind = \"room\"` or `walkable = \"POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))\"`"));
    }
    let groups = table.need("group", "say who walks there: [scenario.NAME.group.NAME] with count, from, to")?;
    assemble(table, &parts, walls, &groups)
}

fn wkt_text<'a>(item: Option<Item<'a>>, files: &mut Files<'_>) -> Result<Option<(Item<'a>, String)>, Error> {
    let Some(item) = item else { return Ok(None) };
    if let Ok(text) = item.text() {
        return Ok(Some((item, text)));
    }
    let what = "WKT in quotes, such as \"POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))\", or { file = \"place.wkt\" }";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let file = table.need("file", what)?;
    table.finish()?;
    let text = files.text(&file)?;
    Ok(Some((file, text)))
}

fn assemble(
    table: &Table<'_>,
    parts: &[Option<(Item<'_>, String)>; 2],
    mut walls: Vec<Segment>,
    groups: &Item<'_>,
) -> Result<Built, Error> {
    let mut plan = Plan {
        walls: Vec::new(),
        walkable: Vec::new(),
        goals: Vec::new(),
        lines: places(table, "lines", geometry::line)?,
        areas: places(table, "areas", geometry::area)?,
        navigation: Navigation::Straight,
        sight_m: None,
    };
    let [walkable, obstacles] = parts;
    for (item, text) in walkable.iter() {
        for (shell, holes) in polygons(item, text)? {
            walls.extend(std::iter::once(&shell).chain(&holes).flat_map(Polygon::edges));
            plan.walkable.push((shell, holes));
        }
    }
    for (item, text) in obstacles.iter() {
        for (shell, _) in polygons(item, text)? {
            walls.extend(shell.edges());
        }
    }
    let mut people = Vec::new();
    for (name, item) in groups.named()? {
        people.push(group(&name, &item, &mut plan)?);
    }
    if people.is_empty() {
        return Err(groups.error("there is no group").help("add [scenario.NAME.group.NAME] with count, from, to"));
    }
    let doors: Vec<_> = plan.lines.iter().map(|l| l.what).collect();
    _ = doors;
    plan.walls = walls;
    Ok(Built { plan, groups: people })
}

fn places<T>(table: &Table<'_>, key: &str, read: fn(&Item<'_>) -> Result<T, Error>) -> Result<Vec<Named<T>>, Error> {
    let Some(item) = table.take(key) else { return Ok(Vec::new()) };
    item.named()?.into_iter().map(|(name, item)| Ok(named(name, read(&item)?))).collect()
}

fn group(name: &str, item: &Item<'_>, plan: &mut Plan) -> Result<Group, Error> {
    let table = item.table()?;
    for key in ["parameters", "people"] {
        table.take(key);
    }
    if let Some(inflow) = table.take("inflow_per_s") {
        return Err(inflow
            .error("people who enter during the run (`inflow_per_s`) are not supported yet")
            .help("give `count`, people who are there at the start"));
    }
    let count = table.need("count", "the number of people")?.whole(1, 100_000)? as usize;
    let spawn = from(&table.need("from", "where they start: { area = [[x, y], [x, y]] }")?)?;
    let mut stages = Vec::new();
    if let Some(to) = table.take("to") {
        let several = to.list().unwrap_or_else(|_| vec![to.clone()]);
        for (number, item) in several.iter().enumerate() {
            let name = if several.len() == 1 { name.to_owned() } else { format!("{name}{}", number + 1) };
            let goal = goal(item, &spawn)?;
            if let Goal::Door { line, .. } = goal
                && plan.lines.iter().all(|l| l.name != name)
            {
                plan.lines.push(named(name.clone(), line));
            }
            stages.push(vec![plan.goals.len()]);
            plan.goals.push(named(name, goal));
        }
    }
    table.finish()?;
    Ok(Group { name: name.to_owned(), count, spawn, stages })
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

fn goal(item: &Item<'_>, spawn: &Spawn) -> Result<Goal, Error> {
    let what = "{ line = [[x, y], [x, y]] }, { area = [[x, y], [x, y]] } or { point = [x, y], radius_m = 0.5 }, or a list of them";
    let table = item.table().map_err(|_| item.wrong(what))?;
    let (line, area, point) = (table.take("line"), table.take("area"), table.take("point"));
    let radius = table.take("radius_m");
    table.finish()?;
    match (line, area, point, radius) {
        (Some(line), None, None, None) => {
            let line = geometry::line(&line)?;
            let outward = (line.b - line.a).left();
            // People come from where they start: across the line means away from there.
            let side = outward.dot(line.a - middle(spawn));
            let outward = if side < 0.0 { -outward } else { outward };
            Ok(Goal::Door { line, outward: outward.unit().unwrap_or(Vec2::ZERO) })
        }
        (None, Some(area), None, None) => Ok(Goal::Area(geometry::area(&area)?)),
        (None, None, Some(at), radius) => Ok(Goal::Point {
            at: geometry::point(&at)?,
            // Chosen here: half a metre, about one person.
            radius: radius.map_or(Ok(0.5), |r| r.positive("a number above 0 m"))?,
        }),
        _ => Err(item.wrong(what)),
    }
}

fn middle(spawn: &Spawn) -> Vec2 {
    match spawn {
        Spawn::Random(area) | Spawn::Lattice { area, .. } => area.centroid(),
        Spawn::Points(points) => points.iter().fold(Vec2::ZERO, |sum, p| sum + *p) / points.len() as f64,
    }
}

fn polygons(item: &Item<'_>, text: &str) -> Result<Vec<(Polygon, Vec<Polygon>)>, Error> {
    _ = text;
    Err(item.error("WKT"))
}
