//! One program at the other end of a pipe.

use super::lines::{Read, follow};
use super::strays::Mark;
use super::tail::Tail;
use crate::limits::LINE;
use crowdtune_core::Error;
use std::collections::BTreeSet;
use std::fmt;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest line, in bytes, for programs that have no reason to write longer ones.
pub const LONGEST: usize = LINE.most as usize;

/// How long a wait is before it looks at the clock and at its flag again.
const SLICE: Duration = Duration::from_millis(20);

/// How long lines of a program that has ended may still be on their way. Programs that it left behind can hold the pipe open.
const GRACE: Duration = Duration::from_millis(200);

/// The processes that have not been ended yet.
static LIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// The program has ended, or closed its output, perhaps in the middle of a line.
    Ended,
    /// The line has more bytes than a line may have; the rest is not read.
    TooLong,
    /// The deadline has passed.
    TimedOut,
    /// The flag was set.
    Cancelled,
}

/// A running program that reads lines and writes lines. Where the system has process groups it leads one of its own: the end of
/// the [`Process`] ends the program with all that it started in this group, and Ctrl-C in a terminal does not reach it. With a [`Mark`]
/// in its environment what it started outside of the group ends too (on Linux).
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` once the input is closed.
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Read>,
    tail: Tail,
    listening: JoinHandle<()>,
    mark: Option<Mark>,
    killed: bool,
}

impl Process {
    /// Starts a program: its name with its arguments, in a folder (`None`: the present one), with further variables in its
    /// environment. A line of more than `longest` bytes is [`Missed::TooLong`].
    ///
    /// # Errors
    /// If there is no word, no such program, or the machine refuses it.
    pub fn start(
        words: &[String],
        dir: Option<&Path>,
        envs: &[(String, String)],
        longest: usize,
    ) -> Result<Self, Error> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(Error::input("the command is empty").allowed("the name of a program, then its arguments"));
        };
        let mut command = Command::new(program);
        let mark = Mark::among(envs);
        command.args(arguments).envs(envs.iter().map(|(key, value)| (key, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let refused = |e: std::io::Error| Error::environment(format!("cannot start `{program}`: {e}"));
        // Locked over the start, so that `end_all` misses none.
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn().map_err(refused)?;
        live.insert(child.id());
        drop(live);

        let taken = "all three streams are pipes";
        let (input, output) = (child.stdin.take().expect(taken), child.stdout.take().expect(taken));
        let errors = child.stderr.take().expect(taken);
        let (to, written) = mpsc::channel::<Vec<u8>>();
        // Two lines at a time are enough to overlap, and three of the longest fit into memory.
        let (read_into, from) = mpsc::sync_channel(1);
        let tail = Tail::default();
        let heard = tail.clone();
        thread::spawn(move || write_all(&written, input));
        thread::spawn(move || follow(BufReader::new(output), longest, &read_into));
        let listening = thread::spawn(move || heard.follow(errors));
        Ok(Self { child, to: Some(to), from, tail, listening, mark, killed: false })
    }

    /// Hands over a line, without its end. It is written as the program takes it; this never waits.
    ///
    /// # Errors
    /// [`Missed::Ended`] if the program takes no more.
    pub fn send(&self, line: &[u8]) -> Result<(), Missed> {
        let to = self.to.as_ref().ok_or(Missed::Ended)?;
        to.send([line, b"\n"].concat()).map_err(|_| Missed::Ended)
    }

    /// The next line that the program writes, without its end; waits until the deadline, or until `cancel` is set.
    ///
    /// # Errors
    /// Why there is none.
    pub fn receive(&mut self, deadline: Option<Instant>, cancel: &AtomicBool) -> Result<Vec<u8>, Missed> {
        let mut ended: Option<Instant> = None;
        loop {
            let now = Instant::now();
            let left = deadline.map_or(SLICE, |at| at.saturating_duration_since(now));
            match self.from.recv_timeout(left.min(SLICE)) {
                Ok(Read::Line(line)) => return Ok(line),
                Ok(Read::TooLong) => return Err(Missed::TooLong),
                Ok(Read::End) | Err(RecvTimeoutError::Disconnected) => return Err(Missed::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(Missed::Cancelled);
            }
            let now = Instant::now();
            if deadline.is_some_and(|at| at <= now) {
                return Err(Missed::TimedOut);
            }
            if self.has_ended() && *ended.get_or_insert(now) + GRACE <= now {
                return Err(Missed::Ended);
            }
        }
    }

    /// Closes the input of the program once it has taken all lines: for most programs, that is the time to end.
    pub fn close_input(&mut self) {
        self.to = None;
    }

    /// Waits until the program has ended by itself; false if it has not at the deadline.
    pub fn ends_by(&mut self, deadline: Instant) -> bool {
        while !self.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(Duration::from_millis(2)));
        }
        true
    }

    /// True if the program has ended. It is not forgotten by the system yet, so that nobody else gets its number.
    fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            self.killed || waitid(WaitId::Pid(pid(self.child.id())), look).map_or(true, |seen| seen.is_some())
        }
        #[cfg(not(unix))]
        {
            self.killed || self.child.try_wait().map_or(true, |seen| seen.is_some())
        }
    }

    /// The last words on stderr, up to a page of them.
    pub fn stderr_tail(&mut self) -> String {
        let until = Instant::now() + GRACE;
        while self.has_ended() && !self.listening.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        self.tail.text()
    }

    /// Ends the program, if it has not ended, with all that it started in its group, and says how it ended: `exit code 3`,
    /// `signal 9`. A program that closed its output has a moment to end by itself.
    pub fn end(&mut self) -> Ended {
        self.close_input();
        let by_itself = self.ends_by(Instant::now() + GRACE);
        Ended { by_itself, status: self.kill() }
    }

    /// Ends the program at once, with all that it started in its group. Its exit status, where the system knows it.
    pub fn kill(&mut self) -> Option<std::process::ExitStatus> {
        if !self.killed {
            kill(self.child.id());
            // It may have ended by itself already.
            let _ = self.child.kill();
            self.mark.iter().for_each(Mark::end_strays);
        }
        let status = self.child.wait().ok();
        self.killed = true;
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.child.id());
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    by_itself: bool,
    status: Option<std::process::ExitStatus>,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(_) if !self.by_itself => f.write_str("it had to be ended"),
            Some(status) => write!(f, "it ended with {status}"),
            None => f.write_str("it ended, nobody knows how"),
        }
    }
}

/// Ends every program that was started here and has not been ended: for a program that is about to end without dropping them.
pub fn end_all() {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&id| kill(id));
}

#[cfg(unix)]
fn pid(id: u32) -> rustix::process::Pid {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    id.expect("the system's own number of a process that runs")
}

/// Ends the group of a process that has not been waited for.
#[cfg(unix)]
fn kill(id: u32) {
    // A group without members is ended.
    let _ = rustix::process::kill_process_group(pid(id), rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn kill(_: u32) {}

fn write_all(lines: &Receiver<Vec<u8>>, mut to: impl std::io::Write) {
    for line in lines {
        if to.write_all(&line).and_then(|()| to.flush()).is_err() {
            break;
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "process_tests.rs"]
mod tests;
