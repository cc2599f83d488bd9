//! People cross a street on which a fast car comes.

use super::chart::Mark;
use super::ground::ways;
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::Error;
use crate::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "fast_car",
    doc: "20 people cross a street both ways while a car, a disc of 1 m at 5 m/s that takes a quarter of the avoiding, comes \
          through: nobody is touched by more than 5 cm, all arrive.",
    source: "reciprocal velocity obstacles among pedestrians and cars, lecture slides on velocity obstacles (a picture); place \
             and numbers are chosen here",
    params: &[],
    make: MakeExperiment { models: &["rvo", "orca"], quick: true, run: experiment },
};

const LEAST_BAD: &str = "where bodies leave no velocity free, both models take the least bad one, as the RVO2 library does: \
                         touching by centimeters belongs to them";

const TEXT: &str = r#"
title = "A fast car"
people = { radius_m = 0.25, desired_speed_m_per_s = { normal = [1.34, 0.2], clip = [0.8, 2.0] }, max_speed_m_per_s = 2.0 }
simulation = { time_step_s = 0.1, sample_every_s = 0.1, record_every_s = 0.2 }
measure.collisions = { metric = "collisions" }
measure.overlap = { metric = "overlap_max_m" }
measure.left = { metric = "people_left" }
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

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for &model in ENTRY.make.models {
        // Room for the sampling of velocities and for steps of 0.1 s.
        let margin = if model == "rvo" { "parameters.margin_share = 0.1\n" } else { "parameters.margin_m = 0.03\n" };
        let ran = run(lab, &format!("{margin}{TEXT}"), Plan { model, seeds: 10, record_every_s: Some(0.2) })?;
        lines.push(
            Line::new("collisions", model, "", ran.figure(0, "collisions"), Tolerance::AtMost(0.0))
                .paper(exact(0.0))
                .deviates("rvo", LEAST_BAD)
                .deviates("orca", LEAST_BAD)
                .note(ran.failures()),
        );
        lines.push(Line::new("deepest overlap", model, "m", ran.figure(0, "overlap"), Tolerance::AtMost(0.05)));
        lines.push(Line::new("who does not arrive", model, "people", ran.figure(0, "left"), Tolerance::AtMost(0.0)));
        let mut map = Chart {
            map: true,
            ..Chart::new(&format!("fast_car_{model}"), "Ways across a street with a car", "x (m)", "y (m)")
        };
        if let Some(track) = ran.tracks(0).next() {
            // The car is the first group.
            let car = track.group.iter().position(|&g| g == 0).unwrap_or(0);
            let mut people = track.clone();
            for frame in &mut people.frames {
                let keep: Vec<bool> = frame.id.iter().map(|&id| id as usize != car).collect();
                let mut kept = keep.iter();
                frame.id.retain(|_| *kept.next().unwrap_or(&true));
                let mut kept = keep.iter();
                frame.pos.retain(|_| *kept.next().unwrap_or(&true));
            }
            let drive = super::ground::places(track).filter(|p| p.1 == car).map(|p| (p.2.x, exact(p.2.y))).collect();
            map = map.below(model).with("people", Mark::Way, ways(&people)).with("car", Mark::Way, drive);
        }
        charts.push(map);
    }
    Ok(Outcome { lines, charts })
}
