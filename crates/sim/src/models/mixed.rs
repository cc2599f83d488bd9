//! A model for each group. Everybody sees everybody, each model moves its own people, and people of two models who touch push
//! each other off by one law.
//!
//! A model steers at its own step, as it does alone: with the steps of a force model in between its people keep the velocity that
//! it chose, as velocity models mean it. Contact acts in every step, between the people of two models only; what a model does about the
//! contacts of its own people stays its own affair.

use super::among_recorded::AmongRecorded;
use super::bodies::{Aim, Bodies, Law};
use super::keep_off::stop_at_walls;
use super::output::Output;
use super::strangers::Strangers;
use super::{DISCOMFORT_WEIGHT, MODELS, MakeModel, ModelSetup};
use crate::crowd::{Looks, RowMap, Status, Steering, Update, View};
use crate::world::Neighbors;
use crate::world::scenario::{Group, Navigation, Scenario};
use crowdtune_core::Error;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};

/// Bodies of two models are hard: for somebody of 80 kg, the springs of `rvo`'s hard bodies, kg.
const HARD: f64 = 8e4;
/// How fast bodies part that are in each other, m/s; slower than people walk, so that contact throws nobody. As in `rvo`.
const PART_M_PER_S: f64 = 0.2;
/// How much heavier people are who cannot be pushed. Chosen here: finite, so that the solver needs no case for them.
const INJURED: f64 = 1e6;

/// One of the models of a run.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Which.
    pub model: &'static Entry<MakeModel>,
    /// Its constants for each group of the scenario. For groups that it does not steer they say what it makes of their people, such as
    /// the margin that `orca` adds to a body.
    pub settings: Vec<Settings<'a>>,
}

/// Makes the models of one run; `steered_by` gives for each group the index of the part that steers it.
///
/// # Panics
/// If a group is steered by none: a program error.
pub fn together(setup: &ModelSetup<'_>, parts: &[Part<'_>], steered_by: &[usize]) -> Box<dyn Steering> {
    let one = || match parts {
        [part] => (part.model.make.make)(setup, &part.settings),
        _ => Box::new(Mixed::new(setup, parts, steered_by)),
    };
    match setup.scenario.tracks.as_ref().and_then(|tracks| Some((tracks, tracks.one_in?))) {
        Some((tracks, copies)) => {
            Box::new(AmongRecorded::new(tracks.clone(), (0..copies.max(1)).map(|_| one()).collect()))
        }
        None => one(),
    }
}

/// Checks, before any run, that each model can steer its groups of a scenario, and that they can meet.
///
/// # Errors
/// What in the scenario a model cannot handle, or which model cannot meet others and why, and what to do.
pub fn fit_together(
    models: &[&'static Entry<MakeModel>],
    steered_by: &[usize],
    scenario: &Scenario,
) -> Result<(), Error> {
    for (at, model) in models.iter().enumerate() {
        let own = scenario.groups.iter().zip(steered_by).filter(|(_, by)| **by == at).map(|(group, _)| group);
        let groups: Vec<&Group> = own.collect();
        if let (Some(reason), 2..) = (model.make.alone, models.len()) {
            let other = models.iter().find(|other| other.name != model.name).map_or("another", |other| other.name);
            return Err(Error::input(format!("`{}` and `{other}` cannot meet in one place: {reason}", model.name))
                .key("model")
                .help("give all groups one model"));
        }
        (model.make.fits)(scenario, &groups)?;
    }
    reads_discomfort(models, scenario)
}

/// True if the model puts a price on paths.
fn prices(model: &Entry<MakeModel>) -> bool {
    model.params.iter().any(|p| p.key == DISCOMFORT_WEIGHT)
}

fn reads_discomfort(models: &[&'static Entry<MakeModel>], scenario: &Scenario) -> Result<(), Error> {
    let plan = &scenario.world.plan;
    let led = matches!(plan.navigation, Navigation::Field { discomfort_weight, .. } if discomfort_weight > 0.0);
    if !scenario.has_discomfort() || led || models.iter().any(|model| prices(model)) {
        return Ok(());
    }
    let able: Vec<&str> = MODELS.iter().filter(|m| prices(m)).map(|m| m.name).collect();
    let named: Vec<String> = models.iter().map(|m| format!("`{}`", m.name)).collect();
    let (puts, it) = if named.len() > 1 { ("put", "they") } else { ("puts", "it") };
    Err(Error::input(format!(
        "{} {puts} no price on paths, so {it} cannot tell where people do not like to be",
        named.join(" and ")
    ))
    .key("discomfort")
    .help(format!(
        "give `navigation = {{ kind = \"field\", discomfort_weight = 1 }}`, or use one of the models that read it: {}",
        able.join(", ")
    )))
}

/// The step of models that steer together, s: that of the fastest.
pub fn time_step_s<'m>(models: impl IntoIterator<Item = &'m Entry<MakeModel>>) -> f64 {
    models.into_iter().map(|m| m.make.time_step_s).fold(f64::INFINITY, f64::min)
}

/// The largest step that all of them accept, s.
pub fn max_time_step_s<'m>(models: impl IntoIterator<Item = &'m Entry<MakeModel>>) -> f64 {
    models.into_iter().map(|m| m.make.max_time_step_s).fold(f64::INFINITY, f64::min)
}

