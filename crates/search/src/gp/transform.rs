//! Losses as a process likes them: of variance 1, and with a bad tail that does not count much.

use crowdtune_core::math::stats;

/// How losses are looked at. A process is a guess of what a loss is like, and the two are wrong about different losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum View {
    /// All losses count in full, unless they are far out or span decades.
    Wide,
    /// The good half counts, and logarithms where the bad half lies far off.
    Close,
}

impl View {
    /// Both, the first one first.
    pub const ALL: [View; 2] = [View::Wide, View::Close];

    /// Losses count in full up to so many times the distance from the least one to the middle one. Chosen here: what is far out is bent, or the worse half.
    pub fn full(self) -> f64 {
        match self {
            Self::Wide => 3.0,
            Self::Close => 1.0,
        }
    }
}

/// How losses become values. Larger losses stay larger.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transform {
    /// Logarithms of the loss above the least one and this.
    log: Option<(f64, f64)>,
    /// Beyond here only the logarithm of the distance, in units of `scale`, counts.
    bend: f64,
    scale: f64,
    /// Mean and deviation of what comes out.
    mean: f64,
    deviation: f64,
}

/// Losses span decades if the one that three quarters are below is so many times the least one. Chosen here: four decades, beyond which
/// the good ones would all look alike.
const DECADES: f64 = 1e4;
/// The bad half lies far off if its middle is so many times as far from the middle of all as that of the good half. Chosen here.
const TAIL: f64 = 2.0;
/// What is added to losses under the logarithm, a share of the distance from the least loss to the middle one. Chosen here.
const SHIFT: f64 = 0.1;
impl Transform {
    /// For these losses, at least one.
    pub fn of(losses: &[f64], view: View) -> Self {
        let mut sorted = losses.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
        let (least, middle) = (sorted[0], at(0.5));
        let shift = SHIFT * (middle - least);
        let far = match view {
            View::Wide => least >= 0.0 && at(0.75) > DECADES * least,
            View::Close => at(0.75) - middle > TAIL * (middle - at(0.25)),
        };
        let log = (shift > 0.0 && far).then_some((least, shift));
        let mut transform = Self { log, bend: f64::INFINITY, scale: 1.0, mean: 0.0, deviation: 1.0 };
        let (low, middle) = (transform.raw(least), transform.raw(middle));
        if middle > low {
            (transform.bend, transform.scale) = (low + view.full() * (middle - low), middle - low);
        }
        let values: Vec<f64> = losses.iter().map(|&loss| transform.raw(loss)).collect();
        (transform.mean, transform.deviation) = spread(&values);
        transform
    }

    /// The value of a loss.
    pub fn value(&self, loss: f64) -> f64 {
        (self.raw(loss) - self.mean) / self.deviation
    }

    /// The loss of a value.
    pub fn loss(&self, value: f64) -> f64 {
        let bent = value * self.deviation + self.mean;
        let x =
            if bent > self.bend { self.bend + self.scale * libm::expm1((bent - self.bend) / self.scale) } else { bent };
        self.log.map_or(x, |(least, shift)| least + shift * libm::expm1(x))
    }

    fn raw(&self, loss: f64) -> f64 {
        let x = match self.log {
            Some((least, shift)) => libm::log((loss - least + shift) / shift),
            None => loss,
        };
        if x > self.bend { self.bend + self.scale * libm::log(1.0 + (x - self.bend) / self.scale) } else { x }
    }
}

/// Mean and deviation of all there are; the deviation of equal numbers is 1.
pub(super) fn spread(values: &[f64]) -> (f64, f64) {
    let mean = stats::mean(values);
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / values.len() as f64;
    (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_the_bad_tail_is_short() {
        let losses = [0.0, 1.0, 2.0, 3.0, 4.0, 1e6];
        for (view, far) in [(View::Wide, 16.0), (View::Close, 14.0)] {
            let transform = Transform::of(&losses, view);
            let values = losses.map(|loss| transform.value(loss));
            assert!(values.is_sorted_by(|a, b| a < b), "{view:?} {values:?}");
            // In units of the good half the worst is ln 500,000 away, from far 2 more, and not 500,000.
            assert!(values[5] - values[2] < far * (values[2] - values[0]), "{view:?} {values:?}");
            let (mean, of) = (values.iter().sum::<f64>() / 6.0, values.iter().map(|v| v * v).sum::<f64>() / 6.0);
            assert!(mean.abs() < 1e-12 && (of - 1.0).abs() < 1e-12);
            let back = values.map(|value| transform.loss(value));
            assert!(back.iter().zip(&losses).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b)), "{view:?} {back:?}");
        }
    }

    #[test]
    fn where_losses_span_decades_the_good_ones_are_told_apart() {
        // How far the second is from the best one, as a share of the distance of the middle one.
        let apart = |losses: [f64; 5]| {
            let transform = Transform::of(&losses, View::Wide);
            let [first, second, middle, ..] = losses.map(|loss| transform.value(loss));
            (second - first) / (middle - first)
        };
        assert!((apart([1.0, 3.0, 10.0, 20.0, 50.0]) - 2.0 / 9.0).abs() < 1e-12);
        assert!(apart([1e-5, 3e-5, 1e-4, 1.0, 50.0]) > 0.4);
    }

    #[test]
    fn the_close_view_leaves_less_of_the_bad_half() {
        let losses = [1.0, 3.0, 10.0, 20.0, 50.0];
        let bad = |view| {
            let transform = Transform::of(&losses, view);
            let [first, _, middle, .., worst] = losses.map(|loss| transform.value(loss));
            (worst - middle) / (middle - first)
        };
        assert!(bad(View::Close) < 0.8 * bad(View::Wide));
    }

    #[test]
    fn equal_losses_are_zeros() {
        for view in View::ALL {
            assert_eq!(Transform::of(&[3.0], view).value(3.0), 0.0);
            assert_eq!(Transform::of(&[2.0, 2.0, 2.0], view).value(2.0), 0.0);
        }
    }
}
