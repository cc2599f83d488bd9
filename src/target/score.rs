//! From the raw values of a trial to objectives and violation. Pure: the bootstrap calls it a thousand times.

use super::{Combine, Target, Wanted};
use crowdtune_core::math::stats;
use crowdtune_search::{Part, Values};

/// What scoring needs to know of a case.
#[derive(Clone, Debug)]
pub struct CaseView<'a> {
    /// Name with its `each` values, for messages.
    pub name: &'a str,
    /// Name of the scenario table.
    pub table: &'a str,
    /// The `each` keys and their values.
    pub axes: &'a [(String, f64)],
    /// Never counts towards objectives and violation.
    pub held_out: bool,
    /// For each column, whether this case can give it.
    pub gives: Vec<bool>,
}

/// A column in one case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The replicas combined.
    pub value: f64,
    /// Its loss; `None` for what is only measured and for a case that is not a point of the curve.
    pub loss: Option<f64>,
}

/// What values are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Loss of each objective, finite; empty if there is a `failure`. That of a [`line`](lines) is its place on the line.
    pub objectives: Vec<f64>,
    /// Summed loss of missed `must` targets, 0 if feasible.
    pub violation: f64,
    /// Loss of each column: mean over cases, for a `must` the largest; `None` for measures and where no case counts.
    /// A target that only held-out cases give has a loss too, which enters neither objectives nor violation.
    pub losses: Vec<Option<f64>>,
    /// `[column][case]`, held-out cases too; `None` where a replica has no finite value or the case has no run.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// Why there are no objectives: a target without a value, or an infinite loss.
    pub failure: Option<String>,
}

impl Target {
    /// True if a case is one this column covers: of its scenario table, able to give it, a point of its curve.
    pub fn covers(&self, column: usize, case: &CaseView<'_>) -> bool {
        self.scenario.as_deref().is_none_or(|table| table == case.table)
            && case.gives.get(column).copied().unwrap_or(false)
            && self.wanted.as_ref().is_none_or(|wanted| wanted.rule(case.axes).is_some())
    }

