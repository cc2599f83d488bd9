//! Profiles of the loss around a candidate: one parameter, or one direction, is held at values on both sides of it, and the others
//! are searched anew.
//!
//! What can be said of a value is said by points that were simulated there. A quadratic model of all points, those of a search among
//! them, only proposes which points to simulate. (Profile likelihood: Venzon and Moolgavkar, Appl. Stat. 37, 87, 1988; with simulated
//! losses: Ionides et al., J. R. Soc. Interface 14, 20170126, 2017.)
//!
//! All points run on the same replicas, so two of them are compared replica by replica. The last point that is within the noise was chosen
//! because its loss came out low, so it runs once more on fresh replicas before anything is claimed of it ([`End::confirmed`]).
//!
//! ```
//! use crowdtune_search::sensitivity::profile::{Answer, Asked, Profiles, Setup};
//!
//! // The loss is 1 + (x - 0.5)^2, plus what all points of a replica share: so the noise is what the caller guesses.
//! let loss = |x: &[f64]| 1.0 + (x[0] - 0.5) * (x[0] - 0.5);
//! let search = (0..20).map(|k| f64::from(k) / 20.0).map(|x| (vec![x], loss(&[x]))).collect();
//! let mut profiles =
//!     Profiles::new(Setup { best: vec![0.5], cells: vec![None], search, refused: vec![], noise: 0.006, drawn: true, ways: vec![vec![1.0]] });
//! for _ in 0..8 {
//!     let answer = |asked: &Asked| {
//!         let parts: Vec<f64> = [-0.01, 0.01].iter().map(|shared| loss(&asked.x) + shared).collect();
//!         Some(Answer { loss: loss(&asked.x), parts })
//!     };
//!     let answers: Vec<_> = profiles.ask().iter().map(answer).collect();
//!     profiles.tell(answers);
//! }
//! let found = profiles.found();
//! assert!(found.lines[0].low.inside < 0.0 && found.lines[0].high.inside > 0.0);
//! ```

mod confirm;
mod minimum;
mod quadratic;
mod side;
mod ways;

use crowdtune_core::math::stats;
use crowdtune_core::math::student::quantile_above;
use quadratic::{Held, Quadratic, Row, along};
use side::{Claim, Side};
pub use ways::{TAKES_PART, ways};

/// Probability that a loss which is equal to that of the best is taken for worse, and that an interval does not hold the
/// minimum. Chosen here: intervals of 90 %.
pub const LEVEL: f64 = 0.9;
/// Two neighbors of a profile are at most this far apart, as a share of the range. Chosen here: nothing is said of what lies
/// between points that are further apart.
pub const GAP: f64 = 0.25;
/// Rows within this many thresholds of the best are modeled well. Chosen here.
const HEIGHT: f64 = 4.0;
/// How far a proposed point may lie from where it starts, in standard deviations of the rows. Chosen here: beyond it the model
/// guesses.
const TRUST: f64 = 2.0;
/// Standard errors of a loss that are a first guess of which difference is noise: 90 % of a normal distribution.
pub const GUESS: f64 = 1.645;
/// Losses that differ by less than this share of their size differ by rounding.
const ROUNDING: f64 = 1e-9;
/// At most this many rows of the search, the best ones, are looked at. Chosen here: so that a long log costs no time.
const ROWS: usize = 600;

/// At most this many refused points of the search, the nearest ones, are looked at. Chosen here: they say where to turn back, not how the
/// loss bends.
const REFUSED: usize = 60;

/// What profiles begin with; all coordinates are those of the unit cube.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The candidate, canonical.
    pub best: Vec<f64>,
    /// Number of cells of each coordinate that is a whole number.
    pub cells: Vec<Option<u64>>,
    /// Points of the search with their losses; on other seeds than the profiles.
    pub search: Vec<(Vec<f64>, f64)>,
    /// Points of the search that failed or were not feasible.
    pub refused: Vec<Vec<f64>>,
    /// Standard error of a loss near the best on as many replicas as a point runs, not of a difference.
    pub noise: f64,
    /// True if fresh replicas differ from the first ones; otherwise there is nothing to confirm.
    pub drawn: bool,
    /// Directions to go along, of length 1: a parameter is a 1 among zeros.
    pub ways: Vec<Vec<f64>>,
}

