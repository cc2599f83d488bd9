//! Shared by the tests of the metrics: a scenario without walls and samples made by hand.

use super::{Exit, MakeMetric, Metric, Need, Place, Sample, Seen, Spec, Window};
use crate::crowd::Crowd;
use crate::world::scenario::{FloorPlan, Goal, Group, Scenario, Segment, Spawn, named};
use crate::world::{FieldCache, Relief, Torus, World};
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
        let plan = FloorPlan {
            walls,
            periodic,
            walkable: Vec::new(),
            goals: vec![named("out", Goal::Point { at: Vec2::ZERO, radius: 1.0 })],
            lines: vec![named("door", Segment { a: vec2(0.0, 0.0), b: vec2(0.0, 2.0) })],
            ..FloorPlan::default()
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
        let plan = FloorPlan { periodic, ..self.scenario.world.plan.clone() };
        self.scenario.world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
        self
    }

    /// Shows one sample: the people (id, place) and who has left since the last one. Radius 0.3 m.
    /// The same on uneven ground.
    pub fn on(mut self, relief: Relief) -> Self {
        let plan = FloorPlan { relief: Some(relief), ..self.scenario.world.plan.clone() };
        self.scenario.world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
        self
    }

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
        const ALL: &[Need] = &[Need::Radius, Need::Velocity, Need::Pressure, Need::Desired, Need::Goal];
        eye(&Sample { time_s, crowd, exits, world: &self.scenario.world }.seen(ALL));
    }
}

/// People at these places, radius 0.3 m, at rest, not pressed.
pub(super) fn crowd(people: &[(u32, (f64, f64))]) -> Crowd {
    Crowd { id: people.iter().map(|p| p.0).collect(), ..Crowd::at(people.iter().map(|p| vec2(p.1.0, p.1.1)).collect()) }
}

