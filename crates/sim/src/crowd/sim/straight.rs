//! People who go straight to a door.

use crate::crowd::{Crowd, Status};
use crate::world::World;
use crate::world::goal::Door;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::lanes::{self, Kernel, Lanes};
use std::ops::Range;

/// Ways straight to a door.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Squared lengths of the ways, m2; 1 where the way is a unit vector.
    squares: Vec<f64>,
}

impl Straight {
    /// Finds the ways of these people. They become unit vectors together: a root and two quotients for one after the other would take longer than all else.
    pub fn go(&mut self, world: &World, door: &Door, (crowd, rows): (&mut Crowd, &Range<usize>), time_s: f64) {
        self.squares.clear();
        for i in rows.clone() {
            if crowd.status[i] == Status::Waiting && crowd.start_s[i] <= time_s {
                crowd.status[i] = Status::Walking;
            }
            let way = world.way_to(door, crowd.pos[i], crowd.radius[i]);
            crowd.desired[i] = way.unwrap_or(door.outward);
            self.squares.push(way.map_or(1.0, Vec2::length2));
        }
        lanes::run(Shorten { ways: &mut crowd.desired[rows.clone()], squares: &mut self.squares });
        for i in rows.clone() {
            if crowd.status[i] != Status::Walking {
                crowd.desired[i] = Vec2::ZERO;
            }
        }
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
