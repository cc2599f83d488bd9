//! A random forest: a rough model of an answer over the whole space, from whatever rows there are.
//!
//! Breiman, Machine Learning 45, 5 (2001). Trees split numbers at a threshold and choices into one word against the rest.

use crate::space::Space;
use crowdtune_core::math::rng::{ChaCha8Rng, Seed, below};

/// Number of trees. Chosen here: with more, shares of the variance move by less than 0.02.
const TREES: u64 = 64;
/// Fewest rows of a leaf. Breiman 2001 takes 5 for regression.
const LEAF: usize = 5;

/// One tree, as nodes that name their children.
type Tree = Vec<Node>;

#[derive(Clone, Debug)]
enum Node {
    Leaf(f64),
    Split { gene: usize, cut: Cut, yes: usize, no: usize },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Coordinates up to this.
    Below(f64),
    /// This word of a choice.
    Word(u64),
}

/// A fitted forest.
#[derive(Clone, Debug)]
pub struct Forest<'a> {
    space: &'a Space,
    trees: Vec<Tree>,
    /// Share of the variance that is explained for rows a tree was not grown from (out of bag); below 0 is worse than the
    /// mean.
    pub explained: f64,
}

impl<'a> Forest<'a> {
    /// Grows a forest on genomes and answers, all finite; the same seed gives the same bits. With fewer than two rows or
    /// equal answers nothing is explained.
    pub fn grow(space: &'a Space, rows: &[Vec<f64>], y: &[f64], seed: Seed) -> Self {
        let mut trees = Vec::new();
        let mut guessed = vec![(0.0, 0_u32); y.len()];
        for number in 0..if y.is_empty() { 0 } else { TREES } {
            let mut rng = seed.child("tree", number).rng();
            let drawn: Vec<usize> = y.iter().map(|_| below(&mut rng, y.len())).collect();
            let mut inside = vec![false; y.len()];
            drawn.iter().for_each(|&row| inside[row] = true);
            let mut tree = Tree::new();
            Grower { space, rows, y }.grow(&mut tree, drawn, &mut rng);
            for (row, guess) in guessed.iter_mut().enumerate().filter(|(row, _)| !inside[*row]) {
                *guess = (guess.0 + predict(space, &tree, &rows[row]), guess.1 + 1);
            }
            trees.push(tree);
        }
        let known = || guessed.iter().zip(y).filter(|((_, n), _)| *n > 0);
        let mean = known().map(|(_, y)| y).sum::<f64>() / known().count() as f64;
        let left: f64 = known().map(|((sum, n), y)| (y - sum / f64::from(*n)) * (y - sum / f64::from(*n))).sum();
        let all: f64 = known().map(|(_, y)| (y - mean) * (y - mean)).sum();
        let explained = if all > 0.0 { 1.0 - left / all } else { 0.0 };
        Self { space, trees, explained }
    }

    /// The mean of the trees at a genome; NaN without trees.
    pub fn predict(&self, genome: &[f64]) -> f64 {
        self.trees.iter().map(|tree| predict(self.space, tree, genome)).sum::<f64>() / self.trees.len() as f64
    }
}

fn meets(space: &Space, gene: usize, cut: Cut, genome: &[f64]) -> bool {
    match cut {
        Cut::Below(limit) => genome[gene] <= limit,
        Cut::Word(word) => space.genes[gene].axis.cell(genome[gene]) == word,
    }
}

fn predict(space: &Space, tree: &Tree, genome: &[f64]) -> f64 {
    let mut at = 0;
    loop {
        match &tree[at] {
            Node::Leaf(value) => return *value,
            Node::Split { gene, cut, yes, no } => at = if meets(space, *gene, *cut, genome) { *yes } else { *no },
        }
    }
}

struct Grower<'a> {
    space: &'a Space,
    rows: &'a [Vec<f64>],
    y: &'a [f64],
}

