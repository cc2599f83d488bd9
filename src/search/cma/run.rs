//! One run of CMA-ES from a start to its end, with or without the surrogate. It needs no optimizer around it: whoever owns
//! it asks for candidates, tells what they cost, and may note evaluations of others or inject candidates.

use super::super::Genome;
use super::bounds::{Coding, Point, REDRAWS, Words, inside, reflected};
use super::strategy::{Step, Strategy};
use super::surrogate::Surrogate;
use super::{Cost, compare};
use crate::math::rng::{ChaCha8Rng, Seed};
use std::collections::VecDeque;

/// Share of a generation that is always evaluated. As in cma 4.5.0.
const ALWAYS: f64 = 0.02;
/// Rank correlation from which on the model may rank the rest of a generation. Hansen 2019, section 3.
const TRUSTED: f64 = 0.85;

/// The model's minimum is sought so far from the best evaluation at first, times the square root of n, in units of the
/// deviation of the fitted points; doubled and halved with success. Chosen here: see docs/optimizers.md.
const TRUST: f64 = 1.0;
/// Limits of that, times [`TRUST`]. Chosen here: see docs/optimizers.md.
const NARROWEST: f64 = 0.5;
const WIDEST: f64 = 8.0;

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

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Losses no longer differ.
    Flat,
    /// Steps are too small to matter.
    Small,
    /// The distribution is too thin to compute with.
    Condition,
    /// No progress for long.
    Stagnation,
}

/// How many of the last evaluations the model has to rank right. As in cma 4.5.0.
fn window(done: usize, all: usize) -> usize {
    (1.2 * done as f64).min(0.75 * all as f64).max(15.0) as usize
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Open,
    Asked,
    /// Evaluated.
    Done(Option<Cost>),
}

#[derive(Clone, Debug)]
struct Candidate {
    point: Point,
    step: Step,
    genome: Genome,
    state: State,
    /// What the model says; not a number without a model.
    predicted: f64,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Run {
    coding: Coding,
    strategy: Strategy,
    words: Words,
    surrogate: Option<Surrogate>,
    lambda: usize,
    sigma: f64,
    seed: Seed,
    rng: ChaCha8Rng,
    generation: Vec<Candidate>,
    /// Indices of the open candidates, the one the model likes best last.
    queue: Vec<usize>,
    /// How many of the generation are done.
    done: usize,
    /// True if candidates can coincide.
    discrete: bool,
    /// What was asked for and not answered, in the order of asking: the generation, the index in it, the genome.
    pending: VecDeque<(u64, usize, Genome)>,
    /// How many of the generation are to be evaluated.
    goal: usize,
    injected: Vec<Point>,
    evaluations: u64,
    /// How far the model's minimum may lie from the best evaluation.
    trust: f64,
    /// The model's minimum that is not answered yet: generation and index, predicted loss, the best cost before it.
    probe: Option<((u64, usize), f64, Cost)>,
    /// True if the last probe was no better than what was known.
    missed: bool,
    best: Option<(Genome, Cost)>,
    /// Best loss of each generation, newest last.
    history: VecDeque<f64>,
    ended: Option<End>,
}

impl Run {
    /// A run over the numbers and choices of a space.
    pub fn new(coding: &Coding, start: &Start, surrogate: bool) -> Self {
        let lambda = start.lambda.max(2);
        let words: Vec<usize> = coding.choices().collect();
        let model = surrogate.then(|| Surrogate::new(coding.numbers(), words, lambda));
        Self {
            strategy: Strategy::new(&start.mean.x, start.sigma, lambda),
            words: Words::new(coding, start.meant.then_some(&start.mean.words[..])),
            coding: coding.clone(),
            surrogate: model,
            lambda,
            sigma: start.sigma,
            seed: start.seed,
            rng: start.seed.rng(),
            generation: Vec::new(),
            queue: Vec::new(),
            done: 0,
            discrete: !coding.real().contains(&true),
            pending: VecDeque::new(),
            goal: 0,
            injected: Vec::new(),
            evaluations: 0,
            trust: TRUST * (coding.numbers() as f64).sqrt(),
            probe: None,
            missed: false,
            best: None,
            history: VecDeque::new(),
            ended: None,
        }
    }

