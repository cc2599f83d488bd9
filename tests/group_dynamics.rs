//! What groups have to do: Table 1 and the behavior tests of the source.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/walk.rs"]
mod walk;

use crowdtune::Error;
use crowdtune::crowd::Crowd;
use crowdtune::evolve::config;
use crowdtune::evolve::evaluate::{run_seed, simulate};
use crowdtune::math::{Vec2, vec2};
use crowdtune::search::Purpose;
use walk::{load, walk};

/// Collisions in the scene of `configs/groups.toml`, mean of ten seeds.
fn collisions(model: &str) -> f64 {
    let text = include_str!("../configs/groups.toml");
    let set = [("model".to_string(), model.to_string())];
    let experiment = config::load(text, "groups.toml", &set, &mut |_| Err(Error::input("no file is named"))).unwrap();
    let at = experiment.columns.iter().position(|c| c.name == "collisions").unwrap();
    let runs = (0..10).map(|replica| {
        let seed = run_seed(1, Purpose::Report, "gap", replica);
        simulate(&experiment, 0, &[], seed).unwrap()[at].unwrap()
    });
    runs.sum::<f64>() / 10.0
}

#[test]
fn table_1_groups_collide_less_than_the_continuum() {
    let (plain, groups) = (collisions("continuum"), collisions("group_dynamics"));
    assert!(plain >= 20.0, "{plain}");
    assert!(groups <= plain * 7.0 / 32.0, "{groups} of {plain}");
}

/// Nine people who walk west in a square, and one who comes towards them.
const MEET: &str = r#"
[people]
radius_m = 0.2
desired_speed_m_per_s = 1.3
[scenario.meet]
walkable = "POLYGON ((0 0, 30 0, 30 12, 0 12, 0 0))"
limit_s = 30.0
group.many = { count = 9, from = { points = [[20, 5], [20, 6], [20, 7], [21, 5], [21, 6], [21, 7], [22, 5], [22, 6], [22, 7]] }, to = { line = [[0, 12], [0, 0]] } }
group.one = { count = 1, from = { points = [[6, 6.1]] }, to = { line = [[30, 0], [30, 12]] } }
"#;

/// How far the one goes aside, m, and whether the way leads between the nine.
fn meeting(model: &str) -> (f64, bool) {
    let (mut aside, mut between) = (0.0_f64, false);
    let mut watch = |crowd: &Crowd| {
        let Some(one) = (0..crowd.len()).find(|&row| crowd.group[row] == 1) else { return };
        let p = crowd.pos[one];
        aside = aside.max((p.y - 6.1).abs());
        let others = (0..crowd.len()).filter(|&row| row != one).map(|row| crowd.pos[row]);
        let beside = |ahead: bool, left: bool| {
            others.clone().any(|q| (q.x > p.x) == ahead && (q.y > p.y) == left && (q - p).length() < 3.0)
        };
        between |= beside(true, true) && beside(true, false) && beside(false, true) && beside(false, false);
    };
    walk(&load(model, MEET).unwrap(), 1, 250, &mut watch).unwrap();
    (aside, between)
}

#[test]
fn a_lone_walker_goes_round_a_group_and_not_through_it() {
    let ((_, through), (aside, between)) = (meeting("continuum"), meeting("group_dynamics"));
    assert!(through, "the continuum leads through the group");
    // The nine are 2 m wide; the one has to pass their outer bodies.
    assert!(!between && aside > 1.0, "{aside} {between}");
}

/// People on a ring 30 m long and 3 m wide who all walk east: so many on all of it, and so many more on a part. Who is
/// alone for a moment turns nobody aside: in a stream everybody would be alone now and then.
fn ring(count: usize, more: usize) -> String {
    format!(
        r#"
[parameters]
group_least = 3
[people]
radius_m = 0.1
desired_speed_m_per_s = 1.4
[scenario.ring]
walkable = "POLYGON ((0 0, 30 0, 30 3, 0 3, 0 0))"
periodic = "x"
limit_s = 60.0
group.all = {{ count = {count}, from = {{ area = [[0.1, 0.1], [29.9, 2.9]] }}, to = {{ heading = [1, 0] }} }}
group.more = {{ count = {more}, from = {{ area = [[10, 0.1], [14, 2.9]] }}, to = {{ heading = [1, 0] }} }}
"#
    )
}

#[test]
fn speed_falls_with_density() {
    let mut before = f64::INFINITY;
    for density in [0.5, 1.0, 2.0, 3.0, 4.0] {
        let (mut sum, mut count) = (0.0, 0.0);
        let experiment = load("group_dynamics", &ring((density * 90.0) as usize, 1)).unwrap();
        let mut step = 0;
        walk(&experiment, 1, 150, &mut |crowd| {
            if step > 50 {
                sum += crowd.vel.iter().map(|v| v.x).sum::<f64>();
                count += crowd.len() as f64;
            }
            step += 1;
        })
        .unwrap();
        let speed = sum / count;
        assert!(speed < before, "{speed} after {before} at {density} persons/m2");
        before = speed;
    }
}

/// The place of the densest part of the ring, m: the phase of the first wave of the density.
fn peak(crowd: &Crowd) -> f64 {
    let turn = std::f64::consts::TAU / 30.0;
    let sum = crowd.pos.iter().fold(Vec2::ZERO, |sum, p| sum + vec2(libm::cos(turn * p.x), libm::sin(turn * p.x)));
    libm::atan2(sum.y, sum.x) / turn
}

#[test]
fn in_a_dense_stream_waves_travel_backwards() {
    // The flow rho (A - B rho) falls from 2.8 persons/m2 on; 6 are here, of which the splat finds two thirds.
    let experiment = load("group_dynamics", &ring(520, 60)).unwrap();
    let (mut last, mut way, mut speed, mut count) = (None, 0.0, 0.0, 0.0);
    walk(&experiment, 1, 100, &mut |crowd| {
        let at = peak(crowd);
        if let Some(last) = last {
            let step: f64 = at - last;
            way += step - 30.0 * (step / 30.0).round();
        }
        last = Some(at);
        speed += crowd.vel.iter().map(|v| v.x).sum::<f64>() / crowd.len() as f64;
        count += 1.0;
    })
    .unwrap();
    assert!(speed / count > 0.1, "{}", speed / count);
    assert!(way < -2.0, "{way} m in 10 s");
}
