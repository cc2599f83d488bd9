//! Projected quasi-Newton descent (BFGS) with finite differences, for losses that proved smooth.
//!
//! BFGS on the inverse Hessian (Nocedal and Wright, Numerical Optimization, 2006, eq. 6.17) over the coordinates that are not
//! held by a bound, Armijo steps with quadratic interpolation (their 3.5). Forward differences, until they lead nowhere;
//! then central ones, which see the floor of an ill-conditioned valley; then the run has ended.

use crate::Genome;
use crowdtune_core::math::linear::{cholesky, solve_transposed};
use std::collections::VecDeque;

/// Step of forward differences in the unit cube. Chosen here: about the root of the relative precision of a loss, 1e-16.
const FORWARD: f64 = 1e-8;
/// Step of central differences. Chosen here: about the cube root of that precision.
const CENTRAL: f64 = 3e-6;
/// First step, in its largest coordinate. Chosen here: a tenth of the cube stays in one valley more often than not.
const FIRST_MOVE: f64 = 0.1;
/// The first inverse Hessian steps this many times as far for a slope as the first step did: untried directions count as
/// soft, since one step shows that a direction is stiff, but not that it is soft. Chosen here: 0, 10, 100, 1000 and 10,000 were compared
/// on eight smooth test functions.
const SOFT: f64 = 100.0;
/// Share of the predicted decrease that a step must bring (Nocedal and Wright: 1e-4).
const ARMIJO: f64 = 1e-4;
/// Shortenings of a step after which it counts as failed. Chosen here: with interpolation ten reach a billionth.
const HALVINGS: u32 = 10;

/// A loss is rough if a step shorter than this share of one that failed in the same direction rises as high. Chosen here: a
/// smooth loss rises in proportion to the step at most; with 0.05 the waves of a smooth egg box passed for jumps.
const SHORT: f64 = 0.002;
/// As high means this share of the rise of the longer step. Chosen here: ten times what a smooth loss shows.
const AS_HIGH: f64 = 0.5;
/// Rises below this share of what the run has gained do not count. Chosen here: at the floor of a valley rounding looks
/// rough.
const HEARD: f64 = 1e-3;

/// A step that failed although the model promised more than this share of what the run has gained shows that the model is wrong. Chosen
/// here: at the flat floors of BBOB's functions it promises 4e-5 at most, on their ridges 5e-3 and more.
const WRONG: f64 = 1e-4;

/// What the next answers are for.
enum State {
    /// The value where the run begins.
    Begin,
    /// The slope at the present point.
    Slope,
    /// A step of this share along the direction.
    Step { share: f64, tries: u32 },
    /// Nothing more to gain.
    Ended,
}

/// One descent from one point.
pub(super) struct Descent {
    state: State,
    x: Genome,
    loss: f64,
    slope: Vec<f64>,
    /// Point and slope before the last step, and its share of the full quasi-Newton step.
    before: Option<(Genome, Vec<f64>, f64)>,
    /// Inverse of the second derivatives, row by row; `None` before the first step.
    inverse: Option<Vec<f64>>,
    direction: Vec<f64>,
    /// The direction is this share of the full quasi-Newton step.
    cut: f64,
    central: bool,
    /// The loss where the run began.
    begun: f64,
    /// Share and rise of the first step that failed in the present direction.
    failed: Option<(f64, f64)>,
    rough: bool,
    /// Where the last steps began, one for every second coordinate.
    trail: VecDeque<Genome>,
}

impl Descent {
    /// A descent from a point, with its loss if that is known.
    pub(super) fn from(x: Genome, loss: Option<f64>) -> Self {
        let n = x.len();
        Self {
            state: if loss.is_some() { State::Slope } else { State::Begin },
            x,
            loss: loss.unwrap_or(f64::INFINITY),
            slope: vec![0.0; n],
            before: None,
            inverse: None,
            direction: vec![0.0; n],
            cut: 1.0,
            central: false,
            begun: loss.unwrap_or(f64::INFINITY),
            failed: None,
            rough: false,
            trail: VecDeque::new(),
        }
    }

