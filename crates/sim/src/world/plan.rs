//! Places that an experiment file writes itself: outlines become walls, goal lines become doors.

use super::field::inside;
use super::geometry::{Bounds, check_point};
use super::overlay::{self, Ring};
use super::scenario::{Goal, Group, Named, Navigation, Plan, Polygon, Pull, Segment, Spawn, Stage, named};
use super::scenarios::Built;
use super::torus::Torus;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// A goal line nearer than this to a wall lies on it, m. Chosen here: outlines are given to a millimetre.
const ON_WALL_M: f64 = 1e-3;
/// How far beside a door it is tested which side is walkable, m. Chosen here: ten times the slack of drawing.
const PROBE_M: f64 = 1e-2;

/// What a file writes about a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Shells with holes in which people can be; overlapping ones are united. Empty: only the walls bound the place.
    pub walkable: Vec<(Polygon, Vec<Polygon>)>,
    /// Outlines of what stands in the way; needs a walkable area.
    pub obstacles: Vec<Polygon>,
    /// Further walls.
    pub walls: Vec<Segment>,
    /// Who walks where; at least one group.
    pub groups: Vec<WrittenGroup>,
    /// Further lines to measure at.
    pub lines: Vec<Named<Segment>>,
    /// Areas to measure in.
    pub areas: Vec<Named<Polygon>>,
    /// How people find their way.
    pub navigation: Navigation,
    /// Goals are seen only within this distance, m.
    pub sight_m: Option<f64>,
    /// Which axes are closed to a ring: the extent of the walkable area, or of all walls, along them.
    pub periodic: Rings,
}

/// Which axes of a written place are closed to a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rings {
    /// Along x.
    pub x: bool,
    /// Along y.
    pub y: bool,
}

/// One group as a file writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenGroup {
    /// Name of its table.
    pub name: String,
    /// Number of people.
    pub count: usize,
    /// Where they start, or come in.
    pub from: Spawn,
    /// How many come in per second; `None`: all are there at the start.
    pub inflow_per_s: Option<f64>,
    /// Where they want to go.
    pub to: Wish,
}

/// Where a group wants to go.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// These places, in order; at the last they leave. Empty: they stay.
    Visits(Vec<Visit>),
    /// Always this direction.
    Heading(Vec2),
    /// The middle of this group.
    Group(String),
    /// To this place, to stay there.
    Gather {
        /// Where.
        at: Vec2,
        /// How near counts as there, m.
        radius_m: f64,
    },
}

/// One place to visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// Its name; `None` takes the group's, with a number if the group visits several places.
    pub name: Option<String>,
    /// The place; of several people take the nearest.
    pub what: Vec<To>,
}

/// What a group can walk to.
#[derive(Clone, Debug, PartialEq)]
pub enum To {
    /// A door, or a line to cross.
    Line(Segment),
    /// A point, reached within so many metres.
    Point {
        /// Where.
        at: Vec2,
        /// How near counts as reached.
        radius_m: f64,
    },
    /// An area.
    Area(Polygon),
}