/// A model and its people.
struct Share {
    model: Box<dyn Steering>,
    /// By group of the scenario.
    steered: Vec<bool>,
    /// The model's own step, s.
    step_s: f64,
    near: Neighbors,
    out: Output,
    /// Its people.
    rows: Vec<u32>,
    /// Rows that contact has moved since the model looked for walls.
    pushed: Vec<bool>,
}

impl Share {
    /// How many steps of the run one of the model's own takes.
    fn steps(&self, dt: f64) -> u64 {
        ((self.step_s / dt).round() as u64).max(1)
    }

    /// Lets the model steer if a step of its own begins; true if it did.
    fn steer(&mut self, view: &View<'_>) -> bool {
        let steps = self.steps(view.dt);
        if !view.step.is_multiple_of(steps) {
            return false;
        }
        let Self { model, near, out, steered, pushed, .. } = self;
        let (crowd, periodic) = (view.crowd, view.world.plan.periodic);
        model.find_neighbors(near, crowd, periodic);
        let (dt, step) = (view.dt * steps as f64, view.step / steps);
        pushed.clear();
        pushed.resize(crowd.len(), false);
        out.by(model.as_mut(), &View { near, steered, dt, step, ..*view });
        // Displacements are made little by little too.
        if steps == 1 {
            return true;
        }
        out.shift.iter_mut().for_each(|shift| *shift = *shift / steps as f64);
        for (row, vel) in out.vel.iter_mut().enumerate().filter(|(row, _)| !steered[usize::from(crowd.group[*row])]) {
            // Somebody who joins the model's people goes on as before until its next step.
            *vel = crowd.vel[row];
            if let Some(shift) = out.shift.get_mut(row) {
                *shift = Vec2::ZERO;
            }
        }
        true
    }

    /// Passes on what the model wrote for its people.
    fn give(&self, view: &View<'_>, fresh: bool, next: &mut Update<'_>) {
        let out = &self.out;
        if !out.shift.is_empty() {
            next.shift.resize(view.crowd.len(), Vec2::ZERO);
        }
        for &row in &self.rows {
            let row = row as usize;
            // Newcomers stand until the next step of their model.
            let Some(&chosen) = out.vel.get(row) else {
                next.vel[row] = Vec2::ZERO;
                continue;
            };
            next.vel[row] = chosen;
            next.pressure[row] = out.pressure[row];
            if fresh {
                next.status[row] = out.status[row];
            }
            if let Some(&shift) = out.shift.get(row) {
                next.shift[row] = shift;
            }
            if self.pushed[row] {
                stop_at_walls(view, next, row);
            }
        }
    }
}

/// One run of several models.
struct Mixed {
    shares: Vec<Share>,
    /// Index into `shares`, by group of the scenario.
    of_group: Vec<usize>,
    /// Group of each row when the shares' people were listed.
    group: Vec<u16>,
    /// Made in the first step, whose length they depend on.
    bodies: Option<Bodies>,
    strangers: Strangers,
    max_radius: f64,
    /// Who may touch somebody of another model, and what they would do alone.
    rows: Vec<u32>,
    aims: Vec<Aim>,
    /// With the shifts, by row, m/s.
    wanted: Vec<Vec2>,
    /// Radial force of contact with people of other models in the last step, by row, N.
    pressed: Vec<f64>,
}

