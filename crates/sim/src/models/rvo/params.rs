//! The constants of the model, with symbols, ranges and sources.

use crowdtune_core::registry::{Param, joined};

const PAPER: &str = "van den Berg, Lin, Manocha, ICRA 2008";

const RESPONSIBILITY: Param = Param::real("responsibility", "", 0.5)
    .symbol("alpha")
    .range(0.0, 1.0)
    .search(0.0, 1.0)
    .doc(
        "share of the avoiding that a person takes on: 0 none, 0.5 the reciprocal velocity obstacle, 1 all; two \
         people are safe if their shares make at least 1",
    )
    .source(PAPER)
    .of_group();

const PENALTY: Param = Param::real("safety_factor_m", "m", 2.0)
    .symbol("w")
    .range(0.0, 1000.0)
    .search(0.1, 20.0)
    .log_scale()
    .doc("weight of 1 / (time to collision) against the distance to the preferred velocity")
    .source(
        "chosen here: 2 m keep a circle of 24 people without collisions; the RVO library 1.x has 7.5 for a radius \
         of 2",
    )
    .of_group();

const HORIZON: Param = Param::real("time_horizon_s", "s", 10.0)
    .symbol("tau")
    .range(0.05, 1000.0)
    .search(1.0, 20.0)
    .log_scale()
    .doc("collisions with people that are farther away in time do not count")
    .source("chosen here: the paper has no horizon; in 10 s a walker comes farther than others are seen")
    .of_group();

const WALL_HORIZON: Param = Param::real("obstacle_time_horizon_s", "s", 1.0)
    .range(0.0, 1000.0)
    .search(0.2, 5.0)
    .log_scale()
    .doc("collisions with walls that are farther away in time do not count")
    .source("chosen here: a walker of 1.34 m/s turns or stops within two paces")
    .of_group();

const MARGIN: Param = Param::real("margin_share", "", 0.05)
    .range(0.0, 10.0)
    .search(0.0, 0.5)
    .doc("share by which the radii are enlarged when people avoid each other")
    .source(
        "chosen here: without a margin the best velocity is a grazing contact, and sampling decides which side of \
         it",
    )
    .of_group();

const MAX_SPEED: Param = Param::real("max_speed_factor", "", 1.5)
    .range(1.0, 3.0)
    .search(1.0, 2.0)
    .doc("highest speed in desired speeds, for people without a `max_speed_m_per_s`")
    .source("chosen here: who hurries past somebody; the circle example of the RVO library has 2")
    .of_group();

const MAX_ACCELERATION: Param = Param::real("max_acceleration_m_per_s2", "m/s2", 20.0)
    .symbol("a_max")
    .range(0.1, 1e6)
    .search(1.0, 50.0)
    .log_scale()
    .doc("largest change of velocity per time; who would step into a wall stops at once all the same")
    .source(
        "chosen here: 20 m/s2 let a walker turn round within two steps; the RVO library 1.x has 1 for a speed of \
         1",
    )
    .of_group();

const NEIGHBOR_DISTANCE: Param = Param::real("neighbor_distance_m", "m", 10.0)
    .range(0.1, 1000.0)
    .search(2.0, 20.0)
    .log_scale()
    .doc("how far others are seen")
    .source(
        "chosen here: 7.5 radii of the RVO library are 2.3 m, too near for 5 s ahead of somebody who comes the \
         other way",
    )
    .of_group();

const MAX_NEIGHBORS: Param = Param::integer("max_neighbors", 10, (0, 1000), (2, 20))
    .doc("how many of those in sight are avoided, the nearest first")
    .source("RVO library 1.x")
    .of_group();

const FIELD_OF_VIEW: Param = Param::real("field_of_view_deg", "deg", 360.0)
    .range(0.0, 360.0)
    .search(90.0, 360.0)
    .doc(
        "angle within which others are seen, half of it on each side of the own velocity; who stands looks to the \
         goal",
    )
    .source("the source has discs and cones; a disc in the RVO library 1.x")
    .of_group();

const SAMPLES: Param = Param::integer("samples", 250, (1, 100_000), (50, 2000))
    .symbol("N")
    .doc("velocities that are tried besides the preferred and the present one")
    .source("RVO library 1.x");

const REFINEMENTS: Param = Param::integer("refinements", 1, (0, 5), (0, 3))
    .doc(
        "how often a quarter as many samples are tried around the best one, each time within three spacings of the \
         last ones",
    )
    .source("chosen here: once; the source has none, and needs 2000 samples for the same calm");

/// The constants of the velocity obstacle, whose responsibility is 1.
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
];

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &ALL;

const ALL: [Param; 1 + PARAMS_WITHOUT_SHARE.len()] = joined(&[&[RESPONSIBILITY], PARAMS_WITHOUT_SHARE]);
