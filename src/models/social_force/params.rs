//! The constants of the model, with symbols, ranges and sources.

use super::PAPER;
use crate::registry::{Kind, Param};

#[allow(clippy::too_many_arguments, reason = "a table of rows reads better than blocks of fields")]
const fn real(
    key: &'static str,
    symbol: &'static str,
    unit: &'static str,
    doc: &'static str,
    source: &'static str,
    default: f64,
    hard: (f64, f64),
    search: (f64, f64),
    log: bool,
) -> Param {
    Param {
        key,
        symbol,
        unit,
        doc,
        source,
        kind: Kind::Real { default, hard, search, log },
        same_as: None,
        per_group: true,
    }
}

const fn shared(param: Param) -> Param {
    Param { per_group: false, ..param }
}

const fn like(param: Param, other: &'static str) -> Param {
    Param { same_as: Some(other), ..param }
}

const fn switch(key: &'static str, doc: &'static str, source: &'static str, default: bool) -> Param {
    Param { key, symbol: "", unit: "", doc, source, kind: Kind::Switch { default }, same_as: None, per_group: false }
}

/// All constants, in the order in which values are stored.
pub(super) static PARAMS: &[Param] = &[
    real(
        "repulsion_strength_n",
        "A",
        "N",
        "psychological repulsion between people that touch",
        PAPER,
        2000.0,
        (0.0, 1e5),
        (50.0, 5000.0),
        true,
    ),
    real(
        "repulsion_range_m",
        "B",
        "m",
        "distance over which that repulsion falls by a factor e",
        PAPER,
        0.08,
        (0.005, 5.0),
        (0.02, 1.0),
        true,
    ),
    switch("wall_repulsion", "whether walls repel beyond contact", PAPER, true),
    like(
        real(
            "wall_repulsion_strength_n",
            "A_W",
            "N",
            "psychological repulsion of a wall that is touched",
            PAPER,
            2000.0,
            (0.0, 1e5),
            (50.0, 5000.0),
            true,
        ),
        "repulsion_strength_n",
    ),
    like(
        real(
            "wall_repulsion_range_m",
            "B_W",
            "m",
            "distance over which the repulsion of walls falls by a factor e",
            PAPER,
            0.08,
            (0.005, 5.0),
            (0.02, 1.0),
            true,
        ),
        "repulsion_range_m",
    ),
    shared(real(
        "body_stiffness_kg_per_s2",
        "k",
        "kg/s2",
        "body force per metre of overlap",
        PAPER,
        1.2e5,
        (0.0, 1e7),
        (1e4, 5e5),
        true,
    )),
    shared(real(
        "sliding_friction_kg_per_m_s",
        "kappa",
        "kg/(m s)",
        "sliding friction per metre of overlap and m/s of tangential velocity",
        PAPER,
        2.4e5,
        (0.0, 1e7),
        (1e3, 1e6),
        true,
    )),
    real(
        "relaxation_time_s",
        "tau",
        "s",
        "time in which a free walker comes 63 % nearer to the desired velocity",
        PAPER,
        0.5,
        (0.01, 10.0),
        (0.1, 2.0),
        false,
    ),
    real(
        "anisotropy",
        "lambda",
        "",
        "weight of people straight behind; 1 feels all directions alike (psychological force only)",
        "Johansson, Helbing, Shukla, Adv. Complex Syst. 10, 271 (2007); 1 is the paper of 2000",
        1.0,
        (0.0, 1.0),
        (0.0, 1.0),
        false,
    ),
    real(
        "panic",
        "p",
        "",
        "share of the neighbors' mean direction in the desired direction (herding)",
        PAPER,
        0.0,
        (0.0, 1.0),
        (0.0, 1.0),
        false,
    ),
    real("herding_radius_m", "R", "m", "how far neighbors are followed", PAPER, 5.0, (0.0, 50.0), (1.0, 10.0), false),
    switch(
        "impatience",
        "whether delayed people raise their desired speed towards people.max_speed_m_per_s",
        PAPER,
        false,
    ),
    switch("injuries", "whether people under pressure become obstacles that do not move", PAPER, false),
    shared(real(
        "injury_threshold_n_per_m",
        "",
        "N/m",
        "radial force over circumference that injures",
        PAPER,
        1600.0,
        (0.0, 1e6),
        (400.0, 6400.0),
        true,
    )),
    Param {
        key: "injury_forces",
        symbol: "",
        unit: "",
        doc: "which radial forces count towards injuries",
        source: "chosen here: contact, because with the psychological force two neighbors in touch exceed the threshold at rest",
        kind: Kind::Choice { default: "contact", options: &["contact", "all"] },
        same_as: None,
        per_group: false,
    },
    shared(real(
        "injury_duration_s",
        "",
        "s",
        "how long the threshold must be exceeded without a break",
        "chosen here: 0, at once, as the paper reads",
        0.0,
        (0.0, 60.0),
        (0.0, 5.0),
        false,
    )),
    real(
        "noise_m_per_s2",
        "xi",
        "m/s2",
        "standard deviation of the random acceleration of each coordinate, averaged over 0.1 s",
        "chosen here: off",
        0.0,
        (0.0, 10.0),
        (0.0, 1.0),
        false,
    ),
];
