//! NIST test 2.9, ISO 20414 test 14: a group keeps together.

use super::chart::Mark;
use super::ground::{first_time, number};
use super::lab::{Plan, exact, figure, run};
use super::reasons::NO_GROUPS;
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
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
"#;

const ALIKE: &str = "groups are those who are near and walk alike within 0.3 m/s: who wants to walk slower by 0.75 m/s is of no group, \
                     and nobody waits";

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
        let ran = run(lab, TEXT, Plan { model, seeds: 5, record_every_s: Some(0.2) })?;
        let spreads: Option<Vec<f64>> = ran.tracks(0).map(spread).collect();
        let all = spreads.filter(|s| s.len() == ran.runs[0].len());
        let result = all.map_or_else(|| number(None), |s| figure(&s));
        lines.push(
            Line::new("time from the first to the last of the group", model, "s", result, Tolerance::AtMost(10.0))
                .paper(exact(10.0))
                .deviates("social_force", NO_GROUPS)
                .deviates("rvo", NO_GROUPS)
                .deviates("orca", NO_GROUPS)
                .deviates("continuum", NO_GROUPS)
                .deviates("group_dynamics", ALIKE)
                .deviates("hybrid", NO_GROUPS)
                .note(ran.failures()),
        );
        chart = chart.with(model, Mark::Ours, vec![(i as f64, result)]);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
