//! An experiment without a simulator: a cheap pure function stands in its place.

use crowdtune::evolve::StopRules;
use crowdtune::evolve::evaluate::{self, Evaluate, Job, Measured};
use crowdtune::evolve::experiment::{
    Binding, Case, CaseColumn, Experiment, GroupBinding, Replication, Search, Timing, TraitBinding,
};
use crowdtune::evolve::log::{self, Journal, MemoryLog};
use crowdtune::evolve::run::{Finished, Silent, Stopped, evolve};
use crowdtune::target::{Combine, Target, Wanted};
use crowdtune_core::Error;
use crowdtune_core::math::rng::{Seed, unit};
use crowdtune_core::registry::{Entry, defaults};
use crowdtune_search::{Axis, Gene, MakeOptimizer, OPTIMIZERS, Outcome, Prior, Purpose, Question, Space, Trial};
use crowdtune_sim::metrics::{MakeMetric, Metric, Seen, Spec, Window};
use crowdtune_sim::models::MODELS;
use crowdtune_sim::world::scenario::{FloorPlan, Group, Scenario};
use crowdtune_sim::world::{FieldCache, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What the fake simulators call themselves.
pub const ENGINE: &str = "fake";

struct Nothing;

impl Metric for Nothing {
    fn observe(&mut self, _: &Seen<'_>) {}
    fn value(&self) -> Option<f64> {
        None
    }
    fn reset(&mut self) {}
}

fn nothing(_: &Spec, _: &Scenario) -> Box<dyn Metric> {
    Box::new(Nothing)
}

static METRIC: Entry<MakeMetric> = Entry {
    name: "fake",
    doc: "a number",
    source: "chosen here: a test",
    params: &[],
    make: MakeMetric::new(&nothing, "s"),
};

fn scenario(name: &str) -> Scenario {
    let plan = FloorPlan { ..FloorPlan::default() };
    let world = World::new(plan, &mut FieldCache::default()).unwrap();
    let groups = vec![Group { name: "people".into(), ..Group::default() }];
    Scenario { name: name.into(), world: Arc::new(world), groups, limit_s: 1.0, give_up_s: None, tracks: None }
}

fn case(name: &str, table: &str, width: f64, held_out: bool, replicas: u32) -> Case {
    let model = MODELS[0];
    let mut constants: Vec<_> = defaults(model.params).into_iter().map(Binding::Fixed).collect();
    constants[0] = Binding::Gene(0);
    constants[1] = Binding::Gene(1);
    let people =
        [1.34, 5.0, 0.2, 80.0, 0.0].map(|x| TraitBinding::Drawn(crowdtune_sim::crowd::people::Distribution::Fixed(x)));
    Case {
        name: name.into(),
        table: table.into(),
        axes: vec![("width_m".into(), width)],
        held_out,
        scenario: scenario(table).into(),
        replicas,
        groups: vec![GroupBinding { steered_by: model, model: constants, seen_by: Vec::new(), people }],
        settings: Default::default(),
        columns: vec![Some(CaseColumn { at: None, window: Window::All, group: None, center: None }); 2],
    }
}

/// Two genes, two tables with one held-out case, a target and a measure.
pub fn experiment(optimizer: &'static Entry<MakeOptimizer>, evaluations: u64) -> Experiment {
    let column = |name: &str, wanted| Target {
        settings: Vec::new(),
        name: name.into(),
        metric: &METRIC,
        wanted,
        scenario: None,
        combine: Combine::Mean,
        weight: 1.0,
        must: false,
        objective: 0,
    };
    let real = |key: &str, low, high| Gene { key: key.into(), axis: Axis::Real { low, high, log: true } };
    Experiment {
        name: "fake".into(),
        title: "A fake".into(),
        model: MODELS[0],
        engine: None,
        space: Space {
            genes: vec![
                real("parameters.repulsion_strength_n", 50.0, 5000.0),
                real("parameters.repulsion_range_m", 0.02, 1.0),
            ],
        },
        defaults: vec![2000.0, 0.08],
        start: vec![2000.0, 0.08],
        priors: vec![Prior::Uniform; 2],
        cases: vec![
            case("neck[width_m=0.8]", "neck", 0.8, false, 3),
            case("neck[width_m=0.9]", "neck", 0.9, true, 3),
            case("room", "room", 1.0, false, 2),
        ],
        columns: vec![column("time", Some(Wanted::Minimize { good: 0.0, bad: 1.0 })), column("watched", None)],
        atlas: Vec::new(),
        objectives: vec!["loss".into()],
        preference: Vec::new(),
        timing: Timing {
            time_step_s: 0.01,
            sample_every_s: 0.1,
            record_every_s: 0.1,
            max_overlap_share: 1.0,
            max_backward_share: 1.0,
        },
        search: Search {
            optimizer,
            settings: defaults(optimizer.params),
            evaluations,
            parallel: 4,
            seed: 7,
            finalists: 3,
            select_replicas: 4,
            report_replicas: 5,
            profile_share: 0.0,
            replication: Replication::Fixed,
            max_replicas: 12,
            stop: StopRules::default(),
            repeats: 1,
        },
        resolved: "format = 1\n".into(),
        digest: "d1".into(),
        warnings: Vec::new(),
        inputs: Vec::new(),
    }
}

/// A registered optimizer.
pub fn registered(name: &str) -> &'static Entry<MakeOptimizer> {
    crowdtune_core::registry::find(OPTIMIZERS, name).unwrap()
}

/// The fake simulator: a bowl with noise from the seed; runs in one corner of the space fail, and the last case costs most.
pub fn bowl(job: &Job<'_>) -> Result<Measured, Error> {
    let Job { experiment, case, genes, seed } = *job;
    let noise = unit(&mut seed.rng());
    if genes[0] > 3000.0 && noise > 0.5 {
        return Err(Error::nothing(format!("a speed of {} m/s", genes[0])));
    }
    let x = libm::log(genes[0] / 300.0);
    let y = libm::log(genes[1] / 0.3);
    let value = x * x + y * y + 0.1 * noise + 0.01 * experiment.cases[case].axes[0].1;
    Ok(Measured { values: vec![Some(value), (noise > 0.1).then_some(noise)], work: 10 + 1000 * case as u64 })
}

/// An evaluator that answers by any function of question and replica.
pub struct By<'a>(pub &'a Experiment, pub &'a Answer);

/// The value of the target for a question, its decoded genes and a replica, or why the run failed.
pub type Answer = dyn Fn(&Question, &[f64], u32) -> Result<f64, String>;

impl Evaluate for By<'_> {
    fn engine(&self) -> &str {
        ENGINE
    }

    fn evaluate(
        &self,
        ask: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (question, id) in ask.iter().zip(first_id..) {
            let genes = self.0.space.decode(&question.genome);
            let one = |r| self.1(question, &genes, r).map(|value| vec![Some(value), Some(0.5)]);
            let runs: Result<Vec<_>, String> = question.replicas.clone().map(one).collect();
            let (runs, failure) = runs.map_or_else(|why| (vec![], Some(why)), |runs| (runs, None));
            let trial = evaluate::trial(self.0, id, question.clone(), vec![runs, vec![], vec![]]);
            done(match failure {
                None => trial,
                Some(why) => Trial { outcome: Outcome::Failed(why), objectives: Vec::new(), ..trial },
            })?;
        }
        Ok(())
    }
}

