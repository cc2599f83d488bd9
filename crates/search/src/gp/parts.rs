//! A process for each value instead of one for the loss that they make together.
//!
//! Composite functions (Astudillo, Frazier, ICML 2019): a value often changes evenly where its loss has a corner, as around a number that is wanted
//! within a tolerance, and which way it is off tells where to go. Where less or more is always better the loss says as much as the values, and one process of
//! it is as good (docs/decisions.md). The moments of the loss are exact here, where the source draws samples; values count as independent of each other.

use super::coding::Coding;
use super::transform::{View, spread};
use super::worth::Worth;
use crate::process::{Fitted, Prediction, Process, Room, Sloped};
use crate::{Part, Rule};

/// Most parts that get a process each: each of them costs what that of the loss does. Chosen here.
const MOST: usize = 12;

/// True if the loss grows on both sides of one of the values, and there are not too many.
fn get_processes(parts: &[Part]) -> bool {
    let has_two_sides = |part: &Part| match part.rule {
        Rule::Band { low, high, .. } => low.is_finite() && high.is_finite(),
        Rule::Squares { .. } => true,
        Rule::Slope { .. } => false,
    };
    parts.len() <= MOST && parts.iter().any(has_two_sides)
}

/// How many processes predict a loss of these parts.
pub(crate) fn processes(parts: &[Part]) -> usize {
    if get_processes(parts) { parts.len() } else { 1 }
}

/// Processes of values, and what the values are worth.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    of: Vec<Judged>,
    /// Deviation of the losses that were seen, the unit of what is predicted.
    unit: f64,
}

/// A process of one value, in deviations of the values that were seen.
#[derive(Clone, Debug)]
struct Judged {
    process: Process,
    /// In the same units.
    rule: Rule,
    weight: f64,
}

impl Judged {
    fn worth(&self, value: Prediction) -> Worth {
        Worth::of(self.rule, value.mean, value.variance)
    }
}

impl Parts {
    /// From points, and the value of each part there; and the losses of the points, far ends bent, in the units of a prediction. `None` where a
    /// process of the loss is as good, or there are too many.
    pub fn of(
        parts: &[Part],
        values: &[&[f64]],
        points: &[Vec<f64>],
        view: View,
        coding: &Coding,
        fits: &mut Vec<Fitted>,
    ) -> Option<(Self, Vec<f64>)> {
        if !get_processes(parts) {
            return None;
        }
        fits.resize_with(parts.len(), Fitted::default);
        let mut losses = vec![0.0; points.len()];
        let mut of = Vec::with_capacity(parts.len());
        for (k, (part, fitted)) in parts.iter().zip(fits).enumerate() {
            let raw: Vec<f64> = values.iter().map(|row| row[k]).collect();
            let bent = bent(part.rule, &raw, view);
            let (mean, deviation) = spread(&bent);
            let scaled: Vec<f64> = bent.iter().map(|value| (value - mean) / deviation).collect();
            losses.iter_mut().zip(&bent).for_each(|(loss, &value)| *loss += part.weight * part.rule.loss(value));
            let process = fitted.one_of_many(coding.genes(), points, &scaled)?;
            of.push(Judged { process, rule: scaled_rule(part.rule, mean, deviation), weight: part.weight });
        }
        let (_, unit) = spread(&losses);
        losses.iter_mut().for_each(|loss| *loss /= unit);
        Some((Self { of, unit }, losses))
    }

    /// The loss that an answer at a point has in the mean: its values have noise, which costs something where a value is nearly as wanted.
    pub fn expected(&self, point: &[f64], room: &mut Room) -> f64 {
        let of = |part: &Judged| {
            let it = part.process.predict(point, room);
            part.weight * part.worth(Prediction { variance: it.variance + part.process.noise(), ..it }).mean
        };
        self.of.iter().map(of).sum()
    }

    /// Mean and variance of the loss at each of these points.
    pub fn predict_all(&self, points: &[Vec<f64>], room: &mut Room) -> Vec<Prediction> {
        let mut sums = vec![(0.0, 0.0); points.len()];
        for part in &self.of {
            for (sum, value) in sums.iter_mut().zip(part.process.predict_all(points, room)) {
                let worth = part.worth(value);
                sum.0 += part.weight * worth.mean;
                sum.1 += part.weight * part.weight * worth.variance;
            }
        }
        sums.into_iter().map(|(mean, variance)| self.in_units(mean, variance)).collect()
    }

    /// The same at one point, with slopes.
    pub fn with_slopes(&self, point: &[f64], room: &mut Room) -> Sloped {
        let (mut mean, mut variance) = (0.0, 0.0);
        let (mut of_mean, mut of_variance) = (vec![0.0; point.len()], vec![0.0; point.len()]);
        for part in &self.of {
            let value = part.process.with_slopes(point, room);
            let worth = part.worth(value.it);
            let share = part.weight / self.unit;
            mean += part.weight * worth.mean;
            variance += part.weight * part.weight * worth.variance;
            for d in 0..point.len() {
                let (along, spreads) = (value.of_mean[d], value.of_variance[d]);
                of_mean[d] += share * (worth.of_mean[0] * along + worth.of_mean[1] * spreads);
                of_variance[d] += share * share * (worth.of_variance[0] * along + worth.of_variance[1] * spreads);
            }
        }
        Sloped { it: self.in_units(mean, variance), of_mean, of_variance }
    }

