//! The atlas of behaviors, and its cells as a table.

use super::{Checked, Figure, Split};
use serde::{Deserialize, Serialize};

/// An axis of an atlas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisSummary {
    /// Name.
    pub name: String,
    /// Metric.
    pub metric: String,
    /// Unit of the metric, or "".
    pub unit: String,
    /// Lower end, in the unit.
    pub low: f64,
    /// Upper end, in the unit.
    pub high: f64,
    /// Number of cells.
    pub cells: u32,
    /// The value that tells candidates apart, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<f64>,
}

impl AxisSummary {
    /// Width of a cell, in the unit.
    pub fn width(&self) -> f64 {
        (self.high - self.low) / f64::from(self.cells)
    }

    /// Lower end of a cell, or the upper end of the one before it.
    pub fn border(&self, at: u32) -> f64 {
        self.low + f64::from(at) * self.width()
    }

    /// Middle of a cell, with so many decimals that no two cells share it.
    pub fn middle(&self, at: u32) -> String {
        let middle = self.low + (f64::from(at) + 0.5) * self.width();
        let decimals = (1.0 - libm::floor(libm::log10(self.width()))).clamp(0.0, 12.0) as usize;
        format!("{middle:.decimals$}")
    }
}

/// A filled cell. Its preset is `presets/<name>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtlasCell {
    /// Number of the cell on each axis, from 0.
    pub at: Vec<u32>,
    /// The axes with the middle of the cell on each: `density=0.25,polarization=0.75`.
    pub name: String,
    /// Id of the first search trial of the elite; `None` where it is the defaults and the search never tried them.
    pub trial: Option<u64>,
    /// Loss on fresh seeds.
    pub loss: Figure,
    /// Means on fresh seeds, one for each axis.
    pub measures: Vec<Figure>,
    /// Loss that the search saw.
    pub search_loss: Option<f64>,
    /// The cell that the search saw it in, where its fresh means lie in another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came_from: Option<Vec<u32>>,
    /// True if a mean lies beyond the end of its axis; the cell is the one at that end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl AtlasCell {
    /// How good it is, from 1 for a loss of 0 towards 0: 1 / (1 + loss).
    pub fn quality(&self) -> f64 {
        self.loss.value.map_or(0.0, |loss| 1.0 / (1.0 + loss))
    }

    /// Its preset in the run folder.
    pub fn preset(&self) -> String {
        format!("presets/{}.json", self.name)
    }
}

/// The atlas of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtlasSummary {
    /// The axes, in name order.
    pub axes: Vec<AxisSummary>,
    /// Number of cells, filled or not.
    pub total: u64,
    /// Number of filled cells.
    pub filled: u64,
    /// Sum over the filled cells of their quality 1 / (1 + loss): `total` where every cell has a loss of 0.
    pub qd_score: f64,
    /// True if all figures are from fresh seeds; false before the check at the end of a run.
    pub fresh: bool,
    /// Number of cells that the search had filled; more than were checked or kept their elite have none now.
    pub found: u64,
    /// Number of filled cells whose elite the search had seen in another cell.
    pub moved: u64,
    /// False if nothing is wanted: then every candidate is equally good.
    pub graded: bool,
    /// Where the published defaults lie on fresh seeds, one mean for each axis; `None` before the check, or if they have no
    /// place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defaults: Option<Vec<f64>>,
    /// The filled cells, the first axis varying slowest.
    pub cells: Vec<AtlasCell>,
    /// The candidates that ran on fresh seeds and have a place, whether they hold a cell or not, in the order in which they ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// What tells them apart, for each axis with a `split`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
}

impl AtlasSummary {
    pub(in crate::evolve) fn new(
        axes: Vec<AxisSummary>,
        cells: Vec<AtlasCell>,
        found: u64,
        fresh: bool,
        graded: bool,
    ) -> Self {
        Self {
            total: axes.iter().map(|a| u64::from(a.cells)).product(),
            filled: cells.len() as u64,
            qd_score: cells.iter().map(AtlasCell::quality).sum(),
            fresh,
            found,
            moved: cells.iter().filter(|c| c.came_from.is_some()).count() as u64,
            graded,
            defaults: None,
            axes,
            cells,
            checked: Vec::new(),
            splits: Vec::new(),
        }
    }

    /// The cell with the smallest loss, of equal ones the first.
    pub fn best(&self) -> Option<&AtlasCell> {
        let loss = |cell: &AtlasCell| cell.loss.value.unwrap_or(f64::INFINITY);
        self.cells.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)))
    }

    /// The filled cells as CSV: a line each, after a line with the names of the columns.
    pub fn csv(&self) -> String {
        let mut head: Vec<String> = Vec::new();
        for axis in &self.axes {
            let name = &axis.name;
            head.extend([
                format!("{name}_from"),
                format!("{name}_to"),
                name.clone(),
                format!("{name}_low"),
                format!("{name}_high"),
            ]);
        }
        head.extend(["loss", "loss_low", "loss_high", "search_loss", "trial", "moved", "preset"].map(String::from));
        let number = |x: Option<f64>| x.map_or_else(String::new, |x| round(x).to_string());
        let mut out = head.join(",") + "\n";
        for cell in &self.cells {
            let mut row = Vec::new();
            for ((axis, &at), m) in self.axes.iter().zip(&cell.at).zip(&cell.measures) {
                row.extend([axis.border(at), axis.border(at + 1)].map(|x| number(Some(x))));
                row.extend([m.value, m.low, m.high].map(number));
            }
            row.extend([cell.loss.value, cell.loss.low, cell.loss.high, cell.search_loss].map(number));
            row.push(cell.trial.map_or_else(String::new, |id| id.to_string()));
            row.push(cell.came_from.is_some().to_string());
            // The name has commas.
            row.push(format!("\"{}\"", cell.preset()));
            out += &row.join(",");
            out.push('\n');
        }
        out
    }
}

/// Twelve digits, the tail of binary fractions left out.
fn round(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}
