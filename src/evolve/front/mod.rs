//! Several objectives: which compromises are checked on fresh seeds, and which of them is recommended.
//!
//! The selection runs the front of the search and the defaults. What nothing dominates there runs again on seeds that nothing else
//! saw; these give its figures. Everything is worked out from the rows of the log, so it can be made again any time.

mod summarize;

pub(super) use summarize::summarize;

use super::experiment::Experiment;
use super::log::Check;
use super::summary::Standing;
use crowdtune_search::pareto::{candidates, dominates, front, knee, preferred, subset};
use crowdtune_search::{Genome, Purpose, Question, Trial, better};

/// A compromise and what is known about it.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    /// What the search saw: all its rows as one, means of losses and violation; `None` if the search has no valid row of it.
    pub searched: Option<Trial>,
    /// The selection, on fresh seeds.
    pub selected: Option<&'a Trial>,
    /// The report, on seeds that nothing else saw.
    pub report: Option<&'a Trial>,
    /// What became of it.
    pub standing: Standing,
}

impl Point<'_> {
    /// Its genome.
    pub fn genome(&self) -> &Genome {
        &self.known().question.genome
    }

    /// Its number: the id of its first row in the search, else that of its report.
    pub fn id(&self) -> u64 {
        self.searched.as_ref().unwrap_or(self.known()).id
    }

    /// Losses that decide which one is recommended: those of the selection, or before there is one those of the search.
    fn deciding(&self) -> &[f64] {
        let searched = || self.searched.as_ref().map_or(&[][..], |t| &t.objectives);
        self.selected.map_or_else(searched, |t| &t.objectives)
    }

    fn known(&self) -> &Trial {
        self.report.or(self.searched.as_ref()).expect("a point was searched or reported")
    }
}

/// The compromises that a log shows.
#[derive(Clone, Debug, Default)]
pub struct Front<'a> {
    /// The points, in the order in which they were reported; before a report those that would be reported.
    pub points: Vec<Point<'a>>,
    /// The most balanced one.
    pub knee: Option<usize>,
    /// The recommended one: the knee, or what suits the preference.
    pub pick: Option<usize>,
    /// The defaults on the seeds of the report.
    pub baseline: Option<&'a Trial>,
}

/// All valid rows of a candidate in the search as one trial: values one after the other, means of losses and violation, the id of the
/// first.
fn pooled(trials: &[Trial], genome: &Genome) -> Option<Trial> {
    let same = |t: &&Trial| t.question.purpose == Purpose::Search && t.is_done() && t.question.genome == *genome;
    let mut rows = trials.iter().filter(same);
    let mut all = rows.next()?.clone();
    let mut count = 1.0;
    for row in rows {
        count += 1.0;
        all.values.iter_mut().zip(&row.values).for_each(|(all, new)| all.extend(new.iter().cloned()));
        let mean = |old: &mut f64, new: f64| *old += (new - *old) / count;
        all.objectives.iter_mut().zip(&row.objectives).for_each(|(old, new)| mean(old, *new));
        mean(&mut all.violation, row.violation);
        all.question.replicas.start = all.question.replicas.start.min(row.question.replicas.start);
        all.question.replicas.end = all.question.replicas.end.max(row.question.replicas.end);
    }
    Some(all)
}

/// Candidates of the search that the final check runs: the front, or a subset of at most `search.finalists` that shows it best;
/// if nothing is feasible the one that comes nearest. Empty if nothing is valid.
pub fn finalists(experiment: &Experiment, trials: &[Trial]) -> Vec<Genome> {
    let known = candidates(trials);
    let first = front(trials);
    let genome = |at: usize| trials[at].question.genome.clone();
    if first.is_empty() {
        let least = known.iter().min_by(|a, b| a.violation.total_cmp(&b.violation));
        return least.map(|c| genome(c.first)).into_iter().collect();
    }
    let of = |at: &usize| known.iter().find(|c| c.first == *at).map(|c| c.losses.clone());
    let losses: Vec<Vec<f64>> = first.iter().filter_map(of).collect();
    subset(&losses, experiment.search.finalists).into_iter().map(|i| genome(first[i])).collect()
}

