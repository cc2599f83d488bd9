//! How soon a velocity leads into a disc or a wall, eight velocities at a time.
//!
//! Results are rates, 1 / (time to collision) in 1/s: 0 means never, and no velocity needs a division.

use crate::world::scenario::Segment;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::Lanes;

/// Smallest gap between two bodies, as a share of the sum of their radii, so that rates stay finite. Chosen here: half
/// a millimeter for two people.
const LEAST_GAP_SHARE: f64 = 1e-3;

/// A disc that a person's center must not enter: the other body grown by the person's radius. What counts is the
/// velocity `per_share v + shift`, in the paper 1/alpha v' + (1 - 1/alpha) v_A - v_B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    q: (f32, f32),
    radius2: f32,
    per_share: f32,
    shift: (f32, f32),
    /// 1 / (|q|^2 - radius^2), 1/m2; negative inside.
    per_gap: f32,
    /// Rates below this count as 0, 1/s.
    least: f32,
    /// Rate of a collision at the end of the step, 1/s.
    step: f32,
    /// radius^2 - |q|^2, m2, and twice the step, s: for the depth that a velocity reaches.
    inside: f32,
    twice_dt: f32,
    dt2: f32,
    /// Rate per m2 of that depth, 1/(m2 s).
    per_depth: f32,
}

impl Disc {
    /// A disc at `q` of this radius, m, for a person of velocity `vel` who takes on the share `alpha` > 0 of avoiding a
    /// person of velocity `other`. Collisions later than the horizon, s, do not count.
    pub fn new(q: Vec2, radius: f64, alpha: f64, (vel, other): (Vec2, Vec2), (horizon, dt): (f64, f64)) -> Self {
        let shift = vel * (1.0 - 1.0 / alpha) - other;
        let gap = q.length2() - radius * radius;
        let least = LEAST_GAP_SHARE * radius * radius;
        // On the edge, up to rounding, counts as outside.
        let gap = if gap < -1e-9 * radius * radius { gap.min(-least) } else { gap.max(least) };
        Self {
            q: (q.x as f32, q.y as f32),
            radius2: (radius * radius) as f32,
            per_share: (1.0 / alpha) as f32,
            shift: (shift.x as f32, shift.y as f32),
            per_gap: (1.0 / gap) as f32,
            least: (1.0 / horizon) as f32,
            step: (1.0 / dt) as f32,
            inside: (radius * radius - q.length2()) as f32,
            twice_dt: (2.0 * dt) as f32,
            dt2: (dt * dt) as f32,
            per_depth: (1.0 / (dt * radius * radius)) as f32,
        }
    }

    /// Outside the disc: the rate of the collision, or for one within the step 1/dt (1 + (radius^2 - d^2) / radius^2)
    /// with the distance d from the center at the end of the step, so that a velocity that enters less deeply is
    /// better. Inside the disc: 1/dt minus the rate of leaving, times two, because leaving a body matters more than not
    /// touching another.
    #[inline(always)]
    pub fn rate<L: Lanes>(&self, (vx, vy): (L, L)) -> L {
        let share = L::splat(self.per_share);
        let ux = vx.mul(share).add(L::splat(self.shift.0));
        let uy = vy.mul(share).add(L::splat(self.shift.1));
        let (qx, qy) = (L::splat(self.q.0), L::splat(self.q.1));
        let along = ux.mul(qx).add(uy.mul(qy));
        let aside = ux.mul(qy).sub(uy.mul(qx));
        let u2 = ux.mul(ux).add(uy.mul(uy));
        let root2 = L::splat(self.radius2).mul(u2).sub(aside.mul(aside));
        let none = L::splat(0.0);
        if self.per_gap > 0.0 {
            // tc = (q.u - root) / |u|^2 = gap / (q.u + root).
            let rate = along.add(root2.max(none).sqrt()).mul(L::splat(self.per_gap));
            let rate = rate.keep(L::splat(self.least).at_most(rate)).min(L::splat(self.step));
            let depth = L::splat(self.inside).add(along.mul(L::splat(self.twice_dt))).sub(u2.mul(L::splat(self.dt2)));
            let rate = rate.add(depth.max(none).mul(L::splat(self.per_depth)));
            rate.keep(none.below(root2)).keep(none.below(along))
        } else {
            // The time to leave is gap / (q.u - root); both are negative.
            let leaves = along.sub(root2.max(none).sqrt()).mul(L::splat(self.per_gap));
            let stays = L::splat(self.step).sub(leaves).max(none);
            stays.add(stays)
        }
    }
}

/// The straight side of a wall, grown by the person's radius. The ends of a wall are discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Unit vectors from the person towards the wall's line, and along it.
    to: (f32, f32),
    along: (f32, f32),
    /// The person's foot on the wall, m from its first end, and the wall's length, m.
    foot: f32,
    length: f32,
    /// Distance to the side, m, and its inverse.
    gap: f32,
    per_gap: f32,
    least: f32,
}

impl Side {
    /// The side of a wall for a person at `p` of this radius, m. Collisions later than the horizon, s, do not count.
    /// `None` on the wall's line, where only its ends are in the way.
    pub fn new(p: Vec2, radius: f64, wall: Segment, horizon: f64) -> Option<Self> {
        let along = (wall.b - wall.a).unit()?;
        let aside = along.cross(p - wall.a);
        let to = if aside > 0.0 { -along.left() } else { along.left() };
        if aside == 0.0 {
            return None;
        }
        let gap = (aside.abs() - radius).max(LEAST_GAP_SHARE * radius);
        Some(Self {
            to: (to.x as f32, to.y as f32),
            along: (along.x as f32, along.y as f32),
            foot: (p - wall.a).dot(along) as f32,
            length: (wall.b - wall.a).length() as f32,
            gap: gap as f32,
            per_gap: (1.0 / gap) as f32,
            least: (1.0 / horizon) as f32,
        })
    }

    /// The rate of the collision.
    #[inline(always)]
    pub fn rate<L: Lanes>(&self, (vx, vy): (L, L)) -> L {
        let none = L::splat(0.0);
        let toward = vx.mul(L::splat(self.to.0)).add(vy.mul(L::splat(self.to.1)));
        let along = vx.mul(L::splat(self.along.0)).add(vy.mul(L::splat(self.along.1)));
        // The foot after gap / toward seconds, times toward: it must lie on the wall.
        let foot = L::splat(self.foot).mul(toward).add(along.mul(L::splat(self.gap)));
        let rate = toward.mul(L::splat(self.per_gap)).keep(none.below(toward));
        let rate = rate.keep(none.at_most(foot)).keep(foot.at_most(L::splat(self.length).mul(toward)));
        rate.keep(L::splat(self.least).at_most(rate))
    }
}

#[cfg(test)]
#[path = "obstacles_tests.rs"]
mod tests;
