//! People who pass each other and hardly touch: shared by the street with a car and the narrow passage.

use super::lab::{Lab, Plan, Ran, exact, run};
use super::{Line, Tolerance};
use crowdtune_core::Error;

/// Who walks, and what is measured.
const HEAD: &str = r#"
people = { radius_m = 0.25, desired_speed_m_per_s = { normal = [1.34, 0.2], clip = [0.8, 2.0] }, max_speed_m_per_s = 2.0 }
simulation = { time_step_s = 0.1, sample_every_s = 0.1, record_every_s = 0.2 }
measure.collisions = { metric = "collisions" }
measure.overlap = { metric = "overlap_max_m" }
measure.walls = { metric = "wall_overlap_max_m" }
measure.left = { metric = "people_left" }
"#;

/// Runs a place with one model, ten times, and compares: no collisions, overlaps of 5 cm at most, no walls touched, all
/// arrive. `orca_margin_m` is room for steps of 0.1 s; `rvo` takes a share of the radius, for its sampling of velocities.
pub fn pass(lab: &dyn Lab, model: &str, orca_margin_m: f64, place: &str) -> Result<(Ran, Vec<Line>), Error> {
    let margin = match model {
        "rvo" => "parameters.margin_share = 0.1\n".to_string(),
        _ => format!("parameters.margin_m = {orca_margin_m:?}\n"),
    };
    let ran = run(lab, &format!("{margin}{HEAD}{place}"), Plan { model, seeds: 10, record_every_s: Some(0.2) })?;
    let line = |label: &str, unit, column: &str, most: f64| {
        Line::new(label, model, unit, ran.figure(0, column), Tolerance::AtMost(most))
    };
    let mut lines = vec![
        line("collisions", "", "collisions", 0.0).paper(exact(0.0)),
        line("deepest overlap", "m", "overlap", 0.05),
        line("deepest overlap with a wall", "m", "walls", 1e-3),
        line("people who do not arrive", "people", "left", 0.0),
    ];
    ran.judge(&mut lines);
    Ok((ran, lines))
}
