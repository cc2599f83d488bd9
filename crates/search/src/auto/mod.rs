//! A portfolio: a test of the loss, then several optimizers that share the evaluations and the answers.
//!
//! First the start points, then the test ([`structure`]), unless somebody knows of noise: nobody needs many digits of a loss that other random numbers
//! change in the first. A sum over coordinates is searched axis by axis ([`coordinate_search`]); a
//! smooth loss is descended ([`bfgs`]) from the best point, and from others as long as that pays. CMA-ES, which copes with noise
//! and many valleys, runs beside them ([`global`]); where many genes are choices the genetic algorithm takes its place. Where the
//! loss is rough a Gaussian process asks before it, as long as that pays, and says which candidate is the best ([`modelled`]). The idea is
//! that of HCMA (Loshchilov, Schoenauer, Sebag, GECCO 2013).

mod bfgs;
mod coordinate_search;
mod downhill;
mod global;
mod modelled;
mod part;
mod queue;
mod structure;

use crate::cost::loss;
use crate::{Genome, MakeOptimizer, Noise, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use coordinate_search::CoordinateSearch;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::Entry;
use downhill::Downhill;
use global::Global;
use modelled::Modelled;
use part::part;
use queue::{Answers, Batch, Queue};
use structure::{Structure, StructureTest};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "auto",
    doc: "Portfolio: finds out what kind of loss it is, then shares the evaluations among descent, a Gaussian process, CMA-ES and the genetic algorithm.",
    source: "Loshchilov, Schoenauer, Sebag, GECCO 2013 (HCMA), for the idea; docs/decisions.md",
    params: &[],
    make: MakeOptimizer { usual: true, ..MakeOptimizer::new(make) },
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let space = setup.space;
    let choices = space.genes.iter().filter(|g| g.axis.is_choice()).count();
    let global = if MIXED * choices >= space.len().max(1) { &crate::ga::ENTRY } else { &crate::cma::ENTRY };
    if space.genes.is_empty() {
        return part(global, setup);
    }
    let mut start = setup.start_inside();
    start.reverse();
    if start.is_empty() {
        start.push(space.canonical(&vec![0.5; space.len()]));
    }
    let answers = Answers::new(space);
    let mut local = Queue::default();
    local.put(start.clone(), &answers);
    let inner = Setup { start, ..setup.clone() };
    // It knows only what it asked itself, so it recommends nothing: where the loss is rough the process does, which knows all.
    let searching = Setup { seed: setup.seed.child("global", 0), noise: Noise::Exact, ..inner.clone() };
    Box::new(Auto {
        seed: setup.seed,
        replicas: setup.replicas,
        parallel: setup.parallel.max(1),
        genes: space.len(),
        testable: space.genes.iter().all(|g| g.axis.is_real()) && setup.noise != Noise::Certain,
        answers,
        local,
        best: None,
        structure: Structure::default(),
        turn: Turn::Start,
        test: None,
        coordinates: None,
        downhill: None,
        descents: 0,
        spent: 0,
        jumps: false,
        others_turn: false,
        modelled: Modelled::new(&inner),
        global: Global::new(part(global, &searching)),
    })
}

/// With at least one choice in this many genes the global search is the genetic algorithm, else CMA-ES. Chosen here: between
/// words there is no distance for a distribution to learn.
const MIXED: usize = 3;
/// Share of the evaluations that a descent may take while its point is the best. Chosen here: of 0.5, 0.7 and 0.8 on 24 test
/// functions (docs/decisions.md) the middle.
const LEADING: f64 = 0.8;
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
    /// True if near points can tell a smooth loss, and that is of use: all genes are real, and nobody knows of noise.
    testable: bool,
    answers: Answers,
    /// Questions of the start, the test, the coordinate search or the descent.
    local: Queue,
    best: Option<(Genome, f64)>,
    structure: Structure,
    turn: Turn,
    test: Option<StructureTest>,
    coordinates: Option<CoordinateSearch>,
    downhill: Option<Downhill>,
    /// Ways down that began anywhere.
    descents: u64,
    /// Evaluations of all ways down.
    spent: u64,
    /// True if one of them met jumps.
    jumps: bool,
    /// True if the batch is the global search's, not the process's.
    others_turn: bool,
    modelled: Modelled,
    global: Global,
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        let mut batch = Batch::new(self.parallel);
        self.advance_local();
        self.local.fill(&mut batch, &self.answers);
        if self.local.is_empty() && !self.structure.smooth {
            // Where a descent met jumps in a loss that is smooth between them nobody knows which of the two does better.
            self.others_turn = self.jumps && !self.others_turn;
            if !self.others_turn {
                self.modelled.fill(&mut batch, &self.answers);
            }
        }
        // The global search fills up the batch.
        while !batch.is_full() {
            for learned in self.global.advance(&self.answers) {
                self.keep_best(&learned);
            }
            if self.global.fill(&mut batch, &self.answers) == 0 {
                break;
            }
        }
        let question = |genome| Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search };
        batch.points.into_iter().map(question).collect()
    }

    fn tell(&mut self, trials: &[Trial]) {
        trials.iter().for_each(|trial| self.answers.insert(trial));
        self.modelled.tell(trials);
    }

    fn stop(&self) -> Option<StopReason> {
        self.modelled.stop().or(self.global.stop())
    }

    fn recommend(&self) -> Vec<Genome> {
        if self.structure.smooth { Vec::new() } else { self.modelled.recommend() }
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        if self.structure.smooth { None } else { self.modelled.expected(candidate) }
    }
}

