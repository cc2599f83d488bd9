//! What groups have to do: Table 1 and the behavior tests of the source.

use crowdtune::Registry;
use crowdtune::evolve::evaluate::{run_seed, simulate};
use crowdtune::evolve::experiment::{Experiment, no_files};
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Crowd;
use crowdtune_testing::walk::{load, walk};

/// Collisions in the scene of `configs/groups.toml`, mean of ten seeds.
fn collisions(model: &str) -> f64 {
    let text = include_str!("../../configs/groups.toml");
    let set = [("model".to_string(), model.to_string())];
    let experiment = Experiment::load(&Registry::builtin(), text, "groups.toml", &set, &mut no_files).unwrap();
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

/// Nine people who walk west in a square, and one or three who come towards them: the scenes of `validate around_group`.
fn meet(others: &str, count: usize) -> String {
    format!(
        r#"
[people]
radius_m = 0.2
desired_speed_m_per_s = 1.3
[scenario.meet]
walkable = "POLYGON ((0 0, 30 0, 30 12, 0 12, 0 0))"
limit_s = 30.0
group.many = {{ count = 9, from = {{ points = [[20, 5], [20, 6], [20, 7], [21, 5], [21, 6], [21, 7], [22, 5], [22, 6], [22, 7]] }}, to = {{ line = [[0, 12], [0, 0]] }} }}
group.other = {{ count = {count}, from = {{ points = {others} }}, to = {{ line = [[30, 0], [30, 12]] }} }}
"#
    )
}

/// True if `p` has some of the group 0 ahead and behind, on both sides, within 3 m.
fn is_between(crowd: &Crowd, p: Vec2) -> bool {
    let beside = |ahead: bool, left: bool| {
        let found = |row: usize| {
            let q = crowd.pos[row];
            crowd.group[row] == 0 && (q.x > p.x) == ahead && (q.y > p.y) == left && (q - p).length() < 3.0
        };
        (0..crowd.len()).any(found)
    };
    beside(true, true) && beside(true, false) && beside(false, true) && beside(false, false)
}

/// Steps in which somebody of those who come is between the nine, and whether all of them come past the nine.
fn meeting(model: &str, scene: &str, seed: u64) -> (usize, bool) {
    let (mut between, mut past) = (0, false);
    let mut watch = |crowd: &Crowd| {
        let of = |group: u16| (0..crowd.len()).filter(move |&row| crowd.group[row] == group).map(|row| crowd.pos[row]);
        between += usize::from(of(1).any(|p| is_between(crowd, p)));
        past |= of(1).all(|p| of(0).all(|q| q.x < p.x));
    };
    walk(&load(model, scene).unwrap(), seed, 250, &mut watch).unwrap();
    (between, past)
}

#[test]
fn one_and_three_go_round_a_group_and_not_through_it() {
    let (one, three) = (meet("[[6, 6.1]]", 1), meet("[[6, 6.1], [5.2, 5.7], [5.2, 6.5]]", 3));
    for seed in 1..=6 {
        assert!(meeting("continuum", &one, seed).0 > 0, "the continuum leads through the group");
        for scene in [&one, &three] {
            assert_eq!(meeting("group_dynamics", scene, seed), (0, true), "seed {seed}: {scene}");
        }
    }
}

/// People on a ring 30 m long and 3 m wide who all walk east: so many on all of it, and so many more on a part.
fn ring(count: usize, more: usize) -> String {
    format!(
        r#"
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
        assert!(speed < before, "{speed} after {before} at {density} people/m2");
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
    // The flow rho (A - B rho) falls from 2.8 people/m2 on; 4.2 are here, as in `validate groups_stream`: waves travel with
    // A - 2 B rho, -0.6 m/s with what one alone adds.
    let experiment = load("group_dynamics", &ring(340, 40)).unwrap();
    for seed in 1..=4 {
        let (mut last, mut way, mut speed, mut count) = (None, 0.0, 0.0, 0.0);
        walk(&experiment, seed, 100, &mut |crowd| {
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
        assert!(speed / count > 0.1, "seed {seed}: {}", speed / count);
        assert!(way < -1.0, "seed {seed}: {way} m in 10 s");
    }
}
