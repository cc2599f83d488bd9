//! The five forces of eight people at a time: equation 3.20, the speed cap and the turn limit. One person after the other would wait for one root
//! and quotient after the other. Every number is made by the operations of [`super::forces`] and [`Vec2`], in their order, so it has their bits.

use super::forces::{Seen, limited, repulsion};
use super::turning::{Limit, turn};
use super::{Constants, FiveForce};
use crate::crowd::{Status, View};
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::{Vec2, vec2};

/// One number for each of eight people.
type Eight = [f64; WIDTH];

/// Eight vectors.
#[derive(Clone, Copy, Default)]
struct Vectors {
    x: Eight,
    y: Eight,
}

#[inline(always)]
fn each(of: impl FnMut(usize) -> f64) -> Eight {
    std::array::from_fn(of)
}

impl Vectors {
    #[inline(always)]
    fn set(&mut self, k: usize, v: Vec2) {
        (self.x[k], self.y[k]) = (v.x, v.y);
    }

    #[inline(always)]
    fn get(&self, k: usize) -> Vec2 {
        vec2(self.x[k], self.y[k])
    }

    #[inline(always)]
    fn plus(&self, o: &Self) -> Self {
        Self { x: each(|k| self.x[k] + o.x[k]), y: each(|k| self.y[k] + o.y[k]) }
    }

    #[inline(always)]
    fn minus(&self, o: &Self) -> Self {
        Self { x: each(|k| self.x[k] - o.x[k]), y: each(|k| self.y[k] - o.y[k]) }
    }

    #[inline(always)]
    fn times(&self, factor: &Eight) -> Self {
        Self { x: each(|k| self.x[k] * factor[k]), y: each(|k| self.y[k] * factor[k]) }
    }

    #[inline(always)]
    fn over(&self, divisor: &Eight) -> Self {
        Self { x: each(|k| self.x[k] / divisor[k]), y: each(|k| self.y[k] / divisor[k]) }
    }

    #[inline(always)]
    fn length2(&self) -> Eight {
        each(|k| self.x[k] * self.x[k] + self.y[k] * self.y[k])
    }

    /// These where the mark is positive, else zero.
    #[inline(always)]
    fn where_positive(&self, mark: &Eight) -> Self {
        let keep = |v: &Eight| each(|k| if mark[k] > 0.0 { v[k] } else { 0.0 });
        Self { x: keep(&self.x), y: keep(&self.y) }
    }

    /// As [`limited`].
    #[inline(always)]
    fn limited(&self, most: &Eight) -> Self {
        let length2 = self.length2();
        let factor = each(|k| most[k] / length2[k].sqrt());
        let cut = |v: &Eight| each(|k| if length2[k] > most[k] * most[k] { v[k] * factor[k] } else { v[k] });
        Self { x: cut(&self.x), y: cut(&self.y) }
    }
}

/// Eight people before the forces.
#[derive(Default)]
struct Before {
    /// 1 for who feels attraction.
    drawn: Eight,
    way: Vectors,
    distance: Eight,
    speed: Eight,
    range: Eight,
    cap: Eight,
    vel: Vectors,
    heading: Vectors,
    count: Eight,
    apart: Vectors,
    sum_vel: Vectors,
    sum_way: Vectors,
    attraction: Eight,
    separation: Eight,
    alignment: Eight,
    cohesion: Eight,
    /// 1 for whom walls can brake.
    brakes: Eight,
    brake: Vectors,
}

/// Velocity and heading of everybody after the forces, without collisions.
pub(super) struct Drive<'a, 'v> {
    pub view: &'a View<'v>,
    pub groups: &'a [Constants],
    pub limits: &'a [Limit],
    pub seen: &'a [Seen],
    pub heading: &'a [Vec2],
    /// By row: heading and velocity.
    pub turned: &'a mut [(Vec2, Vec2)],
    /// By row: the mean velocity of whom somebody sees.
    pub group_vel: &'a mut [Vec2],
}

impl Kernel for Drive<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let mut before = Before::default();
        let mut slots = [0; WIDTH];
        let mut many = 0;
        for slot in 0..self.view.near.len() {
            if self.walks(slot) {
                self.gather(slot, &mut before, many);
                slots[many] = slot;
                many += 1;
            }
            if many == WIDTH {
                self.drive(&before, &slots);
                many = 0;
            }
        }
        self.drive(&before, &slots[..many]);
    }
}

