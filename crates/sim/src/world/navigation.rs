//! Wayfinding: which way to go, how far it is, and whether people have arrived. No query allocates.

use super::corners::Corners;
use super::field::{Field, FieldCache, in_view, inside};
use super::goal::{Door, ON_LINE_M, Spot};
use super::moving::Terrain;
use super::relief::HeightGrid;
use super::scenario::{FloorPlan, Goal, Group, Named, Navigation, Segment, Stage, named};
use super::walls::Walls;
use super::{Obstacles, World, geometry};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// People who see no goal turn at walls closer to their body than this, m. Chosen here: less than an arm's length, but
/// early enough that they turn before the wall repels them strongly.
const TURN_AT_M: f64 = 0.1;
/// Shortest period, m. Chosen here: four people of the largest radius.
const SHORTEST_RING_M: f64 = 8.0;
/// Most walls. Chosen here: a city block, not a typo.
const MAX_WALLS: usize = 100_000;

impl World {
    /// Checks a plan and builds its lookup structures; travel-time fields come from the cache if it has them.
    ///
    /// Waypoints become point goals after the plan's own, named `waypoint 1` and so on.
    ///
    /// # Errors
    /// What is wrong with the plan: numbers out of range, a name used twice, a field that cannot be solved.
    pub fn new(mut plan: FloorPlan, fields: &mut FieldCache) -> Result<Self, Error> {
        let own = plan.goals.len();
        if let Navigation::Waypoints { points, radius_m } = &plan.navigation {
            let goals = points.iter().enumerate();
            let goals =
                goals.map(|(i, &at)| named(format!("waypoint {}", i + 1), Goal::Point { at, radius: *radius_m }));
            plan.goals.extend(goals);
        }
        check(&plan)?;
        check_relief(&plan)?;
        let walls = Walls::new(&with_images(&plan));
        let fields = match plan.navigation {
            Navigation::Field { cell_m, .. } => plan
                .goals
                .iter()
                .map(|goal| {
                    let field = fields.field(&walls, &plan, &goal.what, cell_m);
                    field.map_err(|e| if e.named_key().is_some() { e } else { e.key(goal.name.clone()) })
                })
                .collect::<Result<_, _>>()?,
            Navigation::Straight | Navigation::Waypoints { .. } | Navigation::Corners { .. } => Vec::new(),
        };
        let corners = match plan.navigation {
            Navigation::Corners { margin_m } => Some(Corners::new(&walls, &plan.goals, margin_m)?),
            _ => None,
        };
        let waypoints = (own..plan.goals.len()).collect();
        let doors = plan.goals.iter().map(|goal| Door::of(&goal.what)).collect();
        let spots = plan.goals.iter().map(|goal| Spot::of(&goal.what)).collect();
        let (obstacles, terrain) = (OnceLock::new(), OnceLock::new());
        Ok(Self { plan, walls, obstacles, fields, corners, terrain, waypoints, doors, spots })
    }

    /// The walls as chains of one-sided edges; built on first use, because most models do not need them.
    pub fn obstacles(&self) -> &Obstacles {
        self.obstacles.get_or_init(|| Obstacles::new(&self.walls))
    }

    /// The cells of travel-time fields of people who move; `None` without such fields. Built on first use.
    pub(crate) fn terrain(&self) -> Option<&Terrain> {
        self.terrain.get_or_init(|| Terrain::of(self)).as_ref()
    }

    /// The end of a step of `dt` seconds: `p + v dt`, wrapped in periodic places.
    pub fn step_to(&self, p: Vec2, v: Vec2, dt: f64) -> Vec2 {
        self.plan.periodic.wrap(p + v * dt)
    }

    /// The vector from one position to another, m, across the seam of a periodic place if that is shorter.
    pub fn apart(&self, from: Vec2, to: Vec2) -> Vec2 {
        self.plan.periodic.apart(from, to)
    }

    /// The goals; stages hold indices into this list.
    pub fn goals(&self) -> &[Named<Goal>] {
        &self.plan.goals
    }

    /// The journey of a group: the waypoints, then its stages. Empty for a group without stages.
    pub fn journey(&self, group: &Group) -> Vec<Stage> {
        if group.stages.is_empty() {
            return Vec::new();
        }
        self.waypoints.iter().map(|&goal| vec![goal]).chain(group.stages.iter().cloned()).collect()
    }

