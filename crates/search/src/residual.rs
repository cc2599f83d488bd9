//! Parts of a loss that is a sum of squares.

use crate::trial::Values;
use crowdtune_core::math::stats;

/// A squared part of the loss: one value of one case, in units in which squares add up to the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Index of the case in [`Trial::values`](crate::Trial::values).
    pub case: usize,
    /// Index of the column.
    pub column: usize,
    /// What is wanted.
    pub wanted: f64,
    /// What one unit of difference counts.
    pub per_unit: f64,
}

impl Residual {
    /// Of the mean over replicas; `None` without values.
    pub(crate) fn of(&self, values: &Values) -> Option<f64> {
        let each = self.each(values)?;
        let residual = (stats::mean(&each) - self.wanted) * self.per_unit;
        residual.is_finite().then_some(residual)
    }

    /// Its squared standard error, by how much the replicas differ; 0 with one replica, `None` without values.
    pub(crate) fn squared_error(&self, values: &Values) -> Option<f64> {
        let each = self.each(values)?;
        Some(stats::variance(&each) / each.len() as f64 * self.per_unit * self.per_unit)
    }

    /// The value of each replica.
    fn each(&self, values: &Values) -> Option<Vec<f64>> {
        let runs = values.get(self.case)?;
        let each: Option<Vec<f64>> = runs.iter().map(|run| run.get(self.column).copied().flatten()).collect();
        each.filter(|each| !each.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_residual_is_that_of_the_mean_over_replicas() {
        let residual = Residual { case: 1, column: 0, wanted: 2.0, per_unit: 0.5 };
        let values = vec![vec![], vec![vec![Some(4.0)], vec![Some(6.0)]]];
        assert_eq!(residual.of(&values), Some(1.5));
        assert_eq!(residual.of(&vec![vec![], vec![vec![Some(4.0)], vec![None]]]), None);
        assert_eq!(residual.of(&vec![vec![], vec![]]), None);
    }

    #[test]
    fn a_squared_error_is_that_of_the_mean_over_replicas() {
        let residual = Residual { case: 0, column: 0, wanted: 2.0, per_unit: 0.5 };
        let of = |values: &[f64]| residual.squared_error(&vec![values.iter().map(|x| vec![Some(*x)]).collect()]);
        // Variance 4 of the three, 4/3 of their mean.
        assert_eq!(of(&[3.0, 5.0, 7.0]), Some(4.0 / 3.0 * 0.25));
        assert_eq!(of(&[3.0]), Some(0.0));
        assert_eq!(of(&[]), None);
    }
}
