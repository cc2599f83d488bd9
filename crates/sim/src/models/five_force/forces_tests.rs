use super::super::testing::Scene;
use super::*;
use crate::world::Torus;
use crowdtune_core::math::vec2;

const EAST: Vec2 = vec2(1.0, 0.0);
/// 20 diameters of 0.5 m.
const RANGE: f64 = 10.0;

fn seen(scene: &Scene, all: bool) -> Seen {
    scene.seen(&[EAST; 4], &[], all)[scene.slot(0)]
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 1e-6
}

fn standing(at: &[Vec2]) -> Scene {
    let people: Vec<_> = at.iter().map(|&p| (p, Vec2::ZERO)).collect();
    Scene::new(&[], &people)
}

#[test]
fn separation_is_the_mean_of_one_over_the_distance() {
    // 2 r = 0.5 m: at 1 m half of the force in contact, at 2 m a quarter, over two neighbors.
    let scene = standing(&[Vec2::ZERO, vec2(1.0, 0.0), vec2(0.0, 2.0)]);
    assert!(near(seen(&scene, false).separation(), vec2(-0.25, -0.125)));
    // Nearer than contact it is 1.
    assert!(near(seen(&standing(&[Vec2::ZERO, vec2(0.3, 0.0)]), false).separation(), vec2(-1.0, 0.0)));
}

#[test]
fn people_at_the_same_place_part_in_opposite_directions() {
    let scene = standing(&[Vec2::ZERO, Vec2::ZERO]);
    let all_around = [("field_of_view_deg", 360.0)];
    let both: Vec<Vec2> = scene.seen(&[EAST; 2], &all_around, false).iter().map(Seen::separation).collect();
    assert!((both[0].length() - 1.0).abs() < 1e-12 && near(both[0], -both[1]));
}

#[test]
fn neighbors_are_seen_within_the_range_and_the_field_of_view() {
    let count = |at: Vec2| seen(&standing(&[Vec2::ZERO, at]), false).count;
    let at = |degrees: f64| vec2(libm::cos(degrees.to_radians()), libm::sin(degrees.to_radians())) * 3.0;
    assert_eq!([count(at(0.0)), count(at(164.0)), count(at(-164.0))], [1.0; 3]);
    assert_eq!([count(at(166.0)), count(at(-166.0)), count(at(180.0))], [0.0; 3]);
    assert_eq!([count(vec2(9.9, 0.0)), count(vec2(10.1, 0.0))], [1.0, 0.0]);
}

#[test]
fn other_groups_count_only_where_all_do() {
    let mut scene = standing(&[Vec2::ZERO, vec2(1.0, 0.0)]);
    scene.crowd.group[1] = 1;
    assert_eq!((seen(&scene, false).count, seen(&scene, true).count), (0.0, 1.0));
    assert_eq!(seen(&scene, false).mean_vel(), None);
}

#[test]
fn the_shortest_way_to_a_neighbor_leads_over_the_seam() {
    let ring = Torus { x: Some((0.0, 30.0)), y: None };
    let scene = Scene::ring(ring, &[], &[(vec2(29.5, 0.0), Vec2::ZERO), (vec2(1.5, 0.0), Vec2::ZERO)]);
    assert!(near(seen(&scene, false).cohesion(RANGE), vec2(0.2, 0.0)));
}

#[test]
fn alignment_is_the_difference_to_the_mean_velocity() {
    let scene =
        Scene::new(&[], &[(Vec2::ZERO, EAST), (vec2(1.0, 0.0), vec2(0.0, 1.5)), (vec2(2.0, 0.0), vec2(0.0, 0.5))]);
    // (0, 1) - (1, 0), over 2 V_max = 2 m/s.
    assert!(near(seen(&scene, false).alignment(EAST, 1.0), vec2(-0.5, 0.5)));
}

#[test]
fn cohesion_is_the_way_to_the_middle_over_the_range() {
    let scene = standing(&[Vec2::ZERO, vec2(2.0, 0.0), vec2(4.0, 2.0)]);
    assert!(near(seen(&scene, false).cohesion(RANGE), vec2(0.3, 0.1)));
    assert_eq!(seen(&standing(&[Vec2::ZERO]), false).cohesion(RANGE), Vec2::ZERO);
}

#[test]
fn attraction_wants_a_speed_that_falls_near_the_goal() {
    let force = |distance: f64, v: Vec2| attraction((EAST, distance, 1.0), RANGE, v, 1.0);
    assert!(near(force(f64::INFINITY, Vec2::ZERO), vec2(0.5, 0.0)));
    assert!(near(force(5.0, Vec2::ZERO), vec2(0.25, 0.0)));
    assert!(near(force(5.0, vec2(0.5, 0.0)), Vec2::ZERO));
    assert!(near(force(20.0, vec2(0.0, 1.0)), vec2(0.5, -0.5)));
    // At the goal people brake; without one nothing pulls.
    assert!(near(attraction((Vec2::ZERO, 0.05, 1.0), RANGE, EAST, 1.0), vec2(-0.5, 0.0)));
    assert_eq!(attraction((Vec2::ZERO, 0.0, 1.0), RANGE, EAST, 1.0), Vec2::ZERO);
}

#[test]
fn repulsion_brakes_who_is_about_to_meet_a_wall() {
    let scene = Scene::new(&[(vec2(3.0, -9.0), vec2(3.0, 9.0))], &[]);
    let force = |x: f64, v: Vec2, ahead: f64| repulsion(&scene.place.world.walls, vec2(x, 0.0), v, 0.25, ahead);
    // The body meets the wall after 2.75 m, in 2.75 s.
    assert_eq!(force(0.0, EAST, 2.7), Vec2::ZERO);
    assert!((force(0.0, EAST, 3.0) - vec2(-0.25 / 2.75, 0.0)).length() < 1e-4);
    // Nearer than one radius it is 1; along the wall, away from it and at rest nothing.
    assert!(near(force(2.6, EAST, 1.0), vec2(-1.0, 0.0)));
    for v in [vec2(0.0, 1.0), vec2(-1.0, 0.0), Vec2::ZERO] {
        assert_eq!(force(2.75, v, 1.0), Vec2::ZERO);
    }
    // At an angle of 45 degrees the way is longer by the root of 2.
    let slant = force(0.0, vec2(1.0, 1.0), 3.0);
    assert!((slant.length() - 0.25 / (2.75 * 2f64.sqrt())).abs() < 1e-4 && slant.x == slant.y);
}
