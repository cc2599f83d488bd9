//! Groups through a gap: the plain continuum beside group dynamics.

use super::curve::apart;
use super::{Curve, Found, Line, MakeDemo, Shown, Slider, Start};
use crowdtune_core::registry::Entry;

/// The demonstration's entry.
pub static ENTRY: Entry<MakeDemo> = Entry {
    name: "groups",
    doc: "Four groups cross in a gap, as a continuum on the left and with group dynamics on the right; the slider is how fast they want to walk.",
    source: "Yang, He, Rao 2017, Table 1; the scene is chosen here, as the source prints neither sizes nor most constants",
    params: &[],
    make: MakeDemo {
        question: "Four groups have to cross in a narrow gap: what if each waits and walks as a group?",
        shown: Shown::Curve(&Curve {
            text: include_str!("../../configs/groups.toml"),
            slider: Slider {
                key: "people.desired_speed_m_per_s",
                label: "desired speed",
                unit: "m/s",
                range: (0.8, 2.0, 0.1),
            },
            at: &[0.8, 1.1, 1.4, 1.7, 2.0],
            seeds: 8,
            column: "collisions",
            axis: "collisions in a run",
            lines: &[
                Line { label: "continuum", sets: &[("model", "\"continuum\"")] },
                Line { label: "group dynamics", sets: &[] },
            ],
            start: [Start { line: 0, at: 1.4 }, Start { line: 1, at: 1.4 }],
            known: ("Table 1 of the paper", PAPER),
            seen,
            why: "In the continuum people see densities and not each other; with group dynamics a group keeps together and goes around those that cross.",
            beside,
        }),
    },
};

/// Without and with group dynamics.
const PAPER: &[(f64, f64)] = &[(1.4, 32.0), (1.4, 7.0)];

fn seen(found: &[Found]) -> String {
    let (plain, groups) = (found[0].figure(1.4), found[1].figure(1.4));
    let verdict = if apart(plain, groups) { "the intervals are apart" } else { "the intervals overlap" };
    format!("At 1.4 m/s the continuum has {plain} collisions in a run, group dynamics {groups}; {verdict}.")
}

fn beside(found: &[Found]) -> String {
    let (plain, groups) = (found[0].at(1.4), found[1].at(1.4));
    format!(
        "The paper counts 32 collisions without group dynamics and 7 with it, {:.1} times fewer; here it is {:.0} times fewer, in a scene of our own.",
        32.0 / 7.0,
        plain / groups
    )
}