/// Turns what a file writes into a plan and groups.
///
/// All rings become walls. Where a goal line lies on a wall (within 1 mm), that stretch is cut out: the door is open.
/// The outward side of a line is the one that is not walkable; where both are, the one away from the place before it
/// in the journey (for the first, the centre of the starting area). Equal goals of several groups are one goal, under
/// the first name. Goal lines and areas can be measured at by the name of the goal, unless a line or area is called so.
/// Groups are put in name order.
///
/// # Errors
/// No group, obstacles without a walkable area, numbers out of range, a place to visit that is outside.
pub fn written(place: Written) -> Result<Built, Error> {
    if place.groups.is_empty() {
        return Err(Error::input("this scenario has no people").key("group").help("write a table `group.NAME`"));
    }
    let mut walkable = unite(place.walkable);
    if walkable.is_empty() && !place.obstacles.is_empty() {
        return Err(Error::input("there are obstacles, but no walkable area")
            .key("obstacles")
            .help("give `walkable`, or draw the outlines of the obstacles as walls"));
    }
    let rings = walkable.iter().flat_map(|(shell, holes)| std::iter::once(shell).chain(holes)).chain(&place.obstacles);
    let mut walls: Vec<Segment> = rings.flat_map(Polygon::edges).chain(place.walls).collect();
    let periodic = torus(place.periodic, &walkable, &walls)?;
    walls.retain(|wall| !on_seam(&periodic, wall));
    for (_, holes) in &mut walkable {
        holes.extend(place.obstacles.iter().cloned());
    }

    let mut plan = Plan {
        walls: Vec::new(),
        walkable,
        goals: Vec::new(),
        lines: place.lines,
        areas: place.areas,
        navigation: place.navigation,
        sight_m: place.sight_m,
        periodic,
    };
    let mut groups = Vec::new();
    let mut sorted = place.groups;
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let names: Vec<String> = sorted.iter().map(|g| g.name.clone()).collect();
    for group in sorted {
        let mut before = start(&group)?;
        let mut stages: Vec<Stage> = Vec::new();
        let (visits, pull) = match group.to {
            Wish::Visits(visits) => (visits, Pull::Nothing),
            Wish::Heading(way) => (Vec::new(), Pull::Heading(way.unit().ok_or_else(|| no_heading(&group.name))?)),
            Wish::Group(other) => (Vec::new(), Pull::Group(followed(&group.name, &other, &names)?)),
            Wish::Gather { at, radius_m } => {
                goal(To::Point { at, radius_m }, before, &plan.walkable)
                    .and_then(|(goal, _)| goal.check())
                    .map_err(|e| e.key(format!("group.{}.to", group.name)))?;
                (Vec::new(), Pull::Point { at, radius_m })
            }
        };
        let several = visits.len() > 1;
        for (k, visit) in visits.into_iter().enumerate() {
            let default = if several { format!("{}.{}", group.name, k + 1) } else { group.name.clone() };
            let name = visit.name.unwrap_or(default);
            let (choices, mut stage, mut middles) = (visit.what.len(), Vec::new(), Vec2::ZERO);
            for (i, what) in visit.what.into_iter().enumerate() {
                let (goal, middle) = goal(what, before, &plan.walkable)
                    .and_then(|made| made.0.check().map(|()| made))
                    .map_err(|e| e.key(format!("group.{}.to", group.name)))?;
                let name = if choices > 1 { format!("{name}.{}", i + 1) } else { name.clone() };
                stage.push(add_goal(&mut plan, name, goal));
                middles += middle;
            }
            before = middles / choices as f64;
            stages.push(stage);
        }
        groups.push(Group {
            name: group.name,
            count: group.count,
            spawn: group.from,
            inflow_per_s: group.inflow_per_s,
            stages,
            pull,
            ..Group::default()
        });
    }
    for goal in &plan.goals {
        if let Goal::Door { line, .. } = &goal.what {
            walls = walls.into_iter().flat_map(|wall| cut(wall, *line)).collect();
        }
    }
    plan.walls = walls;
    Ok(Built { plan, groups })
}

/// The rings of a place: the extent of the walkable area, or else of the walls, along the closed axes.
fn torus(rings: Rings, walkable: &[(Polygon, Vec<Polygon>)], walls: &[Segment]) -> Result<Torus, Error> {
    if rings == Rings::default() {
        return Ok(Torus::default());
    }
    let shells = walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied());
    let bounds = Bounds::of(shells).or_else(|| Bounds::of(walls.iter().flat_map(|w| [w.a, w.b])));
    let bounds = bounds.ok_or_else(|| {
        Error::input("a periodic place has no extent").key("periodic").help("give `walkable`, whose extent is closed")
    })?;
    let axis = |closed: bool, low: f64, high: f64| closed.then_some((low, high));
    Ok(Torus { x: axis(rings.x, bounds.min.x, bounds.max.x), y: axis(rings.y, bounds.min.y, bounds.max.y) })
}

/// True for a wall that lies on a seam: there the outline is open.
fn on_seam(torus: &Torus, wall: &Segment) -> bool {
    let on = |axis: Option<(f64, f64)>, a: f64, b: f64| {
        axis.is_some_and(|(low, high)| {
            [low, high].iter().any(|end| (a - end).abs() <= ON_WALL_M && (b - end).abs() <= ON_WALL_M)
        })
    };
    on(torus.x, wall.a.x, wall.b.x) || on(torus.y, wall.a.y, wall.b.y)
}

fn no_heading(group: &str) -> Error {
    Error::input("a heading of length 0 points nowhere").key(format!("group.{group}.to")).allowed("[x, y], not both 0")
}

/// The index of the group that another one goes to.
fn followed(group: &str, other: &str, names: &[String]) -> Result<usize, Error> {
    match names.iter().position(|n| n == other) {
        Some(at) if names[at] != group => Ok(at),
        Some(_) => Err(Error::input(format!("the group `{group}` follows itself")).key(format!("group.{group}.to"))),
        None => Err(Error::input(format!("there is no group `{other}` to go to"))
            .key(format!("group.{group}.to"))
            .allowed(names.join(", "))),
    }
}

/// The index of a goal: that of an equal one that is there already, or a new one.
fn add_goal(plan: &mut Plan, name: String, goal: Goal) -> usize {
    if let Some(at) = plan.goals.iter().position(|g| g.what == goal) {
        return at;
    }
    match &goal {
        Goal::Door { line, .. } if plan.lines.iter().all(|l| l.name != name) => {
            plan.lines.push(named(name.clone(), *line));
        }
        Goal::Area(area) if plan.areas.iter().all(|a| a.name != name) => {
            plan.areas.push(named(name.clone(), area.clone()));
        }
        _ => {}
    }
    plan.goals.push(named(name, goal));
    plan.goals.len() - 1
}

