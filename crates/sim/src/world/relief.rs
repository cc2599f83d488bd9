//! Ground that is not flat: heights, slopes, and how fast people walk on them.

use super::geometry::Bounds;
use crowdtune_core::Error;
use crowdtune_core::math::{Vec2, vec2};
use std::ops::RangeInclusive;

/// Steepest slope, rise per meter. Chosen here: 45 degrees, steeper than any stairs; people would climb with their hands.
pub const STEEPEST: f64 = 1.0;
/// Points per side at which a formula is searched for its steepest slope. Chosen here: a hill an eighth as wide as the
/// place is met.
const PROBES: usize = 64;

/// The heights of a place and what they do to a walker's speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    /// Uniform rise per meter towards +x and +y.
    pub slope: Vec2,
    /// Round or long hills on top of it.
    pub hills: Vec<Hill>,
    /// Measured heights on top of both.
    pub heights: Option<HeightGrid>,
    /// Speeds on slopes.
    pub law: SlopeLaw,
}

/// A hill: height `h exp(-(x / w_x)^2 / 2 - (y / w_y)^2 / 2)` at the place (x, y) from its top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// The top.
    pub at: Vec2,
    /// Height of the top, m; negative for a hollow.
    pub height_m: f64,
    /// Distance from the top at which it is steepest, m, along x and along y; infinite along the ridge of a long one.
    pub width_m: Vec2,
}

/// How fast people walk on a slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlopeLaw {
    /// The hiking function of Tobler (1993): `6 exp(-3.5 |s + 0.05|)` km/h at the slope s, fastest slightly downhill;
    /// here as a share of its speed on flat ground.
    Tobler,
    /// The topographical speed of Treuille, Cooper, Popovic (2006): linear between two slopes.
    Linear {
        /// Slope up to which people walk as on flat ground.
        easy: f64,
        /// Slope from which they walk slowest.
        steep: f64,
        /// Share of the speed on flat ground there.
        least: f64,
    },
}

impl SlopeLaw {
    /// Share of the speed on flat ground at a slope: rise per meter in the direction of walking, negative downhill.
    pub fn share(self, slope: f64) -> f64 {
        match self {
            Self::Tobler => libm::exp(-3.5 * ((slope + 0.05).abs() - 0.05)),
            Self::Linear { easy, steep, least } => {
                1.0 + ((slope - easy) / (steep - easy)).clamp(0.0, 1.0) * (least - 1.0)
            }
        }
    }
}

/// Heights on square cells, linear between their centers.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightGrid {
    /// Center of the cell in the south west.
    pub first: Vec2,
    /// Cell size, m.
    pub cell_m: f64,
    /// Number of columns, at least 2.
    pub columns: usize,
    /// Heights, m: rows from south to north, columns from west to east in each; `None` where nothing was measured.
    pub heights: Vec<Option<f64>>,
}

impl HeightGrid {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// The box of its cells.
    pub fn bounds(&self) -> Bounds {
        let half = vec2(self.cell_m, self.cell_m) * 0.5;
        let size = vec2(self.columns as f64, self.rows() as f64) * self.cell_m;
        Bounds { min: self.first - half, max: self.first - half + size }
    }

    /// The cell south west of a position, and the position from its center in cells; beyond the outermost centers, the
    /// nearest position between them.
    fn between(&self, p: Vec2) -> ([usize; 2], Vec2) {
        let q = (p - self.first) / self.cell_m;
        let axis = |at: f64, count: usize| {
            let at = at.clamp(0.0, (count - 1) as f64);
            let low = (at.floor() as usize).min(count - 2);
            (low, at - low as f64)
        };
        let ((i, u), (j, v)) = (axis(q.x, self.columns), axis(q.y, self.rows()));
        ([i, j], vec2(u, v))
    }

    /// Heights around a position, south west, south east, north west, north east; 0 where nothing was measured.
    fn corners(&self, [i, j]: [usize; 2]) -> [f64; 4] {
        let at = |i: usize, j: usize| self.heights[j * self.columns + i].unwrap_or(0.0);
        [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]
    }

    fn height(&self, p: Vec2) -> f64 {
        let (cell, Vec2 { x: u, y: v }) = self.between(p);
        let [sw, se, nw, ne] = self.corners(cell);
        (sw * (1.0 - u) + se * u) * (1.0 - v) + (nw * (1.0 - u) + ne * u) * v
    }

    fn gradient(&self, p: Vec2) -> Vec2 {
        let (cell, Vec2 { x: u, y: v }) = self.between(p);
        let [sw, se, nw, ne] = self.corners(cell);
        vec2((se - sw) * (1.0 - v) + (ne - nw) * v, (nw - sw) * (1.0 - u) + (ne - se) * u) / self.cell_m
    }

    /// Columns and rows whose heights count somewhere in a box.
    fn cells(&self, bounds: &Bounds) -> [RangeInclusive<usize>; 2] {
        let ([i0, j0], _) = self.between(bounds.min);
        let ([i1, j1], _) = self.between(bounds.max);
        [i0..=i1 + 1, j0..=j1 + 1]
    }
}

impl Hill {
    /// Shares of the width by which a place is off the top, and the height there.
    fn at(&self, p: Vec2) -> (Vec2, f64) {
        let from = p - self.at;
        let (x, y) = (from.x / self.width_m.x, from.y / self.width_m.y);
        (vec2(x / self.width_m.x, y / self.width_m.y), self.height_m * libm::exp(-0.5 * (x * x + y * y)))
    }
}

