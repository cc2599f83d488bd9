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
        .doc("who avoids collisions between single people: ORCA, or reciprocal velocity obstacles by samples")
        .source("chosen here: the half-planes of ORCA need no samples"),
    Param::real("guidance", "", 1.0)
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("share of the continuum in the direction that people prefer where they avoid each other one by one")
        .source(
            "chosen here: the continuum guides, as in Treuille, Cooper, Popovic 2006; 0 goes straight for the \
             goal",
        )
        .of_group(),
    Param::real("field_every_s", "s", 0.0)
        .symbol("K dt")
        .range(0.0, 10.0)
        .search(0.0, 0.5)
        .doc("how often the continuum is worked out; between, people keep the velocity it gave them; 0: every step")
        .source("chosen here: a field costs less than the avoidance"),
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
        .doc("density from which on people move by the continuum alone; not below local_density_per_m2")
        .source(SOURCE),
    Param::real("density_radius_m", "m", 1.5)
        .range(0.1, 20.0)
        .search(0.75, 3.0)
        .doc("how far others count for the density, with a weight that falls linearly to 0")
        .source("chosen here: some seven square metres, in which a count is not all chance"),
    row(social_force::params::PARAMS, "body_stiffness_kg_per_s2"),
    row(social_force::params::PARAMS, "sliding_friction_kg_per_m_s"),
    Param::real("expression_m_per_s", "m/s", 1.34)
        .range(0.0, 10.0)
        .search(0.2, 2.0)
        .doc("velocity that an expressive force of 1 with the weight 1 adds to what people prefer")
        .source("chosen here: the desired speed of a walker, so that a weight of 1 can turn the way")
        .of_group(),
    weight("separation_weight", "S2", "weight of keeping away from members of the group"),
    weight("alignment_weight", "S3", "weight of walking as the members of the group do"),
    weight("cohesion_weight", "S4", "weight of going to the middle of the group"),
    weight("repulsion_weight", "S5", "weight of braking in front of walls"),
    row(five_force::params::PARAMS, "field_of_view_deg"),
    row(five_force::params::PARAMS, "range_diameters"),
    row(five_force::params::PARAMS, "look_ahead_s"),
];

/// All constants, in the order in which values are stored: the model's own, then those of its parts. A key that two parts
/// share is one constant, with the default of the first.
pub(super) static PARAMS: &[Param] = &ALL;

static ALL: [Param; 51] = joined(&[OWN, orca::params::PARAMS, rvo::params::PARAMS, continuum::params::PARAMS]);
