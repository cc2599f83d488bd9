//! Two streams meet at a narrow passage.

use super::chart::Mark;
use super::ground::{outline, ways};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::Error;
use crate::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "narrow_passage",
    doc: "Eight people from each side go through a passage of 1.6 m without touching each other by more than 5 cm, or the walls.",
    source: "van den Berg, Lin, Manocha, ICRA 2008: their scene with a narrow passage (a picture); place and numbers are \
             chosen here",
    params: &[],
    make: MakeExperiment { models: &["rvo", "orca"], quick: false, run: experiment },
};

const OUTLINE: [(f64, f64); 12] = [
    (0.0, 0.0),
    (9.5, 0.0),
    (9.5, 3.2),
    (10.5, 3.2),
    (10.5, 0.0),
    (20.0, 0.0),
    (20.0, 8.0),
    (10.5, 8.0),
    (10.5, 4.8),
    (9.5, 4.8),
    (9.5, 8.0),
    (0.0, 8.0),
];

const LEAST_BAD: &str = "where bodies leave no velocity free the model takes the least bad one, as the RVO2 library does: touching by \
                         centimeters belongs to it";

const TEXT: &str = r#"
title = "A narrow passage"
people = { radius_m = 0.25, desired_speed_m_per_s = { normal = [1.34, 0.2], clip = [0.8, 2.0] }, max_speed_m_per_s = 2.0 }
simulation = { time_step_s = 0.1, sample_every_s = 0.1, record_every_s = 0.2 }
measure.collisions = { metric = "collisions" }
measure.overlap = { metric = "overlap_max_m" }
measure.walls = { metric = "wall_overlap_max_m" }
measure.left = { metric = "people_left" }
[scenario.passage]
walkable = "POLYGON ((0 0, 9.5 0, 9.5 3.2, 10.5 3.2, 10.5 0, 20 0, 20 8, 10.5 8, 10.5 4.8, 9.5 4.8, 9.5 8, 0 8, 0 0))"
limit_s = 120.0
group.east = { count = 8, from = { area = [[1, 1], [5, 7]] }, to = [{ line = [[9.5, 3.2], [9.5, 4.8]] }, { line = [[10.5, 3.2], [10.5, 4.8]] }, { line = [[20, 0], [20, 8]] }] }
group.west = { count = 8, from = { area = [[15, 1], [19, 7]] }, to = [{ line = [[10.5, 3.2], [10.5, 4.8]] }, { line = [[9.5, 3.2], [9.5, 4.8]] }, { line = [[0, 0], [0, 8]] }] }
"#;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart =
        Chart { map: true, ..Chart::new(ENTRY.name, "Ways through a narrow passage, one run", "x (m)", "y (m)") };
    for &model in ENTRY.make.models {
        let margin = if model == "rvo" { "parameters.margin_share = 0.1\n" } else { "parameters.margin_m = 0.02\n" };
        let ran = run(lab, &format!("{margin}{TEXT}"), Plan { model, seeds: 10, record_every_s: Some(0.2) })?;
        lines.push(
            Line::new("collisions", model, "", ran.figure(0, "collisions"), Tolerance::AtMost(0.0))
                .paper(exact(0.0))
                .deviates("orca", LEAST_BAD)
                .note(ran.failures()),
        );
        lines.push(Line::new("deepest overlap", model, "m", ran.figure(0, "overlap"), Tolerance::AtMost(0.05)));
        lines.push(Line::new(
            "deepest overlap with a wall",
            model,
            "m",
            ran.figure(0, "walls"),
            Tolerance::AtMost(1e-3),
        ));
        lines.push(Line::new(
            "people who do not arrive",
            model,
            "people",
            ran.figure(0, "left"),
            Tolerance::AtMost(0.0),
        ));
        if let Some(track) = ran.tracks(0).next() {
            chart = chart.with(model, Mark::Way, ways(track));
        }
    }
    Ok(Outcome { lines, charts: vec![chart.with("", Mark::Wall, outline(&OUTLINE))] })
}
