use super::testing::{Scene, settings, values};
use super::*;

const EAST: Vec2 = vec2(1.0, 0.0);
const NONE: [(&str, f64); 5] = [
    ("attraction_weight", 0.0),
    ("separation_weight", 0.0),
    ("alignment_weight", 0.0),
    ("cohesion_weight", 0.0),
    ("repulsion_weight", 0.0),
];

fn made(set: &[(&str, f64)]) -> FiveForce {
    let scene = Scene::new(&[], &[]);
    let values = values(set);
    let groups = [settings(&values)];
    let setup = ModelSetup { scenario: &scene.place, max_radius_m: 0.25, min_mass_kg: 80.0, seed: Seed(1) };
    FiveForce::new(&setup, &groups)
}

/// The velocities of one step, those of before being the scene's.
fn step(model: &mut FiveForce, scene: &Scene) -> Vec<Vec2> {
    let n = scene.crowd.len();
    let (mut vel, mut shift) = (vec![vec2(9.0, 9.0); n], Vec::new());
    let (mut pressure, mut status) = (vec![0.0; n], scene.crowd.status.clone());
    let mut next = Update { vel: &mut vel, shift: &mut shift, pressure: &mut pressure, status: &mut status };
    model.steer(&scene.view(), &mut next);
    vel
}

fn only<'k>(weight: &'k str, value: f64, more: &[(&'k str, f64)]) -> Vec<(&'k str, f64)> {
    let mut set = NONE.to_vec();
    set.retain(|(key, _)| *key != weight);
    set.push((weight, value));
    set.extend_from_slice(more);
    set
}

#[test]
fn only_the_shares_of_the_weights_act() {
    let scene = Scene::new(&[], &[(Vec2::ZERO, Vec2::ZERO), (vec2(2.0, 1.0), vec2(0.3, 0.3))]);
    // At rest the attraction is 0.5: 10 m/s2 * 0.5 * 0.1 s, whatever the weight.
    for weight in [0.01, 1.0, 1000.0] {
        let vel = step(&mut made(&only("attraction_weight", weight, &[])), &scene);
        assert!((vel[0] - EAST * 0.5).length() < 1e-12, "{:?}", vel[0]);
    }
    assert_eq!(step(&mut made(&NONE), &scene), scene.crowd.vel);
}

#[test]
fn speed_is_capped_at_the_highest_one_and_else_at_the_desired_one() {
    let mut scene = Scene::new(&[], &[(Vec2::ZERO, EAST), (vec2(2.0, 0.0), EAST * 3.0)]);
    let set = only("alignment_weight", 1.0, &[("gain_m_per_s2", 1000.0)]);
    assert!((step(&mut made(&set), &scene)[0].length() - 1.0).abs() < 1e-12);
    scene.crowd.max_speed[0] = 2.0;
    // Alignment (3 - 1) / (2 * 2) would give 51 m/s.
    assert!((step(&mut made(&set), &scene)[0].length() - 2.0).abs() < 1e-12);
}

#[test]
fn nobody_turns_faster_than_the_limit() {
    let mut scene = Scene::new(&[], &[(Vec2::ZERO, EAST * 0.5)]);
    scene.desired[0] = vec2(0.0, 1.0);
    let mut model = made(&only("attraction_weight", 1.0, &[]));
    // 22.5 degrees in 0.25 s are 9 in a step of 0.1 s.
    for k in 1..=3 {
        let vel = step(&mut model, &scene);
        let angle = libm::atan2(vel[0].y, vel[0].x).to_degrees();
        assert!((angle - 9.0 * f64::from(k)).abs() < 1e-9, "{angle}");
        scene.crowd.vel[0] = vel[0];
    }
}

#[test]
fn who_stands_keeps_the_heading() {
    let mut model = made(&NONE);
    step(&mut model, &Scene::new(&[], &[(Vec2::ZERO, vec2(0.0, 1.0))]));
    assert_eq!(step(&mut model, &Scene::new(&[], &[(Vec2::ZERO, Vec2::ZERO)]))[0], Vec2::ZERO);
    assert_eq!(model.heading[0], vec2(0.0, 1.0));
}

#[test]
fn the_first_heading_is_towards_the_goal_and_else_by_seed() {
    let mut scene = Scene::new(&[], &[(Vec2::ZERO, Vec2::ZERO), (vec2(3.0, 0.0), Vec2::ZERO)]);
    scene.desired[1] = Vec2::ZERO;
    let mut model = made(&NONE);
    step(&mut model, &scene);
    assert_eq!(model.heading[0], EAST);
    assert!((model.heading[1].length() - 1.0).abs() < 1e-12 && model.heading[1] != EAST);
}

#[test]
fn people_who_wait_or_are_injured_stand_and_who_leaves_takes_the_own_row_along() {
    let at = |x: f64| (vec2(x, 0.0), Vec2::ZERO);
    let mut scene = Scene::new(&[], &[at(0.0), at(5.0), at(10.0)]);
    scene.crowd.status[0] = Status::Waiting;
    scene.crowd.status[2] = Status::Injured;
    scene.desired[1] = vec2(0.0, 1.0);
    let mut model = made(&[]);
    let vel = step(&mut model, &scene);
    assert!(vel[0] == Vec2::ZERO && vel[1].y > 0.0 && vel[2] == Vec2::ZERO);
    model.remap(&RowMap { old: vec![1] });
    assert_eq!(model.heading, [vec2(0.0, 1.0)]);
}

#[test]
fn a_slow_crowd_without_speed_does_not_divide_by_it() {
    let mut scene = Scene::new(&[], &[(Vec2::ZERO, Vec2::ZERO), (vec2(1.0, 0.0), Vec2::ZERO)]);
    scene.crowd.desired_speed[0] = 0.0;
    assert_eq!(step(&mut made(&[]), &scene)[0], Vec2::ZERO);
}

#[test]
fn without_strategies_the_forces_alone_act() {
    let scene = Scene::new(&[], &[(Vec2::ZERO, EAST), (vec2(0.55, 0.0), Vec2::ZERO)]);
    let mut set = NONE.to_vec();
    set.push(("collision_strategies", 0.0));
    assert_eq!(step(&mut made(&set), &scene)[0], EAST);
    assert!(step(&mut made(&NONE), &scene)[0] != EAST);
}
