//! Herding: in smoke, does following others help to find a door?

use super::curve::plain;
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "herding",
    doc: "90 people look for two doors in smoke; the slider is how much they follow each other.",
    source: "Helbing, Farkas, Vicsek, Nature 407, 487 (2000), fig. 3b, read off the printed figure by others",
    params: &[],
    make: MakeDemo {
        question: "In smoke one sees two meters: is it better to search alone or to follow the others?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "social_force"
title = "Herding in smoke"
parameters = { panic = 0.4, herding_radius_m = 5.0 }
people.desired_speed_m_per_s = 5.0
scenario.smoke = { kind = "two_exits", count = 90, sight_m = 2.0, limit_s = 30.0 }
measure.out = { metric = "people_out" }
measure.imbalance = { metric = "exit_imbalance" }
"#,
            slider: Slider { key: "parameters.panic", label: "share of herding p", unit: "", range: (0.0, 1.0, 0.05) },
            at: &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
            seeds: 20,
            column: "out",
            axis: "people out after 30 s",
            lines: &[Line { label: "", sets: &[] }],
            start: [Start { line: 0, at: 0.0 }, Start { line: 0, at: 0.8 }],
            known: ("fig. 3b of the paper", PAPER),
            seen,
            why: "The reason that the paper gives: who searches alone finds a door late, who follows others profits from those who found one, but when all follow, one door is crowded and the other is empty.",
            beside,
        }),
    },
};

const PAPER: &[(f64, f64)] = &[(0.0, 70.0), (0.2, 71.5), (0.4, 73.5), (0.6, 66.0), (0.8, 58.0)];

fn seen(found: &[Found]) -> String {
    let (best, most) = found[0].largest();
    format!(
        "Here most people, {most} of 90, are out after 30 s with p = {}; alone (p = 0) it is {}.",
        plain(best),
        found[0].figure(0.0)
    )
}

fn beside(found: &[Found]) -> String {
    let (best, _) = found[0].largest();
    let agrees = if best == 0.4 { "as here" } else { "unlike here" };
    format!(
        "In the paper p = 0.4 brings most people out, 73.5 against 70 alone and 58 with p = 0.8, {agrees}; it does not print where the doors are, and we put them in opposite walls."
    )
}
