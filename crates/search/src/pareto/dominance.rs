//! Dominance, and non-dominated sorting into layers.

use std::cmp::Ordering;

/// True if `a` is nowhere worse (larger) than `b` and better somewhere.
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    let mut better = false;
    for (x, y) in a.iter().zip(b) {
        if x > y {
            return false;
        }
        better |= x < y;
    }
    better
}

/// Compares by the first number that differs; both zeros are one number.
pub(super) fn in_order(a: &[f64], b: &[f64]) -> Ordering {
    a.iter().zip(b).map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// The layer of each point: 0 for those that no other dominates, 1 for those that only layer 0 dominates, and so on.
/// Equal points share a layer.
///
/// Two objectives: one sweep along the first, O(n log n). More: efficient non-dominated sort with binary search (Zhang, Tian,
/// Cheng, Jin, IEEE Trans. Evol. Comput. 19, 201, 2015).
pub(super) fn layers(points: &[&[f64]]) -> Vec<usize> {
    let mut order = nearly(points);
    // Stable, and quick for what is sorted already.
    order.sort_by(|&a, &b| in_order(points[a], points[b]));
    let mut layer = vec![0; points.len()];
    if points.first().is_some_and(|p| p.len() == 2) {
        sweep(points, &order, &mut layer);
    } else {
        let mut members: Vec<Vec<usize>> = Vec::new();
        for &i in &order {
            // A later point in the order never dominates an earlier one.
            let found = members.partition_point(|m| m.iter().rev().any(|&j| dominates(points[j], points[i])));
            if found == members.len() {
                members.push(Vec::new());
            }
            members[found].push(i);
            layer[i] = found;
        }
    }
    layer
}

/// The indices in the order of the first objective, but for the last digits of it: whole numbers sort several times
/// faster than losses that are looked up.
fn nearly(points: &[&[f64]]) -> Vec<usize> {
    let low = points.len().next_power_of_two() as u64 - 1;
    let key = |(i, p): (u64, &&[f64])| p.first().map_or(0, |&x| ranked(x)) & !low | i;
    let mut keys: Vec<u64> = (0..).zip(points).map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| (key & low) as usize).collect()
}

/// A whole number in the order of the numbers (`total_cmp`); both zeros are one number.
fn ranked(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// In the order of the first objective, a layer dominates a point if its lowest second objective is not above the
/// point's; these lows grow from layer to layer.
fn sweep(points: &[&[f64]], order: &[usize], layer: &mut [usize]) {
    let mut lows: Vec<f64> = Vec::new();
    let mut before: Option<usize> = None;
    for &i in order {
        let y = points[i][1];
        layer[i] = match before {
            Some(j) if points[j] == points[i] => layer[j],
            _ => {
                let found = lows.partition_point(|&low| low <= y);
                match lows.get_mut(found) {
                    Some(low) => *low = y,
                    None => lows.push(y),
                }
                found
            }
        };
        before = Some(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(points: &[Vec<f64>]) -> Vec<usize> {
        layers(&points.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn layers_by_hand() {
        let points = [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0], [2.0, 3.0], [3.0, 3.0], [2.0, 2.0], [1.0, 5.0], [5.0, 5.0]];
        assert_eq!(of(&points.map(|p| p.to_vec())), [0, 0, 0, 1, 2, 0, 1, 3]);
        assert_eq!(of(&[vec![3.0], vec![1.0], vec![3.0], vec![2.0]]), [2, 0, 2, 1]);
        assert_eq!(of(&[vec![-0.0, 5.0], vec![0.0, 3.0]]), [1, 0]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn ranks_are_in_order() {
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY];
        assert!(numbers.windows(2).all(|pair| ranked(pair[0]) < ranked(pair[1])));
        assert_eq!(ranked(-0.0), ranked(0.0));
        assert_eq!(nearly(&[&[2.0], &[-1.0], &[0.5]]), [1, 2, 0]);
    }

    #[test]
    fn domination_by_hand() {
        assert!(dominates(&[1.0, 2.0], &[1.0, 3.0]));
        assert!(!dominates(&[1.0, 2.0], &[1.0, 2.0]));
        assert!(!dominates(&[1.0, 2.0], &[0.0, 3.0]));
    }

    proptest! {
        #[test]
        fn layers_are_those_of_peeling(
            m in 1_usize..5,
            numbers in prop::collection::vec(prop_oneof![0.0..1.0_f64, (0..4).prop_map(f64::from)], 0..160),
        ) {
            let points: Vec<Vec<f64>> = numbers.chunks_exact(m).map(<[f64]>::to_vec).collect();
            let found = of(&points);
            let mut left: Vec<usize> = (0..points.len()).collect();
            let mut layer = 0;
            while !left.is_empty() {
                let (top, rest): (Vec<usize>, Vec<usize>) =
                    left.iter().partition(|&&i| left.iter().all(|&j| !dominates(&points[j], &points[i])));
                for i in top {
                    prop_assert_eq!(found[i], layer);
                }
                left = rest;
                layer += 1;
            }
        }
    }
}
