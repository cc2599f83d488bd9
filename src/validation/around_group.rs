//! One person, and a small group, meet a group: they go round it.

use super::chart::Mark;
use super::ground::{walls, ways_of};
use super::lab::{Plan, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Trajectory;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "around_group",
    doc: "One person, and a group of three, go round a group of nine that comes towards them; the plain continuum \
          leads the single person through it.",
    source: "Yang, He, Rao 2017, figures of an individual and of a group around a group; places and numbers are chosen here",
    params: &[],
    make: MakeExperiment { models: &["continuum", "group_dynamics"], quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "Around a group"
people = { radius_m = 0.2, desired_speed_m_per_s = 1.3 }
simulation = { time_step_s = 0.1, record_every_s = 0.1 }
measure.left = { metric = "people_left" }
[scenario.one]
walkable = "POLYGON ((0 0, 30 0, 30 12, 0 12, 0 0))"
limit_s = 30.0
group.many = { count = 9, from = { points = [[20, 5], [20, 6], [20, 7], [21, 5], [21, 6], [21, 7], [22, 5], [22, 6], [22, 7]] }, to = { line = [[0, 12], [0, 0]] } }
group.other = { count = 1, from = { points = [[6, 6.1]] }, to = { line = [[30, 0], [30, 12]] } }
[scenario.three]
walkable = "POLYGON ((0 0, 30 0, 30 12, 0 12, 0 0))"
limit_s = 30.0
group.many = { count = 9, from = { points = [[20, 5], [20, 6], [20, 7], [21, 5], [21, 6], [21, 7], [22, 5], [22, 6], [22, 7]] }, to = { line = [[0, 12], [0, 0]] } }
group.other = { count = 3, from = { points = [[6, 6.1], [5.2, 5.7], [5.2, 6.5]] }, to = { line = [[30, 0], [30, 12]] } }
"#;

/// The ends are open.
const SIDES: [&[(f64, f64)]; 2] = [&[(0.0, 0.0), (30.0, 0.0)], &[(0.0, 12.0), (30.0, 12.0)]];

/// Share of those who come towards the nine who are at some time between them: some of the nine ahead and behind, on
/// both sides, within 3 m.
fn between(track: &Trajectory) -> f64 {
    let others: Vec<usize> = (0..track.group.len()).filter(|&id| track.group[id] == 1).collect();
    let mut inside = vec![false; track.group.len()];
    for frame in &track.frames {
        let of =
            |group: u16| frame.id.iter().zip(&frame.pos).filter(move |(id, _)| track.group[**id as usize] == group);
        for (&id, p) in of(1) {
            let beside = |ahead: bool, left: bool| {
                of(0).any(|(_, q)| (q.x > p.x) == ahead && (q.y > p.y) == left && (*q - *p).length() < 3.0)
            };
            inside[id as usize] |=
                beside(true, true) && beside(true, false) && beside(false, true) && beside(false, false);
        }
    }
    others.iter().filter(|&&id| inside[id]).count() as f64 / others.len() as f64
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for &model in ENTRY.make.models {
        let ran = run(lab, TEXT, Plan { model, seeds: 5, record_every_s: Some(0.1) })?;
        for (case, who) in ["one", "three"].into_iter().enumerate() {
            let track = ran.tracks(case).next();
            let shares: Vec<f64> = ran.tracks(case).map(between).collect();
            let share = if shares.len() == ran.runs[case].len() { Figure::mean(&shares) } else { Figure::default() };
            match (model, who) {
                ("continuum", "one") => lines.push(Line::new(
                    "share of one who walks between the nine",
                    model,
                    "",
                    share,
                    Tolerance::AtLeast(1.0),
                )),
                ("continuum", _) => {}
                _ => lines.push(Line::new(
                    format!("share of {who} who walks between the nine"),
                    model,
                    "",
                    share,
                    Tolerance::AtMost(0.0),
                )),
            }
            let name = format!("around_group_{model}_{who}");
            let mut map = Chart::map(&name, "Ways past a group of nine").below(model);
            if let Some(track) = track {
                for (group, label) in [(0, "the nine"), (1, who)] {
                    map = map.with(label, Mark::Way, ways_of(track, |of| of == group));
                }
            }
            charts.push(map.with("", Mark::Wall, walls(&SIDES)));
        }
        ran.judge(&mut lines);
    }
    Ok(Outcome { lines, charts })
}
