//! Bodies that press on each other at the end of a step: springs that only push, at steps of 100 ms.
//!
//! Forces at the old positions see a contact one step late, and in a step of 0.1 s two walkers come 0.27 m nearer to each
//! other. So the step looks for the velocities v' that minimize
//!
//! sum_i m_i |v'_i - a_i|^2 / 2 + sum_pairs k max(0, o_ij - dt (v'_i - v'_j).n_ij)^2 / 2 + friction,
//!
//! where a is what a person would do alone, o the overlap at the start of the step (negative for a gap) and n the unit
//! vector from the other person: backward Euler of the body force of [`super::contact`], in which pairs count that
//! overlap at the end of the step. The sum is convex, so its minimum depends neither on the order of people nor on where
//! the search begins. Given the pairs that push, it is a linear system; solving it and finding the pairs anew is Newton's
//! method.

use super::contact::{Block, System};
use super::parting;
use crate::crowd::View;
use crate::world::Walls;
use crowdtune_core::math::Vec2;

/// Stiffness and friction of bodies.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// k, kg/s2.
    pub stiffness: f64,
    /// kappa, kg/(m s), for the overlap at the start of the step.
    pub friction: f64,
    /// Most of an overlap that the springs take back in a step, m.
    pub most_back_m: f64,
}

/// What a person would do alone: inertia, kg, and velocity, m/s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aim {
    /// m.
    pub inertia: f64,
    /// a.
    pub vel: Vec2,
}

/// A pair, or a person and a wall, who may touch within the step, as one of the two sees it.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// Slot of the other person, or [`WALL`].
    other: u32,
    /// Away from the other.
    normal: Vec2,
    /// At the start of the step, m; negative for a gap.
    overlap: f64,
    pushes: bool,
}

const WALL: u32 = u32::MAX;
/// Overlap at the end of a step below which nobody touches, m. Chosen here: above rounding, for people who slide along
/// a wall.
const TOUCH_M: f64 = 1e-6;
/// Most rounds of Newton's method. Chosen here: jams of a thousand people take about five; the last round counts as it is.
const MOST_ROUNDS: usize = 12;
/// Farthest that two people who may touch are apart, m. Chosen here: in the longest step two people at 2 m/s.
const MOST_GAP_M: f64 = 1.0;

/// The contacts of one step. Buffers are reused.
#[derive(Clone, Debug)]
pub struct Bodies {
    law: Law,
    system: System,
    touches: Vec<Touch>,
    /// By slot: where its touches end.
    ends: Vec<u32>,
    /// By slot.
    vel: Vec<Vec2>,
    /// Gap up to which two people may touch within the step, m.
    gap: f64,
}

impl Bodies {
    /// Bodies with this law.
    pub fn new(law: Law) -> Self {
        Self { law, system: System::default(), touches: Vec::new(), ends: Vec::new(), vel: Vec::new(), gap: 0.0 }
    }

    /// Distance between centers up to which two people may touch within a step, m.
    pub fn reach_m(max_radius_m: f64) -> f64 {
        2.0 * max_radius_m + MOST_GAP_M
    }

    /// Finds who may touch within the step, and who would if all took these velocities, m/s, by row. `around` gives slots that include
    /// everybody within [`Bodies::reach_m`] of a slot.
    pub fn find<I: Iterator<Item = usize>>(&mut self, view: &View<'_>, wanted: &[Vec2], around: impl Fn(usize) -> I) {
        self.begin(view, wanted);
        for slot in 0..view.near.len() {
            // Contact with people of other models is not this model's affair.
            if view.steers(view.near.row[slot] as usize) {
                self.find_people(view, slot, around(slot).filter(|&other| view.steers(view.near.row[other] as usize)));
                self.find_walls(&view.world.walls, (view.near.pos[slot], view.near.radius[slot]), f64::INFINITY);
            }
            self.ends.push(self.touches.len() as u32);
        }
        self.press(view.dt);
    }

