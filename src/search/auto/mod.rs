//! The portfolio: several optimizers share the evaluations, and what each finds.
//!
//! First the start points, then a probe of the loss. A sum over coordinates is searched axis by axis; a smooth loss is
//! descended from the best point, and from others as long as that pays; the evolution of a distribution, which stands
//! noise and many valleys, runs beside them and alone where the loss is rough; a genetic algorithm takes part, and leads
//! where many genes are choices.

mod axes;
mod descent;
mod probe;

use super::random::inside;
use super::space::Axis;
use super::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use crate::math::rng::{Seed, unit};
use crate::registry::{Entry, Settings, defaults};
use axes::Axes;
use descent::Descent;
use probe::{Kind, Probe};
use std::collections::BTreeMap;

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "auto",
    doc: "Portfolio: looks what kind of loss it is, then shares the evaluations among descent, CMA-ES and the genetic algorithm.",
    source: "Loshchilov, Schoenauer, Sebag, GECCO 2013 (HCMA), for the idea; docs/optimizers.md",
    params: &[],
    make,
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let space = setup.space;
    let numeric = space.genes.iter().all(|g| matches!(g.axis, Axis::Real { low, high, .. } if low < high));
    let mut start = inside(space, &setup.start);
    if start.is_empty() {
        start.push(space.canonical(&vec![0.5; space.len()]));
    }
    let choices = space.genes.iter().filter(|g| g.axis.is_choice()).count();
    let global = if MIXED * choices >= space.len().max(1) { &super::ga::ENTRY } else { &super::cma::ENTRY };
    let values = defaults(global.params);
    let inner = Setup { settings: Settings::new(global.params, &values), ..setup.clone() };
    if !numeric {
        // Nothing to probe and to descend: the global search alone.
        return (global.make)(&inner);
    }
    let inner = Setup { seed: setup.seed.child("global", 0), start: start.iter().rev().cloned().collect(), ..inner };
    Box::new(Auto {
        seed: setup.seed,
        replicas: setup.replicas,
        parallel: setup.parallel.max(1),
        genes: space.len(),
        start,
        best: None,
        kind: Kind::default(),
        turn: Turn::Start,
        probe: None,
        axes: None,
        descent: None,
        global: (global.make)(&inner),
        global_best: f64::INFINITY,
        descents: 0,
        spent: [0; 2],
        wanted: Vec::new(),
        known: BTreeMap::new(),
    })
}

/// From one choice in so many genes on the genetic algorithm is the global search, else CMA-ES. Chosen here: between words there
/// is no distance for a distribution to learn.
const MIXED: usize = 3;
/// Share of the evaluations that a descent may take while its point is the best. Chosen here: of 0.5, 0.7 and 0.8 on 24 test
/// functions (docs/optimizers.md) the middle.
const LEADING: f64 = 0.7;
/// The same while the global search is ahead. Chosen here, with it.
const FOLLOWING: f64 = 0.2;
/// Evaluations for each gene that the first descent may take beyond its share. Chosen here: 10, 20 and 30 did alike.
const GRACE: f64 = 20.0;
/// A new descent from anywhere begins when all took less than this share. Chosen here: as [`FOLLOWING`].
const AGAIN: f64 = 0.2;

/// Who asks.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Start,
    Probe,
    Axes,
    Descent,
    Global,
}

struct Auto {
    seed: Seed,
    replicas: u32,
    genes: usize,
    /// Start points, last one first.
    start: Vec<Genome>,
    best: Option<(Genome, f64)>,
    kind: Kind,
    turn: Turn,
    probe: Option<Probe>,
    axes: Option<Axes>,
    descent: Option<Descent>,
    global: Box<dyn Optimizer>,
    /// Best loss that the global search found by itself.
    global_best: f64,
    descents: u64,
    /// Evaluations of the descents and of the global search.
    spent: [u64; 2],
    parallel: usize,
    /// What the one whose turn it is wants to know, and the answers so far.
    wanted: Vec<(Question, Option<Trial>)>,
    /// All answers by the bits of the candidate: nobody's question is asked twice.
    known: BTreeMap<Vec<u64>, Trial>,
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        loop {
            let open = self.wanted.iter().filter(|w| w.1.is_none()).map(|w| w.0.clone());
            let open: Vec<Question> = open.take(self.parallel).collect();
            if !open.is_empty() {
                return open;
            }
            if !self.wanted.is_empty() {
                self.deliver();
            }
            self.turn = self.next();
            let points = match self.turn {
                Turn::Start => self.start.drain(..).rev().collect(),
                Turn::Probe => self.probe.as_ref().map_or(Vec::new(), Probe::ask),
                Turn::Axes => self.axes.as_mut().and_then(Axes::ask).into_iter().collect(),
                Turn::Descent => self.descent.as_ref().map_or(Vec::new(), Descent::ask),
                Turn::Global => self.global.ask().into_iter().map(|q| q.genome).collect(),
            };
            if points.is_empty() {
                match self.turn {
                    Turn::Global => return Vec::new(),
                    Turn::Axes => self.axes = None,
                    _ => {}
                }
            }
            let replicas = self.replicas;
            let question = |genome| Question { genome, replicas: 0..replicas, purpose: Purpose::Search };
            let known = &self.known;
            let want = |q: Question| (q.clone(), known.get(&bits(&q.genome)).cloned());
            self.wanted = points.into_iter().map(question).map(want).collect();
        }
    }

    fn tell(&mut self, trials: &[Trial]) {
        for trial in trials {
            self.known.insert(bits(&trial.question.genome), trial.clone());
        }
        for (question, answer) in self.wanted.iter_mut().filter(|w| w.1.is_none()) {
            *answer = self.known.get(&bits(&question.genome)).cloned();
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.global.stop()
    }
}