    /// As if a point had been asked, and the means of all values had been true.
    pub fn believing(&self, point: &[f64]) -> Option<Self> {
        let mut room = Room::default();
        let and = |part: &Judged| {
            let mean = part.process.mean(point, &mut room);
            Some(Judged { process: part.process.and(point, mean)?, ..part.clone() })
        };
        Some(Self { of: self.of.iter().map(and).collect::<Option<_>>()?, unit: self.unit })
    }

    fn in_units(&self, mean: f64, variance: f64) -> Prediction {
        // Where every value is as wanted no loss is left, and no doubt: a thousandth of a deviation is one that nobody can show.
        Prediction { mean: mean / self.unit, variance: (variance / (self.unit * self.unit)).max(1e-6) }
    }
}

/// A rule for values of which `mean` was taken off, and which were divided by `deviation`.
fn scaled_rule(rule: Rule, mean: f64, deviation: f64) -> Rule {
    let at = |value: f64| (value - mean) / deviation;
    match rule {
        Rule::Band { low, high, unit } => {
            Rule::Band { low: at(low), high: at(high), unit: if unit > 0.0 { unit } else { 1.0 } / deviation }
        }
        Rule::Squares { value, unit } => Rule::Squares { value: at(value), unit: unit / deviation },
        Rule::Slope { good, bad } => {
            Rule::Slope { good: at(good), bad: at(if bad == good { good + 1.0 } else { bad }) }
        }
    }
}

