//! B7: the discomfort weight of `continuum` was dead, 0 and 5 gave the same bytes: no place could have discomfort, and for a
//! heading inside walls there was no potential at all.

use crowdtune_core::math::Vec2;
use crowdtune_testing::walk::{load, walk};

/// Five people cross a hall of 20 x 10 m, with a dirty stretch in its middle or none.
fn hall(weight: f64, more: &str) -> String {
    format!(
        "parameters.discomfort_weight = {weight:?}\npeople.desired_speed_m_per_s = 1.3\nmeasure.speed.metric = \"speed_mean_m_per_s\"\n\
         [scenario.s]\nwalkable = \"POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))\"\nlimit_s = 20\n{more}\n\
         group.a = {{ count = 5, from = {{ area = [[1, 3], [5, 7]] }}, to = {{ heading = [1, 0] }} }}\n"
    )
}

const DIRT: &str = "discomfort = [{ area = [[8, 2], [12, 8]], people_per_m2 = 2.0 }]";

/// Seconds that people spend in the dirt, and all their places.
fn crossed(model: &str, weight: f64) -> (f64, Vec<Vec2>) {
    let (mut seconds, mut places) = (0.0, Vec::new());
    walk(&load(model, &hall(weight, DIRT)).unwrap(), 1, 120, &mut |crowd| {
        let dirty = |p: &&Vec2| p.x > 8.0 && p.x < 12.0 && p.y > 2.0 && p.y < 8.0;
        seconds += 0.1 * crowd.pos.iter().filter(dirty).count() as f64;
        places.extend_from_slice(&crowd.pos);
    })
    .unwrap();
    (seconds, places)
}

#[test]
fn people_go_around_what_they_do_not_like() {
    for model in ["continuum", "hybrid", "group_dynamics"] {
        let (through, straight) = crossed(model, 0.0);
        let (around, aside) = crossed(model, 5.0);
        assert!(straight != aside, "{model}");
        assert!(through > 10.0 && around < 0.2 * through, "{model}: {through} s, {around} s");
    }
}

#[test]
fn a_weight_without_any_discomfort_is_not_silent() {
    let warnings = |text: &str| load("continuum", text).unwrap().warnings;
    let found = warnings(&hall(5.0, ""));
    assert!(found.len() == 1 && found[0].starts_with("`discomfort_weight` has no effect"), "{found:?}");
    assert_eq!(warnings(&hall(5.0, DIRT)), [""; 0]);
    assert_eq!(warnings(&format!("parameters.prediction = true\n{}", hall(5.0, ""))), [""; 0]);
    // Published, or switched off.
    assert_eq!(warnings(&hall(1.0, "")), [""; 0]);
    assert_eq!(warnings(&hall(0.0, "")), [""; 0]);
}

#[test]
fn models_whose_paths_have_no_price_refuse_it_and_name_those_that_have() {
    let text = hall(1.0, DIRT).replace("parameters.discomfort_weight = 1.0\n", "");
    let error = load("orca", &text).unwrap_err().to_string();
    assert!(error.contains("continuum, group_dynamics, hybrid"), "{error}");
    let text = text.replace("people_per_m2 = 2.0", "value = 2.0");
    assert!(load("continuum", &text).unwrap_err().what().contains("people_per_m2"));
}
