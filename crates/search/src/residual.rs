//! Parts of a loss that is a sum of squares.

use crate::part::{Part, Rule};
use crate::trial::Values;
use crowdtune_core::math::stats;

/// A squared part of the loss, in units in which squares add up to the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Residual {
    part: Part,
    /// What is wanted.
    wanted: f64,
    /// What one unit of difference counts.
    per_unit: f64,
}

impl Residual {
    /// Of all parts; `None` if one is no square.
    pub fn all(parts: &[Part]) -> Option<Vec<Self>> {
        let of = |part: &Part| match part.rule {
            Rule::Squares { value, unit } => {
                Some(Self { part: *part, wanted: value, per_unit: part.weight.sqrt() / unit })
            }
            Rule::Band { .. } | Rule::Slope { .. } => None,
        };
        parts.iter().map(of).collect()
    }

    /// Of the mean over replicas; `None` without values.
    pub fn of(&self, values: &Values) -> Option<f64> {
        let residual = (self.part.value(values)? - self.wanted) * self.per_unit;
        residual.is_finite().then_some(residual)
    }

    /// Its squared standard error, by how much the replicas differ; 0 with one replica, `None` without values.
    pub fn squared_error(&self, values: &Values) -> Option<f64> {
        let each = self.part.each(values)?;
        Some(stats::variance(&each) / each.len() as f64 * self.per_unit * self.per_unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residual() -> Residual {
        let rule = Rule::Squares { value: 2.0, unit: 4.0 };
        Residual::all(&[Part { case: 1, column: 0, rule, weight: 4.0 }]).unwrap()[0]
    }

    #[test]
    fn a_residual_is_that_of_the_mean_over_replicas() {
        let values = vec![vec![], vec![vec![Some(4.0)], vec![Some(6.0)]]];
        // Three too much, in units of four, and each counts twice as much.
        assert_eq!(residual().of(&values), Some(1.5));
        assert_eq!(residual().of(&vec![vec![], vec![vec![Some(4.0)], vec![None]]]), None);
        assert_eq!(residual().of(&vec![vec![], vec![]]), None);
    }

    #[test]
    fn a_squared_error_is_that_of_the_mean_over_replicas() {
        let of =
            |values: &[f64]| residual().squared_error(&vec![vec![], values.iter().map(|x| vec![Some(*x)]).collect()]);
        // Variance 4 of the three, 4/3 of their mean.
        assert_eq!(of(&[3.0, 5.0, 7.0]), Some(4.0 / 3.0 * 0.25));
        assert_eq!(of(&[3.0]), Some(0.0));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn only_squares_have_residuals() {
        let slope = Rule::Slope { good: 0.0, bad: 1.0 };
        assert_eq!(Residual::all(&[Part { case: 0, column: 0, rule: slope, weight: 1.0 }]), None);
    }
}
