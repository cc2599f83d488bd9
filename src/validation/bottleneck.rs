//! The flow through a bottleneck grows with its width.

use super::chart::{self, Mark};
use super::cures::{CROWDING, Compared, compared};
use super::ground::number;
use super::lab::{Plan, Ran, exact};
use super::tuned::tuned;
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::math::stats;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "bottleneck",
    doc: "60 people pass a bottleneck of 0.8 to 1.2 m: the flow is proportional to the width and as large as measured.",
    source: "Seyfried, Passon, Steffen, Boltes, Rupprecht, Klingsch, Transportation Science 43, 395 (2009); Kretz, \
             Gruenebohm, Schreckenberg, J. Stat. Mech. P10014 (2006); geometry of jpscore's validation",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "Flow through bottlenecks"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
[scenario.neck]
kind = "bottleneck"
count = 60
width_m = { each = [0.8, 0.9, 1.0, 1.1, 1.2] }
beyond_m = 3.0
start_gap_m = 3.0
start_width_m = 4.0
start_density_per_m2 = 3.3
limit_s = 180.0
give_up_s = 30.0
[measure.flow]
metric = "flow_per_s"
at = "neck.entrance"
window = { ranks = [0.1, 0.9] }
"#;

/// Width m, flow 1/s: Seyfried and others.
const SEYFRIED: [(f64, f64); 5] = [(0.8, 1.29), (0.9, 1.67), (1.0, 1.90), (1.1, 2.12), (1.2, 2.36)];
/// Kretz and others, mean of the runs of a width.
const KRETZ: [(f64, f64); 4] = [(0.8, 1.42), (0.9, 1.583), (1.0, 1.854), (1.2, 2.144)];

/// Share of the variance that a straight line explains.
fn linearity(points: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - mx, p.1 - my)).sum::<f64>();
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    xy * xy / (xx * yy)
}

/// Width and flow of each case.
fn flows(ran: &Ran) -> Vec<(f64, Figure)> {
    ran.points().map(|(case, width)| (width, ran.figure(case, "flow"))).collect()
}

fn compare(ran: &Ran) -> Vec<Line> {
    let means: Vec<(f64, f64)> = flows(ran).iter().filter_map(|(b, f)| Some((*b, f.value?))).collect();
    let full = means.len() == SEYFRIED.len();
    let specific: Vec<f64> = means.iter().map(|(b, j)| j / b).collect();
    let far = means.iter().zip(SEYFRIED).map(|(m, s)| (m.1 / s.1 - 1.0).abs()).fold(0.0, f64::max);
    let least = specific.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = specific.iter().copied().fold(0.0, f64::max);
    let line = |label, unit, value, tolerance, paper| {
        Line::new(label, &ran.model, unit, number(full.then_some(value)), tolerance).paper(exact(paper))
    };
    let per_width = Tolerance::Within(1.6, 2.6);
    vec![
        line(
            "share of flow that a line over width explains",
            "",
            linearity(&means),
            Tolerance::AtLeast(0.95),
            linearity(&SEYFRIED),
        ),
        line("least flow per width", "1/(m s)", least, per_width, 1.61),
        line("largest flow per width", "1/(m s)", largest, per_width, 1.97),
        line("mean flow per width", "1/(m s)", stats::mean(&specific), per_width, 1.85),
        line("largest relative distance from the measured flow", "", far, Tolerance::AtMost(0.15), 0.0),
    ]
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Flow through a bottleneck over its width", "width (m)", "flow (1/s)")
        .below("60 people, bottleneck 2 m long, ranks 10 to 90 %; bars: 95 % of the mean of 8 runs")
        .with("Seyfried and others 2009", Mark::Paper, chart::plain(&SEYFRIED))
        .with("Kretz and others 2006", Mark::Reference, chart::plain(&KRETZ));
    for &model in ENTRY.make.models {
        let plan = Plan { model, seeds: 8, record_every_s: None };
        let Compared { ran, cured, lines: found } = compared(lab, TEXT, plan, &[&CROWDING], &compare)?;
        lines.extend(found);
        chart = chart.with(model, Mark::Ours, flows(&ran));
        let with_preset = tuned(lab, TEXT, plan, &compare, &mut lines)?;
        for (words, ran) in cured.iter().chain(&with_preset) {
            chart = chart.with(format!("{model} {words}"), Mark::Ours, flows(ran));
        }
    }
    Ok(Outcome { lines, charts: vec![chart] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_explains_itself_and_a_parabola_explains_less() {
        assert!((linearity(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 1.0).abs() < 1e-12);
        assert!(linearity(&[(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)]) < 1e-12);
        // The published fit J = 2.60 b - 0.73.
        assert!(linearity(&SEYFRIED) > 0.97);
    }
}
