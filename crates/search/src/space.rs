//! The space that is searched: one dimension per gene.
//!
//! A genome lies in the unit cube. A real gene is stretched linearly or in its logarithm, and its ends are reached
//! exactly, as is every number of up to 12 digits that people write: 0.3 comes back as 0.3. A whole number or a choice
//! owns a cell of equal width for each of its values, and its canonical genome lies in the middle of the cell.

use crowdtune_core::Error;

/// A point of the unit cube: one coordinate in [0, 1] per gene. [`Space::decode`] gives the values.
pub type Genome = Vec<f64>;

/// What one gene can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// A real number from `low` to `high`, both reached; `log` spaces it by orders of magnitude.
    Real {
        /// Lower end; above 0 where `log` is set.
        low: f64,
        /// Upper end, not below `low`.
        high: f64,
        /// True for equal steps in the logarithm.
        log: bool,
    },
    /// A whole number, both ends included; exact for up to 2^50 values.
    Integer {
        /// Lower end.
        low: i64,
        /// Upper end, not below `low`.
        high: i64,
    },
    /// One of these stored values (the index of a word, or a number), in the order of the file; never empty,
    /// none twice.
    Choice(Vec<f64>),
}

impl Axis {
    /// Number of cells: 1 or more, or `None` for a real number (1 if its ends are equal).
    #[inline]
    pub fn cells(&self) -> Option<u64> {
        match self {
            Self::Real { low, high, .. } => (low == high).then_some(1),
            Self::Integer { low, high } => Some(high.abs_diff(*low).saturating_add(1)),
            Self::Choice(values) => Some(values.len().max(1) as u64),
        }
    }

    /// True if values of this axis have no order, so that nothing lies between two of them.
    #[inline]
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::Choice(_))
    }

    /// True for a real number of more than one value.
    #[inline]
    pub(crate) fn is_real(&self) -> bool {
        matches!(self, Self::Real { low, high, .. } if low < high)
    }

    /// The cell of a coordinate, 0 for a real axis; below 0 counts as 0, above 1 as 1, NaN as the middle.
    #[inline]
    pub fn cell(&self, u: f64) -> u64 {
        let cells = self.cells().unwrap_or(1);
        ((clamp(u) * cells as f64) as u64).min(cells - 1)
    }

    /// The middle of a cell; a number that is too large gives the last one.
    #[inline]
    pub fn middle(&self, cell: u64) -> f64 {
        let cells = self.cells().unwrap_or(1);
        (cell.min(cells - 1) as f64 + 0.5) / cells as f64
    }

    /// The value at a coordinate, which is clamped to [0, 1] first (NaN counts as the middle).
    #[inline]
    pub fn decode(&self, u: f64) -> f64 {
        match self {
            Self::Real { low, high, log } => match clamp(u) {
                0.0 => *low,
                1.0 => *high,
                u if *log => {
                    let (a, b) = (libm::log(*low), libm::log(*high));
                    let x = libm::exp(a + u * (b - a));
                    meant(x, x, x * ROUNDING * (1.0 + a.abs().max(b.abs()))).max(*low).min(*high)
                }
                u => {
                    let x = low + u * (high - low);
                    let largest = low.abs().max(high.abs());
                    meant(x, largest, largest * ROUNDING).max(*low).min(*high)
                }
            },
            Self::Integer { low, .. } => low.saturating_add_unsigned(self.cell(u)) as f64,
            Self::Choice(values) => values.get(self.cell(u) as usize).copied().unwrap_or(f64::NAN),
        }
    }

    /// The canonical coordinate of a value: one that [`Axis::decode`] turns into exactly this value, if there is one. There is for each
    /// value that was decoded, and for each number of up to 12 digits (on a linear axis counted from the first digit of its larger
    /// end).
    ///
    /// A value outside the axis goes to the nearer end, one between whole numbers to the nearest, one that is no
    /// choice to the nearest choice (the first one of equals); NaN goes to the middle, or to the first choice.
    pub fn encode(&self, value: f64) -> f64 {
        match self {
            Self::Real { low, high, log } => {
                if value.is_nan() || low == high {
                    0.5
                } else if value <= *low {
                    0.0
                } else if value >= *high {
                    1.0
                } else if *log {
                    let (a, b) = (libm::log(*low), libm::log(*high));
                    self.exact(value, clamp((libm::log(value) - a) / (b - a)))
                } else {
                    self.exact(value, clamp((value - low) / (high - low)))
                }
            }
            Self::Integer { low, high } => {
                if value.is_nan() {
                    return self.middle(self.cell(0.5));
                }
                let whole = (value.round() as i64).clamp(*low, *high);
                self.middle(whole.abs_diff(*low))
            }
            Self::Choice(values) => {
                let mut nearest = 0;
                for (i, v) in values.iter().enumerate() {
                    if (v - value).abs() < (values[nearest] - value).abs() {
                        nearest = i;
                    }
                }
                self.middle(nearest as u64)
            }
        }
    }

    /// The coordinate that decodes to exactly `value`, near `guess` or anywhere; `guess` if there is none.
    fn exact(&self, value: f64, guess: f64) -> f64 {
        if self.decode(guess) == value {
            return guess;
        }
        // Decoding is monotone up to the last bit of `exp`, and the bits of positive numbers are in their order.
        let (mut below, mut above) = (0.0_f64.to_bits(), 1.0_f64.to_bits());
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if self.decode(f64::from_bits(middle)) < value { below = middle } else { above = middle }
        }
        let around = (above.saturating_sub(AROUND)..=above + AROUND).map(f64::from_bits);
        around.filter(|u| *u <= 1.0).find(|&u| self.decode(u) == value).unwrap_or(guess)
    }

    /// The coordinate that stands for all coordinates of the same value: the middle of the cell, or the clamped
    /// coordinate of a real number (0.5 if its ends are equal).
    #[inline]
    pub fn canonical(&self, u: f64) -> f64 {
        match self.cells() {
            Some(_) => self.middle(self.cell(u)),
            None => clamp(u),
        }
    }
}

