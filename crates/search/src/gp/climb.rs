//! Where something is greatest: many points by chance, then uphill from the best of them.

use super::coding::Coding;
use crate::Genome;
use crate::process::Room;
use crate::space::{Axis, Space};
use crate::variation::latin;
use crowdtune_core::math::box_descent::{Bounds, descend};
use crowdtune_core::math::rng::{ChaCha8Rng, below, normal, unit};

/// Points anywhere, and near the best candidates. Chosen here.
const ANYWHERE: usize = 160;
const NEAR: usize = 160;
/// Good candidates near which points are drawn. Chosen here.
const AROUND: usize = 4;
/// Deviations of the steps from them, shares of a range. Chosen here: the promise is narrow where much is known.
const STEPS: [f64; 3] = [0.15, 0.03, 0.006];
/// Points from which it goes uphill, and steps of each climb. Chosen here.
const CLIMBS: usize = 3;
const LENGTH: usize = 20;

/// What is climbed.
pub(super) trait Hill {
    /// The height at each of these points.
    fn heights(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<f64>;
    /// The height at one, and its slope along each number of the point.
    fn slope(&self, point: &[f64], room: &mut Room, slope: &mut [f64]) -> f64;
}

/// High candidates, the highest first, from `good` ones and chance.
pub(super) fn climb(
    space: &Space,
    coding: &Coding,
    hill: &impl Hill,
    good: &[Genome],
    rng: &mut ChaCha8Rng,
) -> Vec<Genome> {
    let mut room = Room::default();
    let mut genomes = latin(space.len(), ANYWHERE, rng);
    for k in 0..NEAR.min(NEAR * good.len()) {
        genomes.push(step(space, &good[k % good.len().min(AROUND)], STEPS[k % STEPS.len()], rng));
    }
    let (genomes, points): (Vec<Genome>, Vec<Vec<f64>>) =
        genomes.iter().map(|genome| at(space, coding, genome)).unzip();
    let mut found: Vec<(f64, Genome)> = hill.heights(&points, &mut room).into_iter().zip(genomes).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let starts: Vec<Genome> = found.iter().take(CLIMBS).map(|(_, genome)| genome.clone()).collect();
    for start in starts {
        let top = uphill(space, coding, hill, start, &mut room);
        found.push(best_neighbor(space, coding, hill, &top, &mut room));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, genome)| genome).collect()
}

/// A step from a candidate along some of its genes, one at least.
fn step(space: &Space, from: &[f64], deviation: f64, rng: &mut ChaCha8Rng) -> Genome {
    let n = from.len();
    let certain = below(rng, n);
    let mut genome = from.to_vec();
    for (g, u) in genome.iter_mut().enumerate() {
        // Of many genes some are moved at a time, of few all: as in TuRBO (Eriksson and others, NeurIPS 2019), with half of them for few.
        if g != certain && unit(rng) > (20.0 / n as f64).min(0.5) {
            continue;
        }
        *u = match &space.genes[g].axis {
            Axis::Choice(values) if g == certain || unit(rng) < deviation => {
                (below(rng, values.len()) as f64 + 0.5) / values.len() as f64
            }
            Axis::Choice(_) => *u,
            Axis::Integer { .. } | Axis::Real { .. } => {
                // A whole number moves by one at least.
                let cells = space.genes[g].axis.cells().map_or(0.0, |cells| 1.0 / cells as f64);
                (*u + deviation.max(cells) * normal(rng)).clamp(0.0, 1.0)
            }
        };
    }
    genome
}

/// Uphill along real and whole numbers, as if all were real; choices stay.
fn uphill(space: &Space, coding: &Coding, hill: &impl Hill, genome: Genome, room: &mut Room) -> Genome {
    let moved: Vec<usize> = (0..genome.len()).filter(|&g| !coding.is_choice(g)).collect();
    if moved.is_empty() {
        return genome;
    }
    let mut point = coding.point(space, &genome);
    let mut slopes = vec![0.0; point.len()];
    let mut x: Vec<f64> = moved.iter().map(|&g| genome[g]).collect();
    let bounds = Bounds { low: vec![0.0; x.len()], high: vec![1.0; x.len()] };
    descend(&bounds, &mut x, LENGTH, |x, slope| {
        for (&g, &u) in moved.iter().zip(x) {
            point[coding.at(g)] = u;
        }
        let height = hill.slope(&point, room, &mut slopes);
        for (slope, &g) in slope.iter_mut().zip(&moved) {
            *slope = -slopes[coding.at(g)];
        }
        -height
    });
    let mut top = genome;
    moved.iter().zip(&x).for_each(|(&g, &u)| top[g] = u);
    top
}

/// The best of a candidate and those that differ in one word, or in one whole number by one.
fn best_neighbor(space: &Space, coding: &Coding, hill: &impl Hill, genome: &[f64], room: &mut Room) -> (f64, Genome) {
    let (mut genome, point) = at(space, coding, genome);
    let mut height = hill.heights(&[point], room)[0];
    for g in 0..genome.len() {
        let axis = &space.genes[g].axis;
        let Some(cells) = axis.cells() else { continue };
        let own = axis.cell(genome[g]);
        let others: Vec<u64> = if axis.is_choice() {
            (0..cells).filter(|&cell| cell != own).collect()
        } else {
            [own.checked_sub(1), Some(own + 1).filter(|&cell| cell < cells)].into_iter().flatten().collect()
        };
        let other = |cell| {
            let mut other = genome.clone();
            other[g] = axis.middle(cell);
            at(space, coding, &other)
        };
        let (others, points): (Vec<Genome>, Vec<Vec<f64>>) = others.into_iter().map(other).unzip();
        for (there, other) in hill.heights(&points, room).into_iter().zip(others) {
            if there > height {
                (height, genome) = (there, other);
            }
        }
    }
    (height, genome)
}

/// A canonical genome and its point.
fn at(space: &Space, coding: &Coding, genome: &[f64]) -> (Genome, Vec<f64>) {
    let genome = space.canonical(genome);
    let point = coding.point(space, &genome);
    (genome, point)
}
