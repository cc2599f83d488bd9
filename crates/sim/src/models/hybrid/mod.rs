//! Hybrid: the continuum guides, ORCA or velocity obstacles avoid collisions, bodies push while they overlap, and the
//! five forces add expression. The velocities of avoidance and continuum are blended by density.

mod blend;
mod close;
mod expression;
mod params;

use super::bodies::{Aim, Bodies, Law};
use super::keep_off::stop_at_walls;
use super::output::Output;
use super::{MakeModel, ModelSetup, Symmetry, continuum, orca, rvo};
use crate::crowd::{RowMap, Status, Steering, Update, View};
use crate::world::scenario::{Group, Scenario};
use blend::Blend;
use close::Close;
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};
use expression::Expression;
use params::SOURCE;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "hybrid",
    doc: "People who avoid each other one by one where there is room and flow as a continuum where it is crowded.",
    source: SOURCE,
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(Hybrid::new(setup, settings)),
        fits,
        time_step_s: 0.1,
        max_time_step_s: 0.25,
        person_step_s: 1.5e-6,
        integrator: "velocities blended, body contact implicit, then explicit Euler",
        alone: None,
        mirror: Symmetry::Statistically("its parts keep it statistically"),
        renumber: Symmetry::Statistically("its parts keep it statistically"),
    },
};

fn fits(scenario: &Scenario, groups: &[&Group]) -> Result<(), Error> {
    (continuum::ENTRY.make.fits)(scenario, groups)
}

/// One run of the model.
struct Hybrid {
    local: Box<dyn Steering>,
    continuum: Box<dyn Steering>,
    blend: Blend,
    /// `None` if bodies neither push nor rub.
    bodies: Option<Bodies>,
    /// By slot.
    aims: Vec<Aim>,
    per_relaxation: Vec<f64>,
    expression: Expression,
    /// Share of the continuum's direction in the preferred velocity, by group.
    guidance: Vec<f64>,
    /// Interval between updates of the continuum, s.
    field_every: f64,
    reach: f64,
    /// Farthest that density, contact and minimum distance reach while people stand, m.
    close_reach: f64,
    close: Close,
    preferred: Vec<Vec2>,
    alone: Output,
    flow: Output,
}

/// The values of a part of the model: the hybrid's if it has the key, else the part's defaults.
fn values_of(part: &'static [Param], of: &Settings<'_>) -> Vec<f64> {
    part.iter().map(|p| of.find(p.key).unwrap_or_else(|| p.default_value())).collect()
}

/// Makes a part of the model.
fn part(entry: &'static Entry<MakeModel>, setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Box<dyn Steering> {
    let values: Vec<_> = settings.iter().map(|s| values_of(entry.params, s)).collect();
    let groups: Vec<_> = values.iter().map(|v| Settings::new(entry.params, v)).collect();
    (entry.make.make)(setup, &groups)
}

impl Hybrid {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let shared = &settings[0];
        let local = match shared.word("local") {
            "rvo" => part(&rvo::ENTRY, setup, settings),
            _ => part(&orca::ENTRY, setup, settings),
        };
        let continuum = part(&continuum::ENTRY, setup, settings);
        let (blend, expression) = (Blend::new(shared), Expression::new(setup, settings));
        let law = Law {
            stiffness: shared.get("body_stiffness_kg_per_s2"),
            friction: shared.get("sliding_friction_kg_per_m_s"),
            most_back_m: f64::INFINITY,
        };
        let bodies = (law.stiffness > 0.0 || law.friction > 0.0).then(|| Bodies::new(law));
        let touches = if bodies.is_some() { Bodies::reach_m(setup.max_radius_m) } else { 0.0 };
        let close_reach = continuum.reach_m().max(blend.reach_m()).max(touches);
        Self {
            reach: local.reach_m().max(expression.reach_m()).max(close_reach),
            close_reach,
            close: Close::default(),
            guidance: settings.iter().map(|s| s.get("guidance")).collect(),
            per_relaxation: settings.iter().map(|s| 1.0 / s.get("relaxation_time_s")).collect(),
            aims: Vec::new(),
            field_every: shared.get("field_every_s"),
            local,
            continuum,
            blend,
            bodies,
            expression,
            preferred: Vec::new(),
            alone: Output::default(),
            flow: Output::default(),
        }
    }

    /// Looks who is close to whom.
    fn look(&mut self, view: &View<'_>) {
        // A minimum distance reaches as much farther as two people come nearer within the step.
        let speed = |row: usize| view.crowd.vel[row].length().max(view.desired_speed(row));
        let fastest = (0..view.crowd.len()).map(speed).fold(0.0, f64::max);
        let reach = self.close_reach + 2.0 * fastest * view.dt;
        self.close.find((view.crowd, view.near), view.world.plan.periodic, reach);
    }

    /// Updates the continuum if it is due. In between, people keep the velocity it gave them and nobody is pushed
    /// apart.
    fn flow(&mut self, view: &View<'_>) {
        let every = ((self.field_every / view.dt).round() as u64).max(1);
        // Newcomers have no velocity from the continuum yet.
        if view.step.is_multiple_of(every) || self.flow.vel.len() < view.crowd.len() {
            self.flow.by(self.continuum.as_mut(), &View { near: self.close.grid(), ..*view });
        } else {
            self.flow.shift.clear();
        }
    }

    /// The preferred velocities: turned towards the continuum's flow, with expression added.
    fn wish(&mut self, view: &View<'_>) {
        self.preferred.clear();
        self.preferred.extend((0..view.crowd.len()).map(|row| view.preferred_velocity(row)));
        for (row, preferred) in self.preferred.iter_mut().enumerate() {
            let guidance = self.guidance[usize::from(view.crowd.group[row])];
            // Density already slows the flow, so only its direction is used; otherwise density would count twice.
            if guidance > 0.0
                && let (Some(own), Some(flow)) = (preferred.unit(), self.flow.vel[row].unit())
                && let Some(way) = (own * (1.0 - guidance) + flow * guidance).unit()
            {
                *preferred = way * preferred.length();
            }
        }
        self.expression.express(view, &mut self.preferred);
    }
}

