//! One run of CMA-ES from a start to its end: ask, rank the generation, move the distribution.
//!
//! Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772; with the surrogate, Hansen, GECCO 2019,
//! doi 10.1145/3321707.3321842: of each generation only as many candidates are evaluated as it takes until the model
//! ranks the latest evaluations right. A run needs no optimizer around it: its owner asks for candidates, tells what they cost,
//! and may add evaluations of others.

use super::categorical::Categorical;
use super::coding::{Coding, Point, REDRAWS, inside, reflected};
use super::gaussian::{AT_ONCE, Gaussian, Step};
use super::generation::{Candidate, Generation, State};
use super::stops::{End, Stops};
use super::surrogate::Surrogate;
use super::trust_region::TrustRegion;
use crate::Genome;
use crate::cost::{Cost, compare};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed};
use std::collections::VecDeque;

/// Share of a generation that is always evaluated. As in cma 4.5.0.
const ALWAYS: f64 = 0.02;

/// Rank correlation with the latest evaluations from which the model ranks the rest of a generation. Hansen 2019,
/// section 3.
const TRUSTED: f64 = 0.85;
/// Generations that the model alone may rank while answers are pending. Chosen here: see docs/decisions.md.
const AHEAD: u64 = 3;

/// With noisy losses the step size grows while the predicted losses of a generation spread by less than this many standard
/// deviations of the noise: closer together, noise hides their order. Chosen here: see docs/decisions.md.
const AUDIBLE: f64 = 6.0;
/// It grows no further once a coordinate deviates by this share of its range. Chosen here: a generation then fills the
/// cube.
const WIDEST: f64 = 0.3;
/// It grows by this factor per generation. Chosen here: see docs/decisions.md.
const WIDER: f64 = 1.5;

/// How a run begins.
#[derive(Clone, Debug)]
pub struct Start {
    /// The first mean.
    pub mean: Point,
    /// True if the mean is a start value, so that its words are preferred; false if it was drawn.
    pub given: bool,
    /// First step size, a share of each range.
    pub sigma: f64,
    /// First covariance of the numbers, row by row; the identity if nothing is known.
    pub shape: Option<Vec<f64>>,
    /// Candidates of a generation.
    pub lambda: usize,
    /// Seed of the run.
    pub seed: Seed,
}

/// What the owner of a run knows of a candidate before it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lookup {
    /// Nobody asked for it.
    New,
    /// Asked for and not answered yet, or never to be asked again.
    Pending,
    /// It was evaluated: its cost, `None` if it failed.
    Known(Option<Cost>),
}

/// One run.
#[derive(Clone, Debug)]
pub struct CmaRun {
    coding: Coding,
    gaussian: Gaussian,
    categorical: Categorical,
    surrogate: Option<Surrogate>,
    lambda: usize,
    seed: Seed,
    rng: ChaCha8Rng,
    /// Steps drawn in advance; the first `drawn` of them are unused.
    draws: Vec<Step>,
    drawn: usize,
    generation: Generation,
    /// True if candidates can coincide.
    discrete: bool,
    /// Questions without an answer, in the order of asking: the generation, the index in it, the genome.
    pending: VecDeque<(u64, usize, Genome)>,
    evaluations: u64,
    trust_region: TrustRegion,
    best: Option<(Genome, Cost)>,
    stops: Stops,
    ended: Option<End>,
}