/// An evaluator that answers with the mean of a bowl over the replicas, without the machinery of the real one.
pub struct Fake<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Number of answers after which the flag is set, and the flag.
    pub cancel_after: Option<(u64, &'a AtomicBool)>,
    /// Number of answers given.
    pub answered: AtomicU64,
}

impl<'a> Fake<'a> {
    /// Answers all questions of this experiment.
    pub fn new(experiment: &'a Experiment) -> Self {
        Self { experiment, cancel_after: None, answered: AtomicU64::new(0) }
    }
}

impl Evaluate for Fake<'_> {
    fn engine(&self) -> &str {
        ENGINE
    }

    fn evaluate(
        &self,
        ask: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (question, id) in ask.iter().zip(first_id..) {
            if self.cancel_after.is_some_and(|(_, cancel)| cancel.load(Ordering::Relaxed)) {
                return Err(Error::interrupted("interrupted"));
            }
            done(answer(self.experiment, question, id))?;
            let answered = self.answered.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some((after, cancel)) = self.cancel_after
                && answered >= after
            {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

fn answer(experiment: &Experiment, question: &Question, id: u64) -> Trial {
    let genes = experiment.space.decode(&question.genome);
    let stream = match question.purpose {
        Purpose::Search => "a",
        Purpose::Select => "b",
        Purpose::Report | Purpose::Baseline => "c",
        Purpose::Profile => "d",
    };
    let mut values = experiment.empty_values();
    let mut sum = 0.0;
    for replica in question.replicas.clone() {
        let seed = Seed(1).child(stream, u64::from(replica));
        match bowl(&Job { experiment, case: 0, genes: &genes, seed }) {
            Ok(run) => {
                sum += run.values[0].unwrap();
                values[0].push(run.values);
            }
            Err(error) => {
                values[0].push(Vec::new());
                let (question, outcome) = (question.clone(), Outcome::Failed(error.what().to_string()));
                return Trial {
                    id,
                    question,
                    outcome,
                    objectives: Vec::new(),
                    violation: 0.0,
                    measures: Vec::new(),
                    values,
                };
            }
        }
    }
    let objectives = vec![sum / question.replicas.len() as f64];
    Trial {
        id,
        question: question.clone(),
        outcome: Outcome::Done,
        objectives,
        violation: 0.0,
        measures: Vec::new(),
        values,
    }
}

/// Continues a run to its end, from what the journal has.
pub fn go(experiment: &Experiment, journal: &mut dyn Journal) -> Result<Finished, Error> {
    evolve(experiment, &Fake::new(experiment), journal, &mut Silent, &AtomicBool::new(false))
}

/// A search of the fake simulator with these rows, ended for this reason.
pub fn finished(trials: &[Trial], stopped: Stopped) -> Finished {
    Finished { engine: ENGINE.into(), trials: trials.to_vec(), stopped }
}

/// The log of a whole run.
pub fn bytes(experiment: &Experiment) -> Vec<u8> {
    let mut journal = MemoryLog::default();
    go(experiment, &mut journal).unwrap();
    journal.0
}

/// The search rows of a log, numbered from 0.
pub fn search_rows(bytes: &[u8]) -> Vec<Trial> {
    let trials = log::parse(bytes, "log").unwrap().trials;
    let rows = trials.into_iter().filter(|t| t.question.purpose == Purpose::Search);
    rows.zip(0..).map(|(t, id)| Trial { id, ..t }).collect()
}

/// Cuts the log at many places (all ends of lines, one byte around them, and every `step` bytes) and resumes each.
pub fn cut_everywhere(experiment: &Experiment, start: usize, full: &[u8], step: usize) {
    let ends = full.iter().enumerate().filter(|(_, b)| **b == b'\n').flat_map(|(at, _)| [at, at + 1, at + 2]);
    let cuts: Vec<usize> =
        ends.chain((0..full.len()).step_by(step)).filter(|c| *c >= start && *c <= full.len()).collect();
    assert!(cuts.len() > 20);
    for cut in cuts {
        let mut journal = MemoryLog(full[..cut].to_vec());
        go(experiment, &mut journal).unwrap();
        assert!(journal.0 == full, "another log after a cut at byte {cut} of {}", full.len());
    }
}
