//! IMO test 8, NIST test 2.8: a counterflow delays people.

use super::chart::Mark;
use super::ground::{few, first_time, least_step, rows};
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, PEDESTRIANS, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Trajectory;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "imo_8",
    doc: "100 people go through a corridor of 10 x 2 m into another room, against 0, 10, 50 and 100 others: the more, the \
          later the last one arrives.",
    source: "IMO MSC.1/Circ.1238, test 8; NIST TN 1822, test 2.8, with its limit of 400 s for models that get stuck",
    params: &[],
    make: MakeExperiment { models: PEDESTRIANS, quick: false, run: experiment },
};

const OPPOSING: [usize; 4] = [0, 10, 50, 100];
/// People who have not arrived after this time count as arriving then, s.
const LIMIT_S: f64 = 400.0;

fn text() -> String {
    let mut text = String::from(
        "title = \"Counterflow\"\n\
         people = { desired_speed_m_per_s = { uniform = [0.97, 1.62] }, radius_m = 0.2 }\n\
         measure.left = { metric = \"people_left\" }\n",
    );
    let right = "[{ line = [[10, 4], [10, 6]] }, { line = [[20, 4], [20, 6]] }, { line = [[29.4, 0], [29.4, 10]] }]";
    let left = "[{ line = [[20, 4], [20, 6]] }, { line = [[10, 4], [10, 6]] }, { line = [[0.6, 0], [0.6, 10]] }]";
    for count in OPPOSING {
        write!(
            text,
            "[scenario.against_{count:03}]\n\
             walkable = \"POLYGON ((0 0, 10 0, 10 4, 20 4, 20 0, 30 0, 30 10, 20 10, 20 6, 10 6, 10 10, 0 10, 0 0))\"\n\
             limit_s = {LIMIT_S:?}\n\
             group.a_first = {{ count = 100, from = {{ points = {} }}, to = {right} }}\n",
            rows((0.3, 0.3), (3.5, 9.7), 100)
        )
        .expect("writing into a string cannot fail");
        if count > 0 {
            let from = rows((26.5, 0.3), (29.7, 9.7), count);
            writeln!(text, "group.b_second = {{ count = {count}, from = {{ points = {from} }}, to = {left} }}")
                .expect("writing into a string cannot fail");
        }
    }
    text
}

/// When the last of the first group comes into the other room, s.
fn last(track: &Trajectory) -> f64 {
    let times = first_time(track, |p| p.x >= 20.0);
    let of_first = times.iter().zip(&track.group).filter(|(_, group)| **group == 0);
    of_first.map(|(time, _)| time.unwrap_or(LIMIT_S)).fold(0.0, f64::max)
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(
        ENTRY.name,
        "When the last of 100 people is through a corridor",
        "people who come the other way",
        "time (s)",
    )
    .below("corridor 10 x 2 m; 400 s stand for stuck; bars: 95 % of the mean of 5 runs (hybrid: 2)");
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: few(model, 5), record_every_s: Some(0.2) })?;
        let of = |case: usize| -> Figure {
            let times: Vec<f64> = ran.tracks(case).map(last).collect();
            if times.len() == ran.runs[case].len() { Figure::mean(&times) } else { Figure::default() }
        };
        let times: Vec<Figure> = (0..OPPOSING.len()).map(of).collect();
        let stuck = times.iter().any(|t| t.high.is_some_and(|h| h >= LIMIT_S));
        let note = if stuck { "stuck for 400 s in some runs" } else { "" };
        lines.push(
            Line::new(
                "least step of time from 0 to 10 to 50 to 100 opposing",
                model,
                "s",
                least_step(&times),
                Tolerance::AtLeast(0.0),
            )
            .note(note),
        );
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, OPPOSING.iter().map(|&n| n as f64).zip(times).collect());
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
