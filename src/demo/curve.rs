//! A curve over a slider: what to run, and what can be said of it.

use crate::figure::Figure;
use crate::format;

/// What the page lets people change: a key of the experiment file.
#[derive(Debug)]
pub struct Slider {
    /// Dotted key.
    pub key: &'static str,
    /// In words, for the axis.
    pub label: &'static str,
    /// Unit, or "".
    pub unit: &'static str,
    /// Ends and step.
    pub range: (f64, f64, f64),
}

/// One line of the curve: the experiment with these keys set.
#[derive(Debug)]
pub struct Line {
    /// Its name; "" where it is the only one.
    pub label: &'static str,
    /// Keys and values.
    pub sets: &'static [(&'static str, &'static str)],
}

/// A crowd that the page begins with.
#[derive(Debug)]
pub struct Start {
    /// Index of its line.
    pub line: usize,
    /// Where the slider is.
    pub at: f64,
}

/// A demonstration with a slider.
#[derive(Debug)]
pub struct Curve {
    /// The experiment; the columns are what the table below the crowd shows.
    pub text: &'static str,
    /// What changes.
    pub slider: Slider,
    /// Where the curve is computed.
    pub at: &'static [f64],
    /// Runs of each point.
    pub seeds: u32,
    /// The column that is drawn.
    pub column: &'static str,
    /// Its axis, with the unit.
    pub axis: &'static str,
    /// One or two.
    pub lines: &'static [Line],
    /// The two crowds at the beginning.
    pub start: [Start; 2],
    /// What others have, and its points; empty where nothing was printed.
    pub known: (&'static str, &'static [(f64, f64)]),
    /// What is seen, from the curve.
    pub seen: fn(&[Found]) -> String,
    /// Why.
    pub why: &'static str,
    /// How it compares with what others have.
    pub beside: fn(&[Found]) -> String,
}

/// A line as it came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its name.
    pub label: String,
    /// Slider and mean with its 95 % interval.
    pub points: Vec<(f64, Figure)>,
}

impl Found {
    /// The mean at a place of the slider; not a number where there is none.
    pub fn at(&self, x: f64) -> f64 {
        self.figure(x).value.unwrap_or(f64::NAN)
    }

    /// The mean with its interval there.
    pub fn figure(&self, x: f64) -> Figure {
        self.points.iter().find(|p| p.0 == x).map_or_else(Figure::default, |p| p.1)
    }

    /// Where the mean is least.
    pub fn least(&self) -> (f64, Figure) {
        self.extreme(|a, b| a < b)
    }

    /// Where it is largest.
    pub fn largest(&self) -> (f64, Figure) {
        self.extreme(|a, b| a > b)
    }

    fn extreme(&self, better: fn(f64, f64) -> bool) -> (f64, Figure) {
        let known = self.points.iter().filter_map(|p| Some((p, p.1.value?)));
        let best = known.reduce(|a, b| if better(b.1, a.1) { b } else { a });
        best.map_or((f64::NAN, Figure::default()), |(p, _)| *p)
    }
}

/// True if two intervals have no value in common.
pub fn apart(a: Figure, b: Figure) -> bool {
    let above = |a: Figure, b: Figure| matches!((a.low, b.high), (Some(low), Some(high)) if low > high);
    above(a, b) || above(b, a)
}

/// A place of the slider for a sentence.
pub fn plain(x: f64) -> String {
    if x.is_finite() { format::plain(x) } else { format::NONE.into() }
}

/// A number for a sentence.
pub fn say(x: f64) -> String {
    if x.is_finite() { format::number(x) } else { format::NONE.into() }
}

/// How far a curve lies from known points that it has values at, as mean share of theirs, in words.
pub fn distance(found: &Found, known: &[(f64, f64)]) -> String {
    let shares: Vec<f64> =
        known.iter().map(|&(x, y)| (found.at(x) - y) / y).filter(|share| share.is_finite()).collect();
    if shares.is_empty() {
        return "there is no point to compare".into();
    }
    let n = shares.len() as f64;
    let (mean, off) = (shares.iter().sum::<f64>() / n, shares.iter().map(|s| s.abs()).sum::<f64>() / n);
    format!(
        "at its {} points ours is {:.0} % off on average (with sign {:+.0} %)",
        shares.len(),
        100.0 * off,
        100.0 * mean
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[(f64, f64)]) -> Found {
        let figure = |y: f64| Figure { value: Some(y), low: Some(y - 1.0), high: Some(y + 1.0) };
        Found { label: String::new(), points: values.iter().map(|&(x, y)| (x, figure(y))).collect() }
    }

    #[test]
    fn what_is_said_follows_from_the_points() {
        let found = found(&[(1.0, 30.0), (2.0, 20.0), (3.0, 40.0)]);
        assert_eq!((found.least().0, found.largest().0), (2.0, 3.0));
        assert!(found.at(9.0).is_nan() && apart(found.figure(1.0), found.figure(2.0)));
        assert!(!apart(found.figure(1.0), found.figure(1.0)) && !apart(found.figure(9.0), found.figure(1.0)));
        let words = distance(&found, &[(1.0, 20.0), (2.0, 25.0), (7.0, 1.0)]);
        assert_eq!(words, "at its 2 points ours is 35 % off on average (with sign +15 %)");
        assert_eq!(distance(&found, &[(7.0, 1.0)]), "there is no point to compare");
        assert_eq!(say(f64::NAN), format::NONE);
    }
}