    /// Unit vector from `pos` towards a goal, for a person of this radius, m.
    ///
    /// Straight to a point, to the edge of an area, or to the nearest point of a door shrunk by the radius
    /// and the plan's `door_margin_m` at both ends (its middle, if the door is narrower than that). With a travel-time field,
    /// down that field wherever this target is out of sight. By corners, along the shortest way of a point. On a door's line or past it, straight out. Zero at a reached point or area.
    pub fn toward(&self, goal: usize, pos: Vec2, radius: f64) -> Vec2 {
        self.toward_by(None, goal, pos, radius)
    }

    /// The same; `moving` is the field to use instead where discomfort moves.
    pub(crate) fn toward_by(&self, moving: Option<&Field>, goal: usize, pos: Vec2, radius: f64) -> Vec2 {
        let way = if let Some(door) = &self.doors[goal] {
            if self.is_out(door, pos, radius) {
                return door.outward;
            }
            door.aim(pos, radius + self.plan.door_margin_m) - pos
        } else {
            let what = &self.plan.goals[goal].what;
            match what {
                Goal::Point { at, radius } if (pos - *at).length() <= *radius => return Vec2::ZERO,
                Goal::Area(polygon) if polygon.contains(pos) => return Vec2::ZERO,
                _ => what.nearest(pos) - pos,
            }
        };
        if let Some(corners) = &self.corners {
            let (next, _) = corners.way(&self.walls, goal, &self.plan.goals[goal].what, pos);
            return (next - pos).unit().unwrap_or(Vec2::ZERO);
        }
        // Who stands on the outline of an area is not inside yet.
        let inward = || match &self.plan.goals[goal].what {
            Goal::Area(area) => (area.centroid() - pos).unit(),
            _ => None,
        };
        let straight = way.unit().or_else(inward).unwrap_or(Vec2::ZERO);
        let Some(field) = moving.or_else(|| self.fields.get(goal).map(|field| &**field)) else { return straight };
        // Sight was tested from the cell centers; something thin may stand right in front.
        let ahead = pos + straight * field.cell_m().min(way.length() * (1.0 - 1e-6));
        if field.in_sight(pos) && !self.walls.crosses(pos, ahead) {
            return straight;
        }
        field.direction(&self.walls, pos).unwrap_or(straight)
    }

    /// True if everybody sees every goal and goes straight to it.
    pub(crate) fn is_straight(&self) -> bool {
        self.corners.is_none() && self.fields.is_empty() && self.plan.sight_m.is_none()
    }

    /// A goal that is a point.
    #[inline]
    pub(crate) fn spot(&self, goal: usize) -> Option<Spot> {
        self.spots[goal]
    }

    /// A goal that is a door.
    pub(crate) fn door(&self, goal: usize) -> Option<&Door> {
        self.doors[goal].as_ref()
    }

    /// True for who stands on the line of a door or past it, and goes straight out.
    #[inline]
    pub(crate) fn is_out(&self, door: &Door, pos: Vec2, radius: f64) -> bool {
        self.past(door, pos, -ON_LINE_M, radius)
    }

    /// Walking distance from `pos` to the nearest point of a goal, m: straight, or by the travel-time field (infinite
    /// if unreachable; straight beyond the field; on uneven ground the distance on flat ground that takes as long). 0 past
    /// a door and inside an area. By corners it is the length of that way.
    pub fn distance_to(&self, goal: usize, pos: Vec2) -> f64 {
        if self.doors[goal].as_ref().is_some_and(|door| self.past(door, pos, 0.0, 0.0)) {
            return 0.0;
        }
        let what = &self.plan.goals[goal].what;
        if let Some(corners) = &self.corners {
            let inside = matches!(what, Goal::Area(area) if area.contains(pos));
            return if inside { 0.0 } else { corners.way(&self.walls, goal, what, pos).1 };
        }
        let straight = (what.nearest(pos) - pos).length();
        match self.fields.get(goal) {
            Some(field) if field.covers(pos) && !field.in_sight(pos) => {
                let time = field.time(&self.walls, pos);
                // Downhill people are faster than on flat ground.
                if self.plan.relief.is_some() { time } else { time.max(straight) }
            }
            _ => straight,
        }
    }

