//! Four groups through the gap: Table 1 of group dynamics.

use super::chart::{self, Mark};
use super::cures::{MINIMUM_DISTANCE, Variant};
use super::ground::of_two;
use super::lab::{Plan, exact, run_with};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "groups_gap",
    doc: "Four groups go to the opposite corners through a gap between obstacles: collisions as in Table 1, and with group \
          dynamics at most 7/32 of those of the plain continuum, by number and by time.",
    source: "Yang, He, Rao 2017, Table 1: 7 collisions against 32; the scene is that of configs/groups.toml, chosen here, as \
             the source prints neither sizes nor most constants; the minimum distance is off in both, and on in the second rows; 25 % is chosen here",
    params: &[],
    make: MakeExperiment { models: &["continuum", "group_dynamics"], quick: true, run: experiment },
};

const TEXT: &str = include_str!("../../configs/groups.toml");

/// Table 1.
const PAPER: [(f64, f64); 2] = [(0.0, 32.0), (1.0, 7.0)];

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Collisions of four groups in a gap", "", "collisions")
        .below("6 people a group, gap 4 m wide and 4 m long; bars: 95 % of the mean of 10 runs")
        .words(["continuum", "group dynamics"])
        .with("Table 1 of the paper", Mark::Paper, chart::plain(&PAPER));
    for variant in MINIMUM_DISTANCE.variants("group_dynamics") {
        let (found, more) = collisions(lab, variant)?;
        lines.extend(more);
        let points = found.into_iter().enumerate().map(|(i, f)| (i as f64, f)).collect();
        chart = chart.with(format!("here {}", variant.0).trim(), Mark::Ours, points);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}

/// Collisions of both models, and what they are compared with.
fn collisions(lab: &dyn Lab, (words, set): Variant) -> Result<(Vec<Figure>, Vec<Line>), Error> {
    let mut lines = Vec::new();
    let mut found: Vec<Figure> = Vec::new();
    let mut troubles = Vec::new();
    let mut seconds: Vec<Figure> = Vec::new();
    let full = |label: &str| if words.is_empty() { label.to_string() } else { format!("{label}, {words}") };
    for (&model, (_, paper)) in ENTRY.make.models.iter().zip(PAPER) {
        let ran = run_with(lab, TEXT, Plan { model, seeds: 10, record_every_s: None }, set)?;
        let (collisions, trouble) = (ran.figure(0, "collisions"), ran.trouble(0..1));
        found.push(collisions);
        seconds.push(ran.figure(0, "collision_time"));
        let line = |label: &str, result, tolerance| Line::new(full(label), model, "", result, tolerance);
        let near = Tolerance::Within(0.75 * paper, 1.25 * paper);
        lines.push(line("collisions", collisions, near).paper(exact(paper)).runs(trouble.clone()));
        troubles.push(trouble);
    }
    // A ratio needs the runs of both models.
    let trouble = troubles.into_iter().find(|trouble| !trouble.is_empty()).unwrap_or_default();
    for (label, of) in [
        ("collisions over those of the continuum", &found),
        ("seconds of collision over those of the continuum", &seconds),
    ] {
        let ratio = of_two(of[1], of[0], |groups, plain| groups / plain);
        let line = Line::new(full(label), ENTRY.make.models[1], "", ratio, Tolerance::AtMost(PAPER[1].1 / PAPER[0].1));
        lines.push(line.paper(exact(PAPER[1].1 / PAPER[0].1)).runs(trouble.clone()));
    }
    Ok((found, lines))
}