/// Rounding errors of encoding and decoding, in parts of the largest number that occurs: at most seven of half a unit in the last
/// place, 2^-53, each.
const ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

/// How many coordinates to both sides are looked at for a value.
const AROUND: u64 = 8;

/// The decimal number that was meant: the nearest one that ends at the twelfth digit of `largest`, if it is no further from `x` than
/// rounding errors take it (`off`), otherwise `x`.
///
/// So the few numbers that people write come back as they were written, and all others stay as they are.
fn meant(x: f64, largest: f64, off: f64) -> f64 {
    let twelfth = libm::floor(libm::log10(largest)) - 11.0;
    let unit: f64 = format!("1e{twelfth}").parse().unwrap_or(0.0);
    let short: f64 = format!("{:.0}e{twelfth}", x / unit).parse().unwrap_or(x);
    // Adding 0 makes -0 a 0.
    if libm::fabs(short - x) <= off { short + 0.0 } else { x }
}

/// Into [0, 1], with NaN to 0.5 and -0 to 0.
#[inline]
fn clamp(u: f64) -> f64 {
    if u.is_nan() { 0.5 } else { u.clamp(0.0, 1.0) + 0.0 }
}

/// One gene: its name and what it can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Gene {
    /// Its name; in an experiment the dotted key of the file.
    pub key: String,
    /// What it can be.
    pub axis: Axis,
}

impl Gene {
    /// A real number from `low` to `high`.
    pub fn real(key: &str, low: f64, high: f64) -> Self {
        Self { key: key.to_owned(), axis: Axis::Real { low, high, log: false } }
    }

    /// A real number from `low` to `high`, both above 0, searched by orders of magnitude.
    pub fn log(key: &str, low: f64, high: f64) -> Self {
        Self { key: key.to_owned(), axis: Axis::Real { low, high, log: true } }
    }

