//! Constants estimated together with what the recording does not say exactly: how fast each person wants to walk, and where and how
//! fast people really were at each restart. Both are known with an error only, and that error does not vanish in the mean: a model that
//! starts with a wrong velocity seems to react faster or slower than it does.
//!
//! Least squares of all distances from the rows (Gauss and Newton), with derivatives from runs; the unknowns of a stretch between two
//! restarts and the speed of a person are eliminated before the constants are solved for. Everybody walks among the recorded
//! others, so that the unknowns of one person concern nobody else.

mod eliminate;
mod shown;
mod walks;

use crate::evolve::evaluate::interrupted;
use crate::evolve::experiment::Experiment;
use crate::track_fit::Taken;
use crowdtune_core::math::linear::{cholesky, dot, solve_transposed, solve_upper};
use crowdtune_core::math::{stats, student};
use crowdtune_core::{Class, Error};
use eliminate::Block;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use walks::{State, Stretch, Unknown, Walked, Walks};

/// Probability that an interval holds the constant.
const LEVEL: f64 = 0.9;
/// Improvements of the constants at most. Chosen here: planted ones need 4 to 8.
const ROUNDS: usize = 15;
/// In so many of them the others are put where they were found to walk. Chosen here: later ones change nothing but whom to trust.
const REFINED: usize = 6;
/// The estimate ends with a round that moves no constant by more than this share of its standard error. Chosen here: what is left to
/// gain is small beside what nobody knows.
const MOVED: f64 = 0.1;
/// Steps of the derivatives: of a constant as a share of its range, of a speed, m/s, of a state, m and m/s. Chosen here: small beside
/// what noise of a centimeter leaves open, large beside the single precision of forces.
const CONSTANT_STEP: f64 = 1e-3;
const SPEED_STEP: f64 = 5e-3;
const STATE_STEPS: State = [1e-3, 1e-3, 5e-3, 5e-3];
/// How far people's desired speeds are from what their tracks seem to say, standard deviation, m/s. Chosen here: wide, so that it
/// counts only for people who never walk as they want.
const SPEED_SD: f64 = 0.3;
/// Error of a row, m, as long as nothing else is known.
const ROW_SD: f64 = 0.02;
/// Least error of a row, m: that of four decimals.
const LEAST_ROW_SD: f64 = 1e-4;
/// A stretch whose distances are so many times those of the others counts half. Chosen here: of 20 numbers with normal errors none is
/// that far off.
const ODD: f64 = 2.5;
/// Nobody wants to walk slower or faster, m/s.
const SPEEDS: (f64, f64) = (0.05, 4.0);

/// Constants with intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Estimate {
    /// In the order of the genes.
    pub constants: Vec<Constant>,
    /// Desired speeds; `None` if too few tracks tell them.
    pub desired_speed: Option<Between>,
    /// Probability that an interval holds its constant, as far as the model is that of the people.
    pub level: f64,
    /// How it was made.
    pub method: &'static str,
    /// People and stretches between restarts that say it.
    pub people: usize,
    pub stretches: usize,
    /// Root mean square of what is left of the distances, per coordinate and unknown number, m: the error of the rows where the model is
    /// that of the people.
    pub left_m: f64,
    /// Runs that it took, each in several copies of the crowd.
    pub runs: u64,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Constant {
    pub key: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// The range of the search ends there, or the interval does.
    pub low_open: bool,
    pub high_open: bool,
    /// The interval that holds together with those of all other constants with the same probability.
    pub all_low: f64,
    pub all_high: f64,
}

/// The probability of each of so many intervals that hold together with this one: intervals of normal estimates, whatever their
/// correlation, do so at least as often as independent ones would (Sidak 1967).
fn single(level: f64, intervals: usize) -> f64 {
    libm::pow(level, 1.0 / intervals as f64)
}

/// What differs between people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Between {
    /// Mean and standard deviation between people, m/s; the errors of the single estimates are taken off.
    pub mean_m_per_s: f64,
    pub sd_m_per_s: f64,
    /// People whose tracks tell.
    pub people: usize,
}

