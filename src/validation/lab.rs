//! Where experiments run: a list of runs goes in, their results come out in the same order.

use super::line::Line;
use crate::evolve::evaluate::{run_one, run_seed};
use crate::evolve::experiment::{Experiment, no_files};
use crate::evolve::summary::Figure;
use crate::registry::Registry;
use crowdtune_core::Error;
use crowdtune_search::Purpose;
use crowdtune_sim::crowd::Health;
use crowdtune_sim::crowd::Trajectory;

/// Runs in which two people overlap deeper than this share of the smaller radius cannot be trusted: the default limit of
/// experiment files, which a text may tighten and not loosen.
const DEEP: f64 = 0.9;
/// The same for the share of their time that people walk backwards.
const BACKWARD: f64 = 0.5;

/// The result of one run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The value of each column.
    pub values: Vec<Option<f64>>,
    /// Its numerical health.
    pub health: Health,
    /// Where everybody was, if that was recorded.
    pub track: Option<Trajectory>,
}

/// A run, or why it cannot be trusted.
pub type Tried = Result<Run, Error>;

/// Runs jobs in any order and on any number of threads; the results depend on neither.
pub trait Lab {
    /// Runs `job` for 0 .. `count` and returns the results in this order.
    ///
    /// # Errors
    /// If the machine fails, or the user stops the work.
    fn runs(&self, count: usize, job: &(dyn Fn(usize) -> Tried + Sync)) -> Result<Vec<Tried>, Error>;

    /// Does a piece of work and returns the processor time it took, s. A lab without a clock returns `None` and does not do
    /// the work.
    fn seconds(&self, _work: &mut dyn FnMut()) -> Option<f64> {
        None
    }
}

/// One run after the other.
#[derive(Clone, Copy, Debug)]
pub struct InTurn;

impl Lab for InTurn {
    fn runs(&self, count: usize, job: &(dyn Fn(usize) -> Tried + Sync)) -> Result<Vec<Tried>, Error> {
        Ok((0..count).map(job).collect())
    }
}

/// How a text is run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The model; replaces that of the text.
    pub model: &'a str,
    /// Number of runs of each case, on the seeds of a report.
    pub seeds: u32,
    /// Interval of recorded positions, s; `None`: only the metrics are kept.
    pub record_every_s: Option<f64>,
}

/// The runs of one experiment text with one model.
#[derive(Debug)]
pub struct Ran {
    /// The model.
    pub model: String,
    /// Deepest overlap of a run that can be trusted, as a share of the smaller radius.
    pub deepest: f64,
    /// Largest share of their time that people walk backwards in a run that can be trusted.
    pub most_backward: f64,
    /// The experiment that the text describes.
    pub experiment: Experiment,
    /// The runs of each case.
    pub runs: Vec<Vec<Tried>>,
}

/// Reads an experiment text, and runs each case of it.
///
/// # Errors
/// If the text is wrong or the model cannot run it (a mistake in this folder), or if the lab fails.
pub fn run(lab: &dyn Lab, text: &str, plan: Plan<'_>) -> Result<Ran, Error> {
    run_with(lab, text, plan, &[])
}

/// The same with further keys of the text set.
///
/// # Errors
/// As [`run`].
pub fn run_with(lab: &dyn Lab, text: &str, plan: Plan<'_>, set: &[(&str, &str)]) -> Result<Ran, Error> {
    run_as(lab, text, plan, set, &|_| Ok(()))
}

/// The same of an experiment that `change` has changed.
///
/// # Errors
/// As [`run`], or if `change` fails.
pub fn run_as(
    lab: &dyn Lab,
    text: &str,
    plan: Plan<'_>,
    set: &[(&str, &str)],
    change: &dyn Fn(&mut Experiment) -> Result<(), Error>,
) -> Result<Ran, Error> {
    let mut sets = vec![("model".to_string(), plan.model.to_string())];
    sets.extend(set.iter().map(|(key, value)| (key.to_string(), value.to_string())));
    let mut experiment = Experiment::load(&Registry::builtin(), text, "validation.toml", &sets, &mut no_files)?;
    change(&mut experiment)?;
    let deepest = experiment.timing.max_overlap_share.min(DEEP);
    let most_backward = experiment.timing.max_backward_share.min(BACKWARD);
    // Such a run goes on, so that its line can say how bad it is; [`Ran::judge`] sees to it that no line holds.
    (experiment.timing.max_overlap_share, experiment.timing.max_backward_share) = (f64::MAX, f64::MAX);
    let seeds = plan.seeds as usize;
    let job = |at: usize| {
        let (case, replica) = (at / seeds, (at % seeds) as u32);
        let table = &experiment.cases[case].table;
        let seed = run_seed(experiment.search.seed, Purpose::Report, table, replica);
        let mut track = plan.record_every_s.map(Trajectory::every);
        let (values, health) = run_one(&experiment, case, &experiment.start, seed, track.as_mut())?;
        Ok(Run { values, health, track })
    };
    let mut flat = lab.runs(experiment.cases.len() * seeds, &job)?.into_iter();
    let runs = experiment.cases.iter().map(|_| flat.by_ref().take(seeds).collect()).collect();
    Ok(Ran { model: plan.model.into(), deepest, most_backward, experiment, runs })
}

