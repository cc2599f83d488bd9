//! Known answers of density, speed and crowd pressure, and what the tests of other area metrics share.

use super::super::crowd_pressure::CROWD_PRESSURE_PER_S2;
use super::super::density::{DENSITY_PER_M2, DENSITY_VORONOI_PER_M2, SPEED_AREA_M_PER_S, SPEED_VORONOI_M_PER_S};
use super::super::testing::{Film, crowd, make_with, near};
use super::super::{MakeMetric, Metric, Place, Sample, Spec, Window};
use crate::world::scenario::{FloorPlan, Polygon, Scenario, named};
use crate::world::{FieldCache, Torus, World};
use crowdtune_core::math::vec2;
use crowdtune_core::registry::Entry;
use std::sync::Arc;

/// A place with an area to measure in.
pub(in super::super) struct Stage {
    pub scenario: Scenario,
}

impl Stage {
    pub fn new(plan: FloorPlan, area: Polygon) -> Self {
        let plan = FloorPlan { areas: vec![named("area", area)], ..plan };
        let world = Arc::new(World::new(plan, &mut FieldCache::default()).unwrap());
        Self {
            scenario: Scenario {
                name: "stage".into(),
                world,
                groups: Vec::new(),
                limit_s: 100.0,
                give_up_s: None,
                tracks: None,
            },
        }
    }

    /// Walkable from (0, 0) to a corner, measured all over.
    pub fn room(width: f64, height: f64) -> Self {
        let floor = Polygon::rectangle(vec2(0.0, 0.0), vec2(width, height));
        Self::new(FloorPlan { walkable: vec![(floor.clone(), Vec::new())], ..FloorPlan::default() }, floor)
    }

    /// A metric in the area over all samples.
    pub fn make(&self, entry: &'static Entry<MakeMetric>, settings: &[f64]) -> Box<dyn Metric> {
        let spec = Spec {
            at: Some(Place::Area(self.scenario.world.plan.areas[0].what.clone())),
            window: Window::All,
            sample_every_s: 0.1,
            group: None,
            center: None,
            settings: settings.to_vec(),
        };
        (entry.make.make)(&spec, &self.scenario)
    }

    pub fn show(&self, metric: &mut dyn Metric, time_s: f64, people: &[(u32, (f64, f64))]) {
        let crowd = crowd(people);
        metric.observe(&Sample { time_s, crowd: &crowd, exits: &[], world: &self.scenario.world }.seen(&[]));
    }

    /// The value of one sample.
    fn once(&self, entry: &'static Entry<MakeMetric>, settings: &[f64], places: &[(f64, f64)]) -> Option<f64> {
        let people: Vec<_> = places.iter().enumerate().map(|(id, &p)| (id as u32, p)).collect();
        let mut metric = self.make(entry, settings);
        self.show(metric.as_mut(), 0.0, &people);
        metric.value()
    }

    /// Voronoi density without a cut-off.
    fn voronoi(&self, places: &[(f64, f64)]) -> f64 {
        self.once(&DENSITY_VORONOI_PER_M2, &[0.0, 1.0], places).unwrap()
    }
}

/// Ids and places after some meters.
type Walkers = Box<dyn Fn(f64) -> Vec<(u32, (f64, f64))>>;

/// A queue in a corridor, and where its people are after some meters.
pub(in super::super) struct Strip {
    pub film: Stage,
    pub people: Walkers,
}

/// People `spacing` m apart in a corridor so wide along x, measured over 8 m.
pub(in super::super) fn strip(spacing: f64, width: f64) -> Strip {
    let floor = Polygon::rectangle(vec2(-30.0, 0.0), vec2(40.0, width));
    let area = Polygon::rectangle(vec2(-4.0, 0.0), vec2(4.0, width));
    let film = Stage::new(FloorPlan { walkable: vec![(floor, Vec::new())], ..FloorPlan::default() }, area);
    let count = (50.0 / spacing) as u32;
    let people = move |by: f64| {
        (0..count).map(|id| (id, (by - 25.0 + spacing * f64::from(id), 0.5 * width))).collect::<Vec<_>>()
    };
    Strip { film, people: Box::new(people) }
}

#[test]
fn one_person_has_the_room_and_two_share_it() {
    let stage = Stage::room(4.0, 2.0);
    near(stage.voronoi(&[(1.0, 1.0)]), 1.0 / 8.0);
    near(stage.voronoi(&[(1.0, 1.0), (2.0, 1.0)]), 2.0 / 8.0);
    near(stage.voronoi(&[]), 0.0);
    // The left meter: the bisector is x = 1.5, so its cell of 3 m2 lies there with 2 m2.
    let left = Stage::new(stage.scenario.world.plan.clone(), Polygon::rectangle(vec2(0.0, 0.0), vec2(1.0, 2.0)));
    near(left.voronoi(&[(1.0, 1.0), (2.0, 1.0)]), 2.0 / 3.0 / 2.0);
    near(left.once(&DENSITY_PER_M2, &[], &[(0.5, 1.0), (0.6, 1.0), (2.0, 1.0)]), 1.0);
    // On the outline is outside, as in PedPy.
    near(left.once(&DENSITY_PER_M2, &[], &[(0.0, 1.0), (0.5, 0.0)]), 0.0);
}

