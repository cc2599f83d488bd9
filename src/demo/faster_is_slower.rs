//! Faster is slower: who hurries more may leave later.

use super::curve::{apart, distance, plain};
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "faster_is_slower",
    doc: "200 people leave a room by a door of 1 m; the slider is how fast they want to walk.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 1c, read off the printed figure by hand",
    params: &[],
    make: MakeDemo {
        question: "Do 200 people leave a room sooner if everybody hurries more?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "social_force"
title = "Faster is slower"
people.desired_speed_m_per_s = 1.5
scenario.room = { kind = "room", limit_s = 400.0, give_up_s = 120.0 }
measure.everybody = { metric = "evacuation_time_100_s" }
measure.pressure = { metric = "body_pressure_p95_n_per_m" }
simulation = { time_step_s = 0.02 }
"#,
            slider: Slider {
                key: "people.desired_speed_m_per_s",
                label: "desired speed",
                unit: "m/s",
                range: (0.8, 6.0, 0.1),
            },
            at: &[1.0, 1.5, 2.0, 3.0, 5.0],
            seeds: 4,
            column: "everybody",
            axis: "time until all are out (s)",
            lines: &[Line { label: "", sets: &[] }],
            start: [Start { line: 0, at: 1.5 }, Start { line: 0, at: 5.0 }],
            known: ("fig. 1c of the paper", PAPER),
            seen,
            why: "At the door people press against each other, and friction between bodies grows with the pressure, so that the jam lets fewer people through.",
            beside,
        }),
    },
};

const PAPER: &[(f64, f64)] = &[(1.0, 135.0), (1.5, 115.0), (2.0, 130.0), (3.0, 155.0), (5.0, 195.0)];

fn seen(found: &[Found]) -> String {
    let (best, least) = found[0].least();
    let fast = found[0].figure(5.0);
    let more = 100.0 * (found[0].at(5.0) / least.value.unwrap_or(f64::NAN) - 1.0);
    if apart(least, fast) && more > 0.0 {
        format!(
            "The room empties soonest, in {least} s, when people want to walk {} m/s; at 5 m/s they need {fast} s, {more:.0} % longer.",
            plain(best)
        )
    } else {
        format!("In these runs haste did no clear harm: {least} s at {} m/s, {fast} s at 5 m/s.", plain(best))
    }
}

fn beside(found: &[Found]) -> String {
    format!("In the paper the least is 115 s at 1.5 m/s; {}.", distance(&found[0], PAPER))
}
