//! How smoothly people walk.

use super::series::Ratio;
use super::tracks::Tracks;
use super::{MakeMetric, Metric, Seen, Spec, Window};
use crate::world::scenario::Scenario;
use crowdtune_core::math::Vec2;
use crowdtune_core::registry::{Entry, Param, Settings};

/// Mean squared jerk.
pub static JERK_M2_PER_S6: Entry<MakeMetric> = Entry {
    name: "jerk_m2_per_s6",
    doc: "Mean squared jerk over people and samples, from a cubic fitted to `smooth_s` of each track.",
    source: "Savitzky and Golay 1964 (least squares, cubic); the span is chosen here",
    params: PARAMS,
    make: MakeMetric::new(&|spec, scenario| Box::new(Jerk::new(spec, scenario)), "m2/s6")
        .less_is_better()
        .window(Window::All)
        .of_group(),
};

const PARAMS: &[Param] = &[Param::real("smooth_s", "s", 0.5)
    .range(0.0, 10.0)
    .search(0.2, 2.0)
    .doc("span of the track that one cubic is fitted to; rounded to an even number of sample intervals, at least 4")
    .source("chosen here: half a second, longer than the jitter of a sample and shorter than a footstep")];

/// Samples to either side of the middle of the fit, at most. Chosen here: 2.5 s at 25 frames/s.
const MOST_ASIDE: usize = 32;
/// Share by which a step may be longer or shorter than the sample interval and still belong to the row. Chosen here: rounding
/// only; the last step of a run and the step to where somebody leaves are shorter.
const SLACK: f64 = 1e-3;

struct Jerk {
    tracks: Tracks,
    every_s: f64,
    /// Weights of the samples of a fit: weights times places sum to the third derivative.
    weights: Vec<f64>,
    /// By id: the last places, unwrapped, the oldest first, as many as weights each.
    places: Vec<Vec2>,
    /// By id: how many of them are in a row.
    count: Vec<usize>,
    /// Sum of squares and their number.
    sums: Ratio,
}

/// Weights of the third derivative of the cubic that fits 2 `aside` + 1 places best, at unit intervals: with the third
/// Gram polynomial P(i) = i^3 - i (3 m^2 + 3 m - 1) / 5 they are 6 P(i) / sum P^2.
fn weights(aside: usize) -> Vec<f64> {
    let m = aside as f64;
    let gram = |i: usize| {
        let i = i as f64 - m;
        i * i * i - i * (3.0 * m * m + 3.0 * m - 1.0) / 5.0
    };
    let squares: f64 = (0..=2 * aside).map(|i| gram(i) * gram(i)).sum();
    (0..=2 * aside).map(|i| 6.0 * gram(i) / squares).collect()
}

impl Jerk {
    fn new(spec: &Spec, scenario: &Scenario) -> Self {
        let people = scenario.people();
        let smooth_s = Settings::new(PARAMS, &spec.settings).get("smooth_s");
        let aside = (0.5 * smooth_s / spec.sample_every_s).round().clamp(2.0, MOST_ASIDE as f64) as usize;
        let cube = spec.sample_every_s * spec.sample_every_s * spec.sample_every_s;
        let weights: Vec<_> = weights(aside).into_iter().map(|w| w / cube).collect();
        Self {
            tracks: Tracks::of(people, spec.group),
            every_s: spec.sample_every_s,
            places: vec![Vec2::ZERO; people * weights.len()],
            count: vec![0; people],
            weights,
            sums: Ratio::new(spec, scenario),
        }
    }
}

