//! The global search of the portfolio: an optimizer that is told what it asked itself.

use super::queue::{Answers, Batch, Queue};
use crate::cost::loss;
use crate::{Optimizer, StopReason, Trial};

/// An optimizer with its questions.
pub(super) struct Global {
    optimizer: Box<dyn Optimizer>,
    queue: Queue,
    best: f64,
    spent: u64,
}

impl Global {
    /// Before its first question.
    pub(super) fn new(optimizer: Box<dyn Optimizer>) -> Self {
        Self { optimizer, queue: Queue::default(), best: f64::INFINITY, spent: 0 }
    }

    /// Best loss that it found by itself.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    /// Evaluations that it has asked for.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Hands it answers until it asks something new, and returns them, batch by batch.
    pub(super) fn advance(&mut self, answers: &Answers) -> Vec<Vec<Trial>> {
        let mut learned = Vec::new();
        loop {
            if let Some(trials) = self.queue.take(answers) {
                self.spent += trials.len() as u64;
                self.best = trials.iter().map(loss).fold(self.best, f64::min);
                self.optimizer.tell(&trials);
                learned.push(trials);
            }
            if !self.queue.is_empty() {
                return learned;
            }
            let points = self.optimizer.ask();
            if points.is_empty() {
                return learned;
            }
            self.queue.put(points.into_iter().map(|question| question.genome).collect(), answers);
        }
    }

    /// Fills up a batch, and says with how many candidates.
    pub(super) fn fill(&self, batch: &mut Batch, answers: &Answers) -> usize {
        self.queue.fill(batch, answers)
    }

    /// As [`Optimizer::stop`].
    pub(super) fn stop(&self) -> Option<StopReason> {
        self.optimizer.stop()
    }
}
