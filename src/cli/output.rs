//! Results on stdout, messages on stderr: the one place that writes text to a terminal.
//!
//! A reader that is gone (`| head`) is not an error, nor a panic. Names, units and file names are the words of others, so no
//! control character of theirs gets through: [`crate::report::plain_text`] says how it is shown.

use crate::report::plain_text::{neutral, neutral_but_color};
use crate::report::table::Terminal;
use crowdtune_core::Error;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// Writes a result and a line end to stdout.
///
/// # Errors
/// If stdout cannot be written.
pub fn line(text: impl Display) -> Result<(), Error> {
    bytes((neutral(&text.to_string()) + "\n").as_bytes())
}

/// Writes text of our own, such as a script for a shell, as it is.
///
/// # Errors
/// If stdout cannot be written.
pub fn bytes(text: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::environment(format!("cannot write to stdout: {e}"))
            .help("what was written to files is complete; send stdout to a place with room")),
        _ => Ok(()),
    }
}

/// Writes tables and sentences, whose own colors stay, to stdout.
///
/// # Errors
/// If stdout cannot be written.
pub fn colored(text: &str) -> Result<(), Error> {
    bytes(neutral_but_color(text).as_bytes())
}

/// Writes a message and a line end to stderr; if nobody can read it, work goes on.
pub fn say(text: impl Display) {
    let _ = std::io::stderr().write_all((neutral(&text.to_string()) + "\n").as_bytes());
}

/// What stdout can show: as many columns as `COLUMNS` says, or as the terminal has.
pub fn terminal() -> Terminal {
    let color = std::io::stdout().is_terminal();
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    Terminal { width: said.or_else(|| color.then(|| comfy_table::Table::new().width()).flatten()), color }
}
