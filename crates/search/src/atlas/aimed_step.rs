//! Steps from an elite that are aimed at a cell by its slopes: gradient arborescence without gradients (Fontaine, Nikolaidis,
//! NeurIPS 2021; slopes after Broyden, see the module of slopes).

use super::emitters::Child;
use super::grid::{Elite, Grid};
use super::landscape::Landscape;
use super::slopes::{Compass, dot};
use crate::space::{Gene, Space};
use crate::variation::settle;
use crowdtune_core::math::rng::{ChaCha8Rng, below, normal, unit};

/// Aims that are compared before one is asked. Chosen here: 3 filled a fifth fewer cells, 16 a twentieth more at twice the time.
const AIMS: usize = 12;
/// Elites and places that are tried for one aim at an empty cell. Chosen here: finds one if a twentieth are empty.
const LOOKS: usize = 20;
/// The far side of a cell, just inside. Chosen here: survives the rounding from a place to a measure and back.
const INSIDE: f64 = 1.0 - 1e-9;
/// Longest step per gene, as a share of its range. Chosen here: slopes hold near an elite; twice as long lost a tenth.
const LONGEST: f64 = 0.05;
/// Normal noise of a step, as a share of its length. Chosen here: half or double did as well; without it nothing is learned
/// about other directions.
const BLUR: f64 = 0.2;
/// Least noise of a gene. Chosen here: below what any cell is wide.
const LEAST: f64 = 1e-4;
/// Least noise where answers are noisy, so that slopes show. Chosen here.
const LEAST_NOISY: f64 = 5e-3;
/// Expected number of choices that a step draws anew, if all n genes are choices. Chosen here: slopes know nothing of choices, so
/// most steps leave them alone.
const CHOICE: f64 = 0.2;

/// Share of aims that keep the measures and only go downhill. Chosen here: elites of wide cells sit at an edge, where a step to
/// any other place in the cell is a loss.
const STAY: f64 = 0.2;

/// How an emitter aims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Manner {
    /// Standard deviation of the distance to the cell, in cells.
    pub(super) reach: f64,
    /// Steps are stretched by up to this factor, because measures may flatten out.
    pub(super) stretch: f64,
    /// True if a cell stays attractive however often it was missed: rugged landscapes need many tries, while elsewhere most of
    /// the missed cells cannot be reached.
    pub(super) stubborn: bool,
    /// True if it looks for empty cells and goes straight there, not partly downhill: filling a cell is worth more than any
    /// loss, and long steps miss.
    pub(super) fills: bool,
}

/// A step that is aimed at a cell.
struct Aim<'a> {
    gain: f64,
    target: u64,
    elite: &'a Elite,
    step: Vec<f64>,
    long: f64,
}

/// The most promising of several aimed steps.
pub(super) fn aim(space: &Space, grid: &Grid, landscape: &Landscape, manner: Manner, rng: &mut ChaCha8Rng) -> Child {
    let mut best: Option<Aim<'_>> = None;
    for _ in 0..AIMS {
        let aim = take_aim(grid, landscape, manner, rng);
        if best.as_ref().is_none_or(|best| aim.gain > best.gain) {
            best = Some(aim);
        }
    }
    let Aim { target, elite, step, long, .. } = best.expect("at least one aim");
    let n = space.len() as f64;
    let sigma = BLUR * long / n.sqrt() + if landscape.noisy { LEAST_NOISY } else { LEAST };
    let gene = |((gene, &x), step): ((&Gene, &f64), &f64)| {
        if !gene.axis.is_choice() {
            settle(&gene.axis, (x + step + sigma * normal(rng)).clamp(0.0, 1.0), rng)
        } else if unit(rng) * n < CHOICE {
            gene.axis.canonical(unit(rng))
        } else {
            x
        }
    };
    let genome = space.genes.iter().zip(&elite.genome).zip(&step).map(gene).collect();
    Child { genome, parent: Some(elite.clone()), target: Some(target) }
}