/// How [`estimate`] works, for reports.
const METHOD: &str = "least squares of all distances of tuned people from their rows, together with everybody's desired speed and state \
                      at each restart; Student's t from what leaving out each person would change (jackknife)";

/// Estimates the constants of an experiment of a fit, starting from these. Who and what is held out says nothing.
///
/// # Errors
/// Why there is no estimate; that it was interrupted.
pub(crate) fn estimate(
    experiment: &Experiment,
    from: &[f64],
    taken: &Taken,
    cancel: &AtomicBool,
) -> Result<Estimate, Error> {
    let walks = Walks::new(experiment, taken).filter(|walks| !walks.stretches.is_empty());
    let Some((walks, unknown)) = walks.and_then(|walks| walks.recorded().map(|unknown| (walks, unknown))) else {
        return Err(Error::nothing("nobody is seen for long enough between two restarts"));
    };
    let mut search = Search { experiment, walks, priors: unknown.speeds.clone(), row_sd: ROW_SD, runs: 0, cancel };
    let mut at = search.at(experiment.space.encode(from), unknown)?;
    let mut damping = 1e-3;
    for round in 0..ROUNDS {
        if round < REFINED {
            search.row_sd = search.left(&at).clamp(LEAST_ROW_SD, 1.0);
            search.refine(&at);
            at = search.at(at.genome, at.unknown)?;
        }
        let slopes = search.slopes(&at)?;
        let squares = search.squares(&at);
        let mut better = None;
        // Shorter and shorter, and the constants more and more damped, until it helps.
        for share in (0..8).map(|k| 0.5_f64.powi(k)) {
            let Some(step) = slopes.step(damping) else { break };
            let (genome, unknown) = search.moved(&at, &slopes, &step, share);
            match search.at(genome, unknown) {
                Ok(tried) if search.squares(&tried) < squares => {
                    damping *= 0.1;
                    better = Some(tried);
                    break;
                }
                Err(why) if why.class() == Class::Interrupted => return Err(why),
                // Worse, or a run that cannot be trusted.
                _ => {}
            }
            damping = 10.0 * damping.max(1e-6);
        }
        let Some(better) = better else { break };
        let Some(spread) = slopes.spread() else { break };
        let far = |(k, spread): (usize, f64)| (better.genome[k] - at.genome[k]).abs() > MOVED * spread.sqrt();
        let found = !spread.into_iter().enumerate().any(far);
        at = better;
        if found {
            break;
        }
    }
    search.result(&at)
}

struct Search<'e> {
    experiment: &'e Experiment,
    walks: Walks,
    /// Desired speeds as the tracks seem to say.
    priors: Vec<f64>,
    row_sd: f64,
    runs: u64,
    cancel: &'e AtomicBool,
}

/// Values of everything, and how far people are from their rows with them.
struct At {
    genome: Vec<f64>,
    unknown: Unknown,
    walked: Walked,
}

impl At {
    /// Sum of the squares of each stretch.
    fn sums(&self) -> impl Iterator<Item = f64> {
        self.walked.residuals.iter().map(|r| dot(r, r))
    }
}

/// Derivatives of everything at one point, with what concerns one stretch or person eliminated.
struct Slopes {
    /// By stretch.
    blocks: Vec<Block>,
    people: BTreeMap<usize, Person>,
    /// Number of constants.
    genes: usize,
}

/// What one person says.
struct Person {
    tuned: bool,
    /// Products of the derivative by the desired speed with itself, with those by the constants, and with the distances.
    speed: Vec<f64>,
    /// What is left for the constants when the speed is eliminated: products of derivatives, row by row, and with the distances.
    normal: Vec<f64>,
    score: Vec<f64>,
}