/// The answer to a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The loss.
    pub loss: f64,
    /// The losses of the replicas (or their jackknife pseudo-values); fewer than two say nothing of the noise.
    pub parts: Vec<f64>,
}

/// A point to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The point.
    pub x: Vec<f64>,
    /// False for the replicas that all points run on, true for as many fresh ones.
    pub again: bool,
}

/// A point that was asked for; an answer is `None` if it failed or is not feasible.
#[derive(Clone, Debug)]
struct Point {
    x: Vec<f64>,
    answer: Option<Answer>,
    /// On fresh replicas, if it was asked for there.
    again: Option<Option<Answer>>,
}

/// What was asked.
#[derive(Clone, Copy, Debug)]
enum Place {
    Best,
    /// A side, and how far along it.
    Side(usize, f64),
    /// A point once more, on fresh replicas.
    Again(usize),
}

/// Asks for points and says at the end what they showed. Point 0 is the best.
#[derive(Clone, Debug)]
pub struct Profiles {
    best: Vec<f64>,
    cells: Vec<Option<u64>>,
    search: Vec<Row>,
    refused: Vec<Vec<f64>>,
    noise: f64,
    drawn: bool,
    ways: Vec<Vec<f64>>,
    sides: Vec<Side>,
    points: Vec<Point>,
    /// What was asked last.
    asked: Vec<(Place, Vec<f64>)>,
}

/// How far a profile was followed to one side, as signed distances along its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct End {
    /// The last simulated value up to which all of them are within the noise; 0 for the best itself.
    pub inside: f64,
    /// The last of these whose loss fresh replicas confirm to be within the noise; `inside` where replicas do not differ.
    pub confirmed: f64,
    /// The first simulated value beyond `inside` that is not within the noise.
    pub outside: Option<f64>,
    /// True if the range ends at `inside`.
    pub reached: bool,
}

/// A profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its direction.
    pub way: Vec<f64>,
    /// To the lower side.
    pub low: End,
    /// To the upper side.
    pub high: End,
    /// The best simulated point at each value, in order along the way: the value, the point, how much worse than the best it is.
    pub values: Vec<(f64, Vec<f64>, f64)>,
    /// Where the minimum may be.
    pub interval: Interval,
}

/// What profiles show.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// A loss that is larger than that of the best by at most this may be as good.
    pub threshold: f64,
    /// Standard error of such a difference; `None` where the threshold is the guess.
    pub noise: Option<f64>,
    /// Number of points that were simulated.
    pub points: usize,
    /// Number of them that ran on fresh replicas once more.
    pub again: usize,
    /// One for each way.
    pub lines: Vec<Line>,
}

/// The values of a line that may hold the minimum, as signed distances from the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower and upper end; each lies between two simulated values, or is one.
    pub ends: (f64, f64),
    /// True where it reaches at least as far as that end: the range ends there, or nothing was simulated beyond it.
    pub open: (bool, bool),
    /// True if it holds the minimum with a probability of [`LEVEL`]. Otherwise the noise could not be told, or the points contradict
    /// a quadratic, and it spans the values within the threshold.
    pub calibrated: bool,
}

impl Interval {
    /// From how far the profile is within the noise, what was simulated, and where the minimum lies as far as the noise tells.
    fn new((low_end, high_end): (End, End), simulated: (f64, f64), minimum: Option<(f64, f64)>) -> Self {
        let one = |sign: f64, end: End, simulated: f64, minimum: Option<f64>| {
            let (inside, outside, simulated) = (sign * end.inside, end.outside.map(|x| sign * x), sign * simulated);
            let wanted =
                minimum.map_or(inside, |minimum| outside.map_or(sign * minimum, |out| out.min(sign * minimum)));
            let open =
                end.reached && wanted >= inside || outside.is_none() && (minimum.is_none() || wanted > simulated);
            (sign * if open { inside } else { wanted }, open)
        };
        let low = one(-1.0, low_end, simulated.0, minimum.map(|m| m.0));
        let high = one(1.0, high_end, simulated.1, minimum.map(|m| m.1));
        // What was simulated contradicts a minimum there.
        if low.0 > high.0 {
            return Self::new((low_end, high_end), simulated, None);
        }
        Self { ends: (low.0, high.0), open: (low.1, high.1), calibrated: minimum.is_some() }
    }
}

