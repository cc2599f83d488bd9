//! RiMEA test 4 and IMO test 12: speed falls with density, and flow has a maximum.

use super::chart::{self, Mark};
use super::cures::{CROWDING, Compared, compared};
use super::ground::{few, least_step, number, rows};
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
    name: "rimea_4",
    doc: "Speed at 0.5 to 6 people per m2 in a corridor of 20 x 4 m that is closed to a ring (the standard has 1000 x 10 m).",
    source: "RiMEA guideline 4.1.1 (2025), test 4, and IMO MSC.1/Circ.1238, test 12; 10-90 % bands of the open corridor of \
             Zhang and others 2011; Weidmann 1993; the guideline gives no limits; those of falls are half of Weidmann's \
             least fall from 0.5 to 4 per m2, and no rise beyond",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

const DENSITIES: [f64; 7] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// How many of them the band covers.
const MEASURED: usize = 5;
const SIZE_M: (f64, f64) = (20.0, 4.0);

/// Density, 10 % and 90 % of the speed in the class around it, m/s.
const BAND: [(f64, f64, f64); 8] = [
    (0.25, 1.31, 1.69),
    (0.75, 1.29, 1.57),
    (1.25, 1.11, 1.29),
    (1.75, 0.84, 1.22),
    (2.25, 0.36, 0.80),
    (2.75, 0.29, 0.52),
    (3.25, 0.17, 0.32),
    (3.75, 0.13, 0.18),
];

/// The band at a density, interpolated between the middles of its classes; the last class beyond its middle.
fn allowed(density: f64) -> (f64, f64) {
    let at = BAND.iter().position(|b| b.0 >= density).unwrap_or(BAND.len() - 1);
    let (a, b) = (BAND[at.saturating_sub(1)], BAND[at]);
    let share = if b.0 > a.0 { ((density - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 1.0 };
    (a.1 + share * (b.1 - a.1), a.2 + share * (b.2 - a.2))
}

/// Weidmann 1993.
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))
}

fn text() -> String {
    let mut text = String::from(
        "title = \"Speed over density\"\n\
         people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.18 }\n\
         measure.speed = { metric = \"speed_mean_m_per_s\", window = { time_s = [10.0, 70.0] } }\n",
    );
    for density in DENSITIES {
        let count = (density * SIZE_M.0 * SIZE_M.1).round() as usize;
        let points = rows((0.0, 0.2), (SIZE_M.0, SIZE_M.1 - 0.2), count);
        write!(
            text,
            "[scenario.d{:02}]\nwalkable = \"POLYGON ((0 0, 20 0, 20 4, 0 4, 0 0))\"\nperiodic = \"x\"\nlimit_s = 70.0\n\
             group.all = {{ count = {count}, from = {{ points = {points} }}, to = {{ heading = [1, 0] }} }}\n",
            (density * 10.0).round() as u32
        )
        .expect("writing into a string cannot fail");
    }
    text
}

/// At each density.
fn speeds(ran: &Ran) -> Vec<Figure> {
    (0..DENSITIES.len()).map(|case| ran.figure(case, "speed")).collect()
}

fn compare(ran: &Ran, cause: Option<&Line>) -> Vec<Line> {
    let (model, speeds) = (&ran.model, speeds(ran));
    let fall = |part: &[Figure]| least_step(&part.iter().rev().copied().collect::<Vec<_>>());
    let known: Vec<Figure> = DENSITIES[..MEASURED].iter().map(|&d| exact(weidmann(d))).collect();
    let least = fall(&known);
    let half = 0.5 * least.value.unwrap_or(f64::INFINITY);
    let inside = |(density, speed): (&f64, &Figure)| {
        let (low, high) = allowed(*density);
        speed.value.map(|v| v >= low && v <= high)
    };
    let hits: Option<Vec<bool>> = DENSITIES.iter().zip(&speeds).take(MEASURED).map(inside).collect();
    let share = hits.map(|h| h.iter().filter(|inside| **inside).count() as f64 / h.len() as f64);
    let flow = |at: usize| speeds[at].value.map(|v| v * DENSITIES[at]);
    let ratio = number(flow(6).zip(flow(2)).map(|(dense, moderate)| dense / moderate));
    let line = |label, unit, value, tolerance| Line::new(label, model, unit, value, tolerance).too_fast(cause);
    vec![
        line(
            "least fall of speed from one density to the next, 0.5 to 4 per m2",
            "m/s",
            fall(&speeds[..MEASURED]),
            Tolerance::AtLeast(half),
        )
        .paper(least),
        line(
            "least fall of speed from 4 to 5 to 6 per m2",
            "m/s",
            fall(&speeds[MEASURED - 1..]),
            Tolerance::AtLeast(0.0),
        ),
        line("share of densities up to 4 inside the 10-90 % band", "", number(share), Tolerance::AtLeast(0.75)),
        line("IMO 12: flow at 6 per m2 over flow at 2", "", ratio, Tolerance::AtMost(1.0)),
    ]
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let x: Vec<f64> = (1..=54).map(|k| 0.1 * f64::from(k)).collect();
    let mut chart =
        Chart::new(ENTRY.name, "Speed over density in a corridor without ends", "people per m2", "speed (m/s)")
            .below("20 x 4 m closed to a ring, 10 to 70 s; bars: 95 % of the mean of 3 runs (hybrid: 1)")
            .with("10-90 % of an open corridor", Mark::Band, chart::band(&BAND))
            .with("Weidmann 1993", Mark::Way, chart::plain(&x.iter().map(|&d| (d, weidmann(d))).collect::<Vec<_>>()));
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: few(model, 3), record_every_s: None };
        let cause = cause(lab, model)?;
        let compare = |ran: &Ran| compare(ran, cause.as_ref());
        let Compared { ran, cured, lines: found } = compared(lab, &text(), plan, &[&CROWDING], &compare)?;
        lines.extend(found);
        let with_preset = tuned(lab, &text(), plan, &compare, &mut lines)?;
        lines.extend(cause);
        for (words, ran) in std::iter::once(&("", ran)).chain(&cured).chain(&with_preset) {
            let points = DENSITIES.iter().copied().zip(speeds(ran)).collect();
            chart = chart.with(format!("{model} {words}").trim(), Mark::Ours, points);
        }
    }
    Ok(Outcome { lines, charts: vec![chart] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_is_met_at_its_classes_and_between_them() {
        assert_eq!(allowed(2.25), (0.36, 0.80));
        let (low, high) = allowed(2.0);
        assert!((low - 0.60).abs() < 1e-12 && (high - 1.01).abs() < 1e-12);
        assert_eq!(allowed(0.1), (1.31, 1.69));
        assert_eq!(allowed(6.0), (0.13, 0.18));
        assert!((weidmann(1.0) - 1.058).abs() < 5e-4 && (weidmann(4.0) - 0.156).abs() < 5e-4);
    }
}
