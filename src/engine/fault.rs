//! What engines do wrong, in words.

use crate::worker::LONGEST;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A run that is under way when somebody presses Ctrl-C is waited for; pressed again, the program ends and its engines with it.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, and how.
    Ended(String),
    /// No answer came in time.
    TimedOut,
    /// It wrote a line without end.
    TooLong,
    /// It answered a request once more that it had answered before.
    Late,
    /// It wrote something that is no answer.
    Wrong(String),
}

impl Fault {
    /// As the end of "the engine ...".
    pub fn words(&self, within: Duration) -> String {
        match self {
            Self::Ended(how) => format!("ended in the middle of a run: {how}"),
            Self::TimedOut => format!("gave no answer within {} s", within.as_secs_f64()),
            Self::TooLong => format!("wrote a line of more than {} MB", LONGEST / 1_000_000),
            Self::Late => "answered an earlier request again".into(),
            Self::Wrong(what) => what.clone(),
        }
    }
}

/// The last line of what somebody said, as the end of a sentence; empty if there is none.
pub fn last_words(tail: &str) -> String {
    let last = tail.lines().rev().find(|line| !line.trim().is_empty());
    last.map_or(String::new(), |line| format!("; it said: {}", line.trim()))
}
