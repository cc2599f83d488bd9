//! An optimizer with advice: what it found is judged by a process of all its answers, so that the luckiest candidate is not taken for the best.

use crate::cost::cost;
use crate::gp::Known;
use crate::noise::NoiseTest;
use crate::unseen::Unseen;
use crate::{Genome, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_core::math::rng::Seed;

/// Evaluations per real gene before the first twin. Chosen here: enough to know how far losses spread, and early enough for short searches.
const FIRST: usize = 5;

/// An optimizer without a model of its own, that looks for the best of one objective.
pub(crate) struct Advised {
    inner: Box<dyn Optimizer>,
    known: Known,
    /// As [`crate::Noise::luck`].
    noisy: Option<bool>,
    noise: NoiseTest,
    /// The twins that were asked.
    twins: Unseen,
    /// True while the twin that tells noise is asked.
    twin: bool,
    seed: Seed,
    replicas: u32,
}

impl Advised {
    /// Around an optimizer of this setup.
    pub fn new(inner: impl Optimizer + 'static, setup: &Setup<'_>) -> Self {
        Self {
            inner: Box::new(inner),
            known: Known::new(setup.space, &setup.parts),
            noisy: setup.noise.luck(),
            noise: NoiseTest::new(setup.space, FIRST),
            twins: Unseen::new(setup.space),
            twin: false,
            seed: setup.seed.child("advice", 0),
            replicas: setup.replicas,
        }
    }

    /// Whether losses are noisy, as somebody said or twins told; `None` as long as nobody knows.
    fn noisy(&self) -> Option<bool> {
        self.noisy.or(self.noise.told())
    }
}

impl Optimizer for Advised {
    fn ask(&mut self) -> Vec<Question> {
        // Of a best that stays the twin was asked already.
        let twin = if self.noisy.is_none() { self.noise.twin() } else { None }.and_then(|twin| self.twins.take(&twin));
        self.twin = twin.is_some();
        match twin {
            Some(genome) => vec![Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search }],
            None => self.inner.ask(),
        }
    }

    fn tell(&mut self, trials: &[Trial]) {
        for trial in trials {
            self.noise.see(self.twin, &trial.question.genome, cost(trial));
        }
        if self.noisy != Some(false) {
            self.known.add(trials);
        }
        if !self.twin {
            self.inner.tell(trials);
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.inner.stop()
    }

    /// Where nobody knows whether losses are noisy the best trial comes first.
    fn recommend(&self) -> Vec<Genome> {
        let advice = || self.known.recommend(self.seed);
        match self.noisy() {
            Some(true) => advice(),
            Some(false) => self.inner.recommend(),
            None => self.known.best().into_iter().chain(advice()).collect(),
        }
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        if self.noisy() == Some(false) { None } else { self.known.expected(candidate) }
    }
}
