//! People whose goal is where others are.

use crowdtune_core::math::vec2;
use crowdtune_testing::walk::{load, walk};

/// Guides by a potential, so walls between leader and follower are walked around.
const GUIDED: [&str; 3] = ["continuum", "group_dynamics", "hybrid"];

/// A leader walks away east behind a wall; followers start on this side of it.
fn chase(model: &str, navigation: &str, watch: &mut dyn FnMut(&crowdtune_sim::Crowd)) {
    let text = format!(
        "[people]\ndesired_speed_m_per_s = 1.4\n[scenario.yard]\nlimit_s = 60.0\n{navigation}\
        walkable = \"POLYGON ((0 0, 20 0, 20 12, 0 12, 0 0))\"\nobstacles = \"POLYGON ((8 0, 8.5 0, 8.5 8, 8 8, 8 0))\"\n\
        group.a_leader = {{ count = 1, from = {{ points = [[10.25, 3]] }}, to = {{ gather = [18, 3], radius_m = 0.5 }} }}\n\
        group.stream = {{ count = 12, from = {{ area = [[1, 1], [6, 5]] }}, to = {{ group = \"a_leader\" }} }}\n"
    );
    let experiment = load(model, &text).unwrap();
    walk(&experiment, 1, (40.0 / experiment.timing.time_step_s) as u64, watch).unwrap();
}

#[test]
fn a_stream_follows_its_leader_round_a_wall() {
    for model in GUIDED {
        let mut last = (0, 0.0);
        chase(model, "", &mut |crowd| {
            let through = |i: &usize| crowd.pos[*i].x > 9.0;
            let near = |i: usize| (crowd.pos[i] - crowd.pos[0]).length();
            let arrived: Vec<usize> = (1..crowd.len()).filter(through).collect();
            last = (arrived.len(), arrived.iter().fold(0.0, |far: f64, &i| far.max(near(i))));
        });
        assert_eq!(last.0, 12, "{model}: everybody came round the wall");
        assert!(last.1 < 4.0, "{model}: the last one is {} m from the leader", last.1);
    }
}

#[test]
fn who_follows_nobody_stands() {
    // The leader leaves at once.
    let text = "[scenario.yard]\nlimit_s = 20.0\nwalkable = \"POLYGON ((0 0, 20 0, 20 12, 0 12, 0 0))\"\n\
        group.a_leader = { count = 1, from = { points = [[19, 3]] }, to = { line = [[20, 2], [20, 4]] } }\n\
        group.stream = { count = 1, from = { points = [[3, 3]] }, to = { group = \"a_leader\" } }\n";
    for model in GUIDED {
        let experiment = load(model, text).unwrap();
        let mut end = (0, vec2(0.0, 0.0), vec2(1.0, 0.0));
        let steps = (15.0 / experiment.timing.time_step_s) as u64;
        walk(&experiment, 1, steps, &mut |crowd| end = (crowd.len(), crowd.pos[0], crowd.vel[0])).unwrap();
        // Less than the random push of ORCA's preferred velocity.
        assert!(end.0 == 1 && end.2.length() < 1e-3, "{model}: {end:?}");
        assert!(end.1.x > 3.0 && end.1.x < 12.0, "{model}: {:?}", end.1);
    }
}

/// The other models: they follow round a wall by travel-time fields.
const LED: [&str; 4] = ["social_force", "five_force", "rvo", "orca"];

#[test]
fn with_travel_time_fields_every_model_follows_round_a_wall() {
    for model in LED {
        let mut last = 0;
        chase(model, "navigation = { kind = \"field\", cell_m = 0.25 }\n", &mut |crowd| {
            last = crowd.pos.iter().skip(1).filter(|p| p.x > 9.0).count();
        });
        // In five_force some stay for a while with those behind them.
        assert!(last >= 10, "{model}: {last} of 12 came round the wall");
    }
}

/// Somebody in a dead end of a corridor runs from somebody who comes along it.
fn hunt(model: &str, navigation: &str, watch: &mut dyn FnMut(&crowdtune_sim::Crowd)) {
    let text = format!(
        "[people]\ndesired_speed_m_per_s = 1.4\nradius_m = 0.25\n[scenario.yard]\nlimit_s = 60.0\n{navigation}\
        walkable = \"POLYGON ((0 0, 40 0, 40 2, 8 2, 8 5, 6 5, 6 2, 0 2, 0 0))\"\n\
        group.hunter = {{ count = 1, from = {{ points = [[1, 1]] }}, to = {{ group = \"prey\" }} }}\n\
        group.prey = {{ count = 1, from = {{ points = [[7, 3]] }}, away_from = {{ group = \"hunter\" }} }}\n"
    );
    let experiment = load(model, &text).unwrap();
    walk(&experiment, 1, (20.0 / experiment.timing.time_step_s) as u64, watch).unwrap();
}

#[test]
fn nobody_who_knows_the_place_runs_into_a_dead_end() {
    let led = LED.map(|model| (model, "navigation = { kind = \"field\", cell_m = 0.25 }\n"));
    for (model, navigation) in led.into_iter().chain(GUIDED.map(|model| (model, ""))) {
        let (mut nearest, mut end) = (f64::INFINITY, 0.0);
        hunt(model, navigation, &mut |crowd| {
            nearest = (crowd.pos[0] - crowd.pos[1]).length().min(nearest);
            end = crowd.pos[1].x;
        });
        // It comes out when the hunter is 6 m away, and both are equally fast; in five_force people need time to turn.
        assert!(end > 25.0 && nearest > 3.0, "{model}: at x = {end}, {nearest} m away");
    }
}

#[test]
fn the_cornered_stand() {
    let text = "[people]\ndesired_speed_m_per_s = 1.4\nradius_m = 0.25\n[scenario.yard]\nlimit_s = 60.0\n\
        walkable = \"POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))\"\n\
        group.hunter = { count = 1, from = { points = [[2, 2]] } }\n\
        group.prey = { count = 1, from = { points = [[9, 6]] }, away_from = { group = \"hunter\" } }\n";
    for model in GUIDED {
        let experiment = load(model, text).unwrap();
        let mut end = (vec2(0.0, 0.0), vec2(1.0, 0.0));
        let steps = (20.0 / experiment.timing.time_step_s) as u64;
        walk(&experiment, 1, steps, &mut |crowd| end = (crowd.pos[1], crowd.vel[1])).unwrap();
        // In the corner that is farthest away, within a cell of 1 m or two.
        assert!((end.0 - vec2(20.0, 10.0)).length() < 2.2 && end.1.length() < 0.05, "{model}: {end:?}");
    }
}
