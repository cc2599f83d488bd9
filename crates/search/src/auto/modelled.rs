//! The Gaussian process of the portfolio: it is told every answer, asks while simulations take much longer than it does, and says which candidate
//! is the best.

use super::part::part;
use super::queue::{Answers, Batch, Queue};
use crate::cost::cost;
use crate::gp::processes;
use crate::{Genome, Optimizer, Setup, StopReason, Trial};

/// What its questions may take, as a share of what the simulations take. Chosen here: nobody minds a tenth.
const TENTH: f64 = 0.1;
/// A question takes about this long, s, and so much more for each answer that it knows, up to as many as one process takes. Measured
/// (docs/optimizers.md, "time of `gp`").
const QUESTION_S: f64 = 0.4e-3;
const PER_ANSWER_S: f64 = 0.03e-3;
const MOST_ANSWERS: usize = 300;
/// Where nobody says how long a simulation takes it asks until so many answers have come. Chosen here (docs/decisions.md).
const ENOUGH: usize = 1000;
/// Most questions of one batch, which do not know of each other's answers. Chosen here: as many as were measured (docs/decisions.md).
const TOGETHER: usize = 16;
/// Batches of candidates that others have asked already, before it leaves a turn out.
const KNOWN: usize = 100;

/// The process with its questions.
pub(super) struct Modelled {
    optimizer: Box<dyn Optimizer>,
    queue: Queue,
    together: usize,
    account: Account,
}

impl Modelled {
    /// Before its first question.
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let together = setup.parallel.clamp(1, TOGETHER);
        let own = Setup { seed: setup.seed.child("gp", 0), parallel: together, ..setup.clone() };
        Self {
            optimizer: part(&crate::gp::ENTRY, &own),
            queue: Queue::default(),
            together,
            account: Account::new(setup.work_s, processes(&setup.parts)),
        }
    }

    /// Adds its questions to a batch, as long as that pays.
    pub(super) fn fill(&mut self, batch: &mut Batch, answers: &Answers) {
        self.advance(answers);
        self.queue.fill(batch, answers);
    }

    /// Asks it for what promises most, until that is something new.
    fn advance(&mut self, answers: &Answers) {
        for _ in 0..KNOWN {
            let _ = self.queue.take(answers);
            if !self.queue.is_empty() || !self.account.pays(self.together) {
                return;
            }
            let points = self.optimizer.ask();
            if points.is_empty() {
                return;
            }
            self.queue.put(points.into_iter().map(|question| question.genome).collect(), answers);
        }
    }

    /// Answers of everybody's questions.
    pub(super) fn tell(&mut self, trials: &[Trial]) {
        self.optimizer.tell(trials);
        self.account.add(trials);
    }

    /// As [`Optimizer::stop`].
    pub(super) fn stop(&self) -> Option<StopReason> {
        self.optimizer.stop()
    }

    /// As [`Optimizer::recommend`].
    pub(super) fn recommend(&self) -> Vec<Genome> {
        self.optimizer.recommend()
    }

    /// As [`Optimizer::expected`].
    pub(super) fn expected(&self, candidate: &[f64]) -> Option<f64> {
        self.optimizer.expected(candidate)
    }
}

/// What the process has taken, beside the simulations. Both are counted, not measured: questions may not depend on a clock.
struct Account {
    work_s: Option<f64>,
    /// Processes that predict the loss.
    of_loss: usize,
    answers: usize,
    failed: bool,
    feasible: [bool; 2],
    spent_s: f64,
}

impl Account {
    fn new(work_s: Option<f64>, of_loss: usize) -> Self {
        Self { work_s, of_loss, answers: 0, failed: false, feasible: [false; 2], spent_s: 0.0 }
    }

    fn add(&mut self, trials: &[Trial]) {
        self.answers += trials.len();
        for trial in trials {
            match cost(trial) {
                Some(cost) => self.feasible[usize::from(cost.0 <= 0.0)] = true,
                None => self.failed = true,
            }
        }
    }

    /// Pays for so many questions if there is enough.
    fn pays(&mut self, questions: usize) -> bool {
        let Some(work_s) = self.work_s else { return self.answers < ENOUGH };
        // Beside those of the loss one of what is feasible and one of what fails, each where there is both.
        let processes = self.of_loss + usize::from(self.feasible == [true; 2]) + usize::from(self.failed);
        let each_s = QUESTION_S + PER_ANSWER_S * self.answers.min(MOST_ANSWERS) as f64;
        let price_s = each_s * (questions * processes) as f64;
        let paid = self.spent_s + price_s <= TENTH * work_s * self.answers as f64;
        if paid {
            self.spent_s += price_s;
        }
        paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(work_s: f64, answers: usize) -> usize {
        let mut account = Account::new(Some(work_s), 1);
        (0..answers)
            .filter(|_| {
                account.answers += 1;
                account.pays(1)
            })
            .count()
    }

    #[test]
    fn long_simulations_let_every_question_through_and_short_ones_few() {
        assert_eq!(questions(1.0, 400), 400);
        let few = questions(2e-3, 400);
        // A tenth of 0.8 s in questions of 0.4 to 9.4 ms.
        assert!((8..40).contains(&few), "{few}");
        assert_eq!(questions(0.0, 400), 0);
    }

    #[test]
    fn failures_limits_and_parts_make_questions_dearer() {
        let mut account = Account { answers: 100, ..Account::new(Some(1.0), 1) };
        assert!(account.pays(1));
        let cheap_s = account.spent_s;
        account.failed = true;
        assert!(account.pays(1));
        assert!((account.spent_s - 3.0 * cheap_s).abs() < 1e-12);
        let mut parts = Account { answers: 100, ..Account::new(Some(1.0), 4) };
        assert!(parts.pays(1));
        assert!((parts.spent_s - 4.0 * cheap_s).abs() < 1e-12);
    }

    #[test]
    fn without_a_word_about_simulations_it_asks_until_there_is_enough() {
        let mut account = Account::new(None, 1);
        assert!(account.pays(16));
        account.answers = ENOUGH;
        assert!(!account.pays(1));
    }
}