impl Auto {
    /// Gives complete answers to the one who asked.
    fn deliver(&mut self) {
        let trials: Vec<Trial> = self.wanted.drain(..).filter_map(|w| w.1).collect();
        let losses: Vec<f64> = trials.iter().map(loss).collect();
        for (trial, &loss) in trials.iter().zip(&losses) {
            if self.best.as_ref().is_none_or(|b| loss < b.1) {
                self.best = Some((trial.question.genome.clone(), loss));
            }
        }
        match self.turn {
            Turn::Start => {
                if self.start.is_empty() {
                    self.begin_probe();
                }
            }
            Turn::Probe => {
                if let Some(kind) = self.probe.as_mut().and_then(|probe| probe.tell(&losses)) {
                    self.learn_kind(kind);
                }
            }
            Turn::Axes => {
                if let Some(axes) = &mut self.axes {
                    axes.tell(losses[0]);
                }
            }
            Turn::Descent => {
                self.spent[0] += losses.len() as u64;
                if let Some(descent) = &mut self.descent {
                    descent.tell(&losses);
                }
            }
            Turn::Global => {
                self.spent[1] += losses.len() as u64;
                self.global_best = losses.iter().fold(self.global_best, |a, &b| a.min(b));
                self.global.tell(&trials);
            }
        }
    }

    fn learn_kind(&mut self, kind: Kind) {
        self.kind = kind;
        self.probe = None;
        match self.best.clone().filter(|b| b.1.is_finite()) {
            Some((x, loss)) if kind.separable => self.axes = Some(Axes::from(x, loss)),
            Some((x, loss)) if kind.smooth => self.descent = Some(Descent::from(x, Some(loss))),
            _ => {}
        }
    }

    fn begin_probe(&mut self) {
        let Some((x, loss)) = self.best.clone().filter(|b| b.1.is_finite()) else { return };
        let mut rng = self.seed.child("probe", 0).rng();
        let far = (0..self.genes).map(|_| unit(&mut rng)).collect();
        self.probe = Some(Probe::new(x, loss, far));
    }

    /// Who asks next.
    fn next(&mut self) -> Turn {
        if !self.start.is_empty() {
            return Turn::Start;
        }
        if self.probe.is_some() {
            return Turn::Probe;
        }
        if self.axes.is_some() {
            return Turn::Axes;
        }
        if !self.kind.smooth {
            return Turn::Global;
        }
        let total = (self.spent[0] + self.spent[1]) as f64;
        let mut running = self.descent.as_ref().is_some_and(|d| !d.ended());
        if !running && (self.spent[0] as f64) < AGAIN * total {
            self.descents += 1;
            let mut rng = self.seed.child("descent", self.descents).rng();
            self.descent = Some(Descent::from((0..self.genes).map(|_| unit(&mut rng)).collect(), None));
            running = true;
        }
        let leads = self.descent.as_ref().is_some_and(|d| d.at().1 <= self.global_best);
        let share = if leads { LEADING } else { FOLLOWING };
        let grace = GRACE * self.genes as f64;
        if running && (self.spent[0] as f64) < share * total + grace { Turn::Descent } else { Turn::Global }
    }
}

/// The loss of a feasible trial, infinite for the others.
fn loss(trial: &Trial) -> f64 {
    let loss = trial.objectives.first().copied().unwrap_or(f64::INFINITY);
    if trial.is_done() && trial.violation <= 0.0 && loss.is_finite() { loss } else { f64::INFINITY }
}

fn bits(genome: &[f64]) -> Vec<u64> {
    genome.iter().map(|u| (u + 0.0).to_bits()).collect()
}