impl CmaRun {
    /// A run over the numbers and choices of a space, with or without the surrogate.
    pub fn new(coding: &Coding, start: &Start, surrogate: bool) -> Self {
        let lambda = start.lambda.max(2);
        let words: Vec<usize> = coding.choices().collect();
        let n = coding.numbers();
        let (mean, sigma) = (&start.mean.x, start.sigma);
        Self {
            gaussian: match &start.shape {
                Some(shape) => Gaussian::shaped(mean, sigma, lambda, shape),
                None => Gaussian::new(mean, sigma, lambda),
            },
            categorical: Categorical::new(coding, start.given.then_some(&start.mean.words[..])),
            coding: coding.clone(),
            surrogate: surrogate.then(|| Surrogate::new(n, words, lambda)),
            lambda,
            seed: start.seed,
            rng: start.seed.rng(),
            draws: vec![Step::default(); AT_ONCE],
            drawn: 0,
            generation: Generation::default(),
            discrete: !coding.real().contains(&true),
            pending: VecDeque::new(),
            evaluations: 0,
            trust_region: TrustRegion::new(n),
            best: None,
            stops: Stops::new(n, lambda, start.sigma),
            ended: None,
        }
    }

    /// The next candidate to be evaluated: canonical, in the cube. `None` if the run has ended or found nothing new; then
    /// another candidate may be [`CmaRun::note`]d and the run asked again.
    pub fn ask(&mut self, seen: &mut dyn FnMut(&[f64]) -> Lookup) -> Option<Genome> {
        // A generation whose candidates are all known costs nothing. Chosen here: 100 of them in a row are enough.
        for _ in 0..100 {
            if self.ended.is_some() {
                return None;
            }
            if self.generation.all().is_empty() {
                self.draw_generation();
            }
            if let Some(genome) = self.open(seen) {
                return Some(genome);
            }
            if self.pending.is_empty() {
                self.proceed();
            } else if self.trusted() {
                // A wide batch: the model ranks this generation while answers are pending, and the next one begins.
                self.predict();
                self.finish(true);
            } else {
                return self.extra(seen);
            }
        }
        None
    }

    /// Takes the cost of the oldest question without an answer, `None` if the candidate failed.
    pub fn tell(&mut self, cost: Option<Cost>) {
        let Some((generation, index, genome)) = self.pending.pop_front() else { return };
        self.evaluations += 1;
        let current = generation == self.gaussian.generation() && index < self.generation.all().len();
        if current {
            self.generation.settle(index, cost, self.discrete);
        }
        self.trust_region.judge((generation, index), cost);
        if let Some(cost) = cost {
            self.learn(self.coding.point(&genome), cost);
            if self.best.as_ref().is_none_or(|(_, best)| compare(cost, *best).is_lt()) {
                self.best = Some((genome, cost));
            }
        }
        if self.pending.is_empty() && self.generation.done >= self.generation.goal.max(1) {
            self.proceed();
        }
    }

    /// Adds an evaluation that the run did not ask for.
    pub fn note(&mut self, genome: &[f64], cost: Cost) {
        let point = self.coding.point(genome);
        self.learn(point, cost);
    }

    /// Tells that losses are noisy, from now on.
    pub fn hear_noise(&mut self) {
        if let Some(model) = &mut self.surrogate {
            model.hear_noise();
        }
    }

    /// Why the run is over, if it is.
    pub fn ended(&self) -> Option<End> {
        self.ended
    }

    /// Number of candidates that were evaluated for it.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Its best candidate and the cost of that.
    pub fn best(&self) -> Option<(&Genome, Cost)> {
        self.best.as_ref().map(|(genome, cost)| (genome, *cost))
    }

    /// Largest standard deviation of a coordinate, a share of its range.
    pub fn spread(&self) -> f64 {
        (0..self.coding.numbers()).map(|i| self.gaussian.deviation(i)).fold(0.0, f64::max)
    }

    /// The mean of the distribution, with the likeliest words.
    pub fn mean(&self) -> Genome {
        let x = self.gaussian.mean().iter().map(|x| x.clamp(0.0, 1.0)).collect();
        self.coding.genome(&Point { x, words: self.categorical.likeliest() })
    }

    /// The minimum of the model, if there is one.
    pub fn minimum(&mut self) -> Option<Genome> {
        let point = self.surrogate.as_mut()?.minimum(self.trust_region.radius())?;
        Some(self.coding.genome(&point))
    }

