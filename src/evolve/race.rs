//! The race of the finalists: rounds of fresh replicas that all of them share; those that are worse with confidence drop out.
//!
//! Racing after Heidrich-Meisner and Igel, Hoeffding and Bernstein races for selecting policies, ICML 2009, and F-race (Birattari et al., GECCO 2002).
//! Differs from both: intervals are those of Student's t on paired pseudo-values, because losses have no bounds and a
//! score is not a mean over replicas.

use super::experiment::Experiment;
use super::scoring::{Rescore, joined};
use crate::target::Score;
use crowdtune_core::math::student::above_zero;
use crowdtune_search::{Genome, Purpose, Question, Trial, Values};
use std::cmp::Ordering;

/// Chance that a race drops a contestant that is not worse. Chosen here: the usual 5 %.
const ERROR: f64 = 0.05;
/// Number of rounds that use up the replicas if nobody drops out. Chosen here: 4, five replicas a round with 20.
const ROUNDS: u32 = 4;
/// Losses that differ by less than this share of their size count as equal: smaller differences are rounding.
const ROUNDING: f64 = 1e-9;

/// A candidate in the race.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The candidate.
    pub genome: Genome,
    /// Its rows, as they were told.
    pub rows: Vec<Trial>,
    /// Values of all rows together.
    values: Values,
    /// Violation and first objective over all of them; `None` before the first row, and after a failed one.
    score: Option<(f64, f64)>,
    /// True after a failed row.
    pub failed: bool,
    /// The round after which it was out, from 1.
    pub out: Option<u32>,
}

impl Contestant {
    fn new(genome: Genome) -> Self {
        Self { genome, rows: Vec::new(), values: Vec::new(), score: None, failed: false, out: None }
    }

    /// Number of replicas it ran.
    pub fn replicas(&self) -> u32 {
        self.rows.last().map_or(0, |t| t.question.replicas.end)
    }

    /// Values of all its rows together.
    pub fn values(&self) -> &Values {
        &self.values
    }
}

/// Valid before failed, racing before dropped and later dropped before earlier, then violation and loss.
fn compare(a: &Contestant, b: &Contestant) -> Ordering {
    let round = |c: &Contestant| c.out.unwrap_or(u32::MAX);
    let (va, la) = a.score.unwrap_or((f64::INFINITY, f64::INFINITY));
    let (vb, lb) = b.score.unwrap_or((f64::INFINITY, f64::INFINITY));
    a.score
        .is_none()
        .cmp(&b.score.is_none())
        .then(round(b).cmp(&round(a)))
        .then(va.total_cmp(&vb))
        .then(la.total_cmp(&lb))
}

/// A race, told row by row.
#[derive(Debug)]
pub struct Race<'a> {
    rescore: Rescore<'a>,
    contestants: Vec<Contestant>,
    /// Replicas of a round.
    step: u32,
    /// Replicas left, of all contestants together.
    left: u64,
    round: u32,
}

impl<'a> Race<'a> {
    /// Before the first round. There are `select_replicas` replicas for each; what a contestant leaves when it drops out goes to the
    /// others.
    pub fn new(experiment: &'a Experiment, genomes: Vec<Genome>) -> Self {
        let each = experiment.search.select_replicas;
        let step = each.div_ceil(ROUNDS).max(2).min(each);
        Self {
            rescore: Rescore::new(experiment),
            left: u64::from(each) * genomes.len() as u64,
            contestants: genomes.into_iter().map(Contestant::new).collect(),
            step,
            round: 0,
        }
    }

    /// The next round: everybody who is still in, on the same replicas; empty when the race is over.
    pub fn ask(&self) -> Vec<Question> {
        let there: Vec<&Contestant> = self.contestants.iter().filter(|c| c.out.is_none()).collect();
        let first = self.round * self.step;
        let share = u32::try_from(self.left / (there.len() as u64).max(1)).unwrap_or(u32::MAX).min(self.step);
        // The last one left has won; a single finalist still runs once, to show that it is valid.
        if there.is_empty() || share == 0 || (there.len() == 1 && self.round > 0) {
            return Vec::new();
        }
        let replicas = first..first + share;
        let question = |c: &&Contestant| Question {
            genome: c.genome.clone(),
            replicas: replicas.clone(),
            purpose: Purpose::Select,
        };
        there.iter().map(question).collect()
    }

