//! The exact hypervolume: what points dominate below a reference point.

use super::dominance::in_order;

/// The volume of everything that is worse than at least one of the points and better than the reference. Points that do not lie
/// below the reference in every objective add nothing; 0 for no points.
///
/// One to three objectives: sweeps, O(n log n) and, with three, a moving staircase. More: exclusive volumes one after the
/// other (While, Bradstreet, Barone, IEEE Trans. Evol. Comput. 16, 86, 2012), which takes exponential time in their number.
pub fn hypervolume(points: &[Vec<f64>], reference: &[f64]) -> f64 {
    let inside = points.iter().filter(|p| p.len() == reference.len() && p.iter().zip(reference).all(|(x, r)| x < r));
    volume(inside.cloned().collect(), reference)
}

fn volume(mut points: Vec<Vec<f64>>, reference: &[f64]) -> f64 {
    match *reference {
        [] => 0.0,
        [r] => points.iter().map(|p| r - p[0]).fold(0.0, f64::max),
        [r, s] => volume3(&mut points.iter().map(|p| [p[0], p[1], 0.0]).collect::<Vec<_>>(), [r, s, 1.0]),
        [r, s, t] => volume3(&mut points.iter().map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>(), [r, s, t]),
        _ => {
            // The worst in the last objective first: what it shares with the others then has one dimension less.
            let (last, rest) = (reference.len() - 1, &reference[..reference.len() - 1]);
            points.sort_by(|a, b| b[last].total_cmp(&a[last]).then_with(|| in_order(a, b)));
            let exclusive = |i: usize| {
                let p = &points[i];
                let limit = |q: &Vec<f64>| q[..last].iter().zip(p).map(|(x, y)| x.max(*y)).collect::<Vec<f64>>();
                let mut others: Vec<Vec<f64>> = points[i + 1..].iter().map(limit).collect();
                undominated(&mut others);
                let own: f64 = p[..last].iter().zip(rest).map(|(x, r)| r - x).product();
                (own - volume(others, rest)) * (reference[last] - p[last])
            };
            (0..points.len()).map(exclusive).sum()
        }
    }
}

/// Drops points that another one dominates or equals.
fn undominated(points: &mut Vec<Vec<f64>>) {
    points.sort_by(|a, b| in_order(a, b));
    let mut kept: Vec<Vec<f64>> = Vec::with_capacity(points.len());
    for p in points.drain(..) {
        if !kept.iter().any(|q| q.iter().zip(&p).all(|(x, y)| x <= y)) {
            kept.push(p);
        }
    }
    *points = kept;
}

/// Three objectives; every point lies below the reference or on it. Sorts the points.
///
/// A plane moves along the third objective; the points behind it form a staircase in the other two, whose area times the way to the
/// next point is added (Fonseca, Paquete, Lopez-Ibanez, CEC 2006).
pub(super) fn volume3(points: &mut [[f64; 3]], reference: [f64; 3]) -> f64 {
    points.sort_unstable_by(|a, b| a[2].total_cmp(&b[2]));
    let mut stairs: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    let (mut area, mut sum, mut height) = (0.0, 0.0, reference[2]);
    for p in points {
        sum += area * (p[2] - height);
        height = p[2];
        area += step(&mut stairs, [p[0], p[1]], [reference[0], reference[1]]);
    }
    sum + area * (reference[2] - height)
}

/// Adds a point to a staircase, x rising and y falling, and returns the area it adds.
fn step(stairs: &mut Vec<[f64; 2]>, p: [f64; 2], reference: [f64; 2]) -> f64 {
    let first = stairs.partition_point(|q| q[0] < p[0]);
    let mut top = if first == 0 { reference[1] } else { stairs[first - 1][1] };
    // One of the same x may be lower.
    if top <= p[1] || stairs.get(first).is_some_and(|q| q[0] == p[0] && q[1] <= p[1]) {
        return 0.0;
    }
    let mut last = first;
    let (mut x, mut gained) = (p[0], 0.0);
    while last < stairs.len() && stairs[last][1] >= p[1] {
        gained += (stairs[last][0] - x) * (top - p[1]);
        [x, top] = stairs[last];
        last += 1;
    }
    let end = stairs.get(last).map_or(reference[0], |q| q[0]);
    gained += (end - x) * (top - p[1]);
    stairs.splice(first..last, [p]);
    gained
}

