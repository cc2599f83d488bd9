//! Classes of people who want the same: one potential for each group and stage of its journey.

use super::ground::Ground;
use crate::world::scenario::{Goal, Group, Pull, Scenario};
use crate::world::{Torus, World};
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};

/// Cells whose center is so near to a goal in sight start the potential, and their people walk straight to it, in cells.
/// Chosen here: every goal has one, and the corner of a cell is 0.7 away.
const NEAR_CELLS: f64 = 1.5;

/// People who want the same.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Where the potential starts: cell of the solver's grid, and the way from there to the goal, m.
    pub seeds: Vec<(usize, f64)>,
    /// By cell of the ground: true where people walk straight to the goal.
    pub near: Vec<bool>,
    /// Column and row of the solver's grid that the first cell of the ground stands in.
    pub first: (usize, usize),
}

/// All classes of a scenario.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    pub all: Vec<Class>,
    /// Index of the class of the first stage of each group, and how many it has.
    of_group: Vec<(usize, usize)>,
    /// How often the solver's grid repeats the ground along x and y.
    pub turns: (usize, usize),
}

impl Classes {
    /// The classes of all groups; a group that is drawn by nothing has none.
    pub fn new(scenario: &Scenario, ground: &Ground) -> Self {
        let world = &scenario.world;
        let turns = (1 + usize::from(ground.ring_x), 1 + usize::from(ground.ring_y));
        let mut classes = Self { turns, ..Self::default() };
        for group in &scenario.groups {
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
                _ => {}
            }
            classes.of_group.push((from, classes.all.len() - from));
        }
        classes
    }

    /// The class of somebody; `None` for anyone drawn by nothing.
    #[inline]
    pub fn of(&self, group: u16, stage: u16) -> Option<usize> {
        let (first, count) = self.of_group[group as usize];
        ((stage as usize) < count).then(|| first + stage as usize)
    }
}

/// To the nearest of some points that depend on where one is.
fn towards(world: &World, ground: &Ground, nearest: impl Fn(Vec2) -> Vec<Vec2>) -> Class {
    let reach = NEAR_CELLS * ground.size.x.max(ground.size.y);
    let mut class = Class { seeds: Vec::new(), near: vec![false; ground.len()], first: (0, 0) };
    for c in 0..ground.len() {
        let p = ground.center(c);
        let ways = nearest(p).into_iter().filter(|&q| (q - p).length2() <= reach * reach);
        // Short of the goal itself: a door may lie on a wall, and an area's edge on one.
        let seen = ways.filter(|&q| !world.walls.crosses(p, p + (q - p) * (1.0 - 1e-6)));
        if let Some(way) = seen.map(|q| (q - p).length()).reduce(f64::min) {
            // Just behind a door in the outer wall nobody can stand, but people who leave pass there.
            class.near[c] = true;
            if ground.joined[c] != 0 {
                class.seeds.push((c, way));
            }
        }
    }
    class
}

/// Along a direction: the potential starts at the far sides of the grid; on a ring, one turn ahead.
fn along(ground: &Ground, (turns_x, turns_y): (usize, usize), way: Vec2) -> Class {
    let (columns, rows) = (ground.columns * turns_x, ground.rows * turns_y);
    let end = |way: f64, count: usize| if way > 0.0 { count - 1 } else { 0 };
    // Only sides that the heading leads to; nobody leaves a ring to a side.
    let far_x = (way.x.abs() > 1e-9).then(|| end(way.x, columns));
    let far_y = (way.y.abs() > 1e-9).then(|| end(way.y, rows));
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
            let open = ground.joined[j % ground.rows * ground.columns + i % ground.columns] != 0;
            if open && (far_x == Some(i) || far_y == Some(j)) {
                seeds.push((j * columns + i, most - gain(i, j)));
            }
        }
    }
    let first = |way: f64, count: usize, turns: usize| if way < 0.0 && turns > 1 { count } else { 0 };
    let first = (first(way.x, ground.columns, turns_x), first(way.y, ground.rows, turns_y));
    Class { seeds, near: vec![false; ground.len()], first }
}

/// Says why a potential for each group cannot guide the people of a scenario.
///
/// # Errors
/// Groups that follow others, own goals, goals out of sight, places closed to a ring in a way that people do not walk.
pub fn fits(scenario: &Scenario) -> Result<(), Error> {
    let refuse = |group: &Group, what: &str, help: &str| {
        Err(Error::input(format!("group `{}` {what}, and this model guides by one potential for a group", group.name))
            .key("model")
            .help(help.to_string()))
    };
    let Torus { x, y } = scenario.world.plan.periodic;
    for group in &scenario.groups {
        if matches!(group.pull, Pull::Group(_)) && group.stages.is_empty() {
            return refuse(group, "follows another group", "use a model of forces or velocities");
        }
        if group.own_goals && group.stages.iter().any(|stage| stage.len() > 1) {
            return refuse(group, "has a goal for each person", "use a model of forces or velocities");
        }
        if scenario.world.plan.sight_m.is_some() && !group.stages.is_empty() {
            return refuse(group, "sees its goals only nearby", "leave out `sight_m`, or use another model");
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
