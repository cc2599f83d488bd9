//! Replicas as needed: few where candidates can be told apart, more where their ranks change on other seeds.
//!
//! Wraps any single-objective optimizer. Every candidate is asked on replicas 0..r. Every now and then two candidates are asked
//! again on r..2r, and how far their ranks move decides whether r grows or shrinks (the uncertainty measure of UH-CMA-ES: Hansen,
//! Niederberger, Guzzella, Koumoutsakos, IEEE Trans. Evol. Comput. 13, 180, 2009). A candidate that looks better than the best so
//! far has to prove it first: both are asked on further replicas.
//!
//! Differs from the source: replicas are common random numbers, so the shift that all candidates share on the further replicas
//! is removed before ranks are compared, and the step size is left alone. Our own idea: a candidate that fails to prove itself is
//! told to the optimizer as no better than the best.

use crate::{Genome, Optimizer, Question, StopReason, Trial};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// Joins the trials of one candidate on consecutive replicas from 0 into one, scored on the first `n` replicas.
pub type Join<'a> = Box<dyn Fn(&[Trial], u32) -> Trial + Send + 'a>;

/// Growth of the replicas under uncertainty; they shrink by its fourth root. Hansen et al. 2009, table I.
const GROWTH: f64 = 1.5;
/// Share of the median rank change by chance that is tolerated. Hansen et al. 2009, section III.
const TOLERANCE: f64 = 0.2;
/// Fewest candidates between two measurements. Chosen here: two of ten are asked again.
const EVERY: usize = 10;
/// Candidates among which ranks are compared. Chosen here: a population of the optimizers here.
const WINDOW: usize = 20;
/// Replicas on which a new best is believed, in multiples of r. Chosen here, see docs/decisions.md.
const BELIEVED: u32 = 4;

/// A candidate with all its rows.
#[derive(Clone)]
struct Candidate {
    /// What the inner optimizer asked.
    question: Question,
    rows: Vec<Trial>,
}

impl Candidate {
    fn replicas(&self) -> u32 {
        self.rows.last().map_or(0, |t| t.question.replicas.end)
    }
}

/// What the open questions are for.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The batch on its first replicas.
    First,
    /// Some of them on further replicas.
    Further,
}

/// An optimizer whose candidates get as many replicas as they need.
pub struct AdaptiveReplicas<'a> {
    inner: Box<dyn Optimizer + 'a>,
    join: Join<'a>,
    parallel: usize,
    most: u32,
    /// Replicas as a real number; questions take it rounded.
    replicas: f64,
    stage: Stage,
    batch: Vec<Candidate>,
    /// Questions that are not asked yet, with the index of their candidate in the batch; its length stands for the best so far.
    open: VecDeque<(usize, Question)>,
    /// Indices of the candidates that were asked last.
    asked: Vec<usize>,
    /// Indices of the candidates that are asked again to measure how ranks change.
    measured: Vec<usize>,
    challenger: Option<usize>,
    best: Option<Candidate>,
    /// First ranks of the latest candidates, all on the present number of replicas.
    window: VecDeque<Rank>,
    since: usize,
}

/// Failed, violation, loss.
type Rank = (bool, f64, f64);

fn compare(a: Rank, b: Rank) -> Ordering {
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
}

impl<'a> AdaptiveReplicas<'a> {
    /// Wraps an optimizer. It asks `parallel` questions at a time, of at most `most` replicas, and starts with one replica.
    pub fn new(inner: Box<dyn Optimizer + 'a>, join: Join<'a>, parallel: usize, most: u32) -> Self {
        Self {
            inner,
            join,
            parallel: parallel.max(1),
            most: most.max(1),
            replicas: 1.0,
            stage: Stage::First,
            batch: Vec::new(),
            open: VecDeque::new(),
            asked: Vec::new(),
            measured: Vec::new(),
            challenger: None,
            best: None,
            window: VecDeque::new(),
            since: 0,
        }
    }