impl Relief {
    /// Height of the ground, m.
    pub fn height(&self, p: Vec2) -> f64 {
        let hills = self.hills.iter().fold(self.slope.dot(p), |sum, hill| sum + hill.at(p).1);
        hills + self.heights.as_ref().map_or(0.0, |grid| grid.height(p))
    }

    /// Rise per meter towards +x and +y.
    pub fn gradient(&self, p: Vec2) -> Vec2 {
        let mut sum = self.slope;
        for hill in &self.hills {
            let (per_width, height) = hill.at(p);
            sum -= per_width * height;
        }
        sum + self.heights.as_ref().map_or(Vec2::ZERO, |grid| grid.gradient(p))
    }

    /// Share of the speed on flat ground that people have in a direction, a unit vector. 1 for the direction zero.
    pub fn share(&self, p: Vec2, way: Vec2) -> f64 {
        if way == Vec2::ZERO { 1.0 } else { self.law.share(self.gradient(p).dot(way)) }
    }

    /// Refuses heights that a place cannot have.
    ///
    /// # Errors
    /// Numbers out of range; heights that do not cover the place or have holes in it; a slope above [`STEEPEST`].
    pub(super) fn check(&self, place: &Bounds) -> Result<(), Error> {
        for (k, hill) in self.hills.iter().enumerate() {
            let wide = hill.width_m.x.min(hill.width_m.y);
            if !(hill.at.is_finite() && hill.height_m.is_finite() && wide > 0.0) {
                return Err(Error::input(format!("hill {} is none", k + 1))
                    .key("ground.hills")
                    .allowed("finite numbers, widths above 0 m"));
            }
        }
        if let Some(grid) = &self.heights {
            covers(grid, place)?;
        }
        let (at, steepest) = self.steepest(place);
        if steepest.is_nan() || steepest > STEEPEST {
            return Err(Error::input(format!(
                "at ({:.2}, {:.2}) the ground rises by {steepest:.2} m per meter, where nobody walks",
                at.x, at.y
            ))
            .key("ground")
            .allowed(format!("slopes up to {STEEPEST}, which is 45 degrees"))
            .help("check the heights, and their `unit`"));
        }
        Ok(())
    }

    /// Where the ground is steepest, and how steep: at the corners of the cells of a grid, else at points of a lattice.
    fn steepest(&self, place: &Bounds) -> (Vec2, f64) {
        let mut steepest = (place.min, 0.0_f64);
        let mut look = |p: Vec2| {
            let slope = self.gradient(p).length();
            // A slope that is not a number must be seen, and stays.
            if slope.is_nan() || slope > steepest.1 {
                steepest = (p, slope);
            }
        };
        if let Some(grid) = &self.heights {
            let [columns, rows] = grid.cells(place);
            for j in *rows.start()..*rows.end() {
                for i in *columns.start()..*columns.end() {
                    // The gradient of a cell is largest at a corner; just inside, so that it is of this cell.
                    for (u, v) in [(0.001, 0.001), (0.999, 0.001), (0.001, 0.999), (0.999, 0.999)] {
                        look(grid.first + vec2(i as f64 + u, j as f64 + v) * grid.cell_m);
                    }
                }
            }
        }
        let size = place.size();
        let share = |k: usize| k as f64 / (PROBES - 1) as f64;
        for j in 0..PROBES {
            for i in 0..PROBES {
                look(place.min + vec2(size.x * share(i), size.y * share(j)));
            }
        }
        for hill in &self.hills {
            let off = vec2(hill.width_m.x.min(size.x), hill.width_m.y.min(size.y));
            for way in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
                let p = hill.at + vec2(off.x * way.x, off.y * way.y);
                if p.x >= place.min.x && p.x <= place.max.x && p.y >= place.min.y && p.y <= place.max.y {
                    look(p);
                }
            }
        }
        steepest
    }
}

/// Refuses a grid that leaves out a part of the place.
fn covers(grid: &HeightGrid, place: &Bounds) -> Result<(), Error> {
    let has = grid.bounds();
    // Grids are cut to whole cells.
    let slack = grid.cell_m;
    let inside = place.min.x >= has.min.x - slack
        && place.min.y >= has.min.y - slack
        && place.max.x <= has.max.x + slack
        && place.max.y <= has.max.y + slack;
    let words = |b: &Bounds| format!("({:.2}, {:.2}) to ({:.2}, {:.2})", b.min.x, b.min.y, b.max.x, b.max.y);
    if !inside {
        return Err(Error::input(format!("the heights reach from {}, the place from {}", words(&has), words(place)))
            .key("ground.file")
            .help(
                "give `origin = [x, y]`, where the south-west corner of the heights lies in the place; check `unit`",
            ));
    }
    let [columns, rows] = grid.cells(place);
    for j in rows {
        for i in columns.clone() {
            if grid.heights[j * grid.columns + i].is_none() {
                let at = grid.first + vec2(i as f64, j as f64) * grid.cell_m;
                return Err(Error::input(format!(
                    "the heights have a hole at ({:.2}, {:.2}), in the place",
                    at.x, at.y
                ))
                .key("ground.file")
                .help("fill the holes, for example with gdal_fillnodata.py, or move the place off them"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "relief_tests.rs"]
mod tests;
