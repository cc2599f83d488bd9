//! Results on stdout, messages on stderr. A reader that is gone (`| head`) is not an error, nor a panic.

use crate::report::table::Terminal;
use crowdtune_core::Error;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// Writes a result and a line end to stdout.
///
/// # Errors
/// If stdout cannot be written.
pub fn line(text: impl Display) -> Result<(), Error> {
    bytes(format!("{text}\n").as_bytes())
}

/// Writes a result to stdout.
///
/// # Errors
/// If stdout cannot be written.
pub fn bytes(bytes: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::environment(format!("cannot write to stdout: {e}"))
            .help("what was written to files is complete; send stdout to a place with room")),
        _ => Ok(()),
    }
}

/// Writes a message and a line end to stderr; if nobody can read it, work goes on.
pub fn say(text: impl Display) {
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// What stdout can show: as many columns as `COLUMNS` says, or as the terminal has.
pub fn terminal() -> Terminal {
    let color = std::io::stdout().is_terminal();
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    Terminal { width: said.or_else(|| color.then(|| comfy_table::Table::new().width()).flatten()), color }
}
