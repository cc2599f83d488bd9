//! The numbers behind a metric.

/// Numbers behind a metric, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// How it is drawn.
    pub plot: Plot,
    /// Names of the columns, each with its unit suffix.
    pub columns: &'static [&'static str],
    /// The rows, each as long as `columns`; NaN where a row has no such number.
    pub rows: Vec<Vec<f64>>,
}

/// How a table is drawn. Numbers are places of columns, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Plot {
    /// Curves over the time in the first column, s; one for each further column.
    Curves,
    /// The same, but each row holds from the time in the first column to that in the second one, s.
    Steps,
    /// Maps: the first two columns are the center of a square, m; one map for each further column.
    Maps,
    /// A dot for each row.
    Dots {
        /// What is to the right.
        x: usize,
        /// What is upwards.
        y: usize,
        /// Lower and upper end of what is wanted of `y`.
        band: Option<(usize, usize)>,
    },
}
