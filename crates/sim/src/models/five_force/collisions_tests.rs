use super::super::testing::{Scene, settings, values};
use super::*;

const EAST: Vec2 = vec2(1.0, 0.0);
const NORTH: Vec2 = vec2(0.0, 1.0);

fn people(at: &[(f64, f64)]) -> Vec<(Vec2, Vec2)> {
    at.iter().map(|&(x, y)| (vec2(x, y), Vec2::ZERO)).collect()
}

/// Slots of small scenes.
static SLOTS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

fn mover(scene: &Scene, row: usize, wanted: Vec2, group_vel: Vec2) -> Mover<'static> {
    let around = &SLOTS[..scene.crowd.len()];
    Mover { row, wanted, heading: EAST, most: Limit::of(0.16), group_vel, range: 10.0, clearance: 0.0, around }
}

/// Steps of rows one after the other, all of 0.1 m to the east with neighbors who stand.
fn steps(scene: &Scene, rows: &[usize], set: &[(&str, f64)]) -> Vec<Vec2> {
    let values = values(set);
    let mut collisions = Collisions::new(&settings(&values), 2);
    collisions.begin(&scene.view(), 1.0);
    rows.iter().map(|&row| collisions.step(&scene.view(), &mover(scene, row, EAST, Vec2::ZERO))).collect()
}

fn step(scene: &Scene) -> Vec2 {
    steps(scene, &[0], &[])[0]
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 1e-12
}

#[test]
fn people_first_slow_down_to_the_group() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.0)]));
    let values = values(&[]);
    let mut collisions = Collisions::new(&settings(&values), 1);
    collisions.begin(&scene.view(), 1.0);
    // 0.1 m would end 0.45 m from the other, 0.04 m ends at 0.51 m.
    let slow = vec2(0.4, 0.0);
    assert_eq!(collisions.step(&scene.view(), &mover(&scene, 0, EAST, slow)), slow);
    // A faster group does not make anybody faster, so this is no way out.
    collisions.begin(&scene.view(), 1.0);
    assert_eq!(collisions.step(&scene.view(), &mover(&scene, 0, EAST, vec2(3.0, 0.0))), NORTH);
}

#[test]
fn then_they_take_the_free_one_of_four_directions_nearest_to_the_goal() {
    // Steps of 45 degrees end at (0.07, 0.07), 0.484 m from the other: too near. 90 degrees are free, left comes first.
    assert!(near(step(&Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.0)]))), NORTH));
    // With the other to the left 45 degrees to the right are free: 0.509 m.
    assert!(near(step(&Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.1)]))), vec2(HALF, -HALF)));
    // Of two free ones that nearer to a goal in the south-east counts.
    let mut scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.0)]));
    scene.desired[0] = vec2(HALF, -HALF);
    assert!(near(step(&scene), -NORTH));
}

#[test]
fn then_they_stand_unless_other_directions_are_chosen() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.0), (0.0, 0.55), (0.0, -0.55)]));
    assert_eq!(step(&scene), Vec2::ZERO);
    // 135 degrees to the left end at (-0.07, 0.07), 0.484 m from the one in the north: only straight back is free.
    assert_eq!(steps(&scene, &[0], &[("pedestrian_directions", 1.0)])[0], Vec2::ZERO);
    assert!(near(steps(&scene, &[0], &[("pedestrian_directions", 2.0)])[0], -EAST));
}

#[test]
fn each_sees_the_new_places_of_those_before() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (-0.5, 0.0)]));
    assert_eq!(steps(&scene, &[0, 1], &[]), [EAST, EAST]);
    // The other way round the one in front is still there.
    let scene = Scene::new(&[], &people(&[(-0.5, 0.0), (0.0, 0.0)]));
    assert_eq!(steps(&scene, &[0, 1], &[]), [NORTH, EAST]);
}

#[test]
fn a_wall_turns_people_to_one_of_seven_directions() {
    let wall = (vec2(0.3, -2.0), vec2(0.3, 2.0));
    let at = people(&[(0.0, 0.0)]);
    assert!(near(step(&Scene::new(&[wall], &at)), NORTH));
    let corridor = [wall, (vec2(-2.0, 0.3), vec2(0.3, 0.3)), (vec2(-2.0, -0.3), vec2(0.3, -0.3))];
    assert!(near(step(&Scene::new(&corridor, &at)), -EAST));
    let cell = [corridor[0], corridor[1], corridor[2], (vec2(-0.3, -2.0), vec2(-0.3, 2.0))];
    assert_eq!(step(&Scene::new(&cell, &at)), Vec2::ZERO);
}

#[test]
fn before_that_they_follow_the_trace_of_the_first_of_the_group() {
    let wall = (vec2(0.3, -1.0), vec2(0.3, 3.0));
    let at = people(&[(0.2, 2.0), (0.0, 0.0)]);
    let scene = Scene::new(&[wall], &at);
    assert!(near(steps(&scene, &[1], &[])[0], vec2(0.2, 2.0).unit().unwrap()));
    // Not behind a wall, and not behind themselves.
    let hidden = Scene::new(&[wall, (vec2(-1.0, 1.0), vec2(0.25, 1.0))], &at);
    assert!(near(steps(&hidden, &[1], &[])[0], NORTH));
    let behind = Scene::new(&[wall], &people(&[(-0.2, 2.0), (0.0, 0.0)]));
    assert!(near(steps(&behind, &[1], &[])[0], NORTH));
    // Not that of another group.
    let mut other = Scene::new(&[wall], &at);
    other.crowd.group[1] = 1;
    assert!(near(steps(&other, &[1], &[])[0], NORTH));
}

#[test]
fn strategies_can_respect_the_turn_limit() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.55, 0.0)]));
    assert_eq!(steps(&scene, &[0], &[("strategies_respect_turn_limit", 1.0)])[0], Vec2::ZERO);
}

#[test]
fn who_overlaps_may_leave_but_not_go_deeper() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (-0.3, 0.0)]));
    assert_eq!(step(&scene), EAST);
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.3, 0.0)]));
    assert!(near(step(&scene), NORTH));
}

#[test]
fn a_gap_is_kept_to_those_ahead_only() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.65, 0.0)]));
    let values = values(&[]);
    let mut collisions = Collisions::new(&settings(&values), 1);
    let mut step = |row: usize, wanted: Vec2| {
        collisions.begin(&scene.view(), 1.0);
        collisions.step(&scene.view(), &Mover { clearance: 0.1, ..mover(&scene, row, wanted, Vec2::ZERO) })
    };
    // 0.1 m would end at 0.55 m and 45 degrees at 0.584 m, with a gap of less than 0.1 m.
    assert!(near(step(0, EAST), NORTH));
    assert_eq!(step(1, -EAST), -EAST);
}

#[test]
fn a_long_step_does_not_jump_over_people() {
    let scene = Scene::new(&[], &people(&[(0.0, 0.0), (0.6, 0.0)]));
    let values = values(&[]);
    let mut collisions = Collisions::new(&settings(&values), 1);
    collisions.begin(&scene.view(), 15.0);
    // 1.5 m to the east end 0.9 m behind the other.
    assert!(collisions.step(&scene.view(), &mover(&scene, 0, EAST * 15.0, Vec2::ZERO)).x < 1e-9);
}
