//! Classes of people with the same goal: one potential for each group and stage of its journey, or for the group it follows, and one
//! for the group from which it runs away.

use super::flight::Flight;
use super::ground::Ground;
use crate::crowd::View;
use crate::world::scenario::{Goal, Group, Pull, Scenario};
use crate::world::{Torus, World};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};

/// Cells whose center is this close to a goal in sight, in cells, seed the potential; people there walk straight to the
/// goal. Chosen here: every goal has such a cell, and the corner of a cell is 0.7 away.
const NEAR_CELLS: f64 = 1.5;

/// People with the same goal.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Seeds of the potential: cell of the solver's grid, and distance from there to the goal, m.
    pub seeds: Vec<(usize, f64)>,
    /// By cell of the ground: true if people there walk straight to the goal.
    pub near: Vec<bool>,
    /// By lower left one of four cells around a position: true if they lie together, not across a seam, no wall hides any of
    /// them and none is near the goal; false of those who follow a group, whose goal moves.
    pub plain: Vec<bool>,
    /// Column and row of the ground's first cell in the solver's grid.
    pub first: (usize, usize),
    /// The group whose people are the goal; their cells are found anew in every step.
    follows: Option<u16>,
    /// Those who run away; their seeds are found anew when one of the chasers has moved by a cell.
    pub flight: Option<Flight>,
}

/// All classes of a scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    pub all: Vec<Class>,
    /// For each group, index of its first stage's class, and number of stages.
    of_group: Vec<(usize, usize)>,
    /// For each group, the class of those who run away.
    flight_of: Vec<Option<usize>>,
    /// How many copies of the ground the solver's grid has along x and y.
    pub turns: (usize, usize),
}

impl Classes {
    /// The classes of all groups; a group without a goal or heading has none.
    pub fn new(scenario: &Scenario, ground: &Ground, slopes: &[Vec<f64>; 4]) -> Self {
        let world = &scenario.world;
        let turns = (1 + usize::from(ground.ring_x), 1 + usize::from(ground.ring_y));
        let mut classes = Self { turns, ..Self::default() };
        for (g, group) in scenario.groups.iter().enumerate() {
            let from = classes.all.len();
            let journey = world.journey(group);
            for stage in &journey {
                let goals: Vec<&Goal> = stage.iter().map(|&g| &world.goals()[g].what).collect();
                classes.all.push(towards(world, ground, |p| goals.iter().map(|goal| goal.nearest(p)).collect()));
            }
            match group.pull {
                Pull::Heading(way) if journey.is_empty() => classes.all.push(along(ground, turns, way)),
                Pull::Point { at, .. } if journey.is_empty() => {
                    classes.all.push(towards(world, ground, |_| vec![at]));
                }
                Pull::Group(other) if journey.is_empty() => {
                    let follows = Some(other as u16);
                    let plain = vec![false; ground.len()];
                    classes.all.push(Class { follows, plain, ..towards(world, ground, |_| Vec::new()) });
                }
                _ => {}
            }
            classes.of_group.push((from, classes.all.len() - from));
            let flight = group.flees.map(|flees| Flight::new(ground, slopes, g as u16, flees.from as u16));
            classes.flight_of.push(flight.is_some().then_some(classes.all.len()));
            if flight.is_some() {
                classes.all.push(Class { flight, ..towards(world, ground, |_| Vec::new()) });
            }
        }
        classes
    }

    /// Moves the goals of those who follow a group to where its people are, and of those who run away to where they have the largest
    /// lead.
    pub fn follow(&mut self, view: &View<'_>, ground: &Ground) {
        let (crowd, world) = (view.crowd, view.world);
        for class in &mut self.all {
            if let Some(flight) = &mut class.flight {
                flight.look(view, ground, &mut class.seeds);
            }
            let Some(other) = class.follows else { continue };
            for (c, _) in class.seeds.drain(..) {
                class.near[c] = false;
            }
            for (&p, _) in crowd.pos.iter().zip(&crowd.group).filter(|(_, group)| **group == other) {
                ground.seen(world, p, |c, way| {
                    class.near[c] = true;
                    class.seeds.push((c, way));
                });
            }
        }
    }

    /// The class of a person; `None` without a goal or heading.
    #[inline]
    pub fn of(&self, group: u16, stage: u16, afraid: bool) -> Option<usize> {
        if afraid {
            return self.flight_of[group as usize];
        }
        let (first, count) = self.of_group[group as usize];
        ((stage as usize) < count).then(|| first + stage as usize)
    }
}

/// Towards the nearest of some points, which depend on the position.
fn towards(world: &World, ground: &Ground, nearest: impl Fn(Vec2) -> Vec<Vec2>) -> Class {
    let reach = NEAR_CELLS * ground.size.x.max(ground.size.y);
    let (mut near, mut seeds) = (vec![false; ground.len()], Vec::new());
    for (c, is_near) in near.iter_mut().enumerate() {
        let p = ground.center(c);
        let ways = nearest(p).into_iter().filter(|&q| (q - p).length2() <= reach * reach);
        // Sight is tested just short of the goal: a door or an area's edge may lie on a wall.
        let seen = ways.filter(|&q| !world.walls.crosses(p, p + (q - p) * (1.0 - 1e-6)));
        if let Some(way) = seen.map(|q| (q - p).length()).reduce(f64::min) {
            // Nobody can stand just behind a door in the outer wall, but people who leave pass there.
            *is_near = true;
            if ground.joined[c] != 0 {
                seeds.push((c, way));
            }
        }
    }
    Class { seeds, plain: plain(ground, &near), near, first: (0, 0), follows: None, flight: None }
}

