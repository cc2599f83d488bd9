//! What a loss is the sum of: values, each judged by a rule.

use crate::trial::Values;
use crowdtune_core::math::stats;

/// A part of the loss: the value of a column in a case, judged by a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Index of the case in [`Trial::values`](crate::Trial::values).
    pub case: usize,
    /// Index of the column.
    pub column: usize,
    /// How the mean over replicas is judged.
    pub rule: Rule,
    /// What it counts, above 0.
    pub weight: f64,
}

impl Part {
    /// One for each rule with its weight, of the columns of a single case in their order.
    pub fn of_columns(rules: &[(Rule, f64)]) -> Vec<Self> {
        let part = |(column, &(rule, weight)): (usize, &(Rule, f64))| Self { case: 0, column, rule, weight };
        rules.iter().enumerate().map(part).collect()
    }

    /// The mean over replicas; `None` without finite values.
    pub(crate) fn value(&self, values: &Values) -> Option<f64> {
        let mean = stats::mean(&self.each(values)?);
        mean.is_finite().then_some(mean)
    }

    /// The value of each replica, one at least.
    pub(crate) fn each(&self, values: &Values) -> Option<Vec<f64>> {
        let runs = values.get(self.case)?;
        let each: Option<Vec<f64>> = runs.iter().map(|run| run.get(self.column).copied().flatten()).collect();
        each.filter(|each| !each.is_empty())
    }
}

/// True if there are parts, and the loss is a sum of squares.
pub fn are_squares(parts: &[Part]) -> bool {
    !parts.is_empty() && parts.iter().all(|part| matches!(part.rule, Rule::Squares { .. }))
}

/// How the value of one case is judged: every kind of target is one of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Loss 0 inside, growing linearly outside by 1 per `unit`, never clipped.
    Band {
        /// Lower end; minus infinity where there is none.
        low: f64,
        /// Upper end; infinity where there is none.
        high: f64,
        /// Distance from the band that costs 1; one that is not above 0 counts as 1.
        unit: f64,
    },
    /// Loss 0 at one value, growing with the square of the distance.
    Squares {
        /// The value.
        value: f64,
        /// Distance that costs 1, above 0.
        unit: f64,
    },
    /// Loss 0 at `good` and beyond, growing linearly towards `bad` and past it.
    Slope {
        /// Value of loss 0.
        good: f64,
        /// Value of loss 1; if it equals `good`, one unit of the value below it.
        bad: f64,
    },
}

impl Rule {
    /// The loss of a value, never below 0: what is better than wanted makes up for nothing else.
    pub fn loss(self, value: f64) -> f64 {
        let line = self.line(value);
        // A NaN stays one.
        if line <= 0.0 { 0.0 } else { line }
    }

    /// Where a value lies on the line from `good`, 0, to `bad`, 1: below 0 beyond `good`. Of all others the loss.
    pub fn line(self, value: f64) -> f64 {
        match self {
            Self::Band { low, high, unit } => {
                let outside = (low - value).max(value - high).max(0.0);
                // max drops a NaN, which must not pass as inside the band.
                if value.is_nan() { f64::NAN } else { outside / if unit > 0.0 { unit } else { 1.0 } }
            }
            Self::Squares { value: wanted, unit } => {
                let off = (value - wanted) / unit;
                off * off
            }
            Self::Slope { good, bad } => (value - good) / if bad == good { 1.0 } else { bad - good },
        }
    }

    /// How far a value is from the best one, also where all of them are good enough: of a band the distance beyond its nearer end,
    /// below 0 inside.
    pub fn badness(self, value: f64) -> f64 {
        match self {
            Self::Band { low, high, .. } => (low - value).max(value - high),
            Self::Slope { .. } | Self::Squares { .. } => self.line(value),
        }
    }

    /// The largest loss of a value that is as wanted: on the edge of its band, or a tolerance off where squares count.
    pub fn met_at(self) -> f64 {
        if matches!(self, Self::Squares { .. }) { 1.0 } else { 0.0 }
    }

    /// Lower and upper end of what is wanted, infinite where there is none; `None` where only less or more is wanted.
    pub fn band(self) -> Option<(f64, f64)> {
        match self {
            Self::Band { low, high, .. } => Some((low, high)),
            Self::Squares { value, unit } => Some((value - unit, value + unit)),
            Self::Slope { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_value_is_the_mean_over_replicas() {
        let part = Part { case: 1, column: 0, rule: Rule::Slope { good: 0.0, bad: 1.0 }, weight: 1.0 };
        let of = |runs: &[Option<f64>]| part.value(&vec![vec![], runs.iter().map(|&value| vec![value]).collect()]);
        assert_eq!(of(&[Some(4.0), Some(7.0)]), Some(5.5));
        assert_eq!([of(&[Some(4.0), None]), of(&[]), of(&[Some(f64::INFINITY)])], [None; 3]);
        assert_eq!(part.value(&vec![]), None);
    }

    #[test]
    fn only_squares_are_squares() {
        let part = |rule| Part { case: 0, column: 0, rule, weight: 1.0 };
        let (square, slope) = (Rule::Squares { value: 1.0, unit: 2.0 }, Rule::Slope { good: 0.0, bad: 1.0 });
        assert!(are_squares(&[part(square)]) && !are_squares(&[part(square), part(slope)]) && !are_squares(&[]));
    }

    proptest! {
        #[test]
        fn losses_are_finite_null_inside_and_linear_outside(
            low in -1e3..1e3f64, width in 1e-3..1e3f64, unit in 1e-3..1e3f64, inside in 0.0..=1.0f64, far in 0.01..1e3f64,
        ) {
            let high = low + width;
            let rule = Rule::Band { low, high, unit };
            prop_assert_eq!(rule.loss((low + inside * width).min(high)), 0.0);
            for (end, way) in [(low, -1.0), (high, 1.0)] {
                let (one, two) = (rule.loss(end + way * far), rule.loss(end + way * 2.0 * far));
                prop_assert!(one.is_finite() && one > 0.0);
                prop_assert!((two - 2.0 * one).abs() <= 1e-6 * two);
            }
        }

        #[test]
        fn the_line_of_a_slope_is_straight(good in -1e3..1e3f64, scale in 1e-3..1e3f64, value in -1e6..1e6f64) {
            for bad in [good + scale, good - scale, good] {
                let rule = Rule::Slope { good, bad };
                let (a, b, c) = (rule.line(value), rule.line(value + 1.0), rule.line(value + 2.0));
                prop_assert!(a.is_finite());
                prop_assert_eq!(rule.loss(value), a.max(0.0));
                prop_assert!((a + c - 2.0 * b).abs() <= 1e-9 * (a.abs() + c.abs() + 1.0));
            }
        }
    }
}
