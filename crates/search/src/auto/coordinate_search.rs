//! For losses that are sums of one function per coordinate: every axis is searched by itself (STEP, then parabolas).
//!
//! On each axis the interval is halved in which the flattest parabola could reach below the best value (STEP: Swarzberg,
//! Seront, Bersini, IEEE World Congress on Computational Intelligence 1994), which looks everywhere and dives into the
//! best valley; its floor is found by parabolas through three points.

use crate::Genome;

/// By how much an interval has to promise to undercut the best, as a share of the spread of the values. Chosen here: as in
/// published tests of the method.
const UNDERCUT: f64 = 1e-10;
/// Intervals narrower than this are not halved. Chosen here: the last digits of a loss.
const NARROWEST: f64 = 1e-7;
/// The best valley is followed to its floor where its interval is narrower than this. Chosen here: a five-hundredth of a
/// range holds one valley, as a rule.
const VALLEY: f64 = 0.002;
/// An axis has been searched when only parabolas bent so much more than the best valley could undercut it. Chosen here.
const FLATTER: f64 = 4.0;

/// Points on one axis until it counts as searched. Chosen here: then it is a plateau, or noise.
const MOST_POINTS: usize = 600;

/// The search along one axis: points in order, with their values from a common zero.
struct LineSearch {
    points: Vec<(f64, f64)>,
    /// Where a valley was followed to its floor.
    floor: Option<f64>,
    /// Moves towards the floor of the present valley.
    moves: u32,
}

/// All axes in turn.
pub(super) struct CoordinateSearch {
    base: Genome,
    loss: f64,
    axes: Vec<LineSearch>,
    turn: usize,
    asked: Vec<(usize, f64)>,
}

impl CoordinateSearch {
    /// From a point whose loss is known.
    pub(super) fn from(base: Genome, loss: f64) -> Self {
        let axes = base.iter().map(|&u| LineSearch { points: vec![(u, 0.0)], floor: None, moves: 0 }).collect();
        Self { base, loss, axes, turn: 0, asked: Vec::new() }
    }

    /// The next point; `None` if every axis was searched.
    pub(super) fn ask(&mut self) -> Option<Genome> {
        for _ in 0..self.axes.len() {
            let i = self.turn;
            self.turn = (self.turn + 1) % self.axes.len();
            if let Some(u) = self.axes[i].next(self.base[i]) {
                let mut x = self.base.clone();
                x[i] = u;
                self.asked.push((i, u));
                return Some(x);
            }
        }
        None
    }

    /// The loss of the last point; infinite where there is none.
    pub(super) fn tell(&mut self, loss: f64) {
        let Some((i, u)) = self.asked.pop() else { return };
        let here = self.axes[i].value(self.base[i]);
        self.axes[i].insert(u, here + (loss - self.loss));
        if loss < self.loss {
            self.loss = loss;
            self.base[i] = u;
        }
    }
}

impl LineSearch {
    fn value(&self, u: f64) -> f64 {
        self.points.iter().find(|p| p.0 == u).map_or(0.0, |p| p.1)
    }

    fn insert(&mut self, u: f64, value: f64) {
        let at = self.points.partition_point(|p| p.0 < u);
        self.points.insert(at, (u, value));
    }

    /// Where to look next.
    fn next(&mut self, best: f64) -> Option<f64> {
        let p = &self.points;
        for end in [0.0, 1.0] {
            if p[0].0 != end && p[p.len() - 1].0 != end {
                return Some(end);
            }
        }
        let at = p.iter().position(|q| q.0 == best)?;
        // A better valley than the one that was followed is followed in its turn.
        if self.floor.is_some_and(|floor| (floor - best).abs() > VALLEY) {
            (self.floor, self.moves) = (None, 0);
        }
        let (low, high) = (at.saturating_sub(1), (at + 1).min(p.len() - 1));
        if p[high].0 - p[low].0 < VALLEY && self.floor.is_none() {
            match self.towards_floor(low, at, high) {
                Some(u) => return Some(u),
                None => self.floor = Some(best),
            }
        }
        let p = &self.points;
        let least = p[at].1;
        let most = p.iter().map(|q| q.1).filter(|v| v.is_finite()).fold(least, f64::max);
        let aim = least - UNDERCUT.max(UNDERCUT * (most - least));
        let bend = |a: (f64, f64), b: (f64, f64)| {
            let root = (a.1 - aim).max(0.0).sqrt() + (b.1 - aim).max(0.0).sqrt();
            root / (b.0 - a.0)
        };
        if p.len() > MOST_POINTS {
            return None;
        }
        let wide_enough = |w: &&[(f64, f64)]| w[1].0 - w[0].0 > if self.floor.is_some() { VALLEY } else { NARROWEST };
        let flattest = p.windows(2).filter(wide_enough).min_by(|a, b| bend(a[0], a[1]).total_cmp(&bend(b[0], b[1])))?;
        if self.floor.is_some() {
            // How bent the valley is that was followed, from the points around its floor.
            let around = |from: usize, step: isize| {
                let mut k = from as isize + step;
                while k > 0 && (k as usize) < p.len() - 1 && (p[k as usize].0 - p[from].0).abs() < 0.1 * VALLEY {
                    k += step;
                }
                p[k.clamp(0, p.len() as isize - 1) as usize]
            };
            let (a, b) = (around(at, -1), around(at, 1));
            let own = |q: (f64, f64)| (q.1 - least).max(0.0).sqrt() / (q.0 - p[at].0).abs().max(1e-300);
            let valley = own(a).max(own(b));
            if bend(flattest[0], flattest[1]) > FLATTER * valley {
                return None;
            }
        }
        // Beside what failed nothing is known.
        if !bend(flattest[0], flattest[1]).is_finite() {
            return None;
        }
        Some(0.5 * (flattest[0].0 + flattest[1].0))
    }

