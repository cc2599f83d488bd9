//! When a run ends: the criteria of BIPOP-CMA-ES, Hansen, GECCO 2009 companion, doi 10.1145/1570256.1570333.

use super::gaussian::Gaussian;
use std::collections::VecDeque;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Losses no longer differ.
    Flat,
    /// Steps are too small to matter.
    Small,
    /// The covariance is too ill-conditioned to compute with.
    Condition,
    /// No progress for a long time.
    Stagnation,
}

/// True if two losses do not differ: TolFun, and the rounding of losses of this size.
pub fn same(low: f64, high: f64) -> bool {
    high - low <= 1e-11 + 1e-15 * high.abs().min(1e290)
}

/// Watches the best losses of a run, or its violations while nothing is feasible.
#[derive(Clone, Debug)]
pub struct Stops {
    n: usize,
    lambda: usize,
    sigma: f64,
    /// Best loss of each generation, newest last.
    history: VecDeque<f64>,
}

impl Stops {
    /// For n numbers, generations of `lambda` candidates and the first step size `sigma`.
    pub fn new(n: usize, lambda: usize, sigma: f64) -> Self {
        Self { n, lambda, sigma, history: VecDeque::new() }
    }

    /// Takes best and worst loss of a generation that is over; why the run has ended, if it has.
    pub fn watch(&mut self, best: f64, worst: f64, gaussian: &Gaussian) -> Option<End> {
        let n = self.n.max(1);
        let short = 10 + (30 * n).div_ceil(self.lambda);
        let long = 120 + 30 * n / self.lambda;
        self.history.push_back(best);
        let generation = gaussian.generation();
        let keep = long.max(short).max((generation / 5) as usize).min(20_000);
        while self.history.len() > keep {
            self.history.pop_front();
        }
        let recent = self.history.iter().rev().take(short);
        let (low, high) = recent.fold((best, worst), |(l, h), x| (l.min(*x), h.max(*x)));
        let flat = self.history.len() >= short && same(low, high);
        if flat || self.n == 0 && generation > 50 {
            return Some(End::Flat);
        }
        // TolX
        if gaussian.reach() < 1e-11 * self.sigma {
            return Some(End::Small);
        }
        if gaussian.condition() > 1e14 {
            return Some(End::Condition);
        }
        (self.history.len() >= long && self.stagnant()).then_some(End::Stagnation)
    }

    /// True if the median of the newest third is no better than that of the oldest.
    fn stagnant(&self) -> bool {
        let third = self.history.len() * 3 / 10;
        let median = |part: &mut dyn Iterator<Item = &f64>| {
            let mut part: Vec<f64> = part.take(third).copied().collect();
            *part.select_nth_unstable_by(third / 2, f64::total_cmp).1
        };
        median(&mut self.history.iter().rev()) >= median(&mut self.history.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generation, from 1 on, in which a run with such best losses ends, and why.
    fn end(losses: impl Fn(u32) -> f64) -> Option<(u32, End)> {
        let gaussian = Gaussian::new(&[0.5; 2], 0.2, 6);
        let mut stops = Stops::new(2, 6, 0.2);
        (1..400).find_map(|k| stops.watch(losses(k), losses(k) + 1e-12, &gaussian).map(|end| (k, end)))
    }

    #[test]
    fn flat_stagnant_and_going_on() {
        // 10 + 60 / 6 generations, and 120 + 60 / 6.
        assert_eq!(end(|_| 3.0), Some((20, End::Flat)));
        assert_eq!(end(|k| f64::from(k % 7)), Some((130, End::Stagnation)));
        assert_eq!(end(|k| -f64::from(k)), None);
    }

    #[test]
    fn steps_too_small() {
        let gaussian = Gaussian::new(&[0.5; 2], 1e-13, 6);
        assert_eq!(Stops::new(2, 6, 0.2).watch(0.0, 1.0, &gaussian), Some(End::Small));
    }
}
