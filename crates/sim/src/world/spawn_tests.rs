use super::*;
use crate::world::FieldCache;
use crate::world::scenario::{FloorPlan, Segment};
use crowdtune_core::math::rng::{self, Seed};

fn room(width: f64, height: f64) -> World {
    let plan = FloorPlan {
        walls: Polygon::rectangle(Vec2::ZERO, vec2(width, height)).edges().collect::<Vec<Segment>>(),
        ..FloorPlan::default()
    };
    World::new(plan, &mut FieldCache::default()).unwrap()
}

fn area(width: f64, height: f64) -> Polygon {
    Polygon::rectangle(Vec2::ZERO, vec2(width, height))
}

fn assert_free(placed: &[Vec2], radii: &[f64], world: &World, taken: &[(Vec2, f64)]) {
    assert_eq!(placed.len(), radii.len());
    for (i, (&p, &r)) in placed.iter().zip(radii).enumerate() {
        assert!(world.walls.distance(p) >= r - 1e-9 && p.x > 0.0 && p.y > 0.0);
        let later = placed[i + 1..].iter().copied().zip(radii[i + 1..].iter().copied());
        for (q, s) in later.chain(taken.iter().copied()) {
            assert!((p - q).length() >= r + s - 2e-9, "{p:?} and {q:?} overlap");
        }
    }
}

#[test]
fn two_hundred_always_fit_into_the_room_of_the_paper() {
    let world = room(15.0, 15.0);
    for seed in 0..50 {
        let mut rng = Seed(seed).rng();
        let radii: Vec<f64> = (0..200).map(|_| 0.25 + 0.1 * rng::unit(&mut rng)).collect();
        let placed = place(&Spawn::Random(area(15.0, 15.0)), &radii, &world, &[], &mut rng).unwrap();
        assert_free(&placed, &radii, &world, &[]);
    }
}

#[test]
fn a_dense_crowd_of_3_5_per_square_meter_fits() {
    let world = room(10.0, 8.0);
    for seed in 0..10 {
        let radii = vec![0.2; 280];
        let placed = place(&Spawn::Random(area(10.0, 8.0)), &radii, &world, &[], &mut Seed(seed).rng()).unwrap();
        assert_free(&placed, &radii, &world, &[]);
    }
}

#[test]
fn who_is_there_already_keeps_the_place() {
    let world = room(4.0, 4.0);
    let taken = [(vec2(2.0, 2.0), 1.2), (vec2(90.0, 2.0), 0.2)];
    let radii = [0.2, 0.4, 0.3];
    let placed = place(&Spawn::Random(area(4.0, 4.0)), &radii, &world, &taken, &mut Seed(1).rng()).unwrap();
    assert_free(&placed, &radii, &world, &taken);
}

#[test]
fn a_full_area_is_refused_with_density_and_number() {
    let world = room(2.0, 2.0);
    let error = place(&Spawn::Random(area(2.0, 2.0)), &[0.3; 40], &world, &[], &mut Seed(1).rng()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("40 people do not fit into their starting area of 4.0 m2: 10.00 people/m2"), "{text}");
    // Four columns of 0.6 m would need 2.4 m; centers have 1.4 m: three rows of three touch at 0.7 m.
    let error =
        place(&Spawn::Lattice { area: area(2.0, 2.0), spacing_m: None }, &[0.3; 40], &world, &[], &mut Seed(1).rng());
    assert!(error.unwrap_err().what().contains("do not fit"));
}

#[test]
fn a_lattice_of_given_spacing_is_that_of_the_benchmark_room() {
    let world = room(15.0, 15.0);
    let spawn = Spawn::Lattice { area: Polygon::rectangle(vec2(0.7, 0.7), vec2(14.3, 14.3)), spacing_m: Some(0.95) };
    let placed = place(&spawn, &[0.35; 200], &world, &[], &mut Seed(1).rng()).unwrap();
    for (k, p) in placed.iter().enumerate() {
        let expected = vec2(0.7 + 0.95 * (k % 15) as f64, 0.7 + 0.95 * (k / 15) as f64);
        assert!((*p - expected).length() < 1e-12, "person {k}");
    }
}

#[test]
fn the_widest_lattice_fills_a_square() {
    let world = room(10.0, 10.0);
    let inner = Polygon::rectangle(vec2(1.0, 1.0), vec2(9.0, 9.0));
    let spawn = Spawn::Lattice { area: inner.clone(), spacing_m: None };
    // 25 people in 8 m: five columns at 2 m.
    let placed = place(&spawn, &[0.3; 25], &world, &[], &mut Seed(1).rng()).unwrap();
    for (k, p) in placed.iter().enumerate() {
        let expected = vec2(1.0 + 2.0 * (k % 5) as f64, 1.0 + 2.0 * (k / 5) as f64);
        assert!((*p - expected).length() < 1e-6, "person {k} at {p:?}");
    }
    let spawn = Spawn::Lattice { area: inner, spacing_m: Some(0.5) };
    assert!(place(&spawn, &[0.3; 4], &world, &[], &mut Seed(1).rng()).unwrap_err().what().contains("overlap"));
}

#[test]
fn points_are_taken_as_given() {
    let world = room(4.0, 4.0);
    let spawn = Spawn::Points(vec![vec2(1.0, 1.0), vec2(1.1, 1.0)]);
    assert_eq!(place(&spawn, &[0.3; 2], &world, &[], &mut Seed(1).rng()).unwrap()[1], vec2(1.1, 1.0));
    let error = place(&spawn, &[0.3; 3], &world, &[], &mut Seed(1).rng()).unwrap_err();
    assert!(error.what().contains("3 people start at 2 points"));
}

#[test]
fn nobody_starts_in_a_hole_of_the_walkable_area() {
    let hole = Polygon::rectangle(vec2(1.0, 0.0), vec2(4.0, 4.0));
    let mut world = room(4.0, 4.0);
    world.plan.walkable = vec![(area(4.0, 4.0), vec![hole])];
    let placed = place(&Spawn::Random(area(4.0, 4.0)), &[0.1; 20], &world, &[], &mut Seed(3).rng()).unwrap();
    assert!(placed.iter().all(|p| p.x < 1.0));
}

#[test]
fn a_slanting_strip_is_filled() {
    let world = room(100.0, 100.0);
    let strip = Polygon { points: vec![vec2(1.0, 1.0), vec2(99.0, 98.0), vec2(99.0, 99.0), vec2(1.0, 2.0)] };
    let placed = place(&Spawn::Random(strip.clone()), &[0.2; 50], &world, &[], &mut Seed(5).rng()).unwrap();
    assert!(placed.iter().all(|&p| strip.contains(p)));
    assert_free(&placed, &[0.2; 50], &world, &[]);
}
