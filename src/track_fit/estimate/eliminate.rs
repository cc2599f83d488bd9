//! Least squares with many unknowns that each concern few numbers: these are eliminated first, block by block.

use crowdtune_core::math::linear::{add_scaled, dot};

/// Of a column nothing is left beside those before it that is shorter than this: it says nothing of its own. Columns are derivatives
/// of meters by meters, seconds or meters per second.
const DEPENDENT: f64 = 1e-6;

/// The columns of a block of numbers, the first few of which are its own unknowns: made orthogonal by modified Gram-Schmidt, so that
/// what remains of the others is free of them.
pub(super) struct Block {
    own: usize,
    /// For each own column the products with the columns from it on; a first product of 0: it says nothing.
    products: Vec<Vec<f64>>,
    /// What remains of the other columns.
    pub rest: Vec<Vec<f64>>,
}

impl Block {
    /// Eliminates the first `own` columns.
    pub(super) fn new(mut columns: Vec<Vec<f64>>, own: usize) -> Self {
        let mut products = Vec::with_capacity(own);
        for k in 0..own {
            let (head, tail) = columns.split_at_mut(k + 1);
            let column = &mut head[k];
            let length = dot(column, column).sqrt();
            if length <= DEPENDENT {
                products.push(vec![0.0; tail.len() + 1]);
                continue;
            }
            column.iter_mut().for_each(|x| *x /= length);
            let with = tail.iter_mut().map(|other| {
                let product = dot(column, other);
                add_scaled(other, -product, column);
                product
            });
            products.push([length].into_iter().chain(with).collect());
        }
        Self { own, products, rest: columns.split_off(own) }
    }

    /// The own unknowns that make the block's numbers least, where the others are these; the last column is the right side, which counts
    /// with 1.
    pub(super) fn own(&self, others: &[f64]) -> Vec<f64> {
        let mut own = vec![0.0; self.own];
        for k in (0..self.own).rev() {
            let products = &self.products[k];
            if products[0] == 0.0 {
                continue;
            }
            let known = own[k + 1..].iter().chain(others).chain(&[1.0]);
            let sum: f64 = products[1..].iter().zip(known).map(|(product, x)| product * x).sum();
            own[k] = -sum / products[0];
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_four_points_by_hand() {
        // y = 1 + 2 t + 0.5 u - 4 with u = (1, -1, -1, 1): the residual is to vanish, so the unknowns are -1, -2 and -0.5.
        let right = [-2.5, -1.5, 0.5, 3.5].map(|y| y + 4.0);
        let columns = vec![vec![1.0; 4], vec![0.0, 1.0, 2.0, 3.0], vec![1.0, -1.0, -1.0, 1.0], right.to_vec()];
        let block = Block::new(columns, 2);
        let (other, right) = (&block.rest[0], &block.rest[1]);
        let factor = -dot(other, right) / dot(other, other);
        assert!((factor + 0.5).abs() < 1e-12, "{factor}");
        let own = block.own(&[factor]);
        assert!((own[0] + 1.0).abs() < 1e-12 && (own[1] + 2.0).abs() < 1e-12, "{own:?}");
    }

    #[test]
    fn a_column_of_nothing_stays_where_it_is() {
        let block = Block::new(vec![vec![0.0, 0.0], vec![1.0, 0.0], vec![3.0, 5.0]], 2);
        assert_eq!((block.own(&[]), &block.rest[0]), (vec![0.0, -3.0], &vec![0.0, 5.0]));
    }
}
