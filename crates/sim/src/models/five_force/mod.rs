//! The virtual human of Wang's thesis: five weighted forces, and collision strategies that never step into anybody.

mod collisions;
mod drive;
mod forces;
pub(super) mod params;
mod sight;
#[cfg(test)]
mod testing;
mod trace;
mod turning;

use super::giving::Giving;
use super::{MakeModel, ModelSetup, Symmetry, everywhere};
use crate::crowd::{RowMap, Status, Steering, Update, View};
use collisions::{Collisions, Mover};
use crowdtune_core::math::lanes;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings};
pub(in crate::models) use forces::{Seen, limited, repulsion};
use params::THESIS;
pub(in crate::models) use sight::{Eyes, Sight, SightScratch};
use turning::Limit;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "five_force",
    doc: "People moved by attraction, separation, alignment, cohesion and repulsion, who never step into others or walls.",
    source: THESIS,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(FiveForce::new(setup, settings)),
        fits: everywhere,
        // The usual sample interval; the largest step moves a walker by 0.7 m, about one body.
        time_step_s: 0.1,
        max_time_step_s: 0.5,
        person_step_s: 180e-9,
        integrator: "semi-implicit Euler, then one person after the other by id",
        alone: None,
        mirror: Symmetry::Statistically(
            "who turns right round goes left, and equal ways out are tried on the left first",
        ),
        renumber: Symmetry::Statistically(
            "people step one after the other by id, and each sees the new places of those before",
        ),
    },
};

/// Constants of one group.
#[derive(Clone, Copy, Debug)]
struct Constants {
    /// Acceleration due to a force of 1, m/s2: the gain times the weight's share.
    attraction: f64,
    separation: f64,
    alignment: f64,
    cohesion: f64,
    repulsion: f64,
    eyes: Eyes,
    /// rad/s.
    turn_rate: f64,
    look_ahead: f64,
}

impl Constants {
    fn new(s: &Settings<'_>) -> Self {
        let keys = ["attraction", "separation", "alignment", "cohesion", "repulsion"];
        let weights = keys.map(|key| s.get(&format!("{key}_weight")));
        let sum: f64 = weights.iter().sum();
        let gain = s.get("gain_m_per_s2");
        let [attraction, separation, alignment, cohesion, repulsion] =
            weights.map(|w| if sum > 0.0 { gain * (w / sum) } else { 0.0 });
        Self {
            attraction,
            separation,
            alignment,
            cohesion,
            repulsion,
            eyes: Eyes::new(s.get("field_of_view_deg"), s.get("range_diameters"), s.get("clearance_m")),
            turn_rate: s.get("turn_limit_deg").to_radians() / s.get("unit_time_s"),
            look_ahead: s.get("look_ahead_s"),
        }
    }
}

/// One run of the model.
struct FiveForce {
    groups: Vec<Constants>,
    giving: Option<Giving>,
    /// How far the members of each group see.
    eyes: Vec<Eyes>,
    perceives_all: bool,
    strategies: bool,
    collisions: Collisions,
    reach: f64,
    seed: Seed,
    /// Where everybody faces; zero before the first step of a person.
    heading: Vec<Vec2>,
    /// Heading and velocity after the forces.
    turned: Vec<(Vec2, Vec2)>,
    /// Mean velocity of the group members in sight; the person's own velocity if there are none.
    group_vel: Vec<Vec2>,
    /// Turn limits of one step, by group.
    limits: Vec<Limit>,
    /// What everybody sees, by slot, and the buffers of that search.
    seen: Vec<Seen>,
    sight: SightScratch,
    /// Slot of each row; only with collision strategies.
    slot: Vec<u32>,
}

/// How wrong single precision may be about a distance, m, at 16 km from the corner of the place.
const ROUNDING_M: f64 = 0.01;