    /// True if the run has ended.
    pub(super) fn ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    /// True if it has ended because the loss jumps between near points: slopes mean nothing there.
    pub(super) fn rough(&self) -> bool {
        self.rough
    }

    /// What the next step promises, as a share of what the run has gained.
    pub(super) fn promises(&self) -> f64 {
        -0.5 * dot(&self.direction, &self.slope) / (self.begun - self.loss)
    }

    /// The shape of the loss here: the inverse of the second derivatives, row by row, and the size that the last steps together had
    /// with it as a covariance. None where nothing is known of it, or what is known is wrong.
    pub(super) fn shape(&self) -> Option<(Vec<f64>, f64)> {
        if self.ended() && self.promises() > WRONG {
            return None;
        }
        let (n, inverse, first) = (self.x.len(), self.inverse.as_ref()?, self.trail.front()?);
        let scale = (0..n).map(|i| inverse[i * n + i]).sum::<f64>() / n as f64;
        let shape: Vec<f64> = inverse.iter().map(|h| h / scale).collect();
        let (mut factor, mut way) = (shape.clone(), self.x.iter().zip(first).map(|(a, b)| a - b).collect::<Vec<f64>>());
        if !cholesky(n, &mut factor) {
            return None;
        }
        solve_transposed(n, &factor, &mut way);
        Some((shape, (dot(&way, &way) / n as f64).sqrt()))
    }

    /// Where it is.
    pub(super) fn at(&self) -> &[f64] {
        &self.x
    }

    /// The next points; none if it has ended.
    pub(super) fn ask(&self) -> Vec<Genome> {
        match self.state {
            State::Begin => vec![self.x.clone()],
            State::Slope => (0..self.x.len()).flat_map(|i| self.beside(i)).collect(),
            State::Step { share, .. } => vec![self.along(share)],
            State::Ended => Vec::new(),
        }
    }

    /// Takes the losses of those points, in their order; infinite where there is none.
    pub(super) fn tell(&mut self, losses: &[f64]) {
        match self.state {
            State::Begin => {
                (self.loss, self.begun) = (losses[0], losses[0]);
                self.state = if self.loss.is_finite() { State::Slope } else { State::Ended };
            }
            State::Slope => self.learn_slope(losses),
            State::Step { share, tries } => self.judge(share, tries, losses[0]),
            State::Ended => {}
        }
    }

    /// The points next to the present one in a coordinate, inside the cube.
    fn beside(&self, i: usize) -> Vec<Genome> {
        let moved = |by: f64| {
            let mut x = self.x.clone();
            x[i] = (x[i] + by).clamp(0.0, 1.0);
            x
        };
        if self.central { vec![moved(CENTRAL), moved(-CENTRAL)] } else { vec![moved(self.inward(i))] }
    }

    fn inward(&self, i: usize) -> f64 {
        if self.x[i] + FORWARD <= 1.0 { FORWARD } else { -FORWARD }
    }

    fn learn_slope(&mut self, losses: &[f64]) {
        let n = self.x.len();
        if losses.iter().any(|l| !l.is_finite()) {
            self.state = State::Ended;
            return;
        }
        for i in 0..n {
            self.slope[i] = if self.central {
                let (up, down) = ((self.x[i] + CENTRAL).min(1.0), (self.x[i] - CENTRAL).max(0.0));
                (losses[2 * i] - losses[2 * i + 1]) / (up - down)
            } else {
                (losses[i] - self.loss) / ((self.x[i] + self.inward(i)) - self.x[i])
            };
        }
        self.update();
        self.aim();
    }

