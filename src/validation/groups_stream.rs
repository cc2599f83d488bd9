//! A stream of people who follow each other: speed falls with density, and waves travel backwards.

use super::chart::Mark;
use super::cures::{Compared, MINIMUM_DISTANCE, compared};
use super::ground::{least_step, number};
use super::lab::{Plan, Ran};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::{Frame, Trajectory};
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "groups_stream",
    doc: "People on a ring of 30 x 3 m: the denser, the slower; at 4.2 per m2 a wave of density travels backwards \
          while everybody walks on.",
    source: "Yang, He, Rao 2017, eq. 2 and the stop-and-go waves of its figures; places and densities are chosen here",
    params: &[],
    make: MakeExperiment { models: &["group_dynamics"], quick: false, run: experiment },
};

const DENSITIES: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 4.0];
const RING_M: f64 = 30.0;

fn text() -> String {
    let mut text = String::from(
        "title = \"A dense stream\"\npeople = { radius_m = 0.1, desired_speed_m_per_s = 1.4 }\n\
         simulation = { time_step_s = 0.1, sample_every_s = 0.1, record_every_s = 0.1 }\n\
         measure.speed = { metric = \"speed_mean_m_per_s\", window = { time_s = [5.0, 15.0] } }\n",
    );
    let mut place = |name: &str, count: usize, more: usize, limit: f64| {
        write!(
            text,
            "[scenario.{name}]\nwalkable = \"POLYGON ((0 0, 30 0, 30 3, 0 3, 0 0))\"\nperiodic = \"x\"\nlimit_s = {limit:?}\n\
             group.all = {{ count = {count}, from = {{ area = [[0.1, 0.1], [29.9, 2.9]] }}, to = {{ heading = [1, 0] }} }}\n\
             group.more = {{ count = {more}, from = {{ area = [[10, 0.1], [14, 2.9]] }}, to = {{ heading = [1, 0] }} }}\n"
        )
        .expect("writing into a string cannot fail");
    };
    for density in DENSITIES {
        place(&format!("d{:02}", (density * 10.0).round()), (density * 90.0).round() as usize, 1, 15.0);
    }
    place("wave", 340, 40, 10.0);
    text
}

/// Where the ring is densest, m: the phase of the first harmonic of the density.
fn peak(frame: &Frame) -> f64 {
    let turn = std::f64::consts::TAU / RING_M;
    let sum = |of: fn(f64) -> f64| frame.pos.iter().map(|p| of(turn * p.x)).sum::<f64>();
    libm::atan2(sum(libm::sin), sum(libm::cos)) / turn
}

/// How far the densest part has moved, m, laps included.
fn drift(track: &Trajectory) -> f64 {
    let step = |w: &[Frame]| {
        let step = peak(&w[1]) - peak(&w[0]);
        step - RING_M * (step / RING_M).round()
    };
    track.frames.windows(2).map(step).sum()
}

/// At each density.
fn speeds(ran: &Ran) -> Vec<Figure> {
    (0..DENSITIES.len()).map(|case| ran.figure(case, "speed")).collect()
}

fn compare(ran: &Ran) -> Vec<Line> {
    let model = &ran.model;
    let fall = least_step(&speeds(ran).iter().rev().copied().collect::<Vec<_>>());
    let wave = ran.case("wave");
    let moved: Vec<f64> = ran.tracks(wave).map(drift).collect();
    let moved = (moved.len() == ran.runs[wave].len()).then(|| moved.into_iter().fold(f64::NEG_INFINITY, f64::max));
    let label = "way of the densest part in 10 s, the largest of 3 runs";
    vec![
        Line::new("least fall of speed from one density to the next", model, "m/s", fall, Tolerance::AtLeast(0.0)),
        Line::new(label, model, "m", number(moved), Tolerance::AtMost(-1.0)),
    ]
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Speed of a stream over its density", "people per m2", "speed (m/s)")
        .below("ring of 30 x 3 m, 5 to 15 s; bars: 95 % of the mean of 3 runs");
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: 3, record_every_s: Some(0.1) };
        let Compared { ran, cured, lines: found } = compared(lab, &text(), plan, &[&MINIMUM_DISTANCE], &compare)?;
        lines.extend(found);
        for (words, ran) in std::iter::once(&("", ran)).chain(&cured) {
            let points = DENSITIES.iter().copied().zip(speeds(ran)).collect();
            chart = chart.with(format!("{model} {words}").trim(), Mark::Ours, points);
        }
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
