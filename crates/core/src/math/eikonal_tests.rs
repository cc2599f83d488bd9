//! The solver against fast marching with a heap, against other programs, and against exact distances.

use super::*;
use crate::math::lanes::{self, Path};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Costs of all faces by cell, as [`Eikonal::set_costs`] wants them.
struct Place {
    columns: usize,
    rows: usize,
    cost: Vec<[f64; 4]>,
}

impl Place {
    /// Costs `cost(cell, face)` between open cells.
    fn new(
        columns: usize,
        rows: usize,
        open: impl Fn(usize, usize) -> bool,
        cost: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut place = Self { columns, rows, cost: vec![[f64::INFINITY; 4]; columns * rows] };
        for c in 0..columns * rows {
            for face in [EAST, NORTH, WEST, SOUTH] {
                if let Some(n) = place.beside(c, face)
                    && open(c % columns, c / columns)
                    && open(n % columns, n / columns)
                {
                    place.cost[c][face] = cost(c, face);
                }
            }
        }
        place
    }

    fn beside(&self, c: usize, face: usize) -> Option<usize> {
        let (i, j) = (c % self.columns, c / self.columns);
        match face {
            EAST => (i + 1 < self.columns).then_some(c + 1),
            NORTH => (j + 1 < self.rows).then_some(c + self.columns),
            WEST => (i > 0).then(|| c - 1),
            _ => (j > 0).then(|| c - self.columns),
        }
    }

    fn solved(&self, seeds: &[(usize, f64)]) -> Vec<f64> {
        let mut front = Eikonal::default();
        front.resize(self.columns, self.rows);
        front.set_costs(|i, j| self.cost[j * self.columns + i]);
        front.solve(seeds);
        (0..self.cost.len()).map(|c| front.time(c % self.columns, c / self.columns)).collect()
    }

    /// Fast marching: the cell with the earliest time is settled, then its neighbors are asked again.
    fn marched(&self, seeds: &[(usize, f64)]) -> Vec<f64> {
        let mut time = vec![f64::INFINITY; self.cost.len()];
        let mut front = BTreeSet::new();
        for &(c, t) in seeds {
            time[c] = time[c].min(t);
            front.insert((Ordered(time[c]), c));
        }
        let mut settled = vec![false; time.len()];
        while let Some((_, c)) = front.pop_first() {
            settled[c] = true;
            for n in [EAST, NORTH, WEST, SOUTH].into_iter().filter_map(|face| self.beside(c, face)) {
                if settled[n] {
                    continue;
                }
                let t = self.update(n, &time);
                if t < time[n] {
                    front.remove(&(Ordered(time[n]), n));
                    time[n] = t;
                    front.insert((Ordered(t), n));
                }
            }
        }
        time
    }

    /// The equation of one cell by the textbook, for all pairs: the larger root of the quadratic if it is causal.
    fn update(&self, c: usize, time: &[f64]) -> f64 {
        let towards = |face| self.beside(c, face).map_or((f64::INFINITY, 1.0), |n| (time[n], self.cost[c][face]));
        let mut best = f64::INFINITY;
        for x in [EAST, WEST].map(towards) {
            for y in [NORTH, SOUTH].map(towards) {
                best = best.min(x.0 + x.1).min(y.0 + y.1);
                if !(x.0 + x.1).is_finite() || !(y.0 + y.1).is_finite() {
                    continue;
                }
                let ((low, c_low), (high, c_high)) = if x.0 <= y.0 { (x, y) } else { (y, x) };
                if high - low < c_low {
                    let (p, q) = (1.0 / (c_low * c_low), 1.0 / (c_high * c_high));
                    let (a, b, c) = (p + q, p * low + q * high, p * low * low + q * high * high - 1.0);
                    best = best.min((b + (b * b - a * c).sqrt()) / a);
                }
            }
        }
        best
    }
}

/// A time that has an order.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn same(a: &[f64], b: &[f64], within: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b || (a - b).abs() <= within * a.abs())
}

