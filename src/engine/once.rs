//! An engine that is started anew for each message: the question in one file, the answer in another.

use super::fault::{Fault, NEVER};
use crate::worker::{LONGEST, Mark, Missed, Process};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Variables that name the two files; `{question}` and `{answer}` in the command do too.
const QUESTION: &str = "CROWDTUNE_ENGINE_QUESTION";
const ANSWER: &str = "CROWDTUNE_ENGINE_ANSWER";

/// The command and its files.
#[derive(Debug)]
pub struct Once {
    words: Vec<String>,
    directory: PathBuf,
    question: PathBuf,
    answer: PathBuf,
    process: Option<Process>,
    tail: String,
}

impl Once {
    /// Starts nothing yet.
    pub fn new(words: &[String], directory: &Path, folder: &Path) -> Self {
        let (question, answer) = (folder.join("question.json"), folder.join("answer.json"));
        let named = |path: &Path| path.display().to_string();
        let fill = |word: &String| word.replace("{question}", &named(&question)).replace("{answer}", &named(&answer));
        let words = words.iter().map(fill).collect();
        Self { words, directory: directory.to_owned(), question, answer, process: None, tail: String::new() }
    }

    /// Writes the question and starts the command.
    pub fn say(&mut self, line: &str) -> Result<(), Fault> {
        let failed = |what: String| Fault::Wrong(format!("cannot be asked: {what}"));
        std::fs::write(&self.question, format!("{line}\n")).map_err(|e| failed(e.to_string()))?;
        // An old answer must not be read twice.
        if let Err(e) = std::fs::remove_file(&self.answer)
            && e.kind() != std::io::ErrorKind::NotFound
        {
            return Err(failed(e.to_string()));
        }
        let files = [(QUESTION, &self.question), (ANSWER, &self.answer)];
        let [question, answer] = files.map(|(name, path)| (name.to_owned(), path.display().to_string()));
        let envs = [question, answer, Mark::variable()];
        let process = Process::start(&self.words, Some(&self.directory), &envs, LONGEST);
        let mut process = process.map_err(|e| failed(e.what().to_owned()))?;
        process.close_input();
        self.process = Some(process);
        Ok(())
    }

    /// Waits until the command has ended, and reads the answer.
    pub fn hear(&mut self, within: Duration) -> Result<String, Fault> {
        let until = Instant::now() + within;
        let Some(mut process) = self.process.take() else { return Err(Fault::Ended("it was not started".into())) };
        loop {
            match process.receive(Some(until), &NEVER) {
                // What it prints is not the answer.
                Ok(_) => {}
                Err(Missed::TooLong | Missed::Ended) => break,
                Err(Missed::TimedOut | Missed::Cancelled) => return Err(Fault::TimedOut),
            }
        }
        if !process.ends_by(until) {
            return Err(Fault::TimedOut);
        }
        self.tail = process.stderr_tail();
        let how = process.end().to_string();
        let mut line = String::new();
        let file = std::fs::symlink_metadata(&self.answer).ok().filter(std::fs::Metadata::is_file);
        let Some(file) = file else { return Err(Fault::Ended(format!("{how}, without an answer"))) };
        if file.len() > LONGEST as u64 {
            return Err(Fault::TooLong);
        }
        let read =
            std::fs::File::open(&self.answer).and_then(|file| file.take(LONGEST as u64).read_to_string(&mut line));
        read.map_err(|e| Fault::Wrong(format!("wrote an answer that cannot be read: {e}")))?;
        Ok(line.trim().to_owned())
    }

    /// What the last process wrote on stderr.
    pub fn stderr_tail(&mut self) -> String {
        self.process.as_mut().map_or_else(|| self.tail.clone(), Process::stderr_tail)
    }
}
