//! Where everything of a heat map lies: a panel of cells for each slice along the third axis.

use crate::evolve::summary::AtlasSummary;

/// Width of the picture, px.
const WIDTH: f64 = 900.0;
/// Title, line below it and a row of legend, px, as in every picture.
const HEAD: f64 = 84.0;
/// Room for ticks and title of the vertical axis, px.
const LEFT: f64 = 66.0;
/// Room for ticks and title of the horizontal axis, px.
const FOOT: f64 = 46.0;
/// Room for the label of a slice, px.
const LABEL: f64 = 22.0;
/// Between panels and at the right edge, px.
const GAP: f64 = 18.0;
/// Widest cell, px. Chosen here: people look lost in a larger picture.
const WIDEST: f64 = 110.0;
/// Slices stand side by side while cells are at least this wide, px. Chosen here: in less, a crowd cannot be made out.
const NARROWEST: f64 = 44.0;

/// A rectangle: left, top, width, height, px.
pub type Box4 = (f64, f64, f64, f64);

/// The places of a heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width of the picture, px.
    pub width: f64,
    /// Height of the picture, px.
    pub height: f64,
    /// Width and height of a cell, px.
    pub cell: (f64, f64),
    /// Number of cells along the horizontal axis, the vertical one, and across the slices.
    pub counts: [u32; 3],
    /// Panels side by side.
    pub columns: u32,
}

impl Layout {
    /// The places for an atlas whose crowds live in a place of this width over height.
    pub fn of(atlas: &AtlasSummary, aspect: f64) -> Self {
        let count = |axis: usize| atlas.axes.get(axis).map_or(1, |a| a.cells.max(1));
        let counts = [count(0), count(1), count(2)];
        let (nx, ny, slices) = (f64::from(counts[0]), f64::from(counts[1]), counts[2]);
        let wide = |columns: u32| {
            let panels = f64::from(columns);
            ((WIDTH - panels * (LEFT + GAP)) / (panels * nx)).min(WIDEST)
        };
        let columns = (1..=slices).rev().find(|&k| wide(k) >= NARROWEST).unwrap_or(1);
        // Equal rows: 6 slices of which 4 fit stand in 3 + 3.
        let columns = slices.div_ceil(slices.div_ceil(columns));
        let w = wide(columns);
        let h = w / aspect.clamp(0.6, 1.8);
        let rows = f64::from(slices.div_ceil(columns));
        let height = HEAD + rows * (if slices > 1 { LABEL } else { 0.0 } + ny * h + FOOT) + 6.0;
        Self { width: WIDTH, height, cell: (w, h), counts, columns }
    }

    /// The box of a whole panel.
    pub fn panel(&self, slice: u32) -> Box4 {
        let (column, row) = (f64::from(slice % self.columns), f64::from(slice / self.columns));
        let (w, h) = (self.cell.0 * f64::from(self.counts[0]), self.cell.1 * f64::from(self.counts[1]));
        let label = if self.counts[2] > 1 { LABEL } else { 0.0 };
        (LEFT + column * (w + LEFT + GAP), HEAD + row * (label + h + FOOT) + label, w, h)
    }

    /// The box of a cell, the vertical axis rising upwards.
    pub fn cell(&self, at: &[u32]) -> Box4 {
        let coordinate = |axis: usize| at.get(axis).copied().unwrap_or(0);
        let (left, top, _, height) = self.panel(coordinate(2));
        let (w, h) = self.cell;
        (left + f64::from(coordinate(0)) * w, top + height - f64::from(coordinate(1) + 1) * h, w, h)
    }
}
