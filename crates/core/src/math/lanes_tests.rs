use super::*;

/// All operations on many numbers, as bits.
struct Everything;

fn numbers() -> Vec<f32> {
    // Some of every size and both signs, and what makes trouble.
    let mut numbers: Vec<f32> = (0..4000_u32)
        .map(|k| f32::from_bits(k.wrapping_mul(0x9E37_79B9) & 0xBFFF_FFFF))
        .filter(|x| x.is_finite())
        .collect();
    numbers.extend((0..4000).map(|k| -95.0 + 0.047 * k as f32));
    numbers.extend([0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, f32::NEG_INFINITY]);
    numbers.resize(numbers.len().next_multiple_of(2 * WIDTH), 1.5);
    numbers
}

impl Kernel for Everything {
    type Out = Vec<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<u32> {
        let numbers = numbers();
        let mut bits = Vec::new();
        let (blocks, _) = numbers.as_chunks();
        for (at, pair) in blocks.windows(2).enumerate() {
            let (a, b) = (L::of(&pair[0]), L::of(&pair[1]));
            let results = [
                a.add(b),
                a.sub(b),
                a.mul(b),
                a.div(b.max(L::splat(1e-30))),
                a.max(L::splat(0.0)).sqrt(),
                a.min(b),
                a.max(b),
                a.keep(a.below(b)),
                a.keep(a.at_most(b)),
                a.keep(L::counted((at % 9) as f32)),
                a.exponential(),
                a.shortest(L::splat(40.0)),
            ];
            for lanes in results {
                // NaNs differ in their payload from processor to processor, and never come out of a kernel.
                bits.extend(lanes.store().map(|x| if x.is_nan() { 1 } else { x.to_bits() }));
                bits.push(lanes.keep(lanes.at_most(lanes)).total().to_bits());
            }
            let taken = a.below(b).bits();
            bits.extend([taken, a.at_most(b).bits()]);
            let mut packed = [0.0; WIDTH];
            b.pack(taken).put(&mut packed);
            bits.extend(packed[..taken.count_ones() as usize].iter().map(|x| x.to_bits()));
        }
        bits
    }
}

#[test]
fn all_paths_give_the_same_bits() {
    let plain = Everything.run::<Plain>();
    for path in [Path::Baseline, Path::Avx2, Path::Avx512] {
        if choose(path) {
            let same = run(Everything).iter().zip(&plain).position(|(a, b)| a != b);
            assert_eq!(same, None, "{path:?}");
        }
    }
}

#[test]
fn packing_keeps_the_order() {
    let lanes = Plain::of(&COUNT);
    assert_eq!(lanes.pack(0b1010_0110).store()[..4], [1.0, 2.0, 5.0, 7.0]);
    assert_eq!(lanes.pack(255).store(), COUNT);
}

#[test]
fn exp_agrees_with_libm() {
    let mut worst = 0.0_f64;
    for k in 0..200_000 {
        let x = -87.0 + 175.0 * k as f32 / 200_000.0;
        let ours = Plain::splat(x).exponential().store()[0];
        worst = worst.max((f64::from(ours) / libm::exp(f64::from(x)) - 1.0).abs());
    }
    assert!(worst < 2e-7, "{worst:e}");
    assert_eq!(Plain::splat(0.0).exponential().store(), [1.0; WIDTH]);
    assert!(Plain::splat(-1e30).exponential().store()[0] < 2e-38);
}

#[test]
fn names_of_paths_are_known() {
    assert_eq!(Path::named("avx2"), Some(Path::Avx2));
    assert_eq!(Path::named("sse"), None);
    assert!(choose(Path::Baseline) && choose(Path::best()));
}