/// An elite, a place in a cell nearby, counted in cells, and the number of that cell. An aim that [fills](Manner::fills) gets an
/// empty one if a few looks find any; its place then lies near the elite's side of the cell, as often only a corner is in reach.
fn choose<'a>(grid: &'a Grid, manner: Manner, rng: &mut ChaCha8Rng) -> (&'a Elite, Vec<f64>, u64) {
    let mut looks = if manner.fills { LOOKS } else { 1 };
    loop {
        looks -= 1;
        let elite = grid.nth(below(rng, grid.len()));
        let depth = if manner.fills { unit(rng) * unit(rng) } else { 1.0 };
        let mut to = Vec::with_capacity(elite.measures.len());
        let mut wanted = Vec::with_capacity(elite.measures.len());
        for (axis, &value) in grid.measures().iter().zip(&elite.measures) {
            let from = Grid::place(axis, value);
            let last = f64::from(axis.cells.max(1)) - 1.0;
            let cell = (from + manner.reach * normal(rng)).floor().clamp(0.0, last);
            let side = from.clamp(cell, cell + INSIDE);
            let place = side + depth * (cell + unit(rng) - side);
            to.push(place);
            wanted.push(axis.low + place / (last + 1.0) * (axis.high - axis.low));
        }
        let target = grid.index(&wanted);
        if looks == 0 || grid.best(target).is_none() {
            return (elite, to, target);
        }
    }
}

/// A step from an elite to a cell nearby, partly downhill unless it [fills](Manner::fills), and what it promises.
fn take_aim<'a>(grid: &'a Grid, landscape: &Landscape, manner: Manner, rng: &mut ChaCha8Rng) -> Aim<'a> {
    let (elite, to, mut target) = choose(grid, manner, rng);
    let genes = elite.genome.len();
    let mut shift = vec![0.0; to.len()];
    if !manner.fills && unit(rng) < STAY {
        target = grid.index(&elite.measures);
    } else {
        let stretch = 1.0 + (manner.stretch - 1.0) * unit(rng);
        for (((shift, to), axis), &value) in shift.iter_mut().zip(to).zip(grid.measures()).zip(&elite.measures) {
            *shift = (to - Grid::place(axis, value)) * stretch;
        }
    }
    let compass = Compass::of(&elite.slopes, genes);
    let mut step = compass.towards(shift);
    let cap = LONGEST * (genes as f64).sqrt();
    let bend = landscape.bend.max(0.0);
    let downhill = compass.downhill();
    let steep = dot(downhill, downhill).sqrt();
    if !manner.fills && steep > 0.0 && steep.is_finite() {
        let length = unit(rng) * (steep / bend).min(cap) / steep;
        step.iter_mut().zip(downhill).for_each(|(s, d)| *s += length * d);
    }
    let mut long = dot(&step, &step).sqrt();
    if !long.is_finite() {
        step.fill(0.0);
        long = 0.0;
    } else if long > cap {
        step.iter_mut().for_each(|s| *s *= cap / long);
        long = cap;
    }
    let there = grid.best(target).filter(|there| there.violation <= 0.0);
    let before = there.map_or(landscape.empty, |there| there.loss);
    let mut gain = if elite.violation > 0.0 { 0.0 } else { before - elite.loss - compass.predict(&step, bend) };
    if gain > 0.0 && !manner.stubborn {
        // A cell that was missed is out of reach, or better than the slopes know.
        let tries = 1.0 + f64::from(landscape.misses.get(&target).copied().unwrap_or(0));
        gain /= match there {
            Some(_) => tries,
            None => tries * tries,
        };
    }
    Aim { gain, target, elite, step, long }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measure, Trial};
    use crowdtune_core::math::rng::Seed;

    /// Of ten cells in a row the fourth is empty. Filling aims find it, near the side their elite is on; others as often as any.
    #[test]
    fn filling_aims_find_the_gap() {
        let mut grid = Grid::new(&[Measure { low: 0.0, high: 10.0, cells: 10 }], 1);
        for id in [0, 1, 2, 4, 5, 6, 7, 8, 9] {
            let trial = Trial { measures: vec![id as f64 + 0.5], ..Trial::of_search(id, vec![0.5], 0.0) };
            grid.offer(Elite::of(&trial, 1).expect("a sound trial"));
        }
        let mut rng = Seed(1).rng();
        let mut gap = |fills| {
            let manner = Manner { reach: 1.5, stretch: 1.0, stubborn: false, fills };
            let chosen: Vec<(f64, f64)> = (0..1000)
                .map(|_| choose(&grid, manner, &mut rng))
                .filter(|(_, _, target)| *target == 3)
                .map(|(elite, to, _)| (elite.measures[0], to[0]))
                .collect();
            let near = chosen.iter().map(|(from, to)| if *from < 3.0 { to - 3.0 } else { 4.0 - to }).sum::<f64>();
            (chosen.len(), near / chosen.len() as f64)
        };
        let (found, depth) = gap(true);
        // A product of two shares and a half, in the mean 1/8, where a place anywhere has 1/2.
        assert!(found > 800 && (depth - 0.125).abs() < 0.03, "{found} {depth}");
        let (found, depth) = gap(false);
        assert!(found < 200 && (depth - 0.5).abs() < 0.15, "{found} {depth}");
    }
}
