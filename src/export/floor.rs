//! The area that people can stand on, for tools that know areas and not walls.

use crate::wkt;
use crowdtune_core::math::Vec2;
use crowdtune_sim::world::scenario::{Goal, Polygon, Scenario, Segment};
use crowdtune_sim::world::{Obstacles, Walls};

/// Half of the width that a wall with people on both sides gets, m. Chosen here: too thin to change a way.
const HALF_WALL_M: f64 = 0.005;
/// A point this near to a line is on it, m.
const ON_LINE_M: f64 = 1e-6;

/// Depth of the place behind an exit, m. Chosen here: room for those who are through, so that they do not block it.
const BEHIND_M: f64 = 2.0;
/// Distance behind the door over which the place widens, m; an exit begins behind it.
const WIDENS_M: f64 = 0.2;

/// An area with holes.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    shell: Vec<Vec2>,
    holes: Vec<Vec<Vec2>>,
}

impl Floor {
    /// The area around the people, which walls and doors enclose.
    ///
    /// # Errors
    /// In words what there is that is no such area.
    pub fn new(scenario: &Scenario, starts: &[Vec2]) -> Result<Self, &'static str> {
        let plan = &scenario.world.plan;
        let holds = |shell: &[Vec2]| {
            let shell = Polygon { points: shell.to_vec() };
            starts.iter().all(|&p| shell.contains(p))
        };
        if !plan.walkable.is_empty() {
            let around = plan.walkable.iter().find(|(shell, _)| holds(&shell.points));
            let (shell, holes) = around.ok_or("people start in several areas")?;
            let holes = holes.iter().map(|hole| hole.points.clone()).collect();
            return Ok(Self { shell: shell.points.clone(), holes });
        }
        let doors = scenario.world.goals().iter().filter_map(|goal| match &goal.what {
            Goal::Door { line, .. } => Some(*line),
            Goal::Area(_) | Goal::Point { .. } => None,
        });
        let lines: Vec<Segment> = plan.walls.iter().copied().chain(doors).collect();
        let chains = Obstacles::new(&Walls::new(&lines)).chains();
        // The inside of a chain that is walked clockwise is walkable.
        let around = chains.iter().find(|chain| twice_area(chain) < 0.0 && holds(chain));
        let shell = around.ok_or("walls and doors do not enclose all people in one area")?.clone();
        if (0..shell.len()).any(|at| shell[at] == shell[(at + 2) % shell.len()]) {
            return Err("a wall ends in the middle of the area");
        }
        let inside = Polygon { points: shell.clone() };
        let holes = chains.into_iter().filter(|chain| inside.contains_strictly(chain[0]) && twice_area(chain) >= 0.0);
        let holes: Option<Vec<_>> = holes.map(solid).collect();
        Ok(Self { holes: holes.ok_or("walls within the area have free ends")?, shell })
    }

    /// Adds an area behind a door: its corners but the first and the last, which are the ends of the door.
    ///
    /// # Errors
    /// If no side of the area has the door.
    pub fn add(&mut self, behind: &[Vec2]) -> Result<(), &'static str> {
        let [first, .., last] = behind else { return Ok(()) };
        let shell = &self.shell;
        let on = |at: usize, p: Vec2| {
            let side = Segment { a: shell[at], b: shell[(at + 1) % shell.len()] };
            side.distance(p) < ON_LINE_M
        };
        let side = (0..shell.len()).find(|&at| on(at, *first) && on(at, *last)).ok_or("a door is in no outer wall")?;
        let mut corners = behind.to_vec();
        if (shell[side] - *first).length() > (shell[side] - *last).length() {
            corners.reverse();
        }
        self.shell.splice(side + 1..side + 1, corners);
        self.shell.dedup_by(|a, b| (*a - *b).length() < ON_LINE_M);
        if self.shell.len() > 1 && (self.shell[0] - self.shell[self.shell.len() - 1]).length() < ON_LINE_M {
            self.shell.pop();
        }
        Ok(())
    }

    /// As WKT.
    pub fn wkt(&self) -> String {
        let rings = [&self.shell].into_iter().chain(&self.holes);
        let rings: Vec<String> = rings.map(|points| wkt::ring(&Polygon { points: points.clone() })).collect();
        format!("POLYGON ({})\n", rings.join(", "))
    }
}

/// The place behind a door, from one of its ends to the other, and the part of it where people have left.
/// `wider` is added to each side of it, m.
pub fn behind(line: Segment, out: Vec2, largest: f64, wider: f64) -> (Vec<Vec2>, Vec<Vec2>) {
    let (a, b) = (line.a, line.b);
    let along = (b - a).unit().unwrap_or(out.left()) * wider;
    // Somebody has left when the center is one radius past the line.
    let near = out * largest.max(WIDENS_M);
    let (wide, far) = (out * WIDENS_M, out * BEHIND_M.max(largest + 1.0));
    let pad = vec![a, a - along + wide, a - along + far, b + along + far, b + along + wide, b];
    (pad, vec![a - along + near, a - along + far, b + along + far, b + along + near])
}

/// Twice the area, positive counterclockwise, m2.
fn twice_area(chain: &[Vec2]) -> f64 {
    let next = |at: usize| chain[(at + 1) % chain.len()];
    (0..chain.len()).map(|at| (chain[at] - chain[0]).cross(next(at) - chain[0])).sum()
}

/// What a chain encloses, or a thin wall as a rectangle; `None` for several thin walls.
fn solid(chain: Vec<Vec2>) -> Option<Vec<Vec2>> {
    match chain[..] {
        [a, b] => {
            let along = (b - a).unit()? * HALF_WALL_M;
            let aside = along.left();
            Some(vec![a - along - aside, b + along - aside, b + along + aside, a - along + aside])
        }
        _ => (twice_area(&chain) > ON_LINE_M).then_some(chain),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crowdtune_core::math::vec2;

    #[test]
    fn a_room_with_its_door_and_what_is_behind_it() {
        let room = testing::scenario("room", &[("count", 1.0)]);
        let door = Segment { a: vec2(15.0, 7.0), b: vec2(15.0, 8.0) };
        let mut floor = Floor::new(&room, &[vec2(1.0, 1.0)]).unwrap();
        assert!((twice_area(&floor.shell) + 450.0).abs() < 1e-9, "15 by 15, clockwise: {floor:?}");
        floor.add(&[door.a, vec2(16.0, 7.0), vec2(16.0, 8.0), door.b]).unwrap();
        assert!((twice_area(&floor.shell) + 452.0).abs() < 1e-9, "and one behind the door: {floor:?}");
        assert!(floor.holes.is_empty(), "the room from outside is no hole: {floor:?}");
        let outside = Floor::new(&room, &[vec2(1.0, 1.0), vec2(99.0, 1.0)]);
        assert_eq!(outside, Err("walls and doors do not enclose all people in one area"));
        assert_eq!(floor.add(&[vec2(3.0, 3.0), vec2(3.0, 4.0)]), Err("a door is in no outer wall"));
    }

    #[test]
    fn a_wall_with_people_on_both_sides_is_a_slot() {
        let slot = solid(vec![vec2(0.0, 0.0), vec2(2.0, 0.0)]).unwrap();
        assert!((twice_area(&slot) - 2.0 * 2.01 * 0.01).abs() < 1e-12, "{slot:?}");
    }
}
