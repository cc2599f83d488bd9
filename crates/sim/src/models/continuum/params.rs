//! The constants of the model.

use crowdtune_core::registry::Param;

const PAPER: &str = "Treuille, Cooper, Popovic, SIGGRAPH 2006; no value is printed";
const PORTS: &str = "0.3 and 0.8 persons per cell in a public port, where a person adds at least 0.25 to their own cell: the same \
     ratios, for cells of 0.5 m";

/// All constants, in the order in which values are stored.
pub(in crate::models) const PARAMS: &[Param] = &[
    CELL_M,
    SPLAT_EXPONENT,
    Param::real("density_min_per_m2", "1/m2", 1.2)
        .symbol("rho_min")
        .range(0.0, 20.0)
        .search(0.5, 3.0)
        .doc("density up to which nobody is slowed down; at least what a person adds to their own cell")
        .source(PORTS)
        .of_group(),
    Param::real("density_max_per_m2", "1/m2", 3.2)
        .symbol("rho_max")
        .range(0.01, 50.0)
        .search(1.5, 8.0)
        .doc("density from which people move with the flow")
        .source(PORTS)
        .of_group(),
    CROWDING,
    LEAST_SPEED,
    LENGTH_WEIGHT,
    TIME_WEIGHT,
    DISCOMFORT_WEIGHT,
    PREDICTION,
    PREDICTION_S,
    MINIMUM_DISTANCE,
    DISTANCE_SHARE,
    DISTANCE_PASSES,
];

/// Cell size.
pub const CELL_M: Param = Param::real("cell_m", "m", 0.5)
    .range(0.1, 5.0)
    .search(0.4, 2.0)
    .log_scale()
    .doc("cell size; doors must be at least two cells wide, and very large places get larger cells")
    .source("chosen here: half a meter, so that a door of one meter has a cell on each side of its middle");
/// Exponent of the density splat.
pub const SPLAT_EXPONENT: Param = Param::real("splat_exponent", "", 2.0)
    .symbol("lambda")
    .range(0.1, 10.0)
    .search(0.5, 4.0)
    .doc("how fast a person's share of a cell falls with the distance from the cell's center")
    .source("a public port of the paper; with 2 the own cell gets at least 0.25 persons and no other cell gets more");
/// B.
const CROWDING: Param = Param::real("crowding_m3_per_s", "m3/s", 0.0)
    .symbol("B")
    .range(0.0, 10.0)
    .search(0.1, 0.6)
    .doc(
        "drop of the speed for each person per m2 ahead, also where all walk one way; 0: only the flow of the others \
         slows people down, as in the source",
    )
    .source("off, as in the source; 0.25 with a free speed of 1.4 m/s in Yang, He, Rao 2017, equation 2")
    .of_group();
/// Floor of the speed.
pub const LEAST_SPEED: Param = Param::real("least_speed_m_per_s", "m/s", 0.06)
    .symbol("f_min")
    .range(0.001, 1.0)
    .search(0.01, 0.2)
    .log_scale()
    .doc("speed that is always possible, so that no cost is infinite and no jam lasts forever")
    .source("public ports of the paper have 0.06 and 0.1")
    .of_group();
/// alpha.
pub const LENGTH_WEIGHT: Param = Param::real("length_weight", "", 1.0)
    .symbol("alpha")
    .range(0.0, 100.0)
    .search(0.0, 2.0)
    .doc("cost of a meter walked")
    .source("1 in a public port of the paper")
    .of_group();
/// beta.
pub const TIME_WEIGHT: Param = Param::real("time_weight", "", 1.0)
    .symbol("beta")
    .range(0.001, 100.0)
    .search(0.1, 2.0)
    .doc("cost of a second walked; not 0, or a step could be free")
    .source("1 in a public port of the paper")
    .of_group();
/// gamma.
pub const DISCOMFORT_WEIGHT: Param = Param::real("discomfort_weight", "", 1.0)
    .symbol("gamma")
    .range(0.0, 100.0)
    .search(0.0, 5.0)
    .doc("cost of a second where one person per m2 is expected: with `prediction`, or where the place has that much `discomfort`")
    .source("1 in a public port of the paper")
    .of_group();
/// Switch of the prediction.
pub const PREDICTION: Param = Param::switch("prediction", false)
    .doc("whether people avoid where others will be if those walk straight on")
    .source("off, as in a public port whose author found the dodging ugly");
/// How far ahead.
pub const PREDICTION_S: Param = Param::real("prediction_s", "s", 2.0)
    .range(0.1, 10.0)
    .search(0.5, 4.0)
    .doc("how far ahead in time others are expected")
    .source("chosen here: the paper says a few seconds");
/// Switch of the minimum distance.
pub const MINIMUM_DISTANCE: Param =
    Param::switch("minimum_distance", true).doc("whether people who come too close are pushed apart").source(PAPER);
/// Share of the radii.
pub const DISTANCE_SHARE: Param = Param::real("distance_share", "", 1.0)
    .symbol("d_min")
    .range(0.0, 2.0)
    .search(0.5, 1.5)
    .doc("minimum distance between centers, as a share of the sum of the radii")
    .source("chosen here: bodies do not overlap; the paper has a minimum distance but does not print it");
/// Rounds of the minimum distance.
pub const DISTANCE_PASSES: Param = Param::integer("distance_passes", 8, (1, 64), (2, 16))
    .doc("number of passes over the pairs that are too close")
    .source("chosen here: with 4 passes people in the middle of a crossing overlapped by half a body");
