//! RiMEA test 12: what a bottleneck does, in four parts.

use super::chart::Mark;
use super::cures::{Compared, HARD_BODIES, compared, depth};
use super::ground::{few, least_step, number, of_two, rows};
use super::lab::{Plan, Ran};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "rimea_12",
    doc: "150 people pass a bottleneck of 1 m: the goal behind it matters until it is far enough away (a), a longer \
          bottleneck takes longer (b), a second one of the same width causes no jam (c), and flow grows with width \
          (d).",
    source: "RiMEA guideline 4.1.1 (2025), test 12; the slack of 3 % in part a is chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

/// Distances of the goal behind the bottleneck, m.
const GOALS_M: [f64; 5] = [0.0, 1.0, 2.5, 5.0, 10.0];
/// Widths of the long bottleneck, m.
const WIDTHS_M: [f64; 3] = [0.8, 1.0, 1.2];

/// Two rooms of 10 x 10 m, a bottleneck of this length and width between them, the goal this far behind it.
fn rooms(name: &str, length: f64, width: f64, goal: f64) -> String {
    let (low, high, next) = (5.0 - 0.5 * width, 5.0 + 0.5 * width, 10.0 + length);
    // Room behind the farthest goal for people who have passed it.
    let end = next + 11.0;
    // A person has left one radius behind the line.
    let x = next + goal - 0.2;
    let neck = format!("{{ line = [[10, {low}], [10, {high}]] }}");
    let to = match goal {
        0.0 => format!("{{ line = [[{x}, {low}], [{x}, {high}]] }}"),
        _ => format!("[{neck}, {{ line = [[{x}, 0], [{x}, 10]] }}]"),
    };
    format!(
        "[scenario.{name}]\n\
         walkable = \"POLYGON ((0 0, 10 0, 10 {low}, {next} {low}, {next} 0, {end} 0, {end} 10, {next} 10, {next} {high}, \
         10 {high}, 10 10, 0 10, 0 0))\"\n\
         lines = {{ entry = [[10, {low}], [10, {high}]] }}\n{}",
        crowd(&to)
    )
}

fn crowd(to: &str) -> String {
    let from = rows((0.3, 0.3), (5.0, 9.7), 150);
    format!(
        "limit_s = 400.0\ngive_up_s = 60.0\ngroup.all = {{ count = 150, from = {{ points = {from} }}, to = {to} }}\n"
    )
}

/// Part c.
fn three_rooms() -> String {
    let neck = |x: f64| format!("{{ line = [[{x}, 4.5], [{x}, 5.5]] }}");
    format!(
        "[scenario.c]\nwalkable = \"POLYGON ((0 0, 10 0, 10 4.5, 10.2 4.5, 10.2 0, 20.2 0, 20.2 4.5, 20.4 4.5, 20.4 0, \
         25.4 0, 25.4 10, 20.4 10, 20.4 5.5, 20.2 5.5, 20.2 10, 10.2 10, 10.2 5.5, 10 5.5, 10 10, 0 10, 0 0))\"\n\
         areas = {{ first = [[8, 3.5], [10, 6.5]], second = [[18.2, 3.5], [20.2, 6.5]] }}\n{}",
        crowd(&format!("[{}, {}, {{ line = [[24.6, 0], [24.6, 10]] }}]", neck(10.0), neck(20.2)))
    )
}

fn text() -> String {
    let mut text = String::from(
        "title = \"Bottlenecks\"\n\
         people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }\n\
         measure.time = { metric = \"evacuation_time_100_s\" }\n\
         measure.first = { metric = \"density_per_m2\", at = \"c.first\", scenario = \"c\", window = { time_s = [5.0, 60.0] } }\n\
         measure.second = { metric = \"density_per_m2\", at = \"c.second\", scenario = \"c\", window = { time_s = [5.0, 60.0] } }\n",
    );
    let mut add = |name: &str, place: String| {
        write!(
            text,
            "[measure.flow_{name}]\nmetric = \"flow_per_s\"\nscenario = \"{name}\"\nat = \"{name}.entry\"\n\
             window = {{ ranks = [0.0, 1.0] }}\n{place}"
        )
        .expect("writing into a string cannot fail");
    };
    for goal in GOALS_M {
        let name = format!("a_{:02}", (goal * 10.0).round() as u32);
        add(&name, rooms(&name, 0.2, 1.0, goal));
    }
    for width in WIDTHS_M {
        let name = format!("d_{:02}", (width * 10.0).round() as u32);
        add(&name, rooms(&name, 5.0, width, 10.0));
    }
    text + &three_rooms()
}

