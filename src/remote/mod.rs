//! Answers of workers elsewhere: processes that a command of the user starts, each of which speaks as `crowdtune answer` does.
//!
//! Workers keep nothing, so that what one of them did not answer is asked of any other: a worker that dies, or says what is
//! no answer, is started again, and costs nothing but its time.

mod cluster;
mod desk;
mod seat;

pub use cluster::{Cluster, is_address};

use crate::evolve::evaluate::{Answer, Answerers, Parts};
use crowdtune_core::Error;
use desk::Desk;
use seat::Seat;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long workers have to end by themselves after the last question, before they are ended.
const LEAVE: Duration = Duration::from_millis(300);

/// How often the flag is looked at while nobody answers.
const SLICE: Duration = Duration::from_millis(20);

/// Workers that a command starts.
#[derive(Debug)]
pub struct Crew<'a> {
    cancel: &'a AtomicBool,
    command: String,
    seats: Vec<Mutex<Seat>>,
}

impl<'a> Crew<'a> {
    /// So many workers; each is started when it gets its first question, and again when it says nothing for `patience`. Once `cancel` is set they are left at once.
    pub fn new(command: &str, count: usize, patience: Option<Duration>, cancel: &'a AtomicBool) -> Self {
        let seats = (1..=count.max(1)).map(|number| Mutex::new(Seat::new(command, number, patience))).collect();
        Self { cancel, command: command.to_string(), seats }
    }
}

impl Answerers for Crew<'_> {
    fn count(&self) -> usize {
        self.seats.len()
    }

    fn each(&self, parts: &Parts<'_>, done: &mut dyn FnMut(Answer) -> Result<(), Error>) -> Result<(), Error> {
        let desk = Desk::new(parts.count(), self.seats.len());
        let (send, receive) = mpsc::channel();
        let ended = std::thread::scope(|scope| {
            for seat in &self.seats {
                let (send, desk) = (send.clone(), &desk);
                scope.spawn(move || seat.lock().unwrap_or_else(PoisonError::into_inner).work(parts, desk, &send));
            }
            drop(send);
            let mut ended = Ok(());
            loop {
                match receive.recv_timeout(SLICE) {
                    Ok(answer) if ended.is_ok() => ended = done(answer),
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return ended,
                }
                if ended.is_err() || self.cancel.load(Ordering::Relaxed) {
                    desk.close();
                }
            }
        });
        ended?;
        match desk.given_up() {
            Some(why) => Err(why.error(&self.command)),
            None => Ok(()),
        }
    }
}

impl Drop for Crew<'_> {
    /// All of them leave at the same time.
    fn drop(&mut self) {
        let seats = || self.seats.iter().map(|seat| seat.lock().unwrap_or_else(PoisonError::into_inner));
        seats().for_each(|mut seat| seat.dismiss());
        let until = Instant::now() + LEAVE;
        seats().for_each(|mut seat| seat.leave(until));
    }
}
