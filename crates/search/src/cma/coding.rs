//! Genes as the coordinates that CMA-ES moves, and back: bounds by redrawing and reflection, whole numbers with a margin
//! (Hamano, Saito, Nomura, Shirakawa, GECCO 2022), choices kept apart.

use super::gaussian::Gaussian;
use crate::Genome;
use crate::space::Space;
use crate::variation::reflect;
use crowdtune_core::math::normal;

/// A draw that leaves the cube is repeated up to this often, then reflected. Hansen's advice for bounds that are not active;
/// chosen here: 5 costs little, and reflection stays rare.
pub const REDRAWS: usize = 5;

/// Which genes are moved as numbers and which are drawn from tables of probabilities. A gene of a single value is neither.
#[derive(Clone, Debug)]
pub struct Coding {
    space: Space,
    /// Gene and its cells (`None` for a real number).
    numbers: Vec<(usize, Option<u64>)>,
    /// Gene and number of words.
    choices: Vec<(usize, usize)>,
    /// True if every gene is a real number of more than one value: genome and point are then the same.
    plain: bool,
}

/// A candidate in the coordinates of CMA-ES.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// One for each number, in [0, 1].
    pub x: Vec<f64>,
    /// The word of each choice.
    pub words: Vec<usize>,
}

impl Coding {
    /// The coding of a space.
    pub fn new(space: &Space) -> Self {
        let mut coding = Self { space: space.clone(), numbers: Vec::new(), choices: Vec::new(), plain: false };
        for (i, gene) in space.genes.iter().enumerate() {
            match gene.axis.cells() {
                Some(1) => {}
                Some(cells) if gene.axis.is_choice() => coding.choices.push((i, cells as usize)),
                cells => coding.numbers.push((i, cells)),
            }
        }
        coding.plain = coding.numbers.iter().filter(|n| n.1.is_none()).count() == space.len();
        coding
    }

    /// Number of genes that are moved as numbers.
    pub fn numbers(&self) -> usize {
        self.numbers.len()
    }

    /// For each gene, true if it is a real number of more than one value.
    pub fn real(&self) -> Vec<bool> {
        let mut real = vec![false; self.space.len()];
        self.numbers.iter().filter(|n| n.1.is_none()).for_each(|n| real[n.0] = true);
        real
    }

    /// Number of words of each choice.
    pub fn choices(&self) -> impl Iterator<Item = usize> + '_ {
        self.choices.iter().map(|c| c.1)
    }

    /// The canonical genome of a point.
    pub fn genome(&self, point: &Point) -> Genome {
        let mut genome = Genome::new();
        self.write_genome(point, &mut genome);
        genome
    }

    /// Writes the canonical genome of a point to `genome`.
    pub fn write_genome(&self, point: &Point, genome: &mut Genome) {
        genome.clear();
        if self.plain {
            genome.extend(point.x.iter().zip(&self.space.genes).map(|(x, gene)| gene.axis.canonical(*x)));
            return;
        }
        genome.resize(self.space.len(), 0.5);
        for ((gene, _), x) in self.numbers.iter().zip(&point.x) {
            genome[*gene] = *x;
        }
        for ((gene, _), word) in self.choices.iter().zip(&point.words) {
            genome[*gene] = self.space.genes[*gene].axis.middle(*word as u64);
        }
        for (u, gene) in genome.iter_mut().zip(&self.space.genes) {
            *u = gene.axis.canonical(*u);
        }
    }

    /// The point of a genome.
    pub fn point(&self, genome: &[f64]) -> Point {
        let mut point = Point::default();
        self.write_point(genome, &mut point);
        point
    }

    /// Writes the point of a genome to `point`.
    pub fn write_point(&self, genome: &[f64], point: &mut Point) {
        point.x.clear();
        point.words.clear();
        if self.plain {
            point.x.extend_from_slice(genome);
            return;
        }
        let axis = |gene: usize| &self.space.genes[gene].axis;
        point.x.extend(self.numbers.iter().map(|(gene, _)| axis(*gene).canonical(genome[*gene])));
        point.words.extend(self.choices.iter().map(|(gene, _)| axis(*gene).cell(genome[*gene]) as usize));
    }

    /// Keeps every whole number's chance to leave its cell at or above `alpha`.
    ///
    /// Hamano, Saito, Nomura, Shirakawa, CMA-ES with Margin, GECCO 2022: the mean moves towards the border of an outermost
    /// cell until the other side has probability alpha; between two borders mean and deviation are set so that both
    /// sides have alpha / 2. Differs from the source: the widening goes into C itself, not into a matrix of its own.
    pub fn keep_margin(&self, gaussian: &mut Gaussian, alpha: f64) {
        for (i, (_, cells)) in self.numbers.iter().enumerate() {
            let Some(cells) = cells else { continue };
            let width = 1.0 / *cells as f64;
            let (mean, deviation) = (gaussian.mean()[i], gaussian.deviation(i));
            // Wider than a cell: both sides are likely anyway.
            if deviation > width || deviation <= 0.0 || deviation.is_nan() {
                continue;
            }
            let cell = ((mean / width) as u64).min(cells - 1);
            let (low, high) = (cell as f64 * width, (cell + 1) as f64 * width);
            if cell == 0 || cell == cells - 1 {
                let border = if cell == 0 { high } else { low };
                let most = deviation * normal::quantile(1.0 - alpha);
                if (mean - border).abs() > most {
                    gaussian.adjust(i, if cell == 0 { border - most } else { border + most }, deviation);
                }
            } else {
                let (p_low, p_high) =
                    (normal::below(-((mean - low) / deviation)), normal::below(-((high - mean) / deviation)));
                if p_low >= alpha / 2.0 && p_high >= alpha / 2.0 {
                    continue;
                }
                let q_low = normal::quantile(1.0 - p_low.clamp(alpha / 2.0, 0.5 - alpha / 4.0));
                let q_high = normal::quantile(1.0 - p_high.clamp(alpha / 2.0, 0.5 - alpha / 4.0));
                let mean = (low * q_high + high * q_low) / (q_low + q_high);
                gaussian.adjust(i, mean, width / (q_low + q_high));
            }
        }
    }
}