    /// The goal of a stage with the shortest walking distance among those in sight; the first one on ties or if none is
    /// reachable; `None` if none is in sight.
    #[inline]
    pub fn choose(&self, stage: &[usize], pos: Vec2) -> Option<usize> {
        if let ([goal], None) = (stage, self.plan.sight_m) {
            return Some(*goal);
        }
        let mut seen = stage.iter().copied().filter(|&goal| self.sees(goal, pos));
        let first = seen.next()?;
        // Without a choice there is nothing to measure.
        let Some(second) = seen.next() else { return Some(first) };
        let mut best = (self.distance_to(first, pos), first);
        for goal in std::iter::once(second).chain(seen) {
            let distance = self.distance_to(goal, pos);
            if distance < best.0 {
                best = (distance, goal);
            }
        }
        Some(best.1)
    }

    /// True if the goal is within the plan's `sight_m`, or sight is unlimited. Measured to the middle of a door, else
    /// to the nearest point. Walls do not hide a goal: limited sight stands for smoke.
    pub fn sees(&self, goal: usize, pos: Vec2) -> bool {
        let Some(sight) = self.plan.sight_m else { return true };
        let seen = match &self.plan.goals[goal].what {
            Goal::Door { line, .. } => line.middle(),
            other => other.nearest(pos),
        };
        (seen - pos).length() <= sight
    }

    /// True if the step from `from` to `to` takes a person of this radius to the goal.
    ///
    /// A point is reached within its radius at any moment of the step, an area with the center inside at the end. A
    /// door is reached when the center is at least one radius past the line and, now or on getting that far, was level
    /// with the door (up to one radius to its side, because people past a post can be pushed sideways) with no wall
    /// between it and the line. People who start past a door have reached it.
    #[inline]
    pub fn reached(&self, goal: usize, from: Vec2, to: Vec2, radius: f64) -> bool {
        if let Some(spot) = self.spot(goal) {
            return spot.is_reached(from, to);
        }
        if let Some(door) = &self.doors[goal] {
            let after = door.depth(to);
            return after >= radius && self.walks_out(door, (from, to), after, radius);
        }
        match &self.plan.goals[goal].what {
            Goal::Area(polygon) => polygon.contains(to),
            Goal::Point { .. } | Goal::Door { .. } => false,
        }
    }

    /// True if a goal is a door and nobody is one radius past its line: then nobody has [`World::reached`] it.
    pub(crate) fn nobody_is_past(&self, goal: usize, to: &[Vec2], radius: &[f64]) -> bool {
        let Some(door) = &self.doors[goal] else { return false };
        // Everybody is looked at, many at a time: a loop that may end with each of them takes longer.
        to.iter().zip(radius).fold(true, |none, (&to, &radius)| none & (door.depth(to) < radius))
    }

    /// True if a step that ends `after` (at least one radius) past a door's line leads through the door.
    fn walks_out(&self, door: &Door, (from, to): (Vec2, Vec2), after: f64, radius: f64) -> bool {
        let before = door.depth(from);
        let crossing = || from + (to - from) * ((radius - before) / (after - before));
        self.past(door, to, radius, radius) || (before < radius && self.past(door, crossing(), 0.0, radius))
    }

    /// True if `pos` is at least `depth` past a door's line and level with the door (or up to `beside` meters to its
    /// side) with no wall in between: another wing of the building is not past the door.
    fn past(&self, door: &Door, pos: Vec2, depth: f64, beside: f64) -> bool {
        door.depth(pos) >= depth && door.is_abreast(pos, beside) && in_view(&self.walls, pos, door.nearest(pos))
    }

    /// The heading of a person who wanders without seeing a goal: reflected, wall by wall, off walls within `radius` +
    /// 0.1 m that it points into.
    pub fn reflect(&self, pos: Vec2, radius: f64, heading: Vec2) -> Vec2 {
        let mut turned = heading;
        self.walls.contacts(pos, radius + TURN_AT_M, &mut |wall| {
            let into = turned.dot(wall.normal);
            if into < 0.0 {
                turned -= wall.normal * (2.0 * into);
            }
        });
        turned
    }