#[test]
fn a_square_lattice_has_square_cells() {
    let floor = Polygon::rectangle(vec2(0.0, 0.0), vec2(10.0, 10.0));
    let place = FloorPlan { walkable: vec![(floor, Vec::new())], ..FloorPlan::default() };
    let lattice: Vec<(f64, f64)> =
        (0..400).map(|k| (0.25 + 0.5 * f64::from(k % 20), 0.25 + 0.5 * f64::from(k / 20))).collect();
    // An area that cuts cells of 0.25 m2 anywhere, also one that is not convex.
    let l = [(1.1, 1.1), (3.7, 1.1), (3.7, 2.3), (2.2, 2.3), (2.2, 4.9), (1.1, 4.9)].map(|c| vec2(c.0, c.1));
    for area in [Polygon::rectangle(vec2(2.1, 3.3), vec2(5.6, 4.0)), Polygon { points: l.to_vec() }] {
        near(Stage::new(place.clone(), area).voronoi(&lattice), 4.0);
    }
}

#[test]
fn a_cut_off_makes_small_cells() {
    // 3 r^2 of the 12-gon; all of it in the area, so one person over the area.
    let stage = Stage::room(10.0, 10.0);
    near(stage.once(&DENSITY_VORONOI_PER_M2, &[0.8, 1.0], &[(5.0, 5.0)]), 0.01);
    let inner = Stage::new(stage.scenario.world.plan.clone(), Polygon::rectangle(vec2(4.9, 4.9), vec2(5.1, 5.1)));
    near(inner.once(&DENSITY_VORONOI_PER_M2, &[0.8, 1.0], &[(5.0, 5.0)]), 1.0 / (3.0 * 0.64));
}

#[test]
fn without_blind_points_four_people_are_needed() {
    let stage = Stage::room(4.0, 2.0);
    let three = [(0.5, 0.5), (2.0, 1.5), (3.0, 0.5)];
    assert_eq!(stage.once(&DENSITY_VORONOI_PER_M2, &[0.0, 0.0], &three), None);
    near(stage.once(&DENSITY_VORONOI_PER_M2, &[0.0, 1.0], &three), 3.0 / 8.0);
    let four = [(0.5, 0.5), (2.0, 1.5), (3.0, 0.5), (3.5, 0.6)];
    near(stage.once(&DENSITY_VORONOI_PER_M2, &[0.0, 0.0], &four), 0.5);
}

#[test]
fn a_cell_is_the_piece_that_holds_the_person() {
    // A U: posts 1 m wide and 4 m high on a base 5 x 1 m. Two people high in the posts: the bisector x = 2.5 leaves
    // each the own post and the base up to the middle: 4 + 1.5 m2.
    let corners = [(0.0, 0.0), (5.0, 0.0), (5.0, 4.0), (4.0, 4.0), (4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)];
    let u = Polygon { points: corners.map(|c| vec2(c.0, c.1)).to_vec() };
    let plan = FloorPlan { walkable: vec![(u, Vec::new())], ..FloorPlan::default() };
    let left = Stage::new(plan.clone(), Polygon::rectangle(vec2(0.0, 0.0), vec2(1.0, 4.0)));
    near(left.voronoi(&[(0.5, 3.0), (4.5, 3.0)]), 4.0 / 5.5 / 4.0);
    // One person high in the left post, one in the base: the top of the right post is nearer to the first one
    // (2 x - 3 y < -3), who is not connected with it there, so it is nobody's.
    let top = Stage::new(plan, Polygon::rectangle(vec2(4.0, 3.9), vec2(4.2, 4.0)));
    near(top.voronoi(&[(0.5, 3.5), (2.5, 0.5)]), 0.0);
}

#[test]
fn an_l_shaped_place_is_cut_at_its_corner() {
    // Legs 1 m wide and 3 m long. The bisector of people in both ends is the diagonal: 2.5 m2 each.
    let l = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)].map(|c| vec2(c.0, c.1));
    let plan = FloorPlan { walkable: vec![(Polygon { points: l.to_vec() }, Vec::new())], ..FloorPlan::default() };
    let leg = Stage::new(plan, Polygon::rectangle(vec2(1.0, 0.0), vec2(3.0, 1.0)));
    near(leg.voronoi(&[(2.5, 0.5), (0.5, 2.5)]), 2.0 / 2.5 / 2.0);
}