impl Mixed {
    fn new(setup: &ModelSetup<'_>, parts: &[Part<'_>], steered_by: &[usize]) -> Self {
        let share = |(at, part): (usize, &Part<'_>)| Share {
            model: (part.model.make.make)(setup, &part.settings),
            steered: steered_by.iter().map(|&by| by == at).collect(),
            step_s: part.model.make.time_step_s,
            near: Neighbors::default(),
            out: Output::default(),
            rows: Vec::new(),
            pushed: Vec::new(),
        };
        assert!(steered_by.iter().all(|&by| by < parts.len()), "every group is steered by one of the parts");
        Self {
            shares: parts.iter().enumerate().map(share).collect(),
            of_group: steered_by.to_vec(),
            group: Vec::new(),
            bodies: None,
            strangers: Strangers::default(),
            max_radius: setup.max_radius_m,
            rows: Vec::new(),
            aims: Vec::new(),
            wanted: Vec::new(),
            pressed: Vec::new(),
        }
    }

    /// Lists the people of each model, if some have come, left or changed their group.
    fn count(&mut self, group: &[u16]) {
        if self.group == group {
            return;
        }
        self.group.clear();
        self.group.extend_from_slice(group);
        self.strangers.forget();
        self.shares.iter_mut().for_each(|share| share.rows.clear());
        for (row, &group) in group.iter().enumerate() {
            self.shares[self.of_group[usize::from(group)]].rows.push(row as u32);
        }
    }

    /// Moves those who touch somebody of another model within the step.
    fn push(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let (crowd, dt) = (view.crowd, view.dt);
        let Self { shares, bodies, strangers, rows, aims, wanted, of_group, pressed, max_radius, .. } = self;
        let bodies = bodies.get_or_insert_with(|| {
            let (stiffness, most_back_m) = (HARD / (dt * dt), PART_M_PER_S * dt);
            Bodies::new(Law { stiffness, friction: 0.0, most_back_m })
        });
        wanted.clear();
        wanted.extend_from_slice(next.vel);
        for (wanted, &shift) in wanted.iter_mut().zip(next.shift.iter()) {
            *wanted += shift / dt;
        }
        let fastest = wanted.iter().fold(0.0_f64, |most, v| most.max(v.length2())).sqrt();
        let gap = bodies.look(fastest, dt);
        let pairs = strangers.find(view, gap, *max_radius, of_group);
        pressed.clear();
        pressed.resize(crowd.len(), 0.0);
        if !bodies.find_between(view, wanted, pairs, rows) {
            return;
        }
        aims.clear();
        for &row in rows.iter() {
            let row = row as usize;
            let injured = next.status[row] == Status::Injured;
            aims.push(Aim { inertia: crowd.mass[row] * if injured { INJURED } else { 1.0 }, vel: wanted[row] });
        }
        bodies.settle(dt, aims);
        for (slot, &row) in rows.iter().enumerate() {
            let (row, vel) = (row as usize, bodies.vel(slot));
            pressed[row] = bodies.pushed(slot, dt);
            next.pressure[row] += pressed[row] / (std::f64::consts::TAU * crowd.radius[row]);
            if vel == wanted[row] || next.status[row] == Status::Injured {
                continue;
            }
            next.vel[row] = vel;
            let share = &mut shares[of_group[usize::from(crowd.group[row])]];
            // Newcomers have no velocity yet that could lead anywhere.
            if let Some(pushed) = share.pushed.get_mut(row) {
                *pushed = true;
            }
            if let Some(shift) = next.shift.get_mut(row) {
                *shift = Vec2::ZERO;
            }
            if view.world.walls.crosses(crowd.pos[row], crowd.pos[row] + vel * dt) {
                stop_at_walls(view, next, row);
            }
        }
    }
}

impl Steering for Mixed {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        self.count(&view.crowd.group);
        let mut pressed = std::mem::take(&mut self.pressed);
        // Newcomers have touched nobody.
        pressed.resize(view.crowd.len(), 0.0);
        for share in &mut self.shares {
            let fresh = share.steer(&View { pressed: &pressed, ..*view });
            share.give(view, fresh, next);
        }
        self.pressed = pressed;
        self.push(view, next);
    }

    fn reach_m(&self) -> f64 {
        0.0
    }

    fn looks(&self) -> Looks {
        // Each model has a search of its own: what one of them sees would be far too much for another.
        Looks::Nowhere
    }

    fn needs_distance(&self) -> bool {
        self.shares.iter().any(|share| share.model.needs_distance())
    }

    fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.pressed);
        self.strangers.forget();
        for share in &mut self.shares {
            share.model.remap(rows);
            share.out.remap(rows);
            rows.apply(&mut share.pushed);
        }
    }
}
