//! The portfolio: several optimizers share the evaluations, and what each finds.
//!
//! First the start points, then a probe of the loss. A sum over coordinates is searched axis by axis; a smooth loss is
//! descended from the best point, and from others as long as that pays; the evolution of a distribution, which stands
//! noise and many valleys, runs beside them and alone where the loss is rough; a genetic algorithm takes part, and leads
//! where many genes are choices.

mod axes;
mod descent;
mod desk;
mod probe;

use super::cost::cost;
use super::random::inside;
use super::space::Axis;
use super::{Genome, MakeOptimizer, Optimizer, Purpose, Question, Setup, StopReason, Trial};
use axes::Axes;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::{Entry, Settings, defaults};
use descent::Descent;
use desk::{Archive, Batch, Desk};
use probe::{Kind, Probe};

/// The optimizer's entry.
pub static ENTRY: Entry<MakeOptimizer> = Entry {
    name: "auto",
    doc: "Portfolio: looks what kind of loss it is, then shares the evaluations among descent, CMA-ES and the genetic algorithm.",
    source: "Loshchilov, Schoenauer, Sebag, GECCO 2013 (HCMA), for the idea; docs/optimizers.md",
    params: &[],
    make: MakeOptimizer { usual: true, ..MakeOptimizer::new(make) },
};

fn make(setup: &Setup<'_>) -> Box<dyn Optimizer> {
    let space = setup.space;
    let real = |axis: &Axis| matches!(axis, Axis::Real { low, high, .. } if low < high);
    let choices = space.genes.iter().filter(|g| g.axis.is_choice()).count();
    let global = if MIXED * choices >= space.len().max(1) { &super::ga::ENTRY } else { &super::cma::ENTRY };
    let values = defaults(global.params);
    let inner = Setup { settings: Settings::new(global.params, &values), ..setup.clone() };
    if space.genes.is_empty() || !space.genes.iter().all(|g| real(&g.axis)) {
        // Nothing to probe and to descend: the global search alone.
        return (global.make.make)(&inner);
    }
    let mut start = inside(space, &setup.start);
    start.reverse();
    if start.is_empty() {
        start.push(space.canonical(&vec![0.5; space.len()]));
    }
    let archive = Archive::new(space);
    let mut local = Desk::default();
    local.put(start.clone(), &archive);
    let inner = Setup { seed: setup.seed.child("global", 0), start, ..inner };
    Box::new(Auto {
        seed: setup.seed,
        replicas: setup.replicas,
        parallel: setup.parallel.max(1),
        genes: space.len(),
        archive,
        local,
        shared: Desk::default(),
        best: None,
        kind: Kind::default(),
        turn: Turn::Start,
        probe: None,
        axes: None,
        descent: None,
        global: (global.make.make)(&inner),
        global_best: f64::INFINITY,
        descents: 0,
        spent: [0; 2],
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

/// Whose questions lie on the local desk.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Start,
    Probe,
    Axes,
    Descent,
}

struct Auto {
    seed: Seed,
    replicas: u32,
    parallel: usize,
    genes: usize,
    archive: Archive,
    /// What the start, the probe, the axes or the descent want to know.
    local: Desk,
    /// What the global search wants to know.
    shared: Desk,
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
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        let mut batch = Batch::new(self.parallel);
        self.advance_local();
        self.local.fill(&mut batch, &self.archive);
        // Whatever room a local search leaves is the global one's, so that a batch is full.
        while !batch.is_full() {
            self.advance_global();
            let before = batch.points.len();
            self.shared.fill(&mut batch, &self.archive);
            if batch.points.len() == before {
                break;
            }
        }
        let question = |genome| Question { genome, replicas: 0..self.replicas, purpose: Purpose::Search };
        batch.points.into_iter().map(question).collect()
    }

    fn tell(&mut self, trials: &[Trial]) {
        trials.iter().for_each(|trial| self.archive.insert(trial));
    }

    fn stop(&self) -> Option<StopReason> {
        self.global.stop()
    }

    fn recommend(&self) -> Vec<Genome> {
        self.global.recommend()
    }
}

impl Auto {
    /// Hands answers to the local searches until one wants to know something new, or it is the global search's turn.
    fn advance_local(&mut self) {
        loop {
            if let Some(trials) = self.local.take(&self.archive) {
                self.learn(&trials);
            }
            if !self.local.is_empty() {
                return;
            }
            let points = self.next();
            if points.is_empty() {
                return;
            }
            self.local.put(points, &self.archive);
        }
    }

    /// Hands answers to the global search until it wants to know something new.
    fn advance_global(&mut self) {
        loop {
            if let Some(trials) = self.shared.take(&self.archive) {
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
            self.shared.put(points, &self.archive);
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

    /// Gives complete answers to the local search that asked.
    fn learn(&mut self, trials: &[Trial]) {
        let losses: Vec<f64> = trials.iter().map(loss).collect();
        self.keep_best(trials);
        match self.turn {
            Turn::Start => self.begin_probe(),
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
                    self.kind.smooth &= !descent.rough();
                }
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

    /// What a local search wants to know next; nothing if it is the global search's turn.
    fn next(&mut self) -> Vec<Genome> {
        if let Some(probe) = &self.probe {
            self.turn = Turn::Probe;
            return probe.ask();
        }
        if let Some(axes) = &mut self.axes {
            self.turn = Turn::Axes;
            if let Some(point) = axes.ask() {
                return vec![point];
            }
            self.axes = None;
        }
        if !self.kind.smooth {
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