impl FiveForce {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let groups: Vec<_> = settings.iter().map(Constants::new).collect();
        let first = &settings[0];
        let most = groups.iter().fold(1.0_f64, |m, c| m.max(c.eyes.range_diameters));
        Self {
            perceives_all: first.word("perceives") == "all",
            strategies: first.on("collision_strategies"),
            collisions: Collisions::new(first, groups.len()),
            reach: 2.0 * setup.max_radius_m * most,
            seed: setup.seed,
            heading: Vec::new(),
            turned: Vec::new(),
            group_vel: Vec::new(),
            limits: Vec::with_capacity(groups.len()),
            seen: Vec::new(),
            sight: SightScratch::default(),
            slot: Vec::new(),
            eyes: groups.iter().map(|c| c.eyes).collect(),
            groups,
            giving: Giving::of(setup.scenario),
        }
    }

    /// Initial heading: along the velocity, else towards the goal, else random by seed and person.
    fn first_heading(&self, view: &View<'_>, row: usize) -> Vec2 {
        view.crowd.vel[row].unit().or_else(|| view.desired[row].unit()).unwrap_or_else(|| {
            let mut rng = self.seed.child("five_force heading", u64::from(view.crowd.id[row])).rng();
            let angle = std::f64::consts::TAU * unit(&mut rng);
            vec2(libm::cos(angle), libm::sin(angle))
        })
    }

    /// Moves everybody one by one, by row, which is the order of ids.
    fn walk(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        if !self.strategies {
            for (row, &(facing, wanted)) in self.turned.iter().enumerate().filter(|(row, _)| view.steers(*row)) {
                self.heading[row] = facing;
                next.vel[row] = wanted;
            }
            return;
        }
        let fastest2 = self.turned.iter().fold(0.0_f64, |m, t| m.max(t.1.length2()));
        self.collisions.begin(view, fastest2.sqrt());
        self.slot.resize(view.crowd.len(), 0);
        for (slot, &row) in view.near.row.iter().enumerate() {
            self.slot[row as usize] = slot as u32;
        }
        for row in (0..view.crowd.len()).filter(|&row| view.steers(row)) {
            let (facing, wanted) = self.turned[row];
            let c = &self.groups[view.crowd.group[row] as usize];
            let most = self.limits[view.crowd.group[row] as usize];
            let mover = Mover {
                row,
                wanted,
                heading: self.heading[row],
                most,
                group_vel: self.group_vel[row],
                range: c.eyes.range_diameters * 2.0 * view.crowd.radius[row],
                clearance: c.eyes.clearance,
                around: self.sight.around(self.slot[row] as usize),
            };
            let vel = self.collisions.step(view, &mover);
            // A sidestep turns the body no faster than the forces would; people who are stopped keep turning.
            let as_wanted = vel == wanted || vel == Vec2::ZERO;
            self.heading[row] = if as_wanted { facing } else { turning::turn(self.heading[row], vel, most).0 };
            next.vel[row] = vel;
        }
    }
}

impl Steering for FiveForce {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let n = view.crowd.len();
        self.heading.resize(n, Vec2::ZERO);
        self.turned.resize(n, (Vec2::ZERO, Vec2::ZERO));
        self.group_vel.resize(n, Vec2::ZERO);
        self.limits.clear();
        self.limits.extend(self.groups.iter().map(|c| Limit::of(c.turn_rate * view.dt)));
        let mut fastest = 0.0_f64;
        for row in 0..n {
            fastest = fastest.max(view.top_speed(row, 1.0));
            if self.heading[row] == Vec2::ZERO
                && view.steers(row)
                && view.crowd.status[row] == Status::Walking
                && view.top_speed(row, 1.0) > 0.0
            {
                self.heading[row] = self.first_heading(view, row);
            }
        }
        lanes::run(Sight {
            near: view.near,
            crowd: view.crowd,
            eyes: &self.eyes,
            heading: &self.heading,
            all: self.perceives_all,
            steered: view.steered,
            giving: self.giving.as_ref(),
            // Two people may walk towards each other, and single precision may round.
            strides: self.strategies.then_some(2.0 * fastest * view.dt + ROUNDING_M),
            scratch: &mut self.sight,
            seen: &mut self.seen,
        });
        lanes::run(self.drive(view));
        self.walk(view, next);
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn needs_distance(&self) -> bool {
        true
    }

    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.heading);
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
