//! Each of the five forces alone: following, separation, cohesion, alignment.

use super::chart::Mark;
use super::ground::of_two;
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::Error;
use crate::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "five_forces",
    doc: "Panels a to d of the figure: one force alone gathers, spreads, contracts or aligns 30 people, and nobody ever \
          overlaps.",
    source: "the thesis of the five-force model, figure 3.9 (pictures; the numbers are chosen here) and table 3.1",
    params: &[],
    make: MakeExperiment { models: &["five_force"], quick: true, run: experiment },
};

const TEXT: &str = r#"
title = "Figure 3.9"
people = { radius_m = 0.25, desired_speed_m_per_s = 1.34 }
[scenario.following]
kind = "open_field"
count = 30
wish = "point"
goal_radius_m = 0.5
limit_s = 30.0
parameters.weights = { order = "fig3.9", s = [1, 0, 0, 0, 0] }
[scenario.separation]
kind = "open_field"
count = 30
wish = "point"
start_size_m = 8.0
limit_s = 30.0
parameters.weights = { order = "fig3.9", s = [0, 1, 0, 0, 0] }
[scenario.cohesion]
kind = "open_field"
count = 30
wish = "point"
limit_s = 30.0
parameters.weights = { order = "fig3.9", s = [0, 0, 1, 0, 0] }
[scenario.alignment]
walkable = "POLYGON ((0 0, 20 0, 20 20, 0 20, 0 0))"
periodic = "xy"
limit_s = 30.0
parameters.weights = { order = "fig3.9", s = [0.1, 0.1, 0.1, 1, 0] }
parameters.perceives = "all"
group.east = { count = 15, from = { area = [[4, 4], [16, 16]] }, to = { heading = [1, 0] } }
group.north_west = { count = 15, from = { area = [[4, 4], [16, 16]] }, to = { heading = [-0.6, 0.8] } }
[measure.goal_start]
metric = "goal_distance_m"
window = { time_s = [0.1, 1.0] }
[measure.goal_end]
metric = "goal_distance_m"
window = { time_s = [25.0, 30.0] }
[measure.spread_start]
metric = "dispersion_m"
window = { time_s = [0.1, 1.0] }
[measure.spread_end]
metric = "dispersion_m"
window = { time_s = [25.0, 30.0] }
[measure.nearest_start]
metric = "nearest_neighbor_m"
window = { time_s = [0.1, 1.0] }
[measure.nearest_end]
metric = "nearest_neighbor_m"
window = { time_s = [25.0, 30.0] }
[measure.aligned_start]
metric = "polarization"
window = { time_s = [0.1, 1.0] }
[measure.aligned_end]
metric = "polarization"
window = { time_s = [25.0, 30.0] }
[measure.overlap]
metric = "overlap_max_m"
"#;

const MODEL: &str = "five_force";

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let ran = run(lab, TEXT, Plan { model: MODEL, seeds: 10, record_every_s: None })?;
    let panel = |name: &str, column: &str| {
        let case = ran.case(name);
        [ran.figure(case, &format!("{column}_start")), ran.figure(case, &format!("{column}_end"))]
    };
    let panels = [
        ("following", "goal", "distance from the goal, end over start", Tolerance::AtMost(0.5)),
        ("separation", "nearest", "nearest neighbor, end over start", Tolerance::AtLeast(1.5)),
        ("cohesion", "spread", "distance from the middle, end over start", Tolerance::AtMost(0.7)),
    ];
    let mut lines = Vec::new();
    for (name, column, what, tolerance) in panels {
        let [start, end] = panel(name, column);
        lines.push(Line::new(format!("{name} alone: {what}"), MODEL, "", of_two(end, start, |e, s| e / s), tolerance));
    }
    let [start, end] = panel("alignment", "aligned");
    let gain = of_two(end, start, |e, s| e - s);
    lines.push(Line::new("alignment: polarization, end minus start", MODEL, "", gain, Tolerance::AtLeast(0.2)));
    for (at, case) in ran.experiment.cases.iter().enumerate() {
        let label = format!("{}: deepest overlap", case.name);
        let line = Line::new(label, MODEL, "m", ran.figure(at, "overlap"), Tolerance::AtMost(1e-9));
        lines.push(line.note("the model promises steps without collision"));
    }
    lines[0].note = ran.failures();

    let words = ["following (m)", "separation (m)", "cohesion (m)", "alignment"];
    let columns = [("following", "goal"), ("separation", "nearest"), ("cohesion", "spread"), ("alignment", "aligned")];
    let at = |when: usize| columns.iter().enumerate().map(|(i, c)| (i as f64, panel(c.0, c.1)[when])).collect();
    let chart = Chart::new(ENTRY.name, "One force alone: what it does to 30 people", "", "distance, or polarization")
        .below("distance from the goal, to the nearest, from the middle; share of one direction; means of 10 runs")
        .words(words)
        .with("after 1 s", Mark::Ours, at(0))
        .with("after 25 to 30 s", Mark::Ours, at(1));
    Ok(Outcome { lines, charts: vec![chart] })
}
