//! Expression: separation, alignment, cohesion and repulsion of the five-force model, added to the preferred velocity.

use crate::crowd::{RowMap, Status, View};
use crate::models::ModelSetup;
use crate::models::five_force::{Eyes, Seen, Sight, SightScratch, limited, repulsion};
use crowdtune_core::math::{Vec2, lanes};
use crowdtune_core::registry::Settings;

/// Weights of the terms for one group, m/s: the velocity that a force of 1 adds.
#[derive(Clone, Copy, Debug)]
struct Weights {
    separation: f64,
    alignment: f64,
    cohesion: f64,
    repulsion: f64,
    look_ahead: f64,
    range_diameters: f64,
}

impl Weights {
    fn new(s: &Settings<'_>) -> Self {
        let strength = s.get("expression_m_per_s");
        Self {
            separation: strength * s.get("separation_weight"),
            alignment: strength * s.get("alignment_weight"),
            cohesion: strength * s.get("cohesion_weight"),
            repulsion: strength * s.get("repulsion_weight"),
            look_ahead: s.get("look_ahead_s"),
            range_diameters: s.get("range_diameters"),
        }
    }

    fn is_null(&self) -> bool {
        [self.separation, self.alignment, self.cohesion, self.repulsion].iter().all(|&w| w == 0.0)
    }
}

/// The terms of all groups.
pub(super) struct Expression {
    weights: Vec<Weights>,
    eyes: Vec<Eyes>,
    reach: f64,
    /// Heading: the last direction of motion, by row.
    heading: Vec<Vec2>,
    seen: Vec<Seen>,
    scratch: SightScratch,
}

impl Expression {
    pub(super) fn new(setup: &ModelSetup<'_>, settings: &[Settings<'_>]) -> Self {
        let weights: Vec<_> = settings.iter().map(Weights::new).collect();
        let sees = |w: &Weights| if w.is_null() { 0.0 } else { 2.0 * setup.max_radius_m * w.range_diameters };
        Self {
            reach: weights.iter().map(sees).fold(0.0, f64::max),
            eyes: settings
                .iter()
                .map(|s| Eyes::new(s.get("field_of_view_deg"), s.get("range_diameters"), 0.0))
                .collect(),
            weights,
            heading: Vec::new(),
            seen: Vec::new(),
            scratch: SightScratch::default(),
        }
    }

    pub(super) fn reach_m(&self) -> f64 {
        self.reach
    }

    pub(super) fn remap(&mut self, rows: &RowMap) {
        rows.apply(&mut self.heading);
    }

    /// Adds the terms to the velocities that people prefer, which stay within their highest speed. Members of the own
    /// group count.
    pub(super) fn express(&mut self, view: &View<'_>, preferred: &mut [Vec2]) {
        if self.reach == 0.0 {
            return;
        }
        let (crowd, near) = (view.crowd, view.near);
        self.heading.resize(crowd.len(), Vec2::ZERO);
        for (row, heading) in self.heading.iter_mut().enumerate() {
            let faces = crowd.vel[row].unit().or_else(|| preferred[row].unit());
            *heading = faces.unwrap_or(*heading);
        }
        lanes::run(Sight {
            near,
            crowd,
            eyes: &self.eyes,
            heading: &self.heading,
            all: false,
            steered: view.steered,
            giving: None,
            strides: None,
            scratch: &mut self.scratch,
            seen: &mut self.seen,
        });
        for (slot, seen) in self.seen.iter().enumerate() {
            let row = near.row[slot] as usize;
            let (w, v0) = (&self.weights[usize::from(crowd.group[row])], view.desired_speed(row));
            if !view.steers(row) || w.is_null() || crowd.status[row] != Status::Walking || v0 <= 0.0 {
                continue;
            }
            let (p, v, r) = (near.pos[slot], near.vel[slot], near.radius[slot]);
            let mut add = seen.separation() * w.separation
                + seen.alignment(v, v0) * w.alignment
                + seen.cohesion(2.0 * r * w.range_diameters) * w.cohesion;
            if w.repulsion > 0.0 {
                add += repulsion(&view.world.walls, p, v, r, w.look_ahead) * w.repulsion;
            }
            preferred[row] = limited(preferred[row] + add, v0);
        }
    }
}