    /// True unless only held-out cases give this column.
    pub fn is_searched(&self, column: usize, cases: &[CaseView<'_>]) -> bool {
        let mut covered = cases.iter().filter(|case| self.covers(column, case)).peekable();
        covered.peek().is_none() || covered.any(|case| !case.held_out)
    }

    /// Values of the replicas of a case as one; `None` for no values. `worst` of equally bad ones takes the first; without
    /// a loss (a measure) it takes the mean.
    pub fn combine(&self, axes: &[(String, f64)], values: &[f64]) -> Option<f64> {
        if values.is_empty() {
            return None;
        }
        let rule = self.wanted.as_ref().and_then(|wanted| wanted.rule(axes));
        Some(match (self.combine, rule) {
            (Combine::Worst, Some(rule)) => {
                let worse = |a: f64, b: f64| if rule.badness(b) > rule.badness(a) { b } else { a };
                values.iter().copied().fold(values[0], worse)
            }
            (Combine::Mean | Combine::Worst, _) => stats::mean(values),
            (Combine::Median, _) => stats::median(values),
            (Combine::P95, _) => stats::p95(values),
        })
    }
}

/// For each column whether it is a line: the one target of one of several objectives, which only wants less or more. A front
/// goes on beyond `good`, which is no end there: such an objective is the place of the value on the line from `good` to `bad`, and is
/// shown as the value itself. Everything else is a loss, never below 0.
pub fn lines(columns: &[Target]) -> Vec<bool> {
    let wanted = |t: &&Target| t.wanted.is_some() && t.weight > 0.0;
    let last = columns.iter().filter(wanted).map(|t| t.objective).max().unwrap_or(0);
    let mut targets = vec![0_u32; last + 1];
    columns.iter().filter(wanted).for_each(|t| targets[t.objective] += 1);
    let sloped = |t: &Target| matches!(t.wanted, Some(Wanted::Minimize { .. } | Wanted::Maximize { .. }));
    columns.iter().map(|t| last > 0 && sloped(t) && t.weight > 0.0 && targets[t.objective] == 1).collect()
}

/// What the objective of a feasible candidate is the sum of, a part for each case that a target counts; `must` targets add nothing to it. Empty
/// where replicas are not combined by their mean, and with several objectives.
pub fn parts(columns: &[Target], cases: &[CaseView<'_>]) -> Vec<Part> {
    let weighs = |(column, t): &(usize, &Target)| t.wanted.is_some() && t.weight > 0.0 && t.is_searched(*column, cases);
    let weighed = || columns.iter().enumerate().filter(weighs);
    let weights: f64 = weighed().map(|(_, t)| t.weight).sum();
    let mut all = Vec::new();
    for (column, target) in weighed().filter(|(_, t)| !t.must) {
        if target.combine != Combine::Mean || target.objective > 0 {
            return Vec::new();
        }
        let rule = |case: &CaseView<'_>| target.wanted.as_ref().and_then(|wanted| wanted.rule(case.axes));
        let counts = |case: &&CaseView<'_>| !case.held_out && target.covers(column, case);
        let weight = target.weight / (weights * cases.iter().filter(counts).count() as f64);
        let judged = cases.iter().enumerate().filter(|(_, case)| counts(case));
        all.extend(judged.filter_map(|(case, view)| Some(Part { case, column, rule: rule(view)?, weight })));
    }
    all
}

/// Scores all replicas of all cases. Cases without a run do not count.
pub fn score(columns: &[Target], cases: &[CaseView<'_>], values: &Values) -> Score {
    score_with(columns, cases, values, None)
}

/// Scores some replicas, by their positions in each case, repeated ones counted as often as they are named. Positions
/// beyond the replicas of a case start again at its first, so that cases of unequal numbers can be resampled together.
pub fn score_replicas(columns: &[Target], cases: &[CaseView<'_>], values: &Values, indices: &[usize]) -> Score {
    score_with(columns, cases, values, Some(indices))
}

fn score_with(columns: &[Target], cases: &[CaseView<'_>], values: &Values, indices: Option<&[usize]>) -> Score {
    let mut failure = None;
    let mut fail = |why: String| {
        failure.get_or_insert(why);
    };
    let mut cells = Vec::with_capacity(columns.len());
    let mut losses = Vec::with_capacity(columns.len());
    // What enters the objectives: the losses, of a line its place.
    let mut aims = Vec::with_capacity(columns.len());
    let mut violation = 0.0;
    for ((column, target), is_line) in columns.iter().enumerate().zip(lines(columns)) {
        let mut row = Vec::with_capacity(cases.len());
        let (mut of_cases, mut places) = (Vec::new(), Vec::new());
        let searched = target.is_searched(column, cases);
        for (at, case) in cases.iter().enumerate() {
            let runs = values.get(at).map_or(&[][..], Vec::as_slice);
            if runs.is_empty() || !target.covers(column, case) {
                row.push(None);
                continue;
            }
            let counts = target.wanted.is_some() && case.held_out != searched;
            let cell = match chosen(runs, column, indices) {
                Ok(chosen) => target.combine(case.axes, &chosen).map(|value| Cell {
                    value,
                    loss: target.wanted.as_ref().and_then(|wanted| wanted.loss(case.axes, value)),
                }),
                Err(why) => {
                    if counts && searched {
                        fail(missing(target, case, &why));
                    }
                    None
                }
            };
            if let Some(loss) = cell.and_then(|cell| cell.loss).filter(|_| counts) {
                if !loss.is_finite() && searched {
                    fail(missing(target, case, "has an infinite loss"));
                }
                of_cases.push(loss);
                if is_line {
                    places.extend(cell.zip(target.wanted.as_ref()).and_then(|(c, w)| w.line(case.axes, c.value)));
                }
            }
            row.push(cell);
        }
        let over_cases = |of: &[f64]| match (of.is_empty(), target.must) {
            (true, _) => None,
            (false, true) => of.iter().copied().reduce(f64::max),
            (false, false) => Some(stats::mean(of)),
        };
        let loss = over_cases(&of_cases);
        aims.push(if is_line { over_cases(&places) } else { loss });
        if loss.is_none() && target.wanted.is_some() && searched {
            fail(format!("target `{}` ({}): no scenario of the search gives it", target.name, target.metric.name));
        }
        if target.must && searched {
            violation += loss.unwrap_or(0.0);
        }
        losses.push(loss);
        cells.push(row);
    }
    let wanted = || columns.iter().enumerate().filter(|(_, target)| target.wanted.is_some());
    if let Some((_, first)) = wanted().next()
        && !wanted().any(|(column, target)| target.is_searched(column, cases))
    {
        fail(format!("target `{}` ({}): no scenario of the search gives it", first.name, first.metric.name));
    }
    let objectives = objectives(columns, cases, &aims);
    if !violation.is_finite() || objectives.iter().any(|loss| !loss.is_finite()) {
        fail("the losses add up to infinity".into());
    }
    let objectives = if failure.is_some() { Vec::new() } else { objectives };
    Score { objectives, violation: if failure.is_some() { 0.0 } else { violation }, losses, cells, failure }
}

/// The weighted mean of the aims of each objective; 0 for one without weight. Where nothing is wanted at all, one of 0.
fn objectives(columns: &[Target], cases: &[CaseView<'_>], aims: &[Option<f64>]) -> Vec<f64> {
    if columns.iter().all(|target| target.wanted.is_none()) {
        return vec![0.0];
    }
    let wanted = |(column, (target, _)): &(usize, (&Target, &Option<f64>))| {
        target.wanted.is_some() && target.is_searched(*column, cases)
    };
    let wanted = || columns.iter().zip(aims).enumerate().filter(wanted);
    let count = wanted().map(|(_, (target, _))| target.objective + 1).max().unwrap_or(0);
    (0..count)
        .map(|objective| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for (_, (target, aim)) in wanted().filter(|(_, (target, _))| target.objective == objective) {
                sum += target.weight * aim.unwrap_or(0.0);
                weight += target.weight;
            }
            if weight > 0.0 { sum / weight } else { 0.0 }
        })
        .collect()
}

fn missing(target: &Target, case: &CaseView<'_>, why: &str) -> String {
    format!("target `{}` ({}) in `{}`: {why}", target.name, target.metric.name, case.name)
}

/// The values of the chosen replicas, all finite, or why not.
fn chosen(runs: &[Vec<Option<f64>>], column: usize, indices: Option<&[usize]>) -> Result<Vec<f64>, String> {
    let value = |at: usize| match runs[at].get(column).copied().flatten() {
        Some(value) if value.is_finite() => Ok(value),
        Some(value) => Err(format!("replica {at} gave {value}")),
        None => Err(format!("replica {at} gave no value")),
    };
    match indices {
        None => (0..runs.len()).map(value).collect(),
        Some(indices) => indices.iter().map(|&at| value(at % runs.len())).collect(),
    }
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