impl Grower<'_> {
    /// Appends the node of these rows (repeated ones count as often) with all below it; gives its place.
    fn grow(&self, tree: &mut Tree, here: Vec<usize>, rng: &mut ChaCha8Rng) -> usize {
        let at = tree.len();
        let mean = here.iter().map(|&row| self.y[row]).sum::<f64>() / here.len() as f64;
        tree.push(Node::Leaf(mean));
        // Half the genes are looked at in each node, so that trees differ; a third, the usual share, starves small spaces.
        let genes = self.space.len();
        let mut open: Vec<usize> = (0..genes).collect();
        let mut best: Option<(f64, usize, Cut)> = None;
        for _ in 0..genes.div_ceil(2) {
            let gene = open.swap_remove(below(rng, open.len()));
            if let Some((gain, cut)) = self.cut(gene, &here, mean)
                && best.is_none_or(|(most, ..): (f64, usize, Cut)| gain > most)
            {
                best = Some((gain, gene, cut));
            }
        }
        if let Some((_, gene, cut)) = best {
            let (yes, no): (Vec<_>, Vec<_>) =
                here.into_iter().partition(|&row| meets(self.space, gene, cut, &self.rows[row]));
            let yes = self.grow(tree, yes, rng);
            let no = self.grow(tree, no, rng);
            tree[at] = Node::Split { gene, cut, yes, no };
        }
        at
    }

    /// The cut of a gene that removes most of the squared error, and how much; `None` if none leaves enough rows.
    fn cut(&self, gene: usize, here: &[usize], mean: f64) -> Option<(f64, Cut)> {
        let axis = &self.space.genes[gene].axis;
        let gain = |sum: f64, count: usize| {
            let rest = here.len() - count;
            // The sums of deviations from the common mean of both parts are opposite; their squares count.
            (count >= LEAF && rest >= LEAF).then(|| sum * sum / count as f64 + sum * sum / rest as f64)
        };
        let mut best: Option<(f64, Cut)> = None;
        let mut offer = |gain: Option<f64>, cut: Cut| {
            if let Some(gain) = gain.filter(|g| *g > 1e-12 && best.is_none_or(|(most, _)| *g > most)) {
                best = Some((gain, cut));
            }
        };
        if axis.is_choice() {
            for word in 0..axis.cells().unwrap_or(1) {
                let own = here.iter().filter(|&&row| axis.cell(self.rows[row][gene]) == word);
                let (sum, count) = own.fold((0.0, 0), |(sum, n), &row| (sum + self.y[row] - mean, n + 1));
                offer(gain(sum, count), Cut::Word(word));
            }
            return best;
        }
        let mut sorted = here.to_vec();
        sorted.sort_by(|&a, &b| self.rows[a][gene].total_cmp(&self.rows[b][gene]).then(a.cmp(&b)));
        let mut sum = 0.0;
        for (count, pair) in sorted.windows(2).enumerate() {
            sum += self.y[pair[0]] - mean;
            let (low, high) = (self.rows[pair[0]][gene], self.rows[pair[1]][gene]);
            if low < high {
                // Between neighboring numbers the middle may round to the upper one.
                let middle = f64::midpoint(low, high);
                offer(gain(sum, count + 1), Cut::Below(if middle < high { middle } else { low }));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensitivity::points::Points;
    use crate::space::{Axis, Gene};

    fn space() -> Space {
        let gene = |axis| Gene { key: String::new(), axis };
        let real = Axis::Real { low: 0.0, high: 1.0, log: false };
        Space { genes: vec![gene(real.clone()), gene(Axis::Choice(vec![0.0, 1.0, 2.0])), gene(real)] }
    }

    #[test]
    fn steps_and_words_are_found_and_chance_is_not() {
        let space = space();
        let points = Points::scrambled(3, Seed(1));
        let rows: Vec<Vec<f64>> = (0..256).map(|k| space.canonical(&points.point(k))).collect();
        let truth = |row: &[f64]| {
            let x = space.decode(row);
            (if x[0] > 0.4 { 2.0 } else { 0.0 }) + if x[1] == 1.0 { 1.0 } else { 0.0 }
        };
        let y: Vec<f64> = rows.iter().map(|row| truth(row)).collect();
        let forest = Forest::grow(&space, &rows, &y, Seed(1));
        assert!(forest.explained > 0.95, "{}", forest.explained);
        for row in [[0.2, 0.5, 0.1], [0.2, 0.2, 0.9], [0.8, 0.5, 0.5], [0.8, 0.9, 0.5]] {
            assert!((forest.predict(&row) - truth(&row)).abs() < 0.2, "{row:?}: {}", forest.predict(&row));
        }
        let chance: Vec<f64> = (0..256).map(|k| Points::scrambled(5, Seed(9)).point(k)[4]).collect();
        let forest = Forest::grow(&space, &rows[..256], &chance, Seed(1));
        assert!(forest.explained < 0.1, "{}", forest.explained);
    }

    #[test]
    fn few_or_equal_rows_explain_nothing() {
        let space = space();
        let rows = vec![vec![0.5; 3]; 20];
        assert_eq!(Forest::grow(&space, &rows, &[1.0; 20], Seed(1)).explained, 0.0);
        assert_eq!(Forest::grow(&space, &rows[..1], &[1.0], Seed(1)).explained, 0.0);
        assert!(Forest::grow(&space, &[], &[], Seed(1)).predict(&[0.5; 3]).is_nan());
    }
}
