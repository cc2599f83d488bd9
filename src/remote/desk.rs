//! Where workers get their questions: which are open, and whether it is time to give up.

use crowdtune_core::Error;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Deaths of one worker in a row, with no answer of anybody in between, after which there is no hope.
const DEATHS: u32 = 3;

/// The open questions of a batch.
#[derive(Debug)]
pub struct Desk {
    seats: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// True if nobody needs to go on.
    closed: AtomicBool,
}

#[derive(Debug)]
struct State {
    open: VecDeque<usize>,
    /// Questions without an answer, open or not.
    unanswered: usize,
    /// Number of workers that have a question.
    busy: usize,
    given_up: Option<Death>,
}

/// How a worker died.
#[derive(Clone, Debug)]
pub struct Death {
    /// Its number.
    pub worker: usize,
    /// What happened.
    pub what: String,
    /// Its last words.
    pub last_words: String,
}

impl Death {
    /// For the user, who wrote the command.
    pub fn error(&self, command: &str) -> Error {
        let words = match self.last_words.is_empty() {
            true => "it said nothing on stderr".to_string(),
            false => format!("its last words on stderr:\n    {}", self.last_words.replace('\n', "\n    ")),
        };
        Error::environment(format!(
            "a worker of the evaluator failed {DEATHS} times in a row, and nobody answered: worker {}, started by `{command}`: {}",
            self.worker, self.what
        ))
        .key("--evaluator")
        .allowed("a command that answers as `crowdtune answer EXPERIMENT` does")
        .help(format!("what is in the log is kept, and --resume continues; {words}"))
    }
}

impl Desk {
    /// All questions are open.
    pub fn new(questions: usize, seats: usize) -> Self {
        let state = State { open: (0..questions).collect(), unanswered: questions, busy: 0, given_up: None };
        Self { seats, state: Mutex::new(state), changed: Condvar::new(), closed: AtomicBool::new(questions == 0) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True once nobody needs to go on.
    pub fn closed(&self) -> &AtomicBool {
        &self.closed
    }

    /// Nobody needs to go on.
    pub fn close(&self) {
        let _state = self.state();
        self.closed.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// A question for a worker that has none; waits for one that another worker gives back. `None`: it can go.
    pub fn first(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            if self.is_closed() {
                return None;
            }
            if let Some(index) = state.open.pop_front() {
                state.busy += 1;
                return Some(index);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A further question for a worker that has so many, if that leaves as many for each of the others.
    pub fn further(&self, has: usize) -> Option<usize> {
        let mut state = self.state();
        if has * self.seats < state.open.len() || has == 0 { state.open.pop_front() } else { None }
    }

    /// Notes an answer.
    pub fn answered(&self) {
        let mut state = self.state();
        state.unanswered -= 1;
        if state.unanswered == 0 {
            self.closed.store(true, Ordering::Relaxed);
            self.changed.notify_all();
        }
    }

    /// Number of questions that have no answer yet: as long as it stays the same, nobody has answered.
    pub fn unanswered(&self) -> usize {
        self.state().unanswered
    }

    /// A worker has no question any more.
    pub fn idle(&self) {
        self.state().busy -= 1;
    }

    /// Takes back the questions of a worker that died, the `times`th time in a row; gives up if there is no hope, and nobody
    /// else is at work.
    pub fn take_back(&self, questions: Vec<usize>, times: u32, death: Death) {
        let mut state = self.state();
        state.busy -= 1;
        questions.into_iter().rev().for_each(|index| state.open.push_front(index));
        if times >= DEATHS && state.busy == 0 && !self.is_closed() {
            state.given_up = Some(death);
            self.closed.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Waits, unless nobody needs to go on.
    pub fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.state();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.is_closed() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The last death, if there is no hope.
    pub fn given_up(self) -> Option<Death> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn death() -> Death {
        Death { worker: 2, what: "it ended with signal 9".into(), last_words: "one\ntwo".into() }
    }

    #[test]
    fn a_worker_gets_no_more_than_leaves_as_many_for_the_others() {
        let desk = Desk::new(6, 2);
        assert_eq!((desk.first(), desk.first()), (Some(0), Some(1)));
        assert_eq!((desk.further(1), desk.further(2)), (Some(2), None));
        assert_eq!((desk.further(1), desk.further(1)), (Some(3), None));
        assert_eq!((desk.further(0), desk.further(0), desk.further(0)), (Some(4), Some(5), None));
        (0..6).for_each(|_| desk.answered());
        assert_eq!(desk.first(), None);
        assert!(desk.given_up().is_none());
    }

    #[test]
    fn there_is_hope_as_long_as_somebody_is_at_work() {
        let desk = Desk::new(3, 2);
        assert_eq!((desk.first(), desk.first()), (Some(0), Some(1)));
        desk.take_back(vec![0], DEATHS, death());
        assert_eq!(desk.first(), Some(0));
        desk.idle();
        desk.take_back(vec![1, 2], DEATHS - 1, death());
        assert_eq!((desk.first(), desk.unanswered()), (Some(1), 3));
        desk.take_back(vec![1], DEATHS, death());
        assert_eq!(desk.first(), None);
        let error = desk.given_up().unwrap().error("ssh there");
        assert_eq!(error.exit_code(), 3);
        for words in ["worker 2, started by `ssh there`: it ended with signal 9", "stderr:\n    one\n    two"] {
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