    /// A whole number from `low` to `high`, both included.
    pub fn integer(key: &str, low: i64, high: i64) -> Self {
        Self { key: key.to_owned(), axis: Axis::Integer { low, high } }
    }

    /// One of `count` things without an order, as the values 0 to `count` - 1.
    pub fn choice(key: &str, count: u32) -> Self {
        Self { key: key.to_owned(), axis: Axis::Choice((0..count).map(f64::from).collect()) }
    }
}

/// The bits of numbers, as the key of a map; both zeros are one number.
pub fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| (x + 0.0).to_bits()).collect()
}

/// What is searched: all genes, in the order of the coordinates of a [`Genome`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// The genes.
    pub genes: Vec<Gene>,
}

impl Space {
    /// A space of these genes.
    ///
    /// # Errors
    /// As [`Space::check`].
    pub fn new(genes: impl IntoIterator<Item = Gene>) -> Result<Self, Error> {
        let space = Self { genes: genes.into_iter().collect() };
        space.check()?;
        Ok(space)
    }

    /// The unit cube: `n` real numbers `x0`, `x1`, ... from 0 to 1.
    pub fn unit(n: usize) -> Self {
        Self { genes: (0..n).map(|i| Gene::real(&format!("x{i}"), 0.0, 1.0)).collect() }
    }

