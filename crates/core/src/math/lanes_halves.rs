//! Lanes in registers of 128 bits, as NEON and WebAssembly have them: two of four numbers, and four of two doubles.

use super::{Doubles, Lanes, PACKED, WIDTH};

/// Numbers in one [`Half`].
pub const HALF: usize = WIDTH / 2;

/// A register of four numbers; as in [`Lanes`], masks have all bits or none.
pub trait Half: Copy {
    /// The register of two doubles.
    type Pair: Pair<Half = Self>;
    fn splat(x: f32) -> Self;
    fn of(lanes: &[f32; HALF]) -> Self;
    fn put(self, to: &mut [f32; HALF]);
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    fn div(self, o: Self) -> Self;
    fn sqrt(self) -> Self;
    fn below(self, o: Self) -> Self;
    fn at_most(self, o: Self) -> Self;
    fn and(self, mask: Self) -> Self;
    fn or_else(self, mask: Self, o: Self) -> Self;
    fn bits(self) -> u32;
    /// The bytes of these numbers.
    fn picked(self, bytes: &[u8; 16]) -> Self;
    fn to_exponent(self) -> Self;
}

/// A register of two doubles.
pub trait Pair: Copy {
    /// The register of four numbers.
    type Half: Half;
    fn splat(x: f64) -> Self;
    fn of(lanes: &[f64; 2]) -> Self;
    fn put(self, to: &mut [f64; 2]);
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    fn div(self, o: Self) -> Self;
    fn sqrt(self) -> Self;
    fn below(self, o: Self) -> Self;
    fn at_most(self, o: Self) -> Self;
    fn or_else(self, mask: Self, o: Self) -> Self;
    fn bits(self) -> u8;
    fn to_exponent(self) -> Self;
    /// Its second number and the first one of `o`.
    fn joined(self, o: Self) -> Self;
    /// The first two and the last two numbers in double precision.
    fn of_half(half: Self::Half) -> (Self, Self);
    /// Both rounded to single precision.
    fn to_half(low: Self, high: Self) -> Self::Half;
}

/// Eight numbers in two registers.
#[derive(Clone, Copy, Debug)]
pub struct Halves<H>(H, H);

impl<H: Half> Halves<H> {
    #[inline(always)]
    fn each(self, o: Self, of: impl Fn(H, H) -> H) -> Self {
        Self(of(self.0, o.0), of(self.1, o.1))
    }
}

/// The bytes of the numbers whose bit is set, for the four bits of a half.
static PICKED: [[u8; 16]; 16] = {
    let mut picked = [[0; 16]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut byte = 0;
        while byte < 16 {
            picked[bits][byte] = 4 * PACKED[bits][byte / 4] + byte as u8 % 4;
            byte += 1;
        }
        bits += 1;
    }
    picked
};

impl<H: Half> Lanes for Halves<H> {
    type Double = Pairs<H::Pair>;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        let half = H::splat(x);
        Self(half, half)
    }
    #[inline(always)]
    fn of(lanes: &[f32; WIDTH]) -> Self {
        let ([low, high], _) = lanes.as_chunks() else { unreachable!("eight are two times four") };
        Self(H::of(low), H::of(high))
    }
    #[inline(always)]
    fn store(self) -> [f32; WIDTH] {
        let mut lanes = [0.0; WIDTH];
        self.put(&mut lanes);
        lanes
    }
    #[inline(always)]
    fn put(self, to: &mut [f32; WIDTH]) {
        let ([low, high], _) = to.as_chunks_mut() else { unreachable!("eight are two times four") };
        self.0.put(low);
        self.1.put(high);
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.each(o, H::add)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.each(o, H::sub)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.each(o, H::mul)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.each(o, H::div)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        self.each(o, |a, b| a.or_else(a.below(b), b))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        self.each(o, |a, b| a.or_else(b.below(a), b))
    }
    #[inline(always)]
    fn below(self, o: Self) -> Self {
        self.each(o, H::below)
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> Self {
        self.each(o, H::at_most)
    }
    #[inline(always)]
    fn keep(self, mask: Self) -> Self {
        self.each(mask, H::and)
    }
    #[inline(always)]
    fn or_else(self, mask: Self, o: Self) -> Self {
        Self(self.0.or_else(mask.0, o.0), self.1.or_else(mask.1, o.1))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << HALF
    }
    #[inline(always)]
    fn pack(self, bits: u32) -> Self {
        // The upper half goes behind what is set of the lower one, over what is left of it.
        let (low, high) = (bits as usize & 15, bits as usize >> HALF & 15);
        let mut lanes = [0.0; WIDTH];
        self.0.picked(&PICKED[low]).put(lanes.first_chunk_mut().expect("eight are more than four"));
        let behind = lanes[low.count_ones() as usize..].first_chunk_mut().expect("a half begins at most four lanes on");
        self.1.picked(&PICKED[high]).put(behind);
        Self::of(&lanes)
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(self.0.to_exponent(), self.1.to_exponent())
    }
}

