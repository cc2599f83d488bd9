//! The settings of the genetic algorithm, with their ranges and sources.

use crate::variation::{MUTATION_ETA, SBX_ETA};
use crowdtune_core::registry::Param;

const TANABE: &str = "Tanabe, Fukunaga, Success-history based parameter adaptation, CEC 2013 and 2014";

/// The settings of the genetic algorithm.
pub(super) static PARAMS: &[Param] = &[
    Param::integer("population", 0, (0, 1000), (10, 50))
        .symbol("N")
        .doc(
            "number of candidates that live at a time, 4 at least; 0 for as many as there are genes, but no fewer \
             than 14",
        )
        .source(
            "chosen here: budgets are hundreds of evaluations, where small populations do better \
             (docs/decisions.md)",
        ),
    Param::integer("design", 20, (4, 10_000), (20, 200))
        .doc("number of spread-out candidates before the first children, the best of which become the population")
        .source("chosen here: a little more than a population; many more pay where the loss has several valleys"),
    SBX_ETA,
    MUTATION_ETA,
    Param::real("de_share", "", 0.5)
        .range(0.0, 1.0)
        .search(0.0, 1.0)
        .doc("share of children made by differential variation")
        .source("chosen here: a half did well on all problems of docs/decisions.md"),
    Param::real("best_share", "", 0.11)
        .symbol("p")
        .range(0.0, 1.0)
        .search(0.05, 0.3)
        .doc("share of the population that differential variation moves towards, two members at least")
        .source(TANABE),
    Param::integer("stagnation", 150, (1, 1_000_000), (40, 400))
        .doc(
            "evaluations without a better best after which the population starts again; 30 for each gene, if that \
             is more",
        )
        .source("chosen here: about ten batches; 60 lost on rugged problems, 200 was no better"),
];
