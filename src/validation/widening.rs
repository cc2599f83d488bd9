//! A widening in a corridor slows people down.

use super::chart::{self, Mark};
use super::ground::{first_time, least_step, of_two};
use super::lab::{Plan, exact, run};
use super::{Chart, Lab, Line, MakeExperiment, Outcome, Tolerance};
use crate::evolve::summary::Figure;
use crowdtune_core::Error;
use crowdtune_core::registry::Entry;
use crowdtune_sim::crowd::Trajectory;

/// The experiment's entry.
pub static ENTRY: Entry<MakeExperiment> = Entry {
    name: "widening",
    doc: "People make less headway in a corridor with a diamond-shaped widening than in a straight one; the inflow is that of the paper.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 2b, read off the printed figure by others; the \
             tolerances of 0.08 and of 10 % of the inflow are chosen here",
    params: &[],
    make: MakeExperiment { models: &["social_force"], quick: false, run: experiment },
};

const TEXT: &str = r#"
title = "A widening in a corridor"
people.desired_speed_m_per_s = 2.0
scenario.widening = { kind = "widening", count = 600, angle_deg = { each = [0.0, 9.0, 18.0, 27.0, 36.0, 45.0] }, limit_s = 60.0 }
measure.speed = { metric = "speed_mean_m_per_s" }
"#;

/// Fig. 2b: angle, efficiency.
const PAPER: &[(f64, f64)] = &[(0.0, 0.93), (9.0, 0.91), (18.0, 0.855), (27.0, 0.76), (36.0, 0.735), (45.0, 0.72)];
const MODEL: &str = "social_force";
/// Desired speed of the paper, m/s.
const DESIRED_M_PER_S: f64 = 2.0;
/// The corridor has filled up by then, s. Chosen here: twice the time it takes to walk through.
const FROM_S: f64 = 15.0;
/// Width of the corridor, m.
const WIDTH_M: f64 = 3.0;

/// Why the scene cannot let in as many. At 0.93 of 2 m/s, 5.5 per (m s) are 2.96 people per m2; a circle of 0.5 to 0.7 m covers 0.285 m2
/// on average, so that they cover 84 % of the floor; discs packed at random as closely as they go cover 82 % (Berryman 1983).
const NO_ROOM: &str = "not possible at the paper's speed: bodies of 0.5 to 0.7 m would cover 84 % of the floor, more than discs \
                       packed at random";

/// Mean speed along the corridor over the desired speed, of everybody inside.
fn efficiency(track: &Trajectory) -> f64 {
    let (mut way, mut time) = (0.0, 0.0);
    for pair in track.frames.windows(2).filter(|w| w[0].time_s >= FROM_S) {
        let mut next = pair[1].id.iter().zip(&pair[1].pos).peekable();
        // Ids rise in every frame.
        for (id, p) in pair[0].id.iter().zip(&pair[0].pos) {
            while next.next_if(|n| n.0 < id).is_some() {}
            if let Some((_, q)) = next.next_if(|n| n.0 == id) {
                way += q.x - p.x;
                time += pair[1].time_s - pair[0].time_s;
            }
        }
    }
    way / time / DESIRED_M_PER_S
}

/// People who came in after the corridor had filled up, per meter of its width and second.
fn came_in(track: &Trajectory) -> f64 {
    let times = first_time(track, |_| true);
    let end = track.frames.last().map_or(0.0, |frame| frame.time_s);
    times.into_iter().flatten().filter(|time| *time > FROM_S).count() as f64 / ((end - FROM_S) * WIDTH_M)
}

fn experiment(lab: &dyn Lab) -> Result<Outcome, Error> {
    let ran = run(lab, TEXT, Plan { model: MODEL, seeds: 5, record_every_s: Some(0.2) })?;
    let all = |case: usize| -> Figure {
        let values: Vec<f64> = ran.tracks(case).map(efficiency).filter(|e| e.is_finite()).collect();
        Figure::mean(&values)
    };
    let points: Vec<(f64, Figure)> = ran.points().map(|(case, angle)| (angle, all(case))).collect();
    let at = |angle: f64| points.iter().find(|p| p.0 == angle).map(|p| p.1).unwrap_or_default();
    let ratio = of_two(at(45.0), at(0.0), |wide, straight| wide / straight);
    let came: Vec<f64> = ran.tracks(0).map(came_in).collect();
    let inflow = if came.len() == ran.runs[0].len() { Figure::mean(&came) } else { Figure::default() };
    let fall = least_step(&points.iter().rev().map(|p| p.1).collect::<Vec<_>>());
    let mut lines = vec![
        Line::new("efficiency at 45 degrees over straight", MODEL, "", ratio, Tolerance::Within(0.69, 0.85))
            .paper(exact(0.72 / 0.93)),
        Line::new("efficiency of the straight corridor", MODEL, "", at(0.0), Tolerance::Within(0.85, 1.0))
            .paper(exact(0.93)),
        Line::new("least fall of efficiency from one angle to the next", MODEL, "", fall, Tolerance::AtLeast(0.0))
            .paper(exact(0.015)),
        Line::new("people who come in, straight corridor", MODEL, "1/(m s)", inflow, Tolerance::Within(4.95, 6.05))
            .paper(exact(5.5))
            .note(NO_ROOM),
    ];
    ran.judge(&mut lines);
    let chart = Chart::new(
        ENTRY.name,
        "Speed along the corridor over desired speed",
        "angle of the widening (deg)",
        "efficiency",
    )
    .below("corridor 3 m wide, 15 m long, 6 m of it widened; desired speed 2 m/s; bars: 95 % of the mean of 5 runs")
    .with("fig. 2b of the paper", Mark::Paper, chart::plain(PAPER))
    .with(MODEL, Mark::Ours, points);
    Ok(Outcome { lines, charts: vec![chart] })
}
