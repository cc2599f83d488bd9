//! The settings of the genetic algorithm, with their ranges and sources.

use crate::variation::{MUTATION_ETA, SBX_ETA};
use crowdtune_core::registry::Param;

const TANABE: &str = "Tanabe, Fukunaga, Success-history based parameter adaptation, CEC 2013 and 2014";

/// The settings of the genetic algorithm.
pub(super) static PARAMS: &[Param] = &[
    Param::integer(
        "population",
        "N",
        "number of candidates that live at a time, 4 at least; 0 for as many as there are genes, but no fewer than 14",
        "chosen here: budgets are hundreds of evaluations, where small populations do better (docs/optimizers.md)",
        0,
        (0, 1000),
        (10, 50),
    ),
    Param::integer(
        "design",
        "",
        "number of spread-out candidates before the first children, the best of which become the population",
        "chosen here: a little more than a population; many more pay where the loss has several valleys",
        20,
        (4, 10_000),
        (20, 200),
    ),
    SBX_ETA,
    MUTATION_ETA,
    Param::real(
        "de_share",
        "",
        "",
        "share of children made by differential variation",
        "chosen here: a half did well on all problems of docs/optimizers.md",
        0.5,
        (0.0, 1.0),
        (0.0, 1.0),
        false,
    ),
    Param::real(
        "best_share",
        "p",
        "",
        "share of the population that differential variation moves towards, two members at least",
        TANABE,
        0.11,
        (0.0, 1.0),
        (0.05, 0.3),
        false,
    ),
    Param::integer(
        "stagnation",
        "",
        "evaluations without a better best after which the population starts again; 30 for each gene, if that is more",
        "chosen here: about ten batches; 60 lost on rugged problems, 200 was no better",
        150,
        (1, 1_000_000),
        (40, 400),
    ),
];
