//! What is learned from every candidate: slopes around the elites, the mean second derivative of the loss, and what a find is
//! worth.

use super::grid::{Elite, Grid, Offer};
use super::slopes::{self, dot};
use crowdtune_core::math::rng::{ChaCha8Rng, normal};
use std::collections::BTreeMap;

/// Elites nearby that a new candidate is compared with. Chosen here: 8 scored a tenth less on the linear projections, 3 a fifth.
const NEIGHBORS: usize = 16;
/// Standard deviation of their distance, in cells. Chosen here: 1.5 and 8 did a little worse.
const NEARBY: f64 = 3.0;
/// Share of the error of slopes between neighbors that is corrected. Chosen here: the steps between them are long, so slopes
/// differ.
const SHARE: f64 = 0.5;
/// The same where answers are noisy. Chosen here: averages over about five.
const SHARE_NOISY: f64 = 0.2;
/// Step of a gene at which noise outweighs slopes. Chosen here: where answers are noisy tiny steps teach nothing.
const BLIND: f64 = 0.02;
/// Weight that older observations of the second derivative keep with each new one. Chosen here: about the last 200 count.
const FADE: f64 = 0.995;
/// An empty cell counts as a loss this share of the span above the worst elite. Chosen here: 1 did as well.
const BEYOND: f64 = 0.25;

/// What is known of the loss and the measures as a whole.
#[derive(Clone, Debug)]
pub(super) struct Landscape {
    /// Mean second derivative of the loss.
    pub(super) bend: f64,
    /// The loss that counts as bad as an empty cell.
    pub(super) empty: f64,
    /// How often each cell was aimed at since it last took in something new.
    pub(super) misses: BTreeMap<u64, u32>,
    /// True where answers are noisy.
    pub(super) noisy: bool,
    /// Best and worst loss of any candidate that got a place.
    span: Option<(f64, f64)>,
    /// Fading sums of unexplained changes and of lengths; their quotient is `bend`.
    bends: (f64, f64),
}

/// What is minimized first: the violation of an infeasible candidate, else its loss.
fn cost(elite: &Elite) -> f64 {
    if elite.violation > 0.0 { elite.violation } else { elite.loss }
}

/// True if both are feasible, or none.
fn alike(a: &Elite, b: &Elite) -> bool {
    (a.violation > 0.0) == (b.violation > 0.0)
}

impl Landscape {
    /// Nothing was learned yet.
    pub(super) fn new() -> Self {
        Self { bend: 0.0, empty: f64::MAX, misses: BTreeMap::new(), noisy: false, span: None, bends: (0.0, 0.0) }
    }

    /// Learns from a child, its parent, which learns too, and elites nearby. `aimed` says that slopes chose the step.
    pub(super) fn learn(
        &mut self,
        elite: &mut Elite,
        parent: Option<&Elite>,
        aimed: bool,
        grid: &mut Grid,
        rng: &mut ChaCha8Rng,
    ) {
        let genes = elite.genome.len();
        elite.slopes = vec![0.0; genes * (1 + elite.measures.len())];
        if let Some(parent) = parent {
            self.compare(elite, parent, aimed, grid);
        }
        for _ in 0..NEIGHBORS {
            let near = |(axis, &value): (&crate::Measure, &f64)| {
                value + NEARBY * normal(rng) * (axis.high - axis.low) / f64::from(axis.cells.max(1))
            };
            let place: Vec<f64> = grid.measures().iter().zip(&elite.measures).map(near).collect();
            if let Some(other) = grid.best(grid.index(&place)).filter(|other| alike(other, elite)) {
                let (step, change) = difference(elite, other, grid);
                self.correct(&mut elite.slopes, &step, &change, SHARE);
            }
        }
    }

    /// Slopes of child and parent from the step between them.
    fn compare(&mut self, elite: &mut Elite, parent: &Elite, aimed: bool, grid: &mut Grid) {
        let (step, change) = difference(parent, elite, grid);
        elite.slopes.copy_from_slice(&parent.slopes);
        if !alike(elite, parent) {
            // The slopes of the cost were those of something else.
            elite.slopes[..step.len()].fill(0.0);
            return;
        }
        let seen = self.correct(&mut elite.slopes, &step, &change, 1.0);
        let cell = grid.index(&parent.measures);
        if let Some(known) = grid.find_mut(cell, parent.id) {
            self.correct(&mut known.slopes, &step, &change, 1.0);
        }
        if elite.violation > 0.0 {
            return;
        }
        // The slope of the loss itself changes along the way.
        for (slope, step) in elite.slopes.iter_mut().zip(&step) {
            *slope += self.bend * step;
        }
        // Steps chosen by slopes would confirm their errors.
        if let Some(seen) = seen.filter(|_| !aimed) {
            let squared = dot(&step, &step);
            let sums = (self.bends.0 * FADE + seen * squared * squared, self.bends.1 * FADE + squared * squared);
            if sums.0.is_finite() && sums.1 > 0.0 {
                self.bends = sums;
                self.bend = sums.0 / sums.1;
            }
        }
    }

    fn correct(&self, slopes: &mut [f64], step: &[f64], change: &[f64], share: f64) -> Option<f64> {
        let (share, blind) = if self.noisy { (SHARE_NOISY, BLIND * BLIND * step.len() as f64) } else { (share, 0.0) };
        slopes::learn(slopes, step, change, self.bend, (share, blind))
    }

    /// What an offer was worth, 0 to 1: the loss it removed, where an empty cell counts as a loss beyond the worst.
    pub(super) fn worth(&mut self, offer: &Offer, violation: f64, loss: f64) -> f64 {
        let before = match *offer {
            Offer::Behind => return 0.0,
            Offer::Improved(before, _) if violation > 0.0 => return if violation < before { 0.5 } else { 0.0 },
            Offer::Filled if violation > 0.0 => return 0.5,
            Offer::Improved(violation, _) if violation > 0.0 => None,
            Offer::Improved(_, before) => Some(before),
            Offer::Filled => None,
        };
        let (best, worst) = self.span.map_or((loss, loss), |(best, worst)| (best.min(loss), worst.max(loss)));
        self.span = Some((best, worst));
        let empty = (worst + BEYOND * (worst - best)).min(f64::MAX);
        self.empty = empty;
        let worth = (before.unwrap_or(empty) - loss) / (empty - best);
        if worth.is_finite() { worth.clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// The step from one candidate to another, and how it changed the cost and then the measures, these in cells.
fn difference(from: &Elite, to: &Elite, grid: &Grid) -> (Vec<f64>, Vec<f64>) {
    let step = to.genome.iter().zip(&from.genome).map(|(to, from)| to - from).collect();
    let mut change = Vec::with_capacity(1 + to.measures.len());
    change.push(cost(to) - cost(from));
    for ((axis, to), from) in grid.measures().iter().zip(&to.measures).zip(&from.measures) {
        change.push(Grid::place(axis, *to) - Grid::place(axis, *from));
    }
    (step, change)
}