impl Auto {
    /// Hands answers to the local searches until one asks something new, or it is the others' turn.
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
                self.spent += trials.len() as u64;
                if let Some(downhill) = &mut self.downhill {
                    downhill.tell(trials);
                    self.jumps |= downhill.rough();
                    self.structure.smooth &= !self.jumps;
                }
            }
        }
    }

    fn learn_structure(&mut self, structure: Structure) {
        self.structure = structure;
        self.test = None;
        match self.best.clone().filter(|b| b.1.is_finite()) {
            Some((x, loss)) if structure.separable => self.coordinates = Some(CoordinateSearch::from(x, loss)),
            Some((x, loss)) if structure.smooth => {
                self.downhill = Some(Downhill::from(x, Some(loss), self.seed.child("takeover", 0)));
            }
            _ => {}
        }
    }

    fn begin_test(&mut self) {
        let Some((x, loss)) = self.best.clone().filter(|b| b.1.is_finite() && self.testable) else { return };
        let mut rng = self.seed.child("probe", 0).rng();
        let far = std::array::from_fn(|_| (0..self.genes).map(|_| unit(&mut rng)).collect());
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
        let total = (self.spent + self.global.spent()) as f64;
        let mut running = self.downhill.as_ref().is_some_and(|d| !d.ended());
        if !running && (self.spent as f64) < AGAIN * total {
            self.descents += 1;
            let mut rng = self.seed.child("descent", self.descents).rng();
            let x = (0..self.genes).map(|_| unit(&mut rng)).collect();
            self.downhill = Some(Downhill::from(x, None, self.seed.child("takeover", self.descents)));
            running = true;
        }
        let Some(downhill) = self.downhill.as_mut().filter(|_| running) else { return Vec::new() };
        let share = if downhill.best() <= self.global.best() { LEADING } else { FOLLOWING };
        let grace = GRACE * self.genes as f64;
        if (self.spent as f64) < share * total + grace {
            downhill.ask(self.parallel, &self.answers)
        } else {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AskTell, Options, Space};

    fn bowl(x: &[f64]) -> f64 {
        2.0 + (x[0] - 0.3).powi(2) + 3.0 * (x[1] - 0.6).powi(2) + x[0] * x[1]
    }

    #[test]
    fn of_a_smooth_loss_the_best_is_recommended_unless_somebody_knows_of_noise() {
        for noisy in [None, Some(true), Some(false)] {
            let options = Options { noisy, seed: 1, ..Options::default() };
            let mut search = AskTell::new(Space::unit(2), &options).unwrap();
            while search.told() < 80 {
                let losses: Vec<f64> = search.ask().iter().map(|x| bowl(x)).collect();
                search.tell(&losses).unwrap();
            }
            let (best, loss) = search.best().unwrap();
            // The least is 2.09, at (0, 0.6).
            assert!(loss < 2.091, "{noisy:?}: {loss}");
            let exact = noisy != Some(true);
            assert_eq!(search.recommended() == [best.clone()], exact, "{noisy:?}");
            assert_eq!(search.expected(&best).unwrap().is_none(), exact, "{noisy:?}");
        }
    }

    #[test]
    fn near_points_are_asked_unless_somebody_knows_of_noise() {
        for noisy in [None, Some(true)] {
            let mut search = AskTell::new(Space::unit(2), &Options { noisy, ..Options::default() }).unwrap();
            let mut asked: Vec<Vec<f64>> = Vec::new();
            while asked.len() < 8 {
                let points = search.ask();
                search.tell(&points.iter().map(|x| bowl(x)).collect::<Vec<_>>()).unwrap();
                asked.extend(points);
            }
            let pairs = (0..asked.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let apart = |(i, j): (usize, usize)| (asked[i][0] - asked[j][0]).hypot(asked[i][1] - asked[j][1]);
            let nearest = pairs.map(apart).fold(f64::INFINITY, f64::min);
            assert!(if noisy.is_none() { nearest < 1e-6 } else { nearest > 1e-3 }, "{noisy:?}: {nearest}");
        }
    }
}
