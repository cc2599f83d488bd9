//! When a run trusts its model, and what happens at the end of a generation.

use super::generation::Candidate;
use super::kernels::Step;
use super::run::Run;
use super::surrogate::Surrogate;

/// Rank correlation from which on the model may rank the rest of a generation. Hansen 2019, section 3.
const TRUSTED: f64 = 0.85;
/// Generations that may pass on the model's word while answers are waited for. Chosen here: see docs/optimizers.md.
const AHEAD: u64 = 3;

/// How many of the last evaluations the model has to rank right. As in cma 4.5.0.
fn window(done: usize, all: usize) -> usize {
    (1.2 * done as f64).min(0.75 * all as f64).max(15.0) as usize
}

/// Where losses are noisy steps are lengthened while the model's losses of a generation differ by less than so many times the
/// noise: nearer together noise hides what they differ by. Chosen here: see docs/optimizers.md.
const AUDIBLE: f64 = 6.0;
/// Until a coordinate deviates by this share of its range. Chosen here: then a generation fills the cube.
const WIDEST: f64 = 0.3;
/// By this factor a generation. Chosen here: see docs/optimizers.md.
const WIDER: f64 = 1.5;

/// Standard deviation of what the model says of candidates; infinite without a model.
fn spread(all: &[Candidate]) -> f64 {
    let mean = all.iter().map(|c| c.predicted).sum::<f64>() / all.len() as f64;
    let square = all.iter().map(|c| (c.predicted - mean) * (c.predicted - mean)).sum::<f64>() / all.len() as f64;
    if square.is_finite() { square.sqrt() } else { f64::INFINITY }
}

impl Run {
    /// All that was asked for is answered: more of the generation, or the next one.
    pub(super) fn progress(&mut self) {
        let (done, all) = (self.generation.done, self.generation.all().len());
        if done >= all {
            self.finish(false);
            return;
        }
        let Some(model) = &mut self.surrogate else {
            self.generation.goal = all;
            return;
        };
        if model.tau(window(done, all)) >= TRUSTED {
            self.predict();
            self.finish(true);
        } else {
            self.guess();
            self.generation.goal = done + done.div_ceil(2);
        }
    }

    /// True if the model may rank the generation as it is.
    pub(super) fn trusted(&mut self) -> bool {
        let window = window(self.generation.done, self.generation.all().len());
        let ahead = self.pending.front().map_or(0, |asked| self.strategy.generation() - asked.0);
        ahead < AHEAD && self.surrogate.as_mut().is_some_and(|model| model.tau(window) >= TRUSTED)
    }

    /// Ranks the generation, by the model if it is trusted, and moves the distribution.
    pub(super) fn finish(&mut self, modeled: bool) {
        let all = self.generation.all();
        let order = self.generation.order(modeled);
        self.strategy.update(&order.iter().map(|&i| &all[i].step).collect::<Vec<&Step>>());
        self.words.learn(&order.iter().map(|&i| &all[i].point.words[..]).collect::<Vec<_>>());
        // Hamano et al. 2022: alpha = 1 / (n lambda).
        let alpha = 1.0 / (self.coding.numbers().max(1) * self.lambda) as f64;
        self.coding.keep_margin(&mut self.strategy, alpha.min(0.25));
        let value = |i: usize| {
            let cost = all[i].key(modeled);
            if cost.0 > 0.0 { f64::MAX.min(cost.0) } else { cost.1 }
        };
        let (best, worst) = (value(order[0]), value(order[order.len() - 1]));
        if let Some(noise) = self.surrogate.as_mut().and_then(Surrogate::deviation)
            && spread(all) < AUDIBLE * noise
            && self.spread() < WIDEST
        {
            self.strategy.widen(WIDER);
        }
        self.ended = self.stops.watch(best, worst, &self.strategy);
        self.generation.clear();
        self.probe.drop_unless(|which| self.pending.iter().any(|asked| (asked.0, asked.1) == which));
    }
}
