//! How children are made: crossover, differential variation and a change of one gene, shared out by success.

use super::archive::Point;
use crate::Genome;
use crate::space::Space;
use crate::success_history::SuccessHistory;
use crate::variation::{Quartet, differ, draw, mutate, mutate_one, sbx};
use crowdtune_core::math::rng::{ChaCha8Rng, below, unit};

/// Smallest share of each source of children. Chosen here: a source that was useless may become useful.
const LEAST: f64 = 0.1;
/// Weight that older children of a source keep with each new one. Chosen here: about the last hundred count.
const FADE: f64 = 0.99;
/// Share of differential variation that goes along a line, where there are constraints. Chosen here: 0.3 was no better, and
/// without, fronts that lie on a constraint have gaps (docs/decisions.md).
const LINES: f64 = 0.5;
/// Members of which the nearest is the other end of a line. Chosen here: a quarter of the usual population is near enough.
const NEAR: usize = 6;
/// Share of lines that lead away from the other end. Chosen here: most fill gaps, the others lengthen the front.
const BEYOND: f64 = 0.3;

/// Where children come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// Crossover of two parents, then mutation.
    Crossover,
    /// Differential variation with these F and CR.
    Differential(f64, f64),
    /// Differential variation along the line to a member nearby.
    Line,
    /// A change of one gene.
    Single,
}

impl Source {
    /// Its place in [`Breeder::merits`].
    fn index(self) -> usize {
        match self {
            Self::Crossover => 0,
            Self::Differential(..) | Self::Line => 1,
            Self::Single => 2,
        }
    }
}

/// Where parents are taken from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family<'a> {
    /// The space of the genomes.
    pub space: &'a Space,
    /// All points.
    pub points: &'a [Point],
    /// Indices of the population, with their layers; three or more.
    pub members: &'a [(u32, usize)],
    /// True if some candidate violated a constraint.
    pub limits: bool,
    /// True if a change of one gene draws it anew.
    pub anew: bool,
}

impl Family<'_> {
    /// The winner of a tournament of two members by layer; another one if it is one of `taken`, which must leave one.
    fn parent(&self, taken: &[u32], rng: &mut ChaCha8Rng) -> u32 {
        let (a, b) = (below(rng, self.members.len()), below(rng, self.members.len()));
        let index = if self.members[a].1 <= self.members[b].1 { a } else { b };
        let index = self.members[index].0;
        if taken.contains(&index) { self.other(taken, rng) } else { index }
    }

    /// A member that is none of `taken`, which must leave one.
    fn other(&self, taken: &[u32], rng: &mut ChaCha8Rng) -> u32 {
        loop {
            let (index, _) = self.members[below(rng, self.members.len())];
            if !taken.contains(&index) {
                return index;
            }
        }
    }

    /// The nearest of [`NEAR`] members drawn by chance, the first of equals.
    fn neighbor(&self, index: u32, rng: &mut ChaCha8Rng) -> u32 {
        let away =
            |i: u32| -> f64 { self.genome(i).iter().zip(self.genome(index)).map(|(a, b)| (a - b) * (a - b)).sum() };
        let mut nearest = self.other(&[index], rng);
        for _ in 1..NEAR {
            let next = self.other(&[index], rng);
            if away(next) < away(nearest) {
                nearest = next;
            }
        }
        nearest
    }

    fn genome(&self, index: u32) -> &[f64] {
        &self.points[index as usize].genome
    }
}

/// Makes children from three sources.
pub(super) struct Breeder {
    sbx_eta: f64,
    mutation_eta: f64,
    history: SuccessHistory,
    /// Survivors and all children of each source, with fading weights.
    merits: [(f64, f64); 3],
}

impl Breeder {
    /// Nothing was learned yet: every source has the same share.
    pub(super) fn new(sbx_eta: f64, mutation_eta: f64) -> Self {
        Self { sbx_eta, mutation_eta, history: SuccessHistory::new(), merits: [(0.0, 0.0); 3] }
    }