    /// Looks for mistakes.
    ///
    /// # Errors
    /// Names the first gene whose key another one has, whose ends are not finite or in the wrong order, whose lower end is not
    /// above 0 where `log` is set, or that has no choices or one of them twice.
    pub fn check(&self) -> Result<(), Error> {
        for (i, Gene { key, axis }) in self.genes.iter().enumerate() {
            let wrong = |what: String| Err(Error::input(format!("the gene `{key}` {what}")).key(key.as_str()));
            if self.genes[..i].iter().any(|other| other.key == *key) {
                return wrong("is there twice".to_owned());
            }
            match axis {
                Axis::Real { low, high, log } => {
                    if !(low <= high && low.is_finite() && high.is_finite()) {
                        return wrong(format!("goes from {low} to {high}"));
                    }
                    if *log && *low <= 0.0 {
                        return wrong(format!("is logarithmic and goes down to {low}, which is not above 0"));
                    }
                }
                Axis::Integer { low, high } if low > high => return wrong(format!("goes from {low} to {high}")),
                Axis::Integer { .. } => {}
                Axis::Choice(values) => {
                    if values.is_empty() || values.iter().any(|v| !v.is_finite()) {
                        return wrong("has no choices, or one that is not finite".to_owned());
                    }
                    let mut keys = bits(values);
                    keys.sort_unstable();
                    if keys.windows(2).any(|pair| pair[0] == pair[1]) {
                        return wrong("has a choice twice".to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    /// Number of genes.
    pub fn len(&self) -> usize {
        self.genes.len()
    }

    /// True if nothing is searched.
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }

    /// The values of a genome, one per gene; a coordinate outside [0, 1] is clamped, NaN counts as the middle.
    pub fn decode(&self, genome: &[f64]) -> Vec<f64> {
        self.genes.iter().zip(genome).map(|(gene, &u)| gene.axis.decode(u)).collect()
    }

    /// The canonical genome of these values, each moved into its axis as [`Axis::encode`] says.
    pub fn encode(&self, values: &[f64]) -> Genome {
        self.genes.iter().zip(values).map(|(gene, &value)| gene.axis.encode(value)).collect()
    }

    /// The genome that stands for all genomes of the same values: equal candidates have equal canonical genomes.
    pub fn canonical(&self, genome: &[f64]) -> Genome {
        self.genes.iter().zip(genome).map(|(gene, &u)| gene.axis.canonical(u)).collect()
    }

    /// What tells candidates apart: the bits of their values.
    pub fn key(&self, genome: &[f64]) -> Vec<u64> {
        bits(&self.decode(genome))
    }

    /// Number of distinct candidates, or `None` if a gene is real or the number exceeds 2^64 - 1; 1 for no genes.
    pub fn finite_size(&self) -> Option<u64> {
        self.genes.iter().try_fold(1_u64, |size, gene| size.checked_mul(gene.axis.cells()?))
    }

    /// The canonical genome number `index` of a finite space, the first gene running fastest; numbers beyond the
    /// size start again from 0.
    pub fn nth(&self, index: u64) -> Genome {
        let mut rest = index;
        self.genes
            .iter()
            .map(|gene| {
                let cells = gene.axis.cells().unwrap_or(1);
                let cell = rest % cells;
                rest /= cells;
                gene.axis.middle(cell)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn real(low: f64, high: f64, log: bool) -> Axis {
        Axis::Real { low, high, log }
    }

    #[test]
    fn values_by_hand() {
        assert_eq!(real(2.0, 6.0, false).decode(0.25), 3.0);
        assert!((real(1.0, 100.0, true).decode(0.5) - 10.0).abs() < 1e-13);
        let integer = Axis::Integer { low: -1, high: 2 };
        assert_eq!([0.0, 0.24, 0.25, 0.5, 0.99, 1.0].map(|u| integer.decode(u)), [-1.0, -1.0, 0.0, 1.0, 2.0, 2.0]);
        assert_eq!(integer.encode(0.0), 0.375);
        let choice = Axis::Choice(vec![5.0, 1.0]);
        assert_eq!([0.0, 0.49, 0.5, 1.0].map(|u| choice.decode(u)), [5.0, 5.0, 1.0, 1.0]);
        assert_eq!(choice.encode(1.0), 0.75);
    }

    #[test]
    fn a_published_constant_comes_back_to_the_last_bit() {
        // Each of these came back as its neighbor.
        for (x, axis) in [
            (120_000.0, real(1000.0, 1e6, true)),
            (0.3, real(0.1, 2.0, false)),
            (0.1, real(-5.0, 5.0, false)),
            (2000.0, real(50.0, 5000.0, true)),
            (-0.7, real(-3.0, 2.0, false)),
        ] {
            assert_eq!(axis.decode(axis.encode(x)), x);
        }
        assert_eq!(real(-5.0, 5.0, false).decode(0.5).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn what_lies_outside_is_clamped() {
        let axis = real(2.0, 6.0, false);
        assert_eq!([-1.0, 2.0, f64::NAN].map(|u| axis.decode(u)), [2.0, 6.0, 4.0]);
        assert_eq!([1.0, 7.0, f64::NAN].map(|x| axis.encode(x)), [0.0, 1.0, 0.5]);
        assert_eq!(Axis::Integer { low: 1, high: 4 }.encode(9.0), 0.875);
        assert_eq!(Axis::Choice(vec![0.0, 2.0]).encode(f64::NAN), 0.25);
        assert_eq!(axis.canonical(-0.0).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn size_is_counted_and_enumerated_once() {
        let gene = |axis| Gene { key: String::new(), axis };
        let finite = Space { genes: vec![gene(Axis::Integer { low: 0, high: 2 }), gene(Axis::Choice(vec![7.0, 9.0]))] };
        assert_eq!(finite.finite_size(), Some(6));
        let all: Vec<Vec<f64>> = (0..6).map(|i| finite.decode(&finite.nth(i))).collect();
        assert_eq!(all, [[0.0, 7.0], [1.0, 7.0], [2.0, 7.0], [0.0, 9.0], [1.0, 9.0], [2.0, 9.0]]);
        assert_eq!(Space { genes: vec![gene(real(0.0, 1.0, false))] }.finite_size(), None);
        assert_eq!(Space { genes: vec![gene(real(3.0, 3.0, false))] }.finite_size(), Some(1));
        assert_eq!(Space::default().finite_size(), Some(1));
    }

    #[test]
    fn spaces_that_are_none_are_refused() {
        let space = Space::new([Gene::real("a", 0.0, 1.0), Gene::log("b", 0.1, 9.0), Gene::choice("c", 3)]).unwrap();
        assert_eq!(space.decode(&[0.5, 1.0, 0.9]), [0.5, 9.0, 2.0]);
        for (gene, words) in [
            (Gene::real("x", 2.0, 1.0), "from 2 to 1"),
            (Gene::real("x", 0.0, f64::INFINITY), "to inf"),
            (Gene::real("x", f64::NAN, 1.0), "from NaN"),
            (Gene::log("x", 0.0, 1.0), "not above 0"),
            (Gene::integer("x", 3, 2), "from 3 to 2"),
            (Gene::choice("x", 0), "no choices"),
            (Gene { key: "x".into(), axis: Axis::Choice(vec![0.0, -0.0]) }, "twice"),
            (Gene::real("y", 0.0, 1.0), "twice"),
        ] {
            let error = Space::new([Gene::integer("y", 0, 1), gene]).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_was_decoded_comes_back(low in -1e6..1e6_f64, span in 1e-3..1e6_f64, u in 0.0..=1.0_f64, small in 0..60) {
            let lowest = low.abs() + 1e-6;
            for axis in [real(low, low + span, false), real(0.0, span, false), real(lowest, lowest * (1.0 + span), true)] {
                for u in [u, u * 0.5_f64.powi(small), 1.0 - u * 0.5_f64.powi(small)] {
                    let x = axis.decode(u);
                    prop_assert_eq!(axis.decode(axis.encode(x)).to_bits(), x.to_bits());
                    prop_assert_eq!(axis.encode(axis.decode(axis.encode(x))).to_bits(), axis.encode(x).to_bits());
                }
            }
            let axis = real(low, low + span, false);
            prop_assert_eq!([0.0, 1.0].map(|u| axis.decode(u)), [low, low + span]);
        }

        #[test]
        fn what_people_write_comes_back(
            digits in 1_u64..1_000_000_000_000, tens in -15_i32..6, below in 0.01..1.0_f64, above in 1.0..1e4_f64,
        ) {
            let x: f64 = format!("{digits}e{tens}").parse().unwrap();
            for axis in [real(x * below.powi(9), x * above, true), real(x * below, x * above.min(9.0), false)] {
                // On a linear axis digits are counted from the first one of the larger end: one is lost here.
                let short = (digits / 10 * 10) as f64;
                let x = if matches!(axis, Axis::Real { log: true, .. }) { x } else { short * 10_f64.powi(tens) };
                let x: f64 = format!("{x:.11e}").parse().unwrap();
                if axis.decode(0.0) <= x && x <= axis.decode(1.0) {
                    prop_assert_eq!(axis.decode(axis.encode(x)).to_bits(), x.to_bits());
                }
            }
        }

        #[test]
        fn cells_come_back(low in -1_i64 << 40..1_i64 << 40, count in 1_i64..1 << 45, pick in 0.0..1.0_f64) {
            let axis = Axis::Integer { low, high: low + count - 1 };
            let x = (low + (pick * count as f64) as i64) as f64;
            prop_assert_eq!(axis.decode(axis.encode(x)), x);
            let u = axis.encode(x);
            prop_assert_eq!(axis.canonical(u).to_bits(), u.to_bits());
            let choice = Axis::Choice((0..count.min(50)).map(|i| (i * 7 % 50) as f64).collect());
            for i in 0..count.min(50) {
                let x = (i * 7 % 50) as f64;
                prop_assert_eq!(choice.decode(choice.encode(x)), x);
            }
        }

        #[test]
        fn decoding_is_monotone(a in 0.0..=1.0_f64, b in 0.0..=1.0_f64) {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            for axis in [real(-3.0, 5.0, false), real(0.02, 5000.0, true), real(0.1, 0.3, false), Axis::Integer { low: -7, high: 12 }] {
                prop_assert!(axis.decode(a) <= axis.decode(b));
                let next = f64::from_bits(a.to_bits() + 1);
                prop_assert!(axis.decode(a) <= axis.decode(next) * (1.0 + 1e-15 * axis.decode(a).signum()));
            }
        }
    }
}
