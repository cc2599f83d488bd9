//! Two streams meet at a narrow passage.

use super::chart::Mark;
use super::ground::{outline, ways};
use super::passing::pass;
use super::{Chart, Lab, MakeExperiment, Outcome};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "narrow_passage",
    doc: "Eight people from each side go through a passage of 1.6 m without touching the walls, or each other by more \
          than 5 cm.",
    source: "van den Berg, Lin, Manocha, ICRA 2008: their scene with a narrow passage (a picture); place and numbers are \
             chosen here",
    params: &[],
    make: MakeExperiment { models: &["rvo", "orca"], quick: false, run: experiment },
};

const OUTLINE: [(f64, f64); 12] = [
    (0.0, 0.0),
    (9.5, 0.0),
    (9.5, 3.2),
    (10.5, 3.2),
    (10.5, 0.0),
    (20.0, 0.0),
    (20.0, 8.0),
    (10.5, 8.0),
    (10.5, 4.8),
    (9.5, 4.8),
    (9.5, 8.0),
    (0.0, 8.0),
];

const TEXT: &str = r#"
title = "A narrow passage"
[scenario.passage]
walkable = "POLYGON ((0 0, 9.5 0, 9.5 3.2, 10.5 3.2, 10.5 0, 20 0, 20 8, 10.5 8, 10.5 4.8, 9.5 4.8, 9.5 8, 0 8, 0 0))"
limit_s = 120.0
group.east = { count = 8, from = { area = [[1, 1], [5, 7]] }, to = [{ line = [[9.5, 3.2], [9.5, 4.8]] }, { line = [[10.5, 3.2], [10.5, 4.8]] }, { line = [[20, 0], [20, 8]] }] }
group.west = { count = 8, from = { area = [[15, 1], [19, 7]] }, to = [{ line = [[10.5, 3.2], [10.5, 4.8]] }, { line = [[9.5, 3.2], [9.5, 4.8]] }, { line = [[0, 0], [0, 8]] }] }
"#;

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for &model in ENTRY.make.models {
        let (ran, found) = pass(lab, model, 0.02, TEXT)?;
        lines.extend(found);
        let mut map =
            Chart::map(&format!("narrow_passage_{model}"), "Ways through a narrow passage, one run").below(model);
        if let Some(track) = ran.tracks(0).next() {
            map = map.with("", Mark::Way, ways(track));
        }
        charts.push(map.with("", Mark::Wall, outline(&OUTLINE)));
    }
    Ok(Outcome { lines, charts })
}
