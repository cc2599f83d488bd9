//! The constants of the model, with symbols, ranges and sources.

use crate::models::headway::{time_gap, width};
use crowdtune_core::registry::Param;

pub(super) const PAPER: &str = "Helbing, Farkas, Vicsek, Nature 407, 487 (2000)";

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    Param::real("repulsion_strength_n", "N", 2000.0)
        .symbol("A")
        .range(0.0, 1e5)
        .search(50.0, 5000.0)
        .log_scale()
        .doc("psychological repulsion between people who touch")
        .source(PAPER)
        .of_group(),
    Param::real("repulsion_range_m", "m", 0.08)
        .symbol("B")
        .range(0.005, 5.0)
        .search(0.02, 1.0)
        .log_scale()
        .doc("distance over which that repulsion falls by a factor of e")
        .source(PAPER)
        .of_group(),
    Param::switch("wall_repulsion", true).doc("whether walls repel beyond contact").source(PAPER),
    Param::real("wall_repulsion_strength_n", "N", 2000.0)
        .symbol("A_W")
        .range(0.0, 1e5)
        .search(50.0, 5000.0)
        .log_scale()
        .doc("psychological repulsion of a wall that is touched")
        .source(PAPER)
        .of_group()
        .like("repulsion_strength_n"),
    Param::real("wall_repulsion_range_m", "m", 0.08)
        .symbol("B_W")
        .range(0.005, 5.0)
        .search(0.02, 1.0)
        .log_scale()
        .doc("distance over which the repulsion of walls falls by a factor of e")
        .source(PAPER)
        .of_group()
        .like("repulsion_range_m"),
    Param::real("body_stiffness_kg_per_s2", "kg/s2", 1.2e5)
        .symbol("k")
        .range(0.0, 1e7)
        .search(1e4, 5e5)
        .log_scale()
        .doc("body force per meter of overlap")
        .source(PAPER),
    Param::real("sliding_friction_kg_per_m_s", "kg/(m s)", 2.4e5)
        .symbol("kappa")
        .range(0.0, 1e7)
        .search(1e3, 1e6)
        .log_scale()
        .doc("sliding friction per meter of overlap and per m/s of tangential velocity")
        .source(PAPER),
    Param::real("relaxation_time_s", "s", 0.5)
        .symbol("tau")
        .range(0.01, 10.0)
        .search(0.1, 2.0)
        .doc("time in which a free walker closes 63 % of the gap to the desired velocity")
        .source(PAPER)
        .of_group(),
    Param::real("anisotropy", "", 1.0)
        .symbol("lambda")
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("weight of people straight behind (psychological force only); 1: all directions count alike")
        .source("Johansson, Helbing, Shukla, Adv. Complex Syst. 10, 271 (2007); 1 is the paper of 2000")
        .of_group(),
    Param::real("panic", "", 0.0)
        .symbol("p")
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("herding: share of the neighbors' mean direction in the desired direction")
        .source(PAPER)
        .of_group(),
    Param::real("herding_radius_m", "m", 5.0)
        .symbol("R")
        .range(0.0, 50.0)
        .search(1.0, 10.0)
        .doc("how far away people can be and still be followed")
        .source(PAPER)
        .of_group(),
    Param::switch("impatience", false)
        .doc("whether people who are held up raise their desired speed towards people.max_speed_m_per_s")
        .source(PAPER)
        .acts_through("max_speed_m_per_s"),
    Param::switch("injuries", false).doc("whether people under too much pressure become fixed obstacles").source(PAPER),
    Param::real("injury_threshold_n_per_m", "N/m", 1600.0)
        .range(0.0, 1e6)
        .search(400.0, 6400.0)
        .log_scale()
        .doc("radial force over body circumference that injures")
        .source(PAPER),
    Param::choice("injury_forces", "contact", &["contact", "all"])
        .doc("which radial forces count towards injuries")
        .source(
            "chosen here: contact, because with the psychological force two people who merely touch exceed the \
             threshold",
        ),
    Param::real("injury_duration_s", "s", 0.0)
        .range(0.0, 60.0)
        .search(0.0, 5.0)
        .doc("how long the threshold must be exceeded without interruption")
        .source("chosen here: at once, as the paper reads"),
    Param::real("noise_m_per_s2", "m/s2", 0.0)
        .symbol("xi")
        .range(0.0, 10.0)
        .search(0.0, 1.0)
        .doc("standard deviation of the random acceleration per coordinate, averaged over 0.1 s")
        .source("chosen here: off")
        .of_group(),
    Param::real("negligible_m_per_s2", "m/s2", 1e-4)
        .range(1e-12, 1.0)
        .search(1e-6, 1e-2)
        .log_scale()
        .doc("acceleration below which a pair's repulsion is dropped: accuracy against run time")
        .source("chosen here: 1/4000 of the drive of somebody who is 0.2 m/s too slow"),
    time_gap(
        "Tordeux, Chraibi, Seyfried, Traffic and Granular Flow '15 (2016); with forces Johansson, Phys. Rev. E 80, 026120 (2009); \
         0 is the paper of 2000",
    ),
    width(),
];
