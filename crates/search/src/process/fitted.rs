//! A process whose constants are found again as values come.

use super::hyper::{likelier, unknown};
use super::{Constants, Pairs, Process};

/// Steps of the first fit of constants, and of the others. Chosen here: later ones begin where the last one ended.
const FIRST_STEPS: usize = 40;
const STEPS: usize = 10;
/// A fit is due when so many values have come, a share of those it saw. Chosen here.
const DUE: f64 = 0.1;

/// The constants that were found last, and for how many values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fitted(Option<(Constants, usize)>);

impl Fitted {
    /// The process of these values, by constants that were found for as many as there are or nearly.
    pub fn process(&mut self, genes: &[usize], points: &[Vec<f64>], values: &[f64]) -> Option<Process> {
        let before = self.0.take();
        let due = before.as_ref().is_none_or(|(_, rows)| points.len() as f64 >= (1.0 + DUE) * *rows as f64);
        let fit = if due {
            let pairs = Pairs::new(genes, points);
            let unknown = unknown(genes.last().map_or(0, |g| g + 1));
            let mut fits = vec![likelier(&unknown, &pairs, values, FIRST_STEPS)];
            fits.extend(before.map(|(constants, _)| likelier(&constants, &pairs, values, STEPS)));
            let constants = fits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|fit| fit.1);
            constants.map(|constants| (constants, points.len()))
        } else {
            before
        };
        let process = fit.as_ref().and_then(|(constants, _)| Process::new(constants, genes, points, values));
        self.0 = fit;
        process
    }
}
