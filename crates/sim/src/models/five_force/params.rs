//! The constants of the model, with symbols, ranges and sources.

use super::collisions::DIRECTIONS;
use crowdtune_core::registry::Param;

pub(super) const THESIS: &str =
    "Wang, Simulating Crowd Motion with Evolutionary Computation, master thesis, NCCU 2005, chapter 3";

const EQUAL: &str = "chosen here: five equal weights that sum to one; the source tunes them per behavior";

/// One weight; only its share of the sum of the five acts.
const fn weight(key: &'static str, symbol: &'static str, doc: &'static str) -> Param {
    Param::real(key, symbol, "", doc, EQUAL, 0.2, (0.0, 1000.0), (0.0, 1.0), false).of_group()
}

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    weight("attraction_weight", "S1", "weight of the pull towards the goal; weights act by their share of the sum"),
    weight("separation_weight", "S2", "weight of keeping away from neighbors"),
    weight("alignment_weight", "S3", "weight of walking as the neighbors do (S4 in Figure 3.9 of the source)"),
    weight("cohesion_weight", "S4", "weight of going to the middle of the neighbors (S3 in Figure 3.9 of the source)"),
    weight("repulsion_weight", "S5", "weight of braking in front of walls"),
    Param::real(
        "gain_m_per_s2",
        "",
        "m/s2",
        "acceleration of a force of 1 that has all the weight",
        "chosen here: with a fifth of the weights the attraction brings a walker of 1.34 m/s to speed with a relaxation time of \
         1.3 s, alone with one of 0.27 s, still longer than two steps",
        10.0,
        (0.0, 1000.0),
        (1.0, 50.0),
        true,
    )
    .of_group(),
    Param::real(
        "field_of_view_deg",
        "",
        "deg",
        "angle within which others are seen, half of it on each side of the heading",
        THESIS,
        330.0,
        (0.0, 360.0),
        (90.0, 360.0),
        false,
    )
    .of_group(),
    Param::real(
        "range_diameters",
        "E_r",
        "",
        "how far others are seen, in diameters of the own body; also the distance to a goal point at which people slow down",
        THESIS,
        20.0,
        (1.0, 200.0),
        (4.0, 40.0),
        false,
    )
    .of_group(),
    Param::real(
        "turn_limit_deg",
        "",
        "deg",
        "largest turn of the body in one unit of time",
        THESIS,
        22.5,
        (0.1, 360.0),
        (5.0, 90.0),
        false,
    )
    .of_group(),
    Param::real(
        "unit_time_s",
        "",
        "s",
        "the unit of time of the turn limit",
        "chosen here: the source names none; 0.25 s makes 90 degrees a second, a right angle within two paces",
        0.25,
        (0.001, 60.0),
        (0.05, 1.0),
        true,
    )
    .of_group(),
    Param::real(
        "look_ahead_s",
        "Delta t",
        "s",
        "how long ahead a person looks for walls in the way",
        "chosen here: the source names none; in 1 s a walker comes two paces far",
        1.0,
        (0.0, 10.0),
        (0.2, 3.0),
        false,
    )
    .of_group(),
    Param::real(
        "clearance_m",
        "",
        "m",
        "gap between bodies that people keep to those who are ahead of them on their way",
        "chosen here: with the 0 of the source people press into arches at a door that never open; with 0.1 m most doors \
         flow, with 0.2 m all that were tried",
        0.2,
        (0.0, 2.0),
        (0.0, 0.5),
        false,
    )
    .of_group(),
    Param::choice(
        "perceives",
        "whose places and velocities count for separation, alignment and cohesion",
        THESIS,
        "group",
        &["group", "all"],
    ),
    Param::switch(
        "collision_strategies",
        "whether steps into people and walls are replaced by others (Table 3.1 of the source); off: the plain forces",
        THESIS,
        true,
    ),
    Param::switch(
        "strategies_respect_turn_limit",
        "whether replaced steps too keep to the turn limit",
        "chosen here: off, because the four directions of the source turn by 45 degrees at least",
        false,
    ),
    Param::choice(
        "pedestrian_directions",
        "where a step into somebody is turned to: 45 and 90 degrees to both sides, 45 and 135, or all seven eighths",
        "chosen here: the figure of the source is lost; forwards and aside, because people rarely step back",
        "four_forward",
        DIRECTIONS,
    ),
    Param::choice(
        "wall_directions",
        "where a step into a wall is turned to, as for `pedestrian_directions`",
        "chosen here: the figure of the source is lost; the eighths of the compass but the blocked one are seven",
        "seven",
        DIRECTIONS,
    ),
];
