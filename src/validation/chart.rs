//! What the plot of an experiment shows; `report` draws it.

use super::lab::exact;
use crate::evolve::summary::Figure;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// What this program gave: dots, joined, with intervals.
    Ours,
    /// What the paper or standard says: diamonds, with tolerances where there are any.
    Paper,
    /// What another program gave: rings, joined by dashes.
    Reference,
    /// An area between the lower and the upper ends.
    Band,
    /// Lines without dots, such as ways of people; a point without a value ends one line and begins the next.
    Way,
    /// Walls: as [`Mark::Way`], dark.
    Wall,
}

/// One series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend; series of one name share a color and an entry.
    pub label: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Points: x and y.
    pub points: Vec<(f64, Figure)>,
}

/// A plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// File name without its ending.
    pub name: String,
    /// Title.
    pub title: String,
    /// Second line.
    pub below: String,
    /// What x is.
    pub x_title: String,
    /// What y is.
    pub y_title: String,
    /// Words under the x axis, where x numbers them from 0; empty for numbers.
    pub x_words: Vec<String>,
    /// The series, the first one at the bottom.
    pub series: Vec<Series>,
    /// True for a map: a meter is equally long in both directions.
    pub map: bool,
}

impl Chart {
    /// An empty plot.
    pub fn new(name: &str, title: &str, x_title: &str, y_title: &str) -> Self {
        let [name, title, x_title, y_title] = [name, title, x_title, y_title].map(String::from);
        Self { name, title, x_title, y_title, ..Self::default() }
    }

    /// An empty map, in meters.
    pub fn map(name: &str, title: &str) -> Self {
        Self { map: true, ..Self::new(name, title, "x (m)", "y (m)") }
    }

    /// With one more series.
    #[must_use]
    pub fn with(mut self, label: impl Into<String>, mark: Mark, points: Vec<(f64, Figure)>) -> Self {
        self.series.push(Series { label: label.into(), mark, points });
        self
    }

    /// With a second line.
    #[must_use]
    pub fn below(self, below: impl Into<String>) -> Self {
        Self { below: below.into(), ..self }
    }

    /// With words under the x axis.
    #[must_use]
    pub fn words(self, words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { x_words: words.into_iter().map(Into::into).collect(), ..self }
    }
}

/// Points without intervals.
pub fn plain(points: &[(f64, f64)]) -> Vec<(f64, Figure)> {
    points.iter().map(|&(x, y)| (x, exact(y))).collect()
}

/// Points of a band: x, lower end, upper end.
pub fn band(points: &[(f64, f64, f64)]) -> Vec<(f64, Figure)> {
    points.iter().map(|&(x, low, high)| (x, super::lab::between(0.5 * (low + high), low, high))).collect()
}
