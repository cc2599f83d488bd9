//! From the log to `summary.json`. Nothing but the experiment and the rows is read, so it can be made again any time.

use super::atlas;
use super::experiment::{Case, Experiment};
use super::figures::{Resamples, case_value, column_value};
use super::front::{self, Point};
use super::genes::{gene, shown};
use super::identify::identify;
use super::importance::importance;
use super::log::failure;
use super::race::{self, Contestant};
use super::run::{Stopped, candidates, evaluations};
use super::scoring::{self, Rescore};
use super::subject::{Seen, Subject};
use super::summary::{CaseSummary, Figure, FinalistSummary, ObjectiveSummary, Summary, TargetSummary};
use crate::target::{CaseView, Target, Wanted};
use crowdtune_core::math::rng::Seed;
use crowdtune_search::{Genome, Purpose, Trial, better};
use std::collections::BTreeMap;

/// The last complete check on fresh seeds in a log.
#[derive(Clone, Debug, Default)]
pub struct Check<'a> {
    /// Rows of the selection, in the order of the log.
    pub selection: &'a [Trial],
    /// What was reported: the recommendation, with several objectives the front; empty before it was run.
    pub reports: Vec<&'a Trial>,
    /// The defaults on the same seeds.
    pub baseline: Option<&'a Trial>,
}

impl<'a> Check<'a> {
    /// Rows of the selection, best first.
    pub fn ranked(&self) -> Vec<&'a Trial> {
        let mut rows: Vec<_> = self.selection.iter().collect();
        rows.sort_by(|a, b| better(a, b));
        rows
    }
}

/// Finds the last report in a log with the selection before it and the baseline after it.
pub fn last_check(trials: &[Trial]) -> Check<'_> {
    let is = |purpose| move |t: &&Trial| t.question.purpose == purpose;
    let Some(at) = trials.iter().rposition(|t| t.question.purpose == Purpose::Report) else { return Check::default() };
    let mut reports: Vec<_> = trials[..=at].iter().rev().take_while(is(Purpose::Report)).collect();
    reports.reverse();
    let first = at + 1 - reports.len();
    let count = trials[..first].iter().rev().take_while(is(Purpose::Select)).count();
    Check {
        selection: &trials[first - count..first],
        reports,
        baseline: trials.get(at + 1).filter(is(Purpose::Baseline)),
    }
}

/// The genome that a log recommends: that of the last report (of a front its knee, or what suits the preference); before
/// there is one the best of the search, or the defaults where nothing was valid.
pub fn recommended(experiment: &Experiment, trials: &[Trial]) -> Genome {
    Subject::recommended(experiment, trials).genome
}

/// What came out. Figures on fresh seeds come from the last report in the log and are empty where there is none (an
/// unfinished run).
pub fn summarize(experiment: &Experiment, trials: &[Trial], stopped: Stopped) -> Summary {
    let mut summary = if experiment.objectives.len() > 1 {
        let found = front::of_log(experiment, trials);
        let subject = Subject::on_front(experiment, &found, found.pick);
        let summary = describe(experiment, trials, stopped, &subject);
        let resamples = Resamples::new(Seed(experiment.search.seed), summary.replicas.1 as usize);
        let shown = |values: &[f64]| shown(experiment, values);
        Summary { front: Some(front::summary(experiment, trials, &found, &resamples, shown)), ..summary }
    } else {
        let check = last_check(trials);
        let candidates = candidates(experiment, trials);
        let seen = Seen::new(experiment, &candidates);
        let subject = Subject::of_search(experiment, &check, &seen);
        let summary = describe(experiment, trials, stopped, &subject);
        // Elites of an atlas do not compete.
        if experiment.atlas.is_empty() {
            let race = finalists_of(experiment, check.selection, &seen, &subject, &summary.objectives);
            Summary { finalists: race.iter().filter_map(|c| c.trial).collect(), race, ..summary }
        } else {
            Summary { atlas: atlas::summarize(experiment, trials), ..summary }
        }
    };
    summary.importance = importance(experiment, trials);
    summary.identified = identify(experiment, trials);
    summary
}

