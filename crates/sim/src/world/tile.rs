//! Neighbors in single precision, laid out for kernels.

use crowdtune_core::math::lanes::{self, Lanes};
use crowdtune_core::math::planes::{Planes, Read};
use std::ops::Range;

/// First column of [`Columns`] and [`Tile`]: x relative to the corner of the grid, m.
pub const X: usize = 0;
/// Second column: y, m.
pub const Y: usize = 1;
/// Third column: radius, m; then the velocity along x and y, m/s.
pub const RADIUS: usize = 2;

/// All slots in single precision.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Position, radius and velocity; from any slot, eight numbers can be read.
    pub planes: Planes<5>,
    /// Periods, m; 0 for an open axis.
    pub ring: (f32, f32),
}

/// Padding, m: no squared distance to it overflows, and none is small.
const FAR_M: f32 = 1e18;

/// Everybody who may be near the people of one cell, contiguous: kernels read full blocks of [`lanes::WIDTH`], the last
/// one padded with positions far away.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    planes: Planes<5>,
    ranges: [Range<usize>; 6],
    len: usize,
}

impl Tile {
    /// Copies the first `M` columns of these ranges of slots.
    #[inline(always)]
    pub fn gather<L: Lanes, const M: usize>(&mut self, columns: &Columns, ranges: [Range<usize>; 6]) {
        self.len = 0;
        for range in &ranges {
            self.len += range.end - range.start;
        }
        self.ranges = ranges;
        let to = gather::<L, 5, M>(&mut self.planes, &columns.planes, &self.ranges, self.len);
        self.planes.put(to, [L::splat(FAR_M); 2]);
    }

    /// Copies a model's own columns, by slot, in the order of the tile.
    #[inline(always)]
    pub fn gather_too<L: Lanes, const N: usize>(&self, to: &mut Planes<N>, columns: &Planes<N>) {
        gather::<L, N, N>(to, columns, &self.ranges, self.len);
    }

    /// The columns, as in [`Columns`].
    #[inline(always)]
    pub fn planes(&self) -> Read<'_, 5> {
        self.planes.read()
    }

    /// Number of people.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Calls `f` for every slot whose bit is set (one byte per block), except the person's own.
    #[inline(always)]
    pub fn others(&self, bits: &[u8], own: usize, f: &mut impl FnMut(usize)) {
        for (block, &bits) in bits.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let other = self.slot(block * lanes::WIDTH + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                if other != own {
                    f(other);
                }
            }
        }
    }

    /// The slot of an index of the tile.
    ///
    /// # Panics
    /// If the tile has no such index.
    #[inline(always)]
    pub fn slot(&self, place: usize) -> usize {
        let mut left = place;
        for range in &self.ranges {
            if left < range.len() {
                return range.start + left;
            }
            left -= range.len();
        }
        unreachable!("a tile holds {} people, not {place}", self.len)
    }
}

/// Copies the first `M` columns of some ranges, `len` numbers in total, contiguously. Returns where they end.
#[inline(always)]
fn gather<L: Lanes, const N: usize, const M: usize>(
    to: &mut Planes<N>,
    from: &Planes<N>,
    ranges: &[Range<usize>; 6],
    len: usize,
) -> usize {
    to.reserve(len + 1);
    let (mut to, from) = (to.write(), from.read());
    let mut end = 0;
    for range in ranges {
        // Copying whole blocks is faster; the excess is overwritten.
        to.copy::<L, M>(end, &from, range.clone());
        end += range.end - range.start;
    }
    end
}