    /// The answers to the whole round, in the order of the questions.
    pub fn tell(&mut self, trials: Vec<Trial>) {
        self.round += 1;
        let there = self.contestants.iter_mut().filter(|c| c.out.is_none());
        for (contestant, trial) in there.zip(trials) {
            self.left = self.left.saturating_sub(trial.question.replicas.len() as u64);
            contestant.failed |= !trial.is_done();
            contestant.rows.push(trial);
            contestant.values = joined(contestant.rows.iter().map(|t| &t.values));
            let all: Vec<usize> = (0..contestant.replicas() as usize).collect();
            let score = self.rescore.score(&contestant.values, &all);
            contestant.score = (!contestant.failed && score.failure.is_none()).then(|| cost(&score));
            if contestant.score.is_none() {
                contestant.failed = true;
                contestant.out = Some(self.round);
            }
        }
        self.drop_the_worse();
    }

    /// The contestants, best first; equal ones in the order of the start.
    pub fn ranked(&self) -> Vec<&Contestant> {
        let mut order: Vec<&Contestant> = self.contestants.iter().collect();
        order.sort_by(|a, b| compare(a, b));
        order
    }

    /// The best one; `None` if all failed.
    pub fn winner(&self) -> Option<&Contestant> {
        self.ranked().first().copied().filter(|c| c.score.is_some())
    }

    /// Compares everybody still in with the best of them, and drops those who are worse.
    fn drop_the_worse(&mut self) {
        let there: Vec<usize> = (0..self.contestants.len()).filter(|&i| self.contestants[i].out.is_none()).collect();
        let Some(&best) = there.iter().min_by(|&&a, &&b| compare(&self.contestants[a], &self.contestants[b])) else {
            return;
        };
        // Bonferroni over contestants and rounds: sum of 1 / (r (r + 1)) over all r is 1.
        let rounds = f64::from(self.round) * f64::from(self.round + 1);
        let level = ERROR / (self.contestants.len().max(2) - 1) as f64 / rounds;
        let leading = self.pseudo(&self.contestants[best]);
        let worse = |&i: &usize| i != best && self.is_worse(&self.contestants[i], best, &leading, level);
        for i in there.into_iter().filter(worse).collect::<Vec<_>>() {
            self.contestants[i].out = Some(self.round);
        }
    }

    /// True if one is worse than the best with confidence: in violation, or if it is no better there, in loss.
    fn is_worse(&self, one: &Contestant, best: usize, leading: &[(f64, f64)], level: f64) -> bool {
        let (Some(a), Some(b)) = (one.score, self.contestants[best].score) else { return false };
        let mine = self.pseudo(one);
        if mine.len() != leading.len() {
            return false;
        }
        let worse = |part: fn(&(f64, f64)) -> f64| {
            let far = part(&a) - part(&b) > ROUNDING * (part(&a).abs() + part(&b).abs());
            let differences: Vec<f64> = mine.iter().zip(leading).map(|(m, l)| part(m) - part(l)).collect();
            far && above_zero(&differences) <= level
        };
        worse(|c| c.0) || (a.0 >= b.0 && worse(|c| c.1))
    }

    /// Jackknife pseudo-values of violation and loss, one a replica: n times the score of all less n - 1 times that of
    /// all others (Tukey 1958; Efron, Tibshirani 1993, chapter 11). Where a score is a mean they are the replicas' own.
    fn pseudo(&self, of: &Contestant) -> Vec<(f64, f64)> {
        let n = of.replicas() as usize;
        let Some(all) = of.score else { return Vec::new() };
        let without = |i: usize| -> Option<(f64, f64)> {
            let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let score = self.rescore.score(&of.values, &others);
            score.failure.is_none().then(|| cost(&score))
        };
        let pseudo = |whole: f64, part: f64| n as f64 * whole - (n as f64 - 1.0) * part;
        (0..n).filter_map(without).map(|p| (pseudo(all.0, p.0), pseudo(all.1, p.1))).collect()
    }
}

fn cost(score: &Score) -> (f64, f64) {
    (score.violation, score.objectives.first().copied().unwrap_or(f64::INFINITY))
}

/// Runs a race again from its rows: contestants in the order of the first round.
pub fn again<'a>(experiment: &'a Experiment, rows: &[Trial]) -> Race<'a> {
    let first = rows.iter().take_while(|t| t.question.replicas.start == 0);
    let mut race = Race::new(experiment, first.map(|t| t.question.genome.clone()).collect());
    let mut rest = rows;
    loop {
        let asked = race.ask().len();
        if asked == 0 || asked > rest.len() {
            return race;
        }
        let (now, later) = rest.split_at(asked);
        race.tell(now.to_vec());
        rest = later;
    }
}

#[cfg(test)]
#[path = "race_tests.rs"]
mod tests;
