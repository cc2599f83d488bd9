//! Velocity obstacles beside reciprocal ones: who expects the other to do nothing, sways.

use super::curve::{apart, plain};
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "vo_and_rvo",
    doc: "People on a circle swap sides, with velocity obstacles on the left and reciprocal ones on the right; the slider is how many.",
    source: "van den Berg, Lin, Manocha, ICRA 2008, which shows pictures and prints no numbers",
    params: &[],
    make: MakeDemo {
        question: "What changes if everybody expects the other one to give way by half?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "rvo"
title = "Velocity obstacles and reciprocal ones"
people = { radius_m = 0.5, desired_speed_m_per_s = 1.0, max_speed_m_per_s = 1.5 }
parameters = { margin_share = 0.05, safety_factor_m = 2.0 }
scenario.circle = { kind = "circle", count = 12, circle_m = 8.0, limit_s = 90.0 }
measure.turning = { metric = "turning_deg_per_m" }
measure.collisions = { metric = "collisions" }
measure.everybody = { metric = "evacuation_time_100_s" }
simulation = { time_step_s = 0.1, record_every_s = 0.1, max_overlap_share = 2.0 }
"#,
            slider: Slider {
                key: "scenario.circle.count",
                label: "people on the circle",
                unit: "",
                range: (2.0, 24.0, 1.0),
            },
            at: &[2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0],
            seeds: 8,
            column: "collisions",
            axis: "collisions in a run",
            lines: &[
                Line { label: "velocity obstacles", sets: &[("model", "\"velocity_obstacle\"")] },
                Line { label: "reciprocal", sets: &[] },
            ],
            start: [Start { line: 0, at: 12.0 }, Start { line: 1, at: 12.0 }],
            known: ("", &[]),
            seen,
            why: "Who avoids the whole way alone finds the old way free again as soon as the other has done the same, and turns back: both sway. If each takes half, both keep their new way.",
            beside,
        }),
    },
};

fn seen(found: &[Found]) -> String {
    let (alone, half) = (found[0].figure(12.0), found[1].figure(12.0));
    let verdict = if apart(alone, half) {
        "the intervals are apart"
    } else {
        "the intervals overlap, so these runs do not tell them apart"
    };
    format!("With 12 people velocity obstacles have {alone} collisions in a run, reciprocal ones {half}; {verdict}.")
}

fn beside(found: &[Found]) -> String {
    let (many, most) = found[0].largest();
    format!(
        "The paper prints pictures and no numbers, so nothing is compared; here the most collisions of velocity obstacles are {most} with {} people, of reciprocal ones {}.",
        plain(many),
        found[1].largest().1
    )
}