#[test]
fn a_pillar_is_missing_from_the_cell_around_it() {
    let floor = Polygon::rectangle(vec2(0.0, 0.0), vec2(4.0, 4.0));
    let pillar = Polygon::rectangle(vec2(2.0, 2.0), vec2(3.0, 3.0));
    let plan = FloorPlan { walkable: vec![(floor.clone(), vec![pillar])], ..FloorPlan::default() };
    near(Stage::new(plan.clone(), floor).voronoi(&[(1.0, 1.0)]), 1.0 / 16.0);
    near(Stage::new(plan, Polygon::rectangle(vec2(0.0, 0.0), vec2(4.0, 2.0))).voronoi(&[(1.0, 1.0)]), 8.0 / 15.0 / 8.0);
}

#[test]
fn in_a_ring_cells_reach_over_the_seam() {
    let floor = Polygon::rectangle(vec2(0.0, 0.0), vec2(10.0, 2.0));
    let periodic = Torus { x: Some((0.0, 10.0)), y: None };
    let plan = FloorPlan { walkable: vec![(floor, Vec::new())], periodic, ..FloorPlan::default() };
    let stage = Stage::new(plan, Polygon::rectangle(vec2(0.0, 0.0), vec2(1.0, 2.0)));
    // People at 9.5 and 4.5: bisectors at 2 and 7; the cell of the first one covers the area.
    near(stage.voronoi(&[(9.5, 1.0), (4.5, 1.0)]), 0.1);
    // Alone: everything is the cell.
    near(stage.voronoi(&[(9.5, 1.0)]), 1.0 / 20.0);
    // Walks 0.2 m over the seam in 0.1 s.
    let mut speed = stage.make(&SPEED_VORONOI_M_PER_S, &[0.0, 1.0, 1.0]);
    stage.show(speed.as_mut(), 0.0, &[(0, (9.9, 1.0))]);
    stage.show(speed.as_mut(), 0.1, &[(0, (0.1, 1.0))]);
    near(speed.value(), 2.0);
}

#[test]
fn walls_alone_bound_cells_along_their_lines() {
    // A wall x = 2 from y = 0 to 3 in a field from (0, 0) to (4, 4), which the corners of the walls draw.
    let wall = |a: (f64, f64), b: (f64, f64)| crate::world::scenario::Segment { a: vec2(a.0, a.1), b: vec2(b.0, b.1) };
    let walls = vec![wall((0.0, 0.0), (4.0, 0.0)), wall((0.0, 4.0), (4.0, 4.0)), wall((2.0, 0.0), (2.0, 3.0))];
    let plan = FloorPlan { walls, ..FloorPlan::default() };
    let stage = Stage::new(plan, Polygon::rectangle(vec2(0.0, 0.0), vec2(4.0, 4.0)));
    near(stage.voronoi(&[(1.0, 1.0)]), 1.0 / 16.0);
    let right = Stage::new(stage.scenario.world.plan.clone(), Polygon::rectangle(vec2(2.0, 0.0), vec2(4.0, 4.0)));
    near(right.voronoi(&[(1.0, 1.0)]), 0.0);
}

#[test]
fn a_queue_has_its_density_and_speed() {
    let Strip { film, people } = strip(0.5, 2.0);
    let mut voronoi = film.make(&SPEED_VORONOI_M_PER_S, &[0.0, 1.0, 2.0]);
    let mut classic = film.make(&SPEED_AREA_M_PER_S, &[2.0]);
    for k in 0..6 {
        let people = people(0.07 * f64::from(k));
        film.show(voronoi.as_mut(), 0.1 * f64::from(k), &people);
        film.show(classic.as_mut(), 0.1 * f64::from(k), &people);
    }
    near(voronoi.value(), 0.7);
    near(classic.value(), 0.7);
    let rows = voronoi.table().unwrap().rows;
    assert_eq!(rows.len(), 6);
    rows.iter().for_each(|row| near(row[1], 1.0));
}

#[test]
fn speeds_are_one_sided_where_the_track_ends() {
    // x = t^2 at t = 0, 1, 2, 3: over one sample to both sides 1, 2, 4, 5 m/s, ends from one side.
    let stage = Stage::room(20.0, 2.0);
    let mut metric = stage.make(&SPEED_AREA_M_PER_S, &[1.0]);
    for t in 0..4 {
        stage.show(metric.as_mut(), f64::from(t), &[(0, (1.0 + f64::from(t * t), 1.0))]);
    }
    let speeds: Vec<f64> = metric.table().unwrap().rows.iter().map(|row| row[2]).collect();
    assert_eq!(speeds, [1.0, 2.0, 4.0, 5.0]);
    // A gap wider than the window cuts the track.
    stage.show(metric.as_mut(), 4.0, &[]);
    stage.show(metric.as_mut(), 5.0, &[(0, (3.0, 1.0))]);
    assert!(metric.table().unwrap().rows[5][2].is_nan());
    near(metric.value(), 3.0);
}

