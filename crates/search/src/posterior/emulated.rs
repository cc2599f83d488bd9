//! A posterior without further simulations: importance sampling from an [`Emulator`].

use super::emulator::{Emulator, Fits};
use super::method::{Method, Runs};
use super::mixture::Mixture;
use super::proposal::Proposal;
use super::sample::Sample;
use super::setup::{Evidence, PosteriorSetup};
use super::weights::{Normalized, effective, equal, normalized, tempered};
use crate::process::Room;
use crate::variation::latin;
use crowdtune_core::math::normal;
use crowdtune_core::math::rng::{ChaCha8Rng, unit};

/// Draws of a round, and most rounds. Chosen here: a draw costs as much as a square of the runs that the processes know.
const ROUND: usize = 200;
const ROUNDS: usize = 60;
/// Effective draws that a round leaves to the next one, with which a generation ends, and with which a posterior does. Chosen here: the ends of an
/// interval of 90 % lie 50 draws inside.
const NEXT: f64 = 50.0;
const FEW: f64 = 150.0;
const ENOUGH: f64 = 1000.0;
/// The processes are good enough when their own variance is at most this share of what is measured has, on the average of the posterior. Chosen
/// here: intervals become a twentieth wider by it.
pub const DOUBT: f64 = 0.1;
/// And when runs of the last generation are no farther from what was expected than this, deviations. Chosen here.
pub const SURPRISE: f64 = 1.3;
/// Equal draws that the posterior is made of, and those in which the processes are judged.
const DRAWS: usize = 2000;
const DOUBTED: usize = 100;

/// What all runs so far say.
#[derive(Clone, Debug, Default)]
pub(super) struct Emulated {
    fits: Fits,
    found: Option<Found>,
    /// How far the last runs were from what the runs before let expect of them.
    surprise: Option<f64>,
}

/// The posterior of an emulator.
#[derive(Clone, Debug)]
struct Found {
    emulator: Emulator,
    points: Vec<Vec<f64>>,
    /// Logarithms of prior over what the points were drawn from.
    log_priors: Vec<f64>,
    weights: Vec<f64>,
    effective: f64,
    doubt: f64,
}

impl Method for Emulated {
    fn ask(&mut self, runs: &Runs, draws: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
        // Where the posterior is as it is known, or anywhere as long as it is not.
        if let Some(found) = &self.found {
            return found.draws(draws, rng);
        }
        let shares = latin(runs.setup.parameters, draws, rng);
        shares.iter().map(|point| point.iter().map(|&share| normal::quantile(share)).collect()).collect()
    }

    fn learn(&mut self, runs: &Runs) {
        let mut rng = runs.setup.seed.child("emulated", runs.generation).rng();
        let (observed, new) = (&runs.setup.observed, runs.last..);
        let before = self.found.take();
        self.surprise = before
            .and_then(|found| found.emulator.surprise(observed, &runs.points[new.clone()], &runs.answers[new.clone()]));
        self.found = Emulator::of(observed, &runs.points, &runs.answers, &mut self.fits)
            .and_then(|emulator| Found::of(emulator, runs.setup.parameters, FEW, &mut rng));
    }

    fn is_settled(&self) -> bool {
        let good = self.found.as_ref().is_some_and(|found| found.doubt <= DOUBT && found.effective >= FEW);
        good && self.surprise.is_some_and(|surprise| surprise <= SURPRISE)
    }

    fn sample(&self, runs: &Runs) -> Option<Sample> {
        let found = self.refined(&runs.setup)?;
        let points = found.draws(DRAWS, &mut runs.setup.seed.child("sample", 0).rng());
        let (weights, effective) = (vec![1.0 / DRAWS as f64; DRAWS], found.effective.min(DRAWS as f64));
        Some(Sample { from: Vec::new(), points, weights, effective, widened: 0.0 })
    }

    fn widening(&self, runs: &Runs) -> Vec<f64> {
        vec![0.0; runs.setup.observed.len()]
    }

    fn evidence(&self, runs: &Runs, widening: &[f64]) -> Option<Evidence> {
        let found = self.refined(&runs.setup)?;
        let (more, mut room) = (found.emulator.widenings(widening), Room::default());
        let of =
            |(point, log_prior): (&Vec<f64>, &f64)| log_prior + found.emulator.log_likelihood(point, &more, &mut room);
        let logs: Vec<f64> = found.points.iter().zip(&found.log_priors).map(of).collect();
        Some(normalized(&logs)?.evidence())
    }

    fn doubts(&self) -> Option<(f64, Option<f64>)> {
        self.found.as_ref().map(|found| (found.doubt, self.surprise))
    }
}

impl Emulated {
    /// What was found, with enough draws to be reported.
    fn refined(&self, setup: &PosteriorSetup) -> Option<Found> {
        let mut rng = setup.seed.child("refined", 0).rng();
        Found::of(self.found.as_ref()?.emulator.clone(), setup.parameters, ENOUGH, &mut rng)
    }
}

impl Found {
    /// By adaptive importance sampling, of the likelihood to a power that grows to 1.
    fn of(emulator: Emulator, dim: usize, enough: f64, rng: &mut ChaCha8Rng) -> Option<Self> {
        let mut room = Room::default();
        let (mut mixture, mut points, mut likelihood) = (Mixture::default(), Vec::new(), Vec::new());
        let mut proposal = Proposal::prior(dim);
        let nothing = vec![0.0; emulator.count()];
        let mut log_priors: Vec<f64> = Vec::new();
        for _ in 0..ROUNDS {
            let drawn = mixture.draw(&points, (proposal, dim), ROUND, rng);
            likelihood.extend(drawn.iter().map(|point| emulator.log_likelihood(point, &nothing, &mut room)));
            points.extend(drawn);
            log_priors = points.iter().enumerate().map(|(at, point)| mixture.log_weight(at, point)).collect();
            let to_power = |power: f64| -> Vec<f64> {
                log_priors.iter().zip(&likelihood).map(|(prior, likelihood)| prior + power * likelihood).collect()
            };
            let power = tempered(NEXT, |power| effective(&to_power(power)));
            let found = normalized(&to_power(power))?;
            if power >= 1.0 && found.effective >= enough {
                break;
            }
            proposal = Proposal::around(&points, &found.weights, dim);
        }
        let logs: Vec<f64> = log_priors.iter().zip(&likelihood).map(|(prior, likelihood)| prior + likelihood).collect();
        let Normalized { weights, effective, .. } = normalized(&logs)?;
        let mut found = Self { emulator, points, log_priors, weights, effective, doubt: 0.0 };
        let some = found.draws(DOUBTED, rng);
        found.doubt = some.iter().map(|point| found.emulator.doubt(point, &mut room)).sum::<f64>() / DOUBTED as f64;
        Some(found)
    }

    /// So many equal draws.
    fn draws(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
        equal(&self.points, &self.weights, count, unit(rng))
    }
}