/// Time from the first to the last of the 150 into the bottleneck, from their flow.
fn passage(ran: &Ran, name: &str) -> Figure {
    let flow = ran.figure(ran.case(name), &format!("flow_{name}"));
    let time = |flow: Option<f64>| flow.map(|j| 149.0 / j).filter(|t| t.is_finite());
    Figure { value: time(flow.value), low: time(flow.high), high: time(flow.low) }
}

/// For each distance of the goal.
fn passages(ran: &Ran) -> Vec<Figure> {
    GOALS_M.iter().map(|g| passage(ran, &format!("a_{:02}", (g * 10.0).round() as u32))).collect()
}

/// For each width.
fn flows(ran: &Ran) -> Vec<Figure> {
    let name = |w: &f64| format!("d_{:02}", (w * 10.0).round() as u32);
    WIDTHS_M.iter().map(name).map(|name| ran.figure(ran.case(&name), &format!("flow_{name}"))).collect()
}

fn compare(ran: &Ran) -> Vec<Line> {
    let model = &ran.model;
    let times = passages(ran);
    let whole = |name: &str| ran.figure(ran.case(name), "time");
    let c = ran.case("c");
    let [first, second] = ["first", "second"].map(|area| ran.figure(c, area));
    let mut lines = vec![
        Line::new(
            "a: time with the goal 10 m behind over time with it at the end",
            model,
            "",
            of_two(times[4], times[0], |far, near| far / near),
            Tolerance::AtLeast(0.97),
        ),
        Line::new(
            "a: time with the goal 10 m behind over 5 m",
            model,
            "",
            of_two(times[4], times[3], |far, near| far / near),
            Tolerance::Within(0.9, 1.1),
        ),
        Line::new(
            "b: time to the goal with 5 m of bottleneck minus with 0.2 m",
            model,
            "s",
            of_two(whole("d_10"), whole("a_100"), |long, short| long - short),
            Tolerance::AtLeast(0.0),
        ),
        Line::new(
            "c: density before the first bottleneck over before the second",
            model,
            "",
            of_two(first, second, |first, second| first / second),
            Tolerance::AtLeast(1.0),
        ),
        Line::new(
            "d: least step of flow from 0.8 to 1.0 to 1.2 m",
            model,
            "1/s",
            number(least_step(&flows(ran)).value),
            Tolerance::AtLeast(0.0),
        ),
    ];
    if HARD_BODIES.is_for(model) {
        lines.push(depth(ran));
    }
    lines
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut goal_chart = Chart::new(
        "rimea_12a",
        "Time for 150 people to enter a bottleneck",
        "distance of the goal behind it (m)",
        "time (s)",
    )
    .below("bottleneck 1 m wide, 0.2 m long; bars: 95 % of the mean of 5 runs (hybrid: 2)");
    let mut width_chart =
        Chart::new("rimea_12d", "Flow through a long bottleneck over its width", "width (m)", "flow (1/s)")
            .below("150 people, bottleneck 5 m long; bars: 95 % of the mean of 5 runs (hybrid: 2)");
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: few(model, 5), record_every_s: None };
        let Compared { ran, lines: found, .. } = compared(lab, &text(), plan, &[&HARD_BODIES], &compare)?;
        lines.extend(found);
        let (times, flows) = (passages(&ran), flows(&ran));
        goal_chart = goal_chart.with(model, Mark::Ours, GOALS_M.iter().copied().zip(times).collect());
        width_chart = width_chart.with(model, Mark::Ours, WIDTHS_M.iter().copied().zip(flows).collect());
    }
    Ok(Outcome { lines, charts: vec![goal_chart, width_chart] })
}
