//! Which candidates agree with what was measured, and how well: approximate Bayesian computation by sequential Monte Carlo.
//!
//! Parameters are standard normal numbers here, which a [`Prior`] makes coordinates of; so the prior is the same simple density everywhere,
//! and nothing has an end. Each generation is drawn around what agreed so far, and all simulations ever made count, each by its prior over
//! the mixture of all that was drawn from (adaptive multiple importance sampling: Cornuet, Marin, Mira, Robert, Scand. J. Statist. 39, 798,
//! 2012). A measured value has a normal error of its own (Wilkinson, Stat. Appl. Genet. Mol. Biol. 12, 129, 2013); until the simulations are
//! enough for that error alone, it is widened by a part of the spread of the simulated values, by statistic as they are spread now
//! (Prangle, Bayesian Anal. 12, 289, 2017), and what the widening does is taken back by a local regression at the end (Beaumont, Zhang,
//! Balding, Genetics 162, 2025, 2002).

mod adjust;
mod emulated;
mod emulator;
mod mixture;
mod prior;
mod proposal;
mod setup;
#[cfg(test)]
mod tests;
mod weights;

pub use emulated::{DOUBT, SURPRISE};
pub use prior::Prior;
pub use setup::{Evidence, Likelihood, Observed, PosteriorSetup};

use crate::variation::latin;
use crowdtune_core::math::normal;
use emulated::Emulated;
use mixture::Mixture;
use proposal::Proposal;
use weights::{Normalized, Width, effective, normalized};

/// An inference behind ask and tell: the same setup and the same answers give the same questions.
#[derive(Clone, Debug)]
pub struct Inference {
    setup: PosteriorSetup,
    /// What was asked and answered: parameters, and statistics where the run went well.
    points: Vec<Vec<f64>>,
    answers: Vec<Option<Vec<f64>>>,
    asked: Vec<Vec<f64>>,
    /// What simulations were drawn from, where each is weighed.
    mixture: Mixture,
    /// What processes know, where they stand for the likelihood.
    emulated: Emulated,
    generation: u64,
    /// Where the answers of the last generation begin: their spread is that of now.
    last: usize,
    width: Option<Width>,
}

/// A weighted sample of the posterior.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The simulations that it is made of, by their numbers; none of them where processes stand for the likelihood.
    pub from: Vec<usize>,
    /// Parameters as standard normal numbers.
    pub points: Vec<Vec<f64>>,
    /// Weights, which add up to 1.
    pub weights: Vec<f64>,
    /// Effective number of draws: one over the sum of the squared weights.
    pub effective: f64,
    /// How much the measured errors were widened: standard deviations of the simulated values. 0: not at all.
    pub widened: f64,
}

impl Sample {
    /// The mean of a number that each draw has.
    pub fn mean(&self, of: impl Fn(&[f64]) -> f64) -> f64 {
        self.points.iter().zip(&self.weights).map(|(point, weight)| weight * of(point)).sum()
    }

    /// The covariance matrix of the parameters, row by row.
    pub fn covariance(&self) -> Vec<f64> {
        let dim = self.points[0].len();
        let means: Vec<f64> = (0..dim).map(|d| self.mean(|p| p[d])).collect();
        let cell = |k: usize| self.mean(|p| (p[k / dim] - means[k / dim]) * (p[k % dim] - means[k % dim]));
        (0..dim * dim).map(cell).collect()
    }

    /// So many draws that count alike, evenly from all; the first one lies at a share, from 0 to 1, of the distance.
    pub fn equal(&self, count: usize, first: f64) -> Vec<Vec<f64>> {
        weights::equal(&self.points, &self.weights, count, first)
    }

    /// The draw nearest to the mean of all, in standard deviations: on a ridge the mean itself may lie beside it.
    pub fn center(&self) -> &[f64] {
        let dim = self.points[0].len();
        let covariance = self.covariance();
        let moments: Vec<(f64, f64)> = (0..dim).map(|d| (self.mean(|p| p[d]), covariance[d * dim + d])).collect();
        let off = |point: &[f64]| -> f64 {
            let one = |(x, (mean, variance)): (&f64, &(f64, f64))| {
                if *variance > 0.0 { (x - mean) * (x - mean) / variance } else { 0.0 }
            };
            point.iter().zip(&moments).map(one).sum()
        };
        let nearest = self.points.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.map_or(&[], |point| &point[..])
    }
}

impl Inference {
    /// One that has asked nothing.
    pub fn new(setup: PosteriorSetup) -> Self {
        Self {
            setup,
            points: Vec::new(),
            answers: Vec::new(),
            asked: Vec::new(),
            mixture: Mixture::default(),
            emulated: Emulated::default(),
            generation: 0,
            last: 0,
            width: None,
        }
    }

    /// The next generation of so many draws.
    pub fn ask(&mut self, draws: usize) -> Vec<Vec<f64>> {
        let dim = self.setup.parameters;
        let mut rng = self.setup.seed.child("generation", self.generation).rng();
        let asked = match self.setup.likelihood {
            Likelihood::Simulated => {
                let proposal = self.propose();
                self.mixture.draw(&self.points, (proposal, dim), draws, &mut rng)
            }
            // Where the posterior is as it is known, or anywhere as long as it is not.
            Likelihood::Emulated => self.emulated.draws(draws, &mut rng).unwrap_or_else(|| {
                let shares = latin(dim, draws, &mut rng);
                shares.iter().map(|point| point.iter().map(|&share| normal::quantile(share)).collect()).collect()
            }),
        };
        self.asked.clone_from(&asked);
        self.generation += 1;
        asked
    }

