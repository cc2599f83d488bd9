//! The check on fresh seeds that ends a run, found again in its log.

use crowdtune_search::{Purpose, Trial, better};

/// The last complete check on fresh seeds in a log.
#[derive(Clone, Debug, Default)]
pub struct Check<'a> {
    /// Rows of the selection, in the order of the log.
    pub selection: &'a [Trial],
    /// What was reported: the recommendation, or with several objectives the front; empty before it was run.
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
