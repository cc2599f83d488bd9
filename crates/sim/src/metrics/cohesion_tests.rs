use super::super::testing::{Film, make, make_with, near, show_once, value_once};
use super::*;
use crate::world::Torus;

/// `n` people on a circle of 2 m about (3, 4).
fn circle(n: u32) -> Vec<(f64, f64)> {
    let angle = |k| std::f64::consts::TAU * f64::from(k) / f64::from(n);
    (0..n).map(|k| (3.0 + 2.0 * libm::cos(angle(k)), 4.0 + 2.0 * libm::sin(angle(k)))).collect()
}

#[test]
fn a_circle_is_dispersed_by_its_radius_and_extends_by_its_diameter() {
    near(value_once(&DISPERSION_M, &circle(7)), 2.0);
    near(value_once(&EXTENT_M, &circle(8)), 4.0);
    // Of three on a circle: the side of the triangle.
    near(value_once(&EXTENT_M, &circle(3)), 2.0 * 3.0_f64.sqrt());
    near(value_once(&EXTENT_M, &[(0.0, 0.0), (3.0, 4.0), (1.0, 1.0)]), 5.0);
    for entry in [&DISPERSION_M, &EXTENT_M, &COHESION_INDEX] {
        assert_eq!(value_once(entry, &[]), None);
        assert_eq!(value_once(entry, &[(1.0, 2.0)]), None);
    }
}

#[test]
fn the_index_of_a_pair_at_the_preferred_distance() {
    // D = d / 2 and D0 = sqrt(2) d / 2.
    let wanted = libm::exp(-0.5_f64.sqrt());
    near(value_once(&COHESION_INDEX, &[(0.0, 0.0), (0.88, 0.0)]), wanted);
    near(value_once(&COHESION_INDEX, &[(0.0, 0.0), (0.0, 0.0)]), 1.0);
    let film = Film::new(8, 10.0);
    let mut wide = make_with(&COHESION_INDEX, &film, |spec| spec.settings = vec![2.0]);
    near(show_once(&film, wide.as_mut(), &[(0.0, 0.0), (2.0, 0.0)]), wanted);
    // Four on a circle of 2 m: D0 = 0.5 x 2 x 0.88.
    near(value_once(&COHESION_INDEX, &circle(4)), libm::exp(-2.0 / 0.88));
}

#[test]
fn a_group_across_a_seam_keeps_together() {
    let film = Film::new(8, 10.0).closed(Torus { x: Some((0.0, 10.0)), y: Some((-5.0, 5.0)) });
    let of = |entry, at: &[(f64, f64)]| show_once(&film, make(entry, &film).as_mut(), at);
    let at = [(9.0, -4.0), (9.0, 4.0), (1.0, -4.0), (1.0, 4.0)];
    near(of(&DISPERSION_M, &at), 2.0_f64.sqrt());
    near(of(&EXTENT_M, &at), 8.0_f64.sqrt());
    near(of(&EXTENT_M, &[(0.0, 0.0), (5.0, 0.0), (9.0, 0.0)]), 5.0);
}