/// What came out of one point of the front, as if it were recommended, with its genome; `None` if no point has the id. The
/// front itself, and what the log tells of the parameters, are left out.
pub fn of_point(experiment: &Experiment, trials: &[Trial], stopped: Stopped, id: u64) -> Option<(Summary, Genome)> {
    of_points(experiment, trials, stopped, |point| point.id() == id).pop().map(|(_, summary, genome)| (summary, genome))
}

/// As [`of_point`], of all points of the front that are wanted, with their ids.
pub fn of_points(
    experiment: &Experiment,
    trials: &[Trial],
    stopped: Stopped,
    wanted: impl Fn(&Point<'_>) -> bool,
) -> Vec<(u64, Summary, Genome)> {
    let front = front::of_log(experiment, trials);
    let points = front.points.iter().enumerate().filter(|(_, point)| wanted(point));
    let of = |(at, point): (usize, &Point<'_>)| {
        let subject = Subject::on_front(experiment, &front, Some(at));
        (point.id(), describe(experiment, trials, stopped, &subject), subject.genome)
    };
    points.map(of).collect()
}

/// What all summaries have: counts, parameters, targets and objectives of the subject.
fn describe(experiment: &Experiment, trials: &[Trial], stopped: Stopped, subject: &Subject<'_>) -> Summary {
    let space = &experiment.space;
    let Subject { genome, report, baseline, .. } = subject;
    let (report, default, in_search) = (*report, *baseline, subject.searched.as_ref());
    let tuned = space.decode(genome);
    let defaults = space.decode(&space.encode(&experiment.defaults));
    // A default that went through the unit cube may have lost its last digit; people want to see the published one.
    let shown: Vec<(f64, f64)> = experiment
        .defaults
        .iter()
        .zip(tuned.iter().zip(&defaults))
        .map(|(&published, (&tuned, &default))| (published, if tuned == default { published } else { tuned }))
        .collect();
    let searched = trials.iter().filter(|t| t.question.purpose == Purpose::Search);
    // All start at replica 0; in a race who came furthest ran most.
    let most = last_check(trials).selection.iter().map(|t| t.question.replicas.end).max().unwrap_or(0);
    let replicas = (most, report.map_or(0, |t| t.question.replicas.len() as u32));
    let resamples = Resamples::new(Seed(experiment.search.seed), replicas.1 as usize);
    let views = scoring::views(experiment);
    let sides = Sides { experiment, resamples: &resamples, default, tuned: report, in_search, views };
    let targets: Vec<_> = (0..experiment.columns.len()).map(|column| sides.target(column)).collect();
    let objectives = sides.objectives();
    let missed = targets.iter().filter(|t| t.must && t.met == Some(false));

    let mut failures = BTreeMap::new();
    for reason in searched.clone().filter_map(failure) {
        *failures.entry(kind_of_failure(reason)).or_insert(0) += 1;
    }
    Summary {
        format: 1,
        crowdtune: env!("CARGO_PKG_VERSION").to_string(),
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        model: experiment.model.name.to_string(),
        optimizer: experiment.search.optimizer.name.to_string(),
        digest: experiment.digest.clone(),
        seed: experiment.search.seed,
        draft_step_s: experiment.draft_step_s(),
        evaluations: evaluations(experiment, trials),
        trials: searched.clone().count() as u64,
        simulations: searched.flat_map(|t| &t.values).map(|runs| runs.len() as u64).sum(),
        budget: experiment.search.evaluations,
        stopped: stopped.word().to_string(),
        stop: experiment.search.stop,
        failures,
        replicas,
        genes: (0..space.genes.len()).map(|i| gene(experiment, i, shown[i], genome[i])).collect(),
        objectives,
        violation: report.or(in_search).map_or(0.0, |t| t.violation),
        missed_musts: missed.map(|t| t.name.clone()).collect(),
        targets,
        cases: sides.cases(),
        recommended: in_search.filter(|_| tuned != defaults).map(|t| t.id),
        proposed: report.is_some() && in_search.is_none() && tuned != defaults,
        finalists: subject.reported.clone(),
        race: Vec::new(),
        front: None,
        atlas: None,
        importance: Vec::new(),
        identified: None,
    }
}

/// What candidates other than the recommendation gave on the seeds of the selection, each beside the defaults.
pub struct Targets<'a> {
    experiment: &'a Experiment,
    resamples: Resamples,
    defaults: Option<&'a Trial>,
}

