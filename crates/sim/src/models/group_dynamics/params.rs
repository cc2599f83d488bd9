//! The constants of the model, with symbols, ranges and sources.

use super::super::continuum::params as continuum;
use crowdtune_core::registry::Param;

const PAPER: &str = "Yang, He, Rao 2017, equation 2";

/// A number for which the source has no default.
const fn chosen(
    (key, symbol, unit): (&'static str, &'static str, &'static str),
    doc: &'static str,
    source: &'static str,
    default: f64,
    hard: (f64, f64),
    search: (f64, f64),
) -> Param {
    Param::real(key, unit, default)
        .symbol(symbol)
        .range(hard.0, hard.1)
        .search(search.0, search.1)
        .doc(doc)
        .source(source)
}

/// All constants, in the order in which values are stored.
pub(super) static PARAMS: &[Param] = &[
    chosen(
        ("free_speed_m_per_s", "A", "m/s"),
        "speed of the crowd at density 0; nobody walks faster",
        PAPER,
        1.4,
        (0.05, 20.0),
        (0.8, 2.0),
    )
    .of_group(),
    chosen(
        ("crowding_m3_per_s", "B", "m3/s"),
        "drop of the crowd's speed for each person per m2",
        PAPER,
        0.25,
        (0.0, 10.0),
        (0.1, 0.6),
    )
    .of_group(),
    chosen(
        ("cell_m", "", "m"),
        "cell size of density and potential; doors must be at least two cells wide",
        "chosen here: one person in a cell is 1 person per m2",
        1.0,
        (0.1, 5.0),
        (0.4, 2.0),
    ),
    chosen(
        ("splat_exponent", "lambda", ""),
        "how fast a person's share of a cell falls with the distance from the cell's center",
        "chosen here: equation 2 needs persons per m2, and on average a person adds 8 / ((lambda + 1)(lambda + 2)) \
         of them, about 1",
        1.375,
        (0.1, 10.0),
        (0.5, 4.0),
    ),
    continuum::LEAST_SPEED,
    continuum::LENGTH_WEIGHT,
    continuum::TIME_WEIGHT,
    continuum::DISCOMFORT_WEIGHT,
    continuum::PREDICTION,
    continuum::PREDICTION_S,
    chosen(
        ("group_distance_m", "d", "m"),
        "two people closer than this who walk alike are in one group",
        "chosen here: the source has no value; 2 m is the space of a conversation",
        2.0,
        (0.1, 20.0),
        (0.8, 4.0),
    ),
    chosen(
        ("group_speed_m_per_s", "lambda_v", "m/s"),
        "two people whose velocities differ by less walk alike",
        "chosen here: the source has no value; a fifth of walking speed",
        0.3,
        (0.01, 10.0),
        (0.1, 1.0),
    ),
    chosen(
        ("group_hold", "", ""),
        "members of a group part only beyond this many times the two limits above",
        "chosen here: a group must not split and merge every other step",
        1.2,
        (1.0, 3.0),
        (1.0, 1.6),
    ),
    Param::integer("group_least", 1, (1, 1000), (1, 6))
        .doc("smallest size of a group; fewer people turn nobody aside")
        .source("chosen here: a person alone is a group of one; with 3, strangers walk through each other"),
    chosen(
        ("follow_weight", "W", ""),
        "how strongly a follower adopts the leader's speed: acceleration in m/s2 for a difference of 1 m/s at 1 m",
        "chosen here: the source has no value",
        1.0,
        (0.0, 100.0),
        (0.1, 5.0),
    )
    .of_group(),
    chosen(
        ("follow_exponent", "lambda", ""),
        "how fast following weakens with distance",
        "chosen here: the source has no value; car following has 1 to 2",
        1.0,
        (0.0, 4.0),
        (0.5, 2.0),
    )
    .of_group(),
    chosen(
        ("reaction_s", "tau", "s"),
        "reaction time of a follower, and time over which the acceleration acts",
        "chosen here: the source has no value",
        0.5,
        (0.01, 5.0),
        (0.1, 1.5),
    ),
    chosen(
        ("leader_angle_deg", "theta_0", "deg"),
        "leaders are within this angle on each side of the heading",
        "chosen here: the source has no value",
        45.0,
        (0.0, 90.0),
        (20.0, 80.0),
    )
    .of_group(),
    chosen(
        ("leader_distance_m", "p_0", "m"),
        "how far ahead a leader can be",
        "chosen here: the source has no value",
        3.0,
        (0.0, 50.0),
        (1.0, 6.0),
    )
    .of_group(),
    chosen(
        ("field_reach_m", "delta", "m"),
        "how far a group's field reaches beyond its bodies",
        "chosen here: the source has no value; with 1 m, three people who meet nine have walked through them before \
         they give way",
        2.0,
        (0.0, 20.0),
        (0.3, 4.0),
    ),
    chosen(
        ("field_scale_m_per_s", "eta", "m/s"),
        "strength of a group's field: its push at half the reach",
        "chosen here: the source has no value",
        0.5,
        (0.0, 20.0),
        (0.1, 2.0),
    )
    .of_group(),
    chosen(
        ("field_floor_m", "", "m"),
        "distances from a group below this count as this",
        "chosen here: a tenth of a body; the source's field is infinite at the edge",
        0.05,
        (0.001, 1.0),
        (0.02, 0.3),
    ),
    chosen(
        ("look_ahead_s", "", "s"),
        "a group's field covers where it will be within this time (dynamic field); 0: only where it is (static field)",
        "chosen here: the source has one time step, in which nobody moves far",
        1.0,
        (0.0, 10.0),
        (0.0, 3.0),
    ),
    chosen(
        ("lateral_share", "", ""),
        "sideways push on people caught between their way and a group, as a share of their speed",
        "chosen here: the source has no value",
        0.3,
        (0.0, 2.0),
        (0.0, 1.0),
    )
    .of_group(),
    chosen(
        ("opposite_cos", "", ""),
        "way and push count as opposite below this cosine",
        "chosen here: within 26 degrees of opposite; the source says about 180 degrees",
        -0.9,
        (-1.0, 0.0),
        (-0.99, -0.5),
    ),
    chosen(
        ("lateral_hold_s", "", "s"),
        "the side of the push is kept for one to two times this long",
        "chosen here: a side that changed every step would only be jitter",
        1.0,
        (0.0, 60.0),
        (0.2, 3.0),
    ),
    chosen(
        ("perception_m", "r", "m"),
        "people this close to their goal feel no field",
        "chosen here: the source has no value; two cells",
        2.0,
        (0.0, 50.0),
        (0.5, 5.0),
    )
    .of_group(),
    Param::switch("minimum_distance", false)
        .doc("whether people who come too close are pushed apart, as in the continuum model")
        .source("off: the source needs no collision detection"),
    continuum::DISTANCE_SHARE,
    continuum::DISTANCE_PASSES,
];
