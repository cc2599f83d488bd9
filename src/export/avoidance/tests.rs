use super::*;
use crate::export::testing;
use crowdtune_core::registry::{Entry, find};
use crowdtune_sim::models::MODELS;

fn text(entry: &Entry<crate::export::MakeExporter>, preset: &Preset) -> Result<String, Error> {
    let input = ExportInput {
        models: Vec::new(),
        preset,
        places: Vec::new(),
        runs: Vec::new(),
        history: None,
        force: false,
        seed: 1,
    };
    let export = (entry.make.export)(&input)?;
    Ok(String::from_utf8(export.files[0].1.clone()).unwrap())
}

fn preset(model: &str) -> Preset {
    testing::preset_of(find(MODELS, model).unwrap())
}

#[test]
fn unreal_gets_centimeters() {
    // People of 0.2 to 0.3 m who want 1.3 m/s; RVO2's own 10 m and 2 s.
    let orca = text(&UNREAL, &preset("orca")).unwrap();
    for line in ["CapsuleRadius=25", "MaxWalkSpeed=130", "AvoidanceConsiderationRadius=1000", "DeltaTimeToPredict=2"] {
        assert!(orca.lines().any(|l| l == line), "no `{line}` in\n{orca}");
    }
    assert!(orca.contains("; MaxAcceleration stays as it is"), "{orca}");
    // 1.3 m/s in 0.5 s.
    let force = text(&UNREAL, &preset("social_force")).unwrap();
    assert!(force.contains("\nMaxAcceleration=260\n") && force.contains("UNPROVEN"), "{force}");
    assert!(
        force.contains("does not have: anisotropy") && force.contains("desired_speed_m_per_s and radius_m"),
        "{force}"
    );
}

#[test]
fn unity_gets_meters_and_the_range_is_listed() {
    let orca = text(&UNITY, &preset("orca")).unwrap();
    for line in ["radius=0.25", "speed=1.3", "avoidancePredictionTime=2"] {
        assert!(orca.lines().any(|l| l == line), "no `{line}` in\n{orca}");
    }
    assert!(orca.contains("neighbor_distance_m = 10: a NavMeshAgent has no range"), "{orca}");
}

#[test]
fn a_preset_without_any_of_it_is_refused() {
    let mut empty = preset("continuum");
    empty.people.clear();
    empty.parameters.clear();
    let error = text(&UNITY, &empty).unwrap_err().to_string();
    assert!(
        error.contains("nothing that the avoidance of Unity has too") && error.contains("relaxation_time_s"),
        "{error}"
    );
}
