//! The constants of the model, with symbols, ranges and sources.

use super::collisions::DIRECTIONS;
use crowdtune_core::registry::{Listed, Order, Param};

pub(super) const THESIS: &str =
    "Wang, Simulating Crowd Motion with Evolutionary Computation, master thesis, NCCU 2005, chapter 3";

const EQUAL: &str = "chosen here: five equal weights that sum to 1; the source tunes them per behavior";

/// The weights as the source prints them. Their numbers are never keys, because the order differs between pages.
static WEIGHTS: Listed = Listed {
    key: "weights",
    values: "s",
    doc: "The five weights as the source prints them.",
    symbols: &["S1", "S2", "S3", "S4", "S5"],
    orders: &[
        Order {
            name: "eq3.20",
            place: "equation 3.20",
            keys: &[
                "attraction_weight",
                "separation_weight",
                "alignment_weight",
                "cohesion_weight",
                "repulsion_weight",
            ],
        },
        Order {
            name: "fig3.9",
            place: "Figure 3.9",
            keys: &[
                "attraction_weight",
                "separation_weight",
                "cohesion_weight",
                "alignment_weight",
                "repulsion_weight",
            ],
        },
    ],
};

/// A weight; only its share of the sum of the five matters.
const fn weight(key: &'static str, symbol: &'static str, doc: &'static str) -> Param {
    Param::real(key, "", 0.2)
        .symbol(symbol)
        .range(0.0, 1000.0)
        .search(0.0, 1.0)
        .doc(doc)
        .source(EQUAL)
        .of_group()
        .in_list(&WEIGHTS)
}

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    weight(
        "attraction_weight",
        "S1",
        "weight of the attraction to the goal; only each weight's share of the sum of the five matters",
    ),
    weight("separation_weight", "S2", "weight of keeping away from neighbors"),
    weight("alignment_weight", "S3", "weight of matching the neighbors' velocity (S4 in Figure 3.9 of the source)"),
    weight("cohesion_weight", "S4", "weight of moving to the center of the neighbors (S3 in Figure 3.9 of the source)"),
    weight("repulsion_weight", "S5", "weight of braking in front of walls"),
    Param::real("gain_m_per_s2", "m/s2", 10.0)
        .range(0.0, 1000.0)
        .search(1.0, 50.0)
        .log_scale()
        .doc("acceleration due to a force of 1 that has all the weight")
        .source(
            "chosen here: with a fifth of the weight the attraction gives a walker of 1.34 m/s a relaxation time of \
             1.3 s; with all the weight 0.27 s, still longer than two steps",
        )
        .of_group(),
    Param::real("field_of_view_deg", "deg", 330.0)
        .range(0.0, 360.0)
        .search(90.0, 360.0)
        .doc("field of view, half of it on each side of the heading")
        .source(THESIS)
        .of_group(),
    Param::real("range_diameters", "", 20.0)
        .symbol("E_r")
        .range(1.0, 200.0)
        .search(4.0, 40.0)
        .doc(
            "how far people see, in diameters of their own body; also the distance from a goal point at which they \
             slow down",
        )
        .source(THESIS)
        .of_group(),
    Param::real("turn_limit_deg", "deg", 22.5)
        .range(0.1, 360.0)
        .search(5.0, 90.0)
        .doc("largest turn of the body in one unit of time")
        .source(THESIS)
        .of_group(),
    Param::real("unit_time_s", "s", 0.25)
        .range(0.001, 60.0)
        .search(0.05, 1.0)
        .log_scale()
        .doc("unit of time of the turn limit")
        .source(
            "chosen here: the source gives none; 0.25 s allows 90 degrees per second, a right angle within two paces",
        )
        .of_group(),
    Param::real("look_ahead_s", "s", 1.0)
        .symbol("Delta t")
        .range(0.0, 10.0)
        .search(0.2, 3.0)
        .doc("how far ahead in time people look for walls in their way")
        .source("chosen here: the source gives none; a walker takes two paces in 1 s")
        .of_group(),
    Param::real("clearance_m", "m", 0.2)
        .range(0.0, 2.0)
        .search(0.0, 0.5)
        .doc("gap that people keep between their body and the bodies ahead of them")
        .source(
            "chosen here: with the source's 0 people jam into arches at doors that never clear; with 0.1 m most \
             doors flow, with 0.2 m all that were tried",
        )
        .of_group(),
    Param::choice("perceives", "group", &["group", "all"])
        .doc(
            "whose positions and velocities count for separation, alignment and cohesion: the members of the own \
             group, or all",
        )
        .source(THESIS),
    Param::switch("collision_strategies", true)
        .doc(
            "whether a step into a person or a wall is replaced by another one (Table 3.1 of the source); off: the \
             plain forces",
        )
        .source(THESIS),
    Param::switch("strategies_respect_turn_limit", false)
        .doc("whether the turn limit applies to replaced steps too")
        .source("chosen here: off, because the source's four directions turn by at least 45 degrees"),
    Param::choice("pedestrian_directions", "four_forward", DIRECTIONS)
        .doc(
            "directions tried instead of a step into a person: 45 and 90 degrees to both sides, 45 and 135, or all \
             seven eighths of the compass",
        )
        .source("chosen here: the source's figure is lost; forward and sideways, because people rarely step back"),
    Param::choice("wall_directions", "seven", DIRECTIONS)
        .doc("directions tried instead of a step into a wall, as in `pedestrian_directions`")
        .source("chosen here: the source's figure is lost; all eighths of the compass except the blocked one"),
];
