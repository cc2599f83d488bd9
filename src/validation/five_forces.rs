//! Each of the five forces alone: following, separation, cohesion, alignment.

use super::chart::Mark;
use super::ground::of_two;
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "five_forces",
    doc: "Panels a to d of the figure: one force alone gathers, spreads, contracts or aligns 30 people, and nobody ever \
          overlaps.",
    source: "the thesis of the five-force model, figure 3.9 (pictures; the numbers are chosen here) and table 3.1",
    params: &[],
    make: MakeExperiment { models: &["five_force"], quick: true, run: experiment },
};

const TEXT: &str = include_str!("../../configs/five_forces.toml");

const MODEL: &str = "five_force";

/// A panel: its scenario, the number taken before and after, what it is, how the two are compared, and what must come out.
type Panel = (&'static str, &'static str, &'static str, &'static str, fn(f64, f64) -> f64, Tolerance);

const PANELS: [Panel; 4] = [
    (
        "a_following",
        "goal_distance",
        "distance from the goal (m)",
        "distance from the goal, end over start",
        |e, s| e / s,
        Tolerance::AtMost(0.5),
    ),
    (
        "b_separation",
        "nearest",
        "distance of the nearest (m)",
        "nearest neighbor, end over start",
        |e, s| e / s,
        Tolerance::AtLeast(1.5),
    ),
    (
        "c_cohesion",
        "dispersion",
        "distance from the middle (m)",
        "distance from the middle, end over start",
        |e, s| e / s,
        Tolerance::AtMost(0.7),
    ),
    (
        "d_alignment",
        "polarization",
        "share of one direction",
        "polarization, end minus start",
        |e, s| e - s,
        Tolerance::AtLeast(0.2),
    ),
];

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let text = format!("{TEXT}[measure.overlap]\nmetric = \"overlap_max_m\"\n");
    let ran = run(lab, &text, Plan { model: MODEL, seeds: 10, record_every_s: None })?;
    let (mut lines, mut overlaps, mut charts) = (Vec::new(), Vec::new(), Vec::new());
    for (panel, column, axis, what, compare, tolerance) in PANELS {
        let case = ran.case(panel);
        let [start, end] = ["start", "end"].map(|when| ran.figure(case, &format!("{column}_{when}")));
        let name = &panel[2..];
        lines.push(Line::new(format!("{name}: {what}"), MODEL, "", of_two(end, start, compare), tolerance));
        let label = format!("{name}: deepest overlap");
        let line = Line::new(label, MODEL, "m", ran.figure(case, "overlap"), Tolerance::AtMost(1e-9));
        overlaps.push(line.note("the model promises steps without collision"));
        let chart = Chart::new(&format!("five_forces_{name}"), &format!("{name} alone: 30 people"), "", axis)
            .below("means of 10 runs; bars: 95 % of the mean")
            .words(["after 1 s", "after 25 to 30 s"]);
        charts.push(chart.with(MODEL, Mark::Ours, vec![(0.0, start), (1.0, end)]));
    }
    lines.append(&mut overlaps);
    ran.judge(&mut lines);
    Ok(Outcome { lines, charts })
}
