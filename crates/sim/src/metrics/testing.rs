//! Shared by the tests of the metrics: a scenario without walls and samples made by hand.

use super::{Exit, MakeMetric, Metric, Place, Seen, Spec, Window};
use crate::crowd::Crowd;
use crate::world::scenario::{Goal, Group, Plan, Scenario, Segment, Spawn, named};
use crate::world::{FieldCache, Torus, World};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Entry;
use std::sync::Arc;

/// A scenario with one group of people who want to leave, and the line x = 0 from y = 0 to 2.
pub(super) struct Film {
    pub scenario: Scenario,
}

impl Film {
    pub fn new(count: usize, limit_s: f64) -> Self {
        Self::with_walls(count, limit_s, Vec::new())
    }

    /// The same on a ring: x from 0 to 10 is closed.
    pub fn ring(count: usize, limit_s: f64) -> Self {
        Self::built(count, limit_s, Vec::new(), Torus { x: Some((0.0, 10.0)), y: None })
    }

    pub fn with_walls(count: usize, limit_s: f64, walls: Vec<Segment>) -> Self {
        Self::built(count, limit_s, walls, Torus::default())
    }

    fn built(count: usize, limit_s: f64, walls: Vec<Segment>, periodic: Torus) -> Self {
        let plan = Plan {
            walls,
            periodic,
            walkable: Vec::new(),
            goals: vec![named("out", Goal::Point { at: Vec2::ZERO, radius: 1.0 })],
            lines: vec![named("door", Segment { a: vec2(0.0, 0.0), b: vec2(0.0, 2.0) })],
            ..Plan::default()
        };
        let group = Group {
            name: "all".into(),
            count,
            spawn: Spawn::Points(Vec::new()),
            stages: vec![vec![0]],
            ..Group::default()
        };
        let scenario = Scenario {
            name: "film".into(),
            world: Arc::new(World::new(plan, &mut FieldCache::default()).unwrap()),
            groups: vec![group],
            limit_s,
            give_up_s: None,
            tracks: None,
        };
        Self { scenario }
    }

    /// The same people in a place that is closed to rings.
    pub fn closed(mut self, periodic: Torus) -> Self {
        let plan = Plan { periodic, ..self.scenario.world.plan.clone() };
        self.scenario.world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
        self
    }

    /// Shows one sample: the people (id, place) and who has left since the last one. Radius 0.3 m.
    pub fn show(&self, metric: &mut dyn Metric, time_s: f64, people: &[(u32, (f64, f64))], exits: &[Exit]) {
        self.show_crowd(metric, time_s, &crowd(people), exits);
    }

    pub fn show_crowd(&self, metric: &mut dyn Metric, time_s: f64, crowd: &Crowd, exits: &[Exit]) {
        self.look_at(time_s, crowd, exits, |seen| metric.observe(seen));
    }

