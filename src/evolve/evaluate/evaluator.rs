//! The evaluator: a question's genome becomes numbers once, each of its runs a job, and what answers the jobs is this library's
//! simulator or a function in its place. Who works is another matter: [`Workers`].

use super::Evaluate;
use super::batch::{Assembly, Place, Plan, Ran, Workers, finish};
use super::simulate::{Measured, measured, run_seed};
use crate::evolve::experiment::Experiment;
use crate::evolve::log::simulated_by;
use crowdtune_core::math::rng::Seed;
use crowdtune_core::{Class, Error};
use crowdtune_search::{Purpose, Question, Trial, bits};
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// One run of one case for one candidate.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// Index of the case in [`Experiment::cases`].
    pub case: usize,
    /// Decoded genes of the candidate, in the order and the units of [`Experiment::space`].
    pub genes: &'a [f64],
    /// All randomness of the run comes from it.
    pub seed: Seed,
}

/// What was measured and, if that is known, when people left, s.
type Run<'a> = dyn Fn(&Job<'_>) -> Result<(Measured, Option<Vec<f64>>), Error> + Send + Sync + 'a;

/// What does the runs, by its name: this library's simulator, or a function in its place.
pub(super) struct Simulator<'a> {
    engine: String,
    run: Box<Run<'a>>,
    left: Left,
}

/// A run: its case, the bits of its genes, and its seed.
type RunKey = (usize, Vec<u64>, u64);

/// When people left in the runs of the report, s. The report draws it, and need not simulate again.
#[derive(Debug, Default)]
struct Left(Mutex<HashMap<RunKey, Vec<f64>>>);

impl Left {
    fn key(job: &Job<'_>) -> RunKey {
        (job.case, bits(job.genes), job.seed.0)
    }

    fn note(&self, job: &Job<'_>, left_s: Vec<f64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(Self::key(job), left_s);
    }

    fn of(&self, job: &Job<'_>) -> Option<Vec<f64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&Self::key(job)).cloned()
    }
}

impl<'a> Simulator<'a> {
    /// That of an experiment: its engine, or this library's simulator.
    pub fn of(experiment: &Experiment) -> Self {
        let is_own = experiment.engine.is_none();
        let run = move |job: &Job<'_>| {
            let (measured, left_s) = measured(job.experiment, job.case, job.genes, job.seed)?;
            Ok((measured, is_own.then_some(left_s)))
        };
        Self { engine: simulated_by(experiment).to_string(), run: Box::new(run), left: Left::default() }
    }

    /// A function that measures a run, or says why the run cannot be trusted.
    pub fn new<M: Into<Measured>>(engine: &str, run: impl Fn(&Job<'_>) -> Result<M, Error> + Send + Sync + 'a) -> Self {
        let run = move |job: &Job<'_>| Ok((run(job)?.into(), None));
        Self { engine: engine.to_string(), run: Box::new(run), left: Left::default() }
    }

    /// A run for this purpose.
    fn run(&self, job: &Job<'_>, purpose: Purpose) -> Result<Measured, Error> {
        let (measured, left_s) = (self.run)(job)?;
        if let (Purpose::Report | Purpose::Baseline, Some(left_s)) = (purpose, left_s) {
            self.left.note(job, left_s);
        }
        Ok(measured)
    }
}

impl fmt::Debug for Simulator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// Answers questions with the runs that its workers do; [`super::Pool`] and [`super::Serial`] are the two.
#[derive(Debug)]
pub struct Evaluator<'a, W> {
    experiment: &'a Experiment,
    simulator: Simulator<'a>,
    cancel: &'a AtomicBool,
    pub(super) workers: W,
}

impl<'a, W> Evaluator<'a, W> {
    /// An evaluator that stops after the running simulations when `cancel` is set.
    pub(super) fn of(experiment: &'a Experiment, cancel: &'a AtomicBool, workers: W) -> Self {
        Self { experiment, simulator: Simulator::of(experiment), cancel, workers }
    }

    /// The same with a function in place of this library's simulator. `engine` names it, with its version where that matters. The
    /// function returns a [`Measured`], or just the value of each column of the experiment (`None` if the run has none), or an error if
    /// the run cannot be trusted; the log keeps [`Error::what`]. Panics are caught.
    #[must_use]
    pub fn with<M: Into<Measured>>(
        self,
        engine: &str,
        run: impl Fn(&Job<'_>) -> Result<M, Error> + Send + Sync + 'a,
    ) -> Self {
        Self { simulator: Simulator::new(engine, run), ..self }
    }
}

impl<W: Workers> Evaluate for Evaluator<'_, W> {
    fn engine(&self) -> &str {
        &self.simulator.engine
    }

    fn evaluate(
        &self,
        questions: &[Question],
        first_id: u64,
        done: &mut dyn FnMut(Trial) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let plan = Plan::new(self.experiment, questions);
        let runs = Runs::new(&plan, &self.simulator);
        let mut assembly = Assembly::new(&plan, first_id);
        self.workers.each(&plan, self.cancel, &|index| runs.run(index), &mut |index, ran| {
            if let Ran::Broken(error) = ran {
                return Err(error);
            }
            assembly.put(index, ran);
            assembly.hand_over(done)
        })?;
        finish(assembly, done)
    }

