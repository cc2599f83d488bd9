//! A flock: five forces, and how far people look.

use super::curve::plain;
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "flock",
    doc: "30 people steered by five forces on an open field; the slider is how far they see each other.",
    source: "the five-force virtual human (equations 3.1 to 3.20), which prints no such curve",
    params: &[],
    make: MakeDemo {
        question: "How far must people see each other to walk as one flock?",
        shown: Shown::Curve(&Curve {
            text: r#"
format = 1
model = "five_force"
title = "A flock of five forces"
parameters.range_diameters = 12.0
people = { desired_speed_m_per_s = { normal = [1.34, 0.26], clip = [0.6, 2.0] }, radius_m = 0.25 }
scenario.field = { kind = "open_field", count = 30, size_m = 30.0, periodic = "xy", start_size_m = 12.0, wish = "heading", limit_s = 40.0 }
measure.pieces = { metric = "connected_groups", link_m = 3.0, window = { time_s = [20, 40] } }
measure.polarization = { metric = "polarization", window = { time_s = [20, 40] } }
measure.spacing = { metric = "nearest_neighbor_m", window = { time_s = [20, 40] } }
simulation.sample_every_s = 1.0
"#,
            slider: Slider {
                key: "parameters.range_diameters",
                label: "how far people see",
                unit: "body diameters",
                range: (4.0, 30.0, 1.0),
            },
            at: &[4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 30.0],
            seeds: 20,
            column: "pieces",
            axis: "pieces of the flock (1: all together)",
            lines: &[Line { label: "", sets: &[] }],
            start: [Start { line: 0, at: 4.0 }, Start { line: 0, at: 12.0 }],
            known: ("", &[]),
            seen,
            why: "Cohesion pulls towards those who are seen: who sees too few of them is lost, and who sees the whole field is pulled by so many that the near ones hardly count.",
            beside,
        }),
    },
};

fn seen(found: &[Found]) -> String {
    let (best, least) = found[0].least();
    format!(
        "The flock hangs together best, in {least} pieces, when people see {} body diameters; with 4 there are {}.",
        plain(best),
        found[0].figure(4.0)
    )
}

fn beside(found: &[Found]) -> String {
    format!(
        "The source has no such curve, so nothing is compared; with 30 body diameters there are {} pieces here.",
        found[0].figure(30.0)
    )
}