    /// Takes the statistics of the last generation, in its order; `None` for a run that went wrong or gave no value: it agrees with
    /// nothing.
    ///
    /// # Panics
    /// If there are not as many as were asked, or one has not as many statistics as were measured.
    pub fn tell(&mut self, answers: Vec<Option<Vec<f64>>>) {
        assert_eq!(answers.len(), self.asked.len(), "an answer for each question");
        let count = self.setup.observed.len();
        assert!(answers.iter().flatten().all(|s| s.len() == count), "{count} statistics each");
        self.last = self.points.len();
        self.points.append(&mut self.asked);
        self.answers.extend(answers);
        match self.setup.likelihood {
            Likelihood::Simulated => self.width = Some(self.narrowed()),
            Likelihood::Emulated => {
                let mut rng = self.setup.seed.child("emulated", self.generation).rng();
                self.emulated.learn(&self.setup, &self.points, &self.answers, self.last, &mut rng);
            }
        }
    }

    /// True once more simulations would change little: the measured errors need not be widened, or the processes are good enough.
    pub fn is_settled(&self) -> bool {
        match self.setup.likelihood {
            Likelihood::Simulated => self.width.as_ref().is_some_and(|width| width.widened == 0.0),
            Likelihood::Emulated => self.emulated.is_settled(),
        }
    }

    /// What of the variance of what is measured is the processes' own error, on the average of the posterior, and how far the runs of the last generation
    /// were from what was expected of them (root mean square, in deviations that were expected); `None` without processes.
    pub fn doubts(&self) -> Option<(f64, Option<f64>)> {
        self.emulated.doubts()
    }

    /// Number of simulations so far, and how many of them went wrong.
    pub fn counts(&self) -> (usize, usize) {
        (self.points.len(), self.answers.iter().filter(|answer| answer.is_none()).count())
    }

    /// The posterior as it is now; `None` as long as no simulation agrees.
    pub fn sample(&self) -> Option<Sample> {
        if self.setup.likelihood == Likelihood::Emulated {
            let refined = self.emulated.refined(&self.setup);
            let (points, effective) = refined.sample(&mut self.setup.seed.child("sample", 0).rng())?;
            let weights = vec![1.0 / points.len() as f64; points.len()];
            return Some(Sample { from: Vec::new(), points, weights, effective, widened: 0.0 });
        }
        let width = self.width.as_ref()?;
        let Normalized { weights, effective, .. } = normalized(&self.log_weights(width))?;
        let from: Vec<usize> = (0..self.points.len()).filter(|&i| weights[i] > 0.0).collect();
        let weights: Vec<f64> = from.iter().map(|&i| weights[i]).collect();
        let points: Vec<&[f64]> = from.iter().map(|&i| &self.points[i][..]).collect();
        let answers: Vec<&[f64]> = from.iter().filter_map(|&i| self.answers[i].as_deref()).collect();
        let mut rng = self.setup.seed.child("errors", 0).rng();
        let shifts = width.shifts(&self.setup.observed, &answers, &mut rng);
        let points = adjust::adjusted(&points, &weights, &shifts, effective);
        Some(Sample { from, points, weights, effective, widened: width.widened })
    }

    /// What the error of each measured value is widened by now, as a standard deviation in its unit; empty before the first answers.
    pub fn widening(&self) -> Vec<f64> {
        if self.setup.likelihood == Likelihood::Emulated {
            return vec![0.0; self.setup.observed.len()];
        }
        let width = self.width.iter();
        width.flat_map(|width| width.spread.iter().map(|spread| width.widened * spread)).collect()
    }

    /// How probable what was measured is under the prior, with these widenings of its errors; `None` where nothing agrees. Inferences from the
    /// same measurement, widened alike, can be compared.
    pub fn evidence(&self, widening: &[f64]) -> Option<Evidence> {
        if self.setup.likelihood == Likelihood::Emulated {
            return self.emulated.refined(&self.setup).evidence(widening);
        }
        let width = Width { spread: widening.to_vec(), widened: 1.0 };
        let found = normalized(&self.log_weights(&width))?.evidence();
        let log_constant: f64 = self
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

    /// What the next generation is drawn from.
    fn propose(&self) -> Proposal {
        let dim = self.setup.parameters;
        let found = self.width.as_ref().and_then(|width| normalized(&self.log_weights(width)));
        found.map_or_else(|| Proposal::prior(dim), |found| Proposal::around(&self.points, &found.weights, dim))
    }

    /// The least widening with which so many simulations agree.
    fn narrowed(&self) -> Width {
        let spread =
            weights::spread(self.answers[self.last..].iter().flatten().map(|s| &s[..]), self.setup.observed.len());
        let mut width = Width { spread, widened: 0.0 };
        let most = effective(&self.log_weights(&Width { widened: f64::INFINITY, ..width.clone() }));
        // Half of what the draws alone would allow: in the first generation there may be few.
        let wanted = (self.setup.effective as f64).min(0.5 * most);
        let enough = |width: &Width| effective(&self.log_weights(width)) >= wanted;
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
    fn log_weights(&self, width: &Width) -> Vec<f64> {
        let of = |(at, (point, answer)): (usize, (&Vec<f64>, &Option<Vec<f64>>))| match answer {
            Some(statistics) => self.mixture.log_weight(at, point) + width.agreement(&self.setup.observed, statistics),
            None => f64::NEG_INFINITY,
        };
        self.points.iter().zip(&self.answers).enumerate().map(of).collect()
    }
}
