//! A posterior of the simulations themselves: each counts by its prior over what it was drawn from, times how well it agrees.

use super::adjust;
use super::method::{Method, Runs};
use super::mixture::Mixture;
use super::proposal::Proposal;
use super::sample::Sample;
use super::setup::Evidence;
use super::weights::{self, Normalized, Width, effective, normalized};
use crowdtune_core::math::rng::ChaCha8Rng;

/// What all runs so far say.
#[derive(Debug, Default)]
pub(super) struct Simulated {
    /// What simulations were drawn from, where each is weighed.
    mixture: Mixture,
    width: Option<Width>,
}

impl Method for Simulated {
    fn ask(&mut self, runs: &Runs, draws: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
        let proposal = self.propose(runs);
        self.mixture.draw(&runs.points, (proposal, runs.setup.parameters), draws, rng)
    }

    fn learn(&mut self, runs: &Runs) {
        self.width = Some(self.narrowed(runs));
    }

    fn is_settled(&self) -> bool {
        self.width.as_ref().is_some_and(|width| width.widened == 0.0)
    }

    fn sample(&self, runs: &Runs) -> Option<Sample> {
        let width = self.width.as_ref()?;
        let Normalized { weights, effective, .. } = normalized(&self.log_weights(runs, width))?;
        let from: Vec<usize> = (0..runs.points.len()).filter(|&i| weights[i] > 0.0).collect();
        let weights: Vec<f64> = from.iter().map(|&i| weights[i]).collect();
        let points: Vec<&[f64]> = from.iter().map(|&i| &runs.points[i][..]).collect();
        let answers: Vec<&[f64]> = from.iter().filter_map(|&i| runs.answers[i].as_deref()).collect();
        let mut rng = runs.setup.seed.child("errors", 0).rng();
        let shifts = width.shifts(&runs.setup.observed, &answers, &mut rng);
        let points = adjust::adjusted(&points, &weights, &shifts, effective);
        Some(Sample { from, points, weights, effective, widened: width.widened })
    }

    fn widening(&self, _runs: &Runs) -> Vec<f64> {
        let width = self.width.iter();
        width.flat_map(|width| width.spread.iter().map(|spread| width.widened * spread)).collect()
    }

    fn evidence(&self, runs: &Runs, widening: &[f64]) -> Option<Evidence> {
        let width = Width { spread: widening.to_vec(), widened: 1.0 };
        let found = normalized(&self.log_weights(runs, &width))?.evidence();
        let log_constant: f64 = runs
            .setup
            .observed
            .iter()
            .zip(widening)
            .map(|(observed, more)| {
                -0.5 * libm::log(2.0 * std::f64::consts::PI * (observed.sd * observed.sd + more * more))
            })
            .sum();
        Some(Evidence { log: found.log + log_constant, ..found })
    }
}

impl Simulated {
    /// What the next generation is drawn from.
    fn propose(&self, runs: &Runs) -> Proposal {
        let dim = runs.setup.parameters;
        let found = self.width.as_ref().and_then(|width| normalized(&self.log_weights(runs, width)));
        found.map_or_else(|| Proposal::prior(dim), |found| Proposal::around(&runs.points, &found.weights, dim))
    }

    /// The least widening with which so many simulations agree.
    fn narrowed(&self, runs: &Runs) -> Width {
        let spread =
            weights::spread(runs.answers[runs.last..].iter().flatten().map(|s| &s[..]), runs.setup.observed.len());
        let mut width = Width { spread, widened: 0.0 };
        let most = effective(&self.log_weights(runs, &Width { widened: f64::INFINITY, ..width.clone() }));
        // Half of what the draws alone would allow: in the first generation there may be few.
        let wanted = (runs.setup.effective as f64).min(0.5 * most);
        let enough = |width: &Width| effective(&self.log_weights(runs, width)) >= wanted;
        if wanted <= 0.0 || enough(&width) {
            return width;
        }
        let (mut low, mut high) = (0.0, 1.0);
        loop {
            width.widened = high;
            if enough(&width) || high > weights::WIDEST {
                break;
            }
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..40 {
            width.widened = 0.5 * (low + high);
            if enough(&width) { high = width.widened } else { low = width.widened }
        }
        width.widened = high;
        width
    }

    /// The logarithm of each simulation's weight: its prior over what it was drawn from, times how well it agrees.
    fn log_weights(&self, runs: &Runs, width: &Width) -> Vec<f64> {
        let of = |(at, (point, answer)): (usize, (&Vec<f64>, &Option<Vec<f64>>))| match answer {
            Some(statistics) => self.mixture.log_weight(at, point) + width.agreement(&runs.setup.observed, statistics),
            None => f64::NEG_INFINITY,
        };
        runs.points.iter().zip(&runs.answers).enumerate().map(of).collect()
    }
}