impl Hybrid {
    /// Those who touch a person or a wall within the step are moved by forces: the drive, body force and friction of
    /// `social_force`. All others keep their velocity, bit for bit, unless somebody is pushed into them.
    fn press(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let Some(bodies) = &mut self.bodies else { return };
        let (crowd, near, dt) = (view.crowd, view.near, view.dt);
        let close = &self.close;
        bodies.find(view, next.vel, |slot| close.of(slot).iter().map(|&other| other as usize));
        self.aims.clear();
        for slot in 0..near.len() {
            let row = near.row[slot] as usize;
            let drive = dt * self.per_relaxation[usize::from(crowd.group[row])];
            let inertia = crowd.mass[row] * (1.0 + drive);
            let alone = next.vel[row];
            let vel = if bodies.touches(slot) { (near.vel[slot] + alone * drive) / (1.0 + drive) } else { alone };
            self.aims.push(Aim { inertia, vel });
            next.pressure[row] = bodies.pressed(slot) / (std::f64::consts::TAU * near.radius[slot]);
        }
        bodies.settle(dt, &self.aims);
        for (slot, aim) in self.aims.iter().enumerate() {
            let (row, vel) = (near.row[slot] as usize, bodies.vel(slot));
            if !bodies.touches(slot) && vel == aim.vel && vel == next.vel[row] {
                continue;
            }
            next.vel[row] = if next.status[row] == Status::Injured { Vec2::ZERO } else { vel };
            // Forces alone move people who touch; otherwise contact would count twice.
            if let Some(shift) = next.shift.get_mut(row) {
                *shift = Vec2::ZERO;
            }
            if view.world.walls.crosses(crowd.pos[row], crowd.pos[row] + next.vel[row] * dt) {
                stop_at_walls(view, next, row);
            }
        }
    }
}

impl Steering for Hybrid {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        self.look(view);
        self.flow(view);
        self.wish(view);
        self.alone.by(self.local.as_mut(), &View { preferred: &self.preferred, ..*view });
        let shares = self.blend.shares(view, &self.close);
        let shift = |written: &Output, row: usize| written.shift.get(row).copied().unwrap_or(Vec2::ZERO);
        let shifts = !(self.flow.shift.is_empty() && self.alone.shift.is_empty());
        for (row, &share) in shares.iter().enumerate() {
            next.vel[row] = blend::mixed(self.alone.vel[row], self.flow.vel[row], share);
            if shifts {
                next.shift.push(blend::mixed(shift(&self.alone, row), shift(&self.flow, row), share));
            }
        }
        stay_off_walls(view, next, shares);
        self.press(view, next);
    }

    fn reach_m(&self) -> f64 {
        self.reach
    }

    fn needs_distance(&self) -> bool {
        true
    }

    fn remap(&mut self, rows: &RowMap) {
        self.local.remap(rows);
        self.continuum.remap(rows);
        self.expression.remap(rows);
        self.flow.remap(rows);
    }
}

/// Each part keeps off walls, but a blend of both may not; such steps end at the wall.
fn stay_off_walls(view: &View<'_>, next: &mut Update<'_>, shares: &[f64]) {
    for (row, &share) in shares.iter().enumerate() {
        if share > 0.0 && share < 1.0 {
            stop_at_walls(view, next, row);
        }
    }
}
