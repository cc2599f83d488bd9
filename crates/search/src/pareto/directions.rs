//! Reference directions for four objectives and more: evenly spread (Das, Dennis, SIAM J. Optim. 8, 631, 1998) or by chance, and what
//! suits them.

use crowdtune_core::math::rng::{ChaCha8Rng, unit};

/// Smallest part of a direction by which a loss is divided. Chosen here: so that the sides of a front do not count for nothing.
const LEAST: f64 = 1e-3;

/// Directions on the plane where the coordinates sum to 1, evenly spread: the finest lattice of at most `limit` points, and inside it,
/// where it has none but border points, a second one at half the size.
///
/// Das and Dennis, SIAM J. Optim. 8, 631 (1998); the inner layer as in Deb and Jain, IEEE Trans. Evol. Comput. 18, 577 (2014).
/// The corners are always there, even beyond the limit.
pub(super) fn directions(m: usize, limit: usize) -> Vec<Vec<f64>> {
    let count = |steps: usize| (1..m).try_fold(1_usize, |c, i| c.checked_mul(steps + i).map(|c| c / i));
    let finest = |limit: usize| (1..=limit).take_while(|&s| count(s).is_some_and(|c| c <= limit)).last();
    let steps = finest(limit).unwrap_or(1);
    let mut all = lattice(m, steps);
    if steps < m
        && let Some(inner) = finest(limit.saturating_sub(all.len())).map(|s| s.min(steps))
    {
        let center = 0.5 / m as f64;
        all.extend(lattice(m, inner).into_iter().map(|p| p.into_iter().map(|x| 0.5 * x + center).collect()));
    }
    all
}

/// All points whose coordinates are multiples of 1 / `steps` and sum to 1.
fn lattice(m: usize, steps: usize) -> Vec<Vec<f64>> {
    let mut all = vec![(Vec::with_capacity(m), steps)];
    for d in 0..m {
        let grow = |(head, left): (Vec<usize>, usize)| {
            let choices = if d + 1 == m { left..=left } else { 0..=left };
            choices.map(move |x| ([&head[..], &[x]].concat(), left - x))
        };
        all = all.into_iter().flat_map(grow).collect();
    }
    all.into_iter().map(|(p, _)| p.into_iter().map(|x| x as f64 / steps as f64).collect()).collect()
}

/// Directions by chance on the plane where the coordinates sum to 1.
///
/// Chosen here: cubes of exponential deviates. The deviates themselves would spread evenly over the plane, and with many objectives hardly
/// any direction came near its borders (docs/decisions.md).
pub(super) fn chance(m: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let mut one = || {
        let parts: Vec<f64> = (0..m).map(|_| -libm::log(1.0 - unit(rng))).map(|x| x * x * x).collect();
        let sum: f64 = parts.iter().sum();
        parts.into_iter().map(|x| x / sum).collect()
    };
    (0..count).map(|_| one()).collect()
}

