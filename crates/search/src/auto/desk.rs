//! What one arm of the portfolio wants to know, and the answers so far.

use super::super::space::Space;
use super::super::{Genome, Trial};
use std::collections::{BTreeMap, BTreeSet};

/// All answers of the search, by the values a candidate decodes to: nobody's question is asked twice.
pub(super) struct Archive {
    space: Space,
    trials: BTreeMap<Vec<u64>, Trial>,
}

impl Archive {
    /// Nothing was asked yet.
    pub(super) fn new(space: &Space) -> Self {
        Self { space: space.clone(), trials: BTreeMap::new() }
    }

    /// Takes in an answer.
    pub(super) fn insert(&mut self, trial: &Trial) {
        self.trials.insert(self.key(&trial.question.genome), trial.clone());
    }

    fn get(&self, genome: &[f64]) -> Option<&Trial> {
        self.trials.get(&self.key(genome))
    }

    fn key(&self, genome: &[f64]) -> Vec<u64> {
        self.space.decode(genome).iter().map(|v| (v + 0.0).to_bits()).collect()
    }
}

/// The questions of one arm, in its order.
#[derive(Default)]
pub(super) struct Desk {
    wanted: Vec<Genome>,
}

impl Desk {
    /// Lays down what is wanted next.
    pub(super) fn put(&mut self, points: Vec<Genome>, archive: &Archive) {
        self.wanted = points.iter().map(|point| archive.space.canonical(point)).collect();
    }

    /// True if nothing lies here.
    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Adds to a batch what has no answer yet and is not in it, as long as there is room.
    pub(super) fn fill(&self, batch: &mut Batch, archive: &Archive) {
        for point in self.wanted.iter().filter(|point| archive.get(point).is_none()) {
            batch.add(point, archive);
        }
    }

    /// All answers in the order of the questions, if they are complete; the desk is empty then.
    pub(super) fn take(&mut self, archive: &Archive) -> Option<Vec<Trial>> {
        if self.wanted.is_empty() {
            return None;
        }
        let answers = self.wanted.iter().map(|point| archive.get(point).cloned()).collect::<Option<Vec<_>>>()?;
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
    /// An empty batch of at most so many candidates.
    pub(super) fn new(room: usize) -> Self {
        Self { room, keys: BTreeSet::new(), points: Vec::new() }
    }

    /// True if there is no room left.
    pub(super) fn is_full(&self) -> bool {
        self.points.len() >= self.room
    }

    fn add(&mut self, point: &Genome, archive: &Archive) {
        if !self.is_full() && self.keys.insert(archive.key(point)) {
            self.points.push(point.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::space::{Axis, Gene};
    use super::super::super::{Outcome, Purpose, Question};
    use super::*;

    fn answer(x: f64) -> Trial {
        Trial {
            id: 0,
            question: Question { purpose: Purpose::Search, genome: vec![x], replicas: 0..1 },
            outcome: Outcome::Done,
            objectives: vec![x],
            violation: 0.0,
            measures: Vec::new(),
            values: Vec::new(),
        }
    }

    #[test]
    fn desks_share_answers_and_ask_nothing_twice() {
        let real = Axis::Real { low: 0.0, high: 1.0, log: false };
        let mut archive = Archive::new(&Space { genes: vec![Gene { key: "x".into(), axis: real }] });
        let (mut one, mut other) = (Desk::default(), Desk::default());
        one.put(vec![vec![0.1], vec![0.2]], &archive);
        other.put(vec![vec![0.2], vec![0.3]], &archive);
        let mut batch = Batch::new(5);
        one.fill(&mut batch, &archive);
        other.fill(&mut batch, &archive);
        assert_eq!(batch.points, [[0.1], [0.2], [0.3]]);
        assert!(one.take(&archive).is_none());
        [0.1, 0.2].iter().for_each(|x| archive.insert(&answer(*x)));
        assert_eq!(one.take(&archive).unwrap().len(), 2);
        assert!(one.is_empty() && one.take(&archive).is_none());
        // What the other still wants, and no more than there is room for.
        other.put(vec![vec![0.2], vec![0.3], vec![0.4]], &archive);
        let mut batch = Batch::new(1);
        other.fill(&mut batch, &archive);
        assert_eq!(batch.points, [[0.3]]);
        assert!(batch.is_full());
    }
}