/// One outline for polygons that overlap or touch; a single one stays as it is, digit by digit.
fn unite(walkable: Vec<(Polygon, Vec<Polygon>)>) -> Vec<(Polygon, Vec<Polygon>)> {
    if walkable.len() < 2 {
        return walkable;
    }
    let rings: Vec<_> = walkable.iter().flat_map(rings).collect();
    let turned = Polygon::counter_clockwise;
    let shape = |piece: overlay::Piece| (turned(piece.outline), piece.holes.into_iter().map(turned).collect());
    overlay::union(&rings).into_iter().map(shape).collect()
}

/// The outline and the holes of a polygon.
fn rings((shell, holes): &(Polygon, Vec<Polygon>)) -> impl Iterator<Item = Ring> {
    std::iter::once(shell).chain(holes).map(|p| overlay::ring(&p.points))
}

/// Centre of where a group starts.
fn start(group: &WrittenGroup) -> Result<Vec2, Error> {
    match &group.from {
        Spawn::Random(area) | Spawn::Lattice { area, .. } => Ok(area.centroid()),
        Spawn::Points(points) | Spawn::Near { points, .. } => {
            points.iter().try_for_each(|&p| check_point(p))?;
            let sum = points.iter().fold(Vec2::ZERO, |sum, &p| sum + p);
            if points.is_empty() {
                return Err(Error::input(format!("the group `{}` starts at no point", group.name)).key("from"));
            }
            Ok(sum / points.len() as f64)
        }
    }
}

/// The goal and its middle, seen from the place before it.
fn goal(to: To, before: Vec2, walkable: &[(Polygon, Vec<Polygon>)]) -> Result<(Goal, Vec2), Error> {
    let outside = |p: Vec2| !walkable.is_empty() && !inside(walkable, p);
    match to {
        To::Point { at, .. } if outside(at) => {
            Err(Error::input(format!("the point ({}, {}) is not walkable", at.x, at.y))
                .help("move it into the walkable area, out of the obstacles"))
        }
        To::Point { at, radius_m } => Ok((Goal::Point { at, radius: radius_m }, at)),
        To::Area(area) => {
            // Overlaps of less than a square millimetre are slack of drawing.
            let area_ring = [overlay::ring(&area.points)];
            let meets = |shape: &(Polygon, Vec<Polygon>)| {
                let shared = overlay::intersection(&rings(shape).collect::<Vec<_>>(), &area_ring);
                shared.iter().map(overlay::Piece::area).sum::<f64>() > 1e-6
            };
            if !walkable.is_empty() && !walkable.iter().any(meets) {
                return Err(Error::input("a goal area lies outside the walkable area")
                    .help("move it into the walkable area, out of the obstacles"));
            }
            let middle = area.centroid();
            Ok((Goal::Area(area), middle))
        }
        To::Line(line) => {
            let middle = line.middle();
            let across = line.direction().left();
            let (left, right) = (outside(middle + across * PROBE_M), outside(middle - across * PROBE_M));
            if left && right {
                return Err(Error::input("a goal line lies outside the walkable area")
                    .help("draw it inside, or on the outline where the door is"));
            }
            let ahead = if left == right { (middle - before).dot(across) >= 0.0 } else { left };
            Ok((Goal::Door { line, outward: if ahead { across } else { -across } }, middle))
        }
    }
}

/// What is left of a wall when a door that lies on it is opened.
fn cut(wall: Segment, door: Segment) -> impl Iterator<Item = Segment> {
    let (along, length) = (wall.direction(), wall.length());
    let on = |p: Vec2| (p - wall.a).dot(along).clamp(0.0, length);
    let (from, to) = (on(door.a).min(on(door.b)), on(door.a).max(on(door.b)));
    let at = |t: f64| wall.a + along * t;
    let opens = to - from > ON_WALL_M && door.distance(at(from)) <= ON_WALL_M && door.distance(at(to)) <= ON_WALL_M;
    let pieces = if opens {
        // A stump of less than a millimetre is slack of drawing, not a door post.
        let first = (from > ON_WALL_M).then(|| Segment { a: wall.a, b: at(from) });
        [first, (length - to > ON_WALL_M).then(|| Segment { a: at(to), b: wall.b })]
    } else {
        [Some(wall), None]
    };
    pieces.into_iter().flatten()
}

/// The box around all that a plan and the starts of its groups contain; `None` for an empty one.
pub fn bounds(plan: &Plan, groups: &[Group]) -> Option<Bounds> {
    let walls = plan.walls.iter().flat_map(|s| [s.a, s.b]);
    let shells = plan.walkable.iter().flat_map(|(shell, _)| shell.points.iter().copied());
    let goals = plan.goals.iter().flat_map(|g| g.what.points());
    let starts = groups.iter().flat_map(|g| match &g.spawn {
        Spawn::Random(area) | Spawn::Lattice { area, .. } => area.points.clone(),
        Spawn::Points(points) | Spawn::Near { points, .. } => points.clone(),
    });
    Bounds::of(walls.chain(shells).chain(goals).chain(starts))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