impl Profiles {
    /// Before the first question.
    pub fn new(setup: Setup) -> Self {
        let Setup { best, cells, mut search, mut refused, noise, drawn, ways } = setup;
        search.sort_by(|a, b| a.1.total_cmp(&b.1));
        search.truncate(ROWS);
        let search = search.into_iter().map(|(x, loss)| Row { x, loss, fresh: false }).collect();
        let far = |x: &Vec<f64>| x.iter().zip(&best).map(|(x, b)| (x - b) * (x - b)).sum::<f64>();
        refused.sort_by(|a, b| far(a).total_cmp(&far(b)));
        refused.truncate(REFUSED);
        let sides = (0..ways.len()).flat_map(|line| [-1.0, 1.0].map(|sign| Side::new(line, sign, &ways[line], &best)));
        let sides = sides.collect();
        Self { best, cells, search, refused, noise, drawn, ways, sides, points: Vec::new(), asked: Vec::new() }
    }

    /// Number of sides, of all profiles together.
    pub fn sides(&self) -> usize {
        self.sides.len()
    }

    /// The next points, one for each side that is not yet known well enough; empty when there is nothing left to ask.
    pub fn ask(&mut self) -> Vec<Asked> {
        self.asked.clear();
        if self.points.is_empty() {
            self.asked.push((Place::Best, self.best.clone()));
        } else if self.points[0].answer.is_none() {
            return Vec::new();
        }
        let (threshold, noise) = self.threshold();
        let mark = self.mark(threshold, noise);
        let rows = self.warned(threshold);
        let whole = Quadratic::fit(&rows, &self.best, None, HEIGHT * threshold);
        for at in 0..self.sides.len() {
            let claim = mark.map_or(Claim::Done, |mark| self.claim(at, threshold, mark));
            if let Claim::Again(point) = claim {
                if self.points[0].again.is_none() && !self.asked.iter().any(|a| matches!(a.0, Place::Again(0))) {
                    self.asked.push((Place::Again(0), self.best.clone()));
                }
                self.asked.push((Place::Again(point), self.points[point].x.clone()));
                continue;
            }
            let next = |claim: Claim| self.propose(at, &rows, whole.as_ref(), threshold, claim);
            if let Some((held, x)) = next(claim).or_else(|| next(Claim::Done)) {
                self.asked.push((Place::Side(at, held), x));
            }
        }
        let asked = |(place, x): &(Place, Vec<f64>)| Asked { x: x.clone(), again: matches!(place, Place::Again(_)) };
        self.asked.iter().map(asked).collect()
    }

    /// The answers to the first of the points that were asked for, in their order; those that are missing were not simulated.
    pub fn tell(&mut self, answers: Vec<Option<Answer>>) {
        let asked = std::mem::take(&mut self.asked);
        for ((place, x), answer) in asked.into_iter().zip(answers) {
            match place {
                Place::Again(point) => {
                    self.points[point].again = Some(answer);
                    continue;
                }
                Place::Side(side, held) => self.sides[side].add(held, self.points.len()),
                Place::Best => {}
            }
            self.points.push(Point { x, answer, again: None });
        }
    }

