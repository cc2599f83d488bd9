//! What the social force model has to do, with answers computed by hand.

use crowdtune_core::math::rng::Seed;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::{Settings, defaults, find};
use crowdtune_sim::crowd::{Crowd, Status};
use crowdtune_sim::crowd::{RunSetup, Sim, Start};
use crowdtune_sim::models::{MODELS, ModelSetup};
use crowdtune_sim::world::scenario::{FloorPlan, Goal, Group, Scenario, Segment, named};
use crowdtune_testing::place;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// One person: place, velocity, radius, desired speed.
type Person = (Vec2, Vec2, f64, f64);

/// A place with these walls and a far goal line across the x axis.
fn hall(walls: &[Segment]) -> Scenario {
    let line = Segment { a: vec2(1e4, -1e4), b: vec2(1e4, 1e4) };
    let plan = FloorPlan {
        walls: walls.to_vec(),
        walkable: Vec::new(),
        goals: vec![named("far", Goal::Door { line, outward: vec2(1.0, 0.0) })],
        ..FloorPlan::default()
    };
    place::scenario(plan, Group { stages: vec![vec![0]], ..Group::default() }, 1e6)
}

fn crowd_of(people: &[Person]) -> Crowd {
    Crowd {
        vel: people.iter().map(|p| p.1).collect(),
        radius: people.iter().map(|p| p.2).collect(),
        desired_speed: people.iter().map(|p| p.3).collect(),
        ..Crowd::at(people.iter().map(|p| p.0).collect())
    }
}

/// Steps a crowd with the published constants but these.
fn after(scenario: &Scenario, crowd: Crowd, set: &[(&str, f64)], dt: f64, steps: u64) -> Crowd {
    watched(scenario, crowd, set, (dt, steps), &mut |_| {})
}

/// As [`after`]; `watch` sees the crowd after every step.
fn watched(
    scenario: &Scenario,
    crowd: Crowd,
    set: &[(&str, f64)],
    (dt, steps): (f64, u64),
    watch: &mut dyn FnMut(&Crowd),
) -> Crowd {
    let entry = find(MODELS, "social_force").unwrap();
    let mut values = defaults(entry.params);
    for (key, value) in set {
        let at = entry.params.iter().position(|p| p.key == *key).expect(key);
        values[at] = *value;
    }
    let setup = ModelSetup { scenario, max_radius_m: 0.35, min_mass_kg: 80.0, seed: Seed(1) };
    let model = (entry.make.make)(&setup, &[Settings::new(entry.params, &values)]);
    let mut run = Sim::new(Start::of(RunSetup::new(scenario.clone(), dt), crowd), model);
    for _ in 0..steps {
        run.step().unwrap();
        watch(run.crowd());
    }
    run.crowd().clone()
}

/// 10 ms, the default step and that of a draft, s.
fn step_lengths() -> [f64; 3] {
    let make = &find(MODELS, "social_force").unwrap().make;
    [0.01, make.time_step_s, make.max_time_step_s]
}

/// No psychological force, no drive to speak of: contact alone.
const CONTACT_ONLY: [(&str, f64); 4] = [
    ("repulsion_strength_n", 0.0),
    ("wall_repulsion_strength_n", 0.0),
    ("body_stiffness_kg_per_s2", 0.0),
    ("relaxation_time_s", 1e9),
];

fn wall(x0: f64, y0: f64, x1: f64, y1: f64) -> Segment {
    Segment { a: vec2(x0, y0), b: vec2(x1, y1) }
}

#[test]
fn a_free_walker_reaches_63_percent_of_the_desired_speed_after_the_relaxation_time() {
    let start = crowd_of(&[(Vec2::ZERO, Vec2::ZERO, 0.3, 1.34)]);
    for (dt, steps) in [(0.01, 50), (0.001, 500)] {
        let end = after(&hall(&[]), start.clone(), &[], dt, steps);
        // Backward Euler: 1 - (1 + dt / tau)^-n.
        let expected = 1.34 * (1.0 - (1.0 + dt / 0.5_f64).powi(-(steps as i32)));
        assert!((end.vel[0].x - expected).abs() < 1e-9);
        assert!((end.vel[0].x / 1.34 - 0.632).abs() < 0.005);
    }
}

