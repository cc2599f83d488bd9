//! Steps that stay off walls, for models that choose velocities.

use crate::crowd::{Update, View};
use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Passes over the walls in reach; each may turn a step into another wall. Chosen here: corners need two.
const PASSES: usize = 4;
/// Rounding tolerance: how much faster than allowed a step may approach a wall, m/s.
const SLACK_M_PER_S: f64 = 1e-9;

/// The velocity with its component into the wall removed, so that nobody gets closer than the radius, m, and nobody who
/// is already closer gets closer still. Zero if no such velocity is found.
#[inline]
pub(super) fn keep_off(walls: &Walls, body: (Vec2, f64), wanted: Vec2, dt: f64) -> Vec2 {
    if walls.segments().is_empty() { wanted } else { keep_off_those(walls, body, wanted, dt) }
}

fn keep_off_those(walls: &Walls, (p, radius): (Vec2, f64), wanted: Vec2, dt: f64) -> Vec2 {
    let reach = radius + wanted.length() * dt;
    if walls.are_far(p, reach) {
        return wanted;
    }
    let mut vel = wanted;
    for _ in 0..PASSES {
        let mut turned = false;
        walls.contacts(p, reach, &mut |wall| {
            // The whole wall lies behind the line through its nearest point, so it is enough not to cross that line.
            let most = (wall.distance - radius).max(0.0) / dt;
            let into = -vel.dot(wall.normal) - most;
            if into > SLACK_M_PER_S {
                vel += wall.normal * into;
                turned = true;
            }
        });
        if !turned {
            let to = p + vel * dt;
            return if walls.crosses(p, to) { Vec2::ZERO } else { vel };
        }
    }
    Vec2::ZERO
}

/// Ends somebody's step, with the displacement, at the walls.
pub(super) fn stop_at_walls(view: &View<'_>, next: &mut Update<'_>, row: usize) {
    let body = (view.crowd.pos[row], view.crowd.radius[row]);
    let wanted = next.vel[row] + next.shift.get(row).map_or(Vec2::ZERO, |&shift| shift / view.dt);
    let kept = keep_off(&view.world.walls, body, wanted, view.dt);
    if kept != wanted {
        next.vel[row] = kept;
        if let Some(shift) = next.shift.get_mut(row) {
            *shift = Vec2::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::scenario::Segment;
    use crowdtune_core::math::vec2;

    fn walls(lines: &[(f64, f64, f64, f64)]) -> Walls {
        let segments: Vec<_> = lines.iter().map(|l| Segment { a: vec2(l.0, l.1), b: vec2(l.2, l.3) }).collect();
        Walls::new(&segments)
    }

    #[test]
    fn a_step_into_a_wall_goes_up_to_it_and_along() {
        // 0.1 m are left: 1 m/s in a step of 0.1 s; along the wall nothing is taken away.
        let walls = walls(&[(-9.0, 0.0, 9.0, 0.0)]);
        let vel = keep_off(&walls, (vec2(0.0, 0.4), 0.3), vec2(0.7, -2.0), 0.1);
        assert!((vel - vec2(0.7, -1.0)).length() < 1e-12, "{vel:?}");
    }

    #[test]
    fn who_is_too_near_comes_no_nearer_and_may_leave() {
        let walls = walls(&[(-9.0, 0.0, 9.0, 0.0)]);
        let at = (vec2(0.0, 0.2), 0.3);
        assert_eq!(keep_off(&walls, at, vec2(0.5, -1.0), 0.1), vec2(0.5, 0.0));
        assert_eq!(keep_off(&walls, at, vec2(0.5, 1.0), 0.1), vec2(0.5, 1.0));
    }

    #[test]
    fn a_corner_holds_both_ways() {
        let walls = walls(&[(0.0, 0.0, 9.0, 0.0), (0.0, 0.0, 0.0, 9.0)]);
        let vel = keep_off(&walls, (vec2(0.3, 0.3), 0.3), vec2(-1.0, -1.0), 0.1);
        assert!(vel.length() < 1e-12, "{vel:?}");
    }
}
