//! One run of CMA-ES from a start to its end, with or without the surrogate. It needs no optimizer around it: whoever owns
//! it asks for candidates, tells what they cost, and may note evaluations of others or inject candidates.

use super::super::Genome;
use super::bounds::{Coding, Point, REDRAWS};
use super::generation::{Candidate, Generation, State};
use super::probe::Probe;
use super::stops::{End, Stops};
use super::strategy::{BESIDE, Step, Strategy};
use super::surrogate::Surrogate;
use super::words::Words;
use super::{Cost, compare};
use crate::math::rng::{ChaCha8Rng, Seed};
use std::collections::VecDeque;

/// Rank correlation from which on the model may rank the rest of a generation. Hansen 2019, section 3.
const TRUSTED: f64 = 0.85;
/// Generations that may pass on the model's word while answers are waited for. Chosen here: see docs/optimizers.md.
const AHEAD: u64 = 3;

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

/// Where losses are noisy steps are lengthened while the model's losses of a generation differ by less than so many times the
/// noise: nearer together noise hides what they differ by. Chosen here: see docs/optimizers.md.
const AUDIBLE: f64 = 6.0;
/// Until a coordinate deviates by this share of its range. Chosen here: then a generation fills the cube.
const WIDEST: f64 = 0.3;
/// By this factor a generation. Chosen here: see docs/optimizers.md.
const WIDER: f64 = 1.5;

/// Standard deviation of what the model says of candidates, 0 without a model.
fn spread(all: &[Candidate]) -> f64 {
    let mean = all.iter().map(|c| c.predicted).sum::<f64>() / all.len() as f64;
    let square = all.iter().map(|c| (c.predicted - mean) * (c.predicted - mean)).sum::<f64>() / all.len() as f64;
    if square.is_finite() { square.sqrt() } else { f64::INFINITY }
}

/// How many of the last evaluations the model has to rank right. As in cma 4.5.0.
fn window(done: usize, all: usize) -> usize {
    (1.2 * done as f64).min(0.75 * all as f64).max(15.0) as usize
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
    discrete: bool,
    /// What was asked for and not answered, in the order of asking: the generation, the index in it, the genome.
    pending: VecDeque<(u64, usize, Genome)>,
    pub(super) injected: Vec<Point>,
    evaluations: u64,
    pub(super) probe: Probe,
    pub(super) best: Option<(Genome, Cost)>,
    stops: Stops,
    ended: Option<End>,
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

    /// All that was asked for is answered: more of the generation, or the next one.
    fn progress(&mut self) {
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
    fn trusted(&mut self) -> bool {
        let window = window(self.generation.done, self.generation.all().len());
        let ahead = self.pending.front().map_or(0, |asked| self.strategy.generation() - asked.0);
        ahead < AHEAD && self.surrogate.as_mut().is_some_and(|model| model.tau(window) >= TRUSTED)
    }

    /// Ranks the generation, by the model if it is trusted, and moves the distribution.
    fn finish(&mut self, modeled: bool) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::space::{Axis, Gene, Space};

    fn coding(n: usize) -> Coding {
        let gene = |_| Gene { key: String::new(), axis: Axis::Real { low: 0.0, high: 1.0, log: false } };
        Coding::new(&Space { genes: (0..n).map(gene).collect() })
    }

    fn start(n: usize) -> Start {
        let mean = Point { x: vec![0.5; n], words: Vec::new() };
        Start { mean, meant: false, sigma: 0.2, lambda: 8, seed: Seed(1) }
    }

    /// A turned ellipsoid of condition 10^4 with its least value 0 at (0.3, 0.3, ...).
    fn ellipsoid(x: &[f64]) -> f64 {
        let middle = x.iter().sum::<f64>() / x.len() as f64;
        let weight = |i: usize| 10.0_f64.powi(i as i32);
        x.iter().enumerate().map(|(i, x)| weight(i) * (x - 0.5 * middle - 0.15).powi(2)).sum()
    }

    /// Evaluations until the loss is below 1e-9.
    fn solved(run: &mut Run) -> usize {
        (1..5000)
            .find(|_| {
                let genome = run.ask(&mut |_| Seen::New).expect("not at its end");
                let loss = ellipsoid(&genome);
                run.tell(Some((0.0, loss)));
                loss < 1e-9
            })
            .expect("solved")
    }

    #[test]
    fn the_surrogate_spares_most_evaluations() {
        let plain = solved(&mut Run::new(&coding(5), &start(5), false));
        let helped = solved(&mut Run::new(&coding(5), &start(5), true));
        assert!(plain > 300 && helped < 100, "{plain} {helped}");
    }

    #[test]
    fn evaluations_of_others_are_learned_from() {
        let mut run = Run::new(&coding(3), &start(3), true);
        let mut rng = Seed(2).rng();
        for _ in 0..40 {
            let x: Vec<f64> = (0..3).map(|_| crate::math::rng::unit(&mut rng)).collect();
            run.note(&x, (0.0, ellipsoid(&x)));
        }
        let least = run.minimum().unwrap();
        assert!(ellipsoid(&least) < 1e-9, "{least:?}");
    }

    #[test]
    fn what_is_injected_joins_the_next_generation() {
        let mut run = Run::new(&coding(3), &start(3), false);
        run.inject(&[0.25, 0.5, 0.75]);
        let first: Vec<Genome> = (0..8).filter_map(|_| run.ask(&mut |_| Seen::New)).collect();
        assert!(first.contains(&vec![0.25, 0.5, 0.75]), "{first:?}");
    }

    #[test]
    fn a_run_ends_where_nothing_differs() {
        let mut run = Run::new(&coding(2), &start(2), true);
        for _ in 0..2000 {
            if run.ask(&mut |_| Seen::New).is_some() {
                run.tell(Some((0.0, 1.0)));
            }
        }
        assert_eq!(run.ended(), Some(End::Flat));
        assert!(run.evaluations() < 500);
    }
}
