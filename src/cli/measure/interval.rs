//! How sure a value measured on a recording is.

use crowdtune_core::math::stats;
use crowdtune_sim::metrics::Metric;

/// How the interval is made, in words.
pub const METHOD: &str = "95 %, Student's t from the means of 10 blocks of successive measurements";

/// Blocks. Chosen here: of a minute each has six seconds, in which a crowd forgets how it was; with 10 the interval is 15 % wider than
/// with many.
const BLOCKS: usize = 10;
/// Student's t with nine degrees of freedom, 97.5 %.
const T: f64 = 2.262;

/// The interval of a value that is the mean of the single measurements behind it, or one over that mean, as a flow is of time gaps;
/// `None` for any other value, and with fewer than two measurements a block. Successive measurements depend on each other, so not
/// they are counted but blocks of them (batch means; Law, Kelton, Simulation Modeling and Analysis).
/// `width_m` is the length of the line, over which a specific flow is taken.
pub fn interval(metric: &dyn Metric, width_m: Option<f64>) -> Option<(f64, f64)> {
    let (value, samples) = (metric.value()?, metric.samples());
    if samples.len() < 2 * BLOCKS || samples.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let near = |x: f64| (x - value).abs() <= 1e-6 * value.abs();
    let mean = stats::mean(&samples);
    // What the value is times one over the mean; `None` for the mean itself.
    let over = match () {
        () if near(mean) => None,
        () if near(1.0 / mean) => Some(1.0),
        () => Some(1.0 / width_m.filter(|width| near(1.0 / (mean * width)))?),
    };
    let at = |k: usize| k * samples.len() / BLOCKS;
    let means: Vec<f64> = (0..BLOCKS).map(|k| stats::mean(&samples[at(k)..at(k + 1)])).collect();
    let half = T * stats::sd(&means) / (BLOCKS as f64).sqrt();
    match over {
        None => Some((mean - half, mean + half)),
        Some(over) => (mean > half).then(|| (over / (mean + half), over / (mean - half))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_sim::metrics::Seen;

    struct Known(f64, Vec<f64>);

    impl Metric for Known {
        fn observe(&mut self, _: &Seen<'_>) {}
        fn value(&self) -> Option<f64> {
            Some(self.0)
        }
        fn samples(&self) -> Vec<f64> {
            self.1.clone()
        }
        fn reset(&mut self) {}
    }

    #[test]
    fn a_mean_has_an_interval_from_its_blocks() {
        // Ten blocks of five equal values, 0.5 or 1.5 in turn: the sample deviation of the blocks is 0.527.
        let samples: Vec<f64> = (0..50).map(|k| if (k / 5) % 2 == 0 { 0.5 } else { 1.5 }).collect();
        let (low, high) = interval(&Known(1.0, samples.clone()), None).unwrap();
        assert!((high - 1.0 - 2.262 / 6.0).abs() < 1e-9 && (low + high - 2.0).abs() < 1e-9);
        // One over the mean, as a flow.
        let half = samples.iter().map(|x| 2.0 * x).collect::<Vec<_>>();
        let (low, high) = interval(&Known(0.5, half.clone()), None).unwrap();
        assert!((1.0 / low + 1.0 / high - 4.0).abs() < 1e-9 && low < 0.5 && 0.5 < high);
        // And over a line of 2 m.
        let (less, more) = interval(&Known(0.25, half.clone()), Some(2.0)).unwrap();
        assert!((low - 2.0 * less).abs() < 1e-12 && (high - 2.0 * more).abs() < 1e-12);
        assert_eq!(interval(&Known(0.25, half), None), None);
    }

    #[test]
    fn what_is_no_mean_of_its_measurements_has_none() {
        let samples: Vec<f64> = (0..50).map(f64::from).collect();
        assert_eq!(interval(&Known(49.0, samples.clone()), None), None);
        assert_eq!(interval(&Known(9.0, samples[..19].to_vec()), None), None);
    }
}