impl<'a> Targets<'a> {
    /// From the last check on fresh seeds of a log.
    pub fn new(experiment: &'a Experiment, trials: &'a [Trial]) -> Self {
        let selection = last_check(trials).selection;
        let replicas = selection.first().map_or(0, |t| t.question.replicas.len());
        let space = &experiment.space;
        let defaults = space.key(&space.encode(&experiment.defaults));
        Self {
            experiment,
            resamples: Resamples::new(Seed(experiment.search.seed), replicas),
            defaults: selection.iter().find(|t| space.key(&t.question.genome) == defaults),
        }
    }

    /// Targets and measures in name order, of the candidate of a row of the selection.
    pub fn of(&self, row: &Trial) -> Vec<TargetSummary> {
        let sides = Sides {
            experiment: self.experiment,
            resamples: &self.resamples,
            default: self.defaults,
            tuned: Some(row),
            in_search: None,
            views: scoring::views(self.experiment),
        };
        (0..self.experiment.columns.len()).map(|column| sides.target(column)).collect()
    }
}

/// Everybody who took part in the race of a selection: what the search, the selection and the report saw of them.
fn finalists_of(
    experiment: &Experiment,
    selection: &[Trial],
    seen: &Seen<'_>,
    subject: &Subject<'_>,
    objectives: &[ObjectiveSummary],
) -> Vec<FinalistSummary> {
    let space = &experiment.space;
    let (tuned, default) = (space.key(&subject.genome), space.key(&space.encode(&experiment.defaults)));
    let finalist = |c: &&Contestant| {
        let row = seen.of(&c.genome);
        let key = space.key(&c.genome);
        let (recommended, defaults) = (key == tuned, key == default);
        let fresh = objectives.first().map(|o| match (recommended, defaults) {
            (true, _) => o.tuned,
            (_, true) => o.default,
            _ => Figure::default(),
        });
        FinalistSummary {
            trial: row.map(|t| t.id),
            defaults,
            recommended,
            search: row.and_then(|t| t.objectives.first().copied()),
            search_replicas: row.map_or(0, |t| t.question.replicas.len() as u32),
            selection: self::selection(experiment, c),
            selection_replicas: c.replicas(),
            out: c.out,
            fresh: fresh.unwrap_or_default(),
        }
    };
    race::again(experiment, selection).ranked().iter().map(finalist).collect()
}

/// The first objective of a contestant on the replicas that it ran, with its interval.
fn selection(experiment: &Experiment, contestant: &Contestant) -> Figure {
    let Some(last) = contestant.rows.last().filter(|_| !contestant.failed) else { return Figure::default() };
    let all = Trial { values: contestant.values().clone(), ..last.clone() };
    let rescore = Rescore::new(experiment);
    let resamples = Resamples::new(Seed(experiment.search.seed), contestant.replicas() as usize);
    resamples.figure(|rows| rescore.objectives(Some(&all), rows).first().copied().flatten())
}

/// Defaults and recommendation side by side.
struct Sides<'a> {
    experiment: &'a Experiment,
    resamples: &'a Resamples,
    default: Option<&'a Trial>,
    tuned: Option<&'a Trial>,
    in_search: Option<&'a Trial>,
    views: Vec<CaseView<'a>>,
}

