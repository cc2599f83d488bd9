//! Lines to an engine and back, over its streams, a socket of this machine, or files.

use super::fault::{Fault, NEVER, last_words};
use super::once::Once;
use crate::evolve::engine::{Connection, Foreign};
use crate::worker::lines::{Read, follow};
use crate::worker::{LONGEST, Mark, Missed, Process};
use crowdtune_core::Error;
use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to end after its input was closed.
const GOODBYE: Duration = Duration::from_secs(2);
/// How often a wait for a connection looks whether somebody is there.
const LOOK: Duration = Duration::from_millis(5);

/// An engine that runs, and the way to it.
#[derive(Debug)]
pub enum Talk {
    /// Over stdin and stdout.
    Streams(Process),
    /// Over a socket.
    Socket(Socket),
    /// A process for each message.
    Files(Once),
}

/// A process that has connected to us.
#[derive(Debug)]
pub struct Socket {
    process: Process,
    stream: TcpStream,
    heard: Receiver<Read>,
}

impl Talk {
    /// Starts the command of an engine for one worker.
    ///
    /// # Errors
    /// If it cannot be started, or does not connect in time.
    pub fn start(declared: &Foreign, directory: &Path, folder: &Path, within: Duration) -> Result<Self, Error> {
        let refused = |e: Error| e.key("engine.command").help("the first word is a program that your shell finds");
        let words = &declared.command;
        match declared.connection {
            Connection::Stdio => {
                Process::start(words, Some(directory), &[Mark::variable()], LONGEST).map(Self::Streams).map_err(refused)
            }
            Connection::Tcp => Socket::start(words, directory, within).map(Self::Socket),
            Connection::Files => Ok(Self::Files(Once::new(words, directory, folder))),
        }
    }

    /// Says a line.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn say(&mut self, line: &str) -> Result<(), Fault> {
        match self {
            Self::Streams(process) => match process.send(line.as_bytes()) {
                Ok(()) => Ok(()),
                Err(_) => Err(ended(process)),
            },
            Self::Socket(socket) => {
                let sent = socket.stream.write_all(format!("{line}\n").as_bytes());
                sent.map_err(|_| ended(&mut socket.process))
            }
            Self::Files(once) => once.say(line),
        }
    }

    /// The line that comes back.
    ///
    /// # Errors
    /// Why there is none.
    pub fn hear(&mut self, within: Duration) -> Result<String, Fault> {
        let line = match self {
            Self::Streams(process) => match process.receive(Some(Instant::now() + within), &NEVER) {
                Ok(line) => line,
                Err(Missed::Ended) => return Err(ended(process)),
                Err(Missed::TooLong) => return Err(Fault::TooLong),
                Err(Missed::TimedOut | Missed::Cancelled) => return Err(Fault::TimedOut),
            },
            Self::Socket(socket) => match socket.heard.recv_timeout(within) {
                Ok(Read::Line(line)) => line,
                Ok(Read::TooLong) => return Err(Fault::TooLong),
                Ok(Read::End) | Err(RecvTimeoutError::Disconnected) => return Err(ended(&mut socket.process)),
                Err(RecvTimeoutError::Timeout) => return Err(Fault::TimedOut),
            },
            Self::Files(once) => return once.hear(within),
        };
        String::from_utf8(line).map_err(|_| Fault::Wrong("wrote a line that is not text (UTF-8)".into()))
    }

    /// The last line that it wrote on stderr, as the end of a sentence; empty if there is none.
    pub fn last_words(&mut self) -> String {
        last_words(&match self {
            Self::Streams(process) => process.stderr_tail(),
            Self::Socket(socket) => socket.process.stderr_tail(),
            Self::Files(once) => once.stderr_tail(),
        })
    }

    /// Says goodbye: the engine may end by itself.
    pub fn end(self) {
        self.ends_by_itself(GOODBYE);
    }

    /// Closes its input, and says whether it ended by itself within this time; if not, it is ended.
    pub fn ends_by_itself(mut self, within: Duration) -> bool {
        let until = Instant::now() + within;
        match &mut self {
            Self::Streams(process) => {
                process.close_input();
                process.ends_by(until)
            }
            Self::Socket(socket) => {
                // One that is closed already has been told.
                let _ = socket.stream.shutdown(Shutdown::Both);
                socket.process.ends_by(until)
            }
            Self::Files(_) => true,
        }
    }
}

fn ended(process: &mut Process) -> Fault {
    Fault::Ended(process.end().to_string())
}

impl Socket {
    /// Starts an engine that connects to us, on a port of this machine that nobody else can reach, with a secret.
    fn start(words: &[String], directory: &Path, within: Duration) -> Result<Self, Error> {
        let refused = |e: std::io::Error| Error::environment(format!("no port for the engine: {e}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let token = token()?;
        let envs = [
            ("CROWDTUNE_ENGINE_ADDRESS".to_owned(), address.to_string()),
            ("CROWDTUNE_ENGINE_TOKEN".to_owned(), token.clone()),
            Mark::variable(),
        ];
        let mut process = Process::start(words, Some(directory), &envs, LONGEST)?;
        let until = Instant::now() + within;
        let failed = |process: &mut Process, why: String| {
            let last = last_words(&process.stderr_tail());
            Err(Error::environment(format!("the engine `{}` {why}{last}", words.join(" "))).key("engine.command"))
        };
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    if let Some(socket) = Self::greeted(stream, &token, until)? {
                        let (stream, heard) = socket;
                        return Ok(Self { process, stream, heard });
                    }
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => thread::sleep(LOOK),
                Err(e) => return failed(&mut process, format!("cannot connect: {e}")),
            }
            if process.ends_by(Instant::now()) {
                let how = process.end();
                return failed(&mut process, format!("did not connect: {how}"));
            }
            if Instant::now() >= until {
                return failed(&mut process, format!("did not connect within {} s", within.as_secs_f64()));
            }
        }
    }

    /// Somebody who connected; `None` if that is not our engine.
    fn greeted(stream: TcpStream, token: &str, until: Instant) -> Result<Option<(TcpStream, Receiver<Read>)>, Error> {
        let refused = |e: std::io::Error| Error::environment(format!("the connection of the engine: {e}"));
        stream.set_nonblocking(false).map_err(refused)?;
        // A question waits for its answer, so there is nothing to collect.
        stream.set_nodelay(true).map_err(refused)?;
        let from = stream.try_clone().map_err(refused)?;
        let (to, heard) = mpsc::sync_channel(1);
        thread::spawn(move || follow(BufReader::new(from), LONGEST, &to));
        let said = heard.recv_timeout(until.saturating_duration_since(Instant::now()));
        let Ok(Read::Line(line)) = said else { return Ok(None) };
        let given = serde_json::from_slice::<serde_json::Value>(&line).ok();
        let given = given.as_ref().and_then(|line| line.get("token")).and_then(|token| token.as_str());
        Ok((given == Some(token)).then_some((stream, heard)))
    }
}

/// A secret that only the process knows that we start.
fn token() -> Result<String, Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|e| Error::environment(format!("this machine gives no random number: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
