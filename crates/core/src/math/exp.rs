//! An exponential of plain additions and multiplications: the same bits on every CPU.

/// Adding and subtracting it rounds a number below 2^51 to the nearest whole one.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts; the first has so few bits that its product with a small whole number is exact.
const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e^x with a relative error below 3e-13 for x in -700..700; smaller arguments give 0, larger ones are clamped.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let gone = x < -700.0;
    let x = x.clamp(-700.0, 700.0);
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    // Taylor's series up to r^10/10!; |r| <= ln(2)/2 leaves a remainder of r^11/11! < 3e-13 * e^r. Terms in pairs, then
    // pairs of pairs: one after the other each would wait for the last.
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5_040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0)) + r2 * (1.0 / 3_628_800.0);
    let p = low + r4 * (middle + r4 * high);
    // The last bits of `shifted` are those of n: no conversion, so that a loop of exponentials becomes lanes.
    let scale = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    if gone { 0.0 } else { p * scale }
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn agrees_with_libm_over_the_whole_range() {
        let mut worst = 0.0_f64;
        for i in 0..200_000 {
            let x = -690.0 + 1380.0 * f64::from(i) / 200_000.0;
            worst = worst.max((exp(x) / libm::exp(x) - 1.0).abs());
        }
        assert!(worst < 3e-13, "worst relative error {worst:e}");
    }

    #[test]
    fn is_exact_at_zero_and_ends_softly() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e9), 0.0);
        assert!(exp(1e9).is_finite());
    }
}
