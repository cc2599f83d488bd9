//! Lanes: two streams in one corridor, and how many people they bear.

use super::curve::{apart, say};
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "lanes",
    doc: "Two streams in a corridor of 10 x 4 m that is closed to a ring; the slider is how many people walk there.",
    source: "the bidirectional run of the Juelich archive in a corridor 4 m wide at 0.88 people per m2: reduced lane order 0.70",
    params: &[],
    make: MakeDemo {
        question: "Two streams meet in a corridor and nobody says where to walk: do lanes form, and when do they break?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "social_force"
title = "Lanes in a corridor"
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.2 }
scenario.street = { kind = "corridor", count = 24, limit_s = 120.0 }
measure.order = { metric = "lane_order_reduced", window = { time_s = [20.0, 120.0] } }
measure.speed = { metric = "speed_mean_m_per_s", window = { time_s = [20.0, 120.0] } }
"#,
            slider: Slider {
                key: "scenario.street.count",
                label: "people in the corridor",
                unit: "",
                range: (4.0, 72.0, 1.0),
            },
            at: &[4.0, 12.0, 24.0, 35.0, 48.0, 60.0],
            seeds: 10,
            column: "order",
            axis: "lane order beyond chance (1: only lanes)",
            lines: &[Line { label: "", sets: &[] }],
            start: [Start { line: 0, at: 24.0 }, Start { line: 0, at: 60.0 }],
            known: ("experiment (Juelich)", PAPER),
            seen,
            why: "Who walks behind somebody with the same aim meets nobody; who leaves the lane is pushed aside by those who come, until one finds a lane again. In a dense corridor there is no room to change.",
            beside,
        }),
    },
};

const PAPER: &[(f64, f64)] = &[(35.0, 0.70)];

fn seen(found: &[Found]) -> String {
    let (few, many) = (found[0].figure(12.0), found[0].figure(60.0));
    let form =
        if few.low.is_some_and(|low| low > 0.0) { "Lanes form by themselves" } else { "These runs show no lanes" };
    let breaks = if apart(few, many) { "the intervals are apart" } else { "the intervals overlap" };
    format!(
        "{form}: with 12 people their order is {few}, where 0 is chance and 1 lanes alone; with 60 people it is {many}; {breaks}."
    )
}

fn beside(found: &[Found]) -> String {
    let figure = found[0].figure(35.0);
    let holds = matches!((figure.low, figure.high), (Some(low), Some(high)) if (low..=high).contains(&0.70));
    let word = if holds { "holds the value of the experiment" } else { "does not hold the value of the experiment" };
    format!(
        "The experiment had 0.88 people per square meter, 35 here, and an order of {}; our interval with 35 people, {figure}, {word}.",
        say(0.70)
    )
}
