//! The collision-free speed model of Tordeux, Chraibi and Seyfried (arXiv 1512.05597), in the form of version 2 of JuPedSim's.

mod params;

use super::ahead::{Eight, Keeps, Me, Others, Turn, Walkers, weights};
use super::giving::Giving;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::View;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::Lanes;
use crowdtune_core::registry::{Entry, Settings};

const PAPER: &str = "Tordeux, Chraibi, Seyfried, Collision-free speed model for pedestrian dynamics, Traffic and Granular Flow '15 (2016), \
                     arXiv 1512.05597";

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "collision_free_speed",
    doc: "People who turn away from others and walls and walk as fast as the gap ahead allows, with no forces and no inertia.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(Walkers::new(Law::new(setup, settings))),
        fits: everywhere,
        // JuPedSim's default.
        time_step_s: 0.01,
        // Chosen here: 6 cm of a walker; the gap of the shortest time gap that is searched, 0.1 s, is closed in two steps.
        max_time_step_s: 0.05,
        person_step_s: 50e-9,
        integrator: "velocity for the whole step",
        alone: None,
        mirror: Symmetry::UpToRounding(
            "sums round differently in a mirrored scene, and a crowd that turns at once is chaotic",
        ),
        renumber: Symmetry::UpToRounding(
            "neighbors are summed in another order, and a crowd that turns at once is chaotic",
        ),
    },
};

/// A repulsion is left out where it is weaker than this: it would be lost in the rounding of a unit vector.
const NEGLIGIBLE: f64 = 1e-16;
/// Walls farther than this are never felt, m: there JuPedSim's lists of walls may end.
const WALLS_WITHIN_M: f64 = 4.0;

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
struct Constants {
    keeps: Keeps,
    strength: f64,
    per_range: f64,
    wall_strength: f64,
    wall_per_range: f64,
    /// Gap to a wall beyond which it is not felt, m.
    feels_walls: f64,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        let (wall_strength, wall_range) = (s.get("wall_repulsion_strength"), s.get("wall_repulsion_range_m"));
        Self {
            keeps: Keeps::new(s),
            strength: s.get("repulsion_strength"),
            per_range: 1.0 / s.get("repulsion_range_m"),
            wall_strength,
            wall_per_range: 1.0 / wall_range,
            feels_walls: (wall_range * libm::log(wall_strength / NEGLIGIBLE)).clamp(0.0, WALLS_WITHIN_M),
        }
    }
}

/// What turns people.
struct Law {
    groups: Vec<Constants>,
    giving: Option<Giving>,
}

impl Law {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        Self { groups: settings.iter().map(Constants::new).collect(), giving: Giving::of(setup.scenario) }
    }
}

impl Turn for Law {
    fn asks_who(&self) -> bool {
        self.giving.is_some()
    }

    #[inline(always)]
    fn push<L: Lanes>(&self, view: &View<'_>, me: &Me, others: &Others<'_>) -> Vec2 {
        let c = &self.groups[usize::from(me.group)];
        let (mut push_x, mut push_y) = (L::Double::splat(0.0), L::Double::splat(0.0));
        for block in 0..others.blocks() {
            let Eight { x, y, distance, per_distance, bodies, seen } = others.eight::<L::Double>(block);
            let mut push = bodies.sub(distance).mul(L::Double::splat(c.per_range)).exponential().mul(per_distance);
            push = push.or_else(seen, L::Double::splat(0.0));
            if let Some(giving) = &self.giving {
                push = push.mul(L::Double::of(&weights(giving, view, me, &others.slots(block))));
            }
            push_x = push_x.add(push.mul(x));
            push_y = push_y.add(push.mul(y));
        }
        Vec2 { x: push_x.total(), y: push_y.total() } * -c.strength
    }

    fn turn(&self, view: &View<'_>, me: &Me, push: Vec2) -> Vec2 {
        let c = &self.groups[usize::from(me.group)];
        let mut sum = me.desired + push;
        if c.wall_strength > 0.0 {
            view.world.walls.within(me.pos, me.radius + c.feels_walls, &mut |wall| {
                let away = me.pos - wall.closest(me.pos);
                let d = away.length();
                let push = c.wall_strength * libm::exp((me.radius - d) * c.wall_per_range);
                sum += away.unit().unwrap_or(Vec2::ZERO) * push;
            });
        }
        sum.unit().unwrap_or(me.heading)
    }

    #[inline(always)]
    fn keeps(&self, me: &Me) -> Keeps {
        self.groups[usize::from(me.group)].keeps
    }
}

#[cfg(test)]
mod tests;
