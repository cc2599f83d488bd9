//! The constants of the model, with symbols, ranges and sources.

use crate::models::headway::width;
use crowdtune_core::registry::Param;

pub(super) const JUPEDSIM: &str = "defaults of AnticipationVelocityModel in JuPedSim 1.4.2";

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    Param::real("time_gap_s", "s", 1.06)
        .symbol("T")
        .range(0.01, 10.0)
        .search(0.1, 2.0)
        .doc("time in which a person would close the gap to the one ahead: the shorter, the faster in a crowd")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("repulsion_strength", "", 8.0)
        .symbol("a")
        .range(0.0, 20.0)
        .search(0.5, 12.0)
        .doc("how much somebody turns the direction with whom a touch is ahead, where the wish to reach the goal is 1")
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
    Param::real("anticipation_time_s", "s", 1.0)
        .symbol("t_a")
        .range(0.0, 5.0)
        .search(0.0, 2.0)
        .doc("how far ahead people foresee where others will be")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("reaction_time_s", "s", 0.3)
        .symbol("t_r")
        .range(0.05, 1.0)
        .search(0.05, 1.0)
        .doc("time in which the direction follows the one that is wanted")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("wall_buffer_m", "m", 0.1)
        .symbol("b")
        .range(0.0, 1.0)
        .search(0.0, 0.4)
        .doc("gap between body and wall within which people walk along the wall and a little away from it")
        .source(JUPEDSIM)
        .of_group(),
    Param::real("wall_push", "", 0.3)
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("how much they walk away from it, where the direction along it is 1")
        .source(JUPEDSIM),
    width(),
];
