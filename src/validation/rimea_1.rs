//! RiMEA test 1 and IMO test 1: one person keeps their speed in a corridor.

use super::chart::Mark;
use super::lab::{Plan, between, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_1",
    doc: "One person walks 40 m of a corridor 2 m wide at their own speed.",
    source: "RiMEA guideline 4.1.1 (2025), test 1; IMO MSC.1/Circ.1238, test 1, with a tolerance of 1 s chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: true, run: experiment },
};

// A person has left one radius behind the line: the center walks from x = 0 to x = 40.
const TEXT: &str = r#"
title = "Keeping the own speed in a corridor"
people.desired_speed_m_per_s = { each = [1.0, 1.33] }
people.radius_m = 0.2
[scenario.corridor]
walkable = "POLYGON ((-1 0, 41 0, 41 2, -1 2, -1 0))"
limit_s = 80.0
group.one = { count = 1, from = { points = [[0, 1]] }, to = { line = [[39.8, 0], [39.8, 2]] } }
[measure.time]
metric = "evacuation_time_100_s"
"#;

/// Speed, nominal time and what is allowed, s.
const WANTED: [(f64, f64, f64, f64); 2] = [(1.0, 40.0, 39.0, 41.0), (1.33, 40.0 / 1.33, 26.0, 34.0)];

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Time to walk 40 m", "", "time (s)")
        .below("bars: what the standard allows")
        .words(WANTED.map(|w| format!("{} m/s", w.0)))
        .with(
            "standard",
            Mark::Paper,
            WANTED.iter().enumerate().map(|(i, w)| (i as f64, between(w.1, w.2, w.3))).collect(),
        );
    for &model in ENTRY.make.models {
        let ran = run(lab, TEXT, Plan { model, seeds: 1, record_every_s: None })?;
        let mut points = Vec::new();
        for (i, (v0, nominal, low, high)) in WANTED.into_iter().enumerate() {
            let time = ran.figure(i, "time");
            points.push((i as f64, time));
            let label = format!("time for 40 m at {v0} m/s");
            let line = Line::new(label, model, "s", time, Tolerance::Within(low, high));
            lines.push(line.paper(between(nominal, low, high)));
        }
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, points);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
