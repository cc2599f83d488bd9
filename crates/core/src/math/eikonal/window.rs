//! How strips are stored, and what eight lanes of a pass read and write.

/// Rows of a strip.
pub(super) const STRIP: usize = 8;
/// Columns beyond each end of a strip, so that rows that go ahead or stay behind find something.
pub(super) const EDGE: usize = 8;

/// A number for each lane.
pub(super) type Eight = [f64; STRIP];

/// Where the window of a step begins in a strip.
#[inline(always)]
pub(super) fn window<const LEFT: bool>(columns: usize, step: usize) -> usize {
    (if LEFT { columns + EDGE - 1 - step } else { step + EDGE - 7 }) * STRIP
}

#[inline(always)]
pub(super) fn eight(numbers: &[f64], at: usize) -> &[f64; 64] {
    numbers[at..at + 64].try_into().expect("eight columns of eight")
}

/// Lane k: the k-th row in the direction of the pass, in the column k behind.
#[inline(always)]
const fn offset<const LEFT: bool, const DOWN: bool>(k: usize) -> usize {
    (if LEFT { k } else { 7 - k }) * STRIP + if DOWN { 7 - k } else { k }
}

#[inline(always)]
pub(super) fn take<const LEFT: bool, const DOWN: bool>(w: &[f64; 64]) -> Eight {
    [
        w[offset::<LEFT, DOWN>(0)],
        w[offset::<LEFT, DOWN>(1)],
        w[offset::<LEFT, DOWN>(2)],
        w[offset::<LEFT, DOWN>(3)],
        w[offset::<LEFT, DOWN>(4)],
        w[offset::<LEFT, DOWN>(5)],
        w[offset::<LEFT, DOWN>(6)],
        w[offset::<LEFT, DOWN>(7)],
    ]
}

#[inline(always)]
pub(super) fn put<const LEFT: bool, const DOWN: bool>(numbers: &mut [f64], at: usize, lanes: Eight) {
    let w: &mut [f64; 64] = (&mut numbers[at..at + 64]).try_into().expect("eight columns of eight");
    for k in 0..STRIP {
        w[offset::<LEFT, DOWN>(k)] = lanes[k];
    }
}
