//! One side of a profile: where it has been, and how far it goes next.

use super::{End, GAP};

/// Points at most at one value. Chosen here: a first guess, and two after the model has seen how wrong it was.
const TRIES: usize = 3;
/// The first step where the model rises by this many thresholds. Chosen here: on the far side, rather than the near one, of the
/// end that is looked for.
const FIRST: f64 = 1.5;
/// A side is known well enough when the last value inside and the first outside differ by this share of the latter. Chosen here.
const CLOSE: f64 = 0.15;
/// The next value lies at least this share away from either. Chosen here.
const MARGIN: f64 = 0.2;

/// One side. Distances are positive here.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub line: usize,
    pub sign: f64,
    /// Where the range ends.
    end: f64,
    /// Distances with the points that were asked there, in the order of asking.
    values: Vec<(f64, Vec<usize>)>,
}

/// What is known of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The largest distance up to which all values are within the noise, and its best point.
    pub inside: f64,
    pub from: usize,
    /// The next value beyond it.
    pub outside: Option<f64>,
    /// How much worse than the best that one is.
    worse: f64,
    /// The value to try once more.
    pub retry: Option<Retry>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Retry {
    pub distance: f64,
    pub best: usize,
}

/// What a side needs before a claim can be made of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Claim {
    /// Nothing, or nothing yet.
    Done,
    /// This point once more.
    Again(usize),
    /// A point nearer to the best, `below` the nearest one that cannot be claimed.
    Back {
        /// Its distance.
        to: f64,
        /// The distance that it has to stay below.
        below: f64,
    },
}

impl Side {
    pub fn new(line: usize, sign: f64, way: &[f64], best: &[f64]) -> Self {
        let room = |(w, x): (&f64, &f64)| {
            let w = w * sign;
            if w > 0.0 {
                (1.0 - x) / w
            } else if w < 0.0 {
                -x / w
            } else {
                f64::INFINITY
            }
        };
        let end = way.iter().zip(best).map(room).fold(f64::INFINITY, f64::min).max(0.0);
        Self { line, sign, end, values: Vec::new() }
    }

    /// Notes a point that was asked at a distance.
    pub fn add(&mut self, distance: f64, point: usize) {
        match self.values.iter_mut().find(|(at, _)| *at == distance) {
            Some((_, points)) => points.push(point),
            None => self.values.push((distance, vec![point])),
        }
    }

    /// The best point at each value, nearest first, as signed distances.
    pub fn best(&self, worse: &dyn Fn(usize) -> f64) -> Vec<(f64, usize)> {
        let least =
            |points: &[usize]| points.iter().copied().fold(points[0], |a, b| if worse(b) < worse(a) { b } else { a });
        let mut all: Vec<(f64, usize)> = self.values.iter().map(|(at, points)| (*at, least(points))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.into_iter().map(|(at, point)| (self.sign * at, point)).collect()
    }

    pub fn state(&self, threshold: f64, worse: &dyn Fn(usize) -> f64) -> State {
        let mut state = State { inside: 0.0, from: 0, outside: None, worse: 0.0, retry: None };
        for (at, point) in self.best(worse) {
            let at = at.abs();
            if worse(point) <= threshold {
                (state.inside, state.from) = (at, point);
                continue;
            }
            (state.outside, state.worse) = (Some(at), worse(point));
            let tries = self.values.iter().find(|(value, _)| *value == at).map_or(0, |(_, points)| points.len());
            state.retry = (tries < TRIES).then_some(Retry { distance: at, best: point });
            break;
        }
        state
    }

    /// The next distance; `None` when the side is known well enough. `predicted` is the rise of the model at a distance.
    pub fn next(&self, state: &State, threshold: f64, predicted: &dyn Fn(f64) -> f64) -> Option<f64> {
        if self.end <= 1e-9 {
            return None;
        }
        if let Some(outside) = state.outside {
            let gap = outside - state.inside;
            if gap <= CLOSE * outside {
                return None;
            }
            // Where a parabola from the best through the value outside is as high as the threshold.
            let share = if state.worse.is_finite() { (threshold / state.worse).sqrt() } else { 0.5 };
            return Some((share * outside).clamp(state.inside + MARGIN * gap, outside - MARGIN * gap));
        }
        if self.ends(state.inside) {
            return None;
        }
        let most = self.end.min(state.inside + GAP);
        // The largest distance where the model is not yet too high.
        let (mut low, mut high) = (state.inside, most);
        if predicted(most) > FIRST * threshold {
            for _ in 0..20 {
                let middle = f64::midpoint(low, high);
                if predicted(middle) > FIRST * threshold { high = middle } else { low = middle }
            }
        } else {
            low = most;
        }
        // After a value inside at least as far again by half.
        Some(low.max(1.5 * state.inside).max(1e-4 * self.end).min(most))
    }

    /// True if the range ends at this distance.
    pub fn ends(&self, distance: f64) -> bool {
        distance >= self.end - 1e-9
    }

    pub fn end(&self, threshold: f64, worse: &dyn Fn(usize) -> f64, confirmed: &dyn Fn(usize) -> bool) -> End {
        let mut end = End::default();
        for (at, point) in self.best(worse) {
            if (at - end.inside).abs() > GAP + 1e-9 {
                break;
            }
            if worse(point) > threshold {
                end.outside = Some(at);
                break;
            }
            end.inside = at;
            if confirmed(point) {
                end.confirmed = at;
            }
        }
        end.reached = self.ends(end.inside.abs());
        end
    }
}
