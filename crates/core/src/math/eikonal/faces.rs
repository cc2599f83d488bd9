//! What steps cost, as eight lanes of a pass want it.

use super::window::{Eight, STRIP, eight, take};
use crate::math::doubles::Doubles;

/// Faces of a cell, in the order of costs.
pub const EAST: usize = 0;
/// See [`EAST`].
pub const NORTH: usize = 1;
/// See [`EAST`].
pub const WEST: usize = 2;
/// See [`EAST`].
pub const SOUTH: usize = 3;

/// Costs through the faces of a cell.
pub(super) trait Faces {
    /// Those through one face of eight cells.
    type Lanes: Copy;

    /// Those of a step of a pass to the west or down, whose window begins at `at`: towards the neighbors behind and ahead along x, behind and ahead
    /// along y.
    fn lanes<const LEFT: bool, const DOWN: bool>(&self, step: usize, at: usize) -> [Self::Lanes; 4];

    /// Times of neighbors, infinite where the face is closed, and what a step from there costs.
    fn towards<D: Doubles>(&self, time: D, face: Self::Lanes) -> (D, D);

    /// Bit k is set if the face of lane k is open.
    fn open<D: Doubles>(face: Self::Lanes) -> u8;
}

/// The faces behind and ahead along x and y.
pub(super) const fn ways<const LEFT: bool, const DOWN: bool>() -> [usize; 4] {
    let [behind_x, ahead_x] = if LEFT { [EAST, WEST] } else { [WEST, EAST] };
    let [behind_y, ahead_y] = if DOWN { [NORTH, SOUTH] } else { [SOUTH, NORTH] };
    [behind_x, ahead_x, behind_y, ahead_y]
}

/// A cost for every face, infinite where it is closed.
pub(super) struct Each<'a>(pub [&'a [f64]; 4]);

impl Faces for Each<'_> {
    type Lanes = Eight;

    #[inline(always)]
    fn lanes<const LEFT: bool, const DOWN: bool>(&self, _step: usize, at: usize) -> [Eight; 4] {
        ways::<LEFT, DOWN>().map(|face| take::<LEFT, DOWN>(eight(self.0[face], at)))
    }

    #[inline(always)]
    fn towards<D: Doubles>(&self, time: D, face: Eight) -> (D, D) {
        let (cost, closed) = (D::of(&face), D::splat(f64::INFINITY));
        (closed.choose(cost, closed, time), cost)
    }

    #[inline(always)]
    fn open<D: Doubles>(face: Eight) -> u8 {
        !D::splat(f64::INFINITY).at_most(D::of(&face))
    }
}

/// Which faces are open: a byte for the eight cells that a pass meets at once, bit k for row k. A pass in which both axes go up or both
/// down meets other cells at once than one in which they do not, so every face is here twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    of: [[Vec<u8>; 4]; 2],
}

impl Open {
    /// Strips of so many bytes, with every face closed.
    pub fn reset(&mut self, len: usize, strips: usize) {
        for bytes in self.of.as_flattened_mut() {
            bytes.clear();
            bytes.resize(len * strips, 0);
        }
    }

    /// Opens a face of a cell of a strip that begins at `strip`.
    #[inline(always)]
    pub fn open(&mut self, face: usize, strip: usize, column: usize, row: usize) {
        self.of[0][face][strip + column + row] |= 1 << row;
        self.of[1][face][strip + column + (STRIP - 1 - row)] |= 1 << row;
    }

    /// The bytes of a strip, by the two kinds of passes and faces.
    pub fn strip(&self, from: usize, len: usize) -> [[&[u8]; 4]; 2] {
        self.of.each_ref().map(|kind| kind.each_ref().map(|bytes| &bytes[from..from + len]))
    }
}

/// One cost for all faces that are open.
pub(super) struct Alike<'a> {
    pub cost: f64,
    pub open: [[&'a [u8]; 4]; 2],
    /// Columns of the strip, whole squares.
    pub columns: usize,
}

impl Faces for Alike<'_> {
    type Lanes = u8;

    #[inline(always)]
    fn lanes<const LEFT: bool, const DOWN: bool>(&self, step: usize, _at: usize) -> [u8; 4] {
        let at = if LEFT { self.columns + STRIP - 2 - step } else { step };
        ways::<LEFT, DOWN>().map(|face| {
            let rows = self.open[usize::from(LEFT != DOWN)][face][at];
            if DOWN { rows.reverse_bits() } else { rows }
        })
    }

    #[inline(always)]
    fn towards<D: Doubles>(&self, time: D, face: u8) -> (D, D) {
        (time.or_else(face, D::splat(f64::INFINITY)), D::splat(self.cost))
    }

    #[inline(always)]
    fn open<D: Doubles>(face: u8) -> u8 {
        face
    }
}
