use super::super::testing::{Film, crowd, make_with, near};
use super::*;
use crate::world::Torus;

/// Group 0 is the first `centers` people, group 1 the rest.
fn show(film: &Film, metric: &mut dyn crate::metrics::Metric, centers: usize, at: &[(f64, f64)]) -> Option<f64> {
    let people: Vec<_> = (0..).zip(at.iter().copied()).collect();
    let mut crowd = crowd(&people);
    crowd.group = (0..at.len()).map(|row| u16::from(row >= centers)).collect();
    film.show_crowd(metric, 0.0, &crowd, &[]);
    metric.value()
}

fn value(entry: &'static Entry<MakeMetric>, centers: usize, at: &[(f64, f64)]) -> Option<f64> {
    let film = Film::new(16, 10.0);
    let mut metric = make_with(entry, &film, |spec| spec.center = Some(0));
    show(&film, metric.as_mut(), centers, at)
}

/// A guarded person at (3, 4) and people at these angles, deg, and distances.
fn around(people: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let place = |&(deg, r): &(f64, f64)| (3.0 + r * libm::cos(deg.to_radians()), 4.0 + r * libm::sin(deg.to_radians()));
    [(3.0, 4.0)].into_iter().chain(people.iter().map(place)).collect()
}

#[test]
fn the_leader_is_the_middle_of_the_center_group() {
    near(value(&LEADER_DISTANCE_M, 1, &[(0.0, 0.0), (3.0, 4.0), (0.0, 1.0)]), 3.0);
    near(value(&LEADER_DISTANCE_M, 2, &[(-1.0, 0.0), (1.0, 0.0), (3.0, 4.0)]), 5.0);
    // Nobody leads, nobody follows.
    assert_eq!(value(&LEADER_DISTANCE_M, 0, &[(3.0, 4.0)]), None);
    assert_eq!(value(&LEADER_DISTANCE_M, 1, &[(3.0, 4.0)]), None);
    let film = Film::new(2, 10.0);
    let mut nobody = make_with(&LEADER_DISTANCE_M, &film, |_| ());
    assert_eq!(show(&film, nobody.as_mut(), 1, &[(0.0, 0.0), (1.0, 0.0)]), None);
}

#[test]
fn eight_people_close_a_ring_and_one_covers_an_eighth() {
    let ring: Vec<_> = (0..8).map(|k| (45.0 * f64::from(k), 1.0)).collect();
    near(value(&RING_COVERAGE, 1, &around(&ring)), 1.0);
    near(value(&RING_COVERAGE, 1, &around(&ring[..1])), 0.125);
    // Two opposite people, whose unit vectors cancel, are no ring.
    near(value(&RING_COVERAGE, 1, &around(&[(0.0, 1.0), (180.0, 2.0)])), 0.25);
    // Eight in a heap are one; arcs that overlap by half cover 1.5 of 8.
    near(value(&RING_COVERAGE, 1, &around(&[(90.0, 1.0); 8])), 0.125);
    near(value(&RING_COVERAGE, 1, &around(&[(-11.25, 1.0), (11.25, 1.0)])), 0.1875);
    // Across the cut of the angle at 180 degrees.
    near(value(&RING_COVERAGE, 1, &around(&[(170.0, 1.0), (-170.0, 1.0)])), 65.0 / 360.0);
}

#[test]
fn only_who_is_in_the_ring_covers() {
    near(value(&RING_COVERAGE, 1, &around(&[(0.0, 0.4), (90.0, 1.0), (180.0, 3.1)])), 0.125);
    near(value(&RING_COVERAGE, 1, &around(&[])), 0.0);
    near(value(&RING_COVERAGE, 1, &around(&[(0.0, 0.0)])), 0.0);
    assert_eq!(value(&RING_COVERAGE, 0, &[(3.0, 4.0)]), None);
    let film = Film::new(16, 10.0);
    let mut wide = make_with(&RING_COVERAGE, &film, |spec| {
        spec.center = Some(0);
        spec.settings = vec![0.0, 10.0, 180.0];
    });
    near(show(&film, wide.as_mut(), 1, &around(&[(0.0, 0.2), (180.0, 9.0)])), 1.0);
}

#[test]
fn guards_stand_across_the_seam() {
    let film = Film::new(16, 10.0).closed(Torus { x: Some((0.0, 10.0)), y: None });
    let at = [(9.75, 4.0), (0.75, 4.0), (8.75, 4.0)];
    let of = |entry| show(&film, make_with(entry, &film, |spec| spec.center = Some(0)).as_mut(), 1, &at);
    near(of(&LEADER_DISTANCE_M), 1.0);
    near(of(&RING_COVERAGE), 0.25);
}
