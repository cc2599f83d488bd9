//! The candidates of one generation: which is evaluated next, and their ranks.

use super::coding::{Coding, Point};
use super::gaussian::Step;
use crate::Genome;
use crate::cost::{Cost, compare};
use std::cmp::Ordering;

/// What became of a candidate so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum State {
    /// Nobody asked for it.
    #[default]
    Open,
    /// Asked for and not answered.
    Asked,
    /// Evaluated: its cost, `None` if it failed.
    Done(Option<Cost>),
}

/// One candidate.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    /// The canonical genome.
    pub genome: Genome,
    /// The place of the genome. The step may lead elsewhere within the same cell of a whole number.
    pub point: Point,
    /// How it was drawn.
    pub step: Step,
    /// What became of it so far.
    pub state: State,
    /// The predicted loss; NaN without a model.
    pub predicted: f64,
}

impl Candidate {
    /// What it is ranked by: its cost, or with `modeled` the prediction.
    pub fn key(&self, modeled: bool) -> Cost {
        match self.state {
            State::Done(None) => (f64::INFINITY, f64::INFINITY),
            State::Done(Some(cost)) if !modeled => cost,
            State::Done(Some((violation, _))) if violation > 0.0 && self.predicted.is_nan() => (violation, 0.0),
            _ => (0.0, self.predicted),
        }
    }
}

/// A generation.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// The candidates; behind them those of earlier generations, kept for their buffers.
    list: Vec<Candidate>,
    count: usize,
    /// Indices of the open candidates, the most promising last.
    pub queue: Vec<usize>,
    /// Number of candidates that are done.
    pub done: usize,
    /// Number of candidates that are to be evaluated.
    pub goal: usize,
}

impl Generation {
    /// The candidates.
    pub fn all(&self) -> &[Candidate] {
        &self.list[..self.count]
    }

    /// The candidates.
    pub fn all_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[..self.count]
    }

    /// Adds a candidate, whose step and point the caller overwrites; [`Generation::close`] has to follow.
    pub fn open(&mut self) -> &mut Candidate {
        if self.count == self.list.len() {
            self.list.push(Candidate::default());
        }
        self.count += 1;
        &mut self.list[self.count - 1]
    }

    /// Completes the newest candidate from its step and point.
    pub fn close(&mut self, coding: &Coding) {
        let candidate = &mut self.list[self.count - 1];
        coding.write_genome(&candidate.point, &mut candidate.genome);
        coding.write_point(&candidate.genome, &mut candidate.point);
        (candidate.state, candidate.predicted) = (State::Open, f64::NAN);
    }

    /// Queues the open candidates by their predictions, the most promising and the first of equals last.
    pub fn line_up(&mut self) {
        let all = &self.list[..self.count];
        self.queue.clear();
        self.queue.extend((0..all.len()).rev().filter(|&i| all[i].state == State::Open));
        self.queue.sort_by(|&a, &b| all[b].predicted.total_cmp(&all[a].predicted));
    }

    /// Takes the answer of one candidate; in a space without real numbers (`discrete`) its copies share it.
    pub fn settle(&mut self, index: usize, cost: Option<Cost>, discrete: bool) {
        self.list[index].state = State::Done(cost);
        self.done += 1;
        if discrete {
            let Self { list: all, queue, done, .. } = self;
            queue.retain(|&i| {
                let copy = all[i].genome == all[index].genome;
                if copy {
                    all[i].state = State::Done(cost);
                    *done += 1;
                }
                !copy
            });
        }
    }

    /// Indices of all candidates, best first.
    pub fn order(&self, modeled: bool) -> Vec<usize> {
        let keys: Vec<Cost> = self.all().iter().map(|c| c.key(modeled)).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|&a, &b| -> Ordering { compare(keys[a], keys[b]) });
        order
    }

    /// Empties the generation.
    pub fn clear(&mut self) {
        self.count = 0;
        self.queue.clear();
        (self.done, self.goal) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Axis, Gene, Space};

    #[test]
    fn copies_share_an_answer_and_the_best_come_first() {
        let axis = Axis::Integer { low: 0, high: 3 };
        let coding = Coding::new(&Space { genes: vec![Gene { key: String::new(), axis }] });
        let mut generation = Generation::default();
        for x in [0.3, 0.9, 0.4, 0.1] {
            generation.open().point = Point { x: vec![x], words: Vec::new() };
            generation.close(&coding);
        }
        for (candidate, predicted) in generation.all_mut().iter_mut().zip([3.0, 1.0, 2.0, 4.0]) {
            candidate.predicted = predicted;
        }
        generation.line_up();
        assert_eq!(generation.queue, [3, 0, 2, 1]);
        assert_eq!(generation.queue.pop(), Some(1));
        generation.settle(1, None, true);
        // 0.3 and 0.4 are both in the second of four cells.
        assert_eq!(generation.queue.pop(), Some(2));
        generation.settle(2, Some((0.0, 9.0)), true);
        assert_eq!((generation.done, &generation.queue[..]), (3, &[3][..]));
        assert_eq!(generation.order(false), [3, 0, 2, 1]);
        assert_eq!(generation.order(true), [2, 0, 3, 1]);
        generation.clear();
        assert!(generation.all().is_empty());
    }
}
