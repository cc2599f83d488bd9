//! Axes: from values to shares of a length, and where the ticks are.

use crate::format;

/// Ratio of the largest to the smallest value from which an axis becomes logarithmic. Chosen here: below, the small values of a
/// linear axis can still be told apart.
const WIDE: f64 = 30.0;

/// Places of ticks with their labels.
pub type Ticks = Vec<(f64, String)>;

/// How values are spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By orders of magnitude; values must be above 0.
    Log,
    /// Evenly up to this size, by orders of magnitude beyond, through 0 to both sides.
    SymLog(f64),
}

impl Scale {
    /// What is said behind the title of an axis.
    pub fn note(self) -> &'static str {
        match self {
            Self::Linear => "",
            Self::Log => " (logarithmic)",
            Self::SymLog(_) => " (linear near 0, then logarithmic)",
        }
    }
}

/// A range of values on a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Value at the start.
    pub low: f64,
    /// Value at the end.
    pub high: f64,
    /// Spacing.
    pub scale: Scale,
}

impl Axis {
    /// An even axis from `low` to `high`.
    pub fn linear(low: f64, high: f64) -> Self {
        Self { low, high, scale: Scale::Linear }
    }

    /// An even axis for `count` words, which stand at 0, 1, ...
    pub fn words(count: usize) -> Self {
        Self::linear(-0.5, count as f64 - 0.5)
    }

    /// An axis that holds these values with a margin. Values that are not finite, or beyond 1e300, are skipped. A single
    /// value gets room on both sides; no value at all gives 0 to 1.
    pub fn around(values: impl IntoIterator<Item = f64>, scale: Scale) -> Self {
        let usable = |v: &f64| v.abs() < 1e300 && (scale != Scale::Log || *v > 0.0);
        let (low, high) = values
            .into_iter()
            .filter(usable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            return Self { low: if scale == Scale::Log { 0.1 } else { 0.0 }, high: 1.0, scale };
        }
        match scale {
            Scale::Log if low == high => Self { low: low / 2.0, high: high * 2.0, scale },
            Scale::Log => {
                let margin = libm::pow(high / low, 0.04);
                Self { low: low / margin, high: high * margin, scale }
            }
            _ => {
                let size = low.abs().max(high.abs());
                let flat = high - low <= 1e-9 * size || high == low;
                let margin = if flat { if size > 0.0 { 0.1 * size } else { 0.5 } } else { 0.05 * (high - low) };
                // Quantities that are never negative start at 0, not below it.
                let start = if low >= 0.0 { (low - margin).max(0.0) } else { low - margin };
                Self { low: start, high: high + margin, scale }
            }
        }
    }

    /// True if the axis reaches a value.
    pub fn holds(&self, v: f64) -> bool {
        (0.0..=1.0).contains(&self.at(v))
    }

    /// Share of the way from the start (0) to the end (1); values beyond the ends lie outside.
    pub fn at(&self, v: f64) -> f64 {
        let (a, b) = (self.warp(self.low), self.warp(self.high));
        let share = (self.warp(v) - a) / (b - a);
        if share.is_finite() { share } else { 0.0 }
    }

    fn warp(&self, v: f64) -> f64 {
        match self.scale {
            Scale::Linear => v,
            Scale::Log => libm::log10(v.max(1e-300)),
            Scale::SymLog(size) => libm::asinh(v / size),
        }
    }