impl Sides<'_> {
    /// A figure of a side; empty where that side was not run.
    fn figure(&self, trial: Option<&Trial>, statistic: impl Fn(&Trial, &[usize]) -> Option<f64>) -> Figure {
        trial.map_or_else(Figure::default, |t| self.resamples.figure(|rows| statistic(t, rows)))
    }

    fn target(&self, column: usize) -> TargetSummary {
        let experiment = self.experiment;
        let target = &experiment.columns[column];
        let value = |t: &Trial, rows: &[usize]| column_value(experiment, &self.views, t, column, rows);
        let all = |t: &Trial| (0..t.question.replicas.len()).collect::<Vec<_>>();
        let loss = |t: Option<&Trial>| {
            t.filter(|t| t.is_done()).and_then(|t| scoring::score(experiment, &t.values).losses.get(column).copied()?)
        };
        let losses = (loss(self.default), loss(self.tuned));
        let sloped = matches!(target.wanted, Some(Wanted::Minimize { .. } | Wanted::Maximize { .. }));
        TargetSummary {
            name: target.name.clone(),
            metric: target.metric.name.to_string(),
            unit: target.unit().to_string(),
            combine: target.combine.word().to_string(),
            wanted: target.wanted.as_ref().map_or_else(String::new, |w| w.words(target.metric.make.unit)),
            band: target.wanted.as_ref().and_then(|w| w.band(&[])).map_or((None, None), ends),
            must: target.must,
            weight: target.weight,
            default: self.figure(self.default, value),
            tuned: self.figure(self.tuned, value),
            search: self.in_search.and_then(|t| value(t, &all(t))),
            loss: losses,
            met: losses.1.filter(|_| target.must || !sloped).map(|l| l <= 0.0),
        }
    }

    fn cases(&self) -> Vec<CaseSummary> {
        let experiment = self.experiment;
        let mut rows = Vec::new();
        for (column, target) in experiment.columns.iter().enumerate() {
            for (index, case) in experiment.cases.iter().enumerate().filter(|(_, c)| c.columns[column].is_some()) {
                let value = |t: &Trial, rows: &[usize]| case_value(experiment, t, column, index, rows);
                let (wanted, tolerance) = point(target, case).unzip();
                rows.push(CaseSummary {
                    case: case.name.clone(),
                    table: case.table.clone(),
                    axes: case.axes.clone(),
                    held_out: case.held_out,
                    target: target.name.clone(),
                    wanted,
                    tolerance,
                    default: self.figure(self.default, value),
                    tuned: self.figure(self.tuned, value),
                });
            }
        }
        rows
    }

    fn objectives(&self) -> Vec<ObjectiveSummary> {
        let experiment = self.experiment;
        let count = experiment.objectives.len();
        let rescore = Rescore::new(experiment);
        // One pass: defaults, recommendation, and their difference on the same draw of replicas.
        let figures = self.resamples.figures(3 * count, |rows| {
            let default = rescore.objectives(self.default, rows);
            let tuned = rescore.objectives(self.tuned, rows);
            let difference: Vec<_> = default.iter().zip(&tuned).map(|(d, t)| t.zip(*d).map(|(t, d)| t - d)).collect();
            [default, tuned, difference].concat()
        });
        let row = |(i, name): (usize, &String)| ObjectiveSummary {
            name: name.clone(),
            default: figures[i],
            tuned: figures[count + i],
            difference: figures[2 * count + i],
            search: self.in_search.and_then(|t| t.objectives.get(i).copied()),
        };
        experiment.objectives.iter().enumerate().map(row).collect()
    }
}

/// A failure without its scenario, replica and numbers, so that equal causes are counted together.
pub(super) fn kind_of_failure(reason: &str) -> String {
    let (_, cause) =
        reason.split_once(", replica ").and_then(|(_, rest)| rest.split_once(": ")).unwrap_or(("", reason));
    let mut kind = String::new();
    let mut number = false;
    for c in cause.chars() {
        let part = c.is_ascii_digit() || (number && c == '.');
        if !part {
            kind.push(c);
        } else if !number {
            kind.push('#');
        }
        number = part;
    }
    kind
}

/// The finite ends of a band.
fn ends((low, high): (f64, f64)) -> (Option<f64>, Option<f64>) {
    (Some(low).filter(|x| x.is_finite()), Some(high).filter(|x| x.is_finite()))
}

/// The middle of what is wanted of a target in a case, and half its width; `None` where it has no two ends.
fn point(target: &Target, case: &Case) -> Option<(f64, f64)> {
    let here = target.scenario.as_ref().is_none_or(|table| *table == case.table);
    let (low, high) = target.wanted.as_ref().filter(|_| here)?.band(&case.axes)?;
    (low.is_finite() && high.is_finite()).then(|| (f64::midpoint(low, high), (high - low) / 2.0))
}