/// Workload W6: a square with the source in its middle, with pillars or without.
fn w6(n: usize, pillars: bool) -> Place {
    let open = |i: usize, j: usize| {
        !pillars || !(i / 4 + 7 * (j / 4)).is_multiple_of(11) || (i.abs_diff(n / 2) <= 4 && j.abs_diff(n / 2) <= 4)
    };
    Place::new(n, n, open, |_, _| 1.0)
}

#[test]
fn arrives_when_other_solvers_do() {
    // First-order values that scikit-fmm, eikonalfm and the crate eikonal agree on.
    for (n, open, pillars) in [(80, 56.389, 58.259), (512, 362.489, 372.819), (1000, 707.791, 728.574)] {
        for (place, corner) in [(w6(n, false), open), (w6(n, true), pillars)] {
            let t = place.solved(&[((n / 2) * n + n / 2, 0.0)]);
            assert!((t[n * n - 1] - corner).abs() < 1e-3, "{n}: {} for {corner}", t[n * n - 1]);
        }
    }
}

#[test]
fn the_pillars_are_marched_alike() {
    let place = w6(100, true);
    let seeds = [(50 * 100 + 50, 0.0), (3, 7.5)];
    assert!(same(&place.solved(&seeds), &place.marched(&seeds), 1e-13));
}

#[test]
fn first_cells_by_hand() {
    // Costs 2 to the west and 1 to the south. Beside the seed 2 and 1; on the diagonal, where d = 1 < 1 is not so, the
    // axis with the smaller time alone: 1 + 2.
    let cost = |_: usize, face: usize| if face == EAST || face == WEST { 2.0 } else { 1.0 };
    let t = Place::new(2, 2, |_, _| true, cost).solved(&[(0, 0.0)]);
    assert_eq!(t[..3], [0.0, 2.0, 1.0]);
    // From (1, 0) with t = 2 to the north 1, from (0, 1) with t = 1 to the east 2: ((t - 1) / 2)^2 + (t - 2)^2 = 1.
    // 5 t^2 - 18 t + 13 = 0, the larger root 2.6.
    assert!((t[3] - 2.6).abs() < 1e-15, "{}", t[3]);
}

#[test]
fn a_root_that_lies_before_its_source_is_refused() {
    // From t = 0 at cost 1 to the west and from t = 1.2 at cost 1 to the south the quadratic has the root 1.13 < 1.2.
    let place = Place::new(2, 2, |_, _| true, |_, _| 1.0);
    let t = place.solved(&[(2, 0.0), (1, 1.2)]);
    assert_eq!(t[3], 1.0);
}

#[test]
fn the_error_falls_with_the_cell() {
    // Distance from the middle of a unit square, exact within 0.25 of it: a point source has an error of h log h, a
    // smooth front one of h.
    let error = |n: usize| {
        let h = 1.0 / n as f64;
        let exact = |c: usize| {
            let (x, y) = (((c % n) as f64 + 0.5) * h - 0.5, ((c / n) as f64 + 0.5) * h - 0.5);
            (x * x + y * y).sqrt()
        };
        let seeds: Vec<_> = (0..n * n).map(|c| (c, exact(c))).filter(|s| s.1 <= 0.25).collect();
        let t = Place::new(n, n, |_, _| true, |_, _| h).solved(&seeds);
        (0..n * n).map(|c| (t[c] - exact(c)).abs()).fold(0.0, f64::max)
    };
    let errors = [error(50), error(100), error(200), error(400)];
    assert!(errors.windows(2).all(|e| e[0] / e[1] >= 1.7), "{errors:?}");
}

#[test]
fn memory_of_another_solve_changes_nothing() {
    let (small, large) = (w6(20, true), w6(37, false));
    let mut front = Eikonal::default();
    let mut times = Vec::new();
    for place in [&large, &small, &large] {
        front.resize(place.columns, place.rows);
        front.set_costs(|i, j| place.cost[j * place.columns + i]);
        front.solve(&[(place.columns + 5, 0.0)]);
        times.push((0..place.cost.len()).map(|c| front.time(c % place.columns, c / place.columns)).collect::<Vec<_>>());
    }
    assert_eq!(times[0], times[2]);
    assert_eq!(times[1], small.solved(&[(25, 0.0)]));
}

