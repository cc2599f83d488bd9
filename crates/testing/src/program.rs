//! The program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder that goes when the test ends, in which a program is run.
pub struct Place {
    folder: TempDir,
    program: PathBuf,
}

impl Place {
    /// An empty folder for the program with this path.
    ///
    /// # Panics
    /// If the machine has no room.
    pub fn new(program: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), program: program.into() }
    }

    /// With a file in it.
    #[must_use]
    pub fn with(self, name: &str, text: &str) -> Self {
        self.write(name, text);
        self
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file.
    ///
    /// # Panics
    /// If that fails.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// The text of a file.
    ///
    /// # Panics
    /// If there is none.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with these arguments, without input.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder()).args(arguments).stdin(Stdio::null());
        command
    }

    /// The program with these words as arguments.
    pub fn words(&self, words: &str) -> Command {
        self.command(&words.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program with these words as arguments, and checks the exit code.
    ///
    /// # Panics
    /// If it is another one.
    pub fn run(&self, code: i32, words: &str) -> Ran {
        let ran = Ran::new(&self.words(words).output().unwrap());
        assert_eq!(ran.code, Some(code), "{words}\n{}\n{}", ran.out, ran.err);
        ran
    }
}

/// How the program ended, and what it said.
pub struct Ran {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// From what is left of a run.
    ///
    /// # Panics
    /// If it printed no text.
    pub fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Checks that stderr is an error that says all this.
    ///
    /// # Panics
    /// If it is not.
    pub fn says(&self, words: &[&str]) {
        assert!(self.err.contains("error: "), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "no `{word}` in\n{}", self.err);
        }
    }
}