    fn now(&self) -> u32 {
        (self.replicas.round() as u32).clamp(1, self.most)
    }

    /// Opens a question about a candidate on the replicas that it lacks up to `end`.
    fn further(&mut self, at: usize, end: u32) {
        let Some(candidate) = self.batch.get(at).or(self.best.as_ref()) else { return };
        let start = candidate.replicas();
        if start < end {
            let question = Question { replicas: start..end, ..candidate.question.clone() };
            self.open.push_back((at, question));
        }
    }

    /// After the first replicas: decides which candidates are asked again.
    fn look_closer(&mut self) {
        self.stage = Stage::Further;
        let now = self.now();
        self.since += self.batch.len();
        let best_first = (0..self.batch.len()).min_by(|&a, &b| compare(self.first(a), self.first(b)));
        self.challenger = best_first.filter(|&at| {
            let first = self.first(at);
            let common = |best: &Candidate| (self.join)(&best.rows, now.min(best.replicas())).rank();
            !first.0 && self.best.as_ref().is_none_or(|best| compare(first, common(best)).is_lt())
        });
        if let Some(at) = self.challenger.filter(|_| self.best.is_some()) {
            let had = self.best.as_ref().map_or(0, Candidate::replicas);
            let end = now.saturating_mul(BELIEVED).min(self.most).max(had);
            self.further(at, end);
            self.further(self.batch.len(), end);
        }
        self.measured.clear();
        let others = self.window.len() + self.batch.len();
        if self.since >= EVERY && self.batch.len() >= 2 && others >= EVERY {
            let count = (self.since / 10).max(2);
            let free = (0..self.batch.len()).filter(|&at| Some(at) != self.challenger && !self.first(at).0);
            self.measured = free.take(count).collect();
            if self.measured.len() < 2 {
                self.measured.clear();
            }
            for at in self.measured.clone() {
                self.further(at, 2 * now);
            }
        }
    }

    fn first(&self, at: usize) -> Rank {
        self.batch[at].rows[0].rank()
    }

    /// All answers are there: decides on the best so far, the replicas to come, and what the inner optimizer is told.
    fn conclude(&mut self) {
        let mut told: Vec<Trial> = self.batch.iter().map(|c| c.rows[0].clone()).collect();
        if let Some(at) = self.challenger {
            self.judge(at, &mut told[at]);
        }
        let uncertainty = self.measure(&mut told);
        for (told, candidate) in told.iter_mut().zip(&self.batch) {
            told.question = candidate.question.clone();
        }
        let before = self.now();
        if !self.measured.is_empty() {
            self.since = 0;
            let factor = if uncertainty > 0.0 { GROWTH } else { 1.0 / GROWTH.sqrt().sqrt() };
            self.replicas = (self.replicas * factor).clamp(1.0, f64::from(self.most));
        }
        let first: Vec<Rank> = (0..self.batch.len()).map(|at| self.first(at)).collect();
        self.window.extend(first);
        while self.window.len() > WINDOW {
            self.window.pop_front();
        }
        if self.now() != before {
            self.window.clear();
        }
        self.inner.tell(&told);
        self.batch.clear();
    }

    /// Compares the challenger with the best so far on the replicas that both have.
    fn judge(&mut self, at: usize, told: &mut Trial) {
        let challenger = self.batch[at].clone();
        let Some(best) = &self.best else {
            self.best = Some(challenger);
            return;
        };
        let n = challenger.replicas().min(best.replicas());
        let (mine, theirs) = ((self.join)(&challenger.rows, n), (self.join)(&best.rows, n));
        if !mine.is_done() {
            *told = mine;
        } else if compare(mine.rank(), theirs.rank()).is_lt() {
            self.best = Some(challenger);
        } else {
            // The challenger is told as no better than the best so far on the replicas of this batch.
            let as_best = (self.join)(&best.rows, self.now().min(best.replicas()));
            if as_best.is_done() && compare(told.rank(), as_best.rank()).is_lt() {
                told.objectives.clone_from(&as_best.objectives);
                told.violation = as_best.violation;
            }
        }
    }

