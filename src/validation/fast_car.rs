//! People cross a street while a fast car comes.

use super::chart::Mark;
use super::ground::{walls, ways_of};
use super::passing::pass;
use super::{Chart, Lab, MakeExperiment, Outcome};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "fast_car",
    doc: "20 people cross a street in both directions while a car (a disc of 1 m at 5 m/s that takes a quarter of the \
          avoiding) comes through: nobody is hit deeper than 5 cm, and all arrive.",
    source: "reciprocal velocity obstacles among pedestrians and cars, lecture slides on velocity obstacles (a picture); place \
             and numbers are chosen here",
    params: &[],
    make: MakeExperiment { models: &["rvo", "orca"], quick: true, run: experiment },
};

const TEXT: &str = r#"
title = "A fast car"
[scenario.street]
walkable = "POLYGON ((0 0, 40 0, 40 14, 0 14, 0 0))"
limit_s = 60.0
group.north = { count = 10, from = { area = [[14, 0.5], [26, 3]] }, to = { line = [[10, 14], [30, 14]] } }
group.south = { count = 10, from = { area = [[14, 11], [26, 13.5]] }, to = { line = [[10, 0], [30, 0]] } }
[scenario.street.group.car]
count = 1
from = { points = [[2, 7]] }
to = { line = [[40, 4], [40, 10]] }
people = { radius_m = 1.0, desired_speed_m_per_s = 5.0, max_speed_m_per_s = 6.0 }
parameters.responsibility = 0.25
"#;

/// The outline, open where people leave to the north and south and the car to the east.
const STREET: [&[(f64, f64)]; 3] = [
    &[(10.0, 0.0), (0.0, 0.0), (0.0, 14.0), (10.0, 14.0)],
    &[(30.0, 0.0), (40.0, 0.0), (40.0, 4.0)],
    &[(30.0, 14.0), (40.0, 14.0), (40.0, 10.0)],
];

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for &model in ENTRY.make.models {
        let (ran, found) = pass(lab, model, 0.03, TEXT)?;
        lines.extend(found);
        let mut map = Chart::map(&format!("fast_car_{model}"), "Ways across a street with a car").below(model);
        if let Some(track) = ran.tracks(0).next() {
            // The car is the first group.
            let people = ways_of(track, |group| group != 0);
            map = map.with("people", Mark::Way, people).with("car", Mark::Way, ways_of(track, |group| group == 0));
        }
        charts.push(map.with("", Mark::Wall, walls(&STREET)));
    }
    Ok(Outcome { lines, charts })
}
