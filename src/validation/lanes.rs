//! Two streams in one corridor walk in lanes.

use super::chart::Mark;
use super::lab::{Plan, between, exact, run};
use super::reasons::ONE_POTENTIAL;
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "lanes",
    doc: "36 people walk both ways in a corridor of 10 x 4 m that is closed to a ring: lane order beyond chance, and \
          flow, from 20 to 120 s.",
    source: "bidirectional run of the Juelich archive in a corridor 4 m wide at 0.88 people per m2: reduced lane order \
             0.70, flow 0.98 1/(m s); order parameter as Nowak and Schadschneider 2012; tolerances chosen here",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: true, run: experiment },
};

const TEXT: &str = r#"
title = "Lanes"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
scenario.street = { kind = "corridor", count = 36, limit_s = 120.0 }
measure.order = { metric = "lane_order_reduced", window = { time_s = [20.0, 120.0] } }
measure.speed = { metric = "speed_mean_m_per_s", window = { time_s = [20.0, 120.0] } }
"#;

/// People per m2.
const DENSITY: f64 = 0.9;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Two streams in a corridor", "", "lane order, or flow (1/(m s))")
        .below("36 people on 10 x 4 m, from 20 to 120 s; bars: 95 % of the mean of 20 runs")
        .words(["lane order beyond chance", "flow (1/(m s))"])
        .with("experiment, with tolerance", Mark::Paper, vec![(0.0, between(0.70, 0.55, 0.85)), (1.0, exact(0.98))]);
    for &model in ENTRY.make.models {
        let ran = run(lab, TEXT, Plan { model, seeds: 20, record_every_s: None })?;
        let (order, speed) = (ran.figure(0, "order"), ran.figure(0, "speed"));
        let flow = [speed.value, speed.low, speed.high].map(|v| v.map(|v| DENSITY * v));
        let flow = Figure { value: flow[0], low: flow[1], high: flow[2] };
        lines.push(
            Line::new("lane order beyond chance", model, "", order, Tolerance::Within(0.55, 0.85))
                .paper(exact(0.70))
                .deviates("continuum", ONE_POTENTIAL)
                .deviates("hybrid", ONE_POTENTIAL)
                .note(ran.failures()),
        );
        lines.push(
            Line::new("flow, both directions", model, "1/(m s)", flow, Tolerance::AtLeast(0.8)).paper(exact(0.98)),
        );
        chart = chart.with(model, Mark::Ours, vec![(0.0, order), (1.0, flow)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