    /// The same for these pairs alone, of whom each is there twice, in order. Fills `rows` with those who may touch, who get the slots in
    /// that order. False if nobody would touch. The people's own models know the walls, so these only keep them from being pushed deeper
    /// into them.
    pub fn find_between(
        &mut self,
        view: &View<'_>,
        wanted: &[Vec2],
        pairs: &[(u32, u32)],
        rows: &mut Vec<u32>,
    ) -> bool {
        let (crowd, world) = (view.crowd, view.world);
        self.touches.clear();
        self.ends.clear();
        self.vel.clear();
        rows.clear();
        for of_one in pairs.chunk_by(|a, b| a.0 == b.0) {
            let (row, before) = (of_one[0].0 as usize, self.touches.len());
            let (p, r) = (crowd.pos[row], crowd.radius[row]);
            for &(_, other) in of_one {
                let apart = world.apart(crowd.pos[other as usize], p);
                let bodies = r + crowd.radius[other as usize];
                self.meet(other, (apart, bodies), || parting(crowd.id[row], crowd.id[other as usize]));
            }
            if self.touches.len() == before {
                continue;
            }
            self.find_walls(&world.walls, (p, r), 0.0);
            self.ends.push(self.touches.len() as u32);
            self.vel.push(wanted[row]);
            rows.push(row as u32);
        }
        for touch in self.touches.iter_mut().filter(|touch| touch.other != WALL) {
            // A pair is near for both, so the other has a slot too.
            touch.other = rows.partition_point(|&row| row < touch.other) as u32;
        }
        self.press(view.dt)
    }

    /// Prepares for a step in which nobody is faster than `fastest`, m/s; returns how far apart two bodies may be that touch in it, m.
    pub fn look(&mut self, fastest: f64, dt: f64) -> f64 {
        // Somebody who is pushed may touch others than those on the own way.
        self.gap = (2.0 * fastest * dt).min(MOST_GAP_M);
        self.gap
    }

    fn begin(&mut self, view: &View<'_>, wanted: &[Vec2]) {
        self.vel.clear();
        self.vel.extend(view.near.row[..view.near.len()].iter().map(|&row| wanted[row as usize]));
        let fastest = self.vel.iter().map(|v| v.length2()).fold(0.0, f64::max).sqrt();
        self.look(fastest, view.dt);
        self.touches.clear();
        self.ends.clear();
    }

    /// Finds the people whom the one in a slot may touch, among these.
    fn find_people(&mut self, view: &View<'_>, slot: usize, others: impl Iterator<Item = usize>) {
        let near = view.near;
        let (p, r) = (near.pos[slot], near.radius[slot]);
        for other in others.filter(|&other| other != slot) {
            let id = |slot: usize| view.crowd.id[near.row[slot] as usize];
            let bodies = (near.apart(near.pos[other], p), r + near.radius[other]);
            self.meet(other as u32, bodies, || parting(id(slot), id(other)));
        }
    }

    /// Notes somebody at this vector to the person, with the sum of the radii, unless they are too far apart to touch.
    #[inline]
    fn meet(&mut self, other: u32, (apart, bodies): (Vec2, f64), parting: impl Fn() -> Vec2) {
        let reach = bodies + self.gap;
        if apart.length2() >= reach * reach {
            return;
        }
        let d = apart.length();
        let normal = if d > 1e-9 { apart / d } else { parting() };
        self.touches.push(Touch { other, normal, overlap: bodies - d, pushes: false });
    }

    /// Notes the walls that the person may touch; no overlap counts as more than `most`, m.
    fn find_walls(&mut self, walls: &Walls, (p, r): (Vec2, f64), most: f64) {
        let touches = &mut self.touches;
        walls.contacts(p, r + self.gap, &mut |wall| {
            let (normal, overlap) = (wall.normal, (r - wall.distance).min(most));
            touches.push(Touch { other: WALL, normal, overlap, pushes: false });
        });
    }

