//! Are losses noisy? Somebody may know. If not, now and then a twin of the best candidate is evaluated, so close to it that a
//! smooth loss would not change. A test of our own: docs/decisions.md.

use crate::cost::{Cost, compare};
use crate::{Genome, Space};

/// Distance of a twin in every real gene. Chosen here: a millionth of a range changes nothing that was meant to be tuned.
const APART: f64 = 1e-6;
/// If a twin differs, another one follows at this share of the distance: in a steep valley its loss differs by so much less,
/// with noise by as much as before. Chosen here: two thirds of the digits of a number.
const CLOSER: f64 = 1e-3;
/// It is noise if the closer twin still differs by this share of the first gap. Chosen here: noise passes nine times in ten, valleys never.
const STILL: f64 = 0.1;
/// Evaluations per real gene between two twins. Chosen here: one evaluation in a hundred for five genes.
pub const EVERY: usize = 20;
/// A twin differs if its gap exceeds this share of the interquartile range of the losses since the last twin. Chosen here:
/// far above what a millionth of a range does, while noise below it does not mislead yet.
const SHARE: f64 = 1e-2;

/// What is known of noise before the first loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Nothing: twins tell whether a candidate gives the same loss twice.
    Unknown,
    /// There is none.
    Exact,
    /// Candidates are judged by other random numbers than the search sees; how far those change a loss nobody knows.
    Fresh,
    /// They are, and those change it.
    Certain,
}

impl Noise {
    /// Whether the best loss of a search is partly luck; `None` where twins have to tell.
    pub(crate) fn luck(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Exact => Some(false),
            Self::Fresh | Self::Certain => Some(true),
        }
    }
}

impl From<Option<bool>> for Noise {
    /// Of somebody who knows, or does not.
    fn from(known: Option<bool>) -> Self {
        known.map_or(Self::Unknown, |noisy| if noisy { Self::Certain } else { Self::Exact })
    }
}

/// The test for noise.
#[derive(Clone, Debug)]
pub struct NoiseTest {
    /// True for real genes; whole numbers and choices have no close twins.
    real: Vec<bool>,
    /// Losses that the next twin waits for, at least.
    due: usize,
    /// The same, once there was one.
    later: usize,
    best: Option<(Genome, Cost)>,
    /// The loss whose twin is being evaluated.
    asked: Option<f64>,
    /// The candidate whose twin differed, its loss, and the gap; a closer twin has to confirm it.
    suspect: Option<(Genome, f64, f64)>,
    /// Losses since the last twin.
    losses: Vec<f64>,
    /// True if the last twin was no suspect.
    same: bool,
    seen: bool,
}

impl NoiseTest {
    /// No noise was seen yet; the first twin comes after so many evaluations per real gene.
    pub fn new(space: &Space, first: usize) -> Self {
        let real: Vec<bool> = space.genes.iter().map(|g| g.axis.is_real()).collect();
        let reals = real.iter().filter(|r| **r).count();
        Self {
            real,
            due: first * reals,
            later: EVERY * reals,
            best: None,
            asked: None,
            suspect: None,
            losses: Vec::new(),
            same: false,
            seen: false,
        }
    }

    /// Whether there is noise; `None` while nobody knows.
    pub fn told(&self) -> Option<bool> {
        match self.seen {
            true => Some(true),
            false => self.same.then_some(false),
        }
    }

    /// True once noise was seen.
    pub fn seen(&self) -> bool {
        self.seen
    }

