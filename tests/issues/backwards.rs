//! A tuned crowd walked backwards at 0.85 m/s, and the speed was reported as 0.85 without a sign or a warning ("B6").

use crate::program::Place;

/// Two people who wish little are pushed back around a ring by six who hurry the other way.
const PUSHED: &str = r#"
model = "social_force"
people.radius_m = 0.25
[scenario.ring]
walkable = "POLYGON ((0 0, 10 0, 10 0.8, 0 0.8, 0 0))"
periodic = "x"
limit_s = 20.0
group.calm = { count = 2, from = { points = [[1, 0.4], [2, 0.4]] }, to = { heading = [1, 0] }, people = { desired_speed_m_per_s = 0.2 } }
group.hasty = { count = 6, from = { points = [[3, 0.4], [4, 0.4], [5, 0.4], [6, 0.4], [7, 0.4], [8, 0.4]] }, to = { heading = [-1, 0] }, people = { desired_speed_m_per_s = 1.5 } }
[measure.calm]
metric = "speed_mean_m_per_s"
group = "calm"
[measure.hasty]
metric = "speed_mean_m_per_s"
group = "hasty"
[measure.flow]
metric = "flow_per_s"
group = "calm"
at = { line = [[9.5, 0], [9.5, 0.8]] }
window = "all"
[measure.back]
metric = "backward_share"
group = "calm"
"#;

fn value(text: &str, name: &str) -> f64 {
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    document["runs"][0]["values"][name].as_f64().unwrap_or_else(|| panic!("{name}: {text}"))
}

#[test]
fn who_is_carried_back_has_a_negative_speed_and_flow() {
    let place = Place::new();
    place.write("ring.toml", PUSHED);
    let (out, _) = place.run(0, "simulate ring.toml --json");
    assert!(value(&out, "hasty") > 0.3, "{out}");
    assert!(value(&out, "calm") < -0.3, "{out}");
    assert!(value(&out, "flow") < 0.0, "{out}");
    assert!(value(&out, "back") > 0.8, "{out}");
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let share = document["runs"][0]["backward_share"].as_f64().unwrap();
    assert!(share > 0.2 && share < 0.3, "{share}");
}

#[test]
fn a_crowd_that_walks_backwards_is_no_result() {
    let place = Place::new();
    place.write("ring.toml", PUSHED);
    place.refused(
        1,
        "simulate ring.toml --set simulation.max_backward_share=0.2",
        &["cannot be trusted", "people walk backwards for", "limit 20 %"],
    );
}
