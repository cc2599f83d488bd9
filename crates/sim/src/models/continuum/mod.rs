//! Continuum crowds of Treuille, Cooper and Popovic (SIGGRAPH 2006): people walk down potentials that the crowd shapes.

pub(super) mod classes;
mod discomfort;
pub(super) mod fields;
mod flight;
mod ground;
pub(super) mod params;
pub(super) mod spacing;
pub(super) mod splat;
mod ways;

use super::keep_off::keep_off;
use super::{MakeModel, ModelSetup, Symmetry};
use crate::crowd::{Looks, Steering, Update, View};
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Settings};
use fields::{Fields, Layout, SpeedLaw, Weights};
use spacing::Spacing;

/// The model's entry.
pub static ENTRY: Entry<MakeModel> = Entry {
    name: "continuum",
    doc: "People walk down their group's potential, which is costly where others stand or come towards them; density \
         and mean velocity on a grid replace neighbors.",
    source: "Treuille, Cooper, Popovic, Continuum Crowds, SIGGRAPH 2006",
    params: params::PARAMS,
    make: MakeModel {
        make: &|setup, settings| Box::new(Continuum::new(setup, settings)),
        fits: classes::fits,
        time_step_s: 0.1,
        max_time_step_s: 0.5,
        person_step_s: 1e-6,
        integrator: "explicit Euler; velocities follow the field at once",
        alone: None,
        mirror: Symmetry::Statistically(
            "the grid begins at one corner, and pairs are pushed apart one after the other",
        ),
        renumber: Symmetry::Statistically("densities are summed and pairs pushed apart in the order of rows"),
    },
};

/// Speed between free speed and the speed of the flow, by density.
#[derive(Clone, Copy, Debug)]
struct Flow {
    /// Density up to which people walk freely, 1/m2.
    min: f64,
    /// 1 / (density range from `min` to where people move with the flow), m2.
    per_range: f64,
    /// Drop of the speed for each other person per m2, m3/s.
    drop: f64,
    /// 0 if that drop acts, else infinite, m/s.
    lift: f64,
    /// What one person can add to the density of a neighboring cell, 1/m2; nobody slows down for the own body.
    own: f64,
    /// Least speed, m/s.
    least: f64,
}

impl SpeedLaw for Flow {
    #[inline(always)]
    fn speed(&self, density: f64, along: f64, free: f64, ground: f64) -> f64 {
        let free = free * ground;
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        // Others slow people down but never carry them backwards.
        let flow = larger(along, 0.0);
        let crowded = larger((density - self.min) * self.per_range, 0.0);
        let crowded = if crowded < 1.0 { crowded } else { 1.0 };
        let published = free + crowded * (flow - free);
        let beyond = larger(density - self.own, 0.0);
        let others = if beyond < self.own { 2.0 * beyond } else { density };
        let ahead = free + self.lift - self.drop * others;
        larger(if published < ahead { published } else { ahead }, self.least)
    }
}

impl Layout {
    /// From the settings.
    pub fn of(set: &Settings<'_>) -> Self {
        Self {
            cell_m: set.get("cell_m"),
            exponent: set.get("splat_exponent"),
            prediction_s: if set.on("prediction") { set.get("prediction_s") } else { 0.0 },
        }
    }
}

impl Weights {
    /// From the settings.
    pub fn of(set: &Settings<'_>) -> Self {
        Self {
            length: set.get("length_weight"),
            time: set.get("time_weight"),
            discomfort: set.get("discomfort_weight"),
        }
    }
}

/// One run of the model.
struct Continuum {
    fields: Fields,
    laws: Vec<Flow>,
    weights: Vec<Weights>,
    /// `None` without the minimum distance.
    spacing: Option<Spacing>,
    max_radius: f64,
}

