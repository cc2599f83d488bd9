//! A small steady-state genetic algorithm for reals, whole numbers and choices.
//!
//! Children come from two sources: simulated binary crossover with polynomial mutation (Deb, Agrawal 1995), and differential
//! variation whose strength learns from its successes (Tanabe, Fukunaga 2013). A child of differential variation competes with
//! its parent, any other with the worst member. When the best has not improved for a while, or the population has shrunk to a
//! point, it starts again.

mod params;

use crate::advised::Advised;
use crate::cost::{Cost, compare, cost};
use crate::success_history::SuccessHistory;
use crate::unseen::Unseen;
use crate::variation::{Quartet, differ, latin, mutate, near, sbx};
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crowdtune_core::math::rng::{ChaCha8Rng, Seed, below, unit};
use crowdtune_core::registry::Entry;
use params::PARAMS;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "ga",
    doc: "Genetic algorithm: a small population, crossover, mutation and differential variation, restarts.",
    source: "Deb, Agrawal, Complex Systems 9, 115 (1995); Tanabe, Fukunaga, CEC 2014",
    params: PARAMS,
    make: MakeOptimizer::new(make),
};

/// Population without a setting in a space of few genes. Chosen here: see docs/decisions.md.
const SMALL: usize = 14;
/// Fewest evaluations per gene without a better best before a restart. Chosen here: thirty populations where one
/// has as many members as there are genes (docs/decisions.md).
const PATIENCE: u64 = 30;
/// A population no wider than this in any gene starts again. Chosen here: about the root of the rounding error, below which
/// a smooth loss is flat around its minimum.
const COLLAPSED: f64 = 1e-8;
/// Size of the moves around the best so far in a local restart. Chosen here: see docs/decisions.md.
const LOCAL: f64 = 0.05;
/// Tries for a child that was not asked before, until any unseen candidate is taken. Chosen here: enough that it happens
/// only in nearly exhausted neighborhoods.
const TRIES: usize = 20;

struct Member {
    genome: Genome,
    cost: Cost,
    born: u64,
}

/// How a question came about.
enum Origin {
    /// A start point, the design, or crossover: nothing to learn from.
    Plain,
    /// Differential variation, with the birth number and the cost of the parent and the strengths F and CR.
    Differential { born: u64, parent: Cost, f: f64, cr: f64 },
}

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    Box::new(Advised::new(begin(setup), setup))
}

/// Nothing was asked yet.
fn begin(setup: &Setup<'_>) -> Ga {
    let settings = setup.settings;
    let genes = setup.space.len();
    let size = match settings.whole("population") {
        0 => genes.max(SMALL),
        given => given.max(4) as usize,
    };
    Ga {
        unseen: Unseen::new(setup.space),
        seed: setup.seed,
        rng: setup.seed.child("ga", 0).rng(),
        parallel: setup.parallel.max(1),
        replicas: setup.replicas,
        size,
        spread: settings.whole("design").max(4) as usize,
        sbx_eta: settings.get("sbx_eta"),
        mutation_eta: settings.get("mutation_eta"),
        de_share: settings.get("de_share"),
        best_share: settings.get("best_share"),
        patience: (settings.whole("stagnation").max(1) as u64).max(PATIENCE * genes as u64),
        waiting: Vec::new(),
        start: setup.start_inside(),
        asked: Vec::new(),
        population: Vec::new(),
        history: SuccessHistory::new(),
        successes: Vec::new(),
        untaught: 0,
        best: None,
        run_best: None,
        since_better: 0,
        told: 0,
        restarts: 0,
        designed: false,
    }
}

struct Ga {
    unseen: Unseen,
    seed: Seed,
    /// The stream of this run; a restart takes the next one.
    rng: ChaCha8Rng,
    parallel: usize,
    replicas: u32,
    size: usize,
    spread: usize,
    sbx_eta: f64,
    mutation_eta: f64,
    de_share: f64,
    best_share: f64,
    patience: u64,
    /// Candidates of the initial design, last one first.
    waiting: Vec<Genome>,
    start: Vec<Genome>,
    asked: Vec<Origin>,
    /// Best first, newer first among equals, so that it can drift across a plateau.
    population: Vec<Member>,
    history: SuccessHistory,
    /// Strengths of the children that beat their parents in this generation.
    successes: Vec<(f64, f64)>,
    /// Evaluations of this generation; it is full with as many as there are members.
    untaught: usize,
    best: Option<(Genome, Cost)>,
    run_best: Option<Cost>,
    since_better: u64,
    told: u64,
    restarts: u64,
    designed: bool,
}

impl Optimizer for Ga {
    fn ask(&mut self) -> Vec<Question> {
        if !self.designed {
            self.design();
        }
        self.asked.clear();
        let mut questions = Vec::with_capacity(self.parallel);
        while questions.len() < self.parallel {
            let Some((genome, origin)) = self.next() else { break };
            self.asked.push(origin);
            questions.push(Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search });
        }
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        let mut better = false;
        let mut asked = std::mem::take(&mut self.asked);
        for (trial, origin) in trials.iter().zip(asked.drain(..)) {
            self.told += 1;
            let Some(cost) = cost(trial) else { continue };
            if self.run_best.is_none_or(|best| compare(cost, best).is_lt()) {
                self.run_best = Some(cost);
                better = true;
            }
            if self.best.as_ref().is_none_or(|best| compare(cost, best.1).is_lt()) {
                self.best = Some((trial.question.genome.clone(), cost));
            }
            self.settle(&trial.question.genome, cost, origin);
        }
        self.asked = asked;
        self.untaught += trials.len();
        let generation = self.untaught >= self.size;
        if generation {
            self.history.learn(&self.successes);
            self.successes.clear();
            self.untaught = 0;
        }
        // The design of a run, which may be larger than a batch, is asked in full.
        let designing = !self.waiting.is_empty();
        self.since_better = if better || designing { 0 } else { self.since_better + trials.len() as u64 };
        if self.since_better >= self.patience || (generation && self.collapsed()) {
            self.restart();
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.unseen.exhausted().then_some(StopReason::Exhausted)
    }
}

