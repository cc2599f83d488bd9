//! What people do about the forces that they feel: next velocities.

use super::close::{Act, Close, Law};
use super::constants::Constants;
use super::pairs::Felt;
use crate::crowd::{Status, Update, View};
use crate::models::ModelSetup;
use crate::models::contact::{Block, System};
use crate::models::giving::Giving;
use crate::models::headway::Headway;
use crowdtune_core::math::rng::{self, Seed};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Settings;
use rand::SeedableRng as _;

/// The noise is constant over this time, s, so that its effect does not depend on the step. Chosen here: shorter than a
/// stride.
const NOISE_HOLD_S: f64 = 0.1;

/// When people are injured.
#[derive(Clone, Copy, Debug)]
struct Injury {
    threshold: f64,
    all_forces: bool,
    duration: f64,
}

/// Everything that turns forces into velocities.
pub(super) struct Reactions {
    pub groups: Vec<Constants>,
    pub giving: Option<Giving>,
    pub headway: Option<Headway>,
    stiffness: f64,
    friction: f64,
    impatience: bool,
    injury: Option<Injury>,
    noisy: bool,
    seed: Seed,
    /// The interval for which the noise was drawn.
    noise_interval: Option<u64>,
    system: System,
    /// By row.
    pub past: Vec<Past>,
    /// Rows of those who are injured from this step on.
    fallen: Vec<u32>,
}

/// What the model remembers about a person.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past {
    /// Progress in the desired direction, m.
    progress: f64,
    /// Time walked, s.
    walked: f64,
    /// Time for which the injury threshold has been exceeded, s.
    squeezed: f64,
    /// Random acceleration, m/s2.
    noise: Vec2,
}

/// What acts on one person besides the links: a force and its linearization.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    force: Vec2,
    block: Block,
    /// Right-hand side of the neighbors' old velocities.
    carried: Vec2,
    /// Radial contact forces, N.
    contact: f64,
    /// Radial psychological forces, N.
    psychological: f64,
}

impl Reactions {
    /// With the constants that all groups share.
    pub fn new(
        groups: Vec<Constants>,
        headway: Option<Headway>,
        setup: &ModelSetup<'_>,
        shared: &Settings<'_>,
    ) -> Self {
        Self {
            noisy: groups.iter().any(|c| c.noise > 0.0),
            groups,
            headway,
            giving: Giving::of(setup.scenario),
            stiffness: shared.get("body_stiffness_kg_per_s2"),
            friction: shared.get("sliding_friction_kg_per_m_s"),
            impatience: shared.on("impatience"),
            injury: shared.on("injuries").then(|| Injury {
                threshold: shared.get("injury_threshold_n_per_m"),
                all_forces: shared.word("injury_forces") == "all",
                duration: shared.get("injury_duration_s"),
            }),
            seed: setup.seed.child("noise", 0),
            noise_interval: None,
            system: System::default(),
            past: Vec::new(),
            fallen: Vec::new(),
        }
    }

    /// Starts a step.
    pub fn begin(&mut self, view: &View<'_>, direction: &[Vec2]) {
        self.past.resize(view.crowd.len(), Past::default());
        if self.noisy {
            self.draw_noise(view);
        }
        if let Some(headway) = &mut self.headway {
            headway.look(view, direction);
        }
        self.system.clear();
    }

    /// Ends it: velocities of those in contact.
    pub fn end(&mut self, next: &mut Update<'_>) {
        self.system.solve(next.vel);
        // Who falls in this step pushes others until its end, but does not move.
        for row in self.fallen.drain(..) {
            next.vel[row as usize] = Vec2::ZERO;
        }
    }

    /// The law of what acts from close by.
    pub fn law(&self, dt: f64) -> Law {
        Law { dt, stiffness: self.stiffness, friction: self.friction }
    }

    /// Whether the magnitudes of repulsions count.
    pub fn counts_pushes(&self) -> bool {
        self.injury.is_some_and(|injury| injury.all_forces)
    }

    /// The desired speed, raised by impatience: (1 - p) v0 + p v_max with p = 1 - mean speed in the desired direction /
    /// v0.
    #[inline]
    fn preferred_speed(&mut self, view: &View<'_>, (row, e): (usize, Vec2)) -> f64 {
        let (crowd, dt, v0) = (view.crowd, view.dt, view.desired_speed(row));
        if crowd.status[row] != Status::Walking {
            return 0.0;
        }
        if !self.impatience || v0 <= 0.0 || !crowd.max_speed[row].is_finite() {
            return v0;
        }
        let past = &mut self.past[row];
        past.progress += crowd.vel[row].dot(e) * dt;
        past.walked += dt;
        let p = (1.0 - past.progress / past.walked / v0).clamp(0.0, 1.0);
        (1.0 - p) * v0 + p * crowd.max_speed[row].max(v0)
    }

    /// Draws the noise every [`NOISE_HOLD_S`], from a stream per person and time, so that no stream shifts another.
    fn draw_noise(&mut self, view: &View<'_>) {
        let interval = (view.step as f64 * view.dt / NOISE_HOLD_S + 1e-6) as u64;
        if self.noise_interval == Some(interval) {
            return;
        }
        self.noise_interval = Some(interval);
        let mut stream = rng::ChaCha8Rng::seed_from_u64(self.seed.0);
        for (row, past) in self.past.iter_mut().enumerate() {
            let sd = self.groups[view.crowd.group[row] as usize].noise;
            if sd > 0.0 {
                stream.set_stream(u64::from(view.crowd.id[row]));
                stream.set_word_pos(u128::from(interval) * 64);
                past.noise = vec2(rng::normal(&mut stream), rng::normal(&mut stream)) * sd;
            }
        }
    }

