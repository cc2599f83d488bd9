//! The circle of the RVO2 library: everybody walks to the opposite point.

use super::chart::{self, Mark};
use super::ground::{number, places, ways};
use super::lab::{Plan, Ran, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::math::vec2;
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "circle_orca",
    doc: "Two and three people cross a circle as in the RVO2 library; 250 finish in its time and keep its distance; \
          10 to 50 with a random push never overlap within 1000 s.",
    source: "RVO2 library, example Circle (commit 1c25b27, run unmodified); van den Berg, Guy, Lin, Manocha 2011; \
             tolerances chosen here, as the library's own result for 250 changes by as much with its step",
    params: &[],
    make: MakeExperiment { models: &["orca"], quick: false, run: experiment },
};

const MODEL: &str = "orca";

/// The library's constants; bodies of 1.5 m, as it has them.
const LIBRARY: &str = r#"
title = "Circle of the RVO2 library"
people = { radius_m = 1.5, desired_speed_m_per_s = 1.0, max_speed_m_per_s = 2.0 }
parameters.time_horizon_s = 10.0
parameters.obstacle_time_horizon_s = 10.0
parameters.neighbor_distance_m = 15.0
parameters.max_neighbors = 10
simulation = { time_step_s = 0.25, sample_every_s = 0.25, record_every_s = 1.0 }
measure.time = { metric = "evacuation_time_100_s" }
measure.overlap = { metric = "overlap_max_m" }
measure.effort = { metric = "path_efficiency" }
"#;

/// Positions of two by the library, every 3 s.
const TWO: [[(f64, f64); 2]; 13] = [
    [(20.0, 0.0), (-20.0, 0.0)],
    [(17.0, 0.0), (-17.0, 0.0)],
    [(14.0, 0.0), (-14.0, 0.0)],
    [(11.0, 0.0), (-11.0, 0.0)],
    [(8.0, 0.0), (-8.0, 0.0)],
    [(5.1, -0.4547), (-5.1, 0.4547)],
    [(2.2487, -1.0576), (-2.2487, 1.0576)],
    [(-0.6225, -1.4586), (0.6225, 1.4586)],
    [(-3.6140, -1.2334), (3.6140, 1.2334)],
    [(-6.6055, -1.0082), (6.6055, 1.0082)],
    [(-9.5971, -0.7831), (9.5971, 0.7831)],
    [(-12.5886, -0.5579), (12.5886, 0.5579)],
    [(-15.5801, -0.3327), (15.5801, 0.3327)],
];
/// Positions of three by the library, every 3 s, until the first one has arrived.
const THREE: [[(f64, f64); 3]; 12] = [
    [(20.0, 0.0), (-10.0, 17.3205), (-10.0, -17.3205)],
    [(17.0, 0.0), (-8.5, 14.7224), (-8.5, -14.7224)],
    [(14.0, 0.0), (-7.0, 12.1244), (-7.0, -12.1244)],
    [(11.0, 0.0), (-5.5, 9.5263), (-5.5, -9.5263)],
    [(7.7181, 0.0), (-4.0662, 7.0429), (-3.9240, -6.9961)],
    [(3.0269, 0.0), (-2.9637, 5.1333), (-1.9680, -4.8051)],
    [(-1.6189, -0.0149), (-1.8612, 3.2237), (-0.0060, -2.5853)],
    [(-4.6820, -0.1723), (-0.8346, 0.9493), (2.0247, -0.0356)],
    [(-7.6818, -0.1386), (0.6180, -1.6106), (3.3907, 2.6741)],
    [(-10.6816, -0.1048), (2.1562, -4.1862), (4.6247, 5.4086)],
    [(-13.6814, -0.0711), (3.6944, -6.7619), (5.8586, 8.1431)],
    [(-16.6812, -0.0373), (5.2326, -9.3375), (7.0926, 10.8775)],
];

/// How far a position may be from the library's, m; it prints 1e-6, the tables above have 1e-4.
const NEAR_M: f64 = 1e-3;

/// People who start near these places and want to get to the opposite ones.
fn few(name: &str, from: &[(f64, f64)], nudged: &[(f64, f64)]) -> String {
    let mut text = format!(
        "[scenario.{name}]\nwalkable = \"POLYGON ((-100 -100, 100 -100, 100 100, -100 100, -100 -100))\"\nlimit_s = 60.0\n"
    );
    for (k, ((x, y), (dx, dy))) in from.iter().zip(nudged).enumerate() {
        writeln!(
            text,
            "group.p{k} = {{ count = 1, from = {{ points = [[{:?}, {:?}]] }}, to = {{ point = [{:?}, {:?}], radius_m = 1.5 }} }}",
            x + dx,
            y + dy,
            -x,
            -y
        )
        .expect("writing into a string cannot fail");
    }
    text
}