impl Search<'_> {
    fn at(&mut self, genome: Vec<f64>, unknown: Unknown) -> Result<At, Error> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        self.runs += 1;
        let walked = self.walks.walk(&self.experiment.space.decode(&genome), &unknown)?;
        Ok(At { genome, unknown, walked })
    }

    /// How much a person's desired speed counts that the own track seems to say, per (m/s) squared.
    fn held(&self) -> f64 {
        (self.row_sd / SPEED_SD).powi(2)
    }

    /// Squares beyond which a stretch counts less and less.
    fn odd(&self, stretch: &Stretch) -> f64 {
        stretch.freedom() * (ODD * self.row_sd).powi(2)
    }

    /// Whether each stretch is nearer to the rows than what counts half.
    fn usual(&self, at: &At) -> Vec<bool> {
        self.walks.stretches.iter().zip(at.sums()).map(|(stretch, sum)| sum < self.odd(stretch)).collect()
    }

    /// Weight of each stretch (Cauchy): who is bumped into, or takes another side than in the model, says little of the constants.
    fn weights(&self, at: &At) -> Vec<f64> {
        self.walks.stretches.iter().zip(at.sums()).map(|(stretch, sum)| 1.0 / (1.0 + sum / self.odd(stretch))).collect()
    }

    /// What is least at the estimate.
    fn squares(&self, at: &At) -> f64 {
        let speeds = at.unknown.speeds.iter().zip(&self.priors).map(|(speed, prior)| (speed - prior).powi(2));
        let of = |(stretch, sum): (&Stretch, f64)| {
            let odd = self.odd(stretch);
            odd * libm::log(1.0 + sum / odd)
        };
        let says = |(stretch, _): &(&Stretch, f64)| !stretch.touches;
        self.walks.stretches.iter().zip(at.sums()).filter(says).map(of).sum::<f64>() + self.held() * speeds.sum::<f64>()
    }

    /// Error of a row as the middle one of the stretches has it, m.
    fn left(&self, at: &At) -> f64 {
        let each = self.walks.stretches.iter().zip(at.sums()).map(|(stretch, sum)| sum / stretch.freedom());
        stats::median(&each.collect::<Vec<_>>()).sqrt()
    }

    /// The others walk as they were found to, but for odd stretches.
    fn refine(&mut self, at: &At) {
        let usual = self.usual(at);
        self.walks.refine(&at.walked, |stretch| usual[stretch]);
    }

    /// One run for each kind of unknown: those of all people are moved at once, because each concerns only the own way.
    fn slopes(&mut self, at: &At) -> Result<Slopes, Error> {
        let weights: Vec<f64> = self.weights(at).into_iter().map(f64::sqrt).collect();
        let base = &at.walked.residuals;
        let mut columns: Vec<Vec<Vec<f64>>> = vec![Vec::new(); base.len()];
        let mut add = |moved: &At, step: f64| {
            for (k, moved) in moved.walked.residuals.iter().enumerate() {
                columns[k]
                    .push(moved.iter().zip(&base[k]).map(|(moved, base)| weights[k] * (moved - base) / step).collect());
            }
        };
        for (k, step) in STATE_STEPS.into_iter().enumerate() {
            let mut unknown = at.unknown.clone();
            unknown.states.iter_mut().for_each(|state| state[k] += step);
            add(&self.at(at.genome.clone(), unknown)?, step);
        }
        let mut unknown = at.unknown.clone();
        unknown.speeds.iter_mut().for_each(|speed| *speed += SPEED_STEP);
        add(&self.at(at.genome.clone(), unknown)?, SPEED_STEP);
        for k in 0..at.genome.len() {
            let mut genome = at.genome.clone();
            let step = if genome[k] > 0.5 { -CONSTANT_STEP } else { CONSTANT_STEP };
            genome[k] += step;
            add(&self.at(genome, at.unknown.clone())?, step);
        }
        for (k, columns) in columns.iter_mut().enumerate() {
            columns.push(base[k].iter().map(|x| weights[k] * x).collect());
        }
        let blocks: Vec<Block> = columns.into_iter().map(|columns| Block::new(columns, 4)).collect();
        Ok(self.by_person(at, blocks))
    }

    /// Adds the stretches of each person and eliminates the desired speed.
    fn by_person(&self, at: &At, blocks: Vec<Block>) -> Slopes {
        let genes = at.genome.len();
        let mut people: BTreeMap<usize, Person> = BTreeMap::new();
        for (stretch, block) in self.walks.stretches.iter().zip(&blocks) {
            let person = people.entry(stretch.person).or_insert_with(|| {
                let mut speed = vec![0.0; genes + 2];
                speed[0] = self.held();
                speed[genes + 1] = self.held() * (at.unknown.speeds[stretch.person] - self.priors[stretch.person]);
                Person { tuned: stretch.tuned, speed, normal: vec![0.0; genes * genes], score: vec![0.0; genes] }
            });
            let [speed, constants @ .., right] = &block.rest[..] else { continue };
            if stretch.touches {
                continue;
            }
            for (sum, other) in person.speed.iter_mut().zip(&block.rest) {
                *sum += dot(speed, other);
            }
            for (a, one) in constants.iter().enumerate() {
                person.score[a] += dot(one, right);
                for (b, other) in constants.iter().enumerate() {
                    person.normal[a * genes + b] += dot(one, other);
                }
            }
        }
        for Person { speed, normal, score, .. } in people.values_mut() {
            for a in 0..genes {
                let factor = speed[1 + a] / speed[0];
                score[a] -= factor * speed[genes + 1];
                for b in 0..genes {
                    normal[a * genes + b] -= factor * speed[1 + b];
                }
            }
        }
        Slopes { blocks, people, genes }
    }

    /// The point that a share of a step of the constants leads to, with what follows for everybody.
    fn moved(&self, at: &At, slopes: &Slopes, step: &[f64], share: f64) -> (Vec<f64>, Unknown) {
        // What the range leaves of the step.
        let within = |(x, step): (&f64, &f64)| (x + step).clamp(0.0, 1.0) - x;
        let step: Vec<f64> = at.genome.iter().zip(step).map(within).collect();
        let genome = at.genome.iter().zip(&step).map(|(x, step)| x + share * step).collect();
        let mut unknown = at.unknown.clone();
        let mut faster: BTreeMap<usize, f64> = BTreeMap::new();
        for (&id, person) in &slopes.people {
            let sum = person.speed[slopes.genes + 1] + dot(&person.speed[1..=slopes.genes], &step);
            let speed = &mut unknown.speeds[id];
            let more = (*speed - sum / person.speed[0]).clamp(SPEEDS.0, SPEEDS.1) - *speed;
            faster.insert(id, more);
            *speed += share * more;
        }
        for ((stretch, block), state) in self.walks.stretches.iter().zip(&slopes.blocks).zip(&mut unknown.states) {
            let others: Vec<f64> = faster.get(&stretch.person).into_iter().chain(&step).copied().collect();
            state.iter_mut().zip(block.own(&others)).for_each(|(x, more)| *x += share * more);
        }
        (genome, unknown)
    }

    /// The estimate at the minimum.
    fn result(mut self, at: &At) -> Result<Estimate, Error> {
        let slopes = self.slopes(at)?;
        let people = slopes.tuned().count();
        let stretches = || self.walks.stretches.iter().filter(|stretch| stretch.tuned && !stretch.touches);
        let freedom: f64 = stretches().map(Stretch::freedom).sum();
        // What is estimated from the numbers makes the rest of them too small.
        let numbers = freedom + 4.0 * stretches().count() as f64;
        let estimated = (people + at.genome.len()) as f64;
        let wider = numbers / (freedom - estimated).max(1.0);
        let Some(spread) = slopes.spread().filter(|_| people > 1 + at.genome.len()) else {
            return Err(Error::nothing("the tracks do not determine the constants"));
        };
        let genes = &self.experiment.space.genes;
        let t = |level: f64| student::quantile_above(0.5 * (1.0 - level), (people - genes.len()) as u32);
        let (one, all) = (t(LEVEL), t(single(LEVEL, genes.len())));
        let constants = genes.iter().enumerate().map(|(k, gene)| {
            let error = (wider * spread[k]).sqrt();
            let ends = |t: f64| (at.genome[k] - t * error, at.genome[k] + t * error);
            let decoded = |(low, high): (f64, f64)| (gene.axis.decode(low.max(0.0)), gene.axis.decode(high.min(1.0)));
            let (low, high) = decoded(ends(one));
            let (all_low, all_high) = decoded(ends(all));
            let (low_open, high_open) = (ends(one).0 <= 0.0, ends(one).1 >= 1.0);
            Constant {
                key: gene.key.clone(),
                value: gene.axis.decode(at.genome[k]),
                low,
                high,
                low_open,
                high_open,
                all_low,
                all_high,
            }
        });
        Ok(Estimate {
            constants: constants.collect(),
            desired_speed: self.speeds(at, &slopes, wider),
            level: LEVEL,
            method: METHOD,
            people,
            stretches: stretches().count(),
            left_m: self.left(at),
            runs: self.runs,
        })
    }
}

