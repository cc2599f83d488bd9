//! Places without a `kind`, drawn in the experiment file: outlines become walls, goal lines become doors.

use super::field::inside;
use super::geometry::{Bounds, check_point};
use super::overlay::{self, Ring};
use super::scenario::{FloorPlan, Goal, Group, Named, Navigation, Polygon, Pull, Segment, Spawn, Stage, named};
use super::scenarios::Built;
pub use super::ties::{AwayFrom, Catches, Ties};
use super::ties::{check_circles, index};
use super::torus::Torus;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// A goal line closer than this to a wall lies on it, m. Chosen here: outlines are drawn to the millimeter.
const ON_WALL_M: f64 = 1e-3;
/// Distance from a door at which we test which side is walkable, m. Chosen here: ten times the drawing tolerance.
const PROBE_M: f64 = 1e-2;

/// A place as its author describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomPlace {
    /// Shells with holes that people can walk in; overlapping shells are merged. Empty: only walls bound the place.
    pub walkable: Vec<(Polygon, Vec<Polygon>)>,
    /// Outlines of obstacles; needs a walkable area.
    pub obstacles: Vec<Polygon>,
    /// Further walls.
    pub walls: Vec<Segment>,
    /// Who walks where; at least one group.
    pub groups: Vec<CustomGroup>,
    /// Further lines to measure at.
    pub lines: Vec<Named<Segment>>,
    /// Areas to measure in.
    pub areas: Vec<Named<Polygon>>,
    /// How people find their way.
    pub navigation: Navigation,
    /// Goals are seen only within this distance, m.
    pub sight_m: Option<f64>,
    /// Which axes are periodic, over the extent of the walkable area, or of all walls if there is none.
    pub periodic: Rings,
}

/// Which axes of a custom place are periodic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rings {
    /// Along x.
    pub x: bool,
    /// Along y.
    pub y: bool,
}

/// A group of people in a custom place.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomGroup {
    /// Name of its table.
    pub name: String,
    /// Number of people.
    pub count: usize,
    /// Where they start or enter.
    pub from: Spawn,
    /// Arrivals per second; `None` if everybody is there from the start.
    pub inflow_per_s: Option<f64>,
    /// Where they want to go.
    pub to: Wish,
    /// What they have to do with other groups.
    pub ties: Ties,
}

/// Where a group wants to go.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// These places, in order; people leave at the last one. Empty: they stay.
    Visits(Vec<Visit>),
    /// Always this direction.
    Heading(Vec2),
    /// To this group: straight to its middle, with travel-time fields to the nearest of its people.
    Group(String),
    /// To this point, to stay there.
    Gather {
        /// Where.
        at: Vec2,
        /// Distance at which people count as there, m.
        radius_m: f64,
    },
    /// Where the own recorded track leads; only with tracks.
    Track,
}

/// One stop of a journey.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// Its name; `None` takes the group's name, with a number if the journey has several stops.
    pub name: Option<String>,
    /// The place; people pick the nearest if there are several.
    pub what: Vec<Spot>,
}

/// What a group can walk to.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// A door, or any line to cross.
    Line(Segment),
    /// A point.
    Point {
        /// Where.
        at: Vec2,
        /// Distance at which it counts as reached, m.
        radius_m: f64,
    },
    /// An area.
    Area(Polygon),
}

impl CustomPlace {
    /// Turns the description into a floor plan and groups, in name order.
    ///
    /// All rings become walls. A goal line within 1 mm of a wall opens a door there: that stretch of the wall is cut out. The outward
    /// side of a line is the side that is not walkable; where both sides are, it is the side away from the previous stop of the journey
    /// (for the first stop, away from the center of the starting area). Groups with equal goals share one goal, under the first name.
    /// Metrics can be measured at goal lines and areas by the goal's name, unless a line or area already has that name.
    ///
    /// # Errors
    /// No group, obstacles without a walkable area, numbers out of range, a stop outside the walkable area, ties between groups
    /// that make no sense.
    pub fn build(self) -> Result<Built, Error> {
        if self.groups.is_empty() {
            return Err(Error::input("this scenario has no people").key("group").help("write a table `group.NAME`"));
        }
        let mut walkable = unite(self.walkable);
        if walkable.is_empty() && !self.obstacles.is_empty() {
            return Err(Error::input("there are obstacles, but no walkable area")
                .key("obstacles")
                .help("give `walkable`, or draw the outlines of the obstacles as walls"));
        }
        let rings =
            walkable.iter().flat_map(|(shell, holes)| std::iter::once(shell).chain(holes)).chain(&self.obstacles);
        let mut walls: Vec<Segment> = rings.flat_map(Polygon::edges).chain(self.walls).collect();
        let periodic = torus(self.periodic, &walkable, &walls)?;
        walls.retain(|wall| !on_seam(&periodic, wall));
        for (_, holes) in &mut walkable {
            holes.extend(self.obstacles.iter().cloned());
        }

        let mut plan = FloorPlan {
            walls: Vec::new(),
            walkable,
            goals: Vec::new(),
            lines: self.lines,
            areas: self.areas,
            navigation: self.navigation,
            door_margin_m: 0.0,
            sight_m: self.sight_m,
            periodic,
            discomfort: Vec::new(),
            relief: None,
        };
        let mut sorted = self.groups;
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<String> = sorted.iter().map(|g| g.name.clone()).collect();
        let groups: Vec<Group> =
            sorted.into_iter().map(|group| group.build(&names, &mut plan)).collect::<Result<_, _>>()?;
        check_circles(&groups)?;
        for goal in &plan.goals {
            if let Goal::Door { line, .. } = &goal.what {
                walls = walls.into_iter().flat_map(|wall| cut(wall, *line)).collect();
            }
        }
        plan.walls = walls;
        Ok(Built { plan, groups })
    }
}

