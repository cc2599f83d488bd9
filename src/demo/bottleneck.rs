//! A bottleneck: how many people a passage lets through.

use super::curve::{distance, say};
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "bottleneck",
    doc: "60 people walk through a passage; the slider is its width.",
    source: "Seyfried, Passon, Steffen, Boltes, Rupprecht, Klingsch, Transportation Science 43, 395 (2009), measured with people",
    params: &[],
    make: MakeDemo {
        question: "Does a passage that is half as wide again let half as many again through?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "social_force"
title = "People in a bottleneck"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = { uniform = [0.13, 0.17] } }
[scenario.neck]
kind = "bottleneck"
count = 60
width_m = 0.8
length_m = 2.0
hall_width_m = 8.0
hall_length_m = 10.0
beyond_m = 3.0
start_gap_m = 3.0
start_width_m = 4.0
start_density_per_m2 = 3.3
limit_s = 120.0
give_up_s = 15.0
[measure.flow]
metric = "flow_per_s"
at = "neck.entrance"
window = { ranks = [0.1, 0.9] }
[measure.density]
metric = "density_peak_per_m2"
"#,
            slider: Slider {
                key: "scenario.neck.width_m",
                label: "width of the passage",
                unit: "m",
                range: (0.5, 1.5, 0.1),
            },
            at: &[0.8, 0.9, 1.0, 1.1, 1.2],
            seeds: 12,
            column: "flow",
            axis: "flow (people/s)",
            lines: &[Line { label: "published constants", sets: &[] }],
            start: [Start { line: 0, at: 0.8 }, Start { line: 0, at: 1.2 }],
            known: ("measured with people", PAPER),
            seen,
            why: "The flow through a passage grows with its width, since people use its whole width and overlap like the teeth of a zipper instead of filling lanes.",
            beside,
        }),
    },
};

const PAPER: &[(f64, f64)] = &[(0.8, 1.288), (0.9, 1.674), (1.0, 1.900), (1.1, 2.123), (1.2, 2.364)];

fn seen(found: &[Found]) -> String {
    let (narrow, wide) = (found[0].figure(0.8), found[0].figure(1.2));
    let ratio = found[0].at(1.2) / found[0].at(0.8);
    format!(
        "Through 0.8 m walk {narrow} people a second, through 1.2 m {wide}: {} times as many for 1.5 times the width.",
        say(ratio)
    )
}

fn beside(found: &[Found]) -> String {
    format!(
        "The people of the experiment had 1.29 and 2.36 people a second, {} times as many; {}: the published constants were made for people in panic, and `crowdtune evolve configs/bottleneck.toml` tunes them.",
        say(2.364 / 1.288),
        distance(&found[0], PAPER)
    )
}
