//! Faster is slower: a room of 200 people empties fastest at a moderate desired speed.

use super::chart::{self, Mark};
use super::lab::{Plan, between, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "faster_is_slower",
    doc: "200 people leave a room of 15 x 15 m through a door of 1 m; the time has a minimum over their desired speed.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 1c and 1d, read off the printed figure by others; \
             15 % is chosen here; \
             our reference: the equations in plain C at 1 ms",
    params: &[],
    make: MakeExperiment { models: &["social_force"], quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "Faster is slower"
people.desired_speed_m_per_s = { each = [1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0] }
scenario.room = { kind = "room", limit_s = 600.0, give_up_s = 120.0 }
measure.time = { metric = "evacuation_time_100_s" }
measure.gap = { metric = "time_gap_p95_s", at = "room.exit" }
measure.flow = { metric = "flow_per_s", at = "room.exit" }
"#;

/// Fig. 1c: desired speed m/s, time for 200 people s.
const PAPER: &[(f64, f64)] = &[
    (1.0, 135.0),
    (1.3, 118.0),
    (1.5, 115.0),
    (1.7, 120.0),
    (2.0, 130.0),
    (2.5, 145.0),
    (3.0, 155.0),
    (4.0, 178.0),
    (5.0, 195.0),
    (6.0, 210.0),
];

/// The equations in plain C, 1 ms, 4 seeds: speed, mean, least, largest.
const REFERENCE: &[(f64, f64, f64, f64)] = &[
    (1.0, 222.0, 202.0, 235.0),
    (1.25, 181.0, 172.0, 193.0),
    (1.5, 156.0, 146.0, 169.0),
    (2.0, 148.0, 141.0, 160.0),
    (3.0, 170.0, 161.0, 188.0),
    (5.0, 209.0, 183.0, 229.0),
];

const MODEL: &str = "social_force";

/// The time of fig. 1c at a speed between 1 and 6 m/s, s, between its points in a line.
fn known(v0: f64) -> f64 {
    let at = PAPER.iter().position(|p| p.0 >= v0).unwrap_or(PAPER.len() - 1).max(1);
    let (a, b) = (PAPER[at - 1], PAPER[at]);
    a.1 + (b.1 - a.1) * (v0 - a.0) / (b.0 - a.0)
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let ran = run(lab, TEXT, Plan { model: MODEL, seeds: 8, record_every_s: None })?;
    let times: Vec<(f64, Figure)> = ran.points().map(|(case, v0)| (v0, ran.figure(case, "time"))).collect();
    let least = times.iter().filter_map(|(v0, t)| Some((*v0, t.value?))).min_by(|a, b| a.1.total_cmp(&b.1));
    let at = |v0: f64| times.iter().find(|p| p.0 == v0).map(|p| p.1).unwrap_or_default();
    let number = |value: Option<f64>| value.map(exact).unwrap_or_default();

    let mut lines = vec![
        Line::new("speed of the shortest time", MODEL, "m/s", number(least.map(|l| l.0)), Tolerance::Within(1.2, 2.2))
            .paper(exact(1.5))
            .reference(exact(2.0)),
        Line::new(
            "time at 5 m/s over the shortest",
            MODEL,
            "",
            number(least.and_then(|l| Some(at(5.0).value? / l.1))),
            Tolerance::AtLeast(1.2),
        )
        .paper(exact(1.7))
        .reference(exact(209.0 / 148.0)),
    ];
    for (v0, _) in &times {
        let paper = known(*v0);
        let within = |mean: f64| Tolerance::Within(0.85 * mean, 1.15 * mean);
        let mut line = Line::new(format!("time to leave at {v0} m/s"), MODEL, "s", at(*v0), within(paper));
        line = line.paper(exact(paper));
        if let Some(&(_, mean, low, high)) = REFERENCE.iter().find(|r| r.0 == *v0) {
            line = line.ours(between(mean, low, high), within(mean));
        }
        let edges = "the edges of the door push here and in the plain C with the full force of a wall; what they do in the paper \
                     is not printed";
        lines.push(if *v0 < 2.0 { line.note(edges) } else { line });
    }
    let over = |column: &str, share: bool| -> Vec<f64> {
        let fast = ran.points().filter(|p| p.1 >= 1.5);
        fast.filter_map(|(case, v0)| Some(ran.figure(case, column).value? / if share { v0 } else { 1.0 })).collect()
    };
    let flow = over("flow", true);
    let falls = (flow.len() == 6).then(|| flow.windows(2).map(|w| w[1] - w[0]).fold(f64::NEG_INFINITY, f64::max));
    lines.push(
        Line::new("largest rise of flow / speed above 1.5 m/s", MODEL, "1/m", number(falls), Tolerance::AtMost(0.0))
            .paper(exact(-0.04)),
    );
    let gaps = over("gap", false);
    let rises = (gaps.len() == 6).then(|| gaps[5] - gaps[0]);
    lines.push(
        Line::new("long gaps (95 %) at 6 m/s minus at 1.5 m/s", MODEL, "s", number(rises), Tolerance::AtLeast(0.0))
            .note("the paper says that outflow becomes irregular"),
    );

    ran.judge(&mut lines);
    let chart =
        Chart::new(ENTRY.name, "Time for 200 people to leave over desired speed", "desired speed (m/s)", "time (s)")
            .below("room 15 x 15 m, door 1 m; bars: 95 % of the mean of 8 runs")
            .with("fig. 1c of the paper", Mark::Paper, chart::plain(PAPER))
            .with(
                "equations in plain C",
                Mark::Reference,
                REFERENCE.iter().map(|r| (r.0, between(r.1, r.2, r.3))).collect(),
            )
            .with(MODEL, Mark::Ours, times);
    Ok(Outcome { lines, charts: vec![chart] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_met_at_its_points_and_between_them() {
        assert!(PAPER.iter().all(|p| (known(p.0) - p.1).abs() < 1e-9));
        assert!((known(1.15) - 126.5).abs() < 1e-9);
    }
}
