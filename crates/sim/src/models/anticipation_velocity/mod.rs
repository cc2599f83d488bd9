//! The anticipation velocity model of Xu, Chraibi and Seyfried (2021), in the form of JuPedSim 1.4.2.

mod params;
mod walls;

use super::ahead::{Me, Others, Turn, Walkers};
use super::giving::Giving;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::View;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::exp::exp_each;
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
    time_gap: f64,
    strength: f64,
    per_range: f64,
    anticipation: f64,
    reaction: f64,
    buffer: Buffer,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        Self {
            time_gap: s.get("time_gap_s"),
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
    /// Where people are seen to go, by slot, unit vectors: the velocity of those who move, whoever steers them.
    seen: Vec<Vec2>,
    /// How far they will have gone when they are met, by slot, m: in their own anticipation time.
    ahead: Vec<Vec2>,
}

impl Law {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        Self {
            groups: settings.iter().map(Constants::new).collect(),
            giving: Giving::of(setup.scenario),
            seed: setup.seed.child("anticipation side", 0),
            seen: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// The sum of all repulsions, which act to the left or right of the desired direction: positive to the left.
    #[inline(always)]
    fn aside(&self, me: &Me<'_>, others: &mut Others) -> f64 {
        let (view, near) = (me.view, me.view.near);
        let c = &self.groups[usize::from(me.group)];
        let (e, own) = (me.desired, near.vel[me.slot]);
        let Others { slot, x, y, distance, bodies, push, will_be, .. } = others;
        will_be.clear();
        for (at, &other) in slot.iter().enumerate() {
            let (way, d) = (Vec2 { x: x[at], y: y[at] }, distance[at]);
            let vel = near.vel[other as usize];
            let nearer = (own - vel).dot(way) / d * c.anticipation;
            push[at] = -(d - bodies[at] - nearer).max(0.0) * c.per_range;
            will_be.push(e.cross(way + self.ahead[other as usize]));
        }
        exp_each(push);
        let mut sum = 0.0;
        for (at, &other) in slot.iter().enumerate() {
            let way = Vec2 { x: x[at], y: y[at] };
            if e.dot(way) < 0.0 && me.heading.dot(way) < 0.0 {
                continue;
            }
            let opposed = 1.0 + 0.5 * (1.0 - e.dot(self.seen[other as usize]));
            let mut strength = c.strength * opposed * push[at];
            let row = near.row[other as usize] as usize;
            if let Some(giving) = &self.giving {
                strength *= giving.weight(me.group, view.crowd.group[row]);
            }
            let left = if will_be[at].abs() < EXACTLY_AHEAD_M {
                self.draws_left(view.crowd.id[me.row], view.crowd.id[row], view.step)
            } else {
                will_be[at] < 0.0
            };
            sum += if left { strength } else { -strength };
        }
        sum
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
        self.seen.extend(near.vel.iter().zip(headings).map(|(vel, &old)| vel.unit().unwrap_or(old)));
        self.ahead.clear();
        for (&row, &vel) in near.row.iter().zip(&near.vel) {
            self.ahead.push(vel * self.groups[usize::from(view.crowd.group[row as usize])].anticipation);
        }
    }

    #[inline(always)]
    fn turn(&self, me: &Me<'_>, others: &mut Others) -> Vec2 {
        let c = &self.groups[usize::from(me.group)];
        let (e, old) = (me.desired, me.heading);
        let wanted = (e + e.left() * self.aside(me, others)).unit().unwrap_or(old);
        // Who walked towards the goal and now wants to walk away from it, or the other way round, does so at once.
        let turned = if e.dot(wanted) * e.dot(old) < 0.0 {
            wanted
        } else {
            (old + (wanted - old) / c.reaction * me.view.dt).unit().unwrap_or(Vec2::ZERO)
        };
        c.buffer.along_walls(&me.view.world.walls, (me.pos, me.radius), turned)
    }

    #[inline(always)]
    fn time_gap(&self, me: &Me<'_>) -> f64 {
        self.groups[usize::from(me.group)].time_gap
    }
}

#[cfg(test)]
mod tests;