    /// BFGS update of the inverse from the last step, eq. 6.17, damped where the curvature is small or negative (eq. 18.15:
    /// with the curvature of the matrix itself, so that the next step in that direction is shorter).
    fn update(&mut self) {
        let n = self.x.len();
        let Some((x, slope, share)) = self.before.take() else { return };
        let s: Vec<f64> = self.x.iter().zip(&x).map(|(a, b)| a - b).collect();
        let mut y: Vec<f64> = self.slope.iter().zip(&slope).map(|(a, b)| a - b).collect();
        let own = -share * dot(&s, &slope);
        if self.inverse.is_some() && dot(&s, &y) < 0.2 * own {
            // The matrix times the step is the slope times -share.
            let keep = 0.8 * own / (own - dot(&s, &y));
            y.iter_mut().zip(&slope).for_each(|(y, g)| *y = keep * *y - (1.0 - keep) * share * g);
        }
        let (sy, yy) = (dot(&s, &y), dot(&y, &y));
        if sy.is_nan() || sy <= 1e-12 * dot(&s, &s).sqrt() * yy.sqrt() {
            return;
        }
        // Before the first update the matrix takes the scale of the problem, eq. 6.20.
        let soft = SOFT * (dot(&s, &s) / dot(&slope, &slope)).sqrt();
        let fresh = || (0..n * n).map(|k| if k % (n + 1) == 0 { (sy / yy).max(soft) } else { 0.0 }).collect();
        let mut h = self.inverse.take().unwrap_or_else(fresh);
        let hy: Vec<f64> = (0..n).map(|i| dot(&h[i * n..(i + 1) * n], &y)).collect();
        let bend = (1.0 + dot(&y, &hy) / sy) / sy;
        for i in 0..n {
            for j in 0..n {
                h[i * n + j] += bend * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / sy;
            }
        }
        self.inverse = Some(h);
    }

    /// The next direction, or the end of the run where nothing leads down.
    fn aim(&mut self) {
        let n = self.x.len();
        let held: Vec<bool> = (0..n)
            .map(|i| (self.x[i] <= 0.0 && self.slope[i] > 0.0) || (self.x[i] >= 1.0 && self.slope[i] < 0.0))
            .collect();
        let free = |i: usize| if held[i] { 0.0 } else { self.slope[i] };
        let widest = (0..n).map(|i| free(i).abs()).fold(0.0, f64::max);
        if widest <= 0.0 {
            return self.stuck();
        }
        let steepest = |to: &mut Vec<f64>| {
            *to = (0..n).map(|i| -free(i) * FIRST_MOVE / widest).collect();
        };
        let mut direction = Vec::new();
        self.cut = 1.0;
        match &self.inverse {
            None => steepest(&mut direction),
            Some(h) => {
                direction = (0..n)
                    .map(|i| if held[i] { 0.0 } else { -(0..n).map(|j| h[i * n + j] * free(j)).sum::<f64>() })
                    .collect();
                // No step goes far beyond the cube.
                let longest = direction.iter().fold(0.0, |a: f64, d| a.max(d.abs()));
                if longest > 0.5 {
                    self.cut = 0.5 / longest;
                    direction.iter_mut().for_each(|d| *d *= 0.5 / longest);
                }
            }
        }
        let down = dot(&direction, &self.slope);
        if down.is_nan() || down >= 0.0 {
            self.inverse = None;
            steepest(&mut direction);
        }
        (self.direction, self.failed) = (direction, None);
        self.state = State::Step { share: 1.0, tries: 0 };
    }

    /// The point at a share of the way, held inside the cube.
    fn along(&self, share: f64) -> Genome {
        self.x.iter().zip(&self.direction).map(|(x, d)| (x + share * d).clamp(0.0, 1.0)).collect()
    }

    fn judge(&mut self, share: f64, tries: u32, loss: f64) {
        let x = self.along(share);
        let moved: Vec<f64> = x.iter().zip(&self.x).map(|(a, b)| a - b).collect();
        let predicted = dot(&moved, &self.slope);
        if loss < self.loss + ARMIJO * predicted.min(0.0) && loss < self.loss {
            let old = std::mem::replace(&mut self.x, x);
            self.trail.push_back(old.clone());
            if self.trail.len() > 1 + self.x.len() / 2 {
                self.trail.pop_front();
            }
            self.before = Some((old, self.slope.clone(), share * self.cut));
            self.loss = loss;
            self.state = State::Slope;
            return;
        }
        let up = loss - self.loss;
        let (longer, higher) = *self.failed.get_or_insert((share, up));
        if share <= SHORT * longer && up >= AS_HIGH * higher && up > HEARD * (self.begun - self.loss) && up > 0.0 {
            (self.state, self.rough) = (State::Ended, true);
            return;
        }
        if tries >= HALVINGS || predicted >= 0.0 {
            return self.stuck();
        }
        // The parabola through the loss and slope here and the loss there.
        let rise = loss - self.loss - predicted;
        let best = if loss.is_finite() && rise > 0.0 { -0.5 * predicted / rise } else { 0.1 };
        self.state = State::Step { share: share * best.clamp(0.1, 0.5), tries: tries + 1 };
    }

