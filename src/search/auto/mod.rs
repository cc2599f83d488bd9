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
use crate::registry::Entry;
use axes::Axes;
use descent::Descent;
use probe::{Kind, Probe};

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
    let global = &super::ga::ENTRY;
    let values = crate::registry::defaults(global.params);
    let inner = Setup {
        space,
        seed: setup.seed.child("global", 0),
        parallel: 1,
        replicas: setup.replicas,
        start: Vec::new(),
        objectives: 1,
        measures: Vec::new(),
        settings: crate::registry::Settings::new(global.params, &values),
    };
    Box::new(Auto {
        seed: setup.seed,
        replicas: setup.replicas,
        genes: space.len(),
        numeric,
        start,
        best: None,
        kind: Kind::default(),
        stage: Stage::Start,
        global: (global.make)(&inner),
        descents: 0,
        spent: [0; 2],
    })
}

/// Who asked last.
enum Stage {
    Start,
    Probe(Probe),
    Axes(Axes),
    Descent(Descent),
    Global,
}

struct Auto {
    seed: Seed,
    replicas: u32,
    genes: usize,
    /// Only real genes: descent and axes may be used.
    numeric: bool,
    /// Start points, last one first.
    start: Vec<Genome>,
    best: Option<(Genome, f64)>,
    kind: Kind,
    stage: Stage,
    global: Box<dyn Optimizer>,
    descents: u64,
    /// Evaluations of the descents and of the global search.
    spent: [u64; 2],
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        loop {
            let points = match &mut self.stage {
                Stage::Start => self.start.pop().into_iter().collect(),
                Stage::Probe(probe) => probe.ask(),
                Stage::Axes(axes) => axes.ask().into_iter().collect(),
                Stage::Descent(descent) => descent.ask(),
                Stage::Global => return self.global.ask(),
            };
            if !points.is_empty() {
                let replicas = self.replicas;
                let question = |genome| Question { genome, replicas: 0..replicas, purpose: Purpose::Search };
                return points.into_iter().map(question).collect();
            }
            self.stage = self.next();
        }
    }

    fn tell(&mut self, trials: &[Trial]) {
        let losses: Vec<f64> = trials.iter().map(loss).collect();
        for (trial, &loss) in trials.iter().zip(&losses) {
            if self.best.as_ref().is_none_or(|b| loss < b.1) {
                self.best = Some((trial.question.genome.clone(), loss));
            }
        }
        match &mut self.stage {
            Stage::Start => {}
            Stage::Probe(probe) => {
                if let Some(kind) = probe.tell(&losses) {
                    self.kind = kind;
                    self.stage = self.next();
                }
            }
            Stage::Axes(axes) => axes.tell(losses[0]),
            Stage::Descent(descent) => {
                self.spent[0] += losses.len() as u64;
                descent.tell(&losses);
            }
            Stage::Global => {
                self.spent[1] += losses.len() as u64;
                self.global.tell(trials);
                self.stage = self.next();
            }
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.global.stop()
    }
}

impl Auto {
    /// Who asks next.
    fn next(&mut self) -> Stage {
        let best = self.best.clone().filter(|b| b.1.is_finite());
        match (&self.stage, best) {
            (Stage::Start, Some((x, loss))) if self.numeric => {
                let mut rng = self.seed.child("probe", 0).rng();
                let far = (0..self.genes).map(|_| unit(&mut rng)).collect();
                Stage::Probe(Probe::new(x, loss, far))
            }
            (Stage::Probe(_), Some((x, loss))) if self.kind.separable => Stage::Axes(Axes::from(x, loss)),
            (Stage::Probe(_), Some((x, loss))) if self.kind.smooth => Stage::Descent(Descent::from(x, Some(loss))),
            (_, Some(_)) if self.kind.smooth && self.spent[0] <= self.spent[1] / 2 => {
                self.descents += 1;
                let mut rng = self.seed.child("descent", self.descents).rng();
                Stage::Descent(Descent::from((0..self.genes).map(|_| unit(&mut rng)).collect(), None))
            }
            _ => Stage::Global,
        }
    }
}

/// The loss of a feasible trial, infinite for the others.
fn loss(trial: &Trial) -> f64 {
    let loss = trial.objectives.first().copied().unwrap_or(f64::INFINITY);
    if trial.is_done() && trial.violation <= 0.0 && loss.is_finite() { loss } else { f64::INFINITY }
}
