//! The program as a partner that speaks JSON lines.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running program and its pipes.
pub struct Partner {
    child: Child,
    to: Option<ChildStdin>,
    from: Option<BufReader<ChildStdout>>,
}

/// How the program ended.
pub struct Ended {
    pub code: i32,
    /// The output that was not read yet.
    pub out: String,
    pub err: String,
}

impl Partner {
    /// Starts `crowdtune` with these arguments.
    pub fn start(words: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crowdtune"));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (to, from) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, to, from }
    }

    /// Sends a line; no error if the program has ended already.
    pub fn say(&mut self, line: &str) {
        let to = self.to.as_mut().unwrap();
        let _ = writeln!(to, "{line}").and_then(|()| to.flush());
    }

    /// Sends text without an end of line.
    pub fn say_part(&mut self, text: &[u8]) {
        let to = self.to.as_mut().unwrap();
        to.write_all(text).and_then(|()| to.flush()).unwrap();
    }

    /// The next line that it prints.
    pub fn hear(&mut self) -> Value {
        let line = self.hear_text();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in `{line}`"))
    }

    /// The same as it is, without its end.
    pub fn hear_text(&mut self) -> String {
        let mut line = String::new();
        self.from.as_mut().unwrap().read_line(&mut line).unwrap();
        line.trim_end_matches('\n').to_string()
    }

    /// Sends a line and reads one.
    pub fn ask(&mut self, line: &str) -> Value {
        self.say(line);
        self.hear()
    }

    /// Closes its stdin.
    pub fn hang_up(&mut self) {
        self.to = None;
    }

    /// Closes its stdout.
    pub fn stop_listening(&mut self) {
        self.from = None;
    }

    /// Closes its stdin and waits until it ends.
    pub fn end(mut self) -> Ended {
        self.to = None;
        let (mut out, mut err) = (String::new(), String::new());
        if let Some(from) = self.from.as_mut() {
            from.read_to_string(&mut out).unwrap();
        }
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let code = self.child.wait().unwrap().code().unwrap();
        Ended { code, out, err }
    }
}

/// Runs the program on these lines and checks that it ends with code 2 and an error that contains all of `says`.
pub fn refuses(words: &[&str], lines: &[&str], says: &[&str]) {
    let mut partner = Partner::start(words);
    for line in lines {
        partner.say(line);
    }
    let ended = partner.end();
    assert_eq!(ended.code, 2, "{lines:?}\n{}\n{}", ended.out, ended.err);
    for word in ["error: "].iter().chain(says) {
        assert!(ended.err.contains(word), "no `{word}` for {lines:?} in\n{}", ended.err);
    }
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
}
