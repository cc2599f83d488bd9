//! Uneven ground: every model walks as fast as the law of slopes says, and finds its way round.

use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::find;
use crowdtune_sim::models::MODELS;
use crowdtune_testing::walk::{load, walk};

/// 6 exp(-3.5 |s + 0.05|) km/h over its value on flat ground (Tobler 1993).
fn tobler(slope: f64) -> f64 {
    libm::exp(-3.5 * (slope + 0.05).abs()) / libm::exp(-3.5 * 0.05)
}

/// Velocity of one person who has walked along a heading for a minute, round and round.
fn walker(model: &str, way: Vec2, ground: &str) -> Vec2 {
    // Nothing random, and no speed that falls with the own density.
    let model = find(MODELS, model).unwrap();
    let noise = model
        .params
        .iter()
        .map(|p| p.key)
        .filter(|key| key.ends_with("push_m_per_s") || key.ends_with("crowding_m3_per_s"));
    let calm: String = noise.map(|key| format!("parameters.{key} = 0.0\n")).collect();
    let ring = if way.x == 0.0 { "y" } else { "x" };
    let text = format!(
        "{calm}[people]\ndesired_speed_m_per_s = 1.3\nmax_speed_m_per_s = inf\n[scenario.field]\nlimit_s = 90.0\n{ground}\n\
         walkable = \"POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))\"\nperiodic = {ring:?}\n\
         group.one = {{ count = 1, from = {{ points = [[5.25, 5.25]] }}, to = {{ heading = [{:?}, {:?}] }} }}\n",
        way.x, way.y
    );
    let experiment = load(model.name, &text).unwrap();
    let (mut vel, steps) = (Vec2::ZERO, (60.0 / experiment.timing.time_step_s) as u64);
    walk(&experiment, 1, steps, &mut |crowd| vel = crowd.vel[0]).unwrap();
    vel
}

#[test]
fn a_walker_has_the_speed_of_the_formula_on_a_slope() {
    let linear = "speed = { easy_slope = 0.0, steep_slope = 0.5, steep_speed_share = 0.2 }";
    for model in MODELS {
        // What a lone person has on flat ground: group_dynamics and five_force have noise-free speeds of their own.
        let flat = walker(model.name, vec2(1.0, 0.0), "").x;
        for (way, slope) in
            [(vec2(1.0, 0.0), 0.2), (vec2(-1.0, 0.0), -0.2), (vec2(0.0, 1.0), -0.03), (vec2(0.0, -1.0), 0.03)]
        {
            // The ground is level across the way: else group dynamics would drift down it.
            let rise = way * slope;
            let vel = walker(model.name, way, &format!("ground = {{ slope = [{:?}, {:?}] }}", rise.x, rise.y));
            let expected = way * (flat * tobler(slope));
            assert!((vel - expected).length() < 1e-9, "{}: {vel:?} instead of {expected:?} at {slope}", model.name);
        }
        let vel = walker(model.name, vec2(1.0, 0.0), &format!("ground = {{ slope = [0.2, 0.0], {linear} }}"));
        assert!((vel.x - flat * 0.68).abs() < 1e-9, "{}: {vel:?}", model.name);
    }
}

#[test]
fn level_ground_gives_the_bits_of_no_ground() {
    for model in MODELS {
        let level = walker(model.name, vec2(0.0, 1.0), "ground = { slope = [0.0, 0.0] }");
        assert_eq!(level, walker(model.name, vec2(0.0, 1.0), ""), "{}", model.name);
    }
}

#[test]
fn people_with_a_field_go_round_a_hill_and_without_one_over_it() {
    let highest = |navigation: &str| {
        let text = format!(
            "[scenario.field]\nlimit_s = 120.0\nwalkable = \"POLYGON ((0 0, 40 0, 40 20, 0 20, 0 0))\"\n{navigation}\n\
             ground = {{ hills = [{{ at = [20, 10], height_m = 5.0, width_m = 4.0 }}] }}\n\
             group.all = {{ count = 5, from = {{ area = [[1, 8], [3, 12]] }}, to = {{ line = [[40, 8], [40, 12]] }} }}\n"
        );
        let experiment = load("social_force", &text).unwrap();
        let relief = experiment.cases[0].scenario.world.plan.relief.clone().unwrap();
        let mut highest = 0.0_f64;
        let steps = (40.0 / experiment.timing.time_step_s) as u64;
        walk(&experiment, 1, steps, &mut |crowd| {
            highest = crowd.pos.iter().fold(highest, |top, &p| top.max(relief.height(p)));
        })
        .unwrap();
        highest
    };
    let over = highest("navigation = { kind = \"straight\" }");
    assert!(over > 2.5, "straight on, {over} m up");
    let round = highest("navigation = { kind = \"field\", cell_m = 0.4 }");
    assert!(round < 1.5, "round it, {round} m up");
}
