//! One run of CMA-ES from a start to its end, with or without the surrogate. It needs no optimizer around it: whoever owns
//! it asks for candidates, tells what they cost, and may note evaluations of others or inject candidates.

use super::super::Genome;
use super::bounds::{Coding, Point, REDRAWS};
use super::generation::{Generation, State};
use super::kernels::{BESIDE, Step};
use super::probe::Probe;
use super::stops::{End, Stops};
use super::strategy::Strategy;
use super::surrogate::Surrogate;
use super::words::Words;
use super::{Cost, compare};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use std::collections::VecDeque;

/// How a run begins.
#[derive(Clone, Debug)]
pub struct Start {
    /// The first mean.
    pub mean: Point,
    /// True if the mean is a place to stay at, words included; false if it was drawn.
    pub meant: bool,
    /// First size of steps, a share of the cube.
    pub sigma: f64,
    /// Candidates of a generation.
    pub lambda: usize,
    /// Chance of the run.
    pub seed: Seed,
}

/// What the owner knows of a candidate before it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// Nobody asked for it.
    New,
    /// Asked for and not answered yet, or not to be asked for again.
    Asked,
    /// It was evaluated: its cost, `None` if it failed.
    Known(Option<Cost>),
}

/// One run.
#[derive(Clone, Debug)]
pub struct Run {
    pub(super) coding: Coding,
    pub(super) strategy: Strategy,
    pub(super) words: Words,
    pub(super) surrogate: Option<Surrogate>,
    pub(super) lambda: usize,
    pub(super) seed: Seed,
    pub(super) rng: ChaCha8Rng,
    /// Steps that were drawn; the first `drawn` of them were not used yet.
    pub(super) draws: Vec<Step>,
    pub(super) drawn: usize,
    pub(super) generation: Generation,
    /// True if candidates can coincide.
    pub(super) discrete: bool,
    /// What was asked for and not answered, in the order of asking: the generation, the index in it, the genome.
    pub(super) pending: VecDeque<(u64, usize, Genome)>,
    pub(super) injected: Vec<Point>,
    evaluations: u64,
    pub(super) probe: Probe,
    pub(super) best: Option<(Genome, Cost)>,
    pub(super) stops: Stops,
    pub(super) ended: Option<End>,
}

impl Run {
    /// A run over the numbers and choices of a space.
    pub fn new(coding: &Coding, start: &Start, surrogate: bool) -> Self {
        let lambda = start.lambda.max(2);
        let words: Vec<usize> = coding.choices().collect();
        let n = coding.numbers();
        Self {
            strategy: Strategy::new(&start.mean.x, start.sigma, lambda),
            words: Words::new(coding, start.meant.then_some(&start.mean.words[..])),
            coding: coding.clone(),
            surrogate: surrogate.then(|| Surrogate::new(n, words, lambda)),
            lambda,
            seed: start.seed,
            rng: start.seed.rng(),
            draws: vec![Step::default(); BESIDE],
            drawn: 0,
            generation: Generation::default(),
            discrete: !coding.real().contains(&true),
            pending: VecDeque::new(),
            injected: Vec::new(),
            evaluations: 0,
            probe: Probe::new(n),
            best: None,
            stops: Stops::new(n, lambda, start.sigma),
            ended: None,
        }
    }

    /// The next candidate to be evaluated: canonical, in the cube. `None` if the run has ended, or found nothing that is
    /// new; then another candidate may be [`Run::note`]d and the run asked again.
    pub fn ask(&mut self, seen: &mut dyn FnMut(&[f64]) -> Seen) -> Option<Genome> {
        // Generations of candidates that are all known cost nothing; chosen here: 100 of them in a row are enough.
        for _ in 0..100 {
            if self.ended.is_some() {
                return None;
            }
            if self.generation.all().is_empty() {
                self.breed();
            }
            if let Some(genome) = self.open(seen) {
                return Some(genome);
            }
            if self.pending.is_empty() {
                self.progress();
            } else if self.trusted() {
                // A wide batch: the next generation on the model's word, while answers are waited for.
                self.predict();
                self.finish(true);
            } else {
                return self.extra(seen);
            }
        }
        None
    }

