//! The constants of the model: its own, then those of its parts.

use crate::models::{continuum, five_force, orca, rvo, social_force};
use crowdtune_core::registry::{Param, joined, row};

pub(super) const SOURCE: &str =
    "chosen here, after Golas, Narain, Lin, Hybrid long-range collision avoidance for crowd simulation, I3D 2013";

const FIVE: &str = "chosen here: 0, no expression; the weights of Wang 2005, chapter 3, as velocities";

/// One of the five forces as a term of the preferred velocity.
const fn weight(key: &'static str, symbol: &'static str, doc: &'static str) -> Param {
    Param::real(key, "", 0.0).symbol(symbol).range(0.0, 1000.0).search(0.0, 1.0).doc(doc).source(FIVE).of_group()
}

/// The model's own constants.
const OWN: &[Param] = &[
    Param::choice("local", "orca", &["orca", "rvo"])
        .doc("how people avoid each other one by one: ORCA, or sampled reciprocal velocity obstacles")
        .source("chosen here: the half-planes of ORCA need no samples"),
    Param::real("guidance", "", 1.0)
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("share of the continuum's direction in the preferred velocity of people who avoid each other one by one")
        .source(
            "chosen here: the continuum guides, as in Treuille, Cooper, Popovic 2006; with 0 people head for the goal",
        )
        .of_group(),
    Param::real("field_every_s", "s", 0.0)
        .symbol("K dt")
        .range(0.0, 10.0)
        .search(0.0, 0.5)
        .doc(
            "interval between updates of the continuum; in between people keep the velocity it gave them; 0: every \
             step",
        )
        .source("chosen here: every step, as the field costs less than the avoidance"),
    Param::real("local_density_per_m2", "1/m2", 0.5)
        .symbol("rho_1")
        .range(0.0, 1000.0)
        .search(0.1, 2.0)
        .doc("density up to which people move by avoidance alone")
        .source(SOURCE),
    Param::real("continuum_density_per_m2", "1/m2", 2.0)
        .symbol("rho_2")
        .range(0.0, 1000.0)
        .search(1.0, 5.0)
        .doc("density from which people move by the continuum alone; not below local_density_per_m2")
        .source(SOURCE),
    Param::real("density_radius_m", "m", 1.5)
        .range(0.1, 20.0)
        .search(0.75, 3.0)
        .doc("radius within which others count for the density, with a weight that falls linearly to 0")
        .source("chosen here: about seven square meters, enough that the count is not all chance"),
    row(social_force::params::PARAMS, "body_stiffness_kg_per_s2"),
    row(social_force::params::PARAMS, "sliding_friction_kg_per_m_s"),
    Param::real("relaxation_time_s", "s", 0.5)
        .symbol("tau")
        .range(0.01, 10.0)
        .search(0.1, 2.0)
        .doc("time in which people who touch somebody close 63 % of the gap to the velocity they want")
        .source("Helbing, Farkas, Vicsek, Nature 407, 487 (2000)")
        .of_group(),
    Param::real("expression_m_per_s", "m/s", 1.34)
        .range(0.0, 10.0)
        .search(0.2, 2.0)
        .doc("velocity that an expressive force of 1 with weight 1 adds to the preferred velocity")
        .source("chosen here: the desired speed of a walker, so that a weight of 1 can turn somebody around")
        .of_group(),
    weight("separation_weight", "S2", "weight of keeping away from members of the group"),
    weight("alignment_weight", "S3", "weight of matching the group members' velocity"),
    weight("cohesion_weight", "S4", "weight of moving to the center of the group"),
    weight("repulsion_weight", "S5", "weight of braking in front of walls"),
    row(five_force::params::PARAMS, "field_of_view_deg"),
    row(five_force::params::PARAMS, "range_diameters"),
    row(five_force::params::PARAMS, "look_ahead_s"),
];

/// All constants, in the order in which values are stored: the model's own, then those of its parts. A key that two parts
/// share is one constant, with the default of the first.
pub(super) static PARAMS: &[Param] = &ALL;

static ALL: [Param; 47] = joined(&[OWN, orca::params::PARAMS, rvo::params::PARAMS, continuum::params::PARAMS]);
