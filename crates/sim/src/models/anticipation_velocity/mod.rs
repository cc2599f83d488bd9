//! The anticipation velocity model of Xu, Chraibi and Seyfried (2021), in the form of JuPedSim 1.4.2.

mod params;
mod walls;

use super::ahead::{Eight, Keeps, Me, Others, Turn, Walkers, weights};
use super::giving::Giving;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::View;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Lanes, WIDTH};
use crowdtune_core::math::rng::{Seed, mixed};
use crowdtune_core::registry::{Entry, Settings};
use walls::Buffer;

const PAPER: &str = "Xu, Chraibi, Seyfried, Anticipation in a velocity-based model for pedestrian dynamics, Transportation Research \
                     Part C 133, 103464 (2021)";

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "anticipation_velocity",
    doc: "People who foresee where others will be, turn to the free side in time, and walk as fast as the gap ahead allows.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(Walkers::new(Law::new(setup, settings))),
        fits: everywhere,
        // JuPedSim's default.
        time_step_s: 0.01,
        // The shortest reaction time: a longer step would turn people too far.
        max_time_step_s: 0.05,
        person_step_s: 50e-9,
        integrator: "velocity for the whole step",
        alone: None,
        mirror: Symmetry::Statistically(
            "the side on which somebody exactly ahead is passed is drawn, and not mirrored",
        ),
        renumber: Symmetry::Statistically("the side on which somebody exactly ahead is passed is drawn by id"),
    },
};

/// Who will be less than this to one side of the way is exactly ahead, m: as in JuPedSim 1.4.2.
const EXACTLY_AHEAD_M: f64 = 1e-3;

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
struct Constants {
    keeps: Keeps,
    strength: f64,
    per_range: f64,
    anticipation: f64,
    reaction: f64,
    buffer: Buffer,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        Self {
            keeps: Keeps::new(s),
            strength: s.get("repulsion_strength"),
            per_range: 1.0 / s.get("repulsion_range_m"),
            anticipation: s.get("anticipation_time_s"),
            reaction: s.get("reaction_time_s"),
            buffer: Buffer { gap: s.get("wall_buffer_m"), push: s.get("wall_push") },
        }
    }
}

/// What turns people.
struct Law {
    groups: Vec<Constants>,
    giving: Option<Giving>,
    seed: Seed,
    /// By slot, and last of nobody: velocity, m/s, how far people will have gone when they are met, m (in their own anticipation
    /// time), and where they are seen to go, unit vectors (the velocity of those who move, whoever steers them).
    seen: Vec<[f64; 6]>,
}