/// Into the cube by reflection, every coordinate by itself.
pub fn reflected(x: &mut [f64]) {
    x.iter_mut().for_each(|x| *x = reflect(*x));
}

/// True if every coordinate lies in [0, 1].
pub fn inside(x: &[f64]) -> bool {
    x.iter().all(|x| (0.0..=1.0).contains(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cma::gaussian::{AT_ONCE, Step};
    use crate::space::{Axis, Gene};
    use crowdtune_core::math::rng::Seed;

    fn space(axes: Vec<Axis>) -> Space {
        Space { genes: axes.into_iter().map(|axis| Gene { key: String::new(), axis }).collect() }
    }

    #[test]
    fn genomes_come_back() {
        let real = Axis::Real { low: 0.0, high: 1.0, log: false };
        let word = Axis::Choice(vec![1.0, 5.0, 7.0, 9.0]);
        let single = Axis::Integer { low: 3, high: 3 };
        let coding = Coding::new(&space(vec![word, real, single, Axis::Integer { low: 0, high: 4 }]));
        assert_eq!((coding.numbers(), coding.choices().collect::<Vec<_>>()), (2, vec![4]));
        let genome = vec![0.625, 0.3, 0.5, 0.9];
        let point = coding.point(&genome);
        assert_eq!(point, Point { x: vec![0.3, 0.9], words: vec![2] });
        assert_eq!(coding.genome(&point), genome);
    }

    #[test]
    fn whole_numbers_never_freeze() {
        let coding = Coding::new(&space(vec![Axis::Integer { low: 0, high: 9 }; 2]));
        let mut gaussian = Gaussian::new(&[0.05, 0.55], 1e-3, 6);
        coding.keep_margin(&mut gaussian, 0.1);
        let mut rng = Seed(2).rng();
        let (mut steps, mut x, mut left) = (vec![Step::default(); AT_ONCE], Vec::new(), [0, 0]);
        for _ in 0..10_000 / AT_ONCE {
            gaussian.sample(&mut rng, &mut steps);
            for step in &steps {
                gaussian.place(step, &mut x);
                left[0] += u32::from(x[0] > 0.1);
                left[1] += u32::from(!(0.5..0.6).contains(&x[1]));
            }
        }
        // A share alpha leaves: to one side at the end of the axis, to both in the middle.
        assert!(left.iter().all(|l| (880..1120).contains(l)), "{left:?}");
    }
}
