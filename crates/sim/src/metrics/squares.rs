//! A grid of squares, for maps.

use super::averaged::real;
use super::convex::Blade;
use super::ground::Piece;
use crate::world::geometry::Bounds;
use crowdtune_core::math::{Vec2, vec2};
use crowdtune_core::registry::Param;

/// Side of a square of a map.
pub(super) const SQUARE_M: Param = real(
    "square_m",
    "m",
    "side of a square of the map",
    "chosen here: about the space of one person",
    0.5,
    (0.05, 100.0),
);

/// Most squares of a map. Chosen here: a kilometer square at 1 m.
const MOST_SQUARES: f64 = 1e6;

/// Smallest overlap of cell and square that counts, m2. Chosen here: a cell that ends on the edge of a square is outside
/// whatever the rounding, and a corner that reaches in by a micrometer is inside.
const LEAST_SHARE_M2: f64 = 1e-14;

/// Squares from the left and, as PedPy has it, from the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares {
    left: f64,
    top: f64,
    /// Length of a side, m.
    pub side: f64,
    columns: usize,
    rows: usize,
}

impl Squares {
    /// Covers a box; the squares of the last column and row may reach beyond it. Squares grow where there would be too
    /// many.
    pub fn over(Bounds { min, max }: Bounds, side: f64) -> Self {
        let size = max - min;
        let side = side.max((size.x * size.y / MOST_SQUARES).sqrt());
        // 1e-9: chosen here, 1.2 m are six squares of 0.2 m whatever the rounding.
        let count = |length: f64| (length / side - 1e-9).ceil().max(1.0) as usize;
        Self { left: min.x, top: max.y, side, columns: count(size.x), rows: count(size.y) }
    }

    /// Calls `each` with the index of every square that a cell meets and the area in common, m2.
    pub fn spread(&self, cell: &Piece, by: Vec2, scratch: &mut [Blade; 2], mut each: impl FnMut(usize, f64)) {
        let Some(bounds) = cell.bounds() else { return };
        let clamp = |at: f64, count: usize| at.clamp(0.0, count as f64) as usize;
        let column = |x: f64| clamp(((x - self.left) / self.side).floor(), self.columns);
        let row = |y: f64| clamp(((self.top - y) / self.side).floor(), self.rows);
        let (min, max) = (bounds.min + by, bounds.max + by);
        let columns = column(min.x)..(column(max.x) + 1).min(self.columns);
        for row in row(max.y)..(row(min.y) + 1).min(self.rows) {
            let (top, bottom) = (self.top - row as f64 * self.side, self.top - (row + 1) as f64 * self.side);
            for column in columns.clone() {
                let (left, right) =
                    (self.left + column as f64 * self.side, self.left + (column + 1) as f64 * self.side);
                let mut inside = |ring: &[Vec2]| {
                    let blade = &mut scratch[0];
                    blade.set(ring.iter().map(|&q| q + by));
                    blade.cut(vec2(0.0, 1.0), top);
                    blade.cut(vec2(0.0, -1.0), -bottom);
                    blade.cut(vec2(1.0, 0.0), right);
                    blade.cut(vec2(-1.0, 0.0), -left);
                    blade.area()
                };
                let area = inside(&cell.outline) - cell.holes.iter().map(|hole| inside(hole)).sum::<f64>();
                if area > LEAST_SHARE_M2 {
                    each(row * self.columns + column, area);
                }
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// The middle of a square.
    pub fn center(&self, square: usize) -> Vec2 {
        let (column, row) = (square % self.columns, square / self.columns);
        vec2(self.left + (column as f64 + 0.5) * self.side, self.top - (row as f64 + 0.5) * self.side)
    }

    /// The square that holds a place; `None` beside all of them.
    pub fn at(&self, place: Vec2) -> Option<usize> {
        let (column, row) = (((place.x - self.left) / self.side).floor(), ((self.top - place.y) / self.side).floor());
        let inside = (0.0..self.columns as f64).contains(&column) && (0.0..self.rows as f64).contains(&row);
        inside.then_some(row as usize * self.columns + column as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_start_at_the_top_left_corner() {
        let grid = Squares::over(Bounds { min: vec2(-1.0, 0.0), max: vec2(0.2, 0.9) }, 0.2);
        assert_eq!((grid.columns, grid.rows, grid.left, grid.top), (6, 5, -1.0, 0.9));
        // A cell 0.3 m wide and 0.1 m high in the first row: 0.2 m of it in the first column.
        let outline = [(-1.0, 0.75), (-0.7, 0.75), (-0.7, 0.85), (-1.0, 0.85)].map(|c| vec2(c.0, c.1));
        let cell = Piece { outline: outline.to_vec(), holes: Vec::new(), convex: true };
        let mut found = Vec::new();
        grid.spread(&cell, Vec2::ZERO, &mut Default::default(), |square, area| found.push((square, area)));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0 == 0 && (found[0].1 - 0.02).abs() < 1e-12);
        assert!(found[1].0 == 1 && (found[1].1 - 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_place_is_in_the_square_around_it() {
        let grid = Squares::over(Bounds { min: vec2(-1.0, 0.0), max: vec2(0.2, 0.9) }, 0.2);
        for square in 0..grid.count() {
            assert_eq!(grid.at(grid.center(square)), Some(square));
        }
        assert_eq!(grid.at(vec2(-1.1, 0.5)).or(grid.at(vec2(0.3, 0.5))).or(grid.at(vec2(0.0, 1.0))), None);
        assert_eq!(grid.at(vec2(f64::NAN, 0.5)), None);
    }
}
