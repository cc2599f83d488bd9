//! Shortest ways of points, which bend at the corners of walls.

use super::field::in_view;
use super::scenario::{Goal, Named};
use super::walls::{Walls, meet};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;

/// How far from the ends of an opening the ways of JuPedSim 1.4.2 bend, m: what `RoutingEngine.compute_waypoints` gives.
pub const CORNER_MARGIN_M: f64 = 0.2;
/// The least distance from a corner to the bend of a way, on its open side, m. Chosen here: the way touches no wall, and nobody sees the
/// difference.
const OFF_M: f64 = 1e-3;
/// People this close to a bend have passed it, m: any closer, the direction to it is rounding noise.
const PASSED_M: f64 = 1e-6;
/// Walls that turn less than this go straight on (sine of the angle). Chosen here: rounding of a wall drawn in pieces.
const STRAIGHT: f64 = 1e-9;
/// Most corners. Chosen here: an office floor; all pairs of them are looked at once.
const MAX_CORNERS: usize = 1_000;

/// The corners at which shortest ways bend, and how far it is from each to each goal.
#[derive(Debug)]
pub(crate) struct Corners {
    /// By goal, the bends from which it can be reached and the way that is left, m, nearest first.
    left: Vec<Vec<(f64, Vec2)>>,
}

impl Corners {
    /// Looks from every corner to every other one and to the goals. Ways bend at this distance from the corners, m, or nearer where
    /// there is less room.
    ///
    /// # Errors
    /// Too many corners.
    pub fn new(walls: &Walls, goals: &[Named<Goal>], margin_m: f64) -> Result<Self, Error> {
        let bends = bends(walls, margin_m);
        if bends.len() > MAX_CORNERS {
            return Err(Error::input(format!("the walls have {} corners", bends.len()))
                .key("navigation")
                .allowed(format!("at most {MAX_CORNERS}"))
                .help("simplify the outlines, or use `navigation = { kind = \"field\" }`"));
        }
        let sees = |i: usize, j: usize| in_view(walls, bends[i], bends[j]);
        let near: Vec<Vec<usize>> =
            (0..bends.len()).map(|i| (0..bends.len()).filter(|&j| j != i && sees(i, j)).collect()).collect();
        let left = goals.iter().map(|goal| left(walls, &bends, &near, &goal.what)).collect();
        Ok(Self { left })
    }

    /// Where the way from `pos` to a goal bends first (the goal itself where it is in sight, or where there is no way), and
    /// its length, m.
    pub fn way(&self, walls: &Walls, goal: usize, what: &Goal, pos: Vec2) -> (Vec2, f64) {
        let aim = aim(what, pos);
        let straight = (aim - pos).length();
        if in_view(walls, pos, aim) {
            return (aim, straight);
        }
        let mut best = (aim, f64::INFINITY);
        for &(left, bend) in &self.left[goal] {
            if left >= best.1 {
                break;
            }
            let apart = (bend - pos).length();
            if apart > PASSED_M && apart + left < best.1 && in_view(walls, pos, bend) {
                best = (bend, apart + left);
            }
        }
        best
    }
}

/// The point of a goal that a way leads to: the middle of an area, as JuPedSim's exits are aimed at (Exit::Target), else the
/// nearest point.
fn aim(goal: &Goal, pos: Vec2) -> Vec2 {
    match goal {
        Goal::Area(area) => area.centroid(),
        other => other.nearest(pos),
    }
}

/// The corners of walls that leave more than half a turn open, each off on that side.
fn bends(walls: &Walls, margin_m: f64) -> Vec<Vec2> {
    let segments = walls.segments();
    let ends = meet(segments);
    let count = ends.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    let mut at: Vec<(Vec2, Vec<Vec2>)> = vec![(Vec2::ZERO, Vec::new()); count];
    for (wall, &[a, b]) in segments.iter().zip(&ends) {
        let along = wall.direction();
        for (end, place, away) in [(a, wall.a, along), (b, wall.b, -along)] {
            let (corner, arms) = &mut at[end as usize];
            *corner = place;
            arms.push(away);
        }
    }
    let bend = |(corner, arms): &(Vec2, Vec<Vec2>)| {
        let (corner, way) = (*corner, open(arms)?);
        // Twice as far is free, so that the other side of a narrow gap is never nearer than this corner.
        let free = |off: f64| in_view(walls, corner + way * OFF_M, corner + way * (2.0 * off));
        let mut off = margin_m.max(OFF_M);
        while off > OFF_M && !free(off) {
            off = (0.5 * off).max(OFF_M);
        }
        Some(corner + way * off)
    };
    at.iter().filter_map(bend).collect()
}

/// The direction into the middle of the open side of a corner, from the directions of its walls; `None` if no side is wider than
/// half a turn.
fn open(arms: &[Vec2]) -> Option<Vec2> {
    // All walls lie to one side of the outer two.
    let outer = |side: f64| {
        arms.iter().find(|a| {
            arms.iter().all(|b| {
                let turn = side * a.cross(*b);
                turn > STRAIGHT || (turn >= -STRAIGHT && a.dot(*b) > 0.0)
            })
        })
    };
    let (first, last) = (outer(1.0)?, outer(-1.0)?);
    (-(*first + *last)).unit()
}

