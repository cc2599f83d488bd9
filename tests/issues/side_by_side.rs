//! E2: two values or two models side by side took knowledge of the file; a value could not replace an `each`, and two models
//! failed on each other's constants.

use crate::program::{Place, ROOM};

#[test]
fn two_values_run_on_one_seed() {
    let place = Place::new();
    let (out, _) =
        place.run(0, "simulate room.toml --compare people.desired_speed_m_per_s=0.6,2 --replay r.html --json");
    let said: serde_json::Value = out.parse().unwrap();
    let runs = said["runs"].as_array().unwrap();
    assert_eq!([&runs[0]["label"], &runs[1]["label"]], ["desired_speed_m_per_s = 0.6", "desired_speed_m_per_s = 2"]);
    assert!(runs[0]["values"]["time"].as_f64() > runs[1]["values"]["time"].as_f64());
    assert!(place.text("r.html").contains("desired_speed_m_per_s = 2"));
    place.refused(2, "simulate room.toml --compare scenario.room.count", &["KEY=VALUE"]);
}

#[test]
fn two_models_take_the_constants_that_they_have() {
    let place = Place::new();
    for words in ["--compare model=social_force,orca", "--model social_force --model orca"] {
        let (out, _) = place.run(0, &format!("simulate room.toml {words}"));
        assert!(out.contains("social_force") && out.contains("orca"), "{out}");
    }
    // Its own constants stay as the file has them.
    let number = |words: &str| place.run(0, &format!("simulate {words} --json")).0.replace("social_force", "");
    assert_eq!(number("room.toml"), number("room.toml --model social_force"));
    // A constant that no model has is a mistake all the same.
    place.write("typo.toml", ROOM.replace("repulsion_range_m", "repulsion_rnage_m"));
    place.refused(2, "simulate typo.toml --model orca", &["repulsion_rnage_m"]);
    place.refused(2, "simulate room.toml --compare model=orca,rvvo", &["rvvo", "rvo"]);
}

#[test]
fn a_value_takes_the_place_of_an_each() {
    let place = Place::new();
    let each = "[people]\ndesired_speed_m_per_s = { each = [1, 2] }\n[target.curve]\nmetric = \"evacuation_time_100_s\"\n\
                over = \"people.desired_speed_m_per_s\"\npoints = [[1, 8], [2, 5]]\ntolerance = 1\n";
    place.write("each.toml", format!("{ROOM}{each}"));
    let (out, _) = place.run(0, "simulate each.toml --set people.desired_speed_m_per_s=2");
    let (same, _) = place.run(0, "simulate each.toml --scenario room[people.desired_speed_m_per_s=2]");
    assert_eq!(out, same);
    // One that the file has not is run too.
    let (between, _) = place.run(0, "simulate each.toml --set people.desired_speed_m_per_s=1.5");
    assert!(between != out, "{between}");
}
