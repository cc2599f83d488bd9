use super::super::testing::{Film, make, make_with, near};
use super::*;
use crate::world::Torus;
use crate::world::scenario::Polygon;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::Entry;

/// Where somebody was and is.
type Stepped = ((f64, f64), (f64, f64));

type People = Vec<(u32, (f64, f64))>;

/// People at these places who made these steps in the last second.
fn steps(all: &[Stepped]) -> [People; 2] {
    let ids = || (0..).zip(all);
    [
        ids().map(|(id, (at, step))| (id, (at.0 - step.0, at.1 - step.1))).collect(),
        ids().map(|(id, (at, _))| (id, *at)).collect(),
    ]
}

fn show(film: &Film, metric: &mut dyn Metric, all: &[Stepped]) -> Option<f64> {
    for (second, people) in (0..).zip(steps(all)) {
        film.show(metric, f64::from(second), &people, &[]);
    }
    metric.value()
}

fn value(entry: &'static Entry<MakeMetric>, all: &[Stepped]) -> Option<f64> {
    let film = Film::new(8, 10.0);
    show(&film, make(entry, &film).as_mut(), all)
}

/// Four people round (5, 5), each one a step to the left of the arm (of the way ahead for -1 and 1).
fn ring(turn: f64) -> Vec<Stepped> {
    let arms = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    arms.iter().map(|&(x, y)| ((5.0 + x, 5.0 + y), (-0.5 * y * turn, 0.5 * x * turn))).collect()
}

#[test]
fn polarization_is_1_aligned_and_0_opposite() {
    let to = |step: (f64, f64)| ((0.0, 0.0), step);
    near(value(&POLARIZATION, &[to((1.0, 0.0)), to((0.3, 0.0))]), 1.0);
    near(value(&POLARIZATION, &[to((1.0, 0.0)), to((-0.3, 0.0))]), 0.0);
    near(value(&POLARIZATION, &[to((1.0, 0.0)), to((0.0, 0.3))]), 0.5_f64.sqrt());
    // Who stands has no heading: two of three.
    near(value(&POLARIZATION, &[to((1.0, 0.0)), to((2.0, 0.0)), to((0.03, 0.0))]), 2.0 / 3.0);
    near(value(&POLARIZATION, &[to((0.0, 0.0)), to((0.0, 0.0))]), 0.0);
    near(value(&POLARIZATION, &ring(1.0)), 0.0);
    assert_eq!(value(&POLARIZATION, &[to((1.0, 0.0))]), None);
    assert_eq!(value(&POLARIZATION, &[]), None);
}

#[test]
fn a_ring_mills_whichever_way_it_turns() {
    near(value(&MILLING, &ring(1.0)), 1.0);
    near(value(&MILLING, &ring(-1.0)), 1.0);
    let ahead: Vec<_> = ring(1.0).iter().map(|p| (p.0, (1.0, 0.0))).collect();
    near(value(&MILLING, &ahead), 0.0);
    // Half of them stand.
    let mut half = ring(1.0);
    half[0].1 = (0.0, 0.0);
    half[2].1 = (0.0, 0.0);
    near(value(&MILLING, &half), 0.5);
    assert_eq!(value(&MILLING, &ring(1.0)[..1]), None);
}

#[test]
fn rotation_has_a_sign_and_a_fixed_center() {
    let film = Film::new(8, 10.0);
    let of = |all: &[Stepped]| {
        let area = Polygon::rectangle(vec2(3.0, 3.0), vec2(7.0, 7.0));
        let mut metric = make_with(&ROTATION, &film, |spec| spec.at = Some(Place::Area(area)));
        show(&film, metric.as_mut(), all)
    };
    near(of(&ring(1.0)), 1.0);
    near(of(&ring(-1.0)), -1.0);
    // One person passes east, below the center: r = (1, -1), v = (1, 0), r x v = 1, |r| = sqrt 2.
    near(of(&[((6.0, 4.0), (1.0, 0.0))]), 0.5_f64.sqrt());
    // Nobody in the region.
    assert_eq!(of(&[((16.0, 4.0), (1.0, 0.0))]), None);
    assert_eq!(value(&ROTATION, &ring(1.0)), None);
}

