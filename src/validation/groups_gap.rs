//! Four groups through the gap: Table 1 of group dynamics.

use super::chart::{self, Mark};
use super::ground::of_two;
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "groups_gap",
    doc: "Four groups go to the opposite corners through a gap between obstacles: group dynamics collides at most 7/32 times \
          as often as the plain continuum.",
    source: "Yang, He, Rao 2017, Table 1: 7 collisions against 32; the scene is that of configs/groups.toml, chosen here, as \
             the source prints neither sizes nor most constants; the minimum distance is off in both",
    params: &[],
    make: MakeExperiment { models: &["continuum", "group_dynamics"], quick: true, run: experiment },
};

const TEXT: &str = include_str!("../../configs/groups.toml");

/// Table 1.
const PAPER: [(f64, f64); 2] = [(0.0, 32.0), (1.0, 7.0)];

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut found: Vec<Figure> = Vec::new();
    for &model in ENTRY.make.models {
        let ran = run(lab, TEXT, Plan { model, seeds: 10, record_every_s: None })?;
        found.push(ran.figure(0, "collisions"));
        if model == "continuum" {
            let line = Line::new("collisions of the plain continuum", model, "", found[0], Tolerance::AtLeast(20.0));
            lines.push(line.paper(exact(32.0)).note(ran.failures()));
        } else {
            let share = of_two(found[1], found[0], |groups, plain| groups / plain);
            let line =
                Line::new("collisions over those of the continuum", model, "", share, Tolerance::AtMost(7.0 / 32.0));
            lines.push(line.paper(exact(7.0 / 32.0)).note(ran.failures()));
        }
    }
    let points = found.into_iter().enumerate().map(|(i, f)| (i as f64, f)).collect();
    let chart = Chart::new(ENTRY.name, "Collisions of four groups in a gap", "", "collisions")
        .below("6 people a group, gap 4 m wide and 4 m long; bars: 95 % of the mean of 10 runs")
        .words(["continuum", "group dynamics"])
        .with("Table 1 of the paper", Mark::Paper, chart::plain(&PAPER))
        .with("here", Mark::Ours, points);
    Ok(Outcome { lines, charts: vec![chart] })
}