impl Search<'_> {
    /// How desired speeds differ between tuned people, of those whose tracks say more of them than what they are held to, and who are
    /// usually near to where the model has them.
    fn speeds(&self, at: &At, slopes: &Slopes, wider: f64) -> Option<Between> {
        let row_variance = wider * self.left(at).powi(2);
        // Of each person the stretches that are usual, less the odd ones.
        let mut usual: BTreeMap<usize, i64> = BTreeMap::new();
        let all = self.walks.stretches.iter().zip(self.usual(at));
        for (stretch, is_usual) in all.filter(|(stretch, _)| !stretch.touches) {
            *usual.entry(stretch.person).or_default() += if is_usual { 1 } else { -1 };
        }
        let told = slopes.people.iter().filter_map(|(&id, person)| {
            let told = person.speed[0] - self.held();
            let counts = person.tuned && told > self.held() && usual.get(&id).is_some_and(|more| *more > 0);
            counts.then(|| (at.unknown.speeds[id], row_variance / told))
        });
        let (speeds, errors): (Vec<f64>, Vec<f64>) = told.unzip();
        if speeds.len() < 3 {
            return None;
        }
        let sd_m_per_s = (stats::sd(&speeds).powi(2) - stats::mean(&errors)).max(0.0).sqrt();
        Some(Between { mean_m_per_s: stats::mean(&speeds), sd_m_per_s, people: speeds.len() })
    }
}