/// The selection: finalists and defaults.
pub fn to_select(experiment: &Experiment, trials: &[Trial]) -> Vec<Question> {
    let mut genomes = finalists(experiment, trials);
    let defaults = experiment.space.encode(&experiment.defaults);
    let same = |g: &Genome| experiment.space.key(g) == experiment.space.key(&defaults);
    if !genomes.is_empty() && !genomes.iter().any(same) {
        genomes.push(defaults);
    }
    let replicas = 0..experiment.search.select_replicas;
    let ask = |genome| Question { genome, replicas: replicas.clone(), purpose: Purpose::Select };
    genomes.into_iter().map(ask).collect()
}

/// The report: what nothing dominates in the selection, or if nothing is feasible there the one that comes nearest; then the
/// defaults. Empty if nothing was valid.
pub fn to_report(experiment: &Experiment, selected: &[&Trial]) -> Vec<Question> {
    let ask = |genome: &Genome, purpose| {
        let replicas = 0..experiment.search.report_replicas;
        Question { genome: genome.clone(), replicas, purpose }
    };
    let stays = |t: &&&Trial| feasible(t) && !selected.iter().any(|other| beats(other, t));
    let mut best: Vec<&Trial> = selected.iter().filter(stays).copied().collect();
    if best.is_empty() {
        best.extend(selected.iter().filter(|t| t.is_done()).min_by(|a, b| better(a, b)));
    }
    let mut questions: Vec<Question> = best.iter().map(|t| ask(&t.question.genome, Purpose::Report)).collect();
    if !questions.is_empty() {
        questions.push(ask(&experiment.space.encode(&experiment.defaults), Purpose::Baseline));
    }
    questions
}

fn feasible(trial: &Trial) -> bool {
    trial.is_done() && trial.violation <= 0.0
}

/// True if a trial is feasible and dominates another one.
fn beats(a: &Trial, b: &Trial) -> bool {
    feasible(a) && dominates(&a.objectives, &b.objectives)
}

/// The compromises of a log, by its last check; before there is one, those that the check would run now.
///
/// The losses of the selection decide which one is the knee and which one suits the preference. So the points are chosen before the
/// report runs, and its figures stay unbiased.
pub(super) fn of_log<'a>(experiment: &Experiment, trials: &'a [Trial], check: &Check<'a>) -> Front<'a> {
    let mut points: Vec<Point<'a>> = Vec::new();
    for &report in &check.reports {
        let genome = &report.question.genome;
        let rivals = check.reports.iter().copied().chain(check.baseline);
        let standing = match report {
            t if !t.is_done() => Standing::Failed,
            t if !feasible(t) => Standing::Infeasible,
            t if rivals.into_iter().any(|other| beats(other, t)) => Standing::Dominated,
            _ => Standing::Front,
        };
        let selected = check.selection.iter().find(|t| t.question.genome == *genome);
        points.push(Point { searched: pooled(trials, genome), selected, report: Some(report), standing });
    }
    if points.is_empty() {
        let searched = finalists(experiment, trials).into_iter().filter_map(|genome| pooled(trials, &genome));
        let point = |t| Point { searched: Some(t), selected: None, report: None, standing: Standing::Unchecked };
        points = searched.map(point).collect();
    }
    let knee = choose(&points, &knee);
    let pick = match &experiment.preference[..] {
        [] => knee,
        weights => choose(&points, &|losses| preferred(losses, weights)),
    };
    Front { points, knee, pick, baseline: check.baseline }
}

/// A choice among the points with the best standing of all.
fn choose(points: &[Point<'_>], choice: &dyn Fn(&[Vec<f64>]) -> usize) -> Option<usize> {
    let best = points.iter().map(|p| p.standing).min()?;
    let (at, losses): (Vec<usize>, Vec<Vec<f64>>) =
        points.iter().enumerate().filter(|(_, p)| p.standing == best).map(|(i, p)| (i, p.deciding().to_vec())).unzip();
    at.get(choice(&losses)).copied()
}
