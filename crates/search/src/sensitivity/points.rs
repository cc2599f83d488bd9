//! Sobol' points: a sequence that fills the unit cube evenly, scrambled so that its errors are random.
//!
//! Sobol', USSR Comput. Math. Math. Phys. 7, 86 (1967); direction numbers of Joe and Kuo, SIAM J. Sci. Comput. 30, 2635
//! (2008), file new-joe-kuo-6; nested uniform scrambling after Owen, J. Complexity 14, 466 (1998).

use crowdtune_core::math::rng::{Seed, mixed};

/// Bits of a coordinate.
const BITS: usize = 32;

/// Primitive polynomials, the leading and the last coefficient included, with the first direction integers, of dimension 2
/// and on.
#[rustfmt::skip]
const JOE_KUO: [(u32, &[u32]); 79] = [
    (3, &[1]), (7, &[1, 3]), (11, &[1, 3, 1]), (13, &[1, 1, 1]), (19, &[1, 1, 3, 3]), (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]), (41, &[1, 1, 5, 5, 5]), (47, &[1, 1, 7, 11, 19]), (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]), (61, &[1, 3, 5, 5, 31]), (67, &[1, 3, 3, 9, 7, 49]), (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]), (103, &[1, 1, 1, 15, 7, 5]), (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]), (131, &[1, 3, 7, 11, 23, 15, 103]), (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]), (145, &[1, 3, 5, 9, 1, 25, 53]), (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]), (171, &[1, 1, 5, 11, 19, 41, 61]), (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]), (193, &[1, 3, 7, 5, 13, 19, 59]), (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]), (213, &[1, 3, 7, 3, 13, 59, 17]), (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]), (241, &[1, 1, 7, 7, 1, 61, 123]), (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]), (285, &[1, 3, 1, 15, 31, 13, 49, 245]), (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]), (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]), (355, &[1, 3, 7, 3, 25, 31, 65, 79]), (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]), (369, &[1, 3, 7, 11, 1, 33, 89, 185]), (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]), (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]), (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]), (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]), (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]), (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]), (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]), (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]), (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]), (647, &[1, 1, 1, 11, 21, 53, 125, 249, 293]),
    (661, &[1, 1, 7, 11, 11, 7, 57, 79, 323]), (675, &[1, 1, 5, 5, 17, 13, 81, 3, 131]),
    (677, &[1, 1, 7, 13, 23, 7, 65, 251, 475]), (687, &[1, 3, 5, 1, 9, 43, 3, 149, 11]),
    (695, &[1, 1, 3, 13, 31, 13, 13, 255, 487]), (701, &[1, 3, 3, 1, 5, 63, 89, 91, 127]),
    (719, &[1, 1, 3, 3, 1, 19, 123, 127, 237]), (721, &[1, 1, 5, 7, 23, 31, 37, 243, 289]),
    (731, &[1, 1, 5, 11, 17, 53, 117, 183, 491]), (757, &[1, 1, 1, 5, 1, 13, 13, 209, 345]),
    (761, &[1, 1, 3, 15, 1, 57, 115, 7, 33]), (787, &[1, 3, 1, 11, 7, 43, 81, 207, 175]),
    (789, &[1, 3, 1, 1, 15, 27, 63, 255, 49]), (799, &[1, 3, 5, 3, 27, 61, 105, 171, 305]),
    (803, &[1, 1, 5, 3, 1, 3, 57, 249, 149]),
];

/// Dimensions that there are numbers for.
pub const DIMENSIONS: usize = JOE_KUO.len() + 1;

/// A scrambled Sobol' sequence; point k depends on the seed and k alone, so a design can be extended.
#[derive(Clone, Debug)]
pub struct Points {
    /// One direction vector per dimension.
    directions: Vec<[u32; BITS]>,
    /// One key per dimension; `None` leaves the sequence as it is.
    keys: Option<Vec<u64>>,
}

impl Points {
    /// The sequence in the first `dimensions` dimensions, at most [`DIMENSIONS`], scrambled by `seed`.
    pub fn scrambled(dimensions: usize, seed: Seed) -> Self {
        let keys = (0..dimensions as u64).map(|d| seed.child("scramble", d).0).collect();
        Self { keys: Some(keys), ..Self::plain(dimensions) }
    }

