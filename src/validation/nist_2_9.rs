//! NIST test 2.9, ISO 20414 test 14: a group keeps together.

use super::chart::Mark;
use super::cures::MINIMUM_DISTANCE;
use super::ground::{first_time, of_two};
use super::lab::{Plan, exact, run_with};
use super::reasons::NO_GROUPS;
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Trajectory;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "nist_2_9",
    doc: "A group of five, one of them slow, walks 30 m past ten people who hardly move: its members arrive within 10 s.",
    source: "NIST TN 1822 (2013), test 2.9; the place, a corridor 4 m wide, is chosen here",
    params: &[],
    make: MakeExperiment {
        models: &["social_force", "rvo", "orca", "continuum", "group_dynamics", "hybrid"],
        quick: true,
        run: experiment,
    },
};

const TEXT: &str = r#"
title = "A group with a slow member"
people.radius_m = 0.2
measure.left = { metric = "people_left" }
[scenario.corridor]
walkable = "POLYGON ((0 0, 36 0, 36 4, 0 4, 0 0))"
limit_s = 120.0
group.a_swift = { count = 4, from = { area = [[0.5, 0.5], [3, 3.5]] }, to = { line = [[36, 0], [36, 4]] }, people.desired_speed_m_per_s = 1.25 }
group.b_slow = { count = 1, from = { area = [[0.5, 0.5], [3, 3.5]] }, to = { line = [[36, 0], [36, 4]] }, people.desired_speed_m_per_s = 0.5 }
group.c_others = { count = 10, from = { area = [[12, 0.5], [16, 3.5]] }, to = { line = [[36, 0], [36, 4]] }, people.desired_speed_m_per_s = 0.2 }
[scenario.without]
walkable = "POLYGON ((0 0, 36 0, 36 4, 0 4, 0 0))"
limit_s = 120.0
group.a_swift = { count = 4, from = { area = [[0.5, 0.5], [3, 3.5]] }, to = { line = [[36, 0], [36, 4]] }, people.desired_speed_m_per_s = 1.25 }
group.c_others = { count = 10, from = { area = [[12, 0.5], [16, 3.5]] }, to = { line = [[36, 0], [36, 4]] }, people.desired_speed_m_per_s = 0.2 }
"#;

/// A tenth of the difference of 30 m at 0.5 m/s and at 1.25 m/s, s.
const WAIT_S: f64 = 3.6;

/// When the last of the four swift ones is at x = 33 m; `None` if one of them never gets there.
fn swift(track: &Trajectory) -> Option<f64> {
    let times = first_time(track, |p| p.x >= 33.0);
    times
        .into_iter()
        .zip(&track.group)
        .filter(|(_, g)| **g == 0)
        .map(|(t, _)| t)
        .try_fold(0.0, |a, t| Some(f64::max(a, t?)))
}

/// Time from the first to the last of the five at x = 33 m; `None` if one of them never gets there.
fn spread(track: &Trajectory) -> Option<f64> {
    let times = first_time(track, |p| p.x >= 33.0);
    let group: Option<Vec<f64>> = times.iter().zip(&track.group).filter(|(_, g)| **g < 2).map(|(t, _)| *t).collect();
    let group = group?;
    Some(group.iter().copied().fold(0.0, f64::max) - group.iter().copied().fold(f64::INFINITY, f64::min))
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let models = ENTRY.make.models;
    let mut chart = Chart::new(ENTRY.name, "Time from the first to the last of a group", "", "time (s)")
        .below("four want 1.25 m/s, one 0.5 m/s; bars: 95 % of the mean of 5 runs")
        .words(models.iter().copied())
        .with("at most", Mark::Paper, (0..models.len()).map(|i| (i as f64, exact(10.0))).collect());
    for (i, &model) in models.iter().enumerate() {
        for (words, set) in MINIMUM_DISTANCE.variants(model) {
            let full = |label: &str| if words.is_empty() { label.to_string() } else { format!("{label}, {words}") };
            let ran = run_with(lab, TEXT, Plan { model, seeds: 5, record_every_s: Some(0.2) }, set)?;
            let of = |case: usize, number: fn(&Trajectory) -> Option<f64>| {
                let values: Option<Vec<f64>> = ran.tracks(case).map(number).collect();
                values.filter(|v| v.len() == ran.runs[case].len()).map_or_else(Figure::default, |v| Figure::mean(&v))
            };
            let result = of(0, spread);
            let waited = of_two(of(0, swift), of(1, swift), |with, without| with - without);
            let label = "cause: last of the four swift ones, with the slow member minus without";
            let mut cause = [Line::new(full(label), model, "s", waited, Tolerance::AtMost(WAIT_S))
                .note("who waits for the slow one comes 36 s later; a tenth of it is chosen here")];
            ran.judge(&mut cause);
            let [cause] = cause;
            lines.push(
                Line::new(
                    full("time from the first to the last of the group"),
                    model,
                    "s",
                    result,
                    Tolerance::AtMost(10.0),
                )
                .paper(exact(10.0))
                .deviates(model, NO_GROUPS, &cause),
            );
            ran.judge(&mut lines);
            lines.push(cause);
            chart = chart.with(format!("{model} {words}").trim(), Mark::Ours, vec![(i as f64, result)]);
        }
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