    /// Takes an evaluation, the twin's or any other.
    pub fn see(&mut self, twin: bool, genome: &[f64], cost: Option<Cost>) {
        let asked = if twin { self.asked.take() } else { None };
        let Some(cost) = cost else { return };
        if let Some(loss) = asked {
            let (gap, feasible) = ((cost.1 - loss).abs(), cost.0 <= 0.0);
            if let Some((_, _, before)) = self.suspect.take() {
                self.seen = feasible && gap > STILL * before;
            } else {
                let range = spread(&mut self.losses);
                self.losses.clear();
                let best = self.best.as_ref().filter(|best| best.1.1 == loss);
                let differs = feasible && gap > SHARE * range && range > 0.0;
                self.same = !differs;
                self.due = self.later;
                self.suspect = best.filter(|_| differs).map(|best| (best.0.clone(), loss, gap));
            }
        }
        if !self.seen && cost.0 <= 0.0 {
            self.losses.push(cost.1);
        }
        if self.best.as_ref().is_none_or(|best| compare(cost, best.1).is_lt()) {
            self.best = Some((genome.to_vec(), cost));
        }
    }

    /// The next twin, when it is time for one.
    pub fn twin(&mut self) -> Option<Genome> {
        if self.seen || self.asked.is_some() || self.due == 0 {
            return None;
        }
        let (of, loss, apart) = match &self.suspect {
            Some((of, loss, _)) => (of, *loss, CLOSER * APART),
            None if self.losses.len() < self.due => return None,
            None => {
                let (best, cost) = self.best.as_ref().filter(|b| b.1.0 <= 0.0)?;
                (best, cost.1, APART)
            }
        };
        self.asked = Some(loss);
        let near = |(x, real): (&f64, &bool)| match real {
            true if *x > 0.5 => x - apart,
            true => x + apart,
            false => *x,
        };
        Some(of.iter().zip(&self.real).map(near).collect())
    }
}

/// Interquartile range.
fn spread(losses: &mut [f64]) -> f64 {
    losses.sort_by(f64::total_cmp);
    match losses.len() {
        0 => 0.0,
        n => losses[3 * n / 4] - losses[n / 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Gene};

    fn noise_of(f: impl Fn(usize, &[f64]) -> f64) -> NoiseTest {
        let real = Axis::Real { low: 0.0, high: 1.0, log: false };
        let space = Space { genes: vec![Gene { key: String::new(), axis: real }] };
        let mut noise = NoiseTest::new(&space, EVERY);
        for i in 0..60 {
            let twin = noise.twin();
            let genome = twin.clone().unwrap_or_else(|| vec![(i as f64 * 0.618).fract()]);
            noise.see(twin.is_some(), &genome, Some((0.0, f(i, &genome))));
        }
        noise
    }

    #[test]
    fn a_smooth_loss_has_none_and_a_jagged_one_has() {
        assert!(!noise_of(|_, x| (x[0] - 0.3).powi(2)).seen());
        assert!(noise_of(|i, x| (x[0] - 0.3).powi(2) + [0.0, 0.1, 0.3][i * i % 3]).seen());
    }

    #[test]
    fn a_steep_valley_is_not_noise() {
        // A search that has come so near to the bottom that a millionth of the range is a long way up.
        let loss = |x: f64| 1e10 * (x - 0.3) * (x - 0.3);
        let space =
            Space { genes: vec![Gene { key: String::new(), axis: Axis::Real { low: 0.0, high: 1.0, log: false } }] };
        let (mut noise, mut suspected) = (NoiseTest::new(&space, EVERY), false);
        for i in 0..100 {
            let twin = noise.twin();
            let genome = twin.clone().unwrap_or_else(|| vec![0.3 + 1e-9 * f64::from(i % 20)]);
            noise.see(twin.is_some(), &genome, Some((0.0, loss(genome[0]))));
            suspected |= noise.suspect.is_some();
            assert!(!noise.seen());
        }
        assert!(suspected, "the closer twin was needed");
    }

    #[test]
    fn whole_numbers_have_no_twins() {
        let space = Space { genes: vec![Gene { key: String::new(), axis: Axis::Integer { low: 0, high: 9 } }] };
        let mut noise = NoiseTest::new(&space, EVERY);
        (0..100).for_each(|i| noise.see(false, &[0.5], Some((0.0, f64::from(i)))));
        assert!(noise.twin().is_none());
    }
}
