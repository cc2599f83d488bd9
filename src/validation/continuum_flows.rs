//! What emerges from continuum crowds: lanes of two streams, a vortex of four.

use super::chart::Mark;
use super::ground::number;
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "continuum_flows",
    doc: "Two streams in a corridor sort themselves into lanes, and four streams that meet turn around each other.",
    source: "Treuille, Cooper, Popovic, Continuum Crowds, SIGGRAPH 2006 (pictures); the numbers are chosen here: lane order \
             beyond chance above 0.5, mean of r x v over |r| |v| in the crossing above 0.3; the paper does not print its constants; \
             the defaults are those of a public port on cells of 0.5 m, chosen here, and the vortex comes with its densities on its cells \
             of 1 m and a smaller length weight; streams that only feel each other's bodies say what chance gives",
    params: &[],
    make: MakeExperiment { models: &["continuum"], quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "Lanes and a vortex"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
scenario.corridor = { kind = "corridor", count = 36, limit_s = 60.0 }
scenario.crossing = { kind = "crossing", ways = "four", count = 80, inflow_per_s = 4.0 }
[scenario.vortex]
kind = "crossing"
ways = "four"
count = 60
people.radius_m = 0.15
parameters = { cell_m = 1.0, density_min_per_m2 = 0.3, density_max_per_m2 = 0.8, length_weight = 0.1 }
[scenario.blind]
kind = "crossing"
ways = "four"
count = 60
people.radius_m = 0.15
parameters = { density_min_per_m2 = 20.0, density_max_per_m2 = 30.0 }
[measure.chance]
metric = "rotation"
scenario = "blind"
at = "blind.center"
[measure.vortex]
metric = "rotation"
scenario = "vortex"
at = "vortex.center"
"#;

const MEASURES: &str = r#"
measure.order = { metric = "lane_order_reduced", scenario = "corridor", window = { time_s = [20.0, 60.0] } }
measure.rotation = { metric = "rotation", scenario = "crossing", at = "crossing.center" }
measure.left = { metric = "people_left", scenario = "crossing" }
"#;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "What emerges from continuum crowds", "", "lane order, or rotation")
        .below("corridor 10 x 4 m; crossing 4 m wide, four streams; bars: 95 % of the mean of 16 runs")
        .words(["lanes of two streams", "vortex of four", "vortex, cells of 1 m"]);
    for &model in ENTRY.make.models {
        let ran = run(lab, &format!("{MEASURES}{TEXT}"), Plan { model, seeds: 16, record_every_s: None })?;
        let (corridor, crossing) = (ran.case("corridor"), ran.case("crossing"));
        let order = ran.figure(corridor, "order");
        lines.push(Line::new("lane order beyond chance", model, "", order, Tolerance::AtLeast(0.5)));
        // A vortex may turn either way.
        let turn = |scenario: &str, column: &str| {
            let case = ran.case(scenario);
            let turns: Vec<f64> = ran.values(case, column).into_iter().map(f64::abs).collect();
            if turns.len() == ran.runs[case].len() { Figure::mean(&turns) } else { number(None) }
        };
        let (usual, coarse) = (turn("crossing", "rotation"), turn("vortex", "vortex"));
        let label = "rotation of streams that only feel each other's bodies (chance)";
        lines.push(Line::new(label, model, "", turn("blind", "chance"), Tolerance::AtMost(0.3)));
        let label = "rotation where four streams cross, defaults";
        lines.push(Line::new(label, model, "", usual, Tolerance::AtLeast(0.3)));
        let label = "rotation with cells of 1 m, densities 0.3 and 0.8 per m2, length weight 0.1";
        lines.push(Line::new(label, model, "", coarse, Tolerance::AtLeast(0.3)));
        let left = ran.figure(crossing, "left");
        lines.push(Line::new("people who do not get across", model, "people", left, Tolerance::AtMost(0.0)));
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, vec![(0.0, order), (1.0, usual), (2.0, coarse)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
