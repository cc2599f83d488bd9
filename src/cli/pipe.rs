//! One JSON document a line on stdin and stdout: what `ask-tell`, `evaluate` and `answer` speak.

use crate::evolve::exchange::short;
use crate::limits;
use crowdtune_core::Error;
use crowdtune_core::suggest::nearest;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Display;
use std::io::{BufRead, ErrorKind, IsTerminal as _, Read as _, Write};

/// The two ends, and the number of the last line read.
#[derive(Debug)]
pub struct Pipe<'a, R, W> {
    from: &'a mut R,
    to: &'a mut W,
    line: usize,
}

impl<'a, R: BufRead, W: Write> Pipe<'a, R, W> {
    /// Before the first line.
    pub fn new(from: &'a mut R, to: &'a mut W) -> Self {
        Self { from, to, line: 0 }
    }

    /// The next line that is not empty; `None` at the end. `page` of the documentation shows what lines look like.
    ///
    /// # Errors
    /// If it is no JSON, or the pipe breaks.
    pub fn read(&mut self, page: &str) -> Result<Option<Value>, Error> {
        let mut text = String::new();
        loop {
            text.clear();
            self.line += 1;
            let mut bounded = self.from.by_ref().take(limits::LINE.most + 1);
            let got = bounded.read_line(&mut text).map_err(|e| match e.kind() {
                ErrorKind::InvalidData => self.here(Error::input("this line is not text (UTF-8)")),
                _ => self.here(Error::environment(format!("cannot read: {e}"))),
            })?;
            if got == 0 {
                return Ok(None);
            }
            limits::LINE
                .check(got as u64, &format!("it goes on after {}", limits::LINE.words()))
                .map_err(|e| self.here(e))?;
            if !text.trim().is_empty() {
                break;
            }
        }
        serde_json::from_str(&text).map(Some).map_err(|e| {
            let what = match text.ends_with('\n') {
                true => format!("this line is not JSON: {} at column {}", reason(&e), e.column()),
                false => "the input ends in the middle of this line".to_string(),
            };
            let help = if ["NaN", "nan", "Infinity", "inf"].iter().any(|word| text.contains(word)) {
                "JSON has no NaN and no Infinity: say null for what has no value".to_string()
            } else {
                format!("one JSON document a line, as {page} shows")
            };
            self.here(Error::input(what).help(help))
        })
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If nobody is reading.
    pub fn say(&mut self, value: &impl Display) -> Result<(), Error> {
        writeln!(self.to, "{value}")
            .and_then(|()| self.to.flush())
            .map_err(|e| Error::environment(format!("the other program stopped listening: {e}")).file("stdout"))
    }

    /// Writes the last line; it does not matter if the other program has gone already.
    ///
    /// # Errors
    /// If it cannot be written for another reason.
    pub fn farewell(&mut self, value: &Value) -> Result<(), Error> {
        match writeln!(self.to, "{value}").and_then(|()| self.to.flush()) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                Err(Error::environment(format!("cannot write: {e}")).file("stdout"))
            }
            _ => Ok(()),
        }
    }

    /// Puts the line that was read last into an error.
    pub fn here(&self, error: Error) -> Error {
        error.file("stdin").line(self.line)
    }
}

/// If a person typed the command, says that a program is expected.
pub fn greet(page: &str) {
    if std::io::stdin().is_terminal() {
        super::output::say(format_args!("waiting for JSON lines on stdin, as {page} shows; Ctrl-D ends"));
    }
}

/// The message without the place inside the line.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_string()
}

/// An object whose keys are taken one by one.
#[derive(Debug)]
pub struct Object(Map<String, Value>);

impl Object {
    /// From a line; `what` says what the line should be.
    ///
    /// # Errors
    /// If it is another kind of document.
    pub fn new(value: Value, what: &str) -> Result<Self, Error> {
        match value {
            Value::Object(map) => Ok(Self(map)),
            other => {
                Err(Error::input(format!("{} where {what} belongs", short(&other))).allowed("a JSON object, {...}"))
            }
        }
    }

    /// The value of a key, `None` where it is absent or null; `allowed` says what it can be.
    ///
    /// # Errors
    /// If it is of another type.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str, allowed: &str) -> Result<Option<T>, Error> {
        let Some(value) = self.0.remove(key).filter(|v| !v.is_null()) else { return Ok(None) };
        let shown = short(&value);
        serde_json::from_value(value)
            .map(Some)
            .map_err(|_| Error::input(format!("`{key}` is {shown}")).key(key).allowed(allowed))
    }

    /// The value of a key that must be there.
    ///
    /// # Errors
    /// If it is absent or of another type.
    pub fn need<T: DeserializeOwned>(&mut self, key: &str, allowed: &str) -> Result<T, Error> {
        if let Some(value) = self.take(key, allowed)? {
            return Ok(value);
        }
        let error = Error::input(format!("`{key}` is missing")).key(key).allowed(allowed);
        let there: Vec<&str> = self.0.keys().map(String::as_str).collect();
        Err(match nearest(key, &there) {
            Some(near) => error.help(format!("did you mean `{key}` instead of `{near}`?")),
            None => error,
        })
    }

    /// True if the key is there, null or not.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// What has not been taken.
    pub fn rest(self) -> Map<String, Value> {
        self.0
    }
}
