//! A process whose constants are found again as values come.

use super::hyper::{likelier, unknown};
use super::{Constants, Pairs, Process};

/// Steps of the first fit of constants, and of the others. Chosen here: later ones begin where the last one ended.
const FIRST_STEPS: usize = 40;
const STEPS: usize = 10;
/// A fit is due when so many values have come, a share of those it saw. Chosen here.
const DUE: f64 = 0.1;

/// Where many processes are fitted, a fit also begins from what is usual only when there are so many times the values of the last one that did.
/// Chosen here: such fits take most of the time.
const ANEW: usize = 2;

/// The constants that were found last, and for how many values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fitted {
    found: Option<(Constants, usize)>,
    /// For how many values a fit last began from what is usual.
    anew: usize,
}

impl Fitted {
    /// The process of these values, by constants that were found for as many as there are or nearly.
    pub fn process(&mut self, genes: &[usize], points: &[Vec<f64>], values: &[f64]) -> Option<Process> {
        self.next(genes, points, values, true)
    }

    /// The same for one of many processes, in less time.
    pub fn one_of_many(&mut self, genes: &[usize], points: &[Vec<f64>], values: &[f64]) -> Option<Process> {
        let anew = self.found.is_none() || points.len() >= ANEW * self.anew;
        self.next(genes, points, values, anew)
    }

    /// If a fit is due, it begins where the last one ended, and `anew` from what is usual, too.
    fn next(&mut self, genes: &[usize], points: &[Vec<f64>], values: &[f64], anew: bool) -> Option<Process> {
        let rows = points.len();
        let before = self.found.take();
        if before.as_ref().is_none_or(|(_, fitted)| rows as f64 >= (1.0 + DUE) * *fitted as f64) {
            let pairs = Pairs::new(genes, points);
            let unknown = anew.then(|| unknown(genes.last().map_or(0, |g| g + 1)));
            self.anew = if anew { rows } else { self.anew };
            let fits = unknown.map(|unknown| likelier(&unknown, &pairs, values, FIRST_STEPS)).into_iter();
            let fits = fits.chain(before.map(|(constants, _)| likelier(&constants, &pairs, values, STEPS)));
            self.found = fits.min_by(|a, b| a.0.total_cmp(&b.0)).map(|fit| (fit.1, rows));
        } else {
            self.found = before;
        }
        self.found.as_ref().and_then(|(constants, _)| Process::new(constants, genes, points, values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Room;
    use crowdtune_core::math::rng::{Seed, unit};

    #[test]
    fn one_of_many_is_fitted_less_often_and_says_nearly_the_same() {
        let mut rng = Seed(2).rng();
        let points: Vec<Vec<f64>> = (0..60).map(|_| vec![unit(&mut rng), unit(&mut rng)]).collect();
        let values: Vec<f64> = points.iter().map(|p| libm::sin(5.0 * p[0]) + p[1]).collect();
        let (mut one, mut many, mut room) = (Fitted::default(), Fitted::default(), Room::default());
        let mut anew = Vec::new();
        for n in 10..=60 {
            let (points, values) = (&points[..n], &values[..n]);
            let [a, b] = [one.process(&[0, 1], points, values), many.one_of_many(&[0, 1], points, values)];
            let off = [a, b].map(|process| process.unwrap().mean(&[0.4, 0.6], &mut room) - libm::sin(2.0) - 0.6);
            assert!(n < 30 || off.iter().all(|off| off.abs() < 0.01), "{n}: {off:?}");
            anew.push((one.anew, many.anew));
        }
        // Every tenth more, where a fit is due, and every time there are twice as many.
        let times = |of: fn(&(usize, usize)) -> usize| anew.iter().map(of).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(times(|(_, many)| *many).into_iter().collect::<Vec<_>>(), [10, 21, 46]);
        assert!(times(|(one, _)| *one).len() > 12, "{anew:?}");
    }
}