    /// The floor of the parabola through three neighboring points, or half of the wider side; `None` when it is reached.
    fn towards_floor(&mut self, low: usize, at: usize, high: usize) -> Option<f64> {
        let p = &self.points;
        let (a, b, c) = (p[low], p[at], p[high]);
        self.moves += 1;
        if self.moves > 40 || c.0 - a.0 < 1e-13 {
            return None;
        }
        if at == low || at == high {
            // At an end of the axis: towards the only neighbor.
            let far = if at == low { c.0 } else { a.0 };
            let u = b.0 + 0.1 * (far - b.0);
            if (far - b.0).abs() < NARROWEST || u == b.0 {
                return None;
            }
            return Some(u);
        }
        let (left, right) = ((b.1 - a.1) / (b.0 - a.0), (c.1 - b.1) / (c.0 - b.0));
        let second = (right - left) / (c.0 - a.0);
        let floor = 0.5 * (a.0 + b.0) - 0.5 * left / second;
        let half = if b.0 - a.0 > c.0 - b.0 { 0.5 * (a.0 + b.0) } else { 0.5 * (b.0 + c.0) };
        // Every third move halves the wider side, so that a bad parabola does not hold it up.
        let u = if second > 0.0 && floor > a.0 && floor < c.0 && !self.moves.is_multiple_of(3) { floor } else { half };
        let gain = second * (floor - b.0) * (floor - b.0);
        if u == b.0 || u == a.0 || u == c.0 || (second > 0.0 && gain < 1e-13 && self.moves > 3) {
            return None;
        }
        Some(u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(n: usize, most: usize, f: impl Fn(&[f64]) -> f64) -> (f64, usize) {
        let mut axes = CoordinateSearch::from(vec![0.5; n], f(&vec![0.5; n]));
        let mut count = 1;
        while count < most {
            let Some(x) = axes.ask() else { break };
            axes.tell(f(&x));
            count += 1;
        }
        (axes.loss, count)
    }

    #[test]
    fn an_egg_box_is_solved_axis_by_axis() {
        let rastrigin = |x: &[f64]| {
            let wave = |(i, u): (usize, &f64)| {
                let z = 10.0 * (u - [0.31, 0.77, 0.46][i]);
                10.0 + z * z - 10.0 * libm::cos(2.0 * std::f64::consts::PI * z)
            };
            x.iter().enumerate().map(wave).sum()
        };
        let (loss, count) = run(3, 600, rastrigin);
        assert!(loss < 1e-8, "{loss} after {count}");
    }

    #[test]
    fn bowls_of_any_scale_and_slopes_are_solved_soon() {
        let (loss, count) =
            run(4, 400, |x| x.iter().enumerate().map(|(i, u)| 10f64.powi(2 * i as i32) * (u - 0.2137).powi(2)).sum());
        assert!(loss < 1e-9, "{loss} after {count}");
        let (loss, _) = run(3, 200, |x| x.iter().map(|u| 3.0 - u).sum());
        assert!((loss - 6.0).abs() < 1e-12, "{loss}");
    }

    #[test]
    fn plateaus_and_failures_end() {
        assert!(run(2, 100_000, |_| 1.0).1 < 5_000);
        assert!(run(2, 100_000, |x| if x[0] > 0.6 { f64::INFINITY } else { x[1] }).1 < 10_000);
    }
}
