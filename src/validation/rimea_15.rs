//! RiMEA test 15: the time of a large crowd round a corner lies between those of a short and a long straight way.

use super::chart::Mark;
use super::ground::{few, least_step, rows};
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_15",
    doc: "500 people walk 44 m straight, round a corner, and 75.4 m straight, in a corridor 20 m wide: the corner lies \
          between the two (its inner way is 44 m, its outer quarter circle 75.4 m).",
    source: "RiMEA guideline 4.1.1 (2025), test 15",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

/// The corner: 34 m from the start to the middle of the other arm, 30 m on from there.
fn text() -> String {
    let group = |to: &str| {
        let from = rows((0.3, 0.3), (6.0, 19.7), 500);
        format!("group.all = {{ count = 500, from = {{ points = {from} }}, to = {to} }}\n")
    };
    let straight = |name: &str, length: f64| {
        format!(
            "[scenario.{name}]\nwalkable = \"POLYGON ((0 0, {length} 0, {length} 20, 0 20, 0 0))\"\nlimit_s = 300.0\n{}",
            group(&format!("{{ line = [[{length}, 0], [{length}, 20]] }}"))
        )
    };
    format!(
        "title = \"A large crowd round a corner\"\n\
         people = {{ desired_speed_m_per_s = {{ normal = [1.34, 0.26], clip = [0.6, 2.0] }}, radius_m = {{ uniform = [0.15, 0.2] }} }}\n\
         measure.time = {{ metric = \"evacuation_time_100_s\" }}\n{}{}\
         [scenario.b_corner]\nwalkable = \"POLYGON ((0 0, 44 0, 44 40, 24 40, 24 20, 0 20, 0 0))\"\nlimit_s = 300.0\n{}",
        straight("a_short", 44.0),
        straight("c_long", 75.4),
        group("[{ line = [[24, 20], [44, 0]] }, { line = [[24, 40], [44, 40]] }]"),
    )
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Time for 500 people", "", "time (s)")
        .below("bars: 95 % of the mean of 3 runs (hybrid: 1)")
        .words(["44 m straight", "round the corner", "75.4 m straight"]);
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: few(model, 3), record_every_s: None })?;
        let times: Vec<_> = (0..3).map(|case| ran.figure(case, "time")).collect();
        let label = "least step of time from 44 m to the corner to 75.4 m";
        lines.push(Line::new(label, model, "s", least_step(&times), Tolerance::AtLeast(0.0)));
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, (0..3).map(f64::from).zip(times).collect());
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
