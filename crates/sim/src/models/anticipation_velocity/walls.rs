//! How people keep off the nearest wall.

use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Gap between body and wall within which people walk along it, m, and how much they walk away from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    pub gap: f64,
    pub push: f64,
}

impl Buffer {
    /// The direction near the nearest wall; of equally near ones the first acts. Within the buffer its part across the wall is replaced by
    /// the push; up to twice as far from the center, the part towards the wall fades away.
    #[inline(always)]
    pub fn along_walls(&self, walls: &Walls, (pos, radius): (Vec2, f64), way: Vec2) -> Vec2 {
        let acts = radius + self.gap;
        let mut nearest = (2.0 * acts, Vec2::ZERO);
        walls.within(pos, 2.0 * acts, &mut |wall| {
            let away = pos - wall.closest(pos);
            let d = away.length();
            if d < nearest.0 {
                nearest = (d, away);
            }
        });
        let (d, away) = nearest;
        let Some(normal) = away.unit() else { return way };
        let across = way.dot(normal);
        let along = way - normal * across;
        let changed = if d <= acts {
            along + normal * self.push
        } else if across < 0.0 {
            let share = (2.0 * acts - d) / acts;
            way * (1.0 - share) + along * share
        } else {
            return way;
        };
        changed.unit().unwrap_or(Vec2::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::scenario::Segment;
    use crowdtune_core::math::vec2;

    const BUFFER: Buffer = Buffer { gap: 0.1, push: 0.3 };

    fn walls(lines: &[(f64, f64, f64, f64)]) -> Walls {
        let segments: Vec<_> = lines.iter().map(|l| Segment { a: vec2(l.0, l.1), b: vec2(l.2, l.3) }).collect();
        Walls::new(&segments)
    }

    fn turned(walls: &Walls, pos: Vec2, way: Vec2) -> Vec2 {
        BUFFER.along_walls(walls, (pos, 0.2), way)
    }

    #[test]
    fn in_the_buffer_people_walk_along_and_away_whatever_they_want() {
        let floor = walls(&[(-9.0, 0.0, 9.0, 0.0)]);
        for across in [-0.6, 0.6] {
            // (0.8, 0.3) over its length.
            let way = turned(&floor, vec2(0.0, 0.25), vec2(0.8, across));
            assert!((way - vec2(0.8, 0.3) / 0.73_f64.sqrt()).length() < 1e-15, "{way:?}");
        }
    }

    #[test]
    fn up_to_twice_as_far_the_part_into_the_wall_fades() {
        let floor = walls(&[(-9.0, 0.0, 9.0, 0.0)]);
        // Half of it at 0.45 m: (0.8, -0.3) over its length. Who walks away is left alone, and so is everybody beyond 0.6 m.
        let way = turned(&floor, vec2(0.0, 0.45), vec2(0.8, -0.6));
        assert!((way - vec2(0.8, -0.3) / 0.73_f64.sqrt()).length() < 1e-12, "{way:?}");
        assert_eq!(turned(&floor, vec2(0.0, 0.45), vec2(0.8, 0.6)), vec2(0.8, 0.6));
        assert_eq!(turned(&floor, vec2(0.0, 0.61), vec2(0.8, -0.6)), vec2(0.8, -0.6));
    }

    #[test]
    fn only_the_nearest_wall_acts_and_the_first_of_two() {
        let corner = walls(&[(0.0, 9.0, 0.0, 0.0), (0.0, 0.0, 9.0, 0.0)]);
        let into = vec2(-0.6, -0.8);
        // Off the left wall: (0.3, -0.8); off the floor: (-0.6, 0.3).
        let (left, floor) = (vec2(0.3, -0.8) / 0.73_f64.sqrt(), vec2(-0.6, 0.3) / 0.45_f64.sqrt());
        assert!((turned(&corner, vec2(0.25, 0.26), into) - left).length() < 1e-12);
        assert!((turned(&corner, vec2(0.26, 0.25), into) - floor).length() < 1e-12);
        assert!((turned(&corner, vec2(0.25, 0.25), into) - left).length() < 1e-12);
    }
}
