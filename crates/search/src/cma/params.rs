//! What a user may set.

use crowdtune_core::registry::Param;

const TUTORIAL: &str = "Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772";

/// The settings of `cma_es`.
pub static PARAMS: &[Param] = &[
    Param::integer(
        "population",
        "lambda",
        "candidates of a generation of the first run, 0 for 4 + 3 ln n of n parameters; restarts may take more",
        TUTORIAL,
        0,
        (0, 10_000),
        (0, 100),
    ),
    Param::real(
        "sigma",
        "sigma",
        "",
        "first size of steps, a share of every range",
        "Hansen, arXiv:1604.00772, section B.3: a quarter or so of the range in which the best is expected",
        0.25,
        (1e-4, 1.0),
        (0.05, 0.5),
        false,
    ),
    Param::switch(
        "surrogate",
        "a model of the loss spares evaluations",
        "Hansen, A Global Surrogate Assisted CMA-ES, GECCO 2019, doi 10.1145/3321707.3321842",
        true,
    ),
];