impl Continuum {
    fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let shared = &settings[0];
        let layout = Layout::of(shared);
        let fields = Fields::new(setup.scenario, layout);
        // A lone person must not be slowed down by their own density.
        let own = splat::at_least(layout.exponent) / fields.ground.area();
        let law = |s: &Settings<'_>| {
            let min = s.get("density_min_per_m2").max(own);
            let max = s.get("density_max_per_m2").max(min + 1e-6);
            // A published diagram counts people; on average a person adds 8 / ((lambda + 1)(lambda + 2)) to the cells.
            let per_person = (layout.exponent + 1.0) * (layout.exponent + 2.0) / 8.0;
            let drop = s.get("crowding_m3_per_s") * per_person;
            Flow {
                min,
                per_range: 1.0 / (max - min),
                drop,
                lift: if drop > 0.0 { 0.0 } else { f64::INFINITY },
                own,
                least: s.get("least_speed_m_per_s"),
            }
        };
        Self {
            max_radius: setup.max_radius_m,
            spacing: Spacing::of(shared),
            laws: settings.iter().map(law).collect(),
            weights: settings.iter().map(Weights::of).collect(),
            fields,
        }
    }
}

impl Steering for Continuum {
    fn steer(&mut self, view: &View<'_>, next: &mut Update<'_>) {
        let (crowd, walls, dt) = (view.crowd, &view.world.walls, view.dt);
        self.fields.update(view, &self.laws, &self.weights);
        for row in (0..crowd.len()).filter(|&row| view.steers(row)) {
            let (p, v) = (crowd.pos[row], self.fields.velocity[row]);
            next.vel[row] = if v == Vec2::ZERO { v } else { keep_off(walls, (p, crowd.radius[row]), v, dt) };
        }
        if let Some(spacing) = &mut self.spacing {
            spacing.spread(view, next);
        }
    }

    fn reach_m(&self) -> f64 {
        self.spacing.as_ref().map_or(0.0, |spacing| spacing.reach_m(self.max_radius))
    }

    fn looks(&self) -> Looks {
        // Only pairs that are pushed apart are looked for.
        if self.spacing.is_some() { Looks::Around } else { Looks::Nowhere }
    }

    fn needs_distance(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: Flow = Flow { min: 1.0, per_range: 0.5, drop: 0.0, lift: f64::INFINITY, own: 1.0, least: 0.06 };

    #[test]
    fn people_are_free_then_move_with_the_others() {
        assert_eq!(LAW.speed(0.7, -0.5, 1.4, 1.0), 1.4);
        // From 3 /m2 on the speed of the flow, half way the mean of both.
        assert_eq!(LAW.speed(3.0, 0.5, 1.4, 1.0), 0.5);
        assert_eq!(LAW.speed(9.0, 0.5, 1.4, 1.0), 0.5);
        assert!((LAW.speed(2.0, 0.4, 1.4, 1.0) - 0.9).abs() < 1e-15);
    }

    #[test]
    fn nobody_is_carried_backwards() {
        assert_eq!(LAW.speed(9.0, -2.0, 1.4, 1.0), 0.06);
        assert_eq!(LAW.speed(2.0, -2.0, 1.4, 1.0), 0.7);
    }

    #[test]
    fn with_crowding_people_slow_down_also_where_all_walk_alike() {
        let law = Flow { drop: 0.25, lift: 0.0, ..LAW };
        assert_eq!([LAW.speed(3.0, 1.4, 1.4, 1.0), law.speed(3.0, 1.4, 1.4, 1.0)], [1.4, 1.4 - 0.25 * 3.0]);
        // Between one and two times what a lone person may add, the own body counts less and less.
        assert_eq!(law.speed(1.5, 1.4, 1.4, 1.0), 1.4 - 0.25 * 1.0);
        // Nobody slows down for the own body, and against a stream the slower law counts.
        assert_eq!([law.speed(0.9, 1.4, 1.4, 1.0), law.speed(9.0, 1.4, 1.4, 1.0)], [1.4, 0.06]);
        assert!((law.speed(3.0, 0.2, 1.4, 1.0) - 0.2).abs() < 1e-15);
    }
}
