//! Two streams in one corridor walk in lanes.

use super::chart::Mark;
use super::cures::{Compared, HARD_BODIES, compared, depth};
use super::lab::{Plan, Ran, between, exact};
use super::tuned::tuned;
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
             0.70, flow 0.98 1/(m s); order parameter as Nowak and Schadschneider 2012, +-0.15 chosen here; flow: 10 to 90 % of \
             speeds in a bidirectional corridor of 3.6 m at 0.9 people per m2, between the classes around 0.75 and 1.25, times \
             the density",
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
/// Speeds at this density, 10 and 90 %, m/s: 0.7 of the way from those of the class 1 to 1.5 to those of 0.5 to 1 per m2.
const SPEED: (f64, f64) = (0.82 + 0.7 * (1.16 - 0.82), 1.23 + 0.7 * (1.47 - 1.23));

/// People per second over a section, averaged over all sections; who walks backwards counts against.
fn flow(ran: &Ran) -> Figure {
    ran.figure(0, "speed").times(DENSITY)
}

fn compare(ran: &Ran) -> Vec<Line> {
    let (model, order) = (&ran.model, ran.figure(0, "order"));
    let (slow, fast) = (DENSITY * SPEED.0, DENSITY * SPEED.1);
    let label = "flow, both directions, along the own way";
    let mut lines = vec![
        Line::new("lane order beyond chance", model, "", order, Tolerance::Within(0.55, 0.85)).paper(exact(0.70)),
        Line::new(label, model, "1/(m s)", flow(ran), Tolerance::Within(slow, fast)).paper(exact(0.98)),
    ];
    if HARD_BODIES.is_for(model) {
        lines.push(depth(ran));
    }
    lines
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let models = ENTRY.make.models;
    let everywhere = |figure: Figure| (0..models.len()).map(|at| (at as f64, figure)).collect();
    let chart = |name: &str, title: &str, y: &str, known: Figure| {
        Chart::new(name, title, "", y)
            .below("36 people on 10 x 4 m, from 20 to 120 s; bars: 95 % of the mean of 20 runs")
            .words(models.iter().copied())
            .with("experiment, with tolerance", Mark::Paper, everywhere(known))
    };
    let speeds = (DENSITY * SPEED.0, DENSITY * SPEED.1);
    let mut orders =
        chart("lanes", "Two streams in a corridor: lanes", "lane order beyond chance", between(0.70, 0.55, 0.85));
    let known = between(0.98, speeds.0, speeds.1);
    let mut streams = chart("lanes_flow", "Two streams in a corridor: flow", "flow (1/(m s))", known);
    for (at, &model) in models.iter().enumerate() {
        let plan = Plan { model, seeds: 20, record_every_s: None };
        let Compared { ran, lines: found, .. } = compared(lab, TEXT, plan, &[&HARD_BODIES], &compare)?;
        lines.extend(found);
        orders = orders.with("here", Mark::Ours, vec![(at as f64, ran.figure(0, "order"))]);
        streams = streams.with("here", Mark::Ours, vec![(at as f64, flow(&ran))]);
        if let Some((words, ran)) = tuned(lab, TEXT, plan, &compare, &mut lines)? {
            orders = orders.with(words, Mark::Ours, vec![(at as f64, ran.figure(0, "order"))]);
            streams = streams.with(words, Mark::Ours, vec![(at as f64, flow(&ran))]);
        }
    }
    Ok(Outcome { lines, charts: vec![orders, streams] })
}
