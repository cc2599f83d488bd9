//! Eight numbers of single precision at a time, with the same bits on every processor.
//!
//! A kernel is written once over [`Lanes`] and compiled for each path; [`run`] takes the widest one that the processor
//! has. All paths have eight lanes and use only operations that IEEE 754 rounds in one way, so sums have one order.
#![allow(unsafe_code, reason = "instructions that are there only on some processors")]

use super::doubles::{Doubles, PlainDoubles};
use std::sync::atomic::{AtomicU8, Ordering};

/// Numbers in one [`Lanes`].
pub const WIDTH: usize = 8;

/// Eight numbers; comparisons give all bits or none in each lane.
pub trait Lanes: Copy {
    /// The same lanes in double precision.
    type Double: Doubles<Single = Self>;
    /// The same number in all lanes.
    fn splat(x: f32) -> Self;
    /// These numbers.
    fn of(lanes: &[f32; WIDTH]) -> Self;
    /// The numbers.
    fn store(self) -> [f32; WIDTH];
    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Difference.
    fn sub(self, o: Self) -> Self;
    /// Product.
    fn mul(self, o: Self) -> Self;
    /// Quotient.
    fn div(self, o: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// The smaller one; of equals or with a NaN the second.
    fn min(self, o: Self) -> Self;
    /// The larger one; of equals or with a NaN the second.
    fn max(self, o: Self) -> Self;
    /// Lanes that are smaller, as a mask; never with a NaN.
    fn below(self, o: Self) -> Self;
    /// Lanes that are smaller or equal, as a mask; never with a NaN.
    fn at_most(self, o: Self) -> Self;
    /// The numbers where the mask is set, else 0.
    fn keep(self, mask: Self) -> Self;
    /// The mask of the first `n` lanes: of none below 1, of all from 8 on.
    #[inline(always)]
    fn counted(n: f32) -> Self {
        Self::of(&COUNT).below(Self::splat(n))
    }
    /// The numbers where the mask is set, else those of `o`.
    fn or_else(self, mask: Self, o: Self) -> Self;
    /// Bit k is set if lane k of the mask is.
    fn bits(self) -> u32;
    /// The lanes whose bit is set, in their order; what is in the lanes behind them is not said.
    fn pack(self, bits: u32) -> Self;
    /// Writes the numbers.
    #[inline(always)]
    fn put(self, to: &mut [f32; WIDTH]) {
        *to = self.store();
    }
    /// The bits of each number moved up by 23 places: a whole number becomes an exponent.
    fn to_exponent(self) -> Self;

    /// Ways along a ring of this length, m, the other way round where that is shorter; 0 m is an open axis.
    #[inline(always)]
    fn shortest(self, ring: Self) -> Self {
        let most = ring.mul(Self::splat(0.5));
        let least = Self::splat(0.0).sub(most);
        self.sub(ring.keep(most.below(self))).add(ring.keep(self.below(least)))
    }

    /// Sum of the lanes, always in the same order.
    #[inline(always)]
    fn total(self) -> f32 {
        folded(self.store(), std::ops::Add::add)
    }

    /// The smallest of the lanes, in the order of [`Lanes::total`]; numbers, not a NaN.
    #[inline(always)]
    fn least(self) -> f32 {
        folded(self.store(), smaller)
    }

    /// e^x with a relative error below 2e-7 for x in -87..88, below that range about 1.6e-38 and less, above clamped.
    #[inline(always)]
    fn exponential(self) -> Self {
        let c = Self::splat;
        let x = self.max(c(-87.0)).min(c(88.0));
        // 1.5 * 2^23 rounds to whole numbers, 127 is the bias of the exponent.
        let shifted = x.mul(c(std::f32::consts::LOG2_E)).add(c(ROUND));
        let n = shifted.sub(c(ROUND));
        let r = x.sub(n.mul(c(LN2_HIGH))).sub(n.mul(c(LN2_LOW)));
        // Taylor's series up to r^7/7!; |r| <= ln(2)/2 leaves less than 6e-9 * e^r.
        let p = r.mul(c(1.0 / 5040.0)).add(c(1.0 / 720.0));
        let p = p.mul(r).add(c(1.0 / 120.0));
        let p = p.mul(r).add(c(1.0 / 24.0));
        let p = p.mul(r).add(c(1.0 / 6.0));
        let p = p.mul(r).add(c(0.5));
        let p = p.mul(r).add(c(1.0));
        let p = p.mul(r).add(c(1.0));
        p.mul(shifted.to_exponent())
    }
}

/// Numbers of the lanes.
const COUNT: [f32; WIDTH] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
/// Adding and subtracting it rounds to whole numbers; its last bits are the bias of an exponent.
const ROUND: f32 = 12_582_912.0 + 127.0;
/// ln 2 in two parts; the first has so few bits that its product with a small whole number is exact.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;

/// One number of eight: halves, then pairs, then the last two.
#[inline(always)]
pub(super) fn folded<T: Copy>([a, b, c, d, e, f, g, h]: [T; WIDTH], of: impl Fn(T, T) -> T) -> T {
    of(of(of(a, e), of(c, g)), of(of(b, f), of(d, h)))
}

#[inline(always)]
pub(super) fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Which lanes [`Lanes::pack`] takes, for each set of bits.
pub(super) static PACKED: [[u8; WIDTH]; 256] = {
    let mut packed = [[0; WIDTH]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < WIDTH {
            if bits >> lane & 1 == 1 {
                packed[bits][at] = lane as u8;
                at += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    packed
};

/// Lanes of plain Rust, for every processor.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Plain([f32; WIDTH]);

impl Plain {
    #[inline(always)]
    fn each(self, o: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|k| f(self.0[k], o.0[k])))
    }

    #[inline(always)]
    fn mask(self, o: Self, f: impl Fn(f32, f32) -> bool) -> Self {
        self.each(o, |a, b| f32::from_bits(if f(a, b) { u32::MAX } else { 0 }))
    }
}

impl Lanes for Plain {
    type Double = PlainDoubles;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; WIDTH])
    }
    #[inline(always)]
    fn of(lanes: &[f32; WIDTH]) -> Self {
        Self(*lanes)
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        self.0
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.each(o, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.each(o, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.each(o, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.each(o, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        self.each(o, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        self.each(o, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        self.mask(o, |a, b| a < b)
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        self.mask(o, |a, b| a <= b)
    }
    #[inline(always)]
    fn keep(self, mask: Self) -> Self {
        self.each(mask, |a, m| f32::from_bits(a.to_bits() & m.to_bits()))
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(std::array::from_fn(|k| if mask.0[k].to_bits() >> 31 == 1 { self.0[k] } else { o.0[k] }))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        (0..WIDTH).fold(0, |bits, k| bits | (self.0[k].to_bits() >> 31) << k)
    }
    #[inline(always)]
    fn pack(self, bits: u32) -> Self {
        Self(PACKED[bits as usize & 255].map(|lane| self.0[lane as usize & 7]))
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(self.0.map(|x| f32::from_bits(x.to_bits() << 23)))
    }
}

#[cfg(target_arch = "x86_64")]
#[path = "lanes_x86.rs"]
mod x86;

#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "lanes_halves.rs"]
mod halves;

#[cfg(target_arch = "aarch64")]
#[path = "lanes_neon.rs"]
mod native;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "lanes_wasm.rs"]
mod native;

#[cfg(not(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128"))))]
mod native {
    /// Compilers find the instructions of plain lanes themselves.
    pub type Native = super::Plain;
}

use native::Native;

/// Asks for a number of a column before it is read, where the processor can; it changes nothing but the time.
#[inline(always)]
pub fn prefetch<T>(column: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(number) = column.get(at) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has it, and it reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(number).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (column, at);
}

/// Work that is compiled once for each path.
pub trait Kernel {
    /// What comes out.
    type Out;
    /// Does the work; has to be `#[inline(always)]`, or it is not compiled for the path that calls it.
    fn run<L: Lanes>(self) -> Self::Out;
}

/// Instructions that kernels may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Path {
    /// What every processor of the platform has.
    Baseline = 1,
    /// 256-bit registers (x86-64 since 2013).
    Avx2 = 2,
    /// The same width with the masks and the further registers of AVX-512.
    Avx512 = 3,
}

impl Path {
    /// The widest path of this processor.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            return if wide { Self::Avx512 } else { Self::Avx2 };
        }
        Self::Baseline
    }

    /// `baseline`, `avx2` or `avx512`.
    pub fn named(name: &str) -> Option<Self> {
        [("baseline", Self::Baseline), ("avx2", Self::Avx2), ("avx512", Self::Avx512)]
            .into_iter()
            .find_map(|(known, path)| (known == name).then_some(path))
    }
}

/// The path that [`run`] takes; 0 as long as nobody has asked. All paths give the same bits, so it does not count as input.
static PATH: AtomicU8 = AtomicU8::new(0);

/// Takes a path from now on; one that the processor does not have is refused and changes nothing.
pub fn choose(path: Path) -> bool {
    let there = path <= Path::best();
    if there {
        PATH.store(path as u8, Ordering::Relaxed);
    }
    there
}

/// The path that [`run`] takes.
#[inline]
pub fn chosen() -> Path {
    match PATH.load(Ordering::Relaxed) {
        1 => Path::Baseline,
        2 => Path::Avx2,
        3 => Path::Avx512,
        _ => first_choice(),
    }
}

/// The widest path, from now on.
#[cold]
fn first_choice() -> Path {
    let best = Path::best();
    PATH.store(best as u8, Ordering::Relaxed);
    best
}

/// Runs a kernel on the chosen path.
pub fn run<K: Kernel>(kernel: K) -> K::Out {
    match chosen() {
        Path::Baseline => kernel.run::<Native>(),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a path is chosen only if the processor has it.
        Path::Avx2 => unsafe { x86::run_avx2(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Path::Avx512 => unsafe { x86::run_avx512(kernel) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => kernel.run::<Native>(),
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
