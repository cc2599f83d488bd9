//! Reference directions for four objectives and more (Das, Dennis, SIAM J. Optim. 8, 631, 1998).

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

/// The direction nearest to a point, the first of equals, and the squared distance of the point from its ray.
pub(super) fn nearest(point: &[f64], directions: &[Vec<f64>]) -> (usize, f64) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
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
    fn apart_by_hand() {
        let line = [0.0, 1.0, 4.0, 9.0, 10.0].map(|x| vec![x]);
        assert_eq!(apart(&line, 0, 4), [0, 4, 2, 1]);
        assert_eq!(apart(&line, 2, 9).len(), 5);
    }
}