#[test]
fn a_wall_brakes_who_slides_along_it() {
    // Overlap 0.05 m, friction 2.4e5 * 0.05 / 80 = 150 1/s: one step of 10 ms divides the speed by 2.5.
    let start = crowd_of(&[(vec2(0.0, 0.25), vec2(1.0, 0.0), 0.3, 0.0)]);
    let end = after(&hall(&[wall(-50.0, 0.0, 50.0, 0.0)]), start, &CONTACT_ONLY, 0.01, 1);
    assert!((end.vel[0].x - 1.0 / 2.5).abs() < 1e-9, "{}", end.vel[0].x);
    assert!(end.vel[0].y.abs() < 1e-12);
}

#[test]
fn friction_between_two_people_keeps_momentum_and_takes_energy() {
    let start = crowd_of(&[(vec2(0.0, 0.0), vec2(1.0, 0.0), 0.3, 0.0), (vec2(0.0, 0.55), vec2(-0.4, 0.0), 0.3, 0.0)]);
    let end = after(&hall(&[]), start, &CONTACT_ONLY, 0.01, 1);
    // u' = u / (1 + 2 dt kappa g / m) with dt kappa g / m = 1.5.
    assert!((end.vel[0].x - end.vel[1].x - 1.4 / 4.0).abs() < 1e-7);
    assert!((end.vel[0].x + end.vel[1].x - 0.6).abs() < 1e-7);
}

#[test]
fn two_people_push_each_other_apart_with_the_published_force() {
    // Gap 0: 2000 N / 80 kg = 25 m/s2 each; the own part of the stiffness damps one step of 1 ms by 0.03 %.
    let start = crowd_of(&[(vec2(0.0, 0.0), Vec2::ZERO, 0.3, 0.0), (vec2(0.6, 0.0), Vec2::ZERO, 0.3, 0.0)]);
    let end = after(&hall(&[]), start, &[("relaxation_time_s", 1e9)], 0.001, 1);
    assert!((end.vel[1].x - 0.025).abs() < 2e-5, "{}", end.vel[1].x);
    assert!((end.vel[0].x + end.vel[1].x).abs() < 1e-12);
}

#[test]
fn who_leans_on_a_wall_comes_to_rest_where_the_forces_balance() {
    // 80 * 1.5 / 0.5 = 240 N of drive against A exp(g/B): g = B ln(240/2000) = -0.1696 m, a gap.
    let start = crowd_of(&[(vec2(-1.0, 0.0), Vec2::ZERO, 0.3, 1.5)]);
    let end = after(&hall(&[wall(0.0, -50.0, 0.0, 50.0)]), start, &[], 0.01, 2000);
    let gap = 0.08 * (240.0_f64 / 2000.0).ln();
    assert!((end.pos[0].x - (gap - 0.3)).abs() < 1e-6, "{}", end.pos[0].x);
    // Without the exponential the body force alone holds: 240 N / 1.2e5 N/m = 2 mm of overlap.
    let start = crowd_of(&[(vec2(-1.0, 0.0), Vec2::ZERO, 0.3, 1.5)]);
    let end = after(&hall(&[wall(0.0, -50.0, 0.0, 50.0)]), start, &[("wall_repulsion", 0.0)], 0.01, 2000);
    assert!((end.pos[0].x - (-0.3 + 0.002)).abs() < 1e-6, "{}", end.pos[0].x);
    let pressure = 240.0 / (2.0 * std::f64::consts::PI * 0.3);
    assert!((end.pressure[0] / pressure - 1.0).abs() < 1e-3, "{}", end.pressure[0]);
}

#[test]
fn people_behind_are_felt_less_with_anisotropy() {
    let start = crowd_of(&[(vec2(0.0, 0.0), Vec2::ZERO, 0.3, 1e-9), (vec2(0.7, 0.0), Vec2::ZERO, 0.3, 1e-9)]);
    let end = after(&hall(&[]), start, &[("anisotropy", 0.25), ("relaxation_time_s", 1e9)], 0.001, 1);
    // Both want to go to +x: the left one sees the other straight ahead (weight 1), the right one behind (0.25).
    assert!((end.vel[1].x / -end.vel[0].x - 0.25).abs() < 1e-3);
}

