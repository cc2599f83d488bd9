//! The constants of the model, with symbols, ranges and sources.

use crate::models::headway::{time_gap, width};
use crowdtune_core::registry::Param;

/// Most neighbors that the kernel can sort.
const MOST_SEEN: i64 = 60;

pub(super) const STEERSUITE: &str =
    "defaults of ORCA in SteerSuite; the circle of the RVO2 library, scaled to people's bodies, has 1.5 s and 3 m";

pub(super) const LIBRARY: &str = "examples of the RVO2 library";

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    Param::real("time_horizon_s", "s", 2.0)
        .symbol("tau")
        .range(0.01, 100.0)
        .search(0.2, 10.0)
        .log_scale()
        .doc("time for which a velocity must be free of collisions with others; the shorter, the bolder")
        .source(STEERSUITE)
        .of_group(),
    Param::real("obstacle_time_horizon_s", "s", 2.0)
        .symbol("tau_obst")
        .range(0.01, 100.0)
        .search(0.1, 10.0)
        .log_scale()
        .doc("time for which a velocity must be free of collisions with walls")
        .source(STEERSUITE)
        .of_group(),
    Param::real("neighbor_distance_m", "m", 10.0)
        .range(0.1, 1000.0)
        .search(2.0, 15.0)
        .doc("distance between centers beyond which others are ignored")
        .source(STEERSUITE)
        .of_group(),
    Param::integer("max_neighbors", 10, (0, MOST_SEEN), (3, 20))
        .doc("how many others are avoided at most, the nearest first")
        .source(STEERSUITE)
        .of_group(),
    Param::real("responsibility", "", 0.5)
        .symbol("alpha")
        .range(0.0, 1.0)
        .search(0.1, 0.9)
        .doc(
            "how much of the avoidance a person takes on: a pair shares it in proportion to the two \
             responsibilities, half and half if both are 0; a person with no share avoids nobody",
        )
        .source(
            "van den Berg, Lin, Manocha, ICRA 2008 (alpha of generalized RVO), applied to the half-planes of ORCA; \
             one half is the ORCA paper",
        )
        .of_group(),
    Param::real("margin_m", "m", 0.0)
        .range(0.0, 1.0)
        .search(0.0, 0.3)
        .doc("gap kept to other bodies and to walls")
        .source("chosen here: none, as in the paper")
        .of_group(),
    Param::real("max_speed_factor", "", 1.3)
        .range(1.0, 3.0)
        .search(1.0, 2.0)
        .doc("ratio of highest to desired speed, for people without people.max_speed_m_per_s")
        .source("Helbing, Molnar, Phys. Rev. E 51, 4282 (1995)")
        .of_group(),
    Param::real("push_m_per_s", "m/s", 1e-4)
        .range(0.0, 1.0)
        .search(1e-5, 0.1)
        .log_scale()
        .doc(
            "largest random change of each coordinate of the preferred velocity, drawn every step; it breaks perfect \
             symmetry",
        )
        .source(LIBRARY)
        .of_group(),
    time_gap("Tordeux, Chraibi, Seyfried, Traffic and Granular Flow '15 (2016); 0 is the ORCA paper"),
    width(),
];