    /// No step leads down: goes on with central differences, or ends.
    fn stuck(&mut self) {
        self.state = if self.central { State::Ended } else { State::Slope };
        self.central = true;
        self.before = None;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descent at its end, and the number of evaluations.
    fn ended(from: &[f64], f: impl Fn(&[f64]) -> f64) -> (Descent, usize) {
        let (mut descent, mut count) = (Descent::from(from.to_vec(), None), 0);
        while !descent.ended() && count < 100_000 {
            let losses: Vec<f64> = descent.ask().iter().map(|x| f(x)).collect();
            count += losses.len();
            descent.tell(&losses);
        }
        (descent, count)
    }

    /// Runs to the end; the point, its loss and the number of evaluations.
    fn run(from: &[f64], f: impl Fn(&[f64]) -> f64) -> (Genome, f64, usize) {
        let (descent, count) = ended(from, f);
        (descent.at().to_vec(), descent.loss, count)
    }

    #[test]
    fn a_jump_between_near_points_ends_a_run() {
        let bowl = |x: &[f64]| 4.0 * (x[0] - 0.3).powi(2) + (x[1] - 0.6).powi(2);
        let jumps = |x: &[f64]| bowl(x) + 0.5 * ((x[0] * 1e6).floor() * 0.618).fract();
        let from = [0.8, 0.1];
        let (descent, count) = ended(&from, jumps);
        assert!(descent.rough() && count < 100, "{count}");
        assert!(!ended(&from, bowl).0.rough());
        // The floor of a valley in single precision.
        assert!(!ended(&from, |x| f64::from(bowl(x) as f32)).0.rough());
    }

    #[test]
    fn a_bowl_with_its_bottom_outside_ends_at_the_bound() {
        let (x, loss, _) = run(&[0.5, 0.5], |x| (x[0] + 0.2).powi(2) + 4.0 * (x[1] - 0.3).powi(2));
        assert!(x[0] == 0.0 && (x[1] - 0.3).abs() < 1e-6, "{x:?}");
        assert!((loss - 0.04).abs() < 1e-10);
    }

    #[test]
    fn an_ill_conditioned_bowl_is_solved() {
        let bowl = |x: &[f64]| {
            let (a, b) = (x[0] + x[1] - 0.7, x[0] - x[1] - 0.1);
            5.0 + 1e6 * a * a + b * b
        };
        let (x, loss, count) = run(&[0.9, 0.1], bowl);
        assert!((x[0] - 0.4).abs() < 1e-4 && (x[1] - 0.3).abs() < 1e-4 && loss < 5.0 + 1e-8, "{x:?} {loss}");
        assert!(count < 200, "{count}");
    }

    #[test]
    fn rosenbrock_is_solved() {
        let valley = |x: &[f64]| {
            let z: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
            z.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
        };
        let (x, loss, count) = run(&[0.6, 0.6, 0.7, 0.9], valley);
        assert!(loss < 1e-10, "{x:?} {loss} {count}");
        assert!(count < 1500, "{count}");
    }

    #[test]
    fn what_fails_or_is_flat_ends_the_run() {
        assert!(run(&[0.5], |_| f64::INFINITY).2 == 1);
        let (_, loss, count) = run(&[0.5, 0.5], |_| 1.0);
        assert!(loss == 1.0 && count < 20, "{count}");
    }
}