impl Drive<'_, '_> {
    /// True for who walks by the forces. Who stands is done with.
    #[inline(always)]
    fn walks(&mut self, slot: usize) -> bool {
        let (view, row) = (self.view, self.view.near.row[slot] as usize);
        self.group_vel[row] = view.near.vel[slot];
        if !view.steers(row) {
            return false;
        }
        let stands = view.crowd.status[row] != Status::Walking || view.top_speed(row, 1.0) <= 0.0;
        if stands {
            self.turned[row] = (self.heading[row], Vec2::ZERO);
        }
        !stands
    }

    #[inline(always)]
    fn gather(&self, slot: usize, to: &mut Before, k: usize) {
        let (view, near) = (self.view, self.view.near);
        let row = near.row[slot] as usize;
        let (c, cap) = (&self.groups[usize::from(view.crowd.group[row])], view.top_speed(row, 1.0));
        let (p, v, r) = (near.pos[slot], near.vel[slot], near.radius[slot]);
        let (way, distance) = (view.desired[row], view.distance[row]);
        to.drawn[k] = if way == Vec2::ZERO && distance <= 0.0 { 0.0 } else { 1.0 };
        to.way.set(k, way);
        to.distance[k] = distance;
        // People walk at no more than their desired speed, even if they could run.
        to.speed[k] = view.desired_speed(row).min(cap);
        to.range[k] = c.eyes.range_diameters * 2.0 * r;
        to.cap[k] = cap;
        to.vel.set(k, v);
        to.heading.set(k, self.heading[row]);
        let Seen { count, apart, vel, way } = self.seen[slot];
        to.count[k] = count;
        to.apart.set(k, apart);
        to.sum_vel.set(k, vel);
        to.sum_way.set(k, way);
        to.attraction[k] = c.attraction;
        to.separation[k] = c.separation;
        to.alignment[k] = c.alignment;
        to.cohesion[k] = c.cohesion;
        to.brakes[k] = if c.repulsion > 0.0 { 1.0 } else { 0.0 };
        let mut brake = Vec2::ZERO;
        if c.repulsion > 0.0 {
            let push = repulsion(&view.world.walls, p, v, r, c.look_ahead) * c.repulsion;
            if push != Vec2::ZERO {
                // It can stop people but not push them back.
                brake = limited(push, v.length() / view.dt);
            }
        }
        to.brake.set(k, brake);
    }

    #[inline(always)]
    fn drive(&mut self, of: &Before, slots: &[usize]) {
        let dt = self.view.dt;
        let one = [1.0; WIDTH];
        let per_cap = each(|k| 0.5 / of.cap[k]);
        // Equation 3.15.
        let towards = each(|k| of.speed[k] * (of.distance[k] / of.range[k]).min(1.0));
        let attraction = of.way.times(&towards).minus(&of.vel).times(&per_cap).limited(&one).where_positive(&of.drawn);
        // Equations 3.4, 3.5, 3.7 and 3.10.
        let per_count = each(|k| 1.0 / of.count[k]);
        let separation = of.apart.times(&per_count).where_positive(&of.count);
        let mean = of.sum_vel.times(&per_count);
        let alignment = mean.minus(&of.vel).times(&per_cap).limited(&one).where_positive(&of.count);
        let per_reach = each(|k| 1.0 / (of.count[k] * of.range[k]));
        let cohesion = of.sum_way.times(&per_reach).limited(&one).where_positive(&of.count);
        let mut sum = attraction.times(&of.attraction);
        sum = sum.plus(&separation.times(&of.separation));
        sum = sum.plus(&alignment.times(&of.alignment));
        sum = sum.plus(&cohesion.times(&of.cohesion));
        let braked = sum.plus(&of.brake);
        let either = |b: &Eight, s: &Eight| each(|k| if of.brakes[k] > 0.0 { b[k] } else { s[k] });
        sum = Vectors { x: either(&braked.x, &sum.x), y: either(&braked.y, &sum.y) };
        let wanted = of.vel.plus(&sum.times(&[dt; WIDTH])).limited(&of.cap);
        let length = wanted.length2().map(f64::sqrt);
        let to = wanted.over(&length);
        let ahead = each(|k| of.heading.x[k] * to.x[k] + of.heading.y[k] * to.y[k]);
        for (k, &slot) in slots.iter().enumerate() {
            let row = self.view.near.row[slot] as usize;
            if of.count[k] > 0.0 {
                self.group_vel[row] = mean.get(k);
            }
            let limit = self.limits[usize::from(self.view.crowd.group[row])];
            let free = length[k] > 1e-12 && limit.allows(ahead[k]);
            let wanted = wanted.get(k);
            self.turned[row] = if free { (to.get(k), wanted) } else { turn(of.heading.get(k), wanted, limit) };
        }
    }
}