    /// Forces of the people in contact with somebody, with their slots; they become links of the system.
    fn contacts(
        &mut self,
        view: &View<'_>,
        (row, e): (usize, Vec2),
        touching: impl Iterator<Item = (u32, Act)>,
        sum: &mut Sum,
    ) {
        let (near, crowd, dt) = (view.near, view.crowd, view.dt);
        let c = &self.groups[crowd.group[row] as usize];
        let stands = crowd.status[row] == Status::Injured;
        for (slot, act) in touching {
            let (n, other) = (act.normal, near.row[slot as usize] as usize);
            let seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - n.dot(e));
            let counts = self.giving.as_ref().map_or(1.0, |giving| giving.weight(crowd.group[row], crowd.group[other]));
            let push = act.push * seen * counts;
            let soft = Block::of_normal(n, dt * dt * push * c.per_range, 0.0);
            sum.psychological += push;
            sum.block.add(soft);
            sum.carried += soft.times(crowd.vel[other]);
            if !view.steers(other) {
                // The bodies of two models push each other by a law that is neither's.
                sum.force += n * push;
                continue;
            }
            let body = self.stiffness * act.overlap;
            sum.force += n * (push + body);
            sum.contact += body;
            if stands || crowd.status[other] == Status::Injured {
                sum.block.add(act.block);
            } else {
                self.system.link(other, act.block);
            }
        }
    }

    /// Forces of the walls near a person.
    #[inline]
    fn walls(&self, near: impl Iterator<Item = Act>, sum: &mut Sum) {
        for act in near {
            sum.force += act.normal * act.push;
            sum.psychological += act.push;
            if act.overlap > 0.0 {
                let body = self.stiffness * act.overlap;
                sum.force += act.normal * body;
                sum.contact += body;
            }
            sum.block.add(act.block);
        }
    }

    /// What the people from a slot on do, whose forces are felt: next velocities, and rows of the system for those in contact.
    pub fn react(
        &mut self,
        view: &View<'_>,
        (first, felt, close): (usize, &Felt, &Close),
        direction: &[Vec2],
        next: &mut Update<'_>,
    ) {
        let (crowd, near, dt) = (view.crowd, view.near, view.dt);
        // Of one length, so that one check does for all.
        let n = crowd.len();
        let (vel, group, status) = (&crowd.vel[..n], &crowd.group[..n], &crowd.status[..n]);
        let (direction, next_vel) = (&direction[..n], &mut next.vel[..n]);
        let near_to = felt.touching().zip(close.acts());
        for (person, ((&force, &row), (touching, mut acts))) in
            felt.force.iter().zip(&near.row[first..]).zip(near_to).enumerate()
        {
            let (slot, row) = (first + person, row as usize);
            let (v, e) = (vel[row], direction[row]);
            if !view.steers(row) {
                next_vel[row] = if status[row] == Status::Injured { Vec2::ZERO } else { v };
                continue;
            }
            let psychological = felt.push.get(person).copied().unwrap_or(0.0);
            let mut sum = Sum { force, psychological, ..Sum::default() };
            let mut alone = acts.len() == 0;
            if !alone {
                if !touching.is_empty() {
                    let bodies = touching.iter().copied().zip(&mut acts);
                    self.contacts(view, (row, e), bodies, &mut sum);
                }
                self.walls(acts, &mut sum);
                alone = touching.is_empty() && sum.block.is_null();
                if sum.contact > 0.0 {
                    next.pressure[row] = sum.contact / around(crowd.radius[row]);
                }
            }
            if status[row] == Status::Injured {
                next_vel[row] = Vec2::ZERO;
                continue;
            }
            let c = &self.groups[usize::from(group[row])];
            let (mass, per_relaxation) = (crowd.mass[row], c.per_relaxation);
            if self.injury.is_some() && self.is_injured(view, row, &sum) {
                next.status[row] = Status::Injured;
                self.fallen.push(row as u32);
            }
            let mut wish = self.preferred_speed(view, (row, e));
            if let Some(headway) = &self.headway {
                wish = headway.allowed((slot, group[row]), wish);
            }
            let mut drive = e * (wish * per_relaxation);
            if self.noisy {
                drive += self.past[row].noise;
            }
            let moved = v + drive * dt;
            let inertia = 1.0 + dt * per_relaxation;
            if alone {
                // Only the drive is implicit: the block is a scalar.
                next_vel[row] = (moved + sum.force * (dt / mass)) * (1.0 / inertia);
                continue;
            }
            let mut diagonal = Block::scaled_unit(mass * inertia);
            diagonal.add(sum.block);
            next_vel[row] = self.system.row(row, diagonal, moved * mass + sum.force * dt + sum.carried).unwrap_or(v);
        }
    }

    /// True if the injury threshold has been exceeded for long enough.
    fn is_injured(&mut self, view: &View<'_>, row: usize, sum: &Sum) -> bool {
        let Some(injury) = self.injury else { return false };
        let force = if injury.all_forces { sum.contact + sum.psychological } else { sum.contact };
        let (pressed, dt) = (view.pressed.get(row).copied().unwrap_or(0.0), view.dt);
        let squeezed = &mut self.past[row].squeezed;
        // People of other models press too.
        let force = force + pressed;
        *squeezed = if force / around(view.crowd.radius[row]) > injury.threshold { *squeezed + dt } else { 0.0 };
        *squeezed > 0.0 && *squeezed >= injury.duration
    }
}

/// Circumference of a body, m.
fn around(radius: f64) -> f64 {
    std::f64::consts::TAU * radius
}