impl CustomGroup {
    /// The group, with its goals added to the plan; `names` are those of all groups, in order.
    fn build(self, names: &[String], plan: &mut FloorPlan) -> Result<Group, Error> {
        let key = format!("group.{}.to", self.name);
        let start = start(&self)?;
        let (visits, pull) = match self.to {
            Wish::Visits(visits) => (visits, Pull::Nothing),
            Wish::Heading(way) => (Vec::new(), Pull::Heading(way.unit().ok_or_else(|| no_heading(&self.name))?)),
            Wish::Track => (Vec::new(), Pull::Track),
            Wish::Group(other) => (Vec::new(), Pull::Group(index(&self.name, &other, names, "to", "follows itself")?)),
            Wish::Gather { at, radius_m } => {
                goal(Spot::Point { at, radius_m }, start, &plan.walkable)
                    .and_then(|(goal, _)| goal.check())
                    .map_err(|e| e.key(&key))?;
                (Vec::new(), Pull::Point { at, radius_m })
            }
        };
        let stages = stages(visits, &self.name, start, plan).map_err(|e| e.key(&key))?;
        let mut group = Group {
            name: self.name,
            count: self.count,
            spawn: self.from,
            inflow_per_s: self.inflow_per_s,
            stages,
            pull,
            ..Group::default()
        };
        self.ties.tie(&mut group, names)?;
        Ok(group)
    }
}

/// The stages of a journey that begins at `start`; its goals are added to the plan.
fn stages(visits: Vec<Visit>, group: &str, start: Vec2, plan: &mut FloorPlan) -> Result<Vec<Stage>, Error> {
    let several = visits.len() > 1;
    let mut before = start;
    let mut stages = Vec::new();
    for (k, visit) in visits.into_iter().enumerate() {
        let default = if several { format!("{group}.{}", k + 1) } else { group.to_owned() };
        let name = visit.name.unwrap_or(default);
        let (choices, mut stage, mut middles) = (visit.what.len(), Vec::new(), Vec2::ZERO);
        for (i, what) in visit.what.into_iter().enumerate() {
            let (goal, middle) = goal(what, before, &plan.walkable)?;
            goal.check()?;
            let name = if choices > 1 { format!("{name}.{}", i + 1) } else { name.clone() };
            stage.push(add_goal(plan, name, goal));
            middles += middle;
        }
        before = middles / choices as f64;
        stages.push(stage);
    }
    Ok(stages)
}

/// The periodic axes: each spans the extent of the walkable area, or of the walls if there is none.
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

/// True for a wall on the seam of a periodic axis, where the outline is open.
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

/// Index of the goal in the plan; it is added unless an equal goal is already there.
fn add_goal(plan: &mut FloorPlan, name: String, goal: Goal) -> usize {
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

/// Merges polygons that overlap or touch. A single polygon keeps its exact coordinates.
pub fn unite(walkable: Vec<(Polygon, Vec<Polygon>)>) -> Vec<(Polygon, Vec<Polygon>)> {
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

/// Center of where a group starts.
fn start(group: &CustomGroup) -> Result<Vec2, Error> {
    match &group.from {
        Spawn::Random(area) | Spawn::Lattice { area, .. } => Ok(area.centroid()),
        Spawn::Honeycomb { middle, .. } => Ok(*middle),
        Spawn::Points(points) | Spawn::Near { points, .. } | Spawn::Apart { points, .. } => {
            points.iter().try_for_each(|&p| check_point(p))?;
            let sum = points.iter().fold(Vec2::ZERO, |sum, &p| sum + p);
            if points.is_empty() {
                return Err(Error::input(format!("the group `{}` starts at no point", group.name)).key("from"));
            }
            Ok(sum / points.len() as f64)
        }
    }
}

/// The goal and its center; `before` is the previous stop.
fn goal(to: Spot, before: Vec2, walkable: &[(Polygon, Vec<Polygon>)]) -> Result<(Goal, Vec2), Error> {
    let outside = |p: Vec2| !walkable.is_empty() && !inside(walkable, p);
    match to {
        Spot::Point { at, .. } if outside(at) => {
            Err(Error::input(format!("the point ({}, {}) is not walkable", at.x, at.y))
                .help("move it into the walkable area, out of the obstacles"))
        }
        Spot::Point { at, radius_m } => Ok((Goal::Point { at, radius: radius_m }, at)),
        Spot::Area(area) => {
            // Overlaps below a square millimeter are drawing tolerance.
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
        Spot::Line(line) => {
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

/// What is left of a wall once a door on it is cut out.
fn cut(wall: Segment, door: Segment) -> impl Iterator<Item = Segment> {
    let (along, length) = (wall.direction(), wall.length());
    let on = |p: Vec2| (p - wall.a).dot(along).clamp(0.0, length);
    let (from, to) = (on(door.a).min(on(door.b)), on(door.a).max(on(door.b)));
    let at = |t: f64| wall.a + along * t;
    let opens = to - from > ON_WALL_M && door.distance(at(from)) <= ON_WALL_M && door.distance(at(to)) <= ON_WALL_M;
    let pieces = if opens {
        // A stump below a millimeter is drawing tolerance, not a door post.
        let first = (from > ON_WALL_M).then(|| Segment { a: wall.a, b: at(from) });
        [first, (length - to > ON_WALL_M).then(|| Segment { a: at(to), b: wall.b })]
    } else {
        [Some(wall), None]
    };
    pieces.into_iter().flatten()
}

#[cfg(test)]
#[path = "custom_tests.rs"]
mod tests;
