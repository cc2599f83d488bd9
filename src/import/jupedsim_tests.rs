//! What JuPedSim 1.4.2 itself wrote, and files with mistakes.

use super::super::Said;
use super::super::testing::{import, loaded};
use super::ENTRY;

/// `dataclasses.asdict` of a SocialForceModel and its SocialForceModelAgentParameters.
const WRITTEN: &[u8] = include_bytes!("../../fuzz/corpus/jupedsim/written.json");

#[test]
fn what_jupedsim_writes_gives_its_constants_and_people() {
    let text = import(&ENTRY, WRITTEN, &Said::default()).unwrap().text;
    for line in [
        "repulsion_strength_n = 1500.0 ",
        "wall_repulsion_strength_n = 2000.0 ",
        "repulsion_range_m = 0.1 ",
        "body_stiffness_kg_per_s2 = 100000.0 ",
        "sliding_friction_kg_per_m_s = 0.0 ",
        "desired_speed_m_per_s = 1.2 ",
        "radius_m = 0.25 ",
    ] {
        assert!(text.contains(&format!("\n{line}")), "{line} in {text}");
    }
    let experiment = loaded(&ENTRY, WRITTEN, &Said { people: Some(7), ..Said::default() });
    assert_eq!(experiment.cases[0].scenario.groups[0].count, 7);
}

#[test]
fn what_the_file_leaves_out_is_jupedsims_own_default_and_said() {
    let imported = import(&ENTRY, br#"{ "agent_scale": 1000 }"#, &Said::default()).unwrap();
    assert!(imported.text.contains("desired_speed_m_per_s = 0.8 ") && imported.text.contains("radius_m = 0.3 "));
    assert!(imported.notes.iter().any(|note| note.contains("own default: obstacle_scale, force_distance")));
}

#[test]
fn other_laws_and_unknown_numbers_are_refused() {
    let says = |text: &str| import(&ENTRY, text.as_bytes(), &Said::default()).unwrap_err().to_string();
    assert!(says(r#"{ "CollisionFreeSpeedModelV3AgentParameters": { "time_gap": 1.0 } }"#).contains("no law like"));
    let two = r#"{ "SocialForceModel": {}, "AnticipationVelocityModelAgentParameters": {} }"#;
    assert!(says(two).contains("or the file has two"));
    assert!(says(r#"{ "agent_scal": 1 }"#).contains("agent_scale"));
    assert!(says(r#"{ "agent_scale": "x" }"#).contains("not a number"));
    assert!(says("{\n\"agent_scale\": 1,\n").contains("line 3"));
}

#[test]
fn the_speed_models_are_read_too() {
    let file = br#"{ "CollisionFreeSpeedModelV2": {}, "CollisionFreeSpeedModelV2AgentParameters": { "time_gap": 0.8, "radius": 0.15, "position": [0, 0] } }"#;
    let text = import(&ENTRY, file, &Said::default()).unwrap().text;
    for line in
        ["time_gap_s = 0.8 ", "wall_repulsion_range_m = 0.02 ", "radius_m = 0.15 ", "desired_speed_m_per_s = 1.2 "]
    {
        assert!(text.contains(&format!("\n{line}")), "{line} in {text}");
    }
    let file = br#"{ "AnticipationVelocityModel": { "pushout_strength": 0.2, "rng_seed": 1 }, "AnticipationVelocityModelAgentParameters": { "reaction_time": 0.4 } }"#;
    let experiment = loaded(&ENTRY, file, &Said::default());
    assert_eq!(experiment.cases[0].models()[0].name, "anticipation_velocity");
}