/// Each pair meets exactly head on, and the rounding of single precision decides on which side the library's people
/// pass: starts moved by a hundredth of a millimeter make them pass on the same sides.
fn exact_text() -> String {
    let third = 0.75_f64.sqrt() * 20.0;
    let two = few("two", &[(20.0, 0.0), (-20.0, 0.0)], &[(0.0, -1e-5), (0.0, 1e-5)]);
    let out = [(-1e-5, 0.0), (-0.5e-5, 1e-5 * 0.75_f64.sqrt()), (0.0, 0.0)];
    let three = few("three", &[(20.0, 0.0), (-10.0, third), (-10.0, -third)], &out);
    format!("{LIBRARY}parameters.push_m_per_s = 0.0\n{two}{three}")
}

const MANY: &str = r#"
parameters.push_m_per_s = 0.0
scenario.many = { kind = "circle", count = 250, circle_m = 200.0, goal_radius_m = 1.5, push_m = 0.0, limit_s = 1500.0, give_up_s = 1500.0 }
"#;

const SOME: &str = r#"
parameters.push_m_per_s = 1e-4
scenario.n10 = { kind = "circle", count = 10, circle_m = 20.0, goal_radius_m = 1.5, push_m = 0.0, limit_s = 1000.0, give_up_s = 1000.0 }
scenario.n20 = { kind = "circle", count = 20, circle_m = 30.0, goal_radius_m = 1.5, push_m = 0.0, limit_s = 1000.0, give_up_s = 1000.0 }
scenario.n35 = { kind = "circle", count = 35, circle_m = 40.0, goal_radius_m = 1.5, push_m = 0.0, limit_s = 1000.0, give_up_s = 1000.0 }
scenario.n50 = { kind = "circle", count = 50, circle_m = 50.0, goal_radius_m = 1.5, push_m = 0.0, limit_s = 1000.0, give_up_s = 1000.0 }
"#;

/// Largest distance from the library's positions, which are 3 s apart.
fn farthest<const N: usize>(ran: &Ran, case: &str, wanted: &[[(f64, f64); N]]) -> Option<f64> {
    let track = ran.tracks(ran.case(case)).next()?;
    let (mut worst, mut seen) = (0.0_f64, 0);
    for (frame, id, p) in places(track) {
        let at = frame.time_s / 3.0;
        if at.fract() == 0.0 && (at as usize) < wanted.len() {
            let (x, y) = wanted[at as usize][id];
            worst = worst.max((p - vec2(x, y)).length());
            seen += 1;
        }
    }
    (seen == N * wanted.len()).then_some(worst)
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let few = run(lab, &exact_text(), Plan { model: MODEL, seeds: 1, record_every_s: Some(1.0) })?;
    let many = run(lab, &format!("{LIBRARY}{MANY}"), Plan { model: MODEL, seeds: 1, record_every_s: Some(4.0) })?;
    let some = run(lab, &format!("{LIBRARY}{SOME}"), Plan { model: MODEL, seeds: 2, record_every_s: None })?;
    let line = |label: &str, unit, result, tolerance| Line::new(label, MODEL, unit, result, tolerance);
    let mut lines = vec![
        line(
            "two: largest distance from the library's positions",
            "m",
            number(farthest(&few, "two", &TWO)),
            Tolerance::AtMost(NEAR_M),
        )
        .reference(exact(0.0)),
        line("two: time", "s", few.figure(few.case("two"), "time"), Tolerance::Within(38.75, 39.25))
            .reference(exact(39.0)),
        line(
            "three: largest distance from the library's positions",
            "m",
            number(farthest(&few, "three", &THREE)),
            Tolerance::AtMost(NEAR_M),
        )
        .reference(exact(0.0)),
        line("three: time", "s", few.figure(few.case("three"), "time"), Tolerance::Within(40.75, 41.25))
            .reference(exact(41.0)),
        line("250: time", "s", many.figure(0, "time"), Tolerance::Within(645.0, 1075.0)).reference(exact(860.25)),
        line(
            "250: smallest distance of centers",
            "m",
            number(many.figure(0, "overlap").value.map(|o| 3.0 - o)),
            Tolerance::AtLeast(2.0),
        )
        .reference(exact(2.09)),
        line(
            "10 to 50 with a push: deepest overlap in 1000 s",
            "m",
            number((0..4).map(|case| some.figure(case, "overlap").value).try_fold(0.0, |a, b| Some(f64::max(a, b?)))),
            Tolerance::AtMost(1e-4),
        )
        .reference(exact(0.0)),
    ];
    few.judge(&mut lines[..4]);
    many.judge(&mut lines[4..6]);
    some.judge(&mut lines[6..]);
    let mut chart = Chart::map(ENTRY.name, "Three people cross a circle");
    if let Some(track) = few.tracks(few.case("three")).next() {
        chart = chart.with("ways here", Mark::Way, ways(track));
    }
    let known: Vec<(f64, f64)> = THREE.iter().flatten().copied().collect();
    chart = chart.with("the RVO2 library, every 3 s", Mark::Paper, chart::plain(&known));
    let mut crowd = Chart::map("circle_orca_250", "Ways of 250 people across a circle");
    if let Some(track) = many.tracks(0).next() {
        crowd = crowd.with("", Mark::Way, ways(track));
    }
    Ok(Outcome { lines, charts: vec![chart, crowd] })
}
