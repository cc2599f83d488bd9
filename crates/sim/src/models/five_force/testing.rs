//! Small scenes for the tests of the model.

use super::Constants;
use super::forces::Seen;
use super::sight::{Sight, SightScratch};
use crate::crowd::{Crowd, View};
use crate::world::FieldCache;
use crate::world::scenario::{FloorPlan, Group, Scenario, Segment};
use crate::world::{Neighbors, Torus, World};
use crowdtune_core::math::{Vec2, lanes, vec2};
use crowdtune_core::registry::{Settings, defaults};
use std::sync::Arc;

/// People of radius 0.25 m who want to go east with 1 m/s, seen from a step of 0.1 s.
pub(super) struct Scene {
    pub(super) place: Scenario,
    pub(super) crowd: Crowd,
    near: Neighbors,
    pub(super) desired: Vec<Vec2>,
    pub(super) distance: Vec<f64>,
    sees_goal: Vec<bool>,
}

impl Scene {
    /// With these walls (from, to) and people (place, velocity).
    pub(super) fn new(walls: &[(Vec2, Vec2)], people: &[(Vec2, Vec2)]) -> Self {
        Self::ring(Torus::default(), walls, people)
    }

    pub(super) fn ring(periodic: Torus, walls: &[(Vec2, Vec2)], people: &[(Vec2, Vec2)]) -> Self {
        let n = people.len();
        let walls = walls.iter().map(|&(a, b)| Segment { a, b }).collect();
        let plan = FloorPlan { walls, periodic, ..FloorPlan::default() };
        let crowd = Crowd {
            vel: people.iter().map(|p| p.1).collect(),
            radius: vec![0.25; n],
            desired_speed: vec![1.0; n],
            ..Crowd::at(people.iter().map(|p| p.0).collect())
        };
        let mut near = Neighbors::default();
        near.build(20.0 * 0.5, periodic, &crowd.pos, &crowd.vel, &crowd.radius);
        Self {
            place: Scenario {
                name: "test".into(),
                world: Arc::new(World::new(plan, &mut FieldCache::default()).unwrap()),
                groups: vec![Group::default()],
                limit_s: 1.0,
                give_up_s: None,
                tracks: None,
            },
            crowd,
            near,
            desired: vec![vec2(1.0, 0.0); n],
            distance: vec![f64::INFINITY; n],
            sees_goal: vec![true; n],
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        View {
            crowd: &self.crowd,
            near: &self.near,
            world: &self.place.world,
            desired: &self.desired,
            sees_goal: &self.sees_goal,
            distance: &self.distance,
            afraid: &[],
            preferred: &[],
            pace: &[],
            steered: &[],
            pressed: &[],
            dt: 0.1,
            step: 0,
        }
    }

    /// What everybody sees with these constants, by slot; `heading` by row.
    pub(super) fn seen(&self, heading: &[Vec2], set: &[(&str, f64)], all: bool) -> Vec<Seen> {
        let values = values(set);
        let eyes = [Constants::new(&settings(&values)).eyes; 2];
        let mut seen = Vec::new();
        lanes::run(Sight {
            near: &self.near,
            crowd: &self.crowd,
            eyes: &eyes,
            heading,
            all,
            steered: &[],
            giving: None,
            strides: None,
            scratch: &mut SightScratch::default(),
            seen: &mut seen,
        });
        seen
    }

    /// The slot of a row.
    pub(super) fn slot(&self, row: usize) -> usize {
        self.near.row.iter().position(|&r| r as usize == row).unwrap()
    }
}

/// The defaults but these.
pub(super) fn values(set: &[(&str, f64)]) -> Vec<f64> {
    let params = super::params::PARAMS;
    let mut values = defaults(params);
    for (key, value) in set {
        values[params.iter().position(|p| p.key == *key).expect(key)] = *value;
    }
    values
}

/// The same as settings.
pub(super) fn settings(values: &[f64]) -> Settings<'_> {
    Settings::new(super::params::PARAMS, values)
}