/// Eight doubles in four registers.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<P>([P; HALF]);

impl<P: Pair> Pairs<P> {
    #[inline(always)]
    fn each(self, o: Self, of: impl Fn(P, P) -> P) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        Self([of(a, e), of(b, f), of(c, g), of(d, h)])
    }
}

/// The mask of two lanes with these bits.
#[inline(always)]
fn mask<P: Pair>(bits: u8) -> P {
    const ALL: f64 = f64::from_bits(u64::MAX);
    static MASKS: [[f64; 2]; 4] = [[0.0, 0.0], [ALL, 0.0], [0.0, ALL], [ALL, ALL]];
    P::of(&MASKS[usize::from(bits) & 3])
}

impl<P: Pair> Doubles for Pairs<P>
where
    P::Half: Half<Pair = P>,
{
    type Single = Halves<P::Half>;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([P::splat(x); HALF])
    }
    #[inline(always)]
    fn of(lanes: &[f64; WIDTH]) -> Self {
        let ([a, b, c, d], _) = lanes.as_chunks() else { unreachable!("eight are four times two") };
        Self([P::of(a), P::of(b), P::of(c), P::of(d)])
    }
    #[inline(always)]
    fn put(self, to: &mut [f64; WIDTH]) {
        for (pair, to) in self.0.into_iter().zip(to.as_chunks_mut().0) {
            pair.put(to);
        }
    }
    #[inline(always)]
    fn of_single(lanes: Self::Single) -> Self {
        let ((a, b), (c, d)) = (P::of_half(lanes.0), P::of_half(lanes.1));
        Self([a, b, c, d])
    }
    #[inline(always)]
    fn to_single(self) -> Self::Single {
        let [a, b, c, d] = self.0;
        Halves(P::to_half(a, b), P::to_half(c, d))
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.each(o, P::add)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.each(o, P::sub)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.each(o, P::mul)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        self.each(o, P::div)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(P::sqrt))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        self.each(o, |a, b| a.or_else(a.below(b), b))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        self.each(o, |a, b| a.or_else(b.below(a), b))
    }
    #[inline(always)]
    fn at_most(self, o: Self) -> u8 {
        let [a, b, c, d] = self.each(o, P::at_most).0.map(P::bits);
        a | b << 2 | c << 4 | d << 6
    }
    #[inline(always)]
    fn or_else(self, bits: u8, o: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, o.0);
        let of = |x: P, k: u8, y: P| x.or_else(mask(bits >> k), y);
        Self([of(a, 0, e), of(b, 2, f), of(c, 4, g), of(d, 6, h)])
    }
    #[inline(always)]
    fn choose(self, o: Self, a: Self, b: Self) -> Self {
        let masks = self.each(o, P::at_most).0;
        Self(std::array::from_fn(|k| a.0[k].or_else(masks[k], b.0[k])))
    }
    #[inline(always)]
    fn up(self, first: f64) -> Self {
        let [a, b, c, d] = self.0;
        Self([P::splat(first).joined(a), a.joined(b), b.joined(c), c.joined(d)])
    }
    #[inline(always)]
    fn down(self, last: f64) -> Self {
        let [a, b, c, d] = self.0;
        Self([a.joined(b), b.joined(c), c.joined(d), d.joined(P::splat(last))])
    }
    #[inline(always)]
    fn pack(self, bits: u8, to: &mut [f64; WIDTH]) {
        let lanes = self.store();
        *to = PACKED[usize::from(bits)].map(|lane| lanes[usize::from(lane) & 7]);
    }
    #[inline(always)]
    fn to_exponent(self) -> Self {
        Self(self.0.map(P::to_exponent))
    }
}
