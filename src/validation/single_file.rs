//! People in single file on a ring: RiMEA test 16, and stop-and-go waves.

use super::chart::{self, Mark};
use super::cures::{CROWDING, Compared, compared};
use super::ground::{few, least_step, number};
use super::lab::{Plan, Ran, exact};
use super::together::cause;
use super::tuned::tuned;
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "single_file",
    doc: "People in single file on a ring of 26 m: speed over line density is as measured, desired speeds of 0.9 and \
          1.5 m/s shift the curve, and with 62 and 70 people as many stand as measured.",
    source: "RiMEA guideline 4.1.1 (2025), test 16; single-file runs on an oval of the Juelich archive, 2746 points by \
             density class; Seyfried, Portz, Schadschneider 2010 for stop-and-go; the shares are chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

const RING_M: f64 = 26.0;
/// Line density 1/m, mean, 10 % and 90 % of the speed m/s: the middles of the classes.
const MEASURED: [(f64, f64, f64, f64); 10] = [
    (0.375, 1.13, 0.88, 1.26),
    (0.625, 0.93, 0.80, 1.17),
    (0.875, 0.86, 0.62, 0.99),
    (1.125, 0.54, 0.40, 0.82),
    (1.375, 0.35, 0.21, 0.50),
    (1.625, 0.25, 0.18, 0.37),
    (1.875, 0.155, 0.10, 0.23),
    (2.125, 0.095, 0.05, 0.14),
    (2.375, 0.051, 0.00, 0.11),
    (2.625, 0.039, 0.00, 0.08),
];

/// Share of time below 0.04 m/s in the experiments with 56, 62 and 70 people.
const STANDING: [f64; 3] = [0.01, 0.03, 0.62];

/// One scenario table: a file of `count` people with this desired speed.
fn file(name: &str, count: usize, desired: &str) -> String {
    let mut points = String::new();
    for k in 0..count {
        let x = RING_M * (k as f64 + 0.5) / count as f64;
        write!(points, "[{x:.4}, 0.4], ").expect("writing into a string cannot fail");
    }
    format!(
        "[scenario.{name}]\nwalkable = \"POLYGON ((0 0, 26 0, 26 0.8, 0 0.8, 0 0))\"\nperiodic = \"x\"\nlimit_s = 90.0\n\
         people.desired_speed_m_per_s = {desired}\n\
         group.all = {{ count = {count}, from = {{ points = [{points}] }}, to = {{ heading = [1, 0] }} }}\n"
    )
}

fn text() -> String {
    let mut text = String::from(
        "title = \"Single file\"\npeople.radius_m = 0.15\n\
         measure.speed = { metric = \"speed_mean_m_per_s\", window = { time_s = [30.0, 90.0] } }\n\
         measure.standing = { metric = \"stop_share\", window = { time_s = [30.0, 90.0] } }\n",
    );
    for (density, ..) in MEASURED {
        let count = (density * RING_M).round() as usize;
        text += &file(&format!("f{count:02}"), count, "{ normal = [1.24, 0.1], clip = [0.9, 1.6] }");
    }
    text += &file("g_packed", 70, "{ normal = [1.24, 0.1], clip = [0.9, 1.6] }");
    for (name, desired) in [("slow", "0.9"), ("usual", "1.24"), ("swift", "1.5")] {
        text += &file(&format!("g_{name}"), 23, desired);
    }
    text
}

/// At each density.
fn speeds(ran: &Ran) -> Vec<Figure> {
    (0..MEASURED.len()).map(|case| ran.figure(case, "speed")).collect()
}

fn compare(ran: &Ran, cause: Option<&Line>) -> Vec<Line> {
    let inside = |(m, s): (&(f64, f64, f64, f64), Figure)| s.value.map(|v| v >= m.2 && v <= m.3);
    let hits: Option<Vec<bool>> = MEASURED.iter().zip(speeds(ran)).map(inside).collect();
    let share = hits.map(|h| h.iter().filter(|inside| **inside).count() as f64 / h.len() as f64);
    let [slow, usual, swift] = ["slow", "usual", "swift"].map(|n| ran.figure(ran.case(&format!("g_{n}")), "speed"));
    let standing = |name: &str| ran.figure(ran.case(name), "standing");
    let line = |label, unit, value, tolerance| Line::new(label, &ran.model, unit, value, tolerance);
    vec![
        line("share of density classes inside the 10-90 % envelope", "", number(share), Tolerance::AtLeast(0.75))
            .too_fast(cause),
        line(
            "least step of speed at 0.88 per m for desired 0.9, 1.24, 1.5 m/s",
            "m/s",
            least_step(&[slow, usual, swift]),
            Tolerance::AtLeast(0.01),
        ),
        line(
            "share of time below 0.04 m/s, 62 people",
            "",
            standing("f62"),
            Tolerance::Within(STANDING[0], STANDING[2]),
        )
        .paper(exact(STANDING[1]))
        .too_fast(cause)
        .note("wanted: what the experiments with 56 and 70 people have"),
        line(
            "share of time below 0.04 m/s, 70 people",
            "",
            standing("g_packed"),
            Tolerance::Within(0.5 * STANDING[2], 0.5 * (1.0 + STANDING[2])),
        )
        .paper(exact(STANDING[2]))
        .too_fast(cause)
        .note("wanted: half of the experiment's share of standing, and half of its share of walking, at least"),
    ]
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let measured: Vec<(f64, f64)> = MEASURED.iter().map(|m| (m.0, m.1)).collect();
    let band: Vec<(f64, f64, f64)> = MEASURED.iter().map(|m| (m.0, m.2, m.3)).collect();
    let mut chart = Chart::new(ENTRY.name, "Speed over line density in single file", "people per m", "speed (m/s)")
        .below("ring of 26 m, 30 to 90 s; bars: 95 % of the mean of 5 runs (hybrid: 2)")
        .with("10-90 % of the experiments", Mark::Band, chart::band(&band))
        .with("their mean", Mark::Paper, chart::plain(&measured));
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: few(model, 5), record_every_s: None };
        let cause = cause(lab, model)?;
        let compare = |ran: &Ran| compare(ran, cause.as_ref());
        let Compared { ran, cured, lines: found } = compared(lab, &text(), plan, &[&CROWDING], &compare)?;
        lines.extend(found);
        let with_preset = tuned(lab, &text(), plan, &compare, &mut lines)?;
        lines.extend(cause);
        for (words, ran) in std::iter::once(&("", ran)).chain(&cured).chain(&with_preset) {
            let points = MEASURED.iter().map(|m| m.0).zip(speeds(ran)).collect();
            chart = chart.with(format!("{model} {words}").trim(), Mark::Ours, points);
        }
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