pub(super) fn exit(id: usize, goal: usize, time_s: f64, pos: (f64, f64)) -> Exit {
    Exit { id: id as u32, group: 0, goal: Some(goal), caught: false, time_s, pos: vec2(pos.0, pos.1) }
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
    use super::super::{METRICS, Plot, Table};
    use super::*;
    use proptest::prelude::*;

    /// Random walks with people leaving at random; checks every metric in every window.
    fn survives(samples: &[Vec<(u32, (f64, f64))>], leave_at: usize) {
        let film = Film::with_walls(5, 10.0, vec![Segment { a: vec2(1.0, -3.0), b: vec2(1.0, 3.0) }]);
        let crossings = |of| Window::Crossings { shares: (0.1, 0.9), of };
        let windows = [
            Window::All,
            Window::Steady,
            Window::Ranks(0.1, 0.9),
            Window::TimeS(0.2, 0.4),
            crossings(None),
            crossings(Some([(0.5, -1.0), (0.5, 2.0)])),
        ];
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
                    let sample = Sample { time_s, crowd: &crowd(people), exits: &exits, world: &film.scenario.world };
                    metric.observe(&sample.seen(entry.make.needs));
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

    /// A metric after a short walk of five people who leave one after the other. It sees all that a simulation knows, or
    /// only what recorded tracks have and what its entry names.
    fn after_a_walk(entry: &'static Entry<MakeMetric>, recorded: bool) -> Box<dyn Metric> {
        let film = Film::new(5, 10.0);
        let needs = entry.make.needs;
        let mut metric = make(entry, &film);
        for k in 0..20_u32 {
            let time_s = 0.1 * f64::from(k);
            let here = |id: u32, k: u32| (0.13 * f64::from(k) - 0.4 * f64::from(id), 0.3 * f64::from(id));
            let people: Vec<_> = (k / 4..5).map(|id| (id, here(id, k))).collect();
            let mut crowd = crowd(&people);
            crowd.vel = people.iter().map(|p| vec2(1.3, 0.1 * f64::from(p.0))).collect();
            crowd.radius = people.iter().map(|p| 0.2 + 0.05 * f64::from(p.0)).collect();
            crowd.pressure = people.iter().map(|p| 10.0 * f64::from(p.0)).collect();
            crowd.desired = vec![vec2(if k % 3 == 0 { -1.0 } else { 1.0 }, 0.0); people.len()];
            let gone = (k > 0 && k % 4 == 0).then(|| k / 4 - 1);
            let mut exits: Vec<_> = gone.iter().map(|&id| exit(id as usize, 0, time_s, here(id, k))).collect();
            if recorded {
                let Crowd { id, pos, group, radius, vel, pressure, desired, .. } = crowd;
                crowd = Crowd { id, pos, group, ..Crowd::default() };
                let kept = |need| needs.contains(&need);
                crowd.radius = if kept(Need::Radius) { radius } else { Vec::new() };
                crowd.vel = if kept(Need::Velocity) { vel } else { Vec::new() };
                crowd.pressure = if kept(Need::Pressure) { pressure } else { Vec::new() };
                crowd.desired = if kept(Need::Desired) { desired } else { Vec::new() };
                exits.iter_mut().filter(|_| !kept(Need::Goal)).for_each(|exit| exit.goal = None);
            }
            metric.observe(&Sample { time_s, crowd: &crowd, exits: &exits, world: &film.scenario.world }.seen(needs));
        }
        metric
    }

    fn names_what_it_needs(entry: &'static Entry<MakeMetric>) {
        // As text, so that NaN equals NaN.
        let [simulated, recorded] = [false, true].map(|recorded| {
            let metric = after_a_walk(entry, recorded);
            format!("{:?}", (metric.value(), metric.samples(), metric.table()))
        });
        assert_eq!(
            simulated, recorded,
            "`{}` uses something that recorded tracks lack and its entry does not name: see `Need`",
            entry.name
        );
    }

    #[test]
    fn every_metric_names_what_recordings_may_lack() {
        METRICS.iter().for_each(|entry| names_what_it_needs(entry));
    }

    #[test]
    fn every_table_can_be_drawn() {
        for entry in METRICS {
            let Some(Table { plot, columns, rows }) = after_a_walk(entry, false).table() else { continue };
            assert!(rows.iter().all(|row| row.len() == columns.len()), "{}", entry.name);
            let fits = match plot {
                Plot::Curves => columns[0] == "time_s" && columns.len() > 1,
                Plot::Steps => columns[..2] == ["from_s", "to_s"] && columns.len() > 2,
                Plot::Maps => columns[..2] == ["x_m", "y_m"] && columns.len() > 2,
                Plot::Dots { x, y, band } => {
                    let (low, high) = band.unwrap_or((x, y));
                    [x, y, low, high].into_iter().all(|at| at < columns.len())
                }
            };
            assert!(fits, "`{}` says {plot:?} of the columns {columns:?}", entry.name);
        }
    }

    /// Counts what `count` finds in each sample.
    struct Careless {
        count: fn(&Seen<'_>) -> usize,
        sum: usize,
    }

    impl Metric for Careless {
        fn observe(&mut self, seen: &Seen<'_>) {
            self.sum += (self.count)(seen);
        }
        fn value(&self) -> Option<f64> {
            Some(self.sum as f64)
        }
        fn reset(&mut self) {
            self.sum = 0;
        }
    }

    const fn careless(make: super::super::Maker) -> Entry<MakeMetric> {
        Entry { name: "careless", doc: "", source: "", params: &[], make: MakeMetric::new(make, "") }
    }

    #[test]
    #[should_panic(expected = "reads Velocity and does not say so: add `.needs(&[Need::Velocity])` to its entry")]
    fn a_metric_that_reads_velocities_and_does_not_say_so_is_found() {
        static FAST: Entry<MakeMetric> = careless(&|_, _| {
            let count = |seen: &Seen<'_>| seen.velocities().iter().filter(|v| v.length() > 1.0).count();
            Box::new(Careless { count, sum: 0 })
        });
        names_what_it_needs(&FAST);
    }

    #[test]
    #[should_panic(expected = "uses something that recorded tracks lack and its entry does not name")]
    fn a_metric_that_tells_exits_apart_and_does_not_say_so_is_found() {
        static FIRST_EXIT: Entry<MakeMetric> = careless(&|_, _| {
            let count = |seen: &Seen<'_>| seen.exits().filter(|exit| exit.goal == Some(0)).count();
            Box::new(Careless { count, sum: 0 })
        });
        names_what_it_needs(&FIRST_EXIT);
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
