//! Registers of WebAssembly, compiled where `simd128` is allowed.

use super::halves::{HALF, Half, Halves, Pair};
use std::arch::wasm32::*;

/// Lanes of WebAssembly.
pub type Native = Halves<Four>;

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Four(v128);

// SAFETY of all blocks below: arrays have as many numbers as are read or written; a place needs no alignment.
impl Half for Four {
    type Pair = Two;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(f32x4_splat(x))
    }
    #[inline(always)]
    fn of(lanes: &[f32; HALF]) -> Self {
        Self(unsafe { v128_load(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn put(self, to: &mut [f32; HALF]) {
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(f32x4_add(self.0, o.0))
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(f32x4_sub(self.0, o.0))
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(f32x4_mul(self.0, o.0))
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(f32x4_div(self.0, o.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self(f32x4_lt(self.0, o.0))
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self(f32x4_le(self.0, o.0))
    }
    #[inline(always)]
    fn and(self, mask: Self) -> Self {
        Self(v128_and(self.0, mask.0))
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(v128_bitselect(self.0, o.0, mask.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(i32x4_bitmask(self.0))
    }
    #[inline(always)]
    fn picked(self, bytes: &[u8; 16]) -> Self {
        Self(i8x16_swizzle(self.0, unsafe { v128_load(bytes.as_ptr().cast()) }))
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(i32x4_shl(self.0, 23))
    }
}

/// Two doubles.
#[derive(Clone, Copy, Debug)]
pub struct Two(v128);

impl Pair for Two {
    type Half = Four;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self(f64x2_splat(x))
    }
    #[inline(always)]
    fn of(lanes: &[f64; 2]) -> Self {
        Self(unsafe { v128_load(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; 2]) {
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(f64x2_add(self.0, o.0))
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(f64x2_sub(self.0, o.0))
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(f64x2_mul(self.0, o.0))
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(f64x2_div(self.0, o.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f64x2_sqrt(self.0))
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        Self(f64x2_lt(self.0, o.0))
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        Self(f64x2_le(self.0, o.0))
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(v128_bitselect(self.0, o.0, mask.0))
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        i64x2_bitmask(self.0)
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(i64x2_shl(self.0, 52))
    }
    #[inline(always)]
    fn joined(self, o: Self) -> Self {
        Self(i64x2_shuffle::<1, 2>(self.0, o.0))
    }
    #[inline(always)]
    fn of_half(half: Four) -> (Self, Self) {
        let high = i64x2_shuffle::<1, 1>(half.0, half.0);
        (Self(f64x2_promote_low_f32x4(half.0)), Self(f64x2_promote_low_f32x4(high)))
    }
    #[inline(always)]
    fn to_half(low: Self, high: Self) -> Four {
        Four(i64x2_shuffle::<0, 2>(f32x4_demote_f64x2_zero(low.0), f32x4_demote_f64x2_zero(high.0)))
    }
}
