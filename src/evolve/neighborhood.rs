//! The rows of a log around its best candidate, and how noisy their losses are.

use super::experiment::Experiment;
use super::scoring::{self, Rescore};
use crowdtune_core::math::stats;
use crowdtune_search::{Purpose, Trial};

/// Rows near the best that the noise is measured on. Chosen here: enough for a mean square.
const NOISE_ROWS: usize = 20;

/// Indices of the genes that are numbers and can change.
pub(super) fn numbers(experiment: &Experiment) -> Vec<usize> {
    let space = &experiment.space;
    let moves = |&g: &usize| !space.genes[g].axis.is_choice() && space.genes[g].axis.cells() != Some(1);
    (0..space.len()).filter(moves).collect()
}

/// The canonical coordinates of the numbers of a genome.
pub(super) fn coordinates(experiment: &Experiment, numbers: &[usize], genome: &[f64]) -> Vec<f64> {
    numbers.iter().map(|&g| experiment.space.genes[g].axis.canonical(genome[g])).collect()
}

/// Feasible search trials with the choices of this genome (of the best one without a genome), on the replicas that most trials
/// ran on, best first.
pub(super) fn comparable<'a>(experiment: &Experiment, trials: &'a [Trial], genome: Option<&[f64]>) -> Vec<&'a Trial> {
    let fit = |t: &&Trial| t.question.purpose == Purpose::Search && t.is_done() && t.violation <= 0.0;
    let all: Vec<&Trial> = trials.iter().filter(fit).collect();
    let mut ranges: Vec<(u32, u32)> =
        all.iter().map(|t| (t.question.replicas.start, t.question.replicas.end)).collect();
    ranges.sort_unstable();
    let most = ranges.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0]);
    let mut rows: Vec<&Trial> =
        all.into_iter().filter(|t| Some((t.question.replicas.start, t.question.replicas.end)) == most).collect();
    rows.sort_by(|a, b| crowdtune_search::better(a, b));
    if let Some(best) = genome.or(rows.first().map(|t| &t.question.genome[..])) {
        let best = words(experiment, best);
        rows.retain(|t| words(experiment, &t.question.genome) == best);
    }
    rows
}

/// Search trials with the choices of this genome that failed or miss a must.
pub(super) fn refused<'a>(experiment: &Experiment, trials: &'a [Trial], genome: &[f64]) -> Vec<&'a Trial> {
    let best = words(experiment, genome);
    let bad = |t: &&Trial| t.question.purpose == Purpose::Search && (!t.is_done() || t.violation > 0.0);
    trials.iter().filter(bad).filter(|t| words(experiment, &t.question.genome) == best).collect()
}

/// The choices of a genome.
fn words(experiment: &Experiment, genome: &[f64]) -> Vec<u64> {
    let genes = experiment.space.genes.iter().zip(genome);
    genes.filter(|(gene, _)| gene.axis.is_choice()).map(|(gene, &u)| gene.axis.cell(u)).collect()
}

/// What the noise of a loss is measured from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Units {
    /// So many replicas.
    Replicas(usize),
    /// These cases, because all replicas are the same.
    Cases(Vec<usize>),
}

impl Units {
    /// Those of a trial; `None` if it has too few of either.
    pub fn of(trial: &Trial) -> Option<Self> {
        // Without randomness all replicas are the same and say nothing.
        let replicas = if draws(trial) { trial.values.iter().map(Vec::len).max().unwrap_or(0) } else { 1 };
        let counting: Vec<usize> = (0..trial.values.len()).filter(|&case| !trial.values[case].is_empty()).collect();
        match (replicas, counting.len()) {
            (2.., _) => Some(Self::Replicas(replicas)),
            (_, 3..) => Some(Self::Cases(counting)),
            _ => None,
        }
    }

    /// The word that files use.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Replicas(_) => "replicas",
            Self::Cases(_) => "scenarios",
        }
    }

    /// Losses of a finished trial without one of the units, each in its turn; `None` if one has no loss.
    fn without_one(&self, experiment: &Experiment, rescore: &Rescore<'_>, trial: &Trial) -> Option<Vec<f64>> {
        match self {
            Self::Replicas(count) => {
                let others = |unit: usize| -> Vec<usize> { (0..*count).filter(|&r| r != unit).collect() };
                (0..*count).map(|unit| rescore.objectives(Some(trial), &others(unit)).first().copied()?).collect()
            }
            Self::Cases(cases) => {
                let without = |case: &usize| {
                    let mut values = trial.values.clone();
                    values[*case].clear();
                    scoring::score(experiment, &values).objectives.first().copied()
                };
                cases.iter().map(without).collect()
            }
        }
    }

    /// Jackknife pseudo-values of the loss of a finished trial (Tukey 1958): where a loss is a mean they are the losses of the units.
    pub fn parts(&self, experiment: &Experiment, rescore: &Rescore<'_>, trial: &Trial) -> Option<Vec<f64>> {
        let whole = trial.objectives.first()?;
        let without = self.without_one(experiment, rescore, trial)?;
        let n = without.len() as f64;
        Some(without.iter().map(|part| n * whole - (n - 1.0) * part).collect())
    }
}

/// True if two replicas of a case differ.
pub(super) fn draws(trial: &Trial) -> bool {
    trial.values.iter().any(|runs| runs.iter().any(|run| *run != runs[0]))
}

/// Standard error of the loss of the best rows, and what it was measured from: jackknife over replicas, or over cases if there is
/// only one replica or all are the same; `None` if there is neither.
pub(super) fn noise(experiment: &Experiment, rows: &[&Trial]) -> Option<(f64, Units)> {
    let units = Units::of(rows.first()?)?;
    let rescore = Rescore::new(experiment);
    let errors: Vec<f64> = rows
        .iter()
        .take(NOISE_ROWS)
        .filter_map(|row| {
            let parts = units.parts(experiment, &rescore, row)?;
            let error = stats::sd(&parts);
            Some(error * error / parts.len() as f64)
        })
        .collect();
    (!errors.is_empty()).then(|| (stats::mean(&errors).sqrt(), units))
}
