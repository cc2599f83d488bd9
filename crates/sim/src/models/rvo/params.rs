//! The constants of the model, with symbols, ranges and sources.

use crate::models::headway::{time_gap, width};
use crowdtune_core::registry::{Param, joined};

const PAPER: &str = "van den Berg, Lin, Manocha, ICRA 2008";

const RESPONSIBILITY: Param = Param::real("responsibility", "", 0.5)
    .symbol("alpha")
    .range(0.0, 1.0)
    .search(0.0, 1.0)
    .doc(
        "share of the avoidance that a person takes on: 0 none, 0.5 the reciprocal velocity obstacle, 1 all; two \
         people are safe if their shares add up to at least 1",
    )
    .source(PAPER)
    .of_group();

const PENALTY: Param = Param::real("safety_factor_m", "m", 2.0)
    .symbol("w")
    .range(0.0, 1000.0)
    .search(0.1, 20.0)
    .log_scale()
    .doc("weight of 1 / (time to collision) against the difference from the preferred velocity")
    .source(
        "chosen here: with 2 m a circle of 24 people has no collisions; the RVO library 1.x has 7.5 for a radius of 2",
    )
    .of_group();

const HORIZON: Param = Param::real("time_horizon_s", "s", 10.0)
    .symbol("tau")
    .range(0.05, 1000.0)
    .search(1.0, 20.0)
    .log_scale()
    .doc("collisions with people later than this do not count")
    .source("chosen here: the paper has no horizon; in 10 s people walk farther than they see")
    .of_group();

const WALL_HORIZON: Param = Param::real("obstacle_time_horizon_s", "s", 1.0)
    .range(0.0, 1000.0)
    .search(0.2, 5.0)
    .log_scale()
    .doc("collisions with walls later than this do not count")
    .source("chosen here: a walker at 1.34 m/s can turn or stop within two paces")
    .of_group();

const MARGIN: Param = Param::real("margin_share", "", 0.05)
    .range(0.0, 10.0)
    .search(0.0, 0.5)
    .doc("share by which radii are enlarged when people avoid each other")
    .source(
        "chosen here: without a margin the best velocity grazes the other body, and sampling decides on which side \
         of contact",
    )
    .of_group();

const MAX_SPEED: Param = Param::real("max_speed_factor", "", 1.5)
    .range(1.0, 3.0)
    .search(1.0, 2.0)
    .doc("ratio of highest to desired speed, for people without people.max_speed_m_per_s")
    .source("chosen here: hurrying past somebody; the circle example of the RVO library has 2")
    .of_group();

const MAX_ACCELERATION: Param = Param::real("max_acceleration_m_per_s2", "m/s2", 20.0)
    .symbol("a_max")
    .range(0.1, 1e6)
    .search(1.0, 50.0)
    .log_scale()
    .doc("largest acceleration; a step into a wall is stopped at once regardless")
    .source(
        "chosen here: at 20 m/s2 a walker can turn around within two steps; the RVO library 1.x has 1 for a speed of 1",
    )
    .of_group();

const NEIGHBOR_DISTANCE: Param = Param::real("neighbor_distance_m", "m", 10.0)
    .range(0.1, 1000.0)
    .search(2.0, 20.0)
    .log_scale()
    .doc("how far people see others")
    .source("chosen here: 7.5 radii as in the RVO library are 2.3 m, too close to see somebody coming 5 s ahead")
    .of_group();

const MAX_NEIGHBORS: Param = Param::integer("max_neighbors", 10, (0, 1000), (2, 20))
    .doc("how many of those in sight are avoided at most, the nearest first")
    .source("RVO library 1.x")
    .of_group();

const FIELD_OF_VIEW: Param = Param::real("field_of_view_deg", "deg", 360.0)
    .range(0.0, 360.0)
    .search(90.0, 360.0)
    .doc("field of view, half of it on each side of the own velocity; people who stand look to their goal")
    .source("the source has discs and cones; the RVO library 1.x has a disc")
    .of_group();

const SAMPLES: Param = Param::integer("samples", 250, (1, 100_000), (50, 2000))
    .symbol("N")
    .doc("number of velocities tried besides the preferred and the current one")
    .source("RVO library 1.x");

const REFINEMENTS: Param = Param::integer("refinements", 1, (0, 5), (0, 3))
    .doc(
        "number of refinements: each tries a quarter as many samples around the best one, within three spacings of \
         the last samples",
    )
    .source("chosen here: one; the source has none and needs 2000 samples to walk as smoothly");

const HARD_BODIES: Param = Param::switch("hard_bodies", false)
    .doc(
        "whether nobody can walk into others: the chosen velocities are replaced by the nearest ones, for all people together, \
         with which no two bodies overlap at the end of the step",
    )
    .source("off, as in the source; Maury, Venel, A discrete contact model for crowd motion, ESAIM M2AN 45, 145 (2011)");

const TIME_GAP: Param = time_gap(
    "Tordeux, Chraibi, Seyfried, Traffic and Granular Flow '15 (2016); 0 is the paper of the velocity obstacles",
);

/// The constants of the velocity obstacle, where everybody's responsibility is 1.
pub(in crate::models) const PARAMS_WITHOUT_SHARE: &[Param] = &[
    PENALTY,
    HORIZON,
    WALL_HORIZON,
    MARGIN,
    MAX_SPEED,
    MAX_ACCELERATION,
    NEIGHBOR_DISTANCE,
    MAX_NEIGHBORS,
    FIELD_OF_VIEW,
    SAMPLES,
    REFINEMENTS,
    HARD_BODIES,
    TIME_GAP,
    width(),
];

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &ALL;

const ALL: [Param; 1 + PARAMS_WITHOUT_SHARE.len()] = joined(&[&[RESPONSIBILITY], PARAMS_WITHOUT_SHARE]);