    /// Shows one sample to something that is no metric.
    pub fn look(&self, time_s: f64, people: &[(u32, (f64, f64))], exits: &[Exit], eye: impl FnOnce(&Seen<'_>)) {
        self.look_at(time_s, &crowd(people), exits, eye);
    }

    pub fn look_at(&self, time_s: f64, crowd: &Crowd, exits: &[Exit], eye: impl FnOnce(&Seen<'_>)) {
        eye(&Seen { time_s, crowd, exits, world: &self.scenario.world });
    }
}

/// People at these places, radius 0.3 m, at rest, not pressed.
pub(super) fn crowd(people: &[(u32, (f64, f64))]) -> Crowd {
    Crowd { id: people.iter().map(|p| p.0).collect(), ..Crowd::at(people.iter().map(|p| vec2(p.1.0, p.1.1)).collect()) }
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
    make_with(entry, film, |spec| (spec.at, spec.window) = (at, window))
}

/// A metric with settings that differ from the defaults.
pub(super) fn make_with(
    entry: &'static Entry<MakeMetric>,
    film: &Film,
    change: impl FnOnce(&mut Spec),
) -> Box<dyn Metric> {
    let mut spec = Spec {
        at: None,
        window: entry.make.window,
        sample_every_s: 0.1,
        group: None,
        center: None,
        settings: crowdtune_core::registry::defaults(entry.params),
    };
    change(&mut spec);
    (entry.make.make)(&spec, &film.scenario)
}

/// A metric of one group.
pub(super) fn make_of(entry: &'static Entry<MakeMetric>, film: &Film, group: u16) -> Box<dyn Metric> {
    let settings = crowdtune_core::registry::defaults(entry.params);
    let spec =
        Spec { at: None, window: entry.make.window, sample_every_s: 0.1, group: Some(group), center: None, settings };
    (entry.make.make)(&spec, &film.scenario)
}

/// A metric with these settings.
pub(super) fn make_set(
    entry: &'static Entry<MakeMetric>,
    film: &Film,
    window: Window,
    settings: &[f64],
) -> Box<dyn Metric> {
    let spec = Spec { at: None, window, sample_every_s: 0.1, group: None, center: None, settings: settings.to_vec() };
    (entry.make.make)(&spec, &film.scenario)
}

/// What a metric says of one sample: people at these places, with ids from 0.
pub(super) fn show_once(film: &Film, metric: &mut dyn Metric, at: &[(f64, f64)]) -> Option<f64> {
    let people: Vec<_> = (0..).zip(at.iter().copied()).collect();
    film.show(metric, 0.0, &people, &[]);
    metric.value()
}

/// The same of a metric as it is without settings.
pub(super) fn value_once(entry: &'static Entry<MakeMetric>, at: &[(f64, f64)]) -> Option<f64> {
    let film = Film::new(8, 10.0);
    show_once(&film, make(entry, &film).as_mut(), at)
}

pub(super) fn near(value: impl Into<Option<f64>>, wanted: f64) {
    let value = value.into();
    assert!(value.is_some_and(|v| (v - wanted).abs() < 1e-9), "{value:?} is not {wanted}");
}

mod contract {
    use super::super::METRICS;
    use super::*;
    use proptest::prelude::*;

    /// Random walks with people leaving at random; checks every metric in every window.
    fn survives(samples: &[Vec<(u32, (f64, f64))>], leave_at: usize) {
        let film = Film::with_walls(5, 10.0, vec![Segment { a: vec2(1.0, -3.0), b: vec2(1.0, 3.0) }]);
        let windows = [Window::All, Window::Steady, Window::Ranks(0.1, 0.9), Window::TimeS(0.2, 0.4)];
        for (entry, window) in METRICS.iter().flat_map(|e| windows.map(|w| (*e, w))) {
            let mut metric = make_in(entry, &film, None, window);
            let mut values = Vec::new();
            for _ in 0..2 {
                metric.reset();
                for (k, people) in samples.iter().enumerate() {
                    let time_s = 0.1 * k as f64;
                    let exits: Vec<_> = match k == leave_at && k > 0 {
                        true => samples[k - 1].iter().map(|p| exit(p.0 as usize, 0, time_s, p.1)).collect(),
                        false => Vec::new(),
                    };
                    let people = if k < leave_at { &people[..] } else { &[] };
                    film.show(metric.as_mut(), time_s, people, &exits);
                }
                assert!(metric.value().is_none_or(f64::is_finite), "{} {window:?}", entry.name);
                assert!(metric.samples().iter().all(|v| v.is_finite()), "{} {window:?}", entry.name);
                values.push((metric.value(), metric.samples().to_vec()));
            }
            assert_eq!(values[0], values[1], "{} {window:?} after a reset", entry.name);
        }
    }

    #[test]
    fn every_metric_survives_nobody_one_person_and_a_sudden_end() {
        survives(&[], 0);
        survives(&[vec![]], 1);
        survives(&vec![vec![]; 5], 9);
        survives(&[vec![(0, (0.0, 1.0))]], 9);
        survives(&vec![vec![(3, (0.0, 1.0))]; 4], 9);
        // Everybody at one place, everybody leaves at once, at the first step or later.
        let heap: Vec<_> = (0..5).map(|id| (id, (-0.1, 1.0))).collect();
        survives(&vec![heap.clone(); 4], 1);
        survives(&vec![heap; 4], 3);
        // An id that no group has.
        survives(&vec![vec![(77, (0.0, 1.0))]; 3], 2);
    }

    #[test]
    fn names_are_unique_and_say_their_unit() {
        let suffix = |unit: &str| match unit {
            "1/m2" => "_per_m2",
            "1/s2" => "_per_s2",
            "s" => "_s",
            "m" => "_m",
            "1/s" => "_per_s",
            "m/s" => "_m_per_s",
            "1/(m s)" => "_per_m_s",
            "J/(kg m)" => "_j_per_kg_m",
            "N/m" => "_n_per_m",
            "m/s2" => "_m_per_s2",
            "m2/s6" => "_m2_per_s6",
            "deg" => "_deg",
            "deg/m" => "_deg_per_m",
            "deg/s" => "_deg_per_s",
            _ => "",
        };
        for (at, entry) in METRICS.iter().enumerate() {
            assert!(entry.name.ends_with(suffix(entry.make.unit)), "{} in {}", entry.name, entry.make.unit);
            assert!(METRICS[..at].iter().all(|other| other.name != entry.name), "{}", entry.name);
            assert!(!entry.doc.is_empty() && !entry.source.is_empty(), "{}", entry.name);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn random_walks_give_finite_values(
            walks in prop::collection::vec(prop::collection::vec((-2.0..2.0f64, -1.0..3.0f64), 8), 0..=5),
            leave_at in 0..10usize,
        ) {
            let at = |k: usize| walks.iter().enumerate().map(|(id, w)| (id as u32, w[k])).collect();
            survives(&(0..8).map(at).collect::<Vec<_>>(), leave_at);
        }
    }
}
