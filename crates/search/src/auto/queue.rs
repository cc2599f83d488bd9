//! The questions of one arm of the portfolio, and the answers that all arms share.

use crate::space::Space;
use crate::{Genome, Trial};
use std::collections::{BTreeMap, BTreeSet};

/// All answers of the search, by the values that a candidate decodes to, so that no question is asked twice.
pub(super) struct Answers {
    space: Space,
    trials: BTreeMap<Vec<u64>, Trial>,
}

impl Answers {
    /// No answers yet.
    pub(super) fn new(space: &Space) -> Self {
        Self { space: space.clone(), trials: BTreeMap::new() }
    }

    /// The space of the search.
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// Adds an answer.
    pub(super) fn insert(&mut self, trial: &Trial) {
        self.trials.insert(self.key(&trial.question.genome), trial.clone());
    }

    /// The answer to a candidate, if somebody asked for it.
    pub(super) fn get(&self, genome: &[f64]) -> Option<&Trial> {
        self.trials.get(&self.key(genome))
    }

    fn key(&self, genome: &[f64]) -> Vec<u64> {
        self.space.decode(genome).iter().map(|v| (v + 0.0).to_bits()).collect()
    }
}

/// The questions of one arm, in its order.
#[derive(Default)]
pub(super) struct Queue {
    wanted: Vec<Genome>,
}

impl Queue {
    /// Replaces the questions.
    pub(super) fn put(&mut self, points: Vec<Genome>, answers: &Answers) {
        self.wanted = points.iter().map(|point| answers.space.canonical(point)).collect();
    }

    /// True if there are no questions.
    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Adds questions without an answer to a batch, as long as there is room; returns how many.
    pub(super) fn fill(&self, batch: &mut Batch, answers: &Answers) -> usize {
        let open = self.wanted.iter().filter(|point| answers.get(point).is_none());
        open.filter(|point| batch.add(point, answers)).count()
    }

    /// All answers in the order of the questions, if they are complete; the queue is empty then.
    pub(super) fn take(&mut self, answers: &Answers) -> Option<Vec<Trial>> {
        if self.wanted.is_empty() {
            return None;
        }
        let answers = self.wanted.iter().map(|point| answers.get(point).cloned()).collect::<Option<Vec<_>>>()?;
        self.wanted.clear();
        Some(answers)
    }
}

/// Candidates that are asked together.
pub(super) struct Batch {
    room: usize,
    keys: BTreeSet<Vec<u64>>,
    /// The candidates, no two with the same values.
    pub(super) points: Vec<Genome>,
}

impl Batch {
    /// An empty batch with room for this many candidates.
    pub(super) fn new(room: usize) -> Self {
        Self { room, keys: BTreeSet::new(), points: Vec::new() }
    }

    /// True if there is no room left.
    pub(super) fn is_full(&self) -> bool {
        self.points.len() >= self.room
    }

    /// Adds a candidate; false if there is no room left, or it is there already.
    fn add(&mut self, point: &Genome, answers: &Answers) -> bool {
        let new = !self.is_full() && self.keys.insert(answers.key(point));
        if new {
            self.points.push(point.clone());
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Axis, Gene};

    fn answer(x: f64) -> Trial {
        Trial::of_search(0, vec![x], x)
    }

    #[test]
    fn queues_share_answers_and_ask_nothing_twice() {
        let real = Axis::Real { low: 0.0, high: 1.0, log: false };
        let mut answers = Answers::new(&Space { genes: vec![Gene { key: "x".into(), axis: real }] });
        let (mut one, mut other) = (Queue::default(), Queue::default());
        one.put(vec![vec![0.1], vec![0.2]], &answers);
        other.put(vec![vec![0.2], vec![0.3]], &answers);
        let mut batch = Batch::new(5);
        assert_eq!(one.fill(&mut batch, &answers), 2);
        assert_eq!(other.fill(&mut batch, &answers), 1);
        assert_eq!(batch.points, [[0.1], [0.2], [0.3]]);
        assert!(one.take(&answers).is_none());
        [0.1, 0.2].iter().for_each(|x| answers.insert(&answer(*x)));
        assert_eq!(one.take(&answers).unwrap().len(), 2);
        assert!(one.is_empty() && one.take(&answers).is_none());
        // What the other still wants, and no more than there is room for.
        other.put(vec![vec![0.2], vec![0.3], vec![0.4]], &answers);
        let mut batch = Batch::new(1);
        assert_eq!(other.fill(&mut batch, &answers), 1);
        assert_eq!(batch.points, [[0.3]]);
        assert!(batch.is_full());
    }
}
