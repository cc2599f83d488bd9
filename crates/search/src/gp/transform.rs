//! Losses as a process likes them: even, of variance 1, and with a bad tail that does not count much.

/// How losses become values. Larger losses stay larger.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transform {
    /// Logarithms of the loss above the least one and this, if they suit the losses better.
    log: Option<(f64, f64)>,
    /// Beyond here only the logarithm of the distance, in units of `scale`, counts.
    bend: f64,
    scale: f64,
    /// Mean and deviation of what comes out.
    mean: f64,
    deviation: f64,
}

/// Share of the losses that counts in full. Chosen here: half of them.
const GOOD: f64 = 0.5;
/// What is added to losses under the logarithm, a share of the distance from the least loss to the middle one. Chosen here.
const SHIFT: f64 = 0.1;

impl Transform {
    /// For these losses, at least one.
    pub fn of(losses: &[f64]) -> Self {
        let mut sorted = losses.to_vec();
        sorted.sort_by(f64::total_cmp);
        let least = sorted[0];
        let middle = sorted[((sorted.len() - 1) as f64 * GOOD) as usize];
        let shift = SHIFT * (middle - least);
        // The tail is long if the bad half lies farther from the middle than the good one by far more than in an even distribution.
        let upper = sorted[((sorted.len() - 1) as f64 * 0.75) as usize] - middle;
        let lower = middle - sorted[((sorted.len() - 1) as f64 * 0.25) as usize];
        let log = (shift > 0.0 && upper > 2.0 * lower).then_some((least, shift));
        let mut transform = Self { log, bend: f64::INFINITY, scale: 1.0, mean: 0.0, deviation: 1.0 };
        let (low, bend) = (transform.raw(least), transform.raw(middle));
        if bend > low {
            (transform.bend, transform.scale) = (bend, bend - low);
        }
        let values: Vec<f64> = losses.iter().map(|&loss| transform.raw(loss)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / values.len() as f64;
        (transform.mean, transform.deviation) = (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 });
        transform
    }

    /// The value of a loss.
    pub fn value(&self, loss: f64) -> f64 {
        (self.raw(loss) - self.mean) / self.deviation
    }

    fn raw(&self, loss: f64) -> f64 {
        let x = match self.log {
            Some((least, shift)) => libm::log((loss - least + shift) / shift),
            None => loss,
        };
        if x > self.bend { self.bend + self.scale * libm::log(1.0 + (x - self.bend) / self.scale) } else { x }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_the_bad_tail_is_short() {
        let losses = [0.0, 1.0, 2.0, 3.0, 4.0, 1e6];
        let transform = Transform::of(&losses);
        let values = losses.map(|loss| transform.value(loss));
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        // In units of the good half the worst is ln 500,000 away and not 500,000.
        assert!(values[5] - values[2] < 14.0 * (values[2] - values[0]), "{values:?}");
        let (mean, of) = (values.iter().sum::<f64>() / 6.0, values.iter().map(|v| v * v).sum::<f64>() / 6.0);
        assert!(mean.abs() < 1e-12 && (of - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_losses_are_zeros() {
        assert_eq!(Transform::of(&[3.0]).value(3.0), 0.0);
        assert_eq!(Transform::of(&[2.0, 2.0, 2.0]).value(2.0), 0.0);
    }
}
