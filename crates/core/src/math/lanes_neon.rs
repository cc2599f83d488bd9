//! Registers of NEON, which every 64-bit ARM processor has.

use super::halves::{HALF, Half, Halves, Pair};
use std::arch::aarch64::*;

/// Lanes of ARM processors.
pub type Native = Halves<Four>;

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Four(float32x4_t);

// SAFETY of all blocks below: every processor that this file is compiled for has NEON, and arrays have as many numbers as are read or written.
impl Half for Four {
    type Pair = Two;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(unsafe { vdupq_n_f32(x) })
    }
    #[inline(always)]
    fn of(lanes: &[f32; HALF]) -> Self {
        Self(unsafe { vld1q_f32(lanes.as_ptr()) })
    }
    #[inline(always)]
    fn put(self, to: &mut [f32; HALF]) {
        unsafe { vst1q_f32(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { vaddq_f32(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { vsubq_f32(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { vmulq_f32(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { vdivq_f32(self.0, o.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { vsqrtq_f32(self.0) })
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self(unsafe { vreinterpretq_f32_u32(vcltq_f32(self.0, o.0)) })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self(unsafe { vreinterpretq_f32_u32(vcleq_f32(self.0, o.0)) })
    }
    #[inline(always)]
    fn and(self, mask: Self) -> Self {
        Self(unsafe { vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(self.0), vreinterpretq_u32_f32(mask.0))) })
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(unsafe { vbslq_f32(vreinterpretq_u32_f32(mask.0), self.0, o.0) })
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        // The sign of lane k becomes bit k.
        const PLACES: [i32; HALF] = [0, 1, 2, 3];
        unsafe {
            let signs = vshrq_n_u32::<31>(vreinterpretq_u32_f32(self.0));
            vaddvq_u32(vshlq_u32(signs, vld1q_s32(PLACES.as_ptr())))
        }
    }
    #[inline(always)]
    fn picked(self, bytes: &[u8; 16]) -> Self {
        Self(unsafe { vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(self.0), vld1q_u8(bytes.as_ptr()))) })
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(unsafe { vreinterpretq_f32_u32(vshlq_n_u32::<23>(vreinterpretq_u32_f32(self.0))) })
    }
}

/// Two doubles.
#[derive(Clone, Copy, Debug)]
pub struct Two(float64x2_t);

impl Pair for Two {
    type Half = Four;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(unsafe { vdupq_n_f64(x) })
    }
    #[inline(always)]
    fn of(lanes: &[f64; 2]) -> Self {
        Self(unsafe { vld1q_f64(lanes.as_ptr()) })
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; 2]) {
        unsafe { vst1q_f64(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { vaddq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { vsubq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { vmulq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { vdivq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { vsqrtq_f64(self.0) })
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self(unsafe { vreinterpretq_f64_u64(vcltq_f64(self.0, o.0)) })
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self(unsafe { vreinterpretq_f64_u64(vcleq_f64(self.0, o.0)) })
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(unsafe { vbslq_f64(vreinterpretq_u64_f64(mask.0), self.0, o.0) })
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        unsafe {
            let signs = vshrq_n_u64::<63>(vreinterpretq_u64_f64(self.0));
            (vgetq_lane_u64::<0>(signs) | vgetq_lane_u64::<1>(signs) << 1) as u8
        }
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(unsafe { vreinterpretq_f64_u64(vshlq_n_u64::<52>(vreinterpretq_u64_f64(self.0))) })
    }
    #[inline(always)]
    fn joined(self, o: Self) -> Self {
        Self(unsafe { vextq_f64::<1>(self.0, o.0) })
    }
    #[inline(always)]
    fn of_half(half: Four) -> (Self, Self) {
        unsafe { (Self(vcvt_f64_f32(vget_low_f32(half.0))), Self(vcvt_high_f64_f32(half.0))) }
    }
    #[inline(always)]
    fn to_half(low: Self, high: Self) -> Four {
        Four(unsafe { vcvt_high_f32_f64(vcvt_f32_f64(low.0), high.0) })
    }
}