    /// What the points show.
    pub fn found(&self) -> Found {
        let (threshold, noise) = self.threshold();
        let minimum = self.minimum(threshold);
        let lines = (0..self.ways.len()).map(|line| {
            let side = |sign: usize| {
                let end = self.sides[2 * line + sign].end(threshold, &|k| self.worse(k), &|k| self.confirmed(k));
                if noise.is_none() || !self.drawn { End { confirmed: end.inside, ..end } } else { end }
            };
            let mut values: Vec<(f64, Vec<f64>, f64)> = Vec::new();
            for (at, k) in self.sides[2 * line..2 * line + 2].iter().flat_map(|s| s.best(&|k| self.worse(k))) {
                values.push((at, self.points[k].x.clone(), self.worse(k)));
            }
            if !self.points.is_empty() {
                values.push((0.0, self.best.clone(), 0.0));
            }
            values.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (way, low, high) = (self.ways[line].clone(), side(0), side(1));
            let simulated = (values.first().map_or(0.0, |v| v.0), values.last().map_or(0.0, |v| v.0));
            // Within the noise up to where the range ends the minimum may be anywhere.
            let flat = [low, high].iter().any(|end| end.reached && end.inside != 0.0);
            let interval = Interval::new(
                (low, high),
                simulated,
                minimum.as_ref().filter(|_| !flat).and_then(|minimum| minimum.along(&way)),
            );
            Line { way, low, high, values, interval }
        });
        let lines = lines.collect();
        let again = self.points.iter().filter(|p| p.again.is_some()).count();
        Found { threshold, noise, points: self.points.len(), again, lines }
    }

    /// How much worse than the best a point is; infinite if it failed.
    fn worse(&self, point: usize) -> f64 {
        let loss = |k: usize| self.points.get(k).and_then(|p| p.answer.as_ref()).map(|a| a.loss);
        match (loss(0), loss(point)) {
            (Some(best), Some(loss)) => loss - best,
            _ => f64::INFINITY,
        }
    }

    /// Which difference of two losses is noise, and the standard error that it was made from: of the differences to the best, replica
    /// by replica, of the better half of the points. Two losses with nothing in common differ by root 2 times their own standard error; points far
    /// off that differ by more are no reason to go further.
    fn threshold(&self) -> (f64, Option<f64>) {
        let Some(Some(best)) = self.points.first().map(|p| p.answer.as_ref()) else {
            return (GUESS * self.noise, None);
        };
        let count = best.parts.len();
        let mut errors: Vec<(f64, f64)> = (1..self.points.len())
            .filter(|&k| self.points[k].x != self.best)
            .filter_map(|k| {
                let answer = self.points[k].answer.as_ref().filter(|a| a.parts.len() == count)?;
                let differences: Vec<f64> = answer.parts.iter().zip(&best.parts).map(|(a, b)| a - b).collect();
                Some((self.worse(k), stats::sd(&differences) / (count as f64).sqrt()))
            })
            .collect();
        if count < 2 || errors.is_empty() {
            return (GUESS * self.noise, None);
        }
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        errors.truncate(errors.len().div_ceil(2));
        let noise = stats::mean(&errors.iter().map(|e| e.1 * e.1).collect::<Vec<_>>()).sqrt();
        // What all points of a replica share alone is no noise of a difference.
        if noise <= ROUNDING * best.loss.abs() {
            return (GUESS * self.noise, None);
        }
        let df = u32::try_from(count - 1).unwrap_or(u32::MAX).min(100_000);
        let noise = noise.min(self.noise * std::f64::consts::SQRT_2);
        (quantile_above((1.0 - LEVEL) / 2.0, df) * noise, Some(noise))
    }

    fn rows(&self) -> Vec<Row> {
        let fresh =
            self.points.iter().filter_map(|p| Some(Row { x: p.x.clone(), loss: p.answer.as_ref()?.loss, fresh: true }));
        self.search.iter().cloned().chain(fresh).collect()
    }

    /// The same with the points that were refused, as if they were clearly worse than the best: what is proposed keeps away from them.
    fn warned(&self, threshold: f64) -> Vec<Row> {
        let mut rows = self.rows();
        let height = HEIGHT * threshold;
        if let Some(best) = self.search.first() {
            let row = |x: &Vec<f64>| Row { x: x.clone(), loss: best.loss + height, fresh: false };
            rows.extend(self.refused.iter().map(row));
        }
        if let Some(best) = self.points.first().and_then(|p| p.answer.as_ref()) {
            let failed = self.points.iter().filter(|p| p.answer.is_none());
            rows.extend(failed.map(|p| Row { x: p.x.clone(), loss: best.loss + height, fresh: true }));
        }
        rows
    }