    /// The uncertainty measure of the candidates that were asked again, above 0 where ranks change too much. Each of them is told
    /// with all its replicas, less the shift that they share.
    fn measure(&mut self, told: &mut [Trial]) -> f64 {
        let now = self.now();
        let again: Vec<(usize, Rank, Rank)> = self
            .measured
            .iter()
            .filter_map(|&at| Some((at, self.first(at), self.batch[at].rows.get(1)?.rank())))
            .collect();
        let done: Vec<&(usize, Rank, Rank)> = again.iter().filter(|a| !a.2.0).collect();
        let shift = match done.len() {
            0 => 0.0,
            n => done.iter().map(|a| a.2.2 - a.1.2).sum::<f64>() / n as f64,
        };
        let mut all: Vec<(Option<usize>, Rank)> = self.window.iter().map(|&cost| (None, cost)).collect();
        all.extend((0..self.batch.len()).map(|at| (Some(at), self.first(at))));
        let mut sum = 0.0;
        for &(at, old, new) in &again {
            let others: Vec<Rank> = all.iter().filter(|o| o.0 != Some(at)).map(|o| o.1).collect();
            let place = |cost: Rank| others.iter().filter(|&&o| compare(o, cost).is_lt()).count();
            let (before, after) = (place(old), place((new.0, new.1, new.2 - shift)));
            let limit = |place: usize| tolerated(place, others.len());
            sum += 2.0 * before.abs_diff(after) as f64 - limit(before) - limit(after);
            let joined = (self.join)(&self.batch[at].rows, 2 * now);
            told[at] = joined;
            for loss in &mut told[at].objectives {
                // Of 2 r replicas half have the shift.
                *loss -= 0.5 * shift;
            }
        }
        if again.is_empty() { 0.0 } else { sum / again.len() as f64 }
    }
}

/// The rank change from `place` among `others` that is tolerated: the quantile of order `TOLERANCE` / 2 of all changes
/// that are possible from there (equation 12 of Hansen et al. 2009).
fn tolerated(place: usize, others: usize) -> f64 {
    let changes: Vec<f64> = (0..=others).map(|to| to.abs_diff(place) as f64).collect();
    crowdtune_core::math::stats::quantile(&changes, 0.5 * TOLERANCE)
}

impl Optimizer for AdaptiveReplicas<'_> {
    fn ask(&mut self) -> Vec<Question> {
        if self.batch.is_empty() {
            let now = self.now();
            self.stage = Stage::First;
            self.batch =
                self.inner.ask().into_iter().map(|question| Candidate { question, rows: Vec::new() }).collect();
            (0..self.batch.len()).for_each(|at| self.further(at, now));
        }
        let count = self.open.len().min(self.parallel);
        let (asked, questions) = self.open.drain(..count).unzip();
        self.asked = asked;
        questions
    }

    fn tell(&mut self, trials: &[Trial]) {
        for (&at, trial) in self.asked.iter().zip(trials) {
            if let Some(candidate) = self.batch.get_mut(at).or(self.best.as_mut()) {
                candidate.rows.push(trial.clone());
            }
        }
        if self.open.is_empty() && self.stage == Stage::First {
            self.look_closer();
        }
        if self.open.is_empty() && !self.batch.is_empty() {
            self.conclude();
        }
    }

    fn stop(&self) -> Option<StopReason> {
        self.inner.stop()
    }

    fn recommend(&self) -> Vec<Genome> {
        let best = self.best.iter().map(|best| best.question.genome.clone());
        best.chain(self.inner.recommend()).collect()
    }

    fn expected(&self, candidate: &[f64]) -> Option<f64> {
        self.inner.expected(candidate)
    }
}

#[cfg(test)]
#[path = "replication_tests.rs"]
mod tests;
