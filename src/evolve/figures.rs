//! Bootstrap intervals over replicas.

use super::summary::Figure;
use crowdtune_core::math::rng::{Seed, below};
use crowdtune_core::math::stats;

/// Resamples of the replicas, drawn once, so that everything of one run is resampled jointly: all scenarios, all
/// targets, defaults and recommendation.
#[derive(Clone, Debug)]
pub struct Resamples {
    all: Vec<usize>,
    draws: Vec<Vec<usize>>,
}

impl Resamples {
    /// Draws them for runs of `replicas` replicas.
    pub fn new(seed: Seed, replicas: usize) -> Self {
        let mut rng = seed.child("bootstrap", 0).rng();
        // One replica says nothing of the scatter.
        let count = if replicas < 2 { 0 } else { stats::RESAMPLES };
        let draws = (0..count).map(|_| (0..replicas).map(|_| below(&mut rng, replicas)).collect()).collect();
        Self { all: (0..replicas).collect(), draws }
    }

    /// Several statistics of the replicas, each with its percentile 95 % interval; draws in which a statistic is
    /// undefined are left out of its interval.
    pub fn figures(&self, count: usize, statistics: impl Fn(&[usize]) -> Vec<Option<f64>>) -> Vec<Figure> {
        let values = statistics(&self.all);
        let drawn: Vec<_> = self.draws.iter().map(|d| statistics(d)).collect();
        (0..count)
            .map(|i| {
                let sample: Vec<f64> = drawn.iter().filter_map(|d| d[i]).filter(|x| x.is_finite()).collect();
                let end = |p| Some(stats::quantile(&sample, p)).filter(|x| x.is_finite());
                match values[i].filter(|x| x.is_finite()) {
                    None => Figure::default(),
                    value => Figure { value, low: end(0.025), high: end(0.975) },
                }
            })
            .collect()
    }

    /// One statistic.
    pub fn figure(&self, statistic: impl Fn(&[usize]) -> Option<f64>) -> Figure {
        self.figures(1, |rows| vec![statistic(rows)])[0]
    }
}