    /// The cost of the candidate that was asked for first among those not answered, `None` if it failed.
    pub fn tell(&mut self, cost: Option<Cost>) {
        let Some((generation, index, genome)) = self.pending.pop_front() else { return };
        self.evaluations += 1;
        let current = generation == self.strategy.generation() && index < self.generation.all().len();
        if current {
            self.generation.settle(index, cost, self.discrete);
        }
        self.probe.judge((generation, index), cost);
        if let Some(cost) = cost {
            self.learn(self.coding.point(&genome), cost);
            if self.best.as_ref().is_none_or(|(_, best)| compare(cost, *best).is_lt()) {
                self.best = Some((genome, cost));
            }
        }
        if self.pending.is_empty() && self.generation.done >= self.generation.goal.max(1) {
            self.progress();
        }
    }

    /// Takes in an evaluation that the run did not ask for.
    pub fn note(&mut self, genome: &[f64], cost: Cost) {
        let point = self.coding.point(genome);
        self.learn(point, cost);
    }

    /// Losses are noisy from now on.
    pub fn hear_noise(&mut self) {
        if let Some(model) = &mut self.surrogate {
            model.hear_noise();
        }
    }

    /// Puts a candidate into the next generation; with the surrogate it is evaluated only if the model likes it or is not
    /// trusted. At most half of a generation is injected.
    pub fn inject(&mut self, genome: &[f64]) {
        self.injected.push(self.coding.point(genome));
    }

    /// Why the run is over, if it is.
    pub fn ended(&self) -> Option<End> {
        self.ended
    }

    /// Candidates that were evaluated for it.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Candidates of a generation.
    pub fn lambda(&self) -> usize {
        self.lambda
    }

    /// Its best candidate and what it cost.
    pub fn best(&self) -> Option<(&Genome, Cost)> {
        self.best.as_ref().map(|(genome, cost)| (genome, *cost))
    }

    /// Largest deviation of a coordinate, a share of the cube.
    pub fn spread(&self) -> f64 {
        (0..self.coding.numbers()).map(|i| self.strategy.deviation(i)).fold(0.0, f64::max)
    }

    /// The middle of the distribution with its likeliest words.
    pub fn mean(&self) -> Genome {
        let x = self.strategy.mean().iter().map(|x| x.clamp(0.0, 1.0)).collect();
        self.coding.genome(&Point { x, words: self.words.likeliest() })
    }

    /// Where the model is least, if there is one.
    pub fn minimum(&mut self) -> Option<Genome> {
        let point = self.surrogate.as_mut()?.minimum(self.probe.trust())?;
        Some(self.coding.genome(&point))
    }

    fn learn(&mut self, point: Point, cost: Cost) {
        if let Some(model) = &mut self.surrogate {
            model.note(point, cost);
        }
    }

    /// The open candidate that the model likes best, while the goal is not reached.
    fn open(&mut self, seen: &mut dyn FnMut(&[f64]) -> Seen) -> Option<Genome> {
        while self.generation.all().len() - self.generation.queue.len() < self.generation.goal {
            let index = self.generation.queue.pop()?;
            if let Some(genome) = self.put(index, seen) {
                return Some(genome);
            }
        }
        None
    }

    /// Asks for a candidate unless its cost is known.
    fn put(&mut self, index: usize, seen: &mut dyn FnMut(&[f64]) -> Seen) -> Option<Genome> {
        let candidate = &mut self.generation.all_mut()[index];
        match seen(&candidate.genome) {
            Seen::New => {
                candidate.state = State::Asked;
                let genome = candidate.genome.clone();
                self.pending.push_back((self.strategy.generation(), index, genome.clone()));
                Some(genome)
            }
            Seen::Known(cost) => {
                self.generation.settle(index, cost, self.discrete);
                None
            }
            Seen::Asked => {
                // Without an answer of its own it ranks last, unless its twin's answer comes in first.
                candidate.state = State::Done(None);
                self.generation.done += 1;
                None
            }
        }
    }

    /// A candidate beyond the goal, to fill a batch while answers are waited for.
    fn extra(&mut self, seen: &mut dyn FnMut(&[f64]) -> Seen) -> Option<Genome> {
        for _ in 0..=REDRAWS {
            self.generation.goal += 1;
            if self.generation.queue.is_empty() {
                self.draw();
                self.guess();
            }
            if let Some(genome) = self.open(seen) {
                return Some(genome);
            }
        }
        None
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
