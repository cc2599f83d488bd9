//! Points drawn from one proposal after the other, which all count alike.

use super::proposal::{self, Proposal};
use crowdtune_core::math::normals::normals;
use crowdtune_core::math::rng::{ChaCha8Rng, unit};

/// Where points came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixture {
    /// Sum of the densities from which draws were made, each times its number of draws, by point.
    sums: Vec<f64>,
    /// Each proposal and its number of draws.
    proposals: Vec<(Proposal, usize)>,
}

impl Mixture {
    /// Draws more points, behind those that it drew before.
    pub fn draw(
        &mut self,
        before: &[Vec<f64>],
        (proposal, dim): (Proposal, usize),
        draws: usize,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Vec<f64>> {
        let mut drawn = vec![vec![0.0; dim]; draws];
        for point in &mut drawn {
            normals(rng, point);
        }
        if !self.proposals.is_empty() {
            // One place for each part of the weights, so that no heavy point is drawn too often by chance.
            let shift = unit(rng);
            for (at, point) in drawn.iter_mut().enumerate() {
                proposal.draw((at as f64 + shift) / draws as f64, point);
            }
        }
        let earlier = |point: &Vec<f64>| self.proposals.iter().map(|(from, n)| *n as f64 * from.density(point)).sum();
        let earlier: Vec<f64> = drawn.iter().map(earlier).collect();
        self.sums.extend(earlier);
        debug_assert_eq!(self.sums.len(), before.len() + draws);
        for (sum, point) in self.sums.iter_mut().zip(before.iter().chain(&drawn)) {
            *sum += draws as f64 * proposal.density(point);
        }
        self.proposals.push((proposal, draws));
        drawn
    }

    /// The logarithm of a point's prior over all that was drawn from.
    pub fn log_weight(&self, at: usize, point: &[f64]) -> f64 {
        proposal::log_prior(point) - libm::log(self.sums[at])
    }
}
