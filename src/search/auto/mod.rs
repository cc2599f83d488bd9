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
    let global = &super::cma::ENTRY;
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
        turn: Turn::Start,
        probe: None,
        axes: None,
        descent: None,
        global_best: f64::INFINITY,
        global: (global.make)(&inner),
        descents: 0,
        spent: [0; 2],
    })
}

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
    /// Only real genes: descent and axes may be used.
    numeric: bool,
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
}

impl Optimizer for Auto {
    fn ask(&mut self) -> Vec<Question> {
        loop {
            self.turn = self.next();
            let points: Vec<Genome> = match self.turn {
                Turn::Start => self.start.pop().into_iter().collect(),
                Turn::Probe => self.probe.as_ref().map_or(Vec::new(), Probe::ask),
                Turn::Axes => self.axes.as_mut().and_then(Axes::ask).into_iter().collect(),
                Turn::Descent => self.descent.as_ref().map_or(Vec::new(), Descent::ask),
                Turn::Global => return self.global.ask(),
            };
            if points.is_empty() {
                self.axes = None;
                continue;
            }
            let replicas = self.replicas;
            let question = |genome| Question { genome, replicas: 0..replicas, purpose: Purpose::Search };
            return points.into_iter().map(question).collect();
        }
    }

    fn tell(&mut self, trials: &[Trial]) {
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
                    self.kind = kind;
                    self.probe = None;
                    let best = self.best.clone().filter(|b| b.1.is_finite());
                    match best {
                        Some((x, loss)) if kind.separable => self.axes = Some(Axes::from(x, loss)),
                        Some((x, loss)) if kind.smooth => self.descent = Some(Descent::from(x, Some(loss))),
                        _ => {}
                    }
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
                self.global.tell(trials);
            }
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.global.stop()
    }
}

fn knob(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

impl Auto {
    fn begin_probe(&mut self) {
        let Some((x, loss)) = self.best.clone().filter(|b| b.1.is_finite() && self.numeric) else { return };
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
        if !running && (self.spent[0] as f64) < knob("Q3", 0.2) * total {
            self.descents += 1;
            let mut rng = self.seed.child("descent", self.descents).rng();
            self.descent = Some(Descent::from((0..self.genes).map(|_| unit(&mut rng)).collect(), None));
            running = true;
        }
        let leads = self.descent.as_ref().is_some_and(|d| d.at().1 <= self.global_best);
        let share = if leads { knob("Q1", 0.5) } else { knob("Q2", 0.2) };
        let grace = knob("A", 10.0) * self.genes as f64;
        if running && (self.spent[0] as f64) < share * total + grace { Turn::Descent } else { Turn::Global }
    }
}

/// The loss of a feasible trial, infinite for the others.
fn loss(trial: &Trial) -> f64 {
    let loss = trial.objectives.first().copied().unwrap_or(f64::INFINITY);
    if trial.is_done() && trial.violation <= 0.0 && loss.is_finite() { loss } else { f64::INFINITY }
}
