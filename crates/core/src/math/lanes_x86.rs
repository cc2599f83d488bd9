//! Lanes in AVX registers.

use super::{Lanes, PACKED, WIDTH};
use std::arch::x86_64::*;

/// Lanes of one AVX register. Only [`super::run`] hands it to kernels, after it has asked the processor.
#[derive(Clone, Copy, Debug)]
pub struct Avx(__m256);

// SAFETY of all blocks below: `Avx` is private to this file, and made only under `run_avx2` and `run_avx512`, which
// are called only where the processor has AVX2 and what came with it.
impl Lanes for Avx {
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(unsafe { _mm256_set1_ps(x) })
    }
    #[inline(always)]
    fn of(lanes: &[f32; WIDTH]) -> Self {
        // SAFETY: the array has eight numbers.
        Self(unsafe { _mm256_loadu_ps(lanes.as_ptr()) })
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
        Self(unsafe { _mm256_add_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { _mm256_sub_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { _mm256_mul_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { _mm256_div_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(unsafe { _mm256_min_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(unsafe { _mm256_max_ps(self.0, o.0) })
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, o.0) })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, o.0) })
    }
    #[inline(always)]
    fn keep(self, mask: Self) -> Self {
        Self(unsafe { _mm256_and_ps(self.0, mask.0) })
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(unsafe { _mm256_blendv_ps(o.0, self.0, mask.0) })
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
            Self(_mm256_permutevar8x32_ps(self.0, lanes))
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
        Self(unsafe { _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_castps_si256(self.0))) })
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn run_avx2<K: super::Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx>()
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512vl")]
pub(super) fn run_avx512<K: super::Kernel>(kernel: K) -> K::Out {
    kernel.run::<Avx>()
}
