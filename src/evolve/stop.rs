//! When a search ends before its evaluations are used: a loss is reached, nothing better comes, time is over.
//!
//! What does not depend on a clock is decided from the rows alone, so a log that is read later tells the same.

use super::watch::Stopped;
use crowdtune_search::{Purpose, Trial, bits};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// `[search.stop]`; not part of the digest, like the number of evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StopRules {
    /// A feasible candidate with a loss of at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Number of evaluations without a better candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stagnation: Option<u64>,
    /// Wall time in seconds, all sessions of the run together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_s: Option<f64>,
}

/// What a candidate has shown in all its rows: means weighted by replicas.
#[derive(Clone, Copy, Debug)]
struct Shown {
    replicas: f64,
    violation: f64,
    loss: f64,
}

impl Shown {
    /// Better first: done before failed, then violation and loss.
    fn compare(&self, other: &Self) -> Ordering {
        let failed = |s: &Self| !s.loss.is_finite();
        let violation = self.violation.total_cmp(&other.violation);
        failed(self).cmp(&failed(other)).then(violation).then(self.loss.total_cmp(&other.loss))
    }
}

/// Watches the search rows of a log.
#[derive(Clone, Debug)]
pub struct Watch {
    rules: StopRules,
    /// Replicas of an evaluation.
    replicas: u32,
    /// True if a row counts by its replicas, not as one evaluation.
    adaptive: bool,
    shown: BTreeMap<Vec<u64>, Shown>,
    best: Option<Vec<u64>>,
    /// Replicas spent so far, and how many were when the best came.
    spent: u64,
    better_at: u64,
}

impl Watch {
    /// Nothing was seen yet. An evaluation has this many `replicas`; where they are `adaptive`, a row counts by those it
    /// asked for.
    pub fn new(rules: StopRules, replicas: u32, adaptive: bool) -> Self {
        Self { rules, replicas, adaptive, shown: BTreeMap::new(), best: None, spent: 0, better_at: 0 }
    }

    /// Takes the next row in; rows of other purposes do not count.
    pub fn see(&mut self, trial: &Trial) {
        if trial.question.purpose != Purpose::Search {
            return;
        }
        let asked = trial.question.replicas.end - trial.question.replicas.start;
        self.spent += u64::from(if self.adaptive { asked } else { self.replicas });
        let key = bits(&trial.question.genome);
        let n = f64::from(asked);
        let loss = trial.objectives.first().copied().filter(|_| trial.is_done());
        let (violation, loss) = (trial.violation, loss.unwrap_or(f64::INFINITY));
        let all = match self.shown.get(&key) {
            None => Shown { replicas: n, violation, loss },
            Some(old) => {
                let sum = old.replicas + n;
                let mean = |a: f64, b: f64| (old.replicas * a + n * b) / sum;
                Shown { replicas: sum, violation: mean(old.violation, violation), loss: mean(old.loss, loss) }
            }
        };
        self.shown.insert(key.clone(), all);
        let leads = self.best.as_ref().and_then(|best| self.shown.get(best));
        if self.best.as_ref() == Some(&key) {
            // On further replicas the best may fall behind an earlier one, which is no progress.
            self.best = self.shown.iter().min_by(|a, b| a.1.compare(b.1)).map(|(key, _)| key.clone());
        } else if all.loss.is_finite() && leads.is_none_or(|old| all.compare(old).is_lt()) {
            self.best = Some(key);
            self.better_at = self.spent;
        }
    }

    /// Violation and loss of the best candidate so far; `None` before one is done.
    pub fn best(&self) -> Option<(f64, f64)> {
        let best = self.shown.get(self.best.as_ref()?)?;
        Some((best.violation, best.loss))
    }

    /// Evaluations so far; not whole where replicas adapt.
    pub fn evaluations(&self) -> f64 {
        self.spent as f64 / f64::from(self.replicas)
    }

