//! The constants of the model, with symbols, ranges and sources.

use super::collisions::DIRECTIONS;
use crowdtune_core::registry::{Listed, Order, Param};

pub(super) const THESIS: &str =
    "Wang, Simulating Crowd Motion with Evolutionary Computation, master thesis, NCCU 2005, chapter 3";

const EQUAL: &str = "chosen here: five equal weights that sum to one; the source tunes them per behavior";

/// The weights as the source prints them. Numbers alone are never keys: which one is third depends on the page.
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

/// One weight; only its share of the sum of the five acts.
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
    weight("attraction_weight", "S1", "weight of the pull towards the goal; weights act by their share of the sum"),
    weight("separation_weight", "S2", "weight of keeping away from neighbors"),
    weight("alignment_weight", "S3", "weight of walking as the neighbors do (S4 in Figure 3.9 of the source)"),
    weight("cohesion_weight", "S4", "weight of going to the middle of the neighbors (S3 in Figure 3.9 of the source)"),
    weight("repulsion_weight", "S5", "weight of braking in front of walls"),
    Param::real("gain_m_per_s2", "m/s2", 10.0)
        .range(0.0, 1000.0)
        .search(1.0, 50.0)
        .log_scale()
        .doc("acceleration of a force of 1 that has all the weight")
        .source(
            "chosen here: with a fifth of the weights the attraction brings a walker of 1.34 m/s to speed with a \
             relaxation time of 1.3 s, alone with one of 0.27 s, still longer than two steps",
        )
        .of_group(),
    Param::real("field_of_view_deg", "deg", 330.0)
        .range(0.0, 360.0)
        .search(90.0, 360.0)
        .doc("angle within which others are seen, half of it on each side of the heading")
        .source(THESIS)
        .of_group(),
    Param::real("range_diameters", "", 20.0)
        .symbol("E_r")
        .range(1.0, 200.0)
        .search(4.0, 40.0)
        .doc(
            "how far others are seen, in diameters of the own body; also the distance to a goal point at which \
             people slow down",
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
        .doc("the unit of time of the turn limit")
        .source("chosen here: the source names none; 0.25 s makes 90 degrees a second, a right angle within two paces")
        .of_group(),
    Param::real("look_ahead_s", "s", 1.0)
        .symbol("Delta t")
        .range(0.0, 10.0)
        .search(0.2, 3.0)
        .doc("how long ahead a person looks for walls in the way")
        .source("chosen here: the source names none; in 1 s a walker comes two paces far")
        .of_group(),
    Param::real("clearance_m", "m", 0.2)
        .range(0.0, 2.0)
        .search(0.0, 0.5)
        .doc("gap between bodies that people keep to those who are ahead of them on their way")
        .source(
            "chosen here: with the 0 of the source people press into arches at a door that never open; with 0.1 m \
             most doors flow, with 0.2 m all that were tried",
        )
        .of_group(),
    Param::choice("perceives", "group", &["group", "all"])
        .doc("whose places and velocities count for separation, alignment and cohesion")
        .source(THESIS),
    Param::switch("collision_strategies", true)
        .doc(
            "whether steps into people and walls are replaced by others (Table 3.1 of the source); off: the plain \
             forces",
        )
        .source(THESIS),
    Param::switch("strategies_respect_turn_limit", false)
        .doc("whether replaced steps too keep to the turn limit")
        .source("chosen here: off, because the four directions of the source turn by 45 degrees at least"),
    Param::choice("pedestrian_directions", "four_forward", DIRECTIONS)
        .doc(
            "where a step into somebody is turned to: 45 and 90 degrees to both sides, 45 and 135, or all seven \
             eighths",
        )
        .source("chosen here: the figure of the source is lost; forwards and aside, because people rarely step back"),
    Param::choice("wall_directions", "seven", DIRECTIONS)
        .doc("where a step into a wall is turned to, as for `pedestrian_directions`")
        .source(
            "chosen here: the figure of the source is lost; the eighths of the compass but the blocked one are \
             seven",
        ),
];
