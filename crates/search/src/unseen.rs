//! No question twice: which candidates were asked, and how to find one that was not.

use crate::Genome;
use crate::space::Space;
use crowdtune_core::math::rng::{ChaCha8Rng, below, mixed, unit};
use std::collections::BTreeSet;

/// The candidates that were asked already, compared by the values they decode to.
#[derive(Clone, Debug)]
pub struct Unseen {
    space: Space,
    size: Option<u64>,
    /// Each behind a hash, which nearly always decides a comparison.
    seen: BTreeSet<(u64, Box<[u64]>)>,
    used_up: bool,
}

impl Unseen {
    /// Nothing was asked yet.
    pub fn new(space: &Space) -> Self {
        Self { space: space.clone(), size: space.finite_size(), seen: BTreeSet::new(), used_up: false }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// True if every candidate of a finite space was taken, or [`Unseen::take_any`] found none.
    pub fn exhausted(&self) -> bool {
        self.used_up || self.size.is_some_and(|size| self.seen.len() as u64 >= size)
    }

    /// Takes a candidate: its canonical genome, or `None` if the same values were taken before.
    pub fn take(&mut self, genome: &[f64]) -> Option<Genome> {
        self.claim(genome.to_vec())
    }

    /// [`Unseen::take`] of a genome that is not needed any more, without a copy.
    pub(crate) fn claim(&mut self, mut genome: Genome) -> Option<Genome> {
        genome.truncate(self.space.len());
        for (gene, u) in self.space.genes.iter().zip(&mut genome) {
            *u = gene.axis.canonical(*u);
        }
        let key = self.key(&genome);
        self.seen.insert(key).then_some(genome)
    }

    /// Takes a candidate that was not taken before, each with equal probability; `None` if there is none.
    pub fn take_any(&mut self, rng: &mut ChaCha8Rng) -> Option<Genome> {
        let found = self.draw(rng).or_else(|| self.count_off(rng));
        self.used_up = found.is_none();
        found
    }

    /// By trial and error, while at least half of the space is free: 64 tries then fail once in 2^64 calls.
    fn draw(&mut self, rng: &mut ChaCha8Rng) -> Option<Genome> {
        if self.size.is_some_and(|size| self.seen.len() as u64 > size / 2) {
            return None;
        }
        (0..64).find_map(|_| {
            let genome: Genome = (0..self.space.len()).map(|_| unit(rng)).collect();
            self.claim(genome)
        })
    }

    /// By counting off the free candidates of a finite space, of which at least half are taken.
    fn count_off(&mut self, rng: &mut ChaCha8Rng) -> Option<Genome> {
        let size = self.size?;
        let free = size.saturating_sub(self.seen.len() as u64);
        let pick = if free == 0 { return None } else { below(rng, free as usize) };
        let genome = (0..size).map(|i| self.space.nth(i)).filter(|g| !self.seen.contains(&self.key(g))).nth(pick)?;
        self.claim(genome)
    }

    fn key(&self, genome: &[f64]) -> (u64, Box<[u64]>) {
        let words = self.space.key(genome).into_boxed_slice();
        // An odd factor near 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
        let add = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed(words.iter().fold(0, add)), words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Axis, Gene};
    use crowdtune_core::math::rng::Seed;

    fn space(axis: Axis) -> Space {
        Space { genes: vec![Gene { key: "x".to_owned(), axis }] }
    }

    #[test]
    fn a_finite_space_is_used_up_to_the_last_candidate() {
        let mut unseen = Unseen::new(&space(Axis::Integer { low: 0, high: 9 }));
        let mut rng = Seed(1).rng();
        let mut cells: Vec<f64> = (0..10).filter_map(|_| unseen.take_any(&mut rng)).map(|g| g[0]).collect();
        cells.sort_by(f64::total_cmp);
        assert_eq!(cells, (0..10).map(|i| (f64::from(i) + 0.5) / 10.0).collect::<Vec<_>>());
        assert!(unseen.exhausted());
        assert_eq!(unseen.take_any(&mut rng), None);
    }

    #[test]
    fn the_same_value_counts_once() {
        let mut unseen = Unseen::new(&space(Axis::Choice(vec![3.0, 4.0])));
        assert_eq!(unseen.take(&[0.1]), Some(vec![0.25]));
        assert_eq!(unseen.take(&[0.4]), None);
        let mut unseen = Unseen::new(&space(Axis::Real { low: 0.0, high: 1.0, log: false }));
        assert_eq!(unseen.take(&[2.0]), Some(vec![1.0]));
        assert_eq!(unseen.take(&[1.0]), None);
    }
}
