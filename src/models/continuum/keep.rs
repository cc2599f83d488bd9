//! Nobody steps into or through walls.

use crate::math::Vec2;
use crate::world::World;

/// Rounds over the walls nearby. Chosen here: in a corner two walls stop somebody, and each may push into the other.
const ROUNDS: usize = 3;

/// A displacement shortened so that a body at `p` comes no nearer to a wall than touching it, sliding along: what of it
/// leads beyond is taken off across the wall. Who touches already may not come nearer. Null if the centre would still
/// cross a wall.
pub fn kept(world: &World, p: Vec2, radius: f64, by: Vec2) -> Vec2 {
    let mut way = by;
    let reach = radius + by.length();
    for _ in 0..ROUNDS {
        let mut touched = false;
        world.walls.contacts(p, reach, &mut |wall| {
            let room = (wall.distance - radius).max(0.0);
            let into = -way.dot(wall.normal);
            if into > room {
                way += wall.normal * (into - room);
                touched = true;
            }
        });
        if !touched {
            break;
        }
    }
    if world.walls.crosses(p, p + way) { Vec2::ZERO } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;
    use crate::world::FieldCache;
    use crate::world::scenario::{Plan, Segment};

    fn corner() -> World {
        let wall = |a, b| Segment { a, b };
        let walls = vec![wall(vec2(0.0, 0.0), vec2(9.0, 0.0)), wall(vec2(0.0, 0.0), vec2(0.0, 9.0))];
        World::new(Plan { walls, ..Plan::default() }, &mut FieldCache::default()).unwrap()
    }

    #[test]
    fn slides_along_a_wall_and_stops_in_a_corner() {
        let world = corner();
        let slid = kept(&world, vec2(5.0, 0.5), 0.3, vec2(0.4, -0.6));
        assert!((slid - vec2(0.4, -0.2)).length() < 1e-12, "{slid:?}");
        let stopped = kept(&world, vec2(0.3, 0.3), 0.3, vec2(-1.0, -1.0));
        assert!(stopped.length() < 1e-12, "{stopped:?}");
        assert_eq!(kept(&world, vec2(5.0, 5.0), 0.3, vec2(0.4, -0.6)), vec2(0.4, -0.6));
    }

    #[test]
    fn a_long_step_through_a_wall_is_not_taken() {
        let away = kept(&corner(), vec2(5.0, 0.1), 0.0, vec2(0.0, -3.0));
        assert!(away.y >= -0.1 - 1e-12, "{away:?}");
    }
}
