//! Which constants the candidates of an atlas have, and what tells those on one side of a value from the others.

use super::Figure;
use serde::{Deserialize, Serialize};

/// Candidates on each side that a range is made of at least. Chosen here: the extremes of ten leave a sixth of what such
/// candidates have outside, on average 2 / (n + 1); those of fewer say little.
const FEWEST: usize = 10;
/// Factor of the distance between two samples that chance exceeds in one of twenty cases, sqrt((n + m) / (n m)) times this
/// (Kolmogorov 1933, Smirnov 1939; asymptotic).
const ONE_IN_TWENTY: f64 = 1.358;

/// A candidate as fresh seeds saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Values of the searched parameters, in their order; the index of a choice.
    pub genes: Vec<f64>,
    /// Means on fresh seeds, one for each axis.
    pub measures: Vec<Figure>,
    /// Loss on fresh seeds.
    pub loss: Figure,
}

/// On which side of a value a candidate lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideOf {
    /// The whole interval is at least the value.
    Above,
    /// The whole interval is below.
    Below,
    /// The interval holds the value, or there is none.
    Unclear,
}

impl SideOf {
    /// The side of a figure.
    pub fn of(figure: &Figure, value: f64) -> Self {
        match (figure.low, figure.high) {
            (Some(low), _) if low >= value => Self::Above,
            (_, Some(high)) if high < value => Self::Below,
            _ => Self::Unclear,
        }
    }
}

/// What tells the candidates at or above the `split` of an axis from those below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Index of the axis.
    pub axis: usize,
    /// The value.
    pub value: f64,
    /// Candidates whose whole 95 % interval on fresh seeds is at least the value.
    pub above: u64,
    /// Those whose whole interval is below.
    pub below: u64,
    /// Those of which the interval does not say it.
    pub unclear: u64,
    /// The distance that two samples of these sizes exceed by chance in one of twenty cases; `None` where one side has too few.
    pub chance: Option<f64>,
    /// The parameters, those that differ most first.
    pub genes: Vec<GeneSplit>,
}

/// A parameter on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeneSplit {
    /// Dotted key.
    pub key: String,
    /// Largest difference of the two distribution functions, 0 to 1; `None` where one side has too few.
    pub distance: Option<f64>,
    /// Least and greatest value among those above; `None` where they are too few.
    pub range: Option<(f64, f64)>,
    /// For each fifth of the searched range (on its scale), or each choice: candidates above and below.
    pub parts: Vec<(u64, u64)>,
}

impl Split {
    /// Splits `rows`, each a side with its decoded values and its places in the searched ranges, 0 to 1.
    pub(crate) fn new(
        axis: usize,
        value: f64,
        keys: &[(String, usize)],
        rows: &[(SideOf, Vec<f64>, Vec<f64>)],
    ) -> Self {
        let count = |side| rows.iter().filter(|r| r.0 == side).count();
        let (above, below) = (count(SideOf::Above), count(SideOf::Below));
        let enough = above.min(below) >= FEWEST;
        let one = |(k, (key, parts)): (usize, &(String, usize))| {
            let of = |side: SideOf| -> Vec<f64> { rows.iter().filter(|r| r.0 == side).map(|r| r.1[k]).collect() };
            let (up, down) = (of(SideOf::Above), of(SideOf::Below));
            let ends = || up.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
            let mut counts = vec![(0, 0); *parts];
            for (side, _, places) in rows {
                let part = &mut counts[((places[k] * *parts as f64) as usize).min(parts - 1)];
                match side {
                    SideOf::Above => part.0 += 1,
                    SideOf::Below => part.1 += 1,
                    SideOf::Unclear => {}
                }
            }
            GeneSplit {
                key: key.clone(),
                distance: enough.then(|| crowdtune_core::math::stats::ks_distance(&up, &down)).flatten(),
                range: (up.len() >= FEWEST).then(ends),
                parts: counts,
            }
        };
        let mut genes: Vec<GeneSplit> = keys.iter().enumerate().map(one).collect();
        genes.sort_by(|a, b| b.distance.unwrap_or(0.0).total_cmp(&a.distance.unwrap_or(0.0)));
        let (n, m) = (above as f64, below as f64);
        Self {
            axis,
            value,
            above: above as u64,
            below: below as u64,
            unclear: count(SideOf::Unclear) as u64,
            chance: enough.then(|| ONE_IN_TWENTY * ((n + m) / (n * m)).sqrt()),
            genes,
        }
    }