impl FiveForce {
    /// The kernel, with everything that it reads.
    pub(super) fn drive<'a, 'v>(&'a mut self, view: &'a View<'v>) -> Drive<'a, 'v> {
        let Self { groups, limits, seen, heading, turned, group_vel, .. } = self;
        Drive { view, groups, limits, seen, heading, turned, group_vel }
    }
}

#[cfg(test)]
mod tests {
    use super::super::forces::attraction;
    use super::super::testing::{Scene, settings, values};
    use super::*;
    use crowdtune_core::math::lanes;
    use crowdtune_core::math::rng::{Seed, unit};

    /// One person after the other, as equation 3.20 is written.
    fn driven(drive: &Drive<'_, '_>, slot: usize) -> (Vec2, Vec2) {
        let (view, near) = (drive.view, drive.view.near);
        let row = near.row[slot] as usize;
        let (c, cap) = (&drive.groups[0], view.top_speed(row, 1.0));
        let (p, v, r, seen) = (near.pos[slot], near.vel[slot], near.radius[slot], &drive.seen[slot]);
        if view.crowd.status[row] != Status::Walking || cap <= 0.0 {
            return (drive.heading[row], Vec2::ZERO);
        }
        let range = c.eyes.range_diameters * 2.0 * r;
        let goal = (view.desired[row], view.distance[row], view.desired_speed(row).min(cap));
        let mut sum = attraction(goal, range, v, cap) * c.attraction;
        sum += seen.separation() * c.separation;
        sum += seen.alignment(v, cap) * c.alignment;
        sum += seen.cohesion(range) * c.cohesion;
        if c.repulsion > 0.0 {
            sum += limited(repulsion(&view.world.walls, p, v, r, c.look_ahead) * c.repulsion, v.length() / view.dt);
        }
        turn(drive.heading[row], limited(v + sum * view.dt, cap), drive.limits[0])
    }

    #[test]
    fn eight_people_at_a_time_get_the_bits_of_one_after_the_other() {
        let mut rng = Seed(3).rng();
        let mut random = |most: f64| vec2(most * (unit(&mut rng) - 0.5), most * (unit(&mut rng) - 0.5));
        let mut people: Vec<_> = (0..61).map(|_| (random(12.0), random(2.4))).collect();
        people.extend([(vec2(50.0, 0.0), vec2(1.0, 0.0)), (vec2(3.0, 30.0), Vec2::ZERO)]);
        let mut scene = Scene::new(&[(vec2(-4.0, -6.0), vec2(-4.0, 6.0)), (vec2(2.0, 1.0), vec2(5.0, 1.0))], &people);
        let ways: Vec<Vec2> = people.iter().map(|_| random(1.0).unit().unwrap_or(Vec2::ZERO)).collect();
        scene.desired.copy_from_slice(&ways);
        (scene.desired[4], scene.distance[4], scene.distance[7]) = (Vec2::ZERO, 0.0, 0.4);
        (scene.crowd.status[9], scene.crowd.desired_speed[11]) = (Status::Waiting, 0.0);
        let heading: Vec<Vec2> = people.iter().map(|_| random(1.0).unit().unwrap_or(vec2(1.0, 0.0))).collect();
        for set in [&[][..], &[("repulsion_weight", 0.0)], &[("turn_limit_deg", 20.0), ("cohesion_weight", 3.0)]] {
            let (values, view) = (values(set), scene.view());
            let groups = [Constants::new(&settings(&values))];
            let limits = [Limit::of(groups[0].turn_rate * view.dt)];
            let seen = scene.seen(&heading, set, false);
            let n = people.len();
            let (mut turned, mut group_vel) = (vec![(Vec2::ZERO, Vec2::ZERO); n], vec![Vec2::ZERO; n]);
            let drive = Drive {
                view: &view,
                groups: &groups,
                limits: &limits,
                seen: &seen,
                heading: &heading,
                turned: &mut turned,
                group_vel: &mut group_vel,
            };
            let expected: Vec<_> = (0..n).map(|slot| (view.near.row[slot] as usize, driven(&drive, slot))).collect();
            lanes::run(drive);
            for (row, expected) in expected {
                assert_eq!(turned[row], expected, "{set:?} {row}");
            }
            assert_eq!((turned[9].1, turned[11].1), (Vec2::ZERO, Vec2::ZERO));
        }
    }
}