    /// Notes who pushes whom at the end of the step with the current velocities; true if that has changed.
    fn press(&mut self, dt: f64) -> bool {
        let Self { law, touches, ends, vel, .. } = self;
        let (mut changed, mut from) = (false, 0);
        for (slot, &end) in ends.iter().enumerate() {
            for touch in &mut touches[from..end as usize] {
                let others = if touch.other == WALL { Vec2::ZERO } else { vel[touch.other as usize] };
                let left = touch.overlap.min(law.most_back_m) - (vel[slot] - others).dot(touch.normal) * dt;
                // Who pushes does so until the springs are slack: very stiff ones balance below the least overlap.
                let pushes = left > if touch.pushes { 0.0 } else { TOUCH_M };
                changed |= pushes != touch.pushes;
                touch.pushes = pushes;
            }
            from = end as usize;
        }
        changed
    }

    fn of(&self, slot: usize) -> &[Touch] {
        let from = if slot > 0 { self.ends[slot - 1] } else { 0 };
        &self.touches[from as usize..self.ends[slot] as usize]
    }

    /// True if the person in a slot touches somebody or a wall.
    pub fn touches(&self, slot: usize) -> bool {
        self.of(slot).iter().any(|touch| touch.pushes)
    }

    /// Sum of the radial forces at the start of the step on the person in a slot, N.
    pub fn pressed(&self, slot: usize) -> f64 {
        self.of(slot).iter().map(|touch| self.law.stiffness * touch.overlap.max(0.0)).sum()
    }

    /// Sum of the radial forces of other people during the step on the person in a slot, N, after [`Bodies::settle`].
    pub fn pushed(&self, slot: usize, dt: f64) -> f64 {
        let people = self.of(slot).iter().filter(|touch| touch.pushes && touch.other != WALL);
        let left = |touch: &Touch| {
            let apart = (self.vel[slot] - self.vel[touch.other as usize]).dot(touch.normal) * dt;
            (touch.overlap.min(self.law.most_back_m) - apart).max(0.0)
        };
        people.map(|touch| self.law.stiffness * left(touch)).sum()
    }

    /// Velocity of the person in a slot: as wanted, and after [`Bodies::settle`] the one at which the step ends in balance, m/s.
    pub fn vel(&self, slot: usize) -> Vec2 {
        self.vel[slot]
    }

    /// Finds the velocities at which the step ends in balance; `aims` says by slot what each would do alone.
    pub fn settle(&mut self, dt: f64, aims: &[Aim]) {
        let mut rounds = 0;
        while rounds < MOST_ROUNDS {
            rounds += 1;
            self.solve(dt, aims);
            if !self.press(dt) {
                break;
            }
        }
    }

