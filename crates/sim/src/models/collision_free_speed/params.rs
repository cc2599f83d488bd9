//! The constants of the model, with symbols, ranges and sources.

use crate::models::headway::width;
use crowdtune_core::registry::Param;

pub(super) const JUPEDSIM: &str = "defaults of CollisionFreeSpeedModelV2 in JuPedSim 1.4.2";

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    Param::real("time_gap_s", "s", 1.0)
        .symbol("T")
        .range(0.1, 10.0)
        .search(0.1, 2.0)
        .doc("time in which a person would close the gap to the one ahead: the shorter, the faster in a crowd")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("repulsion_strength", "", 8.0)
        .symbol("a")
        .range(0.0, 100.0)
        .search(0.5, 12.0)
        .doc("how much somebody who is touched turns the direction, where the wish to reach the goal is 1")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("repulsion_range_m", "m", 0.1)
        .symbol("D")
        .range(0.005, 5.0)
        .search(0.02, 1.0)
        .log_scale()
        .doc("distance over which that repulsion falls by a factor of e")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("wall_repulsion_strength", "", 5.0)
        .symbol("a_W")
        .range(0.0, 100.0)
        .search(0.0, 8.0)
        .doc("how much a wall that is touched turns the direction")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("wall_repulsion_range_m", "m", 0.02)
        .symbol("D_W")
        .range(0.001, 5.0)
        .search(0.01, 0.2)
        .log_scale()
        .doc("distance over which the repulsion of walls falls by a factor of e")
        .source(JUPEDSIM)
        .of_group(),
    width(),
];
