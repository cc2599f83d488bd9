//! The constants of the model, with symbols, ranges and sources.

use super::super::continuum::params as continuum;
use crowdtune_core::registry::Param;

const PAPER: &str = "Yang, He, Rao 2017, equation 2";

/// All constants, in the order in which values are stored.
pub(super) static PARAMS: &[Param] = &[
    Param::real("free_speed_m_per_s", "m/s", 1.4)
        .symbol("A")
        .range(0.05, 20.0)
        .search(0.8, 2.0)
        .doc("speed of the crowd at density 0; nobody walks faster")
        .source(PAPER)
        .of_group(),
    Param::real("crowding_m3_per_s", "m3/s", 0.25)
        .symbol("B")
        .range(0.0, 10.0)
        .search(0.1, 0.6)
        .doc("drop of the crowd's speed for each person per m2")
        .source(PAPER)
        .of_group(),
    Param::real("cell_m", "m", 1.0)
        .range(0.1, 5.0)
        .search(0.4, 2.0)
        .doc("cell size of density and potential; doors must be at least two cells wide")
        .source("chosen here: one person in a cell is 1 person per m2"),
    Param::real("splat_exponent", "", 1.375)
        .symbol("lambda")
        .range(0.1, 10.0)
        .search(0.5, 4.0)
        .doc("how fast a person's share of a cell falls with the distance from the cell's center")
        .source(
            "chosen here: equation 2 needs persons per m2, and on average a person adds 8 / ((lambda + 1)(lambda + \
             2)) of them, about 1",
        ),
    continuum::LEAST_SPEED,
    continuum::LENGTH_WEIGHT,
    continuum::TIME_WEIGHT,
    continuum::DISCOMFORT_WEIGHT,
    continuum::PREDICTION,
    continuum::PREDICTION_S,
    Param::real("group_distance_m", "m", 2.0)
        .symbol("d")
        .range(0.1, 20.0)
        .search(0.8, 4.0)
        .doc("two people closer than this who walk alike are in one group")
        .source("chosen here: the source has no value; 2 m is the space of a conversation"),
    Param::real("group_speed_m_per_s", "m/s", 0.3)
        .symbol("lambda_v")
        .range(0.01, 10.0)
        .search(0.1, 1.0)
        .doc("two people whose velocities differ by less walk alike")
        .source("chosen here: the source has no value; a fifth of walking speed"),
    Param::real("group_hold", "", 1.2)
        .range(1.0, 3.0)
        .search(1.0, 1.6)
        .doc("members of a group part only beyond this many times the two limits above")
        .source("chosen here: a group must not split and merge every other step"),
    Param::integer("group_least", 1, (1, 1000), (1, 6))
        .doc("smallest size of a group; fewer people turn nobody aside")
        .source("chosen here: a person alone is a group of one; with 3, strangers walk through each other"),
    Param::real("follow_weight", "", 1.0)
        .symbol("W")
        .range(0.0, 100.0)
        .search(0.1, 5.0)
        .doc("how strongly a follower adopts the leader's speed: acceleration in m/s2 for a difference of 1 m/s at 1 m")
        .source("chosen here: the source has no value")
        .of_group(),
    Param::real("follow_exponent", "", 1.0)
        .symbol("lambda")
        .range(0.0, 4.0)
        .search(0.5, 2.0)
        .doc("how fast following weakens with distance")
        .source("chosen here: the source has no value; car following has 1 to 2")
        .of_group(),
    Param::real("reaction_s", "s", 0.5)
        .symbol("tau")
        .range(0.01, 5.0)
        .search(0.1, 1.5)
        .doc("reaction time of a follower, and time over which the acceleration acts")
        .source("chosen here: the source has no value"),
    Param::real("leader_angle_deg", "deg", 45.0)
        .symbol("theta_0")
        .range(0.0, 90.0)
        .search(20.0, 80.0)
        .doc("leaders are within this angle on each side of the heading")
        .source("chosen here: the source has no value")
        .of_group(),
    Param::real("leader_distance_m", "m", 3.0)
        .symbol("p_0")
        .range(0.0, 50.0)
        .search(1.0, 6.0)
        .doc("how far ahead a leader can be")
        .source("chosen here: the source has no value")
        .of_group(),
    Param::real("field_reach_m", "m", 2.0)
        .symbol("delta")
        .range(0.0, 20.0)
        .search(0.3, 4.0)
        .doc("how far a group's field reaches beyond its bodies")
        .source(
            "chosen here: the source has no value; with 1 m, three people who meet nine have walked through them \
             before they give way",
        ),
    Param::real("field_scale_m_per_s", "m/s", 0.5)
        .symbol("eta")
        .range(0.0, 20.0)
        .search(0.1, 2.0)
        .doc("strength of a group's field: its push at half the reach")
        .source("chosen here: the source has no value")
        .of_group(),
    Param::real("field_floor_m", "m", 0.05)
        .range(0.001, 1.0)
        .search(0.02, 0.3)
        .doc("distances from a group below this count as this")
        .source("chosen here: a tenth of a body; the source's field is infinite at the edge"),
    Param::real("look_ahead_s", "s", 1.0)
        .range(0.0, 10.0)
        .search(0.0, 3.0)
        .doc(
            "a group's field covers where it will be within this time (dynamic field); 0: only where it is (static \
             field)",
        )
        .source("chosen here: the source has one time step, in which nobody moves far"),
    Param::real("lateral_share", "", 0.3)
        .range(0.0, 2.0)
        .search(0.0, 1.0)
        .doc("sideways push on people caught between their way and a group, as a share of their speed")
        .source("chosen here: the source has no value")
        .of_group(),
    Param::real("opposite_cos", "", -0.9)
        .range(-1.0, 0.0)
        .search(-0.99, -0.5)
        .doc("way and push count as opposite below this cosine")
        .source("chosen here: within 26 degrees of opposite; the source says about 180 degrees"),
    Param::real("lateral_hold_s", "s", 1.0)
        .range(0.0, 60.0)
        .search(0.2, 3.0)
        .doc("the side of the push is kept for one to two times this long")
        .source("chosen here: a side that changed every step would only be jitter"),
    Param::real("perception_m", "m", 2.0)
        .symbol("r")
        .range(0.0, 50.0)
        .search(0.5, 5.0)
        .doc("people this close to their goal feel no field")
        .source("chosen here: the source has no value; two cells")
        .of_group(),
    Param::switch("minimum_distance", false)
        .doc("whether people who come too close are pushed apart, as in the continuum model")
        .source("off: the source needs no collision detection"),
    continuum::DISTANCE_SHARE,
    continuum::DISTANCE_PASSES,
];
