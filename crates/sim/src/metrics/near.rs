//! Pairs of people who overlap.

use crate::world::Torus;
use crate::world::few;
use crowdtune_core::math::Vec2;

/// Finds overlapping pairs by sorting along one axis and sweeping, in small crowds by comparing all; keeps its memory between calls.
///
/// A sweep, chosen here instead of the neighbor grid of the simulation, needs no cell size and works for recordings.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    order: Vec<usize>,
}

impl Sweep {
    /// With room for this many people.
    pub fn new(people: usize) -> Self {
        Self { order: Vec::with_capacity(people) }
    }

    /// Calls `each` with the rows (smaller first) and the overlap of every pair that overlaps by more than
    /// `more_than_m`, in no meaningful order; across the seam of a periodic place too.
    pub fn overlaps(
        &mut self,
        pos: &[Vec2],
        radius: &[f64],
        torus: &Torus,
        more_than_m: f64,
        mut each: impl FnMut(usize, usize, f64),
    ) {
        let mut look = |a: usize, b: usize| {
            let reach = radius[a] + radius[b] - more_than_m;
            let apart2 = torus.apart(pos[a], pos[b]).length2();
            if reach > 0.0 && apart2 < reach * reach {
                each(a.min(b), a.max(b), radius[a] + radius[b] - apart2.sqrt());
            }
        };
        if few::suits(pos.len(), torus) {
            return few::touching(pos, radius, look);
        }
        // Along the longer side of the crowd, so that the sweep meets few others.
        let extent = |of: fn(&Vec2) -> f64| {
            let (low, high) =
                pos.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), c| (l.min(c), h.max(c)));
            high - low
        };
        let by_x = extent(|p| p.x) >= extent(|p| p.y);
        let along = |row: usize| if by_x { pos[row].x } else { pos[row].y };
        self.order.clear();
        self.order.extend(0..pos.len());
        self.order.sort_unstable_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        let widest = radius.iter().copied().fold(0.0, f64::max);
        let size = torus.size();
        let lap = if by_x { size.x } else { size.y };
        for (at, &a) in self.order.iter().enumerate() {
            // The people ahead and, on a periodic axis, those at its start, one period on.
            let around = if lap.is_finite() { &self.order[..at] } else { &[] };
            let ahead = self.order[at + 1..].iter().map(|&b| (b, 0.0));
            for (b, turn) in ahead.chain(around.iter().map(|&b| (b, lap))) {
                if along(b) + turn - along(a) >= radius[a] + widest {
                    break;
                }
                look(a, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::crowd;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_all_pairs_find(
            people in prop::collection::vec((0.0..10.0f64, 0.0..8.0f64, 0.1..1.0f64), 0..2 * few::FEW),
            flip in any::<bool>(),
            rings in any::<(bool, bool)>(),
        ) {
            let places: Vec<_> = people.iter().enumerate()
                .map(|(i, p)| (i as u32, if flip { (p.1, p.0) } else { (p.0, p.1) })).collect();
            let mut crowd = crowd(&places);
            crowd.radius = people.iter().map(|p| p.2).collect();
            let torus = Torus { x: rings.0.then_some((0.0, 10.0)), y: rings.1.then_some((0.0, 10.0)) };
            let mut found = Vec::new();
            Sweep::new(0).overlaps(&crowd.pos, &crowd.radius, &torus, 0.001, |a, b, _| found.push((a, b)));
            found.sort_unstable();
            let mut wanted = Vec::new();
            for a in 0..people.len() {
                for b in a + 1..people.len() {
                    let reach = crowd.radius[a] + crowd.radius[b] - 0.001;
                    if torus.apart(crowd.pos[a], crowd.pos[b]).length2() < reach * reach {
                        wanted.push((a, b));
                    }
                }
            }
            prop_assert_eq!(found, wanted);
        }
    }

    #[test]
    fn a_pair_across_the_seam_is_found_once() {
        let crowd = crowd(&[(0, (9.9, 1.0)), (1, (0.2, 1.0)), (2, (5.0, 1.0))]);
        let torus = Torus { x: Some((0.0, 10.0)), y: None };
        let mut found = Vec::new();
        Sweep::new(3).overlaps(&crowd.pos, &crowd.radius, &torus, 0.0, |a, b, overlap| found.push((a, b, overlap)));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0, found[0].1), (0, 1));
        assert!((found[0].2 - 0.3).abs() < 1e-12);
    }
}
