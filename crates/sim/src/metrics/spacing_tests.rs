use super::super::testing::{Film, make, make_with, near, show_once, value_once};
use super::*;
use crate::world::Torus;
use crate::world::scenario::Polygon;
use crowdtune_core::math::vec2;
use proptest::prelude::*;

fn closed() -> Film {
    Film::new(8, 10.0).closed(Torus { x: Some((0.0, 10.0)), y: Some((0.0, 8.0)) })
}

#[test]
fn the_nearest_neighbor_is_near() {
    // A pair 1 m apart and one 3 m off: (1 + 1 + 3) / 3.
    near(value_once(&NEAREST_NEIGHBOR_M, &[(0.0, 0.0), (1.0, 0.0), (4.0, 0.0)]), 5.0 / 3.0);
    near(value_once(&NEAREST_NEIGHBOR_M, &[(2.0, 0.0), (2.0, 9.0), (2.0, 3.0)]), 4.0);
    near(value_once(&NEAREST_NEIGHBOR_M, &[(2.0, 0.0), (2.0, 0.0)]), 0.0);
    assert_eq!(value_once(&NEAREST_NEIGHBOR_M, &[(2.0, 0.0)]), None);
    assert_eq!(value_once(&NEAREST_NEIGHBOR_M, &[]), None);
}

#[test]
fn clusters_are_chains_of_links() {
    // A chain with links of 1.5 m and one person 1.6 m beyond.
    let chain = [(0.0, 0.0), (3.0, 0.0), (1.5, 0.0), (4.6, 0.0)];
    near(value_once(&CONNECTED_GROUPS, &chain), 2.0);
    near(value_once(&CONNECTED_GROUPS, &chain[..3]), 1.0);
    near(value_once(&CONNECTED_GROUPS, &chain[..2]), 2.0);
    near(value_once(&CONNECTED_GROUPS, &chain[..1]), 1.0);
    assert_eq!(value_once(&CONNECTED_GROUPS, &[]), None);
    let film = Film::new(8, 10.0);
    let mut wide = make_with(&CONNECTED_GROUPS, &film, |spec| spec.settings = vec![1.7]);
    near(show_once(&film, wide.as_mut(), &chain), 1.0);
}

#[test]
fn a_square_lattice_has_a_clark_evans_index_of_2() {
    let film = Film::new(8, 10.0);
    let area = Polygon::rectangle(vec2(0.0, 0.0), vec2(2.0, 2.0));
    let mut metric = make_with(&CLARK_EVANS, &film, |spec| spec.at = Some(Place::Area(area)));
    // Density 1 /m2, distance 1 m; the person outside does not count.
    near(show_once(&film, metric.as_mut(), &[(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5), (2.5, 0.5)]), 2.0);
    assert_eq!(value_once(&CLARK_EVANS, &[(0.5, 0.5), (1.5, 0.5)]), None);
}

#[test]
fn the_seam_is_no_distance() {
    let film = closed();
    // 0.5 m across the seam of x, 1 m across that of y.
    let of = |entry, at: &[(f64, f64)]| show_once(&film, make(entry, &film).as_mut(), at);
    near(of(&NEAREST_NEIGHBOR_M, &[(9.75, 1.0), (0.25, 1.0)]), 0.5);
    near(of(&NEAREST_NEIGHBOR_M, &[(3.0, 7.5), (3.0, 0.5)]), 1.0);
    near(of(&CONNECTED_GROUPS, &[(9.75, 1.0), (0.25, 1.0), (5.0, 1.0)]), 2.0);
    // Half the ring is 5 m: a pair counts from one side only.
    let mut pairs = 0;
    let mut sorted = Sorted::default();
    sorted.sort(&film.scenario.world, [vec2(1.0, 1.0), vec2(6.0, 1.0)].into_iter());
    sorted.pairs(&film.scenario.world, 5.0, |_, _| {
        pairs += 1;
        true
    });
    assert_eq!(pairs, 1);
}

proptest! {
    #[test]
    fn sorted_points_find_what_all_pairs_find(
        points in prop::collection::vec((0.0..10.0f64, 0.0..8.0f64), 0..40),
        reach in 0.1..6.0f64,
        ring in any::<bool>(),
    ) {
        let film = if ring { closed() } else { Film::new(8, 10.0) };
        let world = &film.scenario.world;
        let points: Vec<_> = points.iter().map(|p| vec2(p.0, p.1)).collect();
        let mut sorted = Sorted::default();
        sorted.sort(world, points.iter().copied());
        let mut found = Vec::new();
        sorted.pairs(world, reach, |i, j| {
            found.push((i.min(j), i.max(j)));
            true
        });
        found.sort_unstable();
        let apart = |i: usize, j: usize| world.apart(points[i], points[j]).length();
        let all: Vec<_> = (0..points.len()).flat_map(|i| (i + 1..points.len()).map(move |j| (i, j))).collect();
        let wanted: Vec<_> = all.iter().copied().filter(|&(i, j)| apart(i, j) <= reach).collect();
        prop_assert_eq!(found, wanted);
        let others = |i: usize| (0..points.len()).filter(move |&j| j != i).map(move |j| apart(i, j));
        let sum: f64 = (0..points.len()).map(|i| others(i).fold(f64::INFINITY, f64::min)).sum();
        match sorted.nearest(world) {
            Some(mean) => prop_assert!((mean - sum / points.len() as f64).abs() < 1e-9),
            None => prop_assert!(points.len() < 2),
        }
    }
}