#[test]
fn a_split_wall_acts_like_a_whole_one() {
    let start = crowd_of(&[(vec2(-3.0, 0.29), vec2(1.0, -0.1), 0.3, 1.34), (vec2(-2.2, 0.7), Vec2::ZERO, 0.3, 1.34)]);
    let whole = after(&hall(&[wall(-50.0, 0.0, 50.0, 0.0)]), start.clone(), &[], 0.01, 300);
    let split = after(&hall(&[wall(-50.0, 0.0, -1.0, 0.0), wall(-1.0, 0.0, 50.0, 0.0)]), start, &[], 0.01, 300);
    for i in 0..2 {
        assert!((whole.pos[i] - split.pos[i]).length() < 1e-9);
    }
}

#[test]
fn moving_a_scene_by_ten_kilometres_changes_nothing_but_rounding() {
    let people: Vec<Person> = (0..12)
        .map(|k| (vec2(0.62 * f64::from(k % 4), 0.6 * f64::from(k / 4)), Vec2::ZERO, 0.3, 1.0 + 0.05 * f64::from(k)))
        .collect();
    let near = after(&hall(&[wall(4.0, -9.0, 4.0, 9.0)]), crowd_of(&people), &[], 0.01, 200);
    let far: Vec<Person> = people.iter().map(|p| (p.0 + vec2(-1e4, 0.0), p.1, p.2, p.3)).collect();
    let far = after(&hall(&[wall(4.0 - 1e4, -9.0, 4.0 - 1e4, 9.0)]), crowd_of(&far), &[], 0.01, 200);
    for i in 0..people.len() {
        assert!((near.pos[i] - far.pos[i] - vec2(1e4, 0.0)).length() < 1e-6);
    }
}

#[test]
fn an_injured_person_stands_for_good_and_is_in_the_way() {
    let set = [("injuries", 1.0), ("injury_threshold_n_per_m", 100.0)];
    let start = crowd_of(&[(vec2(0.0, 0.0), Vec2::ZERO, 0.3, 1.34), (vec2(0.55, 0.0), Vec2::ZERO, 0.3, 1.34)]);
    // Overlap 0.05 m: 6000 N over 1.88 m, both are injured in the first step.
    let end = after(&hall(&[]), start, &set, 0.01, 200);
    assert_eq!(end.status, [Status::Injured, Status::Injured]);
    assert_eq!(end.pos, [vec2(0.0, 0.0), vec2(0.55, 0.0)]);
    let mut start = crowd_of(&[(vec2(0.0, 0.0), Vec2::ZERO, 0.3, 1.34), (vec2(2.0, 0.0), Vec2::ZERO, 0.3, 1.34)]);
    start.status[1] = Status::Injured;
    let end = after(&hall(&[]), start, &set, 0.01, 2000);
    assert_eq!(end.pos[1], vec2(2.0, 0.0));
    assert!(end.pos[0].x < 2.0 - 0.55, "walks through the injured: {}", end.pos[0].x);
}

#[test]
fn delayed_people_become_impatient_up_to_their_highest_speed() {
    let mut start = crowd_of(&[(vec2(-1.0, 0.0), Vec2::ZERO, 0.3, 1.0)]);
    start.max_speed[0] = 3.0;
    let walls = [wall(0.0, -50.0, 0.0, 50.0)];
    let set = [("impatience", 1.0), ("wall_repulsion", 0.0)];
    let end = after(&hall(&walls), start, &set, 0.01, 60_000);
    // After ten minutes at the wall the mean speed is 0.7 m / 600 s: the push is that of 3 m/s, 480 N, 4 mm.
    let overlap = end.pos[0].x + 0.3;
    assert!((overlap - 0.004).abs() < 1e-4, "{overlap}");
}

#[test]
fn noise_has_the_stated_strength_and_no_drift() {
    let people: Vec<Person> = (0..400).map(|k| (vec2(0.0, 10.0 * f64::from(k)), Vec2::ZERO, 0.3, 0.0)).collect();
    let end = after(&hall(&[]), crowd_of(&people), &[("noise_m_per_s2", 0.5), ("relaxation_time_s", 1e9)], 0.01, 100);
    // Ten independent accelerations of 0.5 m/s2 for 0.1 s each: sd 0.5 * 0.1 * sqrt(10) = 0.158 m/s.
    let x: Vec<f64> = end.vel.iter().flat_map(|v| [v.x, v.y]).collect();
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let sd = (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64).sqrt();
    assert!(mean.abs() < 0.02, "{mean}");
    assert!((sd / 0.158 - 1.0).abs() < 0.08, "{sd}");
}

