//! What an experiment says was measured: its targets as statistics of a run, each with the error of its measurement.

use crate::evolve::experiment::Experiment;
use crate::evolve::scoring::{Rescore, views_of};
use crate::target::{CaseView, Target, Wanted};
use crowdtune_core::Error;
use crowdtune_search::{Observed, Trial};

/// One measured value: a target in a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// Index of the target's column.
    pub column: usize,
    /// Index of the case.
    pub case: usize,
    /// The value and its error.
    pub observed: Observed,
}

/// All measured values, and the limits that hold without any error.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// Values with an error: `equals` and `points` with the tolerance as standard deviation, `between` as an error that is alike
    /// everywhere in the band.
    pub statistics: Vec<Statistic>,
    /// Column and case of limits (`at_most`, `at_least`, `like` and every `must`): a run beyond one is not what was measured.
    pub limits: Vec<(usize, usize)>,
}

/// Every column in every case that it covers, held-out ones too.
pub(super) fn covered(experiment: &Experiment) -> Vec<(usize, usize)> {
    let views = views_of(&experiment.cases);
    let cases = |(column, target): (usize, &Target)| -> Vec<(usize, usize)> {
        let covers = |(case, view): (usize, &CaseView<'_>)| target.covers(column, view).then_some((column, case));
        views.iter().enumerate().filter_map(covers).collect()
    };
    experiment.columns.iter().enumerate().flat_map(cases).collect()
}

impl Measurements {
    /// Those of an experiment; held-out cases stay out.
    ///
    /// # Errors
    /// If nothing was measured, or a target only wants less or more.
    pub fn of(experiment: &Experiment) -> Result<Self, Error> {
        let only_wanted = experiment
            .columns
            .iter()
            .find(|target| matches!(target.wanted, Some(Wanted::Minimize { .. } | Wanted::Maximize { .. })));
        if let Some(target) = only_wanted {
            return Err(Error::input(format!("target `{}` was not measured: it only wants less or more", target.name))
                .key(format!("target.{}", target.name))
                .allowed("`equals`, `points` or `between` for what was measured; limits such as `at_most` beside them")
                .help("say what was measured, or search with `crowdtune evolve`"));
        }
        let measured = Self::in_cases(experiment, false);
        if measured.statistics.is_empty() {
            return Err(Error::input("nothing was measured: no target says what a value is")
                .key("target")
                .allowed("at least one `equals`, `points` or `between` of a scenario that is not held out")
                .help("give a target the measured value, with its error as `tolerance`"));
        }
        Ok(measured)
    }

    /// Those of the cases that the posterior rests on, with the held-out ones if they are wanted too.
    pub(super) fn in_cases(experiment: &Experiment, held_out: bool) -> Self {
        let mut measured = Self { statistics: Vec::new(), limits: Vec::new() };
        for (column, case) in covered(experiment) {
            let (target, of) = (&experiment.columns[column], &experiment.cases[case]);
            let Some(wanted) = target.wanted.as_ref().filter(|_| held_out || !of.held_out) else { continue };
            // Standard deviations: the tolerance, and that of a uniform distribution.
            let per_half_band = match wanted {
                _ if target.must => None,
                Wanted::Equals { .. } | Wanted::Points { .. } => Some(1.0),
                Wanted::Between { .. } => Some(1.0 / 3.0_f64.sqrt()),
                _ => None,
            };
            match (per_half_band, wanted.band(&of.axes)) {
                (Some(sds), Some((low, high))) => {
                    let observed = Observed { value: f64::midpoint(low, high), sd: 0.5 * (high - low) * sds };
                    measured.statistics.push(Statistic { column, case, observed });
                }
                _ => measured.limits.push((column, case)),
            }
        }
        measured
    }

    /// The statistics of a trial; `None` if it failed, one of them has no value, or it is beyond a limit.
    pub(super) fn of_trial(&self, scores: &Rescore<'_>, experiment: &Experiment, trial: &Trial) -> Option<Vec<f64>> {
        let value = |column: usize, case: usize| scores.whole_value(trial, column, case);
        for &(column, case) in &self.limits {
            let rule = experiment.columns[column].wanted.as_ref()?.rule(&experiment.cases[case].axes)?;
            if rule.loss(value(column, case)?) > rule.met_at() {
                return None;
            }
        }
        self.statistics.iter().map(|s| value(s.column, s.case)).collect()
    }

    /// The same with other values, as they would have been measured.
    pub fn with(&self, values: &[f64]) -> Self {
        let mut other = self.clone();
        for (statistic, &value) in other.statistics.iter_mut().zip(values) {
            statistic.observed.value = value;
        }
        other
    }

    /// The values and their errors alone.
    pub fn observed(&self) -> Vec<Observed> {
        self.statistics.iter().map(|s| s.observed).collect()
    }
}