    fn left_s(&self, job: &Job<'_>) -> Option<Vec<f64>> {
        self.simulator.left.of(job)
    }
}

/// The runs of a plan.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    plan: &'a Plan<'a>,
    simulator: &'a Simulator<'a>,
    /// Decoded genes of each question.
    genes: Vec<Vec<f64>>,
    /// The first run of each question that has failed so far.
    failed: Vec<AtomicUsize>,
}

impl<'a> Runs<'a> {
    /// Decodes the genomes.
    pub fn new(plan: &'a Plan<'a>, simulator: &'a Simulator<'a>) -> Self {
        let genes = plan.questions.iter().map(|q| plan.experiment.space.decode(&q.genome)).collect();
        let failed = plan.questions.iter().map(|_| AtomicUsize::new(usize::MAX)).collect();
        Self { plan, simulator, genes, failed }
    }

    /// Does a run. Panics in it are caught: one bad corner of the space must not end a night's search.
    pub fn run(&self, index: usize) -> Ran {
        let Place { question, case, replica } = self.plan.place(index);
        let failed = &self.failed[question];
        if failed.load(Ordering::Relaxed) < index {
            return Ran::Skipped;
        }
        let Plan { experiment, questions, .. } = self.plan;
        let name = &experiment.cases[case].table;
        let purpose = questions[question].purpose;
        let seed = run_seed(experiment.search.seed, purpose, name, replica);
        let job = Job { experiment, case, genes: &self.genes[question], seed };
        let reason = match catch_unwind(AssertUnwindSafe(|| self.simulator.run(&job, purpose))) {
            Ok(Ok(measured)) => return Ran::Done(measured),
            // That is no fault of the candidate: every other run would fail too.
            Ok(Err(error)) if error.class() == Class::Environment => return Ran::Broken(error),
            Ok(Err(error)) => error.what().to_string(),
            Err(panic) => format!("panic: {}", message(panic.as_ref())),
        };
        failed.fetch_min(index, Ordering::Relaxed);
        Ran::Failed(format!("{}, replica {replica}: {reason}", experiment.cases[case].name))
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::{Serial, run_recorded};
    use super::*;
    use crate::evolve::experiment::no_files;
    use crate::registry::Registry;

    /// A room that twelve people leave.
    pub(crate) fn twelve_leave() -> Experiment {
        let text = r#"
            model = "social_force"
            parameters.relaxation_time_s = { range = [0.1, 2.0] }
            scenario.out = { kind = "room", count = 12 }
            target.time = { metric = "evacuation_time_95_s", minimize = { good = 10.0, bad = 60.0 } }
        "#;
        Experiment::load(&Registry::builtin(), text, "left.toml", &[], &mut no_files).unwrap()
    }

    #[test]
    fn when_people_left_in_the_report_is_known_and_is_what_a_recording_shows() {
        let experiment = twelve_leave();
        let never = AtomicBool::new(false);
        let genes = experiment.space.decode(&[0.3]);
        let job = |purpose, replica| {
            let seed = run_seed(experiment.search.seed, purpose, &experiment.cases[0].table, replica);
            Job { experiment: &experiment, case: 0, genes: &genes, seed }
        };
        let questions =
            [Purpose::Search, Purpose::Report].map(|purpose| Question { purpose, genome: vec![0.3], replicas: 0..2 });
        let own = Serial::new(&experiment, &never);
        own.evaluate(&questions, 0, &mut |_| Ok(())).unwrap();
        for replica in 0..2 {
            let report = job(Purpose::Report, replica);
            let track = run_recorded(&experiment, 0, &genes, report.seed).unwrap().track;
            let mut recorded: Vec<f64> = track.left_s.into_iter().flatten().collect();
            recorded.sort_by(f64::total_cmp);
            assert_eq!((own.left_s(&report), recorded.len()), (Some(recorded), 12));
            assert_eq!(own.left_s(&job(Purpose::Search, replica)), None);
        }
        assert_eq!(own.left_s(&job(Purpose::Report, 2)), None);
        let genome = experiment.space.encode(&experiment.defaults);
        own.evaluate(&[Question { purpose: Purpose::Baseline, genome, replicas: 0..1 }], 2, &mut |_| Ok(())).unwrap();
        let published = Job { genes: &experiment.defaults, ..job(Purpose::Report, 0) };
        assert_eq!(own.left_s(&published).map(|left_s| left_s.len()), Some(12));
        let other = Serial::new(&experiment, &never).with("another", |_: &Job<'_>| Ok(vec![Some(20.0)]));
        other.evaluate(&questions, 0, &mut |_| Ok(())).unwrap();
        assert_eq!(other.left_s(&job(Purpose::Report, 0)), None);
    }
}