impl Ran {
    /// Values of a column in a case, one for each run that has one.
    ///
    /// # Panics
    /// If the text has no such column: a program error, found by the tests of this folder.
    pub fn values(&self, case: usize, column: &str) -> Vec<f64> {
        let at = self.experiment.columns.iter().position(|c| c.name == column);
        let at = at.unwrap_or_else(|| panic!("the text measures no `{column}`"));
        self.runs[case].iter().flatten().filter_map(|run| run.values[at]).collect()
    }

    /// The index of a case by its name, `table` or `table[key=value]`.
    ///
    /// # Panics
    /// If there is none: a program error, found by the tests of this folder.
    pub fn case(&self, name: &str) -> usize {
        let at = self.experiment.cases.iter().position(|c| c.name == name);
        at.unwrap_or_else(|| panic!("the text has no case `{name}`"))
    }

    /// Mean of a column in a case with its 95 % interval; empty if a run failed or has no value.
    pub fn figure(&self, case: usize, column: &str) -> Figure {
        let values = self.values(case, column);
        if values.len() == self.runs[case].len() { Figure::mean(&values) } else { Figure::default() }
    }

    /// Cases with the value of their only `each` key.
    pub fn points(&self) -> impl Iterator<Item = (usize, f64)> {
        self.experiment.cases.iter().enumerate().filter_map(|(at, case)| Some((at, case.axes.first()?.1)))
    }

    /// Healthy recordings of a case.
    pub fn tracks(&self, case: usize) -> impl Iterator<Item = &Trajectory> {
        self.runs[case].iter().flatten().filter_map(|run| run.track.as_ref())
    }

    /// Why the runs of some cases cannot be trusted: how many failed and why the first one did, or in how many bodies
    /// overlap or people walk backwards, and how much; empty if all are healthy.
    pub fn trouble(&self, cases: impl IntoIterator<Item = usize>) -> String {
        let tried: Vec<&Tried> = cases.into_iter().flat_map(|case| &self.runs[case]).collect();
        let overlap = beyond(&tried, &|health| health.max_overlap_share, self.deepest).map(|(count, worst, limit)| {
            let all = tried.len();
            format!("bodies overlap in {count} of {all} runs, by up to {worst:.0} % of the smaller radius (limit {limit:.0} %)")
        });
        let other = Some(self.beside_overlap(&tried)).filter(|words| !words.is_empty());
        overlap.into_iter().chain(other).collect::<Vec<_>>().join("; ")
    }

    /// The same of all runs without what overlap says, for a line whose number is that overlap.
    pub fn trouble_beside_overlap(&self) -> String {
        self.beside_overlap(&self.runs.iter().flatten().collect::<Vec<_>>())
    }

    fn beside_overlap(&self, tried: &[&Tried]) -> String {
        let all = tried.len();
        if all == 0 {
            return "no run was made".into();
        }
        let failed: Vec<&Error> = tried.iter().filter_map(|run| run.as_ref().err()).collect();
        if let Some(first) = failed.first() {
            return format!("{} of {all} runs failed: {}", failed.len(), first.what());
        }
        let back = beyond(tried, &|health| health.backward_share().unwrap_or(0.0), self.most_backward);
        back.map_or_else(String::new, |(count, worst, limit)| {
            format!("people walk backwards in {count} of {all} runs, for up to {worst:.0} % of their time (limit {limit:.0} %)")
        })
    }

    /// Says of each line of this model that nobody judged yet whether all runs here can be trusted.
    pub fn judge(&self, lines: &mut [Line]) {
        let trouble = self.trouble(0..self.runs.len());
        for line in lines.iter_mut().filter(|line| line.model == self.model && line.runs.is_none()) {
            line.runs = Some(trouble.clone());
        }
    }
}

/// In how many runs a share is beyond the limit, the largest one, and the limit, both in percent; `None` if in no run. What is
/// not a number is beyond any limit.
fn beyond(tried: &[&Tried], share: &dyn Fn(&Health) -> f64, most: f64) -> Option<(usize, f64, f64)> {
    let shares = tried.iter().filter_map(|run| Some(share(&run.as_ref().ok()?.health)));
    let ill: Vec<f64> = shares.filter(|share| share.is_nan() || *share > most).collect();
    let worst = ill.iter().copied().reduce(f64::max)?;
    Some((ill.len(), 100.0 * worst, 100.0 * most))
}

/// A figure of one number.
pub fn exact(value: f64) -> Figure {
    Figure { value: Some(value), ..Figure::default() }
}

/// A figure with a given interval.
pub fn between(value: f64, low: f64, high: f64) -> Figure {
    Figure { value: Some(value), low: Some(low), high: Some(high) }
}