    /// Solves the linear system of those who push now.
    fn solve(&mut self, dt: f64, aims: &[Aim]) {
        let Self { law, system, touches, ends, vel, .. } = self;
        system.clear();
        let mut from = 0;
        for (slot, ((aim, &end), vel)) in aims.iter().zip(ends.iter()).zip(vel.iter_mut()).enumerate() {
            let (mut diagonal, mut right) = (Block::scaled_unit(aim.inertia), aim.vel * aim.inertia);
            for touch in touches[from..end as usize].iter().filter(|touch| touch.pushes) {
                let (along, across) = (dt * dt * law.stiffness, dt * law.friction * touch.overlap.max(0.0));
                let block = Block::of_normal(touch.normal, along, across);
                right += touch.normal * (dt * law.stiffness * touch.overlap.min(law.most_back_m));
                if touch.other == WALL {
                    diagonal.add(block);
                } else {
                    system.link(touch.other as usize, block);
                }
            }
            if diagonal == Block::scaled_unit(aim.inertia) && system.is_alone() {
                *vel = aim.vel;
            } else if let Some(alone) = system.row(slot, diagonal, right) {
                *vel = alone;
            }
            from = end as usize;
        }
        system.solve(vel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use proptest::prelude::*;

    const DT: f64 = 0.1;
    const LAW: Law = Law { stiffness: 1.2e5, friction: 2.4e5, most_back_m: f64::INFINITY };

    /// Discs of 0.2 m and 80 kg at these places who want these velocities, in the order of `order`: the velocities at the
    /// end, in the order of the places.
    fn settled(law: Law, places: &[Vec2], wanted: &[Vec2], order: &[usize]) -> Vec<Vec2> {
        let mut bodies = Bodies::new(law);
        for &i in order {
            for (slot, &j) in order.iter().enumerate().filter(|(_, j)| **j != i) {
                let apart = places[i] - places[j];
                let (normal, overlap) = (apart.unit().unwrap(), 0.4 - apart.length());
                bodies.touches.push(Touch { other: slot as u32, normal, overlap, pushes: false });
            }
            bodies.ends.push(bodies.touches.len() as u32);
            bodies.vel.push(wanted[i]);
        }
        let aims: Vec<Aim> = bodies.vel.iter().map(|&vel| Aim { inertia: 80.0, vel }).collect();
        bodies.press(DT);
        bodies.settle(DT, &aims);
        let mut out = vec![Vec2::ZERO; order.len()];
        for (slot, &i) in order.iter().enumerate() {
            out[i] = bodies.vel(slot);
        }
        out
    }

    #[test]
    fn two_who_will_meet_within_the_step_stop_in_balance() {
        // 0.1 m apart, 0.26 m nearer to each other if nothing stopped them: m (a - v) = dt k (0.26 v / 1.3 - 0.1).
        let v = settled(LAW, &[Vec2::ZERO, vec2(0.5, 0.0)], &[vec2(1.3, 0.0), vec2(-1.3, 0.0)], &[0, 1]);
        let expected = (80.0 * 1.3 + DT * 1.2e5 * 0.1) / (80.0 + 2.0 * DT * DT * 1.2e5);
        assert!((v[0].x - expected).abs() < 1e-6 && (v[1].x + expected).abs() < 1e-6, "{v:?}");
        // Who will not meet is not touched.
        let apart = [vec2(-1.3, 0.0), vec2(1.3, 0.2)];
        assert_eq!(settled(LAW, &[Vec2::ZERO, vec2(0.5, 0.0)], &apart, &[0, 1]), apart);
    }

    #[test]
    fn no_more_of_an_overlap_is_taken_back_than_the_law_says() {
        let law = Law { stiffness: 1e9, friction: 0.0, most_back_m: 0.02 };
        let v = settled(law, &[Vec2::ZERO, vec2(0.1, 0.0)], &[Vec2::ZERO; 2], &[0, 1]);
        assert!((v[1].x - 0.1).abs() < 1e-4 && (v[0].x + 0.1).abs() < 1e-4, "0.02 m in 0.1 s: {v:?}");
    }

    proptest! {
        #[test]
        fn a_crowd_keeps_its_momentum_gains_no_energy_and_has_no_first_person(
            steps in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64), 9),
        ) {
            // Three by three, 5 mm apart.
            let places: Vec<Vec2> = (0..9).map(|k| vec2(f64::from(k % 3), f64::from(k / 3)) * 0.405).collect();
            let wanted: Vec<Vec2> = steps.iter().map(|&(x, y)| vec2(x, y)).collect();
            let order: Vec<usize> = (0..9).collect();
            let v = settled(LAW, &places, &wanted, &order);
            let sum = |v: &[Vec2]| v.iter().fold(Vec2::ZERO, |a, &b| a + b);
            prop_assert!((sum(&v) - sum(&wanted)).length() < 1e-4);
            let energy = |v: &[Vec2]| v.iter().map(|v| v.length2()).sum::<f64>();
            prop_assert!(energy(&v) <= energy(&wanted) * (1.0 + 1e-6));
            let turned = settled(LAW, &places, &wanted, &[7, 3, 5, 0, 8, 1, 6, 2, 4]);
            for (a, b) in v.iter().zip(&turned) {
                prop_assert!((*a - *b).length() < 1e-5, "{a:?} {b:?}");
            }
        }
    }
}
