//! Candidates as points between which there is a distance.

use crate::space::{Axis, Space};

/// How genomes become points: a number for each real or whole number, and one for each word of a choice, so that all words are equally far from
/// each other.
#[derive(Clone, Debug)]
pub(super) struct Coding {
    /// Where each gene begins, and the length of a point.
    begins: Vec<usize>,
    /// The gene of each number.
    gene: Vec<usize>,
    choice: Vec<bool>,
}

impl Coding {
    pub fn new(space: &Space) -> Self {
        let mut coding = Self { begins: vec![0], gene: Vec::new(), choice: Vec::new() };
        for (g, gene) in space.genes.iter().enumerate() {
            let numbers = match &gene.axis {
                Axis::Choice(values) => values.len(),
                Axis::Real { .. } | Axis::Integer { .. } => 1,
            };
            coding.choice.push(gene.axis.is_choice());
            coding.gene.extend(std::iter::repeat_n(g, numbers));
            coding.begins.push(coding.gene.len());
        }
        coding
    }

    /// Length of a point.
    pub fn len(&self) -> usize {
        self.gene.len()
    }

    /// The gene of each number of a point.
    pub fn genes(&self) -> &[usize] {
        &self.gene
    }

    pub fn is_choice(&self, gene: usize) -> bool {
        self.choice[gene]
    }

    /// Place of a real or whole number in a point.
    pub fn at(&self, gene: usize) -> usize {
        self.begins[gene]
    }

    /// The point of a canonical genome.
    pub fn point(&self, space: &Space, genome: &[f64]) -> Vec<f64> {
        let mut point = vec![0.0; self.len()];
        for (g, (gene, &u)) in space.genes.iter().zip(genome).enumerate() {
            if self.choice[g] {
                point[self.begins[g] + gene.axis.cell(u) as usize] = std::f64::consts::FRAC_1_SQRT_2;
            } else {
                point[self.begins[g]] = u;
            }
        }
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gene;

    #[test]
    fn words_are_one_apart() {
        let space = Space::new([Gene::real("a", 0.0, 1.0), Gene::choice("c", 3), Gene::integer("n", 1, 4)]).unwrap();
        let coding = Coding::new(&space);
        assert_eq!((coding.len(), coding.genes()), (5, &[0, 1, 1, 1, 2][..]));
        let far = |a: &[f64], b: &[f64]| {
            let (a, b) = (coding.point(&space, a), coding.point(&space, b));
            a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
        };
        assert!((far(&[0.0, 0.2, 0.1], &[0.0, 0.9, 0.1]) - 1.0).abs() < 1e-15);
        assert_eq!(far(&[0.25, 0.2, 0.125], &[0.75, 0.2, 0.625]), 0.5);
        assert_eq!((coding.at(2), coding.is_choice(1)), (4, true));
    }
}
