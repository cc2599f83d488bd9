//! Downhill in a box, with a gradient: projected BFGS (Nocedal and Wright, Numerical Optimization, 2006, 6.17; projection as in Bertsekas,
//! SIAM J. Control Optim. 20, 221, 1982), for a few dozen variables.

use super::linear::{add_scaled, dot};

/// Share of the promised decrease that a step must bring. Nocedal and Wright 2006, 3.1.
const ENOUGH: f64 = 1e-4;
/// Most halvings of a step.
const HALVINGS: usize = 12;
/// Longest coordinate of the first step, a share of the box's width. Chosen here: the first gradient says nothing about lengths.
const FIRST: f64 = 0.1;
/// A step whose longest coordinate is below this share of the box's width is the last. Chosen here: acquisition and likelihood are flat there.
const SMALL: f64 = 1e-5;

/// A box, and where in it.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Lower ends.
    pub low: Vec<f64>,
    /// Upper ends.
    pub high: Vec<f64>,
}

impl Bounds {
    fn width(&self, i: usize) -> f64 {
        self.high[i] - self.low[i]
    }

    /// True if a step against the gradient would leave the box here.
    fn holds(&self, i: usize, x: f64, slope: f64) -> bool {
        (x <= self.low[i] && slope >= 0.0) || (x >= self.high[i] && slope <= 0.0)
    }
}

/// Walks from `x` downhill for at most so many steps and returns the value there. `f` gives the value at a point and writes the gradient; a value
/// that is not finite is never accepted.
pub fn descend(bounds: &Bounds, x: &mut Vec<f64>, steps: usize, mut f: impl FnMut(&[f64], &mut [f64]) -> f64) -> f64 {
    let n = x.len();
    let clamped = |i: usize, x: f64| x.clamp(bounds.low[i], bounds.high[i]);
    (0..n).for_each(|i| x[i] = clamped(i, x[i]));
    let mut slope = vec![0.0; n];
    let mut value = f(x, &mut slope);
    if !value.is_finite() {
        return value;
    }
    let mut inverse = Inverse::new(n);
    let (mut next, mut next_slope) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..steps {
        let free: Vec<bool> = (0..n).map(|i| !bounds.holds(i, x[i], slope[i])).collect();
        let mut way = inverse.way(&slope, &free);
        if dot(&way, &slope) >= 0.0 {
            inverse = Inverse::new(n);
            way = inverse.way(&slope, &free);
        }
        if inverse.is_new() {
            let longest = (0..n).map(|i| way[i].abs() / bounds.width(i).max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
            let scale = if longest > FIRST { FIRST / longest } else { 1.0 };
            way.iter_mut().for_each(|w| *w *= scale);
        }
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..HALVINGS {
            (0..n).for_each(|i| next[i] = clamped(i, x[i] + length * way[i]));
            let promised: f64 = (0..n).map(|i| slope[i] * (next[i] - x[i])).sum();
            let there = f(&next, &mut next_slope);
            if there.is_finite() && there <= value + ENOUGH * promised {
                found = Some(there);
                break;
            }
            length *= 0.5;
        }
        let Some(there) = found else {
            if inverse.is_new() {
                break;
            }
            inverse = Inverse::new(n);
            continue;
        };
        let step: Vec<f64> = (0..n).map(|i| next[i] - x[i]).collect();
        let bend: Vec<f64> = (0..n).map(|i| next_slope[i] - slope[i]).collect();
        inverse.learn(&step, &bend);
        std::mem::swap(x, &mut next);
        std::mem::swap(&mut slope, &mut next_slope);
        value = there;
        if (0..n).all(|i| step[i].abs() <= SMALL * bounds.width(i)) {
            break;
        }
    }
    value
}

/// What is known of the inverse of the second derivatives.
struct Inverse {
    n: usize,
    /// Row by row; empty as long as nothing is known.
    h: Vec<f64>,
}

impl Inverse {
    fn new(n: usize) -> Self {
        Self { n, h: Vec::new() }
    }

    fn is_new(&self) -> bool {
        self.h.is_empty()
    }

    /// Downhill for the free variables; the others stay.
    fn way(&self, slope: &[f64], free: &[bool]) -> Vec<f64> {
        let down: Vec<f64> = slope.iter().zip(free).map(|(&s, &free)| if free { -s } else { 0.0 }).collect();
        if self.is_new() {
            return down;
        }
        self.h.chunks_exact(self.n).zip(free).map(|(row, &free)| if free { dot(row, &down) } else { 0.0 }).collect()
    }

    /// Learns from a step and how the gradient changed over it; nothing where the function does not bend upward.
    fn learn(&mut self, s: &[f64], y: &[f64]) {
        let (sy, yy) = (dot(s, y), dot(y, y));
        if sy.is_nan() || sy <= 1e-10 * (dot(s, s) * yy).sqrt() {
            return;
        }
        let n = self.n;
        if self.is_new() {
            // The scale of the first step, Nocedal and Wright 2006, 6.20.
            self.h = vec![0.0; n * n];
            (0..n).for_each(|i| self.h[i * n + i] = sy / yy);
        }
        let hy: Vec<f64> = self.h.chunks_exact(n).map(|row| dot(row, y)).collect();
        let rho = 1.0 / sy;
        let own = rho * (1.0 + rho * dot(y, &hy));
        for i in 0..n {
            let row = &mut self.h[i * n..(i + 1) * n];
            add_scaled(row, own * s[i] - rho * hy[i], s);
            add_scaled(row, -rho * s[i], &hy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(n: usize, low: f64, high: f64) -> Bounds {
        Bounds { low: vec![low; n], high: vec![high; n] }
    }

    #[test]
    fn finds_the_end_of_rosenbrocks_valley() {
        let mut x = vec![-1.2, 1.0];
        let value = descend(&bounds(2, -2.0, 2.0), &mut x, 200, |x, slope| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            slope[0] = -2.0 * a - 400.0 * x[0] * b;
            slope[1] = 200.0 * b;
            a * a + 100.0 * b * b
        });
        assert!(value < 1e-10 && (x[0] - 1.0).abs() < 1e-4, "{x:?}: {value}");
    }

    #[test]
    fn stops_at_the_wall_where_the_function_falls_beyond_it() {
        // (x - 3)^2 + (x - y)^2 in [0, 1]^2: at (1, 1).
        let mut x = vec![0.2, 0.9];
        let value = descend(&bounds(2, 0.0, 1.0), &mut x, 100, |x, slope| {
            let (a, b) = (x[0] - 3.0, x[0] - x[1]);
            (slope[0], slope[1]) = (2.0 * a + 2.0 * b, -2.0 * b);
            a * a + b * b
        });
        assert!((value - 4.0).abs() < 1e-9 && x.iter().all(|x| (x - 1.0).abs() < 1e-4), "{x:?}: {value}");
    }

    #[test]
    fn what_is_not_finite_is_not_accepted() {
        // ln x has no value below 0; the minimum of x - ln x is at 1.
        let mut x = vec![3.0];
        descend(&bounds(1, -5.0, 5.0), &mut x, 100, |x, slope| {
            slope[0] = 1.0 - 1.0 / x[0];
            x[0] - libm::log(x[0])
        });
        assert!((x[0] - 1.0).abs() < 1e-3, "{x:?}");
        let mut at_wrong = vec![-1.0];
        assert!(descend(&bounds(1, -5.0, 5.0), &mut at_wrong, 9, |_, _| f64::NAN).is_nan());
    }
}
