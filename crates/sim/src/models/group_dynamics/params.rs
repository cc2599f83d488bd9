//! The constants of the model, with symbols, ranges and sources.

use super::super::continuum::params as continuum;
use crowdtune_core::registry::Param;

const PAPER: &str = "Yang, He, Rao 2017, equation 2";

/// A number without a default in the source.
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
        "speed of the crowd where nobody is; nobody is faster",
        PAPER,
        1.4,
        (0.05, 20.0),
        (0.8, 2.0),
    )
    .of_group(),
    chosen(
        ("crowding_m3_per_s", "B", "m3/s"),
        "how much slower the crowd is for each person per m2",
        PAPER,
        0.25,
        (0.0, 10.0),
        (0.1, 0.6),
    )
    .of_group(),
    chosen(
        ("cell_m", "", "m"),
        "cell size of density and potential; doors have to be at least two cells wide",
        "chosen here: one person is one person per m2 in a cell",
        1.0,
        (0.1, 5.0),
        (0.4, 2.0),
    ),
    chosen(
        ("splat_exponent", "lambda", ""),
        "how fast what a person adds to a cell falls with the distance from its centre",
        "chosen here: equation 2 needs persons per m2, and in the mean a person adds 8 / ((lambda + 1)(lambda + 2)) of them",
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
        "two who are nearer, and walk alike, are in one group",
        "chosen here: the source has no value; 2 m are the room of a conversation",
        2.0,
        (0.1, 20.0),
        (0.8, 4.0),
    ),
    chosen(
        ("group_speed_m_per_s", "lambda_v", "m/s"),
        "two whose velocities differ by less walk alike",
        "chosen here: the source has no value; a fifth of walking speed",
        0.3,
        (0.01, 10.0),
        (0.1, 1.0),
    ),
    chosen(
        ("group_hold", "", ""),
        "members of a group may be so many times farther apart and walk so many times more differently",
        "chosen here: a group must not fall apart and together in every other step",
        1.2,
        (1.0, 3.0),
        (1.0, 1.6),
    ),
    Param::integer("group_least", 1, (1, 1000), (1, 6))
        .doc("fewer people than this are no group and turn nobody aside")
        .source("chosen here: somebody alone is a group of one; with 3 strangers walk through each other"),
    chosen(
        ("follow_weight", "W", ""),
        "how strongly the speed of a leader is taken over: acceleration in m/s2 for a difference of 1 m/s at 1 m",
        "chosen here: the source has no value",
        1.0,
        (0.0, 100.0),
        (0.1, 5.0),
    )
    .of_group(),
    chosen(
        ("follow_exponent", "lambda", ""),
        "how fast following falls with the distance",
        "chosen here: the source has no value; a car follows with 1 to 2",
        1.0,
        (0.0, 4.0),
        (0.5, 2.0),
    )
    .of_group(),
    chosen(
        ("reaction_s", "tau", "s"),
        "reaction time of a follower, and the time over which the acceleration acts",
        "chosen here: the source has no value",
        0.5,
        (0.01, 5.0),
        (0.1, 1.5),
    ),
    chosen(
        ("leader_angle_deg", "theta_0", "deg"),
        "a leader is ahead within this angle on each side of the heading",
        "chosen here: the source has no value",
        45.0,
        (0.0, 90.0),
        (20.0, 80.0),
    )
    .of_group(),
    chosen(
        ("leader_distance_m", "p_0", "m"),
        "nobody farther ahead is followed",
        "chosen here: the source has no value",
        3.0,
        (0.0, 50.0),
        (1.0, 6.0),
    )
    .of_group(),
    chosen(
        ("field_reach_m", "delta", "m"),
        "how far the field of a group reaches from its bodies",
        "chosen here: the source has no value; with 1 m three people who meet nine are through them before they give way",
        2.0,
        (0.0, 20.0),
        (0.3, 4.0),
    ),
    chosen(
        ("field_scale_m_per_s", "eta", "m/s"),
        "strength of the field of a group: the push at half its reach",
        "chosen here: the source has no value",
        0.5,
        (0.0, 20.0),
        (0.1, 2.0),
    )
    .of_group(),
    chosen(
        ("field_floor_m", "", "m"),
        "no distance from a group counts as shorter",
        "chosen here: the source has an infinite field at the edge; a tenth of a body",
        0.05,
        (0.001, 1.0),
        (0.02, 0.3),
    ),
    chosen(
        ("look_ahead_s", "", "s"),
        "a group acts where it will be within this time, the dynamic field; 0 is the static one",
        "chosen here: the source has the time step, in which nothing moves far",
        1.0,
        (0.0, 10.0),
        (0.0, 3.0),
    ),
    chosen(
        ("lateral_share", "", ""),
        "sideways push of who would stand between the way and a group, as a share of the own speed",
        "chosen here: the source has no value",
        0.3,
        (0.0, 2.0),
        (0.0, 1.0),
    )
    .of_group(),
    chosen(
        ("opposite_cos", "", ""),
        "below this cosine way and push count as opposite",
        "chosen here: the source has about 180 degrees; within 26 of it",
        -0.9,
        (-1.0, 0.0),
        (-0.99, -0.5),
    ),
    chosen(
        ("lateral_hold_s", "", "s"),
        "the side of the push is kept for between this time and twice as long",
        "chosen here: a side that changes from step to step is only jitter",
        1.0,
        (0.0, 60.0),
        (0.2, 3.0),
    ),
    chosen(
        ("perception_m", "r", "m"),
        "who is so near to the goal feels no field any more",
        "chosen here: the source has no value; two cells",
        2.0,
        (0.0, 50.0),
        (0.5, 5.0),
    )
    .of_group(),
    Param::switch("minimum_distance", false)
        .doc("whether people who come too near are pushed apart, as in the continuum model")
        .source("off in the source, which needs no collision detection besides"),
    continuum::DISTANCE_SHARE,
    continuum::DISTANCE_PASSES,
];