    /// The sequence itself, which starts in a corner.
    fn plain(dimensions: usize) -> Self {
        Self { directions: (0..dimensions.min(DIMENSIONS)).map(directions).collect(), keys: None }
    }

    /// Point number `k`, below 2^32, each coordinate in (0, 1).
    pub fn point(&self, k: u32) -> Vec<f64> {
        // In the order of the Gray code, as the sequence is usually run through.
        let gray = k ^ (k >> 1);
        let one = |(d, directions): (usize, &[u32; BITS])| {
            let set = (0..BITS).filter(|bit| gray >> bit & 1 == 1);
            let digits = set.fold(0, |x, bit| x ^ directions[bit]);
            let digits = self.keys.as_ref().map_or(digits, |keys| scramble(digits, keys[d]));
            // The middle of the cell: never 0 or 1.
            (f64::from(digits) + 0.5) / 4_294_967_296.0
        };
        self.directions.iter().enumerate().map(one).collect()
    }
}

/// Flips each bit by a coin that depends on all bits above it (Owen 1998): the coin is a hash of them.
fn scramble(digits: u32, key: u64) -> u32 {
    (0..BITS).fold(0, |out, bit| {
        let above = if bit == 0 { 0 } else { digits >> (BITS - bit) };
        // A leading one keeps prefixes of different lengths apart.
        let coin = mixed(key ^ mixed(1 << bit | u64::from(above))) as u32 & 1;
        let place = BITS - 1 - bit;
        out | ((digits >> place & 1) ^ coin) << place
    })
}

/// Direction numbers of a dimension: the recurrence of its polynomial, Joe and Kuo 2008, eq. 2.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut m = [1_u64; BITS];
    if let Some((polynomial, first)) = dimension.checked_sub(1).map(|at| JOE_KUO[at]) {
        let degree = first.len();
        for k in 0..BITS {
            m[k] = match first.get(k) {
                Some(&given) => u64::from(given),
                None => (1..=degree)
                    .filter(|i| polynomial >> (degree - i) & 1 == 1)
                    .fold(m[k - degree], |x, i| x ^ m[k - i] << i),
            };
        }
    }
    std::array::from_fn(|k| (m[k] << (BITS - 1 - k)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_sequence_is_that_of_scipy() {
        // scipy 1.17.1, qmc.Sobol(80, scramble=False).random_base2(6), dimensions 0, 1, 2, 3, 40, 79, times 64.
        let points = Points::plain(80);
        let at = |k: u32| [0, 1, 2, 3, 40, 79].map(|d| (points.point(k)[d] * 64.0).floor());
        assert_eq!(at(0), [0.0; 6]);
        assert_eq!(at(1), [32.0; 6]);
        assert_eq!(at(4), [24.0, 24.0, 40.0, 56.0, 56.0, 56.0]);
        assert_eq!(at(45), [55.0, 61.0, 25.0, 39.0, 33.0, 61.0]);
    }

    #[test]
    fn scrambling_keeps_every_stratum_filled_once() {
        let points = Points::scrambled(DIMENSIONS, Seed(3));
        let all: Vec<_> = (0..64).map(|k| points.point(k)).collect();
        for d in 0..DIMENSIONS {
            let mut cells: Vec<usize> = all.iter().map(|p| (p[d] * 64.0) as usize).collect();
            cells.sort_unstable();
            assert_eq!(cells, (0..64).collect::<Vec<_>>(), "dimension {d}");
        }
        // The first two dimensions are a (0, m, 2)-net: every elementary box of 8 by 8 holds one.
        let mut boxes: Vec<usize> = all.iter().map(|p| (p[0] * 8.0) as usize * 8 + (p[1] * 8.0) as usize).collect();
        boxes.sort_unstable();
        assert_eq!(boxes, (0..64).collect::<Vec<_>>());
        assert_ne!(all[0], Points::scrambled(DIMENSIONS, Seed(4)).point(0));
    }

    #[test]
    fn an_integral_converges_faster_than_by_chance() {
        // Mean of the product of (x_i + 1/2) over six dimensions is 1; chance would be off by 0.03 at 1024 points.
        let points = Points::scrambled(6, Seed(1));
        let sum: f64 = (0..1024).map(|k| points.point(k).iter().map(|x| x + 0.5).product::<f64>()).sum();
        assert!((sum / 1024.0 - 1.0).abs() < 2e-3, "{}", sum / 1024.0);
    }
}
