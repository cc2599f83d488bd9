//! A portfolio: a test of the loss, then several optimizers that share the evaluations and the answers.
//!
//! First the start points, then the test ([`structure`]). A sum over coordinates is searched axis by axis ([`coordinate_search`]); a
//! smooth loss is descended ([`bfgs`]) from the best point, and from others as long as that pays. CMA-ES, which copes with noise
//! and many valleys, runs beside them, and alone where the loss is rough; where many genes are choices the genetic algorithm takes
//! its place. The idea is that of HCMA (Loshchilov, Schoenauer, Sebag, GECCO 2013).

mod bfgs;
mod coordinate_search;
mod queue;
mod structure;

use crate::cost::cost;
use crate::random::inside;
use crate::space::Axis;
use crate::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use bfgs::Descent;
use coordinate_search::CoordinateSearch;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::{Entry, Settings, defaults};
use queue::{Answers, Batch, Queue};
use structure::{Structure, StructureTest};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "auto",
    doc: "Portfolio: finds out what kind of loss it is, then shares the evaluations among descent, CMA-ES and the genetic algorithm.",
    source: "Loshchilov, Schoenauer, Sebag, GECCO 2013 (HCMA), for the idea; docs/decisions.md",
    params: &[],
    make: MakeOptimizer { usual: true, ..MakeOptimizer::new(make) },
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let space = setup.space;
    let real = |axis: &Axis| matches!(axis, Axis::Real { low, high, .. } if low < high);
    let choices = space.genes.iter().filter(|g| g.axis.is_choice()).count();
    let global = if MIXED * choices >= space.len().max(1) { &crate::ga::ENTRY } else { &crate::cma::ENTRY };
    let values = defaults(global.params);
    let inner = Setup { settings: Settings::new(global.params, &values), ..setup.clone() };
    if space.genes.is_empty() || !space.genes.iter().all(|g| real(&g.axis)) {
        // Nothing to test or descend: the global search alone.
        return (global.make.make)(&inner);
    }
    let mut start = inside(space, &setup.start);
    start.reverse();
    if start.is_empty() {
        start.push(space.canonical(&vec![0.5; space.len()]));
    }
    let answers = Answers::new(space);
    let mut local = Queue::default();
    local.put(start.clone(), &answers);
    let inner = Setup { seed: setup.seed.child("global", 0), start, ..inner };
    Box::new(Auto {
        seed: setup.seed,
        replicas: setup.replicas,
        parallel: setup.parallel.max(1),
        genes: space.len(),
        answers,
        local,
        shared: Queue::default(),
        best: None,
        structure: Structure::default(),
        turn: Turn::Start,
        test: None,
        coordinates: None,
        descent: None,
        global: (global.make.make)(&inner),
        global_best: f64::INFINITY,
        descents: 0,
        spent: [0; 2],
    })
}

/// With at least one choice in this many genes the global search is the genetic algorithm, else CMA-ES. Chosen here: between
/// words there is no distance for a distribution to learn.
const MIXED: usize = 3;
/// Share of the evaluations that a descent may take while its point is the best. Chosen here: of 0.5, 0.7 and 0.8 on 24 test
/// functions (docs/decisions.md) the middle.
const LEADING: f64 = 0.7;
/// The same while the global search is ahead. Chosen here, with it.
const FOLLOWING: f64 = 0.2;
/// Evaluations for each gene that the first descent may take beyond its share. Chosen here: 10, 20 and 30 did equally well.
const GRACE: f64 = 20.0;
/// A new descent from anywhere begins when all descents together took less than this share. Chosen here: as [`FOLLOWING`].
const AGAIN: f64 = 0.2;

/// Which local search the local queue belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Start,
    Structure,
    Coordinates,
    Descent,
}

struct Auto {
    seed: Seed,
    replicas: u32,
    parallel: usize,
    genes: usize,
    answers: Answers,
    /// Questions of the start, the test, the coordinate search or the descent.
    local: Queue,
    /// Questions of the global search.
    shared: Queue,
    best: Option<(Genome, f64)>,
    structure: Structure,
    turn: Turn,
    test: Option<StructureTest>,
    coordinates: Option<CoordinateSearch>,
    descent: Option<Descent>,
    global: Box<dyn Optimizer>,
    /// Best loss that the global search found by itself.
    global_best: f64,
    descents: u64,
    /// Evaluations of the descents and of the global search.
    spent: [u64; 2],
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        let mut batch = Batch::new(self.parallel);
        self.advance_local();
        self.local.fill(&mut batch, &self.answers);
        // The global search fills up the batch.
        while !batch.is_full() {
            self.advance_global();
            let before = batch.points.len();
            self.shared.fill(&mut batch, &self.answers);
            if batch.points.len() == before {
                break;
            }
        }
        let question = |genome| Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search };
        batch.points.into_iter().map(question).collect()
    }

    fn tell(&mut self, trials: &[Trial]) {
        trials.iter().for_each(|trial| self.answers.insert(trial));
    }

    fn stop(&self) -> Option<StopReason> {
        self.global.stop()
    }

    fn recommend(&self) -> Vec<Genome> {
        self.global.recommend()
    }
}