    fn learn(&mut self, point: Point, cost: Cost) {
        if let Some(model) = &mut self.surrogate {
            model.note(point, cost);
        }
    }

    /// The open candidate that the model likes best, unless enough of the generation are evaluated.
    fn open(&mut self, seen: &mut dyn FnMut(&[f64]) -> Lookup) -> Option<Genome> {
        while self.generation.all().len() - self.generation.queue.len() < self.generation.goal {
            let index = self.generation.queue.pop()?;
            if let Some(genome) = self.put(index, seen) {
                return Some(genome);
            }
        }
        None
    }

    /// Asks for a candidate unless its cost is known.
    fn put(&mut self, index: usize, seen: &mut dyn FnMut(&[f64]) -> Lookup) -> Option<Genome> {
        let candidate = &mut self.generation.all_mut()[index];
        match seen(&candidate.genome) {
            Lookup::New => {
                candidate.state = State::Asked;
                let genome = candidate.genome.clone();
                self.pending.push_back((self.gaussian.generation(), index, genome.clone()));
                Some(genome)
            }
            Lookup::Known(cost) => {
                self.generation.settle(index, cost, self.discrete);
                None
            }
            Lookup::Pending => {
                // It gets no answer of its own, so it ranks last, unless the answer of its twin arrives first.
                candidate.state = State::Done(None);
                self.generation.done += 1;
                None
            }
        }
    }

    /// A candidate more than planned, to fill the batch while answers are pending.
    fn extra(&mut self, seen: &mut dyn FnMut(&[f64]) -> Lookup) -> Option<Genome> {
        for _ in 0..=REDRAWS {
            self.generation.goal += 1;
            if self.generation.queue.is_empty() {
                self.draw();
                self.predict_and_queue();
            }
            if let Some(genome) = self.open(seen) {
                return Some(genome);
            }
        }
        None
    }
}

/// Drawing a generation.
impl CmaRun {
    /// Draws a generation: the minimum of the model, and the rest from the distribution.
    fn draw_generation(&mut self) {
        let number = self.gaussian.generation();
        self.rng = self.seed.child("generation", number).rng();
        self.drawn = 0;
        let model = self.surrogate.as_mut().filter(|_| self.trust_region.free());
        if let Some(minimum) = model.and_then(|model| model.minimum(self.trust_region.radius())) {
            if let Some((_, best)) = &self.best {
                self.trust_region.send((number, 0), *best);
            }
            self.place(minimum);
        }
        while self.generation.all().len() < self.lambda {
            self.draw();
        }
        let held = self.surrogate.as_ref().map_or(0, Surrogate::len);
        // As in cma 4.5.0: the first model wants 4 evaluations.
        let first = 1.0 + (ALWAYS * self.lambda as f64).max(4.0 - held as f64);
        let first = first as usize + usize::from(self.trust_region.missed());
        self.generation.goal = if self.surrogate.is_some() { first.min(self.lambda) } else { self.lambda };
        self.predict_and_queue();
        let all = self.generation.all();
        self.trust_region.predict(|(generation, index)| (generation == number).then(|| all[index].predicted));
    }

    /// Adds a candidate at a given place; its step is shortened, the place is not.
    fn place(&mut self, point: Point) {
        let candidate = self.generation.open();
        self.gaussian.step_to(&point.x, &mut candidate.step);
        self.gaussian.clip(&mut candidate.step);
        candidate.point = point;
        self.generation.close(&self.coding);
    }

