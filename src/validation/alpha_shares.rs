//! Two people who meet share the avoiding as their responsibilities say.

use super::chart::{self, Mark};
use super::ground::{number, places};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Trajectory;
use std::fmt::Write as _;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "alpha_shares",
    doc: "Two people who meet with responsibilities alpha and 1 - alpha step aside in these shares.",
    source: "generalized reciprocal velocity obstacles, van den Berg, Lin, Manocha, ICRA 2008; 10 % is chosen here",
    params: &[],
    make: MakeExperiment { models: &["rvo"], quick: true, run: experiment },
};

const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// How far from the x axis both start, m.
const ASIDE_M: f64 = 0.2;

fn text() -> String {
    let mut text = String::from(
        "title = \"Shares of responsibility\"\n\
         people = { radius_m = 0.5, desired_speed_m_per_s = 1.0, max_speed_m_per_s = 1.5 }\n\
         parameters = { margin_share = 0.1, neighbor_distance_m = 30.0, samples = 8000, time_horizon_s = 3.0 }\n\
         simulation = { time_step_s = 0.1, sample_every_s = 0.1, record_every_s = 0.1 }\n\
         measure.left = { metric = \"people_left\" }\n",
    );
    for share in SHARES {
        write!(
            text,
            "[scenario.s{:03}]\nwalkable = \"POLYGON ((-14 -5, 14 -5, 14 5, -14 5, -14 -5))\"\nlimit_s = 40.0\n\
             group.east = {{ count = 1, from = {{ points = [[-10, {ASIDE_M}]] }}, to = {{ point = [10, {ASIDE_M}], radius_m = 0.3 }}, parameters.responsibility = {share:?} }}\n\
             group.west = {{ count = 1, from = {{ points = [[10, -{ASIDE_M}]] }}, to = {{ point = [-10, -{ASIDE_M}], radius_m = 0.3 }}, parameters.responsibility = {:?} }}\n",
            (share * 100.0).round() as u32,
            1.0 - share
        )
        .expect("writing into a string cannot fail");
    }
    text
}

/// The first person's share of the largest steps aside of both; `None` if nobody steps aside.
fn share(track: &Trajectory) -> Option<f64> {
    let mut aside = [0.0_f64; 2];
    for (_, id, p) in places(track) {
        let from = if id == 0 { ASIDE_M } else { -ASIDE_M };
        aside[id] = aside[id].max((p.y - from).abs());
    }
    Some(aside[0] / (aside[0] + aside[1])).filter(|s| s.is_finite())
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let mut lines = Vec::new();
    let mut chart = Chart::new(ENTRY.name, "Share of the steps aside", "responsibility alpha", "share").with(
        "alpha",
        Mark::Paper,
        chart::plain(&SHARES.map(|s| (s, s))),
    );
    for &model in ENTRY.make.models {
        let ran = run(lab, &text(), Plan { model, seeds: 1, record_every_s: Some(0.1) })?;
        let mut points = Vec::new();
        for (case, wanted) in SHARES.into_iter().enumerate() {
            let found = number(ran.tracks(case).next().and_then(share));
            let slack = (0.1 * wanted).max(1e-3);
            lines.push(
                Line::new(
                    format!("share at alpha {wanted}"),
                    model,
                    "",
                    found,
                    Tolerance::Within(wanted - slack, wanted + slack),
                )
                .paper(exact(wanted)),
            );
            points.push((wanted, found));
        }
        ran.judge(&mut lines);
        chart = chart.with(model, Mark::Ours, points);
    }
    Ok(Outcome { lines, charts: vec![chart] })
}
