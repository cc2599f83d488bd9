//! Neighbors in single precision, as kernels read them.

use crowdtune_core::math::lanes::{self, Lanes};
use crowdtune_core::math::planes::{Planes, Read};
use std::ops::Range;

/// First of the columns of [`Columns`] and [`Tile`]: position from the corner of the grid, m.
pub const X: usize = 0;
/// See [`X`].
pub const Y: usize = 1;
/// Radius, m; behind it the velocity along x and y, m/s.
pub const RADIUS: usize = 2;

/// Slots in single precision.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Position, radius and velocity; eight numbers can be read from any slot on.
    pub planes: Planes<5>,
    /// Circumference of the rings, m; 0 for an axis that is open.
    pub ring: (f32, f32),
}

/// Where nobody is: no square of a distance to it overflows, and none is small, m.
const FAR_M: f32 = 1e18;

/// Everybody who may be near the people of one cell, side by side: kernels read them in full blocks of
/// [`lanes::WIDTH`], the last one filled up with places far away.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    planes: Planes<5>,
    ranges: [Range<usize>; 6],
    len: usize,
}

impl Tile {
    /// Takes over the first `M` columns of the people of some ranges of slots.
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

    /// Puts columns of a model's own, by slot, into the order of the tile.
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

    /// Calls `f` for every slot whose bit is set, a byte for each block, except for the person's own.
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

    /// The slot of a place of the tile.
    ///
    /// # Panics
    /// If the tile has no such place.
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

/// Copies the first `M` columns of some ranges, `len` numbers of each, side by side; gives where they end.
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
        // Whole blocks are faster than parts; what is too much is written over.
        let (mut at, mut behind) = (range.start, end);
        while at < range.end {
            to.put::<L, M>(behind, from.load(at));
            at += lanes::WIDTH;
            behind += lanes::WIDTH;
        }
        end += range.end - range.start;
    }
    end
}