impl Slopes {
    fn tuned(&self) -> impl Iterator<Item = &Person> {
        self.people.values().filter(|person| person.tuned)
    }

    /// Sums over people.
    fn sums(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut normal, mut score) = (vec![0.0; self.genes * self.genes], vec![0.0; self.genes]);
        for person in self.tuned() {
            normal.iter_mut().zip(&person.normal).for_each(|(sum, x)| *sum += x);
            score.iter_mut().zip(&person.score).for_each(|(sum, x)| *sum += x);
        }
        (normal, score)
    }

    /// The step of the constants, damped as Levenberg and Marquardt do; `None` if nothing determines them.
    fn step(&self, damping: f64) -> Option<Vec<f64>> {
        let (mut normal, mut step) = self.sums();
        for k in 0..self.genes {
            normal[k * self.genes + k] *= 1.0 + damping;
        }
        step.iter_mut().for_each(|x| *x = -*x);
        solve(self.genes, normal, &mut step).then_some(step)
    }

    /// Variance of each constant, as a share of its range squared: by how much it moves if one person is left out, for everybody
    /// (jackknife). Who meets others closely says most of the constants, which a plain sandwich would make too sure.
    fn spread(&self) -> Option<Vec<f64>> {
        let normal = self.sums().0;
        let mut moves = Vec::new();
        for person in self.tuned() {
            let others = normal.iter().zip(&person.normal).map(|(all, own)| all - own).collect();
            let mut own = person.score.clone();
            if !solve(self.genes, others, &mut own) {
                return None;
            }
            moves.push(own);
        }
        let people = moves.len() as f64;
        let variance = |k: usize| {
            let mean = moves.iter().map(|own| own[k]).sum::<f64>() / people;
            moves.iter().map(|own| (own[k] - mean).powi(2)).sum::<f64>() * (people - 1.0) / people
        };
        Some((0..self.genes).map(variance).collect())
    }
}

/// Solves a symmetric system in place; false if it is singular.
fn solve(n: usize, mut a: Vec<f64>, right: &mut [f64]) -> bool {
    if !cholesky(n, &mut a) {
        return false;
    }
    solve_transposed(n, &a, right);
    solve_upper(n, &a, right);
    right.iter().all(|x| x.is_finite())
}
