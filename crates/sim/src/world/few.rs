//! Who touches whom in a small crowd: everybody is compared with everybody, eight at a time. Sorting people first costs more.

use super::Torus;
use crowdtune_core::math::Vec2;
use crowdtune_core::math::doubles::Doubles;
use crowdtune_core::math::lanes::{self, Kernel, Lanes, WIDTH};

/// Most people.
pub(crate) const FEW: usize = 64;
const BLOCKS: usize = FEW / WIDTH;

/// True if [`touching`] is made for so many people in such a place.
pub(crate) fn suits(people: usize, torus: &Torus) -> bool {
    people <= FEW && torus.is_open()
}

/// Calls `f` with the rows, smaller first, of every pair whose centers are no farther apart than their radii together. Pairs come in the
/// order of the first row, then of the second. Only where it [`suits`].
pub(crate) fn touching(pos: &[Vec2], radius: &[f64], mut f: impl FnMut(usize, usize)) {
    let mut touching = [0_u64; FEW];
    lanes::run(Compare { pos, radius, touching: &mut touching });
    for (a, &others) in touching[..pos.len()].iter().enumerate() {
        let mut others = others;
        while others != 0 {
            f(a, others.trailing_zeros() as usize);
            others &= others - 1;
        }
    }
}

/// For each row the later rows that it touches, as bits.
struct Compare<'a> {
    pos: &'a [Vec2],
    radius: &'a [f64],
    touching: &'a mut [u64; FEW],
}

impl Kernel for Compare<'_> {
    type Out = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        // Nobody touches who is not a number.
        let nobody = [[f64::NAN; WIDTH]; BLOCKS];
        let (mut x, mut y, mut r) = (nobody, nobody, nobody);
        for (row, (pos, &radius)) in self.pos.iter().zip(self.radius).enumerate() {
            let (block, k) = (row / WIDTH, row % WIDTH);
            (x[block][k], y[block][k], r[block][k]) = (pos.x, pos.y, radius);
        }
        let blocks = self.pos.len().div_ceil(WIDTH);
        let splat = L::Double::splat;
        for ((row, (pos, &radius)), touching) in self.pos.iter().zip(self.radius).enumerate().zip(&mut *self.touching) {
            let mut bits = 0;
            for block in row / WIDTH..blocks {
                let dx = L::Double::of(&x[block]).sub(splat(pos.x));
                let dy = L::Double::of(&y[block]).sub(splat(pos.y));
                let touch = L::Double::of(&r[block]).add(splat(radius));
                let near = dx.mul(dx).add(dy.mul(dy)).at_most(touch.mul(touch));
                bits |= u64::from(near) << (block * WIDTH);
            }
            // Only those after the own row.
            *touching = bits & (!1 << row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_core::math::vec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_all_pairs_find(
            people in prop::collection::vec((0.0..6.0f64, 0.0..6.0f64, 0.1..0.6f64, 0..20u8), 0..=FEW),
        ) {
            // Recordings have people without a place.
            let x = |p: &(f64, f64, f64, u8)| if p.3 == 0 { f64::NAN } else { p.0 };
            let pos: Vec<Vec2> = people.iter().map(|p| vec2(x(p), p.1)).collect();
            let radius: Vec<f64> = people.iter().map(|p| p.2).collect();
            let mut wanted = Vec::new();
            for a in 0..people.len() {
                for b in a + 1..people.len() {
                    let touch = radius[a] + radius[b];
                    if (pos[b] - pos[a]).length2() <= touch * touch {
                        wanted.push((a, b));
                    }
                }
            }
            let mut found = Vec::new();
            touching(&pos, &radius, |a, b| found.push((a, b)));
            prop_assert_eq!(found, wanted);
        }
    }
}