#[test]
fn the_size_of_a_rotation_is_that_of_the_whole_run_whichever_way() {
    let film = Film::new(8, 10.0);
    let area = || Some(Place::Area(Polygon::rectangle(vec2(3.0, 3.0), vec2(7.0, 7.0))));
    let of = |all: &[Stepped]| {
        let mut metric = make_with(&ROTATION_SIZE, &film, |spec| spec.at = area());
        show(&film, metric.as_mut(), all)
    };
    near(of(&ring(1.0)), 1.0);
    near(of(&ring(-1.0)), 1.0);
    // Four streams straight through the middle.
    let through =
        [((4.0, 5.0), (1.0, 0.0)), ((6.0, 5.0), (-1.0, 0.0)), ((5.0, 4.0), (0.0, 1.0)), ((5.0, 6.0), (0.0, -1.0))];
    near(of(&through), 0.0);
    // Half turn one way and half the other: r = (1, 0) up and (-1, 0) up.
    near(of(&[((6.0, 5.0), (0.0, 1.0)), ((4.0, 5.0), (0.0, 1.0))]), 0.0);
    assert_eq!(of(&[((16.0, 4.0), (1.0, 0.0))]), None);
    // One way first, then the other: 0 for the whole run, not the mean of two sizes.
    let mut metric = make_with(&ROTATION_SIZE, &film, |spec| (spec.at, spec.window) = (area(), Window::All));
    let walk = [(6.0, 4.0), (6.0, 5.0), (6.0, 4.0)];
    for (second, at) in (0..).zip(walk) {
        film.show(metric.as_mut(), f64::from(second), &[(0, at)], &[]);
    }
    // Up to (1, 0): r x v = 1; down to (1, -1): -1 / sqrt 2.
    near(metric.value(), 0.5 * (1.0 - 0.5_f64.sqrt()));
}

#[test]
fn neighbors_correlate_near_by_only() {
    let row = [((0.0, 0.0), (1.0, 0.0)), ((1.5, 0.0), (0.0, 1.0)), ((3.0, 0.0), (0.0, 1.0)), ((9.0, 0.0), (1.0, 0.0))];
    // First: cos 90 = 0; second: (0 + 1) / 2; third: 1; the fourth has no neighbor.
    near(value(&VELOCITY_CORRELATION, &row), 0.5);
    near(value(&VELOCITY_CORRELATION, &[((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (-1.0, 0.0))]), -1.0);
    assert_eq!(value(&VELOCITY_CORRELATION, &[row[0], row[3]]), None);
}

#[test]
fn a_flock_across_the_seam_is_a_flock() {
    // The ring of x from 0 to 10; the middle lies on the seam, and a step crosses it.
    let film = Film::new(8, 10.0).closed(Torus { x: Some((0.0, 10.0)), y: None });
    let wrapped = |p: (f64, f64)| ((p.0 + 10.0) % 10.0, p.1);
    let seen = |entry, all: &[Stepped]| {
        let mut metric = make(entry, &film);
        for (second, people) in (0..).zip(steps(all)) {
            let people: People = people.iter().map(|&(id, at)| (id, wrapped(at))).collect();
            film.show(metric.as_mut(), f64::from(second), &people, &[]);
        }
        metric.value()
    };
    let shifted: Vec<_> = ring(1.0).iter().map(|&((x, y), step)| ((x - 5.0, y), step)).collect();
    near(seen(&MILLING, &shifted), 1.0);
    let across = [((0.2, 0.0), (0.5, 0.0)), ((9.9, 0.0), (0.5, 0.0))];
    near(seen(&POLARIZATION, &across), 1.0);
    near(seen(&VELOCITY_CORRELATION, &across), 1.0);
}

#[test]
fn who_walks_over_the_seam_is_in_the_area_there() {
    let film = Film::ring(2, 10.0);
    let area = Polygon::rectangle(vec2(0.0, -1.0), vec2(2.0, 1.0));
    let mut metric = make_with(&POLARIZATION, &film, |spec| spec.at = Some(crate::metrics::Place::Area(area)));
    film.show(metric.as_mut(), 0.0, &[(0, (9.5, 0.0)), (1, (1.5, 0.0))], &[]);
    film.show(metric.as_mut(), 1.0, &[(0, (0.5, 0.0)), (1, (0.5, 0.5))], &[]);
    // East, and a unit vector to the north west with slope -1/2: half the length of the sum.
    near(metric.value(), ((1.0 - 2.0 / 5.0_f64.sqrt()).powi(2) + 1.0 / 5.0).sqrt() / 2.0);
}

#[test]
fn a_group_is_measured_alone() {
    let film = Film::new(8, 10.0);
    let mut metric = make_with(&POLARIZATION, &film, |spec| spec.group = Some(1));
    for (second, people) in
        (0..).zip(steps(&[((0.0, 0.0), (-1.0, 0.0)), ((0.0, 0.0), (1.0, 0.0)), ((0.0, 2.0), (1.0, 0.0))]))
    {
        let mut crowd = super::super::testing::crowd(&people);
        crowd.group = vec![0, 1, 1];
        film.show_crowd(metric.as_mut(), f64::from(second), &crowd, &[]);
    }
    near(metric.value(), 1.0);
}