    /// Draws one more candidate from the distribution.
    fn draw(&mut self) {
        // Steps are drawn as many at a time as the generation lacks and the registers hold.
        let wanted = self.lambda.saturating_sub(self.generation.all().len()).clamp(1, AT_ONCE);
        let candidate = self.generation.open();
        let (step, point) = (&mut candidate.step, &mut candidate.point);
        for _ in 0..=REDRAWS {
            if self.drawn == 0 {
                self.gaussian.sample(&mut self.rng, &mut self.draws[..wanted]);
                self.drawn = wanted;
            }
            self.drawn -= 1;
            std::mem::swap(step, &mut self.draws[self.drawn]);
            self.gaussian.place(step, &mut point.x);
            if inside(&point.x) {
                break;
            }
        }
        if !inside(&point.x) {
            reflected(&mut point.x);
            self.gaussian.step_to(&point.x, step);
        }
        self.categorical.sample(&mut self.rng, &mut point.words);
        self.generation.close(&self.coding);
    }

    /// Predicts all candidates and puts the open ones in that order.
    fn predict_and_queue(&mut self) {
        self.predict();
        self.generation.line_up();
    }

    /// Predicts the losses of all candidates, if there is a model.
    fn predict(&mut self) {
        if let Some(model) = &mut self.surrogate {
            let mut values = Vec::with_capacity(self.generation.all().len());
            let points: Vec<&Point> = self.generation.all().iter().map(|c| &c.point).collect();
            if !model.values(&points, &mut values) {
                values.resize(points.len(), f64::NAN);
            }
            self.generation.all_mut().iter_mut().zip(values).for_each(|(c, value)| c.predicted = value);
        }
    }
}

/// The end of a generation.
impl CmaRun {
    /// Everything is answered: evaluates more of the generation, or goes on to the next.
    fn proceed(&mut self) {
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
            self.predict_and_queue();
            self.generation.goal = done + done.div_ceil(2);
        }
    }

    /// True if the model may rank the generation as it is.
    fn trusted(&mut self) -> bool {
        let window = window(self.generation.done, self.generation.all().len());
        let ahead = self.pending.front().map_or(0, |asked| self.gaussian.generation() - asked.0);
        ahead < AHEAD && self.surrogate.as_mut().is_some_and(|model| model.tau(window) >= TRUSTED)
    }

    /// Ranks the generation, by the model if it is trusted, and moves the distribution.
    fn finish(&mut self, modeled: bool) {
        let all = self.generation.all();
        let order = self.generation.order(modeled);
        self.gaussian.update(&order.iter().map(|&i| &all[i].step).collect::<Vec<&Step>>());
        self.categorical.learn(&order.iter().map(|&i| &all[i].point.words[..]).collect::<Vec<_>>());
        // Hamano et al. 2022: alpha = 1 / (n lambda).
        let alpha = 1.0 / (self.coding.numbers().max(1) * self.lambda) as f64;
        self.coding.keep_margin(&mut self.gaussian, alpha.min(0.25));
        let value = |i: usize| {
            let cost = all[i].key(modeled);
            if cost.0 > 0.0 { f64::MAX.min(cost.0) } else { cost.1 }
        };
        let (best, worst) = (value(order[0]), value(order[order.len() - 1]));
        if let Some(noise) = self.surrogate.as_mut().and_then(Surrogate::deviation)
            && spread(all) < AUDIBLE * noise
            && self.spread() < WIDEST
        {
            self.gaussian.widen(WIDER);
        }
        self.ended = self.stops.watch(best, worst, &self.gaussian);
        self.generation.clear();
        self.trust_region.drop_unless(|which| self.pending.iter().any(|asked| (asked.0, asked.1) == which));
    }
}

/// Number of latest evaluations that the model has to rank right. As in cma 4.5.0.
fn window(done: usize, all: usize) -> usize {
    (1.2 * done as f64).min(0.75 * all as f64).max(15.0) as usize
}

/// Standard deviation of the predictions; infinite without a model.
fn spread(all: &[Candidate]) -> f64 {
    let mean = all.iter().map(|c| c.predicted).sum::<f64>() / all.len() as f64;
    let square = all.iter().map(|c| (c.predicted - mean) * (c.predicted - mean)).sum::<f64>() / all.len() as f64;
    if square.is_finite() { square.sqrt() } else { f64::INFINITY }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
