//! Shared by the tests of the metrics: a scenario without walls and samples made by hand.

use super::{Exit, MakeMetric, Metric, Place, Seen, Spec, Window};
use crate::crowd::{Crowd, Status};
use crate::math::{Vec2, vec2};
use crate::registry::Entry;
use crate::world::scenario::{Goal, Group, Navigation, Plan, Scenario, Segment, Spawn, named};
use crate::world::{FieldCache, World};
use std::sync::Arc;

/// A scenario with one group of people who want to leave, and the line x = 0 from y = 0 to 2.
pub(super) struct Film {
    pub scenario: Scenario,
}

impl Film {
    pub fn new(count: usize, limit_s: f64) -> Self {
        Self::with_walls(count, limit_s, Vec::new())
    }

    pub fn with_walls(count: usize, limit_s: f64, walls: Vec<Segment>) -> Self {
        let plan = Plan {
            walls,
            walkable: Vec::new(),
            goals: vec![named("out", Goal::Point { at: Vec2::ZERO, radius: 1.0 })],
            lines: vec![named("door", Segment { a: vec2(0.0, 0.0), b: vec2(0.0, 2.0) })],
            areas: Vec::new(),
            navigation: Navigation::Straight,
            sight_m: None,
        };
        let group = Group { name: "all".into(), count, spawn: Spawn::Points(Vec::new()), stages: vec![vec![0]] };
        let scenario = Scenario {
            name: "film".into(),
            world: Arc::new(World::new(plan, &mut FieldCache::default()).unwrap()),
            groups: vec![group],
            limit_s,
            give_up_s: None,
        };
        Self { scenario }
    }

    /// Shows one sample: the people (id, place) and who has left since the last one. Radius 0.3 m.
    pub fn show(&self, metric: &mut dyn Metric, time_s: f64, people: &[(u32, (f64, f64))], exits: &[Exit]) {
        self.show_crowd(metric, time_s, &crowd(people), exits);
    }

    pub fn show_crowd(&self, metric: &mut dyn Metric, time_s: f64, crowd: &Crowd, exits: &[Exit]) {
        metric.observe(&Seen { time_s, crowd, exits, world: &self.scenario.world });
    }
}

/// People at these places, radius 0.3 m, at rest, not pressed.
pub(super) fn crowd(people: &[(u32, (f64, f64))]) -> Crowd {
    let n = people.len();
    Crowd {
        id: people.iter().map(|p| p.0).collect(),
        pos: people.iter().map(|p| vec2(p.1.0, p.1.1)).collect(),
        vel: vec![Vec2::ZERO; n],
        radius: vec![0.3; n],
        mass: vec![80.0; n],
        desired_speed: vec![1.34; n],
        max_speed: vec![f64::INFINITY; n],
        start_s: vec![0.0; n],
        group: vec![0; n],
        stage: vec![0; n],
        status: vec![Status::Walking; n],
        pressure: vec![0.0; n],
    }
}

pub(super) fn exit(id: usize, goal: usize, time_s: f64, pos: (f64, f64)) -> Exit {
    Exit { id: id as u32, group: 0, goal, time_s, pos: vec2(pos.0, pos.1) }
}

/// A metric as it is without settings.
pub(super) fn make(entry: &'static Entry<MakeMetric>, film: &Film) -> Box<dyn Metric> {
    make_in(entry, film, None, entry.make.window)
}

pub(super) fn make_in(
    entry: &'static Entry<MakeMetric>,
    film: &Film,
    at: Option<Place>,
    window: Window,
) -> Box<dyn Metric> {
    let spec = Spec { at, window, sample_every_s: 0.1, settings: crate::registry::defaults(entry.params) };
    (entry.make.make)(&spec, &film.scenario)
}