    /// True if people can be at `p`: in the walkable area, or anywhere if the plan has none.
    pub fn contains(&self, p: Vec2) -> bool {
        self.plan.walkable.is_empty() || inside(&self.plan.walkable, p)
    }
}

/// The walls and, in a periodic place, their neighboring images, so that they act across the seam.
fn with_images(plan: &FloorPlan) -> Vec<Segment> {
    let mut walls = plan.walls.clone();
    plan.periodic.images(|shift| {
        walls.extend(plan.walls.iter().map(|w| Segment { a: w.a + shift, b: w.b + shift }));
    });
    walls
}

/// Refuses heights that the place cannot have.
fn check_relief(plan: &FloorPlan) -> Result<(), Error> {
    let Some(relief) = &plan.relief else { return Ok(()) };
    let even = relief.hills.is_empty() && relief.heights.is_none();
    if !even && !plan.periodic.is_open() {
        return Err(Error::input("a hill or a file of heights does not go on across the seam of a periodic place")
            .key("ground")
            .help("give an even `slope`, or leave `periodic` out"));
    }
    // A place without walls, areas or goals is as large as its heights.
    let place = plan.bounds(&[]).or_else(|| relief.heights.as_ref().map(HeightGrid::bounds));
    place.map_or(Ok(()), |place| relief.check(&place))
}

fn check(plan: &FloorPlan) -> Result<(), Error> {
    if plan.walls.len() > MAX_WALLS {
        return Err(Error::input(format!("the place has {} walls", plan.walls.len()))
            .allowed(format!("at most {MAX_WALLS}"))
            .help("simplify the outlines"));
    }
    plan.walls.iter().flat_map(|s| [s.a, s.b]).try_for_each(geometry::check_point)?;
    plan.lines.iter().flat_map(|l| [l.what.a, l.what.b]).try_for_each(geometry::check_point)?;
    for (shell, holes) in &plan.walkable {
        let points = shell.points.iter().chain(holes.iter().flat_map(|hole| &hole.points));
        points.copied().try_for_each(geometry::check_point)?;
    }
    for goal in &plan.goals {
        goal.what.check().map_err(|e| e.key(goal.name.clone()))?;
    }
    let rings = [("x", plan.periodic.x), ("y", plan.periodic.y)];
    for (axis, (low, high)) in rings.into_iter().filter_map(|(axis, ring)| Some((axis, ring?))) {
        // Nobody may be on both sides of a person: half the period is more than two bodies.
        if !(high - low >= SHORTEST_RING_M && low.is_finite() && high.is_finite()) {
            return Err(Error::input(format!("the place is periodic in {axis} over {} m", high - low))
                .key("periodic")
                .allowed(format!("at least {SHORTEST_RING_M} m")));
        }
        if matches!(plan.navigation, Navigation::Field { .. } | Navigation::Corners { .. }) {
            return Err(Error::input("the way does not reach across the seam of a periodic place")
                .key("navigation")
                .help("use `navigation = { kind = \"straight\" }`, and `to = { heading = [x, y] }` for people who walk on"));
        }
    }
    unique("goal", plan.goals.iter().map(|n| &n.name))?;
    unique("line", plan.lines.iter().map(|n| &n.name))?;
    unique("area", plan.areas.iter().map(|n| &n.name))?;
    let positive = |what: &str, value: f64| {
        if value > 0.0 && value.is_finite() {
            return Ok(());
        }
        Err(Error::input(format!("{what} is {value}")).key(what).allowed("a positive number of meters"))
    };
    plan.sight_m.map_or(Ok(()), |sight| positive("sight_m", sight))?;
    match plan.navigation {
        Navigation::Field { cell_m, .. } => positive("navigation.cell_m", cell_m),
        Navigation::Straight | Navigation::Waypoints { .. } | Navigation::Corners { .. } => Ok(()),
    }
}

fn unique<'a>(kind: &str, names: impl Iterator<Item = &'a String>) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::input(format!("two {kind}s are called `{name}`")).help("give each its own name"));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "navigation_tests.rs"]
mod tests;