impl Ga {
    /// Lays out the first candidates of a run: start points, then a Latin hypercube, or neighbors of the best.
    fn design(&mut self) {
        self.designed = true;
        let (space, rng) = (self.unseen.space(), &mut self.rng);
        let local = self.restarts % 2 == 1;
        self.waiting = match &self.best {
            Some(best) if local => (0..self.size).map(|_| near(space, &best.0, LOCAL, rng)).collect(),
            _ => latin(space.len(), self.spread.max(self.size).saturating_sub(self.start.len()), rng),
        };
        self.waiting.append(&mut self.start);
    }

    /// The next question: what waits, else a child, else anything unseen.
    fn next(&mut self) -> Option<(Genome, Origin)> {
        while let Some(genome) = self.waiting.pop() {
            if let Some(genome) = self.unseen.claim(genome) {
                return Some((genome, Origin::Plain));
            }
        }
        // Differential variation needs four different members.
        if self.population.len() >= 4 {
            for attempt in 0..TRIES {
                let (mut genome, origin) = self.child();
                if attempt > 0 {
                    let rate = 1.0 / self.unseen.space().len().max(1) as f64;
                    mutate(self.unseen.space(), &mut genome, self.mutation_eta, rate, &mut self.rng);
                }
                if let Some(genome) = self.unseen.claim(genome) {
                    return Some((genome, origin));
                }
            }
        }
        self.unseen.take_any(&mut self.rng).map(|genome| (genome, Origin::Plain))
    }

    fn child(&mut self) -> (Genome, Origin) {
        let (space, rng) = (self.unseen.space(), &mut self.rng);
        let members = &self.population;
        // Binary tournaments: the population is sorted, so the smaller of two indices wins.
        let parent = below(rng, members.len()).min(below(rng, members.len()));
        if unit(rng) < self.de_share {
            let (f, cr) = self.history.draw(rng);
            let elite = ((self.best_share * members.len() as f64).round() as usize).clamp(2, members.len());
            let best = below(rng, elite);
            let one = other(members.len(), &[parent], rng);
            let two = other(members.len(), &[parent, one], rng);
            let [current, best, one, two] = [parent, best, one, two].map(|i| members[i].genome.as_slice());
            let from = Quartet { current, best, one, two };
            let Member { cost, born, .. } = members[parent];
            let origin = Origin::Differential { born, parent: cost, f, cr };
            (differ(space, from, f, cr, rng), origin)
        } else {
            let mate = other(members.len(), &[parent], rng).min(other(members.len(), &[parent], rng));
            let mut genome = sbx(space, &members[parent].genome, &members[mate].genome, self.sbx_eta, rng);
            mutate(space, &mut genome, self.mutation_eta, 1.0 / space.len().max(1) as f64, rng);
            (genome, Origin::Plain)
        }
    }

    /// Survival: a child of differential variation takes the place of its parent if it is no worse; any other child, and one
    /// whose parent is gone, takes that of the worst member if it is no worse.
    fn settle(&mut self, genome: &[f64], cost: Cost, origin: Origin) {
        let mut place = None;
        if let Origin::Differential { born, parent, f, cr } = origin {
            if compare(cost, parent).is_lt() {
                self.successes.push((f, cr));
            }
            place = self.population.iter().position(|member| member.born == born);
        }
        let full = self.population.len() >= self.size;
        let place = place.or(full.then(|| self.population.len() - 1));
        let mut kept = Vec::new();
        if let Some(place) = place {
            if compare(cost, self.population[place].cost).is_gt() {
                return;
            }
            kept = self.population.remove(place).genome;
        }
        kept.clear();
        kept.extend_from_slice(genome);
        let at = self.population.partition_point(|member| compare(member.cost, cost).is_lt());
        self.population.insert(at, Member { genome: kept, cost, born: self.told });
    }

    /// True if a full population is no wider than [`COLLAPSED`] in any gene.
    fn collapsed(&self) -> bool {
        self.population.len() >= self.size
            && (0..self.unseen.space().len()).all(|gene| {
                let column = || self.population.iter().map(|m| m.genome[gene]);
                column().fold(f64::MIN, f64::max) - column().fold(f64::MAX, f64::min) < COLLAPSED
            })
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.designed = false;
        self.population.clear();
        self.rng = self.seed.child("ga", self.restarts).rng();
        self.history = SuccessHistory::new();
        self.successes.clear();
        self.untaught = 0;
        self.run_best = None;
        self.since_better = 0;
    }
}

/// An index below `count` that is none of `taken`, which must leave one.
fn other(count: usize, taken: &[usize], rng: &mut ChaCha8Rng) -> usize {
    loop {
        let index = below(rng, count);
        if !taken.contains(&index) {
            return index;
        }
    }
}

#[cfg(test)]
mod tests;