#[test]
fn crowd_pressure_is_density_times_variance() {
    // Two people, 1 and -1 m/s: variance 1; in 8 m2: 0.25. All with the same velocity: none.
    let stage = Stage::room(4.0, 2.0);
    let mut metric = stage.make(&CROWD_PRESSURE_PER_S2, &[1.0]);
    for (t, x) in [(0.0, 0.0), (1.0, 1.0)] {
        stage.show(metric.as_mut(), t, &[(0, (1.0 + x, 1.5)), (1, (3.0 - x, 0.5))]);
    }
    near(metric.value(), 0.25);
    metric.reset();
    for (t, x) in [(0.0, 0.0), (1.0, 1.0)] {
        stage.show(metric.as_mut(), t, &[(0, (1.0 + x, 1.5)), (1, (2.0 + x, 0.5))]);
    }
    near(metric.value(), 0.0);
}

/// Prints the time of one sample of 200 people, cells and clipping: `cargo test --release --lib -- --ignored
/// --nocapture voronoi_of_200_people`.
#[test]
#[ignore = "a measurement, not a check"]
fn voronoi_of_200_people() {
    use crowdtune_core::math::rng;
    let mut random = rng::Seed(1).rng();
    let floor = Polygon::rectangle(vec2(0.0, 0.0), vec2(14.0, 14.0));
    let pillar = Polygon::rectangle(vec2(6.0, 6.0), vec2(7.0, 7.5));
    let people: Vec<_> = std::iter::repeat_with(|| (14.0 * rng::unit(&mut random), 14.0 * rng::unit(&mut random)))
        .filter(|p| !pillar.contains(vec2(p.0, p.1)))
        .take(200)
        .enumerate()
        .map(|(id, p)| (id as u32, p))
        .collect();
    let ring = Torus { x: Some((0.0, 14.0)), y: None };
    for (name, holes, periodic, cut_off) in [
        ("room", vec![], Torus::default(), 0.0),
        ("room, cut-off", vec![], Torus::default(), 0.8),
        ("room with a pillar", vec![pillar.clone()], Torus::default(), 0.0),
        ("ring", vec![], ring, 0.0),
    ] {
        let plan = FloorPlan { walkable: vec![(floor.clone(), holes)], periodic, ..FloorPlan::default() };
        let stage = Stage::new(plan, Polygon::rectangle(vec2(3.0, 3.0), vec2(11.0, 11.0)));
        let mut metric = stage.make(&DENSITY_VORONOI_PER_M2, &[cut_off, 1.0]);
        let crowd = crowd(&people);
        let start = std::time::Instant::now();
        for k in 0..200 {
            let time_s = f64::from(k);
            metric.observe(&Sample { time_s, crowd: &crowd, exits: &[], world: &stage.scenario.world }.seen(&[]));
        }
        println!("{name}: {:.3} ms", 1e3 * start.elapsed().as_secs_f64() / 200.0);
    }
}

#[test]
fn a_window_of_crossings_is_timed_by_the_line() {
    // Five stand in an area of 2 m2 before the line; person k is beyond it from the sample at k + 1 s on.
    let value = |entry: &'static Entry<MakeMetric>, crossing: u32, end: u32| {
        let film = Film::new(5, 100.0);
        let area = Place::Area(Polygon::rectangle(vec2(-1.0, 0.0), vec2(0.0, 2.0)));
        let window = Window::Crossings { shares: (0.3, 0.7), of: None };
        let mut metric = make_with(entry, &film, |spec| {
            (spec.at, spec.window) = (Some(area), window);
            spec.settings.fill(1.0);
        });
        for k in 0..=end {
            let x = |id: u32| if id < crossing && id < k { 0.5 } else { -0.5 };
            let people: Vec<_> = (0..5).map(|id| (id, (x(id), 1.0))).collect();
            film.show(metric.as_mut(), f64::from(k), &people, &[]);
        }
        metric.value()
    };
    // 1.5 and 3.5 make the second and the fourth, seen at 2 s and 4 s: 3, 2 and 1 are inside.
    near(value(&DENSITY_PER_M2, 5, 9), 1.0);
    // Of those, one makes a meter in the two seconds around the sample.
    near(value(&SPEED_AREA_M_PER_S, 5, 9), (1.0 / 3.0 + 1.0 / 2.0 + 1.0) * 0.5 / 3.0);
    // Two never cross, so the fourth is awaited to the end at 6 s: 3, then 2, 2, 2, 2.
    near(value(&DENSITY_PER_M2, 3, 6), 1.1);
    // Nobody crosses: the whole run counts.
    near(value(&DENSITY_PER_M2, 0, 6), 2.5);
}