impl Law {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        Self {
            groups: settings.iter().map(Constants::new).collect(),
            giving: Giving::of(setup.scenario),
            seed: setup.seed.child("anticipation side", 0),
            seen: Vec::new(),
        }
    }

    /// The sum of all repulsions, which act to the left or right of the desired direction: positive to the left.
    #[inline(always)]
    fn aside<L: Lanes>(&self, view: &View<'_>, me: &Me, others: &Others<'_>) -> f64 {
        let near = view.near;
        let c = &self.groups[usize::from(me.group)];
        let (e, own) = (me.desired, near.vel[me.slot]);
        let splat = L::Double::splat;
        let mut sum = splat(0.0);
        for block in 0..others.blocks() {
            let slot = &others.slots(block);
            let Eight { x, y, distance, per_distance, bodies, seen } = others.eight::<L::Double>(block);
            let (mut vel, mut ahead, mut heading) = ([[0.0; WIDTH]; 2], [[0.0; WIDTH]; 2], [[0.0; WIDTH]; 2]);
            for at in 0..WIDTH {
                [vel[0][at], vel[1][at], ahead[0][at], ahead[1][at], heading[0][at], heading[1][at]] =
                    self.seen[slot[at] as usize];
            }
            let (vel_x, vel_y) = (L::Double::of(&vel[0]), L::Double::of(&vel[1]));
            let (ahead_x, ahead_y) = (L::Double::of(&ahead[0]), L::Double::of(&ahead[1]));
            let (heading_x, heading_y) = (L::Double::of(&heading[0]), L::Double::of(&heading[1]));
            let closing = splat(own.x).sub(vel_x).mul(x).add(splat(own.y).sub(vel_y).mul(y));
            let nearer = closing.mul(per_distance).mul(splat(c.anticipation));
            let gap = distance.sub(bodies).sub(nearer).max(splat(0.0));
            let opposed = splat(1.5).sub(dot(e, heading_x, heading_y).mul(splat(0.5)));
            let push = gap.mul(splat(-c.per_range)).exponential().mul(opposed);
            let seen = seen & (splat(0.0).at_most(dot(e, x, y)) | splat(0.0).at_most(dot(me.heading, x, y)));
            let push = push.or_else(seen, splat(0.0));
            let will_be = splat(e.x).mul(y.add(ahead_y)).sub(splat(e.y).mul(x.add(ahead_x)));
            let mut left = will_be.at_most(splat(0.0));
            let aside = will_be.max(splat(0.0).sub(will_be));
            let exactly = aside.at_most(splat(EXACTLY_AHEAD_M)) & seen;
            if exactly != 0 {
                left = self.draw(view, me, slot, exactly, left);
            }
            let mut push = push.or_else(left, splat(0.0).sub(push));
            if let Some(giving) = &self.giving {
                push = push.mul(L::Double::of(&weights(giving, view, me, slot)));
            }
            sum = sum.add(push);
        }
        sum.total() * c.strength
    }

    /// Which of a block push to the left, with the sides of those who will be exactly ahead drawn.
    #[cold]
    fn draw(&self, view: &View<'_>, me: &Me, slot: &[u32; WIDTH], exactly: u8, left: u8) -> u8 {
        let crowd = view.crowd;
        let mut left = left & !exactly;
        for (at, &other) in slot.iter().enumerate() {
            if exactly >> at & 1 == 1 {
                let other = crowd.id[view.near.row[other as usize] as usize];
                left |= u8::from(self.draws_left(crowd.id[me.row], other, view.step)) << at;
            }
        }
        left
    }

    /// A coin for a person, another one and the step.
    fn draws_left(&self, id: u32, other: u32, step: u64) -> bool {
        mixed(mixed(self.seed.0 ^ (u64::from(id) << 32 | u64::from(other))) ^ step) & 1 == 0
    }
}

impl Turn for Law {
    fn look(&mut self, view: &View<'_>, headings: &[Vec2]) {
        let near = view.near;
        self.seen.clear();
        for ((&row, &vel), &old) in near.row.iter().zip(&near.vel).zip(headings) {
            let ahead = vel * self.groups[usize::from(view.crowd.group[row as usize])].anticipation;
            let heading = vel.unit().unwrap_or(old);
            self.seen.push([vel.x, vel.y, ahead.x, ahead.y, heading.x, heading.y]);
        }
        self.seen.push([0.0; 6]);
    }

    fn asks_who(&self) -> bool {
        true
    }

    #[inline(always)]
    fn push<L: Lanes>(&self, view: &View<'_>, me: &Me, others: &Others<'_>) -> Vec2 {
        me.desired.left() * self.aside::<L>(view, me, others)
    }

    fn turn(&self, view: &View<'_>, me: &Me, push: Vec2) -> Vec2 {
        let c = &self.groups[usize::from(me.group)];
        let (e, old) = (me.desired, me.heading);
        let wanted = (e + push).unit().unwrap_or(old);
        // Who walked towards the goal and now wants to walk away from it, or the other way round, does so at once.
        let turned = if e.dot(wanted) * e.dot(old) < 0.0 {
            wanted
        } else {
            (old + (wanted - old) / c.reaction * view.dt).unit().unwrap_or(Vec2::ZERO)
        };
        c.buffer.along_walls(&view.world.walls, (me.pos, me.radius), turned)
    }

    #[inline(always)]
    fn keeps(&self, me: &Me) -> Keeps {
        self.groups[usize::from(me.group)].keeps
    }
}

/// The dot products of a vector with eight others.
#[inline(always)]
fn dot<D: Doubles>(v: Vec2, x: D, y: D) -> D {
    D::splat(v.x).mul(x).add(D::splat(v.y).mul(y))
}

#[cfg(test)]
mod tests;