/// Half the side of the box of the tests of energy, m.
const BOX_M: f64 = 1.5;
/// Published body stiffness, N/m.
const STIFFNESS: f64 = 1.2e5;

/// Bodies that push and rub, nothing else: no drive to speak of, no repulsion.
const BODIES: [(&str, f64); 3] =
    [("repulsion_strength_n", 0.0), ("wall_repulsion_strength_n", 0.0), ("relaxation_time_s", 1e12)];

fn four_walls() -> [Segment; 4] {
    let b = BOX_M;
    [wall(-b, -b, b, -b), wall(b, -b, b, b), wall(b, b, -b, b), wall(-b, b, -b, -b)]
}

fn kinetic(crowd: &Crowd) -> f64 {
    crowd.vel.iter().zip(&crowd.mass).map(|(v, m)| 0.5 * m * v.length2()).sum()
}

/// Overlaps of all pairs and of everybody with the four walls, m, in a fixed order; 0 where there is none.
fn overlaps(crowd: &Crowd) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 0..crowd.len() {
        let (p, r) = (crowd.pos[i], crowd.radius[i]);
        all.extend((0..i).map(|j| (r + crowd.radius[j] - (p - crowd.pos[j]).length()).max(0.0)));
        all.extend([p.x, -p.x, p.y, -p.y].map(|to| (r - (BOX_M - to)).max(0.0)));
    }
    all
}

fn elastic(overlaps: impl Iterator<Item = f64>) -> f64 {
    overlaps.map(|g| 0.5 * STIFFNESS * g * g).sum()
}

/// Steps bodies in a box. The backward Euler step of springs loses energy whatever its length, and bodies that turn
/// about each other overlap less than their springs say: what may rise is only what a step could not feel, the overlap
/// of those who came into touch in it. A crowd that met while it turned may keep that, so there is no bound over many
/// steps that is tighter than their sum.
fn energy_never_rises(people: &[Person], friction: f64, dt: f64) -> Result<(), TestCaseError> {
    let start = crowd_of(people);
    let mut touch = overlaps(&start);
    let mut before = kinetic(&start) + elastic(touch.iter().copied());
    let rounding = 1e-6 * before;
    let set: Vec<_> = BODIES.into_iter().chain([("sliding_friction_kg_per_m_s", friction)]).collect();
    let mut worst: Result<(), TestCaseError> = Ok(());
    watched(&hall(&four_walls()), start, &set, (dt, (2.0 / dt) as u64), &mut |crowd| {
        let now = overlaps(crowd);
        let energy = kinetic(crowd) + elastic(now.iter().copied());
        let late = elastic(now.iter().zip(&touch).filter(|(_, was)| **was == 0.0).map(|(g, _)| *g));
        if worst.is_ok() && energy > before + late + rounding {
            worst = Err(TestCaseError::fail(format!("{energy} J after {before} J and {late} J of new contact")));
        }
        (before, touch) = (energy, now);
    });
    worst
}

