//! The constants of the model, with symbols, ranges and sources.

use crowdtune_core::registry::Param;

/// The largest number of people that the kernel keeps in order.
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
        .doc("time for which a velocity has to be free of collisions with others; shorter is bolder")
        .source(STEERSUITE)
        .of_group(),
    Param::real("obstacle_time_horizon_s", "s", 2.0)
        .symbol("tau_obst")
        .range(0.01, 100.0)
        .search(0.1, 10.0)
        .log_scale()
        .doc("time for which a velocity has to be free of collisions with walls")
        .source(STEERSUITE)
        .of_group(),
    Param::real("neighbor_distance_m", "m", 10.0)
        .range(0.1, 1000.0)
        .search(2.0, 15.0)
        .doc("distance between centers beyond which others are not seen")
        .source(STEERSUITE)
        .of_group(),
    Param::integer("max_neighbors", 10, (0, MOST_SEEN), (3, 20))
        .doc("how many others are seen, the nearest ones")
        .source(STEERSUITE)
        .of_group(),
    Param::real("responsibility", "", 0.5)
        .symbol("alpha")
        .range(0.0, 1.0)
        .search(0.1, 0.9)
        .doc(
            "how much of the avoidance of a pair is the own affair: shared as the two responsibilities, half and \
             half where both are 0; who has no share avoids nobody",
        )
        .source(
            "van den Berg, Lin, Manocha, ICRA 2008 (alpha of generalized RVO), for the half planes of ORCA; one \
             half is the paper",
        )
        .of_group(),
    Param::real("margin_m", "m", 0.0)
        .range(0.0, 1.0)
        .search(0.0, 0.3)
        .doc("distance that is kept to other bodies and to walls")
        .source("chosen here: none, as in the paper")
        .of_group(),
    Param::real("max_speed_factor", "", 1.3)
        .range(1.0, 3.0)
        .search(1.0, 2.0)
        .doc("highest speed over desired speed of people without people.max_speed_m_per_s")
        .source("Helbing, Molnar, Phys. Rev. E 51, 4282 (1995)")
        .of_group(),
    Param::real("push_m_per_s", "m/s", 1e-4)
        .range(0.0, 1.0)
        .search(1e-5, 0.1)
        .log_scale()
        .doc(
            "largest random change of each coordinate of the wanted velocity, drawn anew every step; it ends \
             perfect symmetry",
        )
        .source(LIBRARY)
        .of_group(),
];
