//! Kernels that sort people into cells: the box around them, and the cell of each.

use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{Kernel, Lanes, WIDTH};
use crowdtune_core::math::{Vec2, vec2};

/// Gives the lower left and the upper right corner of the box around people; infinite, the wrong way round, around nobody.
pub(super) struct Extent<'a>(pub &'a [Vec2]);

impl Kernel for Extent<'_> {
    type Out = (Vec2, Vec2);

    #[inline(always)]
    fn run<L: Lanes>(self) -> (Vec2, Vec2) {
        let mut low = L::Double::splat(f64::INFINITY);
        let mut high = L::Double::splat(f64::NEG_INFINITY);
        // Four people fill the lanes.
        let (blocks, rest) = self.0.as_chunks::<{ WIDTH / 2 }>();
        for &[a, b, c, d] in blocks {
            let people = L::Double::of(&[a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]);
            (low, high) = (people.min(low), people.max(high));
        }
        let (low, high) = (low.store(), high.store());
        let (mut least, mut most) = (vec2(low[0], low[1]), vec2(high[0], high[1]));
        for k in (2..WIDTH).step_by(2) {
            least = vec2(least.x.min(low[k]), least.y.min(low[k + 1]));
            most = vec2(most.x.max(high[k]), most.y.max(high[k + 1]));
        }
        for p in rest {
            least = vec2(least.x.min(p.x), least.y.min(p.y));
            most = vec2(most.x.max(p.x), most.y.max(p.y));
        }
        (least, most)
    }
}

/// Finds the cell of each person, on a grid of so many columns and rows; beyond the grid the nearest one.
pub(super) struct CellsOf<'a> {
    pub pos: &'a [Vec2],
    pub origin: Vec2,
    pub per_cell: Vec2,
    pub shape: (usize, usize),
    pub cells: &'a mut [u32],
}

impl Kernel for CellsOf<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { pos, origin, per_cell, shape: (columns, rows), cells } = self;
        let (x, y) = ((origin.x, per_cell.x, columns as f64), (origin.y, per_cell.y, rows as f64));
        let (blocks, rest) = pos.as_chunks::<WIDTH>();
        let (to, to_rest) = cells.as_chunks_mut::<WIDTH>();
        for (pos, to) in blocks.iter().zip(to) {
            *to = eight::<L::Double>(pos, x, y);
        }
        let mut last = [Vec2::ZERO; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
        to_rest.copy_from_slice(&eight::<L::Double>(&last, x, y)[..rest.len()]);
    }
}

/// Where an axis begins, m, how many cells there are in a meter, and how many in all.
type Axis = (f64, f64, f64);

#[inline(always)]
fn eight<D: Doubles>(pos: &[Vec2; WIDTH], columns: Axis, rows: Axis) -> [u32; WIDTH] {
    let (mut x, mut y) = ([0.0; WIDTH], [0.0; WIDTH]);
    for (p, (x, y)) in pos.iter().zip(x.iter_mut().zip(&mut y)) {
        (*x, *y) = (p.x, p.y);
    }
    let (column, row) = (along(D::of(&x), columns), along(D::of(&y), rows));
    row.mul(D::splat(columns.2)).add(column).whole()
}

#[inline(always)]
fn along<D: Doubles>(at: D, (origin, per_cell, count): Axis) -> D {
    let cells = at.sub(D::splat(origin)).mul(D::splat(per_cell));
    cells.max(D::splat(0.0)).min(D::splat(count - 1.0)).floor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::lanes;
    use crowdtune_core::math::rng::{Seed, unit};

    #[test]
    fn boxes_and_cells_are_those_of_each() {
        let mut rng = Seed(1).rng();
        for n in [0, 1, 3, 4, 7, 8, 9, 61] {
            let pos: Vec<Vec2> = (0..n).map(|_| vec2(20.0 * unit(&mut rng) - 12.0, 9.0 * unit(&mut rng))).collect();
            let (low, high) = lanes::run(Extent(&pos));
            let (mut least, mut most) = (vec2(f64::INFINITY, f64::INFINITY), vec2(-f64::INFINITY, -f64::INFINITY));
            for p in &pos {
                (least.x, least.y) = (least.x.min(p.x), least.y.min(p.y));
                (most.x, most.y) = (most.x.max(p.x), most.y.max(p.y));
            }
            assert_eq!((low, high), (least, most));
            // People beyond all four sides of the grid.
            let (origin, per_cell, shape) = (vec2(-10.0, 1.0), vec2(1.5, 0.75), (25, 5));
            let mut cells = vec![9999; n];
            lanes::run(CellsOf { pos: &pos, origin, per_cell, shape, cells: &mut cells });
            for (p, cell) in pos.iter().zip(cells) {
                let along = |at: f64, from: f64, per: f64, count: usize| (((at - from) * per) as usize).min(count - 1);
                let (i, j) = (along(p.x, origin.x, per_cell.x, shape.0), along(p.y, origin.y, per_cell.y, shape.1));
                assert_eq!(cell as usize, j * shape.0 + i, "{p:?}");
            }
        }
    }
}