/// Values of which far ones, on both sides of what is wanted, count by the logarithm of their distance from it, as losses do.
fn bent(rule: Rule, values: &[f64], view: View) -> Vec<f64> {
    let (from, half) = match rule {
        Rule::Band { low, high, .. } if low.is_finite() && high.is_finite() => (0.5 * (low + high), 0.5 * (high - low)),
        Rule::Band { low, high, .. } => (if low.is_finite() { low } else { high }, 0.0),
        Rule::Squares { value, .. } => (value, 0.0),
        Rule::Slope { good, .. } => (good, 0.0),
    };
    let mut off: Vec<f64> = values.iter().map(|value| (value - from).abs()).collect();
    off.sort_by(f64::total_cmp);
    let (least, middle) = (off[0], off[(off.len() - 1) / 2]);
    let scale = middle - least;
    if scale.is_nan() || scale <= 0.0 {
        return values.to_vec();
    }
    let full = (least + view.full() * scale).max(half);
    let bend = |value: f64| {
        let off = value - from;
        let beyond = off.abs() - full;
        if beyond > 0.0 { from + off.signum() * (full + scale * libm::log1p(beyond / scale)) } else { value }
    };
    values.iter().map(|&value| bend(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Space;
    use crowdtune_core::math::rng::{Seed, unit};

    const WANTED: [Rule; 3] = [
        Rule::Band { low: 1.19, high: 1.21, unit: 0.01 },
        Rule::Slope { good: 2.0, bad: 0.5 },
        Rule::Squares { value: 0.5, unit: 0.2 },
    ];

    /// Three values of a point with two numbers, and a fourth of the best loss where all are as wanted.
    fn values(x: &[f64]) -> Vec<f64> {
        vec![3.0 * x[0] + 0.2 * x[1], 2.0 - x[1], x[0] * x[1] + 0.4]
    }

    fn parts(count: usize) -> Vec<Part> {
        Part::of_columns(&WANTED.map(|rule| (rule, 0.5))).into_iter().cycle().take(count).collect()
    }

    fn loss(x: &[f64]) -> f64 {
        values(x).iter().zip(WANTED).map(|(&value, rule)| 0.5 * rule.loss(value)).sum()
    }

    fn seen() -> (Coding, Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut rng = Seed(3).rng();
        let points: Vec<Vec<f64>> = (0..20).map(|_| vec![unit(&mut rng), unit(&mut rng)]).collect();
        let values = points.iter().map(|x| values(x)).collect();
        (Coding::new(&Space::unit(2)), points, values)
    }

    fn predict(parts: &Parts, point: &[f64]) -> Prediction {
        parts.predict_all(&[point.to_vec()], &mut Room::default())[0]
    }

    fn process(view: View) -> (Parts, Vec<f64>) {
        let (coding, points, values) = seen();
        let rows: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        Parts::of(&parts(3), &rows, &points, view, &coding, &mut Vec::new()).unwrap()
    }

    #[test]
    fn the_loss_is_known_where_nobody_was() {
        // A band of 0.02 m is met in a thirtieth of the square, and no point that was seen is in it.
        let (_, points, _) = seen();
        assert!(points.iter().all(|x| WANTED[0].loss(values(x)[0]) > 0.0));
        let (parts, _) = process(View::Wide);
        let mut room = Room::default();
        let grid = (0..10_000).map(|k| vec![f64::from(k % 100) / 99.0, f64::from(k / 100) / 99.0]);
        let grid: Vec<Vec<f64>> = grid.collect();
        let means = parts.predict_all(&grid, &mut room).into_iter().map(|it| it.mean);
        let (mean, best) = means.zip(grid).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert!(loss(&best) < 0.2, "{best:?}: {}", loss(&best));
        assert!((mean * parts.unit - loss(&best)).abs() < 0.2);
        // Noise is taken for a part of the loss, the less the surer the values are.
        let expected = parts.expected(&best, &mut room);
        assert!(expected > mean * parts.unit && expected < 0.5, "{expected}");
    }

    #[test]
    fn losses_that_were_seen_are_those_of_the_rules() {
        let (_, points, _) = seen();
        let (parts, losses) = process(View::Wide);
        let mut good: Vec<(&Vec<f64>, &f64)> = points.iter().zip(&losses).collect();
        good.sort_by(|a, b| loss(a.0).total_cmp(&loss(b.0)));
        // Far values of the others are bent.
        good.truncate(5);
        for (x, seen) in good {
            assert!((seen * parts.unit - loss(x)).abs() < 1e-9, "{x:?}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_predictions() {
        let h = 1e-6;
        for (parts, _) in View::ALL.map(process) {
            for point in [[0.3, 0.7], [0.9, 0.1], [0.39, 0.05]] {
                let mut room = Room::default();
                let Sloped { it, of_mean, of_variance } = parts.with_slopes(&point, &mut room);
                assert_eq!(it, predict(&parts, &point));
                for d in 0..2 {
                    let [a, b] = [-h, h].map(|h| {
                        let mut moved = point;
                        moved[d] += h;
                        predict(&parts, &moved)
                    });
                    let (mean, variance) = ((b.mean - a.mean) / (2.0 * h), (b.variance - a.variance) / (2.0 * h));
                    assert!((mean - of_mean[d]).abs() < 1e-4 * (1.0 + mean.abs()), "{point:?} {mean} {of_mean:?}");
                    assert!(
                        (variance - of_variance[d]).abs() < 1e-4 * (1.0 + variance.abs()),
                        "{point:?} {variance} {of_variance:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_believed_leaves_means_and_takes_doubt() {
        let (parts, _) = process(View::Wide);
        let point = [0.5, 0.5];
        let (before, after) = (predict(&parts, &point), predict(&parts.believing(&point).unwrap(), &point));
        assert!(after.variance < before.variance);
        assert!((after.mean - before.mean).abs() < before.variance.sqrt());
    }

    #[test]
    fn many_parts_and_slopes_are_one_loss() {
        let (coding, points, values) = seen();
        let rows: Vec<Vec<f64>> =
            values.iter().map(|row| row.iter().copied().cycle().take(MOST + 1).collect()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        for (count, wanted) in [(0, 1), (1, 1), (MOST, MOST), (MOST + 1, 1)] {
            assert_eq!(processes(&parts(count)), wanted);
            let made = Parts::of(&parts(count), &rows, &points, View::Wide, &coding, &mut Vec::new());
            assert_eq!(made.is_some(), (1..=MOST).contains(&count));
        }
        let slopes = [Rule::Slope { good: 0.0, bad: 1.0 }, Rule::Band { low: f64::NEG_INFINITY, high: 1.0, unit: 1.0 }];
        assert_eq!(processes(&Part::of_columns(&slopes.map(|rule| (rule, 1.0)))), 1);
    }

    #[test]
    fn scaled_rules_say_the_same() {
        let odd = [Rule::Slope { good: 1.0, bad: 1.0 }, Rule::Band { low: 0.0, high: 1.0, unit: 0.0 }];
        for rule in WANTED.into_iter().chain(odd) {
            let scaled = scaled_rule(rule, 0.7, 2.5);
            for value in [-3.0, 0.3, 1.2, 1.5, 8.0] {
                let (a, b) = (rule.loss(value), scaled.loss((value - 0.7) / 2.5));
                assert!((a - b).abs() < 1e-9 * (1.0 + a), "{rule:?} {value}: {a}, {b}");
            }
        }
    }

    #[test]
    fn far_values_are_bent_on_both_sides() {
        let values = [-1e6, -3.0, 1.0, 1.2, 1.3, 2.0, 4.0, 1e6];
        for rule in WANTED {
            let bent = bent(rule, &values, View::Wide);
            assert!(bent.is_sorted_by(|a, b| a < b), "{rule:?} {bent:?}");
            assert!(bent[0] > -1e3 && bent[7] < 1e3 && bent[2..5] == values[2..5], "{rule:?} {bent:?}");
        }
        assert_eq!(bent(WANTED[0], &[2.0, 2.0], View::Close), [2.0, 2.0]);
    }
}