    /// The rule that ends the search here, if one does.
    pub fn over(&self) -> Option<Stopped> {
        let best = self.best.as_ref().and_then(|best| self.shown.get(best));
        // What adapts may have been lucky on one replica.
        let proved = |b: &Shown| !self.adaptive || b.replicas >= f64::from(self.replicas);
        let reached = |wanted: f64| best.is_some_and(|b| proved(b) && b.violation <= 0.0 && b.loss <= wanted);
        if self.rules.loss.is_some_and(reached) {
            return Some(Stopped::Loss);
        }
        let idle = self.spent - self.better_at;
        self.rules
            .stagnation
            .is_some_and(|most| idle >= most.saturating_mul(u64::from(self.replicas)))
            .then_some(Stopped::Stagnation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_search::{Outcome, Question};

    fn row(x: f64, replicas: std::ops::Range<u32>, loss: Option<f64>) -> Trial {
        Trial {
            id: 0,
            question: Question { purpose: Purpose::Search, genome: vec![x], replicas },
            outcome: loss.map_or_else(|| Outcome::Failed("x".into()), |_| Outcome::Done),
            objectives: loss.into_iter().collect(),
            violation: 0.0,
            measures: Vec::new(),
            values: Vec::new(),
        }
    }

    fn ends(rules: StopRules, rows: &[Trial]) -> Option<(usize, Stopped)> {
        let mut watch = Watch::new(rules, 3, false);
        rows.iter().enumerate().find_map(|(at, row)| {
            watch.see(row);
            watch.over().map(|why| (at, why))
        })
    }

    #[test]
    fn a_loss_is_reached_by_a_feasible_candidate() {
        let rules = StopRules { loss: Some(0.5), ..StopRules::default() };
        let losses = [None, Some(0.9), Some(0.4), Some(0.5)];
        let mut rows: Vec<Trial> = losses.iter().enumerate().map(|(i, l)| row(i as f64, 0..3, *l)).collect();
        assert_eq!(ends(rules, &rows), Some((2, Stopped::Loss)));
        rows[2].violation = 0.1;
        assert_eq!(ends(rules, &rows), Some((3, Stopped::Loss)));
        assert_eq!(ends(StopRules { loss: Some(0.3), ..rules }, &rows), None);
    }

    #[test]
    fn stagnation_counts_from_the_last_better_candidate() {
        let rules = StopRules { stagnation: Some(3), ..StopRules::default() };
        let losses = [9.0, 8.0, 8.0, 8.5, 7.0, 7.0, 7.0, 7.5, 1.0];
        let rows: Vec<Trial> = losses.iter().enumerate().map(|(i, l)| row(i as f64, 0..3, Some(*l))).collect();
        assert_eq!(ends(rules, &rows), Some((7, Stopped::Stagnation)));
        let failed: Vec<Trial> = (0..4).map(|i| row(f64::from(i), 0..3, None)).collect();
        assert_eq!(ends(rules, &failed), Some((2, Stopped::Stagnation)));
        assert_eq!(ends(StopRules::default(), &rows), None);
    }

    #[test]
    fn luck_on_few_replicas_is_taken_back() {
        let rules = StopRules { loss: Some(0.5), ..StopRules::default() };
        let mut watch = Watch::new(rules, 3, true);
        watch.see(&row(0.9, 0..1, Some(0.3)));
        assert_eq!(watch.over(), None, "one replica proves nothing");
        watch.see(&row(0.9, 1..4, Some(9.9)));
        [row(0.1, 0..1, Some(0.8)), row(0.2, 0..1, Some(0.4)), row(0.2, 1..4, Some(1.2))]
            .iter()
            .for_each(|r| watch.see(r));
        // (0.4 + 3 x 1.2) / 4 = 1: the first one leads again.
        assert_eq!(watch.over(), None);
        watch.see(&row(0.1, 1..4, Some(0.4)));
        // (0.8 + 3 x 0.4) / 4 = 0.5.
        assert_eq!(watch.over(), Some(Stopped::Loss));
    }
}