#[test]
fn costs_that_are_alike_give_the_same_bits_as_costs_of_their_own() {
    for (columns, rows) in [(83, 61), (8, 8), (7, 30)] {
        let at = |c: usize| c.wrapping_mul(2_654_435_761) >> 9 & 7;
        let seeds = [(columns + 2, 0.0), (columns * rows - 1, 1.5)];
        let place = |other: f64| {
            // Two cells above all others, which cannot be reached from there.
            let open = |i: usize, j: usize| if j > rows { i < 2 } else { j < rows && at(j * columns + i) != 0 };
            Place::new(columns, rows + 2, open, |c, _| if c / columns > rows { other } else { 0.7 })
        };
        let (alike, each) = (place(0.7).solved(&seeds), place(0.8).solved(&seeds));
        assert!(alike.iter().filter(|t| t.is_finite()).count() > columns * rows / 2);
        assert_eq!(alike, each);
    }
}

#[test]
fn costs_per_meter_are_those_of_each_step() {
    // A grid of 5 by 11 meters' costs, once and, on rings, three and two times as wide and high.
    for (turns_x, turns_y) in [(1, 1), (3, 2)] {
        let (columns, rows) = (5, 11);
        let (all_columns, all_rows) = (columns * turns_x, rows * turns_y);
        let number = |face: usize, c: usize| 0.5 + ((c + 60 * face).wrapping_mul(2_654_435_761) >> 7 & 31) as f64;
        let per_meter: [Vec<f64>; 4] =
            std::array::from_fn(|face| (0..columns * rows).map(|c| number(face, c)).collect());
        let open = |i: usize, j: usize| !(i % 4 == 3 && j % 5 != 2);
        let lengths = Place::new(all_columns, all_rows, open, |_, face| [0.25, 0.5, 0.25, 0.5][face]);
        let costs = Place::new(all_columns, all_rows, open, |c, face| {
            let n = lengths.beside(c, face).unwrap();
            let on_ground = n / all_columns % rows * columns + n % all_columns % columns;
            lengths.cost[c][face] * per_meter[face][on_ground]
        });
        let seeds = [(all_columns + 1, 0.0), (all_columns * all_rows - 1, 3.0)];
        let mut front = Eikonal::default();
        front.resize(all_columns, all_rows);
        let laid = front.lengths(|i, j| lengths.cost[j * all_columns + i]);
        // Laid twice, as if for another class before.
        for of in [per_meter.each_ref().map(|_| &per_meter[EAST][..]), per_meter.each_ref().map(|of| &of[..])] {
            front.set_costs_per_meter(&laid, columns, of);
        }
        front.solve(&seeds);
        let times: Vec<f64> =
            (0..all_columns * all_rows).map(|c| front.time(c % all_columns, c / all_columns)).collect();
        assert!(same(&times, &costs.solved(&seeds), 1e-13));
        assert!(times.iter().filter(|t| t.is_finite()).count() > times.len() / 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_costs_and_obstacles_are_marched_alike(
        (columns, rows) in (1usize..40, 1usize..40),
        numbers in prop::collection::vec(0.0..1.0f64, 64),
        // Without any spread all costs are alike.
        spread in prop_oneof![Just(0.0), 0.0..4.0f64],
        seeds in prop::collection::vec((0usize..1600, 0.0..3.0f64), 1..5),
    ) {
        let at = |k: usize| numbers[k.wrapping_mul(2_654_435_761) >> 7 & 63];
        let open = |i: usize, j: usize| at(31 * i + 17 * j + 5) < 0.8;
        let place = Place::new(columns, rows, open, |c, face| libm::exp(spread * at(4 * c + face + 7)));
        let seeds: Vec<_> = seeds.into_iter().map(|(c, t)| (c % (columns * rows), t)).collect();
        let solved = place.solved(&seeds);
        prop_assert!(same(&solved, &place.marched(&seeds), 1e-12));
        for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
            if lanes::choose(path) {
                prop_assert_eq!(&solved, &place.solved(&seeds));
            }
        }
    }
}
