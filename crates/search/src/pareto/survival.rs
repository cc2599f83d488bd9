//! Survival: by feasibility, by layer, and within the last layer by hypervolume (SMS-EMOA) or reference directions (NSGA-III).

use super::directions::nearest;
use super::dominance::{in_order, layers};
use super::front::scaled;
use super::hypervolume::exclusive3;

/// What survival looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rival<'a> {
    /// Losses.
    pub losses: &'a [f64],
    /// Violation, 0 if feasible.
    pub violation: f64,
}

/// The reference for three objectives in units of the layer. Chosen here: beyond 1, so that the ends of the front count.
const REFERENCE3: [f64; 3] = [1.2; 3];

/// The `size` rivals that survive, with their layers, best layer first. Rivals are given older first; of equals the newer one
/// survives, so that the population can drift across a plateau.
///
/// Feasible before infeasible, these by violation (Deb, Comput. Methods Appl. Mech. Eng. 186, 311, 2000). In the layer that does not
/// fit, the one that adds least to the hypervolume goes first (Beume, Naujoks, Emmerich, Eur. J. Oper. Res. 181, 1653, 2007); with
/// reference directions, one of the most crowded niche (Deb, Jain 2014).
pub(super) fn survivors(rivals: &[Rival<'_>], size: usize, directions: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let (feasible, mut others): (Vec<usize>, Vec<usize>) = (0..rivals.len()).partition(|&i| rivals[i].violation <= 0.0);
    let points: Vec<&[f64]> = feasible.iter().map(|&i| rivals[i].losses).collect();
    let layer = layers(&points);
    // The members of each layer in turn, older first.
    let mut deep = vec![Vec::new(); layer.iter().max().map_or(0, |deepest| deepest + 1)];
    layer.iter().enumerate().for_each(|(i, &depth)| deep[depth].push(i));
    let mut deep = deep.into_iter();
    let mut chosen: Vec<(usize, usize)> = Vec::with_capacity(size);
    let mut depth = 0;
    while chosen.len() < size.min(feasible.len()) {
        let Some(members) = deep.next() else { break };
        let room = size - chosen.len();
        let kept = if members.len() <= room {
            members
        } else {
            let crowd: Vec<&[f64]> = members.iter().map(|&i| points[i]).collect();
            let stay = match crowd[0].len() {
                _ if !directions.is_empty() => {
                    let above: Vec<&[f64]> = chosen.iter().map(|&(i, _)| rivals[i].losses).collect();
                    niches(&above, &crowd, room, directions)
                }
                0 | 1 => (crowd.len() - room..crowd.len()).collect(),
                2 => keep2(&crowd, room),
                _ => keep3(&crowd, room),
            };
            stay.into_iter().map(|i| members[i]).collect()
        };
        chosen.extend(kept.into_iter().map(|i| (feasible[i], depth)));
        depth += 1;
    }
    others.sort_by(|&a, &b| rivals[a].violation.total_cmp(&rivals[b].violation).then(b.cmp(&a)));
    let room = size - chosen.len().min(size);
    chosen.extend(others.into_iter().take(room).zip(depth..));
    chosen
}

/// Two objectives: the ends stay; of the others the one that adds least goes, again and again.
fn keep2(crowd: &[&[f64]], room: usize) -> Vec<usize> {
    let unit = scaled(crowd);
    let mut order: Vec<usize> = (0..crowd.len()).collect();
    order.sort_by(|&a, &b| in_order(&unit[a], &unit[b]).then(b.cmp(&a)));
    let adds = |order: &[usize], at: usize| match (at.checked_sub(1).map(|i| order[i]), order.get(at + 1)) {
        (Some(left), Some(&right)) => {
            let own = order[at];
            (unit[right][0] - unit[own][0]) * (unit[left][1] - unit[own][1])
        }
        _ => f64::INFINITY,
    };
    let mut added: Vec<f64> = (0..order.len()).map(|at| adds(&order, at)).collect();
    while order.len() > room {
        let worse = |a: usize, b: usize| added[a].total_cmp(&added[b]).then(order[a].cmp(&order[b])).is_lt();
        let least = (1..order.len()).fold(0, |least, at| if worse(at, least) { at } else { least });
        order.remove(least);
        added.remove(least);
        for at in [least.wrapping_sub(1), least] {
            if at < order.len() {
                added[at] = adds(&order, at);
            }
        }
    }
    order
}

/// Three objectives: the one that adds least goes, again and again.
///
/// What a member adds never shrinks when others go, so the last one of the list may go if it still adds as little.
fn keep3(crowd: &[&[f64]], room: usize) -> Vec<usize> {
    let unit: Vec<[f64; 3]> = scaled(crowd).iter().map(|p| std::array::from_fn(|d| p[d].min(REFERENCE3[d]))).collect();
    let mut order: Vec<usize> = (0..crowd.len()).collect();
    let mut scratch = Vec::new();
    let mut adds = |order: &[usize], own: usize| {
        exclusive3(&unit[own], order.iter().filter(|&&i| i != own).map(|&i| &unit[i]), REFERENCE3, &mut scratch)
    };
    // What each adds, and the number of members when that was found.
    let mut added: Vec<(f64, usize)> = (0..unit.len()).map(|i| (adds(&order, i), order.len())).collect();
    while order.len() > room {
        let worse = |a: usize, b: usize| added[a].0.total_cmp(&added[b].0).then(a.cmp(&b)).is_lt();
        let at = (1..order.len()).fold(0, |least, at| if worse(order[at], order[least]) { at } else { least });
        let least = order[at];
        if added[least].1 == order.len() {
            order.remove(at);
        } else {
            added[least] = (adds(&order, least), order.len());
        }
    }
    order
}

/// Reference directions: each member belongs to the direction whose ray is nearest. Directions are filled in turn, those with
/// the fewest members first; an empty one takes the member nearest to its ray, another one the newest.
fn niches(above: &[&[f64]], crowd: &[&[f64]], room: usize, directions: &[Vec<f64>]) -> Vec<usize> {
    let unit = scaled(&[above, crowd].concat());
    let place: Vec<(usize, f64)> = unit.iter().map(|p| nearest(p, directions)).collect();
    let (above, crowd) = place.split_at(above.len());
    let mut count = vec![0_usize; directions.len()];
    above.iter().for_each(|&(niche, _)| count[niche] += 1);
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); directions.len()];
    crowd.iter().enumerate().for_each(|(i, &(niche, _))| waiting[niche].push(i));
    let mut kept = Vec::with_capacity(room);
    while kept.len() < room {
        let open = (0..directions.len()).filter(|&d| !waiting[d].is_empty()).min_by_key(|&d| count[d]);
        let Some(niche) = open else { break };
        let queue = &mut waiting[niche];
        let near = |best: usize, at: usize| if crowd[queue[at]].1 <= crowd[queue[best]].1 { at } else { best };
        let at = if count[niche] == 0 { (1..queue.len()).fold(0, near) } else { queue.len() - 1 };
        kept.push(queue.remove(at));
        count[niche] += 1;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pareto::directions::directions;
    use crate::pareto::hypervolume;
    use proptest::prelude::*;

    fn kept(rivals: &[(&[f64], f64)], size: usize) -> Vec<(usize, usize)> {
        let rivals: Vec<Rival<'_>> = rivals.iter().map(|&(losses, violation)| Rival { losses, violation }).collect();
        let mut kept = survivors(&rivals, size, &[]);
        kept.sort_unstable();
        kept
    }

    #[test]
    fn layers_and_violations_come_first() {
        let rivals: [(&[f64], f64); 6] = [
            (&[0.0, 0.0], 2.0),
            (&[3.0, 3.0], 0.0),
            (&[1.0, 2.0], 0.0),
            (&[0.0, 0.0], 1.0),
            (&[2.0, 1.0], 0.0),
            (&[9.0, 9.0], 1.0),
        ];
        assert_eq!(kept(&rivals, 2), [(2, 0), (4, 0)]);
        assert_eq!(kept(&rivals, 3), [(1, 1), (2, 0), (4, 0)]);
        // Among equal violations the newer one.
        assert_eq!(kept(&rivals, 4), [(1, 1), (2, 0), (4, 0), (5, 2)]);
        assert_eq!(kept(&rivals, 5), [(1, 1), (2, 0), (3, 3), (4, 0), (5, 2)]);
        assert_eq!(kept(&rivals, 9).len(), 6);
        assert!(kept(&[], 4).is_empty());
    }

    #[test]
    fn who_adds_least_goes_first() {
        // Inside they add 1, 1.5 and 3; without the first of them its neighbor adds 2.5.
        let points: [&[f64]; 5] = [&[0.0, 5.0], &[1.0, 4.0], &[2.0, 2.5], &[3.0, 1.0], &[5.0, 0.0]];
        assert_eq!(keep2(&points, 4), [0, 2, 3, 4]);
        assert_eq!(keep2(&points, 3), [0, 3, 4]);
        assert_eq!(keep2(&points, 2), [0, 4]);
    }

    #[test]
    fn newer_ones_live_on_a_plateau() {
        let plain: [(&[f64], f64); 5] = [(&[1.0], 0.0); 5];
        assert_eq!(kept(&plain, 2), [(3, 0), (4, 0)]);
        let two: [(&[f64], f64); 5] = [(&[1.0, 1.0], 0.0); 5];
        assert_eq!(kept(&two, 3), [(0, 0), (3, 0), (4, 0)]);
        let three: [(&[f64], f64); 5] = [(&[1.0, 1.0, 1.0], 0.0); 5];
        assert_eq!(kept(&three, 3), [(2, 0), (3, 0), (4, 0)]);
    }

    #[test]
    fn empty_niches_are_filled_first() {
        let corners = directions(4, 4);
        // Two near each corner of the first three objectives, one near the fourth.
        let near = |d: usize, off: f64| -> Vec<f64> { (0..4).map(|e| if e == d { 1.0 } else { off }).collect() };
        let all = [near(0, 0.0), near(0, 0.1), near(1, 0.1), near(1, 0.0), near(2, 0.0), near(2, 0.1), near(3, 0.0)];
        let crowd: Vec<&[f64]> = all.iter().map(Vec::as_slice).collect();
        let sorted = |above: &[&[f64]], room: usize| {
            let mut kept = niches(above, &crowd, room, &corners);
            kept.sort_unstable();
            kept
        };
        assert_eq!(sorted(&[], 4), [0, 3, 4, 6]);
        // Niches of the first and the third corner are taken.
        assert_eq!(sorted(&[&near(0, 0.05), &near(2, 0.05)], 2), [3, 6]);
    }

    proptest! {
        #[test]
        fn three_objectives_lose_the_least_each_time(numbers in prop::collection::vec(0.0..1.0_f64, 12..60), room in 1_usize..5) {
            let points: Vec<&[f64]> = numbers.chunks_exact(3).collect();
            let unit: Vec<Vec<f64>> = scaled(&points);
            let worth = |set: &[usize]| {
                hypervolume(&set.iter().map(|&i| unit[i].clone()).collect::<Vec<_>>(), &REFERENCE3)
            };
            let mut order: Vec<usize> = (0..points.len()).collect();
            while order.len() > room.min(points.len()) {
                let without = |at: usize| worth(&[&order[..at], &order[at + 1..]].concat());
                let best = (0..order.len()).map(without).fold(0.0, f64::max);
                let found = keep3(&points, order.len() - 1);
                prop_assert!(worth(&found) >= best - 1e-12);
                order = found;
            }
        }
    }
}
