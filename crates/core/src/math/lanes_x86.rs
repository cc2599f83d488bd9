//! Lanes in AVX registers.

use super::{Doubles, Lanes, PACKED, WIDTH};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Lanes of one AVX register, and how their doubles are kept. Only [`super::run`] hands it to kernels, after it has asked the processor.
#[derive(Clone, Copy, Debug)]
pub struct Avx<D>(__m256, PhantomData<D>);

impl<D> Avx<D> {
    #[inline(always)]
    fn new(lanes: __m256) -> Self {
        Self(lanes, PhantomData)
    }
}

// SAFETY of all blocks below: `Avx` is private to this file, and made only under `run_avx2` and `run_avx512`, which
// are called only where the processor has AVX2 and what came with it.
impl<D: Doubles<Single = Self>> Lanes for Avx<D> {
    type Double = D;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self::new(unsafe { _mm256_set1_ps(x) })
    }
    #[inline(always)]
    fn of(lanes: &[f32; WIDTH]) -> Self {
        // SAFETY: the array has eight numbers.
        Self::new(unsafe { _mm256_loadu_ps(lanes.as_ptr()) })
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut lanes = [0.0; WIDTH];
        // SAFETY: the array has eight numbers.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), self.0) };
        lanes
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_add_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_sub_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_mul_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_div_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_min_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_max_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, o.0) })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self::new(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, o.0) })
    }
    #[inline(always)]
    fn keep(self, mask: Self) -> Self {
        Self::new(unsafe { _mm256_and_ps(self.0, mask.0) })
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self::new(unsafe { _mm256_blendv_ps(o.0, self.0, mask.0) })
    }
    #[inline(always)]
    fn least(self) -> f32 {
        // As in `total`.
        unsafe {
            let four = _mm_min_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
        }
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        unsafe { _mm256_movemask_ps(self.0) as u32 }
    }
    #[inline(always)]
    fn put(self, to: &mut [f32; WIDTH]) {
        // SAFETY: the array has eight numbers.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) };
    }
    #[inline(always)]
    fn pack(self, bits: u32) -> Self {
        let lanes = &PACKED[bits as usize & 255];
        // SAFETY: the table has eight bytes for each set of bits.
        unsafe {
            let lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(lanes.as_ptr().cast()));
            Self::new(_mm256_permutevar8x32_ps(self.0, lanes))
        }
    }
    #[inline(always)]
    fn total(self) -> f32 {
        // Halves, then pairs, then the last two: the order of the trait.
        unsafe {
            let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        }
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self::new(unsafe { _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_castps_si256(self.0))) })
    }
}

/// Doubles in two AVX registers.
#[derive(Clone, Copy, Debug)]
pub struct Two(__m256d, __m256d);

