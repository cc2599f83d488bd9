//! B5: in two streams people with velocity obstacles walked through each other, up to one on top of the other.

use super::pressed_in_a_crush::deepest;
use crowdtune_testing::walk::{load, walk};

const STREET: &str = r#"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
scenario.street = { kind = "corridor", count = 36, limit_s = 120.0 }
measure.speed.metric = "speed_mean_m_per_s"
simulation.max_overlap_share = 2.0
"#;

/// Deepest overlap in 25 s, as a share of the radius.
fn overlap(model: &str, more: &str) -> f64 {
    let mut most = 0.0_f64;
    let experiment = load(model, &format!("{more}\n{STREET}")).unwrap();
    walk(&experiment, 3, 250, &mut |crowd| most = most.max(deepest(crowd) / 0.2)).unwrap();
    most
}

#[test]
fn hard_bodies_are_never_entered() {
    assert!(overlap("velocity_obstacle", "") > 0.5, "the published law lets people through each other");
    for model in ["velocity_obstacle", "rvo"] {
        let share = overlap(model, "parameters.hard_bodies = true");
        assert!(share < 0.1, "{model}: {share}");
    }
}