    /// Where a side goes next.
    fn propose(
        &self,
        at: usize,
        rows: &[Row],
        whole: Option<&Quadratic>,
        threshold: f64,
        claim: Claim,
    ) -> Option<(f64, Vec<f64>)> {
        let side = &self.sides[at];
        let way = &self.ways[side.line];
        let worse = |k: usize| self.worse(k);
        let model = |held: Held<'_>| Quadratic::fit(rows, &self.best, Some(held), HEIGHT * threshold);
        // From the last point within the noise, or one of those tried here.
        let start = |distance: f64, from: usize| {
            let held = Held { from: &self.best, way, at: side.sign * distance };
            held.project(self.points.get(from).map_or(&self.best[..], |p| &p.x))
        };
        let state = side.state(threshold, &worse);
        let predicted = |distance: f64| -> f64 {
            let held = Held { from: &self.best, way, at: side.sign * distance };
            match (whole, start(distance, state.from)) {
                (Some(model), Some(start)) => model.rise(&self.best, &model.lowest(held, &start, TRUST)),
                _ => f64::INFINITY,
            }
        };
        // Once more at the same value, if the model thinks that something better is there.
        if let Some(last) = state.retry {
            let held = Held { from: &self.best, way, at: side.sign * last.distance };
            let known = |x: &Vec<f64>| self.points.iter().any(|p| p.x == *x);
            let failed = !worse(last.best).is_finite();
            // After a failure not as far from what is known to be good.
            let (from, trust) = if failed { (state.from, TRUST / 4.0) } else { (last.best, TRUST) };
            if let (Some(model), Some(start)) = (model(held), start(last.distance, from)) {
                let better = self.canonical(model.lowest(held, &start, trust));
                let rise = if failed { 0.0 } else { model.rise(&start, &better) + worse(last.best) };
                if rise <= threshold && !known(&better) {
                    return Some((last.distance, better));
                }
                // What the search found near there.
                let near = GAP * last.distance;
                let found = self
                    .search
                    .iter()
                    .filter(|row| (held.along(&row.x) - held.at).abs() <= near)
                    .min_by(|a, b| a.loss.total_cmp(&b.loss));
                if let Some(row) = found.filter(|row| row.loss <= self.search[0].loss + threshold) {
                    let x = held.project(&row.x).map(|x| self.canonical(x)).filter(|x| !known(x));
                    if let Some(x) = x {
                        return Some((last.distance, x));
                    }
                }
            }
        }
        // Between two distances that are known, or beyond the first.
        let (distance, from, least, most) = match claim {
            Claim::Back { to, below } => (to, 0, 0.0, Some(below)),
            _ => (side.next(&state, threshold, &predicted)?, state.from, state.inside, state.outside),
        };
        let held = Held { from: &self.best, way, at: side.sign * distance };
        let start = start(distance, from)?;
        let x = model(held).map_or(start.clone(), |model| model.lowest(held, &start, TRUST));
        let mut x = self.canonical(x);
        // A whole number goes on by one at least.
        let taken = |x: &[f64]| (along(way, &self.best, x) * side.sign - least) <= 1e-12;
        if taken(&x) {
            for (x, cells) in x.iter_mut().zip(&self.cells).zip(way).filter(|(_, w)| **w == 1.0).map(|(both, _)| both) {
                if let Some(cells) = cells {
                    *x = (*x + side.sign / *cells as f64).clamp(0.5 / *cells as f64, 1.0 - 0.5 / *cells as f64);
                }
            }
        }
        let distance = along(way, &self.best, &x) * side.sign;
        (!taken(&x) && most.is_none_or(|out| distance < out - 1e-12)).then_some((distance, x))
    }

    /// With whole numbers in the middle of their cells.
    fn canonical(&self, mut x: Vec<f64>) -> Vec<f64> {
        for (x, cells) in x.iter_mut().zip(&self.cells) {
            if let Some(cells) = cells {
                let cell = ((*x * *cells as f64) as u64).min(cells - 1);
                *x = (cell as f64 + 0.5) / *cells as f64;
            }
        }
        x
    }
}

#[cfg(test)]
mod tests;