/// The way that is left from every bend to a goal (Dijkstra), nearest first, without those that have no way.
fn left(walls: &Walls, bends: &[Vec2], near: &[Vec<usize>], goal: &Goal) -> Vec<(f64, Vec2)> {
    let straight = |&bend: &Vec2| {
        let aim = aim(goal, bend);
        if in_view(walls, bend, aim) { (aim - bend).length() } else { f64::INFINITY }
    };
    let mut left: Vec<f64> = bends.iter().map(straight).collect();
    let mut open: Vec<usize> = (0..bends.len()).collect();
    let mut sorted = Vec::new();
    while let Some(k) = (0..open.len()).min_by(|&a, &b| left[open[a]].total_cmp(&left[open[b]])) {
        let i = open.remove(k);
        if left[i].is_infinite() {
            break;
        }
        sorted.push((left[i], bends[i]));
        for &j in &near[i] {
            left[j] = left[j].min(left[i] + (bends[j] - bends[i]).length());
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::scenario::{FloorPlan, Navigation, Polygon, Segment, named};
    use crate::world::{FieldCache, World};
    use crowdtune_core::math::vec2;

    fn wall(a: (f64, f64), b: (f64, f64)) -> Segment {
        Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) }
    }

    fn world(walls: Vec<Segment>, goal: Goal) -> World {
        let goals = vec![named("out", goal)];
        let plan =
            FloorPlan { walls, goals, navigation: Navigation::Corners { margin_m: 0.0 }, ..FloorPlan::default() };
        World::new(plan, &mut FieldCache::default()).unwrap()
    }

    #[test]
    fn a_corner_is_where_walls_leave_more_than_half_a_turn() {
        let (east, north) = (vec2(1.0, 0.0), vec2(0.0, 1.0));
        let near = |a: Option<Vec2>, b: Vec2| assert!(a.is_some_and(|a| (a - b).length() < 1e-12), "{a:?}");
        near(open(&[east, north]), vec2(-1.0, -1.0) * std::f64::consts::FRAC_1_SQRT_2);
        near(open(&[east]), -east);
        near(open(&[north, east, vec2(0.6, 0.8)]), vec2(-1.0, -1.0) * std::f64::consts::FRAC_1_SQRT_2);
        assert_eq!(open(&[east, -east]), None);
        assert_eq!(open(&[east, -east, north]), None);
        assert_eq!(open(&[]), None);
    }

    #[test]
    fn the_way_around_two_walls_is_that_of_a_thread() {
        // A wall from far below up to y = 3 at x = 0, another one from far above down to y = -1 at x = 4; the goal at (8, 0).
        let walls = vec![wall((0.0, -90.0), (0.0, 3.0)), wall((4.0, -1.0), (4.0, 90.0))];
        let w = world(walls, Goal::Point { at: vec2(8.0, 2.0), radius: 0.1 });
        // From (-4, 0) a 3-4-5 triangle up to (0, 3), 4 down and 4 across to (4, -1), 3-4-5 again.
        let wanted = 5.0 + 32.0_f64.sqrt() + 5.0;
        assert!((w.distance_to(0, vec2(-4.0, 0.0)) - wanted).abs() < 5e-3);
        let way = w.toward(0, vec2(-4.0, 0.0), 0.3);
        assert!((way - vec2(0.8, 0.6)).length() < 1e-3, "{way:?}");
        // Beyond the second bend the goal is in sight.
        assert!((w.toward(0, vec2(5.0, -0.25), 0.3) - vec2(0.8, 0.6)).length() < 1e-9);
    }

    #[test]
    fn ways_bend_off_the_corner_where_there_is_room() {
        let walls = |gap: f64| {
            let segments = vec![wall((0.0, -90.0), (0.0, 0.0)), wall((0.0, gap), (0.0, 90.0))];
            let goals = vec![named("out", Goal::Point { at: vec2(8.0, -8.0), radius: 0.1 })];
            let plan = FloorPlan {
                walls: segments,
                goals,
                navigation: Navigation::Corners { margin_m: 0.2 },
                ..FloorPlan::default()
            };
            World::new(plan, &mut FieldCache::default()).unwrap()
        };
        // To the bend 0.2 m beyond the end of the wall; in a gap of 0.3 m half of that.
        for (gap, off) in [(5.0, 0.2), (0.3, 0.1)] {
            let way = walls(gap).toward(0, vec2(-4.0, -3.0), 0.3);
            let wanted = vec2(4.0, 3.0 + off).unit().unwrap();
            assert!((way - wanted).length() < 1e-12, "{way:?}");
        }
    }

    #[test]
    fn areas_are_aimed_at_in_their_middle_and_no_way_is_straight_on() {
        let area = Goal::Area(Polygon::rectangle(vec2(9.0, -2.0), vec2(11.0, 2.0)));
        let w = world(Vec::new(), area.clone());
        assert!(
            (w.toward(0, vec2(6.0, 4.0), 0.3) - vec2(1.0, -1.0) * std::f64::consts::FRAC_1_SQRT_2).length() < 1e-12
        );
        assert_eq!((w.toward(0, vec2(9.5, 0.0), 0.3), w.distance_to(0, vec2(9.5, 0.0))), (Vec2::ZERO, 0.0));
        let shut: Vec<Segment> = Polygon::rectangle(vec2(-1.0, -1.0), vec2(1.0, 1.0)).edges().collect();
        assert_eq!(world(shut, area).toward(0, vec2(0.0, 0.0), 0.3), vec2(1.0, 0.0));
    }
}
