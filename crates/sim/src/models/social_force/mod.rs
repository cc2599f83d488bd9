//! The social force model of Helbing, Farkas and Vicsek (Nature 407, 487, 2000) with body contact, panic and herding.

mod pairs;
pub(super) mod params;

use super::contact::{Block, System};
use super::giving::Giving;
use super::headway::Headway;
use super::{MakeModel, ModelSetup, Symmetry, everywhere, parting};
use crate::crowd::{Crowd, Looks, RowMap, Status, Steering, Update, View};
use crowdtune_core::math::exp::exp;
use crowdtune_core::math::lanes;
use crowdtune_core::math::rng::{self, Seed};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Entry, Settings};
use pairs::{Felt, Pairs};
use params::PAPER;
use rand::SeedableRng as _;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "social_force",
    doc: "People driven to their desired velocity, repelled by others and walls, with body contact and sliding friction.",
    source: PAPER,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(SocialForce::new(setup, settings)),
        fits: everywhere,
        time_step_s: 0.01,
        max_time_step_s: 0.02,
        person_step_s: 50e-9,
        integrator: "semi-implicit Euler, drive and contact implicit",
        alone: None,
        mirror: Symmetry::UpToRounding("sums round differently in a mirrored scene, and a crowd at a door is chaotic"),
        renumber: Symmetry::UpToRounding("neighbors are summed in another order, and a crowd at a door is chaotic"),
    },
};

/// Gap between bodies beyond which the repulsion is dropped, m: 0.99 m with the published constants, where 1/250,000 of
/// the force remains.
pub fn felt_gap(strength_n: f64, range_m: f64, min_mass_kg: f64, negligible_m_per_s2: f64) -> f64 {
    if strength_n <= 0.0 {
        return 0.0;
    }
    (range_m * libm::log(strength_n / min_mass_kg / negligible_m_per_s2)).max(0.0)
}

/// The noise is constant over this time, s, so that its effect does not depend on the step. Chosen here: shorter than a
/// stride.
const NOISE_HOLD_S: f64 = 0.1;

/// Constants of one group, ready for the pair loop.
#[derive(Clone, Copy, Debug)]
struct Constants {
    strength: f64,
    per_range: f64,
    /// Gap between bodies beyond which people are not felt, m.
    feels: f64,
    wall_strength: f64,
    wall_per_range: f64,
    wall_feels: f64,
    per_relaxation: f64,
    anisotropy: f64,
    panic: f64,
    herding_radius: f64,
    noise: f64,
    lanes: InLanes,
}

/// Constants of the kernel, in single precision.
#[derive(Clone, Copy, Debug)]
struct InLanes {
    per_range: f32,
    feels: f32,
    /// Strength times (1 + lambda) / 2, felt from the side, and times (1 - lambda) / 2, added from ahead.
    middle: f32,
    behind: f32,
}

impl Constants {
    fn new(s: &Settings<'_>, min_mass: f64) -> Self {
        let strength = s.get("repulsion_strength_n");
        let range = s.get("repulsion_range_m");
        let wall_strength = if s.on("wall_repulsion") { s.get("wall_repulsion_strength_n") } else { 0.0 };
        let wall_range = s.get("wall_repulsion_range_m");
        let negligible = s.get("negligible_m_per_s2");
        let feels = |strength, range| felt_gap(strength, range, min_mass, negligible);
        let anisotropy = s.get("anisotropy");
        let lanes = InLanes {
            per_range: (1.0 / range) as f32,
            feels: feels(strength, range) as f32,
            middle: (strength * 0.5 * (1.0 + anisotropy)) as f32,
            behind: (strength * 0.5 * (1.0 - anisotropy)) as f32,
        };
        Self {
            lanes,
            strength,
            per_range: 1.0 / range,
            feels: feels(strength, range),
            wall_strength,
            wall_per_range: 1.0 / wall_range,
            wall_feels: feels(wall_strength, wall_range),
            per_relaxation: 1.0 / s.get("relaxation_time_s"),
            anisotropy,
            panic: s.get("panic"),
            herding_radius: s.get("herding_radius_m"),
            noise: s.get("noise_m_per_s2"),
        }
    }
}