    /// The next candidate to be evaluated: canonical, in the cube. `None` if the run has ended, or found nothing that is
    /// new; then another candidate may be [`Run::note`]d and the run asked again.
    pub fn ask(&mut self, seen: &dyn Fn(&[f64]) -> Seen) -> Option<Genome> {
        // Generations of candidates that are all known cost nothing; chosen here: 100 of them in a row are enough.
        for _ in 0..100 {
            if self.ended.is_some() {
                return None;
            }
            if self.generation.is_empty() {
                self.breed();
            }
            if let Some(genome) = self.open(seen) {
                return Some(genome);
            }
            if self.pending.is_empty() {
                self.progress();
            } else if self.trusted() {
                // A wide batch: the next generation on the model's word, while answers are waited for.
                self.guess();
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
        let current = generation == self.strategy.generation() && index < self.generation.len();
        if current {
            self.settle(index, cost);
        }
        self.judge((generation, index), cost);
        if let Some(cost) = cost {
            self.learn(self.coding.point(&genome), cost);
            if self.best.as_ref().is_none_or(|(_, best)| compare(cost, *best).is_lt()) {
                self.best = Some((genome, cost));
            }
        }
        if self.pending.is_empty() && self.done >= self.goal.max(1) {
            self.progress();
        }
    }

    /// Takes in an evaluation that the run did not ask for.
    pub fn note(&mut self, genome: &[f64], cost: Cost) {
        let point = self.coding.point(genome);
        self.learn(point, cost);
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
        let point = self.surrogate.as_mut()?.minimum(self.trust)?;
        Some(self.coding.genome(&point))
    }

    fn learn(&mut self, point: Point, cost: Cost) {
        if let Some(model) = &mut self.surrogate {
            model.note(point, cost);
        }
    }

    /// Draws a generation.
    fn breed(&mut self) {
        self.rng = self.seed.child("generation", self.strategy.generation()).rng();
        let mut injected = std::mem::take(&mut self.injected);
        injected.truncate(self.lambda / 2);
        let trust = self.trust;
        let free = self.probe.is_none();
        let least = self.surrogate.as_mut().filter(|_| free).and_then(|model| model.minimum(trust));
        if let (Some(_), Some((_, best))) = (&least, &self.best) {
            self.probe = Some(((self.strategy.generation(), injected.len()), f64::NAN, *best));
        }
        injected.extend(least);
        for point in injected {
            let step = self.strategy.step_to(&point.x);
            let step = self.strategy.clipped(step);
            self.join(point, step);
        }
        while self.generation.len() < self.lambda {
            self.draw();
        }
        let held = self.surrogate.as_ref().map_or(0, Surrogate::len);
        // As in cma 4.5.0: the first model wants 4 evaluations.
        let first = 1.0 + (ALWAYS * self.lambda as f64).max(4.0 - held as f64);
        let first = first as usize + usize::from(self.missed);
        self.goal = if self.surrogate.is_some() { first.min(self.lambda) } else { self.lambda };
        self.guess();
        if let Some(((generation, index), predicted, _)) = &mut self.probe
            && *generation == self.strategy.generation()
        {
            *predicted = self.generation[*index].predicted;
        }
    }

    /// Draws one more candidate.
    fn draw(&mut self) {
        let mut step = self.strategy.sample(&mut self.rng);
        let mut x = self.strategy.place(&step);
        for _ in 0..REDRAWS {
            if inside(&x) {
                break;
            }
            step = self.strategy.sample(&mut self.rng);
            x = self.strategy.place(&step);
        }
        if !inside(&x) {
            reflected(&mut x);
            step = self.strategy.step_to(&x);
        }
        let words = self.words.sample(&mut self.rng);
        self.join(Point { x, words }, step);
    }

    fn join(&mut self, point: Point, step: Step) {
        let genome = self.coding.genome(&point);
        self.generation.push(Candidate { point, step, genome, state: State::Open, predicted: f64::NAN });
    }

    /// The model's opinion of all candidates.
    fn guess(&mut self) {
        if let Some(model) = &mut self.surrogate {
            for candidate in &mut self.generation {
                // The model knows evaluated genomes, not the latent place of a whole number.
                let point = self.coding.point(&candidate.genome);
                candidate.predicted = model.predict(&point).unwrap_or(f64::NAN);
            }
        }
        let all = &self.generation;
        self.queue.clear();
        self.queue.extend((0..all.len()).rev().filter(|&i| all[i].state == State::Open));
        self.queue.sort_by(|&a, &b| all[b].predicted.total_cmp(&all[a].predicted));
    }

    fn settle(&mut self, index: usize, cost: Option<Cost>) {
        self.generation[index].state = State::Done(cost);
        self.done += 1;
        if self.discrete {
            // Copies of one candidate share its answer.
            let all = &mut self.generation;
            let copy = |i: &usize| all[*i].genome == all[index].genome;
            let (copies, rest): (Vec<usize>, Vec<usize>) = self.queue.iter().partition(|i| copy(i));
            self.queue = rest;
            self.done += copies.len();
            copies.into_iter().for_each(|i| all[i].state = State::Done(cost));
        }
    }

    /// Widens or narrows the trust in the model's minimum by what became of it.
    fn judge(&mut self, which: (u64, usize), cost: Option<Cost>) {
        let Some((_, predicted, before)) = self.probe.take_if(|p| p.0 == which) else { return };
        let better = cost.is_some_and(|cost| compare(cost, before).is_lt());
        let gained = match cost {
            Some(cost) if cost.0 == before.0 => (before.1 - cost.1) / (before.1 - predicted),
            _ => f64::from(u8::from(better)),
        };
        let unit = TRUST * (self.coding.numbers() as f64).sqrt();
        if gained > 0.5 {
            self.trust = (2.0 * self.trust).min(WIDEST * unit);
        } else if gained <= 0.1 || gained.is_nan() {
            self.trust = (0.5 * self.trust).max(NARROWEST * unit);
        }
        self.missed = !better;
    }

    /// The open candidate that the model likes best, while the goal is not reached.
    fn open(&mut self, seen: &dyn Fn(&[f64]) -> Seen) -> Option<Genome> {
        while self.generation.len() - self.queue.len() < self.goal {
            let index = self.queue.pop()?;
            if let Some(genome) = self.put(index, seen) {
                return Some(genome);
            }
        }
        None
    }

    /// Asks for a candidate unless its cost is known.
    fn put(&mut self, index: usize, seen: &dyn Fn(&[f64]) -> Seen) -> Option<Genome> {
        match seen(&self.generation[index].genome) {
            Seen::New => {
                self.generation[index].state = State::Asked;
                let genome = self.generation[index].genome.clone();
                self.pending.push_back((self.strategy.generation(), index, genome.clone()));
                Some(genome)
            }
            Seen::Known(cost) => {
                self.settle(index, cost);
                None
            }
            Seen::Asked => {
                // Without an answer of its own it ranks last, unless its twin's answer comes in first.
                self.generation[index].state = State::Done(None);
                self.done += 1;
                None
            }
        }
    }

    /// A candidate beyond the goal, to fill a batch while answers are waited for.
    fn extra(&mut self, seen: &dyn Fn(&[f64]) -> Seen) -> Option<Genome> {
        for _ in 0..=REDRAWS {
            self.goal += 1;
            if self.queue.is_empty() {
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
        let done = self.done;
        let all = done >= self.generation.len();
        let Some(model) = self.surrogate.as_mut().filter(|_| !all) else {
            if all {
                self.finish(false);
            } else {
                self.goal = self.generation.len();
            }
            return;
        };
        if model.tau(window(done, self.generation.len())) >= TRUSTED {
            self.guess();
            self.finish(true);
        } else {
            self.goal = done + done.div_ceil(2);
            self.guess();
        }
    }

    /// True if the model may rank the generation as it is.
    fn trusted(&mut self) -> bool {
        let window = window(self.done, self.generation.len());
        let ahead = self.pending.front().map_or(0, |asked| self.strategy.generation() - asked.0);
        ahead < AHEAD && self.surrogate.as_mut().is_some_and(|model| model.tau(window) >= TRUSTED)
    }

    /// Ranks the generation, by the model if it is trusted, and moves the distribution.
    fn finish(&mut self, modeled: bool) {
        let key = |c: &Candidate| match c.state {
            State::Done(None) => (f64::INFINITY, f64::INFINITY),
            State::Done(Some(cost)) if !modeled => cost,
            State::Done(Some((violation, _))) if violation > 0.0 && c.predicted.is_nan() => (violation, 0.0),
            _ => (0.0, c.predicted),
        };
        let mut order: Vec<usize> = (0..self.generation.len()).collect();
        order.sort_by(|&a, &b| compare(key(&self.generation[a]), key(&self.generation[b])));
        let steps: Vec<&Step> = order.iter().map(|&i| &self.generation[i].step).collect();
        self.strategy.update(&steps);
        let words: Vec<&[usize]> = order.iter().map(|&i| &self.generation[i].point.words[..]).collect();
        self.words.learn(&words);
        // Hamano et al. 2022: alpha = 1 / (n lambda).
        let alpha = 1.0 / (self.coding.numbers().max(1) * self.lambda) as f64;
        self.coding.keep_margin(&mut self.strategy, alpha.min(0.25));
        self.watch(&order, key);
        self.generation.clear();
        self.queue.clear();
        self.done = 0;
        let asked = |p: &((u64, usize), f64, Cost)| self.pending.iter().any(|a| (a.0, a.1) == p.0);
        if self.probe.as_ref().is_some_and(|p| !asked(p)) {
            self.probe = None;
        }
        self.goal = 0;
    }

    /// The stops of BIPOP (Hansen, GECCO 2009 companion, doi 10.1145/1570256.1570333), on losses or on violations.
    fn watch(&mut self, order: &[usize], key: impl Fn(&Candidate) -> Cost) {
        let value = |i: &usize| {
            let cost = key(&self.generation[*i]);
            if cost.0 > 0.0 { f64::MAX.min(cost.0) } else { cost.1 }
        };
        let (best, worst) = (value(&order[0]), order.last().map_or(0.0, value));
        let n = self.coding.numbers().max(1);
        let short = 10 + (30 * n).div_ceil(self.lambda);
        let long = 120 + 30 * n / self.lambda;
        self.history.push_back(best);
        let generation = self.strategy.generation();
        let keep = long.max(short).max((generation / 5) as usize).min(20_000);
        while self.history.len() > keep {
            self.history.pop_front();
        }
        let recent = || self.history.iter().rev().take(short);
        let (low, high) = recent().fold((best, worst), |(l, h), x| (l.min(*x), h.max(*x)));
        // TolFun; the second part is what a sum of such size can still tell apart.
        let flat = self.history.len() >= short && high - low <= 1e-11 + 1e-15 * high.abs().min(1e290);
        // TolX
        let small = self.strategy.reach() < 1e-11 * self.sigma;
        let condition = self.strategy.condition() > 1e14;
        let stagnant = self.history.len() >= long && {
            let third = self.history.len() * 3 / 10;
            let median = |mut part: Vec<f64>| {
                part.sort_by(f64::total_cmp);
                part[part.len() / 2]
            };
            let old: Vec<f64> = self.history.iter().take(third).copied().collect();
            let new: Vec<f64> = self.history.iter().rev().take(third).copied().collect();
            median(new) >= median(old)
        };
        self.ended = if flat || self.coding.numbers() == 0 && generation > 50 {
            Some(End::Flat)
        } else if small {
            Some(End::Small)
        } else if condition {
            Some(End::Condition)
        } else if stagnant {
            Some(End::Stagnation)
        } else {
            None
        };
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
                let genome = run.ask(&|_| Seen::New).expect("not at its end");
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
        let first: Vec<Genome> = (0..8).filter_map(|_| run.ask(&|_| Seen::New)).collect();
        assert!(first.contains(&vec![0.25, 0.5, 0.75]), "{first:?}");
    }

    #[test]
    fn a_run_ends_where_nothing_differs() {
        let mut run = Run::new(&coding(2), &start(2), true);
        for _ in 0..2000 {
            if run.ask(&|_| Seen::New).is_some() {
                run.tell(Some((0.0, 1.0)));
            }
        }
        assert_eq!(run.ended(), Some(End::Flat));
        assert!(run.evaluations() < 500);
    }
}