impl Metric for Jerk {
    fn observe(&mut self, seen: &Seen<'_>) {
        let Self { tracks, every_s, weights, places, count, .. } = self;
        let size = weights.len();
        let (mut squares, mut fits) = (0.0, 0.0);
        tracks.steps(seen, |step| {
            if step.id >= count.len() {
                count.resize(step.id + 1, 0);
                places.resize((step.id + 1) * size, Vec2::ZERO);
            }
            let (places, count) = (&mut places[step.id * size..(step.id + 1) * size], &mut count[step.id]);
            let in_row = (step.duration_s() - *every_s).abs() <= SLACK * *every_s;
            if !in_row || !step.walks(seen, false) {
                *count = 0;
                return;
            }
            if *count == 0 {
                places[size - 1] = step.from;
                *count = 1;
            }
            let next = places[size - 1] + step.way();
            places.rotate_left(1);
            places[size - 1] = next;
            *count = (*count + 1).min(size);
            if *count == size {
                // The weights sum to 0: without the middle place nothing is lost to rounding far from the origin.
                let middle = places[size / 2];
                let fit = places.iter().zip(&*weights).fold(Vec2::ZERO, |sum, (&p, &w)| sum + (p - middle) * w);
                squares += fit.length2();
                fits += 1.0;
            }
        });
        self.sums.put(seen, squares, fits);
    }

    fn value(&self) -> Option<f64> {
        self.sums.value()
    }

    fn reset(&mut self) {
        self.tracks.reset();
        self.count.fill(0);
        self.sums.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Film, make, near};
    use super::*;
    use crowdtune_core::math::vec2;

    /// The metric of one person at `place(t)` on a ring of 10 m in x, 60 s long and sampled every 0.1 s.
    fn jerk(place: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
        let film = Film::ring(1, 100.0);
        let mut metric = make(&JERK_M2_PER_S6, &film);
        for k in 0..=600 {
            let time_s = 0.1 * f64::from(k);
            let (x, y) = place(time_s);
            let place = film.scenario.world.plan.periodic.wrap(vec2(x, y));
            film.show(metric.as_mut(), time_s, &[(0, (place.x, place.y))], &[]);
        }
        metric.value()
    }

    #[test]
    fn weights_are_those_of_savitzky_and_golay() {
        // Five points: -1/2, 1, 0, -1, 1/2; seven points: (-1, 1, 1, 0, -1, -1, 1) / 6.
        let close = |found: Vec<f64>, wanted: &[f64]| {
            assert_eq!(found.len(), wanted.len());
            assert!(found.iter().zip(wanted).all(|(f, w)| (f - w).abs() < 1e-12), "{found:?}");
        };
        close(weights(2), &[-0.5, 1.0, 0.0, -1.0, 0.5]);
        close(weights(3), &[-1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0].map(|w| w / 6.0));
    }

    #[test]
    fn a_cubic_has_its_third_derivative_and_a_parabola_none() {
        assert!(jerk(|t| (1.34 * t, 0.0)).unwrap() < 1e-12);
        assert!(jerk(|t| (0.5 * t, 0.02 * t * t)).unwrap() < 1e-12);
        // y = t^3 / 60: third derivative 0.1.
        near(jerk(|t| (0.5 * t, t * t * t / 60.0)), 0.01);
    }

    #[test]
    fn a_swaying_walk_has_the_mean_square_of_a_sine() {
        // y = A sin(w t): mean square A^2 w^6 / 2. The fit sees an odd filter of gain sum_i weight_i sin(w h i) in
        // place of w^3: 1 % too little at one sway in 6 s.
        let (size, w) = (0.1, std::f64::consts::TAU / 6.0);
        let found = jerk(|t| (t, size * libm::sin(w * t))).unwrap();
        let gain: f64 = weights(3).iter().enumerate().map(|(i, g)| g * libm::sin(w * 0.1 * (i as f64 - 3.0))).sum();
        let seen = size * size * gain * gain * 1e6 / 2.0;
        assert!((found / seen - 1.0).abs() < 0.01, "{found} {seen}");
        let exact = size * size * w * w * w * w * w * w / 2.0;
        assert!((found / exact - 1.0).abs() < 0.03, "{found} {exact}");
    }
}
