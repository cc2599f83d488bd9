//! The emitters: how a candidate is made from one elite, from two, or from none.

use super::aimed_step::{Manner, aim};
use super::grid::{Elite, Grid};
use super::improvement::ImprovementEmitter;
use super::landscape::Landscape;
use crate::Genome;
use crate::space::{Gene, Space};
use crate::variation::{near, settle};
use crowdtune_core::math::rng::{ChaCha8Rng, below, normal, unit};

/// Share of a range that the isotropic part of a line step moves. Vassiliades and Mouret (GECCO 2018).
const ISO: f64 = 0.01;
/// Size of the part of a line step along the difference of two elites. Vassiliades and Mouret (GECCO 2018).
const LINE: f64 = 0.2;

/// The emitters the bandit shares the questions among.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Emitter {
    /// Anywhere in the space.
    Anywhere,
    /// A normal step of this share of the ranges from an elite.
    Gauss(f64),
    /// A step along the difference of two elites.
    Line,
    /// The evolution strategy that follows its finds.
    Improve,
    /// A step aimed at a cell by the slopes of an elite.
    Aim(Manner),
}

/// All emitters. Chosen here: steps of the usual sizes, aims at neighbors, nearby and far cells, and at empty
/// neighbors: a longer reach for those filled fewer.
pub(super) const EMITTERS: &[Emitter] = &[
    Emitter::Anywhere,
    Emitter::Gauss(0.01),
    Emitter::Gauss(0.03),
    Emitter::Gauss(0.1),
    Emitter::Line,
    Emitter::Improve,
    Emitter::Aim(Manner { reach: 1.5, stretch: 1.0, stubborn: false, fills: false }),
    Emitter::Aim(Manner { reach: 1.5, stretch: 1.0, stubborn: true, fills: false }),
    Emitter::Aim(Manner { reach: 4.0, stretch: 1.0, stubborn: false, fills: false }),
    Emitter::Aim(Manner { reach: 4.0, stretch: 1.0, stubborn: true, fills: false }),
    Emitter::Aim(Manner { reach: 12.0, stretch: 1.0, stubborn: true, fills: false }),
    Emitter::Aim(Manner { reach: 1.5, stretch: 3.0, stubborn: false, fills: false }),
    Emitter::Aim(Manner { reach: 1.5, stretch: 1.0, stubborn: false, fills: true }),
    Emitter::Aim(Manner { reach: 1.5, stretch: 1.0, stubborn: true, fills: true }),
];

/// What an emitter proposes.
pub(super) struct Child {
    /// The candidate.
    pub(super) genome: Genome,
    /// The elite it stepped from, if any.
    pub(super) parent: Option<Elite>,
    /// The cell it was aimed at, if any.
    pub(super) target: Option<u64>,
}

/// A candidate of this emitter; the archive must not be empty.
pub(super) fn emit(
    emitter: Emitter,
    space: &Space,
    grid: &Grid,
    landscape: &Landscape,
    improvement: &mut ImprovementEmitter,
    rng: &mut ChaCha8Rng,
) -> Child {
    let step = |genome, parent: &Elite| Child { genome, parent: Some(parent.clone()), target: None };
    match emitter {
        Emitter::Anywhere => {
            Child { genome: (0..space.len()).map(|_| unit(rng)).collect(), parent: None, target: None }
        }
        Emitter::Gauss(sigma) => {
            let elite = grid.nth(below(rng, grid.len()));
            step(near(space, &elite.genome, sigma, rng), elite)
        }
        Emitter::Line => {
            let (a, b) = (grid.nth(below(rng, grid.len())), grid.nth(below(rng, grid.len())));
            step(line(space, &a.genome, &b.genome, rng), a)
        }
        Emitter::Improve => Child { genome: improvement.draw(space, grid, rng), parent: None, target: None },
        Emitter::Aim(manner) => aim(space, grid, landscape, manner, rng),
    }
}

/// Iso+line variation (Vassiliades, Mouret, GECCO 2018): a small normal step, and one along the line to another elite. A choice
/// comes from either.
fn line(space: &Space, a: &[f64], b: &[f64], rng: &mut ChaCha8Rng) -> Genome {
    let along = LINE * normal(rng);
    let gene = |((gene, &x), &y): ((&Gene, &f64), &f64)| {
        if gene.axis.is_choice() {
            if unit(rng) < 0.5 { x } else { y }
        } else {
            settle(&gene.axis, x + ISO * normal(rng) + along * (y - x), rng)
        }
    };
    space.genes.iter().zip(a).zip(b).map(gene).collect()
}