    /// A child and its source; `again` mutates it once more, because the child was asked before.
    pub(super) fn child(&self, family: &Family<'_>, again: bool, rng: &mut ChaCha8Rng) -> (Genome, Source) {
        let space = family.space;
        let rate = 1.0 / space.len().max(1) as f64;
        let parent = family.parent(&[], rng);
        let source = match self.source(rng) {
            Source::Differential(..) if family.limits && unit(rng) < LINES => Source::Line,
            source => source,
        };
        let mut child = match source {
            Source::Crossover => {
                let mate = family.parent(&[parent], rng);
                let mut child = sbx(space, family.genome(parent), family.genome(mate), self.sbx_eta, rng);
                mutate(space, &mut child, self.mutation_eta, rate, rng);
                child
            }
            Source::Differential(f, cr) => {
                let one = family.parent(&[parent], rng);
                let two = family.other(&[parent, one], rng);
                let [current, one, two] = [parent, one, two].map(|i| family.genome(i));
                // With the parent in place of the best this is rand/1 whose base is the parent.
                differ(space, Quartet { current, best: current, one, two }, f, cr, rng)
            }
            // Fronts on a constraint run across the axes, so that only steps along them stay there: line recombination
            // (Muehlenbein, Schlierkamp-Voosen, Evol. Comput. 1, 25, 1993), here with a member nearby.
            Source::Line => {
                let near = family.neighbor(parent, rng);
                let (to, from) = if unit(rng) < BEYOND { (parent, near) } else { (near, parent) };
                let [current, one, two] = [parent, to, from].map(|i| family.genome(i));
                let f = unit(rng);
                differ(space, Quartet { current, best: current, one, two }, f, 1.0, rng)
            }
            Source::Single => {
                let mut child = family.genome(parent).to_vec();
                if !space.is_empty() {
                    let at = below(rng, space.len());
                    if family.anew {
                        child[at] = draw(&space.genes[at].axis, rng);
                    } else {
                        mutate_one(space, &mut child, at, self.mutation_eta, rng);
                    }
                }
                child
            }
        };
        if again {
            mutate(space, &mut child, self.mutation_eta, rate, rng);
        }
        (child, source)
    }

    /// The share of each source: in proportion to the share of its children that survived, but at least [`LEAST`].
    fn shares(&self) -> [f64; 3] {
        // One more child that half survived: a source that was rarely tried is not bad yet.
        let rate = self.merits.map(|(lived, children)| (lived + 0.5) / (children + 1.0));
        let total: f64 = rate.iter().sum();
        rate.map(|r| LEAST + (1.0 - 3.0 * LEAST) * r / total)
    }

    fn source(&self, rng: &mut ChaCha8Rng) -> Source {
        let share = self.shares();
        let u = unit(rng);
        if u < share[0] {
            Source::Crossover
        } else if u < share[0] + share[1] {
            let (f, cr) = self.history.draw(rng);
            Source::Differential(f, cr)
        } else {
            Source::Single
        }
    }

    /// Learns from which children of a batch survived.
    pub(super) fn learn(&mut self, fates: &[(Source, bool)]) {
        let mut successes = Vec::new();
        for &(source, lives) in fates {
            let merit = &mut self.merits[source.index()];
            *merit = (merit.0 * FADE + f64::from(u8::from(lives)), merit.1 * FADE + 1.0);
            if let (true, Source::Differential(f, cr)) = (lives, source) {
                successes.push((f, cr));
            }
        }
        self.history.learn(&successes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_on_a_slanted_limit() {
        // Seven members on x1 = 1 - 2 x0.
        let at = |i: usize| 0.1 + 0.05 * i as f64;
        let point =
            |i: usize| Point { genome: vec![at(i), 1.0 - 2.0 * at(i)], losses: vec![], violation: 0.0, rounds: 1 };
        let points: Vec<Point> = (0..7).map(point).collect();
        let members: Vec<(u32, usize)> = (0..7).map(|i| (i, 0)).collect();
        let space = Space::unit(2);
        let mut rng = crowdtune_core::math::rng::Seed(3).rng();
        for limits in [true, false] {
            let family = Family { space: &space, points: &points, members: &members, limits, anew: limits };
            let breeder = Breeder::new(15.0, 20.0);
            let children: Vec<(Genome, Source)> = (0..900).map(|_| breeder.child(&family, false, &mut rng)).collect();
            let lines: Vec<&Genome> =
                children.iter().filter(|(_, source)| matches!(source, Source::Line)).map(|(child, _)| child).collect();
            // Half of a third.
            assert_eq!((100..200).contains(&lines.len()), limits, "{}", lines.len());
            assert!(lines.iter().all(|x| (x[1] - 1.0 + 2.0 * x[0]).abs() < 1e-12));
            // Some lie beyond the ends.
            assert_eq!(lines.iter().any(|x| x[0] < 0.1) && lines.iter().any(|x| x[0] > 0.4), limits);
        }
    }

    #[test]
    fn shares_follow_what_lives() {
        let mut breeder = Breeder::new(15.0, 20.0);
        assert!(breeder.shares().iter().all(|s| (s - 1.0 / 3.0).abs() < 1e-12));
        breeder.learn(&[(Source::Crossover, true), (Source::Single, false)]);
        // Rates 3/4, 1/2 and 1/4.
        let wanted = [0.1 + 0.7 * 0.5, 0.1 + 0.7 / 3.0, 0.1 + 0.7 / 6.0];
        assert!(breeder.shares().iter().zip(wanted).all(|(s, w)| (s - w).abs() < 1e-12), "{:?}", breeder.shares());
        for _ in 0..5000 {
            breeder.learn(&[
                (Source::Crossover, true),
                (Source::Differential(0.5, 0.5), false),
                (Source::Single, false),
            ]);
        }
        let shares = breeder.shares();
        assert!(shares[0] > 0.79 && shares[1] > 0.1 && shares[2] > 0.1, "{shares:?}");
    }
}