impl Doubles for Two {
    type Single = Avx<Self>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        let half = unsafe { _mm256_set1_pd(x) };
        Self(half, half)
    }
    #[inline(always)]
    fn of(lanes: &[f64; WIDTH]) -> Self {
        // SAFETY: the array has eight numbers.
        unsafe { Self(_mm256_loadu_pd(lanes.as_ptr()), _mm256_loadu_pd(lanes.as_ptr().add(4))) }
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; WIDTH]) {
        // SAFETY: the array has eight numbers.
        unsafe {
            _mm256_storeu_pd(to.as_mut_ptr(), self.0);
            _mm256_storeu_pd(to.as_mut_ptr().add(4), self.1);
        }
    }
    #[inline(always)]
    fn of_single(lanes: Self::Single) -> Self {
        unsafe {
            let (low, high) = (_mm256_castps256_ps128(lanes.0), _mm256_extractf128_ps::<1>(lanes.0));
            Self(_mm256_cvtps_pd(low), _mm256_cvtps_pd(high))
        }
    }
    #[inline(always)]
    fn to_single(self) -> Self::Single {
        unsafe { Avx::new(_mm256_set_m128(_mm256_cvtpd_ps(self.1), _mm256_cvtpd_ps(self.0))) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        unsafe { Self(_mm256_add_pd(self.0, o.0), _mm256_add_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        unsafe { Self(_mm256_sub_pd(self.0, o.0), _mm256_sub_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        unsafe { Self(_mm256_mul_pd(self.0, o.0), _mm256_mul_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        unsafe { Self(_mm256_div_pd(self.0, o.0), _mm256_div_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm256_sqrt_pd(self.0), _mm256_sqrt_pd(self.1)) }
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        unsafe { Self(_mm256_min_pd(self.0, o.0), _mm256_min_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        unsafe { Self(_mm256_max_pd(self.0, o.0), _mm256_max_pd(self.1, o.1)) }
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> u8 {
        unsafe {
            let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, o.0));
            let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.1, o.1));
            (low | high << 4) as u8
        }
    }
    #[inline(always)]
    fn or_else(self, bits: u8, o: Self) -> Self {
        // The sign of each lane chooses: its bit is moved there.
        unsafe {
            let bits = _mm256_set1_epi64x(i64::from(bits));
            let (low, high) = (_mm256_set_epi64x(60, 61, 62, 63), _mm256_set_epi64x(56, 57, 58, 59));
            let low = _mm256_castsi256_pd(_mm256_sllv_epi64(bits, low));
            let high = _mm256_castsi256_pd(_mm256_sllv_epi64(bits, high));
            Self(_mm256_blendv_pd(o.0, self.0, low), _mm256_blendv_pd(o.1, self.1, high))
        }
    }
    #[inline(always)]
    fn choose(self, o: Self, a: Self, b: Self) -> Self {
        unsafe {
            let low = _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, o.0);
            let high = _mm256_cmp_pd::<_CMP_LE_OQ>(self.1, o.1);
            Self(_mm256_blendv_pd(b.0, a.0, low), _mm256_blendv_pd(b.1, a.1, high))
        }
    }
    #[inline(always)]
    fn up(self, first: f64) -> Self {
        // 3 0 1 2 of each half, then what comes from below into its first place.
        unsafe {
            let low = _mm256_permute4x64_pd::<0b10_01_00_11>(self.0);
            let high = _mm256_permute4x64_pd::<0b10_01_00_11>(self.1);
            let first = _mm256_set1_pd(first);
            Self(_mm256_blend_pd::<1>(low, first), _mm256_blend_pd::<1>(high, low))
        }
    }
    #[inline(always)]
    fn down(self, last: f64) -> Self {
        // 1 2 3 0 of each half, then what comes from above into its last place.
        unsafe {
            let low = _mm256_permute4x64_pd::<0b00_11_10_01>(self.0);
            let high = _mm256_permute4x64_pd::<0b00_11_10_01>(self.1);
            let last = _mm256_set1_pd(last);
            Self(_mm256_blend_pd::<8>(low, high), _mm256_blend_pd::<8>(high, last))
        }
    }
    #[inline(always)]
    fn pack(self, bits: u8, to: &mut [f64; WIDTH]) {
        // The upper half goes behind what is set of the lower one, over what is left of it.
        let (low, high) = (usize::from(bits & 15), usize::from(bits >> 4));
        // SAFETY: the tables have a line for every half, and at most four lanes stand before the upper half.
        unsafe {
            _mm256_storeu_pd(to.as_mut_ptr(), packed_half(self.0, low));
            _mm256_storeu_pd(to.as_mut_ptr().add(low.count_ones() as usize), packed_half(self.1, high));
        }
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        unsafe {
            let low = _mm256_slli_epi64::<52>(_mm256_castpd_si256(self.0));
            let high = _mm256_slli_epi64::<52>(_mm256_castpd_si256(self.1));
            Self(_mm256_castsi256_pd(low), _mm256_castsi256_pd(high))
        }
    }
}

/// The lanes of half the numbers whose bit is set, in their order.
///
/// # Safety
/// The processor has AVX2, and there are four bits.
#[inline(always)]
unsafe fn packed_half(half: __m256d, bits: usize) -> __m256d {
    // Each number is moved as two of 32 bits.
    static PAIRS: [[u32; WIDTH]; 16] = {
        let mut pairs = [[0; WIDTH]; 16];
        let mut bits = 0;
        while bits < 16 {
            let mut at = 0;
            while at < WIDTH {
                pairs[bits][at] = 2 * PACKED[bits][at / 2] as u32 + at as u32 % 2;
                at += 1;
            }
            bits += 1;
        }
        pairs
    };
    unsafe {
        let lanes = _mm256_loadu_si256(PAIRS[bits].as_ptr().cast());
        _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(half), lanes))
    }
}

/// Doubles in one AVX-512 register.
#[derive(Clone, Copy, Debug)]
pub struct One(__m512d);

impl Doubles for One {
    type Single = Avx<Self>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(x) })
    }
    #[inline(always)]
    fn of(lanes: &[f64; WIDTH]) -> Self {
        // SAFETY: the array has eight numbers.
        Self(unsafe { _mm512_loadu_pd(lanes.as_ptr()) })
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; WIDTH]) {
        // SAFETY: the array has eight numbers.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) };
    }
    #[inline(always)]
    fn of_single(lanes: Self::Single) -> Self {
        Self(unsafe { _mm512_cvtps_pd(lanes.0) })
    }
    #[inline(always)]
    fn to_single(self) -> Self::Single {
        Avx::new(unsafe { _mm512_cvtpd_ps(self.0) })
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { _mm512_add_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { _mm512_sub_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { _mm512_mul_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { _mm512_div_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(unsafe { _mm512_min_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(unsafe { _mm512_max_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> u8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn or_else(self, bits: u8, o: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(bits, o.0, self.0) })
    }
    #[inline(always)]
    fn choose(self, o: Self, a: Self, b: Self) -> Self {
        a.or_else(self.at_most(o), b)
    }
    #[inline(always)]
    fn up(self, first: f64) -> Self {
        unsafe {
            let (lanes, first) = (_mm512_castpd_si512(self.0), _mm512_castpd_si512(_mm512_set1_pd(first)));
            Self(_mm512_castsi512_pd(_mm512_alignr_epi64::<7>(lanes, first)))
        }
    }
    #[inline(always)]
    fn down(self, last: f64) -> Self {
        unsafe {
            let (lanes, last) = (_mm512_castpd_si512(self.0), _mm512_castpd_si512(_mm512_set1_pd(last)));
            Self(_mm512_castsi512_pd(_mm512_alignr_epi64::<1>(last, lanes)))
        }
    }
    #[inline(always)]
    fn pack(self, bits: u8, to: &mut [f64; WIDTH]) {
        Self(unsafe { _mm512_maskz_compress_pd(bits, self.0) }).put(to);
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(unsafe { _mm512_castsi512_pd(_mm512_slli_epi64::<52>(_mm512_castpd_si512(self.0))) })
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn run_avx2<K: super::Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx<Two>>()
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512vl")]
pub(super) fn run_avx512<K: super::Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx<One>>()
}