/// Which cells have a way that counts for everybody around them, as [`Class::plain`].
fn plain(ground: &Ground, near: &[bool]) -> Vec<bool> {
    let is_plain = |c: usize| ground.is_clear(c) && !near[c];
    let (columns, rows) = (ground.columns, ground.rows);
    let are_plain = |c: usize| {
        let lie_together = c % columns + 1 < columns && c / columns + 1 < rows;
        lie_together && [c, c + 1, c + columns, c + columns + 1].into_iter().all(is_plain)
    };
    (0..ground.len()).map(are_plain).collect()
}

/// Along a direction: the seeds are at the far sides of the grid, or one lap ahead on a periodic axis.
fn along(ground: &Ground, (turns_x, turns_y): (usize, usize), way: Vec2) -> Class {
    let (columns, rows) = (ground.columns * turns_x, ground.rows * turns_y);
    let end = |way: f64, count: usize| if way > 0.0 { count - 1 } else { 0 };
    let open = |i: usize, j: usize| ground.joined[j % ground.rows * ground.columns + i % ground.columns] != 0;
    // In a place with walls the outermost cells are outside.
    let last = |way: f64, count: usize, any: &dyn Fn(usize) -> bool| {
        let from_there = (0..count).map(|k| if way > 0.0 { count - 1 - k } else { k });
        from_there.into_iter().find(|&k| any(k)).unwrap_or(end(way, count))
    };
    // Only sides that the heading leads to; a periodic axis has no sides.
    let far_x = (way.x.abs() > 1e-9).then(|| last(way.x, columns, &|i| (0..rows).any(|j| open(i, j))));
    let far_y = (way.y.abs() > 1e-9).then(|| last(way.y, rows, &|j| (0..columns).any(|i| open(i, j))));
    let (far_x, far_y) = match (ground.ring_x, ground.ring_y) {
        (true, _) => (far_x, None),
        (_, true) => (None, far_y),
        _ => (far_x, far_y),
    };
    let gain = |i: usize, j: usize| i as f64 * ground.size.x * way.x + j as f64 * ground.size.y * way.y;
    let most = gain(end(way.x, columns), end(way.y, rows));
    let mut seeds = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            if open(i, j) && (far_x == Some(i) || far_y == Some(j)) {
                seeds.push((j * columns + i, most - gain(i, j)));
            }
        }
    }
    let first = |way: f64, count: usize, turns: usize| if way < 0.0 && turns > 1 { count } else { 0 };
    let first = (first(way.x, ground.columns, turns_x), first(way.y, ground.rows, turns_y));
    let near = vec![false; ground.len()];
    Class { seeds, plain: plain(ground, &near), near, first, follows: None, flight: None }
}

/// Checks that one potential per group can guide the people of a scenario.
///
/// # Errors
/// Groups that follow their recorded tracks, individual goals, limited sight, flight in a periodic place, and periodic places without a
/// heading along the one periodic axis.
pub fn fits(scenario: &Scenario, groups: &[&Group]) -> Result<(), Error> {
    let refuse = |group: &Group, what: &str, help: &str| {
        Err(Error::input(format!("group `{}` {what}, and this model guides by one potential for a group", group.name))
            .key("model")
            .help(help.to_string()))
    };
    let Torus { x, y } = scenario.world.plan.periodic;
    for group in groups {
        if group.pull == Pull::Track && group.stages.is_empty() {
            return refuse(group, "goes where each recorded track leads", "say where it goes with `to`");
        }
        if group.own_goals && group.stages.iter().any(|stage| stage.len() > 1) {
            return refuse(group, "has a goal for each person", "use a model of forces or velocities");
        }
        if scenario.world.plan.sight_m.is_some() && !group.stages.is_empty() {
            return refuse(group, "sees its goals only nearby", "leave out `sight_m`, or use another model");
        }
        if group.flees.is_some() && (x.is_some() || y.is_some()) {
            return refuse(
                group,
                "runs away in a periodic place",
                "open the place, or use a model of forces or velocities",
            );
        }
        let ways = match (x.is_some(), y.is_some(), group.pull) {
            (false, false, _) | (_, _, Pull::Nothing) if group.stages.is_empty() => continue,
            (false, false, _) => continue,
            (true, false, Pull::Heading(way)) => vec2(way.x, 0.0),
            (false, true, Pull::Heading(way)) => vec2(0.0, way.y),
            _ => Vec2::ZERO,
        };
        if ways == Vec2::ZERO || !group.stages.is_empty() {
            return refuse(
                group,
                "walks in a periodic place without a heading along its one ring",
                "give the group a heading along the ring, or open the place",
            );
        }
    }
    Ok(())
}