/// What a point adds to the others, three objectives; all lie below the reference or on it. `scratch` is overwritten.
pub(super) fn exclusive3<'a>(
    p: &[f64; 3],
    others: impl Iterator<Item = &'a [f64; 3]>,
    reference: [f64; 3],
    scratch: &mut Vec<[f64; 3]>,
) -> f64 {
    scratch.clear();
    scratch.extend(others.map(|q| std::array::from_fn(|i| q[i].max(p[i]))));
    let whole = (reference[0] - p[0]) * (reference[1] - p[1]) * (reference[2] - p[2]);
    (whole - volume3(scratch, reference)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::rng::{Seed, unit};
    use proptest::prelude::*;

    /// By inclusion and exclusion over all subsets.
    fn by_subsets(points: &[Vec<f64>], reference: &[f64]) -> f64 {
        let inside: Vec<_> = points.iter().filter(|p| p.iter().zip(reference).all(|(x, r)| x < r)).collect();
        (1_u32..1 << inside.len())
            .map(|set| {
                let sign = if set.count_ones() % 2 == 1 { 1.0 } else { -1.0 };
                let side = |d: usize| {
                    let worst = (0..inside.len()).filter(|i| set >> i & 1 == 1).map(|i| inside[i][d]);
                    reference[d] - worst.fold(f64::MIN, f64::max)
                };
                sign * (0..reference.len()).map(side).product::<f64>()
            })
            .sum()
    }

    #[test]
    fn volumes_by_hand() {
        assert_eq!(hypervolume(&[], &[1.0, 1.0]), 0.0);
        assert_eq!(hypervolume(&[vec![3.0], vec![1.0], vec![9.0]], &[5.0]), 4.0);
        // Steps of 1 x 3, 1 x 2 and 2 x 1... below (4, 4): columns of height 1, 2 and 3 from x = 1, 2 and 3.
        let stairs = [vec![1.0, 3.0], vec![2.0, 2.0], vec![3.0, 1.0]];
        assert_eq!(hypervolume(&stairs, &[4.0, 4.0]), 6.0);
        // Dominated, equal and outside points change nothing.
        let more = [&stairs[..], &[vec![2.0, 3.0], vec![2.0, 2.0], vec![0.0, 4.0], vec![5.0, 0.0]]].concat();
        assert_eq!(hypervolume(&more, &[4.0, 4.0]), 6.0);
        // Two boxes of 2 x 2 x 1 and 1 x 1 x 2 with 1 x 1 x 1 in common.
        assert_eq!(hypervolume(&[vec![0.0, 0.0, 1.0], vec![1.0, 1.0, 0.0]], &[2.0, 2.0, 2.0]), 5.0);
        // The same in four objectives, 3 wide in the fourth.
        let four = [vec![0.0, 0.0, 1.0, 1.0], vec![1.0, 1.0, 0.0, 1.0]];
        assert_eq!(hypervolume(&four, &[2.0, 2.0, 2.0, 4.0]), 15.0);
    }

    #[test]
    fn five_objectives_as_chance_finds_them() {
        let mut rng = Seed(11).rng();
        let points: Vec<Vec<f64>> = (0..30).map(|_| (0..5).map(|_| 0.8 * unit(&mut rng)).collect()).collect();
        let exact = hypervolume(&points, &[1.0; 5]);
        let hit = |x: &[f64; 5]| points.iter().any(|p| p.iter().zip(x).all(|(p, x)| p <= x));
        let hits = (0..100_000).filter(|_| hit(&std::array::from_fn(|_| unit(&mut rng)))).count();
        // One standard error is at most 0.0016.
        assert!((exact - hits as f64 / 1e5).abs() < 0.006, "{exact} {hits}");
    }

    proptest! {
        #[test]
        fn sweeps_equal_inclusion_and_exclusion(
            m in 1_usize..6,
            numbers in prop::collection::vec(prop_oneof![0.0..1.2_f64, (0..5).prop_map(|i| f64::from(i) / 4.0)], 0..45),
        ) {
            let points: Vec<Vec<f64>> = numbers.chunks_exact(m).take(10).map(<[f64]>::to_vec).collect();
            let reference = vec![1.0; m];
            let (found, wanted) = (hypervolume(&points, &reference), by_subsets(&points, &reference));
            prop_assert!((found - wanted).abs() < 1e-12, "{} {}", found, wanted);
        }

        #[test]
        fn what_a_point_adds_is_the_difference(numbers in prop::collection::vec(0.0..1.0_f64, 6..60)) {
            let points: Vec<[f64; 3]> = numbers.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
            let all = volume3(&mut points.clone(), [1.0; 3]);
            let without = volume3(&mut points[1..].to_vec(), [1.0; 3]);
            let added = exclusive3(&points[0], points[1..].iter(), [1.0; 3], &mut Vec::new());
            prop_assert!((all - without - added).abs() < 1e-12);
        }
    }
}
