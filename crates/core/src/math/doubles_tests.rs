use super::*;
use crate::math::lanes::{Kernel, Path, choose, run};

/// All operations on many numbers, as bits.
struct Everything;

fn numbers() -> Vec<f64> {
    // Some of every size and both signs, and what makes trouble.
    let mut numbers: Vec<f64> = (0..4000_u64)
        .map(|k| f64::from_bits(k.wrapping_mul(0x9E37_79B9_7F4A_7C15) & 0xBFFF_FFFF_FFFF_FFFF))
        .filter(|x| x.is_finite())
        .collect();
    numbers.extend((0..4000).map(|k| -750.0 + 0.37 * f64::from(k)));
    numbers.extend([0.0, -0.0, 1.0, -1.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY]);
    numbers.resize(numbers.len().next_multiple_of(2 * WIDTH), 1.5);
    numbers
}

impl Kernel for Everything {
    type Out = Vec<u64>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<u64> {
        let numbers = numbers();
        let mut bits = Vec::new();
        let (blocks, _) = numbers.as_chunks();
        for pair in blocks.windows(2) {
            let (a, b) = (L::Double::of(&pair[0]), L::Double::of(&pair[1]));
            let less = a.at_most(b);
            bits.push(u64::from(less));
            let mut packed = [0.0; WIDTH];
            b.pack(less, &mut packed);
            bits.extend(packed.iter().take(less.count_ones() as usize).map(|x| x.to_bits()));
            let size = a.mul(a).max(L::Double::splat(1e-37)).min(L::Double::splat(1e38));
            let results = [
                a.add(b),
                a.sub(b),
                a.mul(b),
                a.min(b),
                a.max(b),
                a.or_else(less, b),
                a.div(b),
                size.sqrt(),
                a.choose(b, size, a.sub(b)),
                a.up(b.store()[3]),
                a.down(b.store()[3]),
                a.exponential(),
                size.per_root(),
                a.max(L::Double::splat(-1e15)).min(L::Double::splat(1e15)).floor(),
            ];
            for lanes in results {
                // NaNs differ in their payload from processor to processor, and never come out of a kernel.
                bits.extend(lanes.store().map(|x| if x.is_nan() { 1 } else { x.to_bits() }));
            }
            bits.extend([size.total().to_bits(), size.least().to_bits()]);
        }
        bits
    }
}

#[test]
fn all_paths_give_the_same_bits() {
    let plain = Everything.run::<crate::math::lanes::Plain>();
    for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
        if choose(path) {
            let same = run(Everything).iter().zip(&plain).position(|(a, b)| a != b);
            assert_eq!(same, None, "{path:?}");
        }
    }
}

#[test]
fn lanes_move_up_and_down() {
    let lanes = PlainDoubles::of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(lanes.up(9.0).store(), [9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(lanes.down(9.0).store(), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}

#[test]
fn floor_and_whole_numbers() {
    let lanes = PlainDoubles::of(&[0.0, 0.5, 0.999_999_999_999_999_9, 1.0, 2.5, 3.5, 4e9, 1e15 + 0.75]);
    assert_eq!(lanes.floor().store(), [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4e9, 1e15]);
    let negative = PlainDoubles::of(&[-0.5, -1.0, -1.5, -2.0, -1e-300, -3.25, -7.999, -1e15]);
    assert_eq!(negative.floor().store(), [-1.0, -1.0, -2.0, -2.0, -1.0, -4.0, -8.0, -1e15]);
    let whole = PlainDoubles::of(&[0.0, 1.0, 2.0, 3.0, 255.0, 65536.0, 4e9, 4_294_967_295.0]);
    assert_eq!(whole.whole(), [0, 1, 2, 3, 255, 65536, 4_000_000_000, u32::MAX]);
}

#[test]
fn exp_agrees_with_libm() {
    let mut worst = 0.0_f64;
    for k in 0..200_000 {
        let x = -590.0 + 1180.0 * f64::from(k) / 200_000.0;
        worst = worst.max((PlainDoubles::splat(x).exponential().store()[0] / libm::exp(x) - 1.0).abs());
    }
    assert!(worst < 1e-15, "{worst:e}");
    assert_eq!(PlainDoubles::splat(0.0).exponential().store(), [1.0; WIDTH]);
    let ends = [-1e9, f64::NEG_INFINITY, 1e9].map(|x| PlainDoubles::splat(x).exponential().store()[0]);
    assert!(ends[0] > 0.0 && ends[0] < 1e-260 && ends[1] == ends[0] && ends[2].is_finite(), "{ends:?}");
}

#[test]
fn per_root_agrees_with_root_and_division() {
    let mut worst = 0.0_f64;
    for k in 0..200_000 {
        let x = 10.0_f64.powf(-37.0 + 75.0 * f64::from(k) / 200_000.0);
        worst = worst.max((PlainDoubles::splat(x).per_root().store()[0] * x.sqrt() - 1.0).abs());
    }
    assert!(worst < 5e-16, "{worst:e}");
}
