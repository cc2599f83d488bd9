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
mod method;
mod mixture;
mod prior;
mod proposal;
mod sample;
mod setup;
mod simulated;
mod weights;

pub use emulated::{DOUBT, SURPRISE};
pub use prior::Prior;
pub use sample::Sample;
pub use setup::{Evidence, Likelihood, Observed, PosteriorSetup};

use emulated::Emulated;
use method::{Method, Runs};
use simulated::Simulated;

/// An inference behind ask and tell: the same setup and the same answers give the same questions.
#[derive(Debug)]
pub struct Inference {
    runs: Runs,
    method: Box<dyn Method>,
    asked: Vec<Vec<f64>>,
}

impl Inference {
    /// One that has asked nothing.
    pub fn new(setup: PosteriorSetup) -> Self {
        let method: Box<dyn Method> = match setup.likelihood {
            Likelihood::Simulated => Box::<Simulated>::default(),
            Likelihood::Emulated => Box::<Emulated>::default(),
        };
        let runs = Runs { setup, points: Vec::new(), answers: Vec::new(), last: 0, generation: 0 };
        Self { runs, method, asked: Vec::new() }
    }

    /// The next generation of so many draws.
    pub fn ask(&mut self, draws: usize) -> Vec<Vec<f64>> {
        let mut rng = self.runs.setup.seed.child("generation", self.runs.generation).rng();
        let asked = self.method.ask(&self.runs, draws, &mut rng);
        self.asked.clone_from(&asked);
        self.runs.generation += 1;
        asked
    }

    /// Takes the statistics of the last generation, in its order; `None` for a run that went wrong or gave no value: it agrees with
    /// nothing.
    ///
    /// # Panics
    /// If there are not as many as were asked, or one has not as many statistics as were measured.
    pub fn tell(&mut self, answers: Vec<Option<Vec<f64>>>) {
        assert_eq!(answers.len(), self.asked.len(), "an answer for each question");
        let runs = &mut self.runs;
        let count = runs.setup.observed.len();
        assert!(answers.iter().flatten().all(|s| s.len() == count), "{count} statistics each");
        runs.last = runs.points.len();
        runs.points.append(&mut self.asked);
        runs.answers.extend(answers);
        self.method.learn(runs);
    }

    /// True once more simulations would change little: the measured errors need not be widened, or the processes are good enough.
    pub fn is_settled(&self) -> bool {
        self.method.is_settled()
    }

    /// What of the variance of what is measured is the processes' own error, on the average of the posterior, and how far the runs of the last generation
    /// were from what was expected of them (root mean square, in deviations that were expected); `None` without processes.
    pub fn doubts(&self) -> Option<(f64, Option<f64>)> {
        self.method.doubts()
    }

    /// Number of simulations so far, and how many of them went wrong.
    pub fn counts(&self) -> (usize, usize) {
        (self.runs.points.len(), self.runs.answers.iter().filter(|answer| answer.is_none()).count())
    }

    /// The posterior as it is now; `None` as long as no simulation agrees.
    pub fn sample(&self) -> Option<Sample> {
        self.method.sample(&self.runs)
    }

    /// What the error of each measured value is widened by now, as a standard deviation in its unit; empty before the first answers.
    pub fn widening(&self) -> Vec<f64> {
        self.method.widening(&self.runs)
    }

    /// How probable what was measured is under the prior, with these widenings of its errors; `None` where nothing agrees. Inferences from the
    /// same measurement, widened alike, can be compared.
    pub fn evidence(&self, widening: &[f64]) -> Option<Evidence> {
        self.method.evidence(&self.runs, widening)
    }
}
