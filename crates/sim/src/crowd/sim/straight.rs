//! People who go straight to a door or a point.

use crate::crowd::{Crowd, Status};
use crate::world::World;
use crate::world::goal::Door;
use crate::world::scenario::Group;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes};
use std::ops::Range;

/// Ways straight to a door or a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Squared lengths of the ways, m2; 1 where the way is a unit vector.
    squares: Vec<f64>,
}

impl Straight {
    /// Finds the ways of these people. They become unit vectors together: a root and two quotients for one after the other would take longer than all else.
    pub fn go(&mut self, world: &World, door: &Door, (crowd, rows): (&mut Crowd, &Range<usize>)) {
        let (pos, radius) = (&crowd.pos[rows.clone()], &crowd.radius[rows.clone()]);
        let (status, ways) = (&crowd.status[rows.clone()], &mut crowd.desired[rows.clone()]);
        let squares = &mut self.squares;
        squares.resize(rows.len(), 0.0);
        let margin = world.plan.door_margin_m;
        if !lanes::run(Aim { door, margin, pos, radius, ways: &mut *ways, squares: &mut *squares }) {
            for (i, (way, square)) in ways.iter_mut().zip(&mut *squares).enumerate() {
                if world.is_out(door, pos[i], radius[i]) {
                    (*way, *square) = (door.outward, 1.0);
                }
            }
        }
        lanes::run(Shorten { ways: &mut *ways, squares });
        for (status, way) in status.iter().zip(ways) {
            if *status != Status::Walking {
                *way = Vec2::ZERO;
            }
        }
    }

    /// The same for the points of a stage, of which each of these people has one by rank; how far they are is added to `far`. False, and
    /// nothing that counts is done, if somebody has to choose or has another goal.
    pub fn go_to_points(
        world: &World,
        (group, stage): (&Group, &[usize]),
        (crowd, rows, rank): (&mut Crowd, &Range<usize>, &[u32]),
        far: &mut Vec<f64>,
    ) -> bool {
        let (pos, status, rank) = (&crowd.pos[rows.clone()], &crowd.status[rows.clone()], &rank[rows.clone()]);
        let ways = &mut crowd.desired[rows.clone()];
        let from = far.len();
        for ((&pos, &rank), way) in pos.iter().zip(rank).zip(&mut *ways) {
            let &[goal] = group.choice(stage, rank as usize) else { return false };
            let Some(spot) = world.spot(goal) else { return false };
            *way = spot.at - pos;
            far.push(spot.radius);
        }
        lanes::run(Approach { status, ways, far: &mut far[from..] });
        true
    }

    /// True only if each of these people, given by both ends of a step and a rank, has a point of a stage and nobody reaches it.
    pub fn nobody_arrives(
        world: &World,
        (group, stage): (&Group, &[usize]),
        (from, to, rank): (&[Vec2], &[Vec2], &[u32]),
    ) -> bool {
        from.iter().zip(to).zip(rank).all(|((&from, &to), &rank)| match group.choice(stage, rank as usize) {
            &[goal] => world.spot(goal).is_some_and(|spot| spot.is_far(from, to)),
            _ => false,
        })
    }
}

/// Finds the ways of people before a door and their squared lengths. True if all are before it: who stands on its line or past it may have another way.
struct Aim<'a> {
    door: &'a Door,
    margin: f64,
    pos: &'a [Vec2],
    radius: &'a [f64],
    ways: &'a mut [Vec2],
    squares: &'a mut [f64],
}

impl Kernel for Aim<'_> {
    type Out = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let mut are_before = true;
        let people = self.pos.iter().zip(self.radius);
        for ((&pos, &radius), (way, square)) in people.zip(self.ways.iter_mut().zip(self.squares)) {
            are_before &= self.door.is_ahead_of(pos);
            *way = self.door.aim(pos, radius + self.margin) - pos;
            *square = way.length2();
        }
        are_before
    }
}

/// Makes ways of these squared lengths unit vectors, as [`Vec2::unit`] does, bit for bit; zero where there is no way to go.
struct Shorten<'a> {
    ways: &'a mut [Vec2],
    squares: &'a mut [f64],
}

impl Kernel for Shorten<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for square in &mut *self.squares {
            *square = square.sqrt();
        }
        for (way, &length) in self.ways.iter_mut().zip(&*self.squares) {
            *way = if length > 1e-12 { *way / length } else { Vec2::ZERO };
        }
    }
}

/// Makes ways to points unit vectors; zero for who is there, which is as close as `far` says at first, or does not walk. Writes how far it is.
struct Approach<'a> {
    status: &'a [Status],
    ways: &'a mut [Vec2],
    far: &'a mut [f64],
}

impl Kernel for Approach<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for ((way, far), &status) in self.ways.iter_mut().zip(self.far).zip(self.status) {
            let length = way.length();
            let goes = status == Status::Walking && length > *far && length > 1e-12;
            *way = if goes { *way / length } else { Vec2::ZERO };
            *far = length;
        }
    }
}