    /// True if a parameter differs by more than chance between the sides.
    pub fn differs(&self, gene: &GeneSplit) -> bool {
        gene.distance.zip(self.chance).is_some_and(|(d, chance)| d > chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(above: usize, below: usize) -> Vec<(SideOf, Vec<f64>, Vec<f64>)> {
        // The first parameter is 6 to 10 above and 0 to 4 below, the second the same on both sides.
        let row = |side, base: f64| {
            move |k: usize| {
                let (a, b) = (base + (k % 5) as f64, (k % 5) as f64);
                (side, vec![a, b], vec![a / 10.0, b / 4.0])
            }
        };
        (0..above).map(row(SideOf::Above, 6.0)).chain((0..below).map(row(SideOf::Below, 0.0))).collect()
    }

    #[test]
    fn what_lies_apart_has_distance_1_and_comes_first_and_what_is_equal_has_0() {
        let keys = [("same".to_string(), 5), ("apart".to_string(), 5)];
        let mut swapped = rows(20, 20);
        swapped.iter_mut().for_each(|r| (r.1.swap(0, 1), r.2.swap(0, 1)).0);
        swapped.push((SideOf::Unclear, vec![0.0, 0.0], vec![0.0, 0.0]));
        let split = Split::new(0, 0.3, &keys, &swapped);
        assert_eq!((split.above, split.below, split.unclear), (20, 20, 1));
        let [apart, same] = &split.genes[..] else { panic!() };
        assert_eq!((apart.key.as_str(), apart.distance, apart.range), ("apart", Some(1.0), Some((6.0, 10.0))));
        assert_eq!(apart.parts, [(0, 8), (0, 8), (0, 4), (8, 0), (12, 0)]);
        assert_eq!((same.distance, same.range), (Some(0.0), Some((0.0, 4.0))));
        // 1.358 sqrt(40 / 400)
        assert!((split.chance.unwrap() - 0.4294).abs() < 1e-4);
        assert!(split.differs(apart) && !split.differs(same));
    }

    #[test]
    fn of_a_few_no_range_is_told() {
        let keys = [("a".to_string(), 5), ("b".to_string(), 5)];
        let split = Split::new(0, 0.3, &keys, &rows(9, 30));
        assert!(split.chance.is_none() && split.genes.iter().all(|g| g.range.is_none() && g.distance.is_none()));
        assert!(Split::new(0, 0.3, &keys, &[]).genes.iter().all(|g| g.parts == [(0, 0); 5]));
        // Those above are enough, those below too few to compare with.
        let split = Split::new(0, 0.3, &keys, &rows(30, 9));
        assert!(split.genes.iter().all(|g| g.range.is_some() && g.distance.is_none()));
    }

    #[test]
    fn a_side_needs_the_whole_interval() {
        let figure = |low, high| Figure { value: Some(0.3), low, high };
        assert_eq!(SideOf::of(&figure(Some(0.3), Some(0.4)), 0.3), SideOf::Above);
        assert_eq!(SideOf::of(&figure(Some(0.2), Some(0.4)), 0.3), SideOf::Unclear);
        assert_eq!(SideOf::of(&figure(Some(0.2), Some(0.3)), 0.3), SideOf::Unclear);
        assert_eq!(SideOf::of(&figure(Some(0.2), Some(0.29)), 0.3), SideOf::Below);
        assert_eq!(SideOf::of(&figure(None, None), 0.3), SideOf::Unclear);
    }
}