/// The most kinetic energy that two bodies may part with, J. They move freely until a step sees them overlap by g, with
/// the speed u along the line of their centers; that step leaves what backward Euler leaves of both springs' energies:
/// the motion along the line and the overlap, divided by 1 + dt^2 k / mu, mu the reduced mass.
fn most_energy(mut apart: Vec2, closing: f64, touch: f64, mass: f64, dt: f64, met: f64) -> f64 {
    while apart.x > -touch && apart.length() >= touch {
        apart.x -= closing * dt;
    }
    let overlap = touch - apart.length();
    if overlap <= 0.0 {
        return met;
    }
    let (along, reduced) = (closing * apart.x / apart.length(), 0.5 * mass);
    let approach = 0.5 * reduced * along * along;
    met - approach + (approach + 0.5 * STIFFNESS * overlap * overlap) / (1.0 + dt * dt * STIFFNESS / reduced)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn two_bodies_part_no_faster_than_they_met_but_for_what_a_step_skips(
        (x, y) in (0.62..1.0_f64, -0.5..0.5_f64),
        speeds in (0.5..10.0_f64, 0.0..10.0_f64),
        radii in (0.25..0.35_f64, 0.25..0.35_f64),
        rubs in prop::bool::ANY,
    ) {
        for dt in step_lengths() {
            let people = [
                (vec2(0.0, 0.0), vec2(speeds.0, 0.0), radii.0, 10.0),
                (vec2(x, y), vec2(-speeds.1, 0.0), radii.1, 10.0),
            ];
            let set: Vec<_> =
                BODIES.into_iter().chain([("sliding_friction_kg_per_m_s", if rubs { 2.4e5 } else { 0.0 })]).collect();
            let start = crowd_of(&people);
            let (met, mass) = (kinetic(&start), start.mass[0]);
            let end = after(&hall(&[]), start, &set, dt, (1.0 / dt) as u64);
            let most = most_energy(vec2(x, y), speeds.0 + speeds.1, radii.0 + radii.1, mass, dt, met);
            let most = most * (1.0 + 1e-9);
            prop_assert!(kinetic(&end) <= most, "{dt}: {} J from {met} J, at most {most} J", kinetic(&end));
            // Momentum stays, whatever the speeds.
            let sum = end.vel.iter().fold(Vec2::ZERO, |a, &v| a + v) - vec2(speeds.0 - speeds.1, 0.0);
            prop_assert!(sum.length() * mass < 1e-4, "{dt}: momentum changed by {} m/s", sum.length());
        }
    }

    #[test]
    fn a_body_leaves_a_wall_no_faster_than_it_came(
        (x, vx) in (-1.0..0.9_f64, 0.5..5.0_f64),
        (y, vy) in (-1.0..1.0_f64, -3.0..3.0_f64),
        radius in 0.25..0.35_f64,
    ) {
        for dt in step_lengths() {
            energy_never_rises(&[(vec2(x, y), vec2(vx, vy), radius, 10.0)], 2.4e5, dt)?;
            energy_never_rises(&[(vec2(x, y), vec2(vx, vy), radius, 10.0)], 0.0, dt)?;
        }
    }

    #[test]
    fn a_crowd_of_bodies_never_gains_energy(
        people in prop::collection::vec(
            ((-0.02..0.02_f64, -0.02..0.02_f64), (-2.5..2.5_f64, -2.5..2.5_f64), 0.25..0.32_f64),
            3..10,
        ),
        rubs in prop::bool::ANY,
    ) {
        let place = |k: usize| vec2((k % 3) as f64 - 1.0, (k / 3) as f64 - 1.0) * 0.72;
        let each = people.iter().enumerate();
        let people: Vec<Person> =
            each.map(|(k, &(p, v, r))| (place(k) + vec2(p.0, p.1), vec2(v.0, v.1), r, 10.0)).collect();
        for dt in step_lengths() {
            energy_never_rises(&people, if rubs { 2.4e5 } else { 0.0 }, dt)?;
        }
    }
}

#[test]
fn a_crush_at_ten_metres_per_second_stays_calm() {
    // Forty people run into a dead end: nobody gets faster than wanted, nobody is pushed through a wall.
    let walls = [wall(4.0, -1.6, 4.0, 1.6), wall(-5.0, -1.6, 4.0, -1.6), wall(-5.0, 1.6, 4.0, 1.6)];
    let person = |k: u32| {
        (
            vec2(-3.0 + 0.65 * f64::from(k / 4), -0.98 + 0.64 * f64::from(k % 4)),
            Vec2::ZERO,
            0.25 + 0.0012 * f64::from(k),
            10.0,
        )
    };
    let people: Vec<Person> = (0..40).map(person).collect();
    for dt in step_lengths() {
        let mut top = 0.0_f64;
        watched(&hall(&walls), crowd_of(&people), &[], (dt, (5.0 / dt) as u64), &mut |crowd| {
            top = crowd.vel.iter().fold(top, |top, v| top.max(v.length()));
        });
        assert!(top < 10.0, "{dt}: {top} m/s");
    }
}
