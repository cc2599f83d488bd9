//! Parts of a loss that is a sum of squares.

use crate::trial::Values;

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
        let runs = values.get(self.case)?;
        let each: Option<Vec<f64>> = runs.iter().map(|run| run.get(self.column).copied().flatten()).collect();
        let each = each.filter(|each| !each.is_empty())?;
        let residual = (each.iter().sum::<f64>() / each.len() as f64 - self.wanted) * self.per_unit;
        residual.is_finite().then_some(residual)
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
}