impl Auto {
    /// Hands answers to the local searches until one asks something new, or it is the global search's turn.
    fn advance_local(&mut self) {
        loop {
            if let Some(trials) = self.local.take(&self.answers) {
                self.learn(&trials);
            }
            if !self.local.is_empty() {
                return;
            }
            let points = self.next();
            if points.is_empty() {
                return;
            }
            self.local.put(points, &self.answers);
        }
    }

    /// Hands answers to the global search until it asks something new.
    fn advance_global(&mut self) {
        loop {
            if let Some(trials) = self.shared.take(&self.answers) {
                self.spent[1] += trials.len() as u64;
                let least = trials.iter().map(loss).fold(f64::INFINITY, f64::min);
                self.global_best = self.global_best.min(least);
                self.global.tell(&trials);
                self.keep_best(&trials);
            }
            if !self.shared.is_empty() {
                return;
            }
            let points: Vec<Genome> = self.global.ask().into_iter().map(|q| q.genome).collect();
            if points.is_empty() {
                return;
            }
            self.shared.put(points, &self.answers);
        }
    }

    fn keep_best(&mut self, trials: &[Trial]) {
        for trial in trials {
            let loss = loss(trial);
            if self.best.as_ref().is_none_or(|b| loss < b.1) {
                self.best = Some((trial.question.genome.clone(), loss));
            }
        }
    }

    /// Hands complete answers to the local search that asked.
    fn learn(&mut self, trials: &[Trial]) {
        let losses: Vec<f64> = trials.iter().map(loss).collect();
        self.keep_best(trials);
        match self.turn {
            Turn::Start => self.begin_test(),
            Turn::Structure => {
                if let Some(structure) = self.test.as_mut().and_then(|test| test.tell(&losses)) {
                    self.learn_structure(structure);
                }
            }
            Turn::Coordinates => {
                if let Some(coordinates) = &mut self.coordinates {
                    coordinates.tell(losses[0]);
                }
            }
            Turn::Descent => {
                self.spent[0] += losses.len() as u64;
                if let Some(descent) = &mut self.descent {
                    descent.tell(&losses);
                    self.structure.smooth &= !descent.rough();
                }
            }
        }
    }

    fn learn_structure(&mut self, structure: Structure) {
        self.structure = structure;
        self.test = None;
        match self.best.clone().filter(|b| b.1.is_finite()) {
            Some((x, loss)) if structure.separable => self.coordinates = Some(CoordinateSearch::from(x, loss)),
            Some((x, loss)) if structure.smooth => self.descent = Some(Descent::from(x, Some(loss))),
            _ => {}
        }
    }

    fn begin_test(&mut self) {
        let Some((x, loss)) = self.best.clone().filter(|b| b.1.is_finite()) else { return };
        let mut rng = self.seed.child("probe", 0).rng();
        let far = (0..self.genes).map(|_| unit(&mut rng)).collect();
        self.test = Some(StructureTest::new(x, loss, far));
    }

    /// The next questions of a local search; none if it is the global search's turn.
    fn next(&mut self) -> Vec<Genome> {
        if let Some(test) = &self.test {
            self.turn = Turn::Structure;
            return test.ask();
        }
        if let Some(coordinates) = &mut self.coordinates {
            self.turn = Turn::Coordinates;
            if let Some(point) = coordinates.ask() {
                return vec![point];
            }
            self.coordinates = None;
        }
        if !self.structure.smooth {
            return Vec::new();
        }
        self.turn = Turn::Descent;
        let total = (self.spent[0] + self.spent[1]) as f64;
        let mut running = self.descent.as_ref().is_some_and(|d| !d.ended());
        if !running && (self.spent[0] as f64) < AGAIN * total {
            self.descents += 1;
            let mut rng = self.seed.child("descent", self.descents).rng();
            self.descent = Some(Descent::from((0..self.genes).map(|_| unit(&mut rng)).collect(), None));
            running = true;
        }
        let Some(descent) = self.descent.as_ref().filter(|_| running) else { return Vec::new() };
        let share = if descent.at().1 <= self.global_best { LEADING } else { FOLLOWING };
        let grace = GRACE * self.genes as f64;
        if (self.spent[0] as f64) < share * total + grace { descent.ask() } else { Vec::new() }
    }
}

/// The loss of a feasible trial, infinite for the others.
fn loss(trial: &Trial) -> f64 {
    cost(trial).filter(|cost| cost.0 <= 0.0).map_or(f64::INFINITY, |cost| cost.1)
}
