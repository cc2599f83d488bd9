//! One error for the whole program: what is wrong, where, what is allowed, what to do.

use std::fmt;

/// Who has to act, which is also the exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The work was done, but nothing valid came out (exit code 1).
    Nothing,
    /// The user's input is wrong (exit code 2).
    Input,
    /// The environment failed: disk full, folder not writable (exit code 3).
    Environment,
    /// Stopped by Ctrl-C (exit code 130).
    Interrupted,
}

/// What went wrong, in the words of the user.
///
/// The first line says what; then come the place (`file:line`), the key, the allowed range and the remedy, each
/// where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Parts>);

/// Boxed, so that a `Result` is as small as what it usually holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    class: Class,
    what: String,
    file: Option<String>,
    line: Option<usize>,
    key: Option<String>,
    allowed: Option<String>,
    help: Option<String>,
}

impl Error {
    fn new(class: Class, what: impl Into<String>) -> Self {
        Self(Box::new(Parts { class, what: what.into(), file: None, line: None, key: None, allowed: None, help: None }))
    }

    /// A mistake in what the user gave.
    pub fn input(what: impl Into<String>) -> Self {
        Self::new(Class::Input, what)
    }

    /// The machine refused: a full disk, a folder that cannot be written.
    pub fn environment(what: impl Into<String>) -> Self {
        Self::new(Class::Environment, what)
    }

    /// The search ran but found nothing valid.
    pub fn nothing(what: impl Into<String>) -> Self {
        Self::new(Class::Nothing, what)
    }

    /// Stopped by the user.
    pub fn interrupted(what: impl Into<String>) -> Self {
        Self::new(Class::Interrupted, what)
    }

    /// Names the file; the first name given stays.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.0.file.get_or_insert(file.into());
        self
    }

    /// Names the line, counted from 1; the first one given stays.
    #[must_use]
    pub fn line(mut self, line: usize) -> Self {
        self.0.line.get_or_insert(line);
        self
    }

    /// Names the dotted key; the first one given stays.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.0.key.get_or_insert(key.into());
        self
    }

    /// Puts the key, where one is named, under a table: `width_m` becomes `scenario.neck.width_m`.
    #[must_use]
    pub fn under(self, table: &str) -> Self {
        self.key_as(|key| format!("{table}.{key}"))
    }

    /// Gives the key, where one is named, the name that the user knows: `fps` becomes `--fps`.
    #[must_use]
    pub fn key_as(mut self, name: impl FnOnce(String) -> String) -> Self {
        self.0.key = self.0.key.map(name);
        self
    }

    /// The dotted key, if one is named.
    pub fn named_key(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// Says what would have been right: a range, or the list of choices.
    #[must_use]
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.0.allowed.get_or_insert(allowed.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help.get_or_insert(help.into());
        self
    }

    /// Who has to act.
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// The exit code of the program, as [`Class`] lists them.
    pub fn exit_code(&self) -> u8 {
        match self.0.class {
            Class::Nothing => 1,
            Class::Input => 2,
            Class::Environment => 3,
            Class::Interrupted => 130,
        }
    }

    /// The first line: what went wrong, without place and remedy.
    pub fn what(&self) -> &str {
        &self.0.what
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.what)?;
        match (&self.0.file, self.0.line) {
            (Some(file), Some(line)) => write!(f, "\n  --> {file}:{line}")?,
            (Some(file), None) => write!(f, "\n  --> {file}")?,
            (None, Some(line)) => write!(f, "\n  --> line {line}")?,
            (None, None) => {}
        }
        if let Some(key) = &self.0.key {
            write!(f, "\n  key:     {key}")?;
        }
        if let Some(allowed) = &self.0.allowed {
            write!(f, "\n  allowed: {allowed}")?;
        }
        if let Some(help) = &self.0.help {
            write!(f, "\n  help:    {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_place_key_range_and_remedy_in_that_order() {
        let error = Error::input("relaxation_time_s is -1")
            .help("give seconds")
            .key("parameters.relaxation_time_s")
            .file("a.toml")
            .line(7)
            .allowed("0.01 to 10 s");
        assert_eq!(
            error.to_string(),
            "relaxation_time_s is -1\n  --> a.toml:7\n  key:     parameters.relaxation_time_s\n  \
             allowed: 0.01 to 10 s\n  help:    give seconds"
        );
        assert_eq!(error.exit_code(), 2);
    }
}