/// When people are injured.
#[derive(Clone, Copy, Debug)]
struct Injury {
    threshold: f64,
    all_forces: bool,
    duration: f64,
}

/// One run of the model.
struct SocialForce {
    groups: Vec<Constants>,
    giving: Option<Giving>,
    headway: Option<Headway>,
    stiffness: f64,
    friction: f64,
    impatience: bool,
    injury: Option<Injury>,
    reach: f64,
    seed: Seed,
    system: System,
    felt: Felt,
    /// Desired direction of the last step and of this one, by row; only used with panic.
    direction: Vec<Vec2>,
    next_direction: Vec<Vec2>,
    /// By row.
    past: Vec<Past>,
    /// Rows of those who are injured from this step on.
    fallen: Vec<u32>,
    /// The interval for which the noise was drawn.
    noise_interval: Option<u64>,
}

/// What the model remembers about a person.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
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

impl SocialForce {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let groups: Vec<Constants> = settings.iter().map(|s| Constants::new(s, setup.min_mass_kg)).collect();
        let shared = &settings[0];
        let largest = |f: fn(&Constants) -> f64| groups.iter().map(f).fold(0.0, f64::max);
        let feels = 2.0 * setup.max_radius_m + largest(|c| c.feels);
        let herds = largest(|c| if c.panic > 0.0 { c.herding_radius } else { 0.0 });
        let headway = Headway::new(settings);
        Self {
            giving: Giving::of(setup.scenario),
            stiffness: shared.get("body_stiffness_kg_per_s2"),
            friction: shared.get("sliding_friction_kg_per_m_s"),
            impatience: shared.on("impatience"),
            injury: shared.on("injuries").then(|| Injury {
                threshold: shared.get("injury_threshold_n_per_m"),
                all_forces: shared.word("injury_forces") == "all",
                duration: shared.get("injury_duration_s"),
            }),
            reach: feels.max(herds).max(headway.as_ref().map_or(0.0, Headway::reach_m)),
            headway,
            seed: setup.seed.child("noise", 0),
            system: System::default(),
            felt: Felt::default(),
            direction: Vec::new(),
            next_direction: Vec::new(),
            past: Vec::new(),
            fallen: Vec::new(),
            noise_interval: None,
            groups,
        }
    }

    /// True if somebody may herd.
    fn panics(&self) -> bool {
        self.groups.iter().any(|c| c.panic > 0.0)
    }

    /// Herding: e_i = Norm[(1 - p) e_i + p <e_j>], with the neighbors' desired directions of the last step. People who
    /// see their goal follow nobody, because herding is about not knowing the way.
    fn herd(&mut self, view: &View<'_>) {
        let n = view.crowd.len();
        if self.direction.len() < n {
            // Newcomers follow nobody yet.
            self.direction.extend_from_slice(&view.desired[self.direction.len()..]);
        }
        self.next_direction.resize(n, Vec2::ZERO);
        let near = view.near;
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let own = view.desired[row];
            let c = self.groups[view.crowd.group[row] as usize];
            let mut e = own;
            if c.panic > 0.0 && !view.sees_goal[row] && view.steers(row) {
                let (mut sum, mut count) = (Vec2::ZERO, 0.0);
                let reach2 = c.herding_radius * c.herding_radius;
                for other in near.around(near.pos[slot]).into_iter().flatten() {
                    if other != slot && near.apart(near.pos[slot], near.pos[other]).length2() <= reach2 {
                        sum += self.direction[near.row[other] as usize];
                        count += 1.0;
                    }
                }
                // Opposite directions have a short mean: a divided crowd is less persuasive.
                let mean = if count > 0.0 { sum / count } else { own };
                e = (own * (1.0 - c.panic) + mean * c.panic).unit().unwrap_or(own);
            }
            self.next_direction[row] = e;
        }
        std::mem::swap(&mut self.direction, &mut self.next_direction);
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

    /// Forces of the people in contact with somebody, given by their slots; they become links of the system.
    fn contacts(&mut self, view: &View<'_>, (row, e): (usize, Vec2), touching: &[u32], sum: &mut Sum) {
        let (near, crowd, dt) = (view.near, view.crowd, view.dt);
        let (p, r) = (crowd.pos[row], crowd.radius[row]);
        let c = &self.groups[crowd.group[row] as usize];
        let stands = crowd.status[row] == Status::Injured;
        for &slot in touching {
            let other = near.row[slot as usize] as usize;
            let apart = near.apart(crowd.pos[other], p);
            let d = apart.length();
            let n = if d > 1e-9 { apart / d } else { parting(crowd.id[row], crowd.id[other]) };
            // Single precision decided who touches, so the overlap can be slightly negative.
            let overlap = (r + crowd.radius[other] - d).max(0.0);
            let seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - n.dot(e));
            let counts = self.giving.as_ref().map_or(1.0, |giving| giving.weight(crowd.group[row], crowd.group[other]));
            let push = c.strength * exp(overlap * c.per_range) * seen * counts;
            let soft = Block::of_normal(n, dt * dt * push * c.per_range, 0.0);
            sum.psychological += push;
            sum.block.add(soft);
            sum.carried += soft.times(crowd.vel[other]);
            if !view.steers(other) {
                // The bodies of two models push each other by a law that is neither's.
                sum.force += n * push;
                continue;
            }
            let body = self.stiffness * overlap;
            sum.force += n * (push + body);
            sum.contact += body;
            let hard = Block::of_normal(n, dt * dt * self.stiffness, dt * self.friction * overlap);
            if stands || crowd.status[other] == Status::Injured {
                sum.block.add(hard);
            } else {
                self.system.link(other, hard);
            }
        }
    }

    /// Forces of the walls near a person. True if there are any.
    #[inline]
    fn walls(&self, view: &View<'_>, row: usize, c: &Constants, sum: &mut Sum) -> bool {
        let (p, r, dt) = (view.crowd.pos[row], view.crowd.radius[row], view.dt);
        let mut any = false;
        view.world.walls.contacts(p, r + c.wall_feels, &mut |wall| {
            any = true;
            let overlap = r - wall.distance;
            let push = c.wall_strength * exp(overlap * c.wall_per_range);
            sum.force += wall.normal * push;
            sum.psychological += push;
            let (mut along, mut across) = (dt * dt * push * c.wall_per_range, 0.0);
            if overlap > 0.0 {
                let body = self.stiffness * overlap;
                sum.force += wall.normal * body;
                sum.contact += body;
                along += dt * dt * self.stiffness;
                across = dt * self.friction * overlap;
            }
            sum.block.add(Block::of_normal(wall.normal, along, across));
        });
        any
    }

    /// What the people from a slot on do, whose forces are felt: next velocities, and rows of the system for those in contact.
    fn react(
        &mut self,
        view: &View<'_>,
        (first, felt): (usize, &Felt),
        (direction, noisy): (&[Vec2], bool),
        next: &mut Update<'_>,
    ) {
        let (crowd, near, dt) = (view.crowd, view.near, view.dt);
        let walled = !view.world.walls.segments().is_empty();
        let rows = &near.row[first..];
        for (person, (&force, &row)) in felt.force.iter().zip(rows).enumerate() {
            let (slot, row) = (first + person, row as usize);
            if let Some(ahead) = near.ahead(slot) {
                ask_for(ahead, crowd, direction, next.vel, walled);
            }
            let v = crowd.vel[row];
            if !view.steers(row) {
                next.vel[row] = if crowd.status[row] == Status::Injured { Vec2::ZERO } else { v };
                continue;
            }
            let psychological = felt.push.get(person).copied().unwrap_or(0.0);
            let mut sum = Sum { force, psychological, ..Sum::default() };
            let touching = felt.touching(person);
            if !touching.is_empty() {
                self.contacts(view, (row, direction[row]), touching, &mut sum);
            }
            let c = &self.groups[crowd.group[row] as usize];
            let mut alone = touching.is_empty();
            if walled && self.walls(view, row, c, &mut sum) {
                alone &= sum.block.is_null();
            }
            if sum.contact > 0.0 {
                next.pressure[row] = sum.contact / around(crowd.radius[row]);
            }
            if crowd.status[row] == Status::Injured {
                next.vel[row] = Vec2::ZERO;
                continue;
            }
            let (mass, per_relaxation) = (crowd.mass[row], c.per_relaxation);
            if self.injury.is_some() && self.is_injured(view, row, &sum) {
                next.status[row] = Status::Injured;
                self.fallen.push(row as u32);
            }
            let e = direction[row];
            let mut wish = self.preferred_speed(view, (row, e));
            if let Some(headway) = &self.headway {
                wish = headway.allowed((slot, crowd.group[row]), wish);
            }
            let mut drive = e * (wish * per_relaxation);
            if noisy {
                drive += self.past[row].noise;
            }
            let moved = v + drive * dt;
            let inertia = 1.0 + dt * per_relaxation;
            if alone {
                // Only the drive is implicit: the block is a scalar.
                next.vel[row] = (moved + sum.force * (dt / mass)) * (1.0 / inertia);
                continue;
            }
            let mut diagonal = Block::scaled_unit(mass * inertia);
            diagonal.add(sum.block);
            next.vel[row] = self.system.row(row, diagonal, moved * mass + sum.force * dt + sum.carried).unwrap_or(v);
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

/// Asks for what a step reads and writes of a person. Not part of the loop, which small crowds run without it.
#[inline(never)]
fn ask_for(row: usize, crowd: &Crowd, direction: &[Vec2], vel: &[Vec2], walled: bool) {
    if walled {
        lanes::prefetch(&crowd.pos, row);
        lanes::prefetch(&crowd.radius, row);
    }
    lanes::prefetch(&crowd.vel, row);
    lanes::prefetch(&crowd.mass, row);
    lanes::prefetch(&crowd.desired_speed, row);
    lanes::prefetch(direction, row);
    lanes::prefetch(vel, row);
}

/// Circumference of a body, m.
fn around(radius: f64) -> f64 {
    std::f64::consts::TAU * radius
}

impl Steering for SocialForce {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let (crowd, near) = (view.crowd, view.near);
        let n = crowd.len();
        self.past.resize(n, Past::default());
        let panics = self.panics();
        if panics {
            self.herd(view);
        }
        let noisy = self.groups.iter().any(|c| c.noise > 0.0);
        if noisy {
            self.draw_noise(view);
        }
        let own = std::mem::take(&mut self.direction);
        let direction = if panics { &own[..] } else { view.desired };
        if let Some(headway) = &mut self.headway {
            headway.look(view, direction);
        }

        self.system.clear();
        // Taken out so that they can be read while the system grows.
        let mut felt = std::mem::take(&mut self.felt);
        if self.giving.is_some() {
            felt.groups(near, &crowd.group);
        }
        let (mut cells, mut done) = (near.cells(), 0);
        while done < n {
            let people = lanes::run(Pairs {
                near,
                cells: &mut cells,
                groups: &self.groups,
                group: &crowd.group,
                direction,
                steered: view.steered,
                giving: self.giving.as_ref(),
                sums_pushes: self.injury.is_some_and(|injury| injury.all_forces),
                felt: &mut felt,
            });
            self.react(view, (done, &felt), (direction, noisy), next);
            done += people;
        }

        self.felt = felt;
        self.direction = own;
        self.system.solve(next.vel);
        // Who falls in this step pushes others until its end, but does not move.
        for row in self.fallen.drain(..) {
            next.vel[row as usize] = Vec2::ZERO;
        }
    }

    fn looks(&self) -> Looks {
        // Only herds and gaps ahead are looked for by slot.
        if self.panics() || self.headway.is_some() { Looks::Around } else { Looks::AtLanes }
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.direction);
        rows.apply(&mut self.past);
    }
}
