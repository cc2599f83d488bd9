//! The place of one worker: its process, which is started again when it dies, and the questions that it has.

use super::desk::{Death, Desk};
use crate::evolve::evaluate::{Answer, Parts};
use crate::worker::{LONGEST, Missed, Process};
use crowdtune_core::Error;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// The variable of a worker's environment that has its number, so that a command can send each to a machine of its own.
const NUMBER: &str = "CROWDTUNE_WORKER";

/// Seconds of work that wait for a worker behind its present question; chosen here: far more than any way to it takes.
const AHEAD_S: f64 = 0.5;

/// Most questions that a worker has at once.
const MOST: f64 = 64.0;

/// Rests of a worker that keeps dying: none after the first death, then the first of these, four times as long after each, up to the last.
const RESTS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];

/// A place for one worker.
#[derive(Debug)]
pub struct Seat {
    command: String,
    number: usize,
    process: Option<Process>,
    /// How long an answer may take.
    patience: Option<Duration>,
    /// Deaths since it answered.
    deaths: u32,
    /// Seconds from answer to answer, lately.
    pace_s: Option<f64>,
}

/// Why a worker stopped in the middle of its questions.
enum Stop {
    /// Nobody needs to go on.
    Closed,
    /// It died.
    Died(String),
}

impl Seat {
    /// Nobody is there yet.
    pub fn new(command: &str, number: usize, patience: Option<Duration>) -> Self {
        Self { command: command.to_string(), number, process: None, patience, deaths: 0, pace_s: None }
    }

    /// Answers questions until there are none.
    pub fn work(&mut self, parts: &Parts<'_>, desk: &Desk, to: &Sender<Answer>) {
        // Deaths since anybody answered, and what was unanswered then.
        let (mut row, mut unanswered) = (0, desk.unanswered());
        while let Some(first) = desk.first() {
            let mut asked = vec![first];
            match self.converse(parts, desk, to, &mut asked) {
                Ok(()) => desk.idle(),
                Err(Stop::Closed) => return,
                Err(Stop::Died(what)) => {
                    self.deaths += 1;
                    let last_words = self.process.take().map(|mut process| process.stderr_tail()).unwrap_or_default();
                    row = if desk.unanswered() == unanswered { row + 1 } else { 1 };
                    unanswered = desk.unanswered();
                    desk.take_back(asked, row, Death { worker: self.number, what, last_words });
                    let [first, last] = RESTS;
                    if self.deaths > 1 {
                        desk.rest((first * 4_u32.saturating_pow(self.deaths - 2).min(1000)).min(last));
                    }
                }
            }
        }
    }

    /// Asks, and hands over what is answered, in whatever order; `asked` keeps what is not.
    fn converse(
        &mut self,
        parts: &Parts<'_>,
        desk: &Desk,
        to: &Sender<Answer>,
        asked: &mut Vec<usize>,
    ) -> Result<(), Stop> {
        let mut sent = 0;
        let mut last = Instant::now();
        while !asked.is_empty() {
            let process = match &mut self.process {
                Some(process) => process,
                none => none.insert(start(&self.command, self.number).map_err(|e| Stop::Died(e.what().to_string()))?),
            };
            for &index in &asked[sent..] {
                // One that has died is found out below, together with what it said.
                let _ = process.send(parts.line(index).as_bytes());
            }
            let line = match process.receive(self.patience.map(|time| Instant::now() + time), desk.closed()) {
                Ok(line) => line,
                Err(Missed::Cancelled) => return Err(Stop::Closed),
                Err(Missed::TooLong) => {
                    return Err(Stop::Died(format!("it wrote a line of more than {LONGEST} bytes")));
                }
                Err(Missed::TimedOut) => {
                    let time = self.patience.unwrap_or_default().as_secs();
                    return Err(Stop::Died(format!("it gave no answer within {time} s")));
                }
                Err(Missed::Ended) => return Err(Stop::Died(process.end().to_string())),
            };
            let wrong = |why: String| Stop::Died(format!("it wrote `{}`, {why}", beginning(&line)));
            let (index, answer) = parts.answer(&line).map_err(&wrong)?;
            let Some(at) = asked.iter().position(|&a| a == index) else {
                return Err(wrong("which is the answer to a question that it did not have".into()));
            };
            asked.remove(at);
            sent = asked.len();
            let took_s = last.elapsed().as_secs_f64();
            last = Instant::now();
            self.pace_s = Some(self.pace_s.map_or(took_s, |pace| 0.7 * pace + 0.3 * took_s));
            self.deaths = 0;
            // Before the desk knows of it, so that it comes before the end of the batch.
            let _ = to.send(answer);
            desk.answered();
            let most = self.pace_s.map_or(1.0, |pace| 1.0 + (AHEAD_S / pace).round()).min(MOST);
            while (asked.len() as f64) < most {
                let Some(index) = desk.further(asked.len()) else { break };
                asked.push(index);
            }
        }
        Ok(())
    }

    /// Tells the worker that there are no more questions.
    pub fn dismiss(&mut self) {
        if let Some(process) = &mut self.process {
            process.close_input();
        }
    }

    /// Waits for it to leave; at the deadline it is ended.
    pub fn leave(&mut self, until: Instant) {
        if let Some(mut process) = self.process.take() {
            process.ends_by(until);
        }
    }
}

/// Starts the command of the user as a shell does.
fn start(command: &str, number: usize) -> Result<Process, Error> {
    let shell = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let words: Vec<String> = shell.into_iter().chain([command]).map(String::from).collect();
    Process::start(&words, None, &[(NUMBER.into(), number.to_string())], LONGEST)
}

/// The first characters of a line.
fn beginning(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(200)]);
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    }
}