/// The points that suit the directions best: for each the one with the smallest cost, the first of equals; each point once.
pub(super) fn along(points: &[Vec<f64>], directions: &[Vec<f64>], cost: fn(&[f64], &[f64]) -> f64) -> Vec<usize> {
    let best = |w: &Vec<f64>| {
        let costs = points.iter().map(|p| cost(p, w)).enumerate();
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    };
    let mut chosen: Vec<usize> = directions.iter().filter_map(best).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Cost of a point: the sum of the way along the ray and five times the distance from it.
///
/// Penalty boundary intersection with theta = 5 (Zhang, Li, IEEE Trans. Evol. Comput. 11, 712, 2007).
pub(super) fn intersection(point: &[f64], direction: &[f64]) -> f64 {
    let along = dot(point, direction) / dot(direction, direction).sqrt();
    along + 5.0 * (dot(point, point) - along * along).max(0.0).sqrt()
}

/// Cost of a point: its largest loss in units of the direction, which asks less for nearness to the ray.
pub(super) fn chebyshev(point: &[f64], direction: &[f64]) -> f64 {
    point.iter().zip(direction).map(|(x, w)| x / w.max(LEAST)).fold(0.0, f64::max)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The direction nearest to a point, the first of equals, and the squared distance of the point from its ray.
pub(super) fn nearest(point: &[f64], directions: &[Vec<f64>]) -> (usize, f64) {
    let own = dot(point, point);
    let mut best = (0, f64::INFINITY);
    for (i, w) in directions.iter().enumerate() {
        let along = dot(point, w);
        let distance = (own - along * along / dot(w, w)).max(0.0);
        if distance < best.1 {
            best = (i, distance);
        }
    }
    best
}

/// At most `k` of the points: `first`, then always the one furthest from those taken, the first of equals.
pub(super) fn apart(points: &[Vec<f64>], first: usize, k: usize) -> Vec<usize> {
    let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let mut distance = vec![f64::INFINITY; points.len()];
    let mut chosen = vec![first];
    while chosen.len() < k.min(points.len()) {
        let last = chosen[chosen.len() - 1];
        for (d, p) in distance.iter_mut().zip(points) {
            *d = d.min(square(p, &points[last]));
        }
        distance[last] = f64::NEG_INFINITY;
        chosen.push((1..points.len()).fold(0, |best, i| if distance[i] > distance[best] { i } else { best }));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lattices_by_hand() {
        assert_eq!(lattice(2, 2), [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]);
        // Deb and Jain, Table I: 91 directions for 3 objectives, 210 for 5; 156 in two layers for 8.
        assert_eq!((lattice(3, 12).len(), lattice(5, 6).len()), (91, 210));
        assert_eq!(lattice(8, 3).len() + lattice(8, 2).len(), 156);
        for (m, limit, wanted) in [(4, 40, 35), (5, 40, 40), (4, 20, 20), (8, 44, 44), (30, 4, 30)] {
            let all = directions(m, limit);
            assert_eq!(all.len(), wanted, "{m} {limit}");
            assert!(all.iter().all(|p| (p.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        }
    }

    #[test]
    fn nearest_by_hand() {
        let all = lattice(2, 2);
        assert_eq!(nearest(&[3.0, 3.5], &all).0, 1);
        let (index, distance) = nearest(&[4.0, 1.0], &all);
        assert_eq!((index, distance), (2, 1.0));
    }

    #[test]
    fn directions_by_chance_reach_the_borders() {
        let all = chance(5, 1000, &mut crowdtune_core::math::rng::Seed(1).rng());
        assert!(all.iter().all(|p| (p.iter().sum::<f64>() - 1.0).abs() < 1e-12 && p.iter().all(|&x| x >= 0.0)));
        let near = all.iter().filter(|p| p.iter().any(|&x| x > 0.8)).count();
        assert!((200..600).contains(&near), "{near}");
    }

    #[test]
    fn what_suits_a_direction_by_hand() {
        let points = [vec![0.8, 0.0], vec![0.5, 0.5], vec![0.0, 0.9]];
        let middle = [vec![0.5, 0.5]];
        assert_eq!(along(&points, &middle, chebyshev), [1]);
        assert_eq!(along(&points, &[vec![0.6, 0.4], vec![0.1, 0.9], vec![0.2, 0.8]], chebyshev), [1, 2]);
        assert!(along(&[], &middle, chebyshev).is_empty());
        // One unit along the ray and one away from it.
        assert!((intersection(&[1.0, 1.0], &[0.0, 1.0]) - 6.0).abs() < 1e-12);
        assert_eq!(chebyshev(&[1.0, 1.0], &[0.25, 0.75]), 4.0);
    }

    #[test]
    fn apart_by_hand() {
        let line = [0.0, 1.0, 4.0, 9.0, 10.0].map(|x| vec![x]);
        assert_eq!(apart(&line, 0, 4), [0, 4, 2, 1]);
        assert_eq!(apart(&line, 2, 9).len(), 5);
    }
}