    /// Ticks with their labels, about `count` of them on a linear scale.
    pub fn ticks(&self, count: usize) -> Ticks {
        match self.scale {
            Scale::Linear => self.even(count),
            Scale::Log => {
                let tens = self.decades(self.low, self.high, &[1.0]);
                let finer = self.decades(self.low, self.high, &[1.0, 2.0, 5.0]);
                match (tens.len(), finer.len()) {
                    (_, 0 | 1) => self.even(3),
                    (0 | 1, _) => label(finer),
                    (_, n) if n <= 2 * count => label(finer),
                    (n, _) => label(tens.into_iter().step_by(n.div_ceil(count.max(2) * 2)).collect()),
                }
            }
            Scale::SymLog(size) => {
                let up = self.decades(size, self.high, &[1.0]);
                let down = self.decades(size, -self.low, &[1.0]).into_iter().rev().map(|v| -v);
                let mut all: Vec<f64> = down.collect();
                all.push(0.0);
                all.extend(up);
                label(all.into_iter().filter(|v| (self.low..=self.high).contains(v)).collect())
            }
        }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn even(&self, count: usize) -> Ticks {
        let raw = (self.high - self.low) / count.max(1) as f64;
        let power = libm::floor(libm::log10(raw));
        let base = libm::pow(10.0, power);
        let Some(step) = [1.0, 2.0, 5.0, 10.0].map(|m| m * base).into_iter().find(|s| *s >= raw * 0.999) else {
            return Vec::new();
        };
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        label((first..=last).map(|k| k as f64 * step).collect())
    }

    fn decades(&self, low: f64, high: f64, parts: &[f64]) -> Vec<f64> {
        if low <= 0.0 || high < low {
            return Vec::new();
        }
        let powers = libm::floor(libm::log10(low)) as i32..=libm::ceil(libm::log10(high)) as i32;
        let all = powers.flat_map(|p| parts.iter().map(move |m| m * libm::pow(10.0, f64::from(p))));
        all.filter(|v| *v >= low * 0.999 && *v <= high * 1.001).collect()
    }
}

/// The same number of decimals for all ticks of an even axis; the fewest that tell them apart.
fn label(values: Vec<f64>) -> Ticks {
    let even = values.windows(3).all(|w| ((w[2] - w[1]) - (w[1] - w[0])).abs() < 1e-6 * (w[2] - w[0]).abs());
    let largest = values.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
    let step = values.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
    if even && values.len() > 1 && (1e-4..1e6).contains(&largest) {
        let fits =
            |d: &usize| (step * libm::pow(10.0, *d as f64) - (step * libm::pow(10.0, *d as f64)).round()).abs() < 1e-6;
        let decimals = (0..9).find(fits).unwrap_or(3);
        return values.into_iter().map(|v| (v, format::fixed(v, decimals))).collect();
    }
    values.into_iter().map(|v| (v, format::plain(v))).collect()
}

/// Logarithmic where the largest value is more than [`WIDE`] times the smallest; through 0 where some are 0.
pub fn scale_for(values: impl Iterator<Item = f64>) -> Scale {
    let mut sorted: Vec<f64> = values.filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let positive = &sorted[sorted.partition_point(|v| *v <= 0.0)..];
    let (Some(&first), Some(&last)) = (positive.first(), positive.last()) else { return Scale::Linear };
    let whole = positive.len() == sorted.len();
    if whole && last / first > WIDE {
        return Scale::Log;
    }
    let middle = positive[positive.len() / 4];
    if !whole && last / middle > WIDE { Scale::SymLog(middle) } else { Scale::Linear }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis, count: usize) -> Vec<String> {
        axis.ticks(count).into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_equal_decimals() {
        let linear = Axis::linear;
        assert_eq!(labels(linear(0.0, 1.0), 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(linear(0.75, 1.25), 5), ["0.8", "0.9", "1.0", "1.1", "1.2"]);
        assert_eq!(labels(linear(-120.0, 130.0), 3), ["-100", "0", "100"]);
        let log = Axis { low: 0.02, high: 1.0, scale: Scale::Log };
        assert_eq!(labels(log, 5), ["0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
        assert_eq!(labels(Axis { low: 50.0, high: 5e5, ..log }, 5), ["100", "1000", "10000", "100000"]);
        assert_eq!(
            labels(Axis { low: -1.0, high: 150.0, scale: Scale::SymLog(1.0) }, 5),
            ["-1", "0", "1", "10", "100"]
        );
    }

    #[test]
    fn the_scale_follows_the_spread() {
        assert_eq!(scale_for([1.0, 20.0].into_iter()), Scale::Linear);
        assert_eq!(scale_for([1.0, 40.0].into_iter()), Scale::Log);
        assert_eq!(scale_for([0.0, 0.0, 1.0, 400.0, f64::NAN].into_iter()), Scale::SymLog(1.0));
        assert_eq!(scale_for([-1.0, 0.0].into_iter()), Scale::Linear);
    }

    #[test]
    fn places_are_shares_of_the_scale() {
        let log = Axis { low: 1.0, high: 100.0, scale: Scale::Log };
        assert!((log.at(10.0) - 0.5).abs() < 1e-12);
        let flat = Axis { low: 2.0, high: 2.0, scale: Scale::Linear };
        assert_eq!(flat.at(2.0), 0.0);
    }

    #[test]
    fn an_axis_around_nothing_or_one_value_has_room() {
        assert_eq!(Axis::around([], Scale::Linear), Axis { low: 0.0, high: 1.0, scale: Scale::Linear });
        let one = Axis::around([5.0, f64::NAN], Scale::Linear);
        assert_eq!((one.low, one.high), (4.5, 5.5));
        let log = Axis::around([0.0, 4.0], Scale::Log);
        assert_eq!((log.low, log.high), (2.0, 8.0));
    }
}
