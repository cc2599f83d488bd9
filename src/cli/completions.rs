//! `crowdtune completions SHELL`: a completion script.

use super::Cli;
use crate::Error;
use clap::{Args as ClapArgs, CommandFactory as _};
use clap_complete::Shell;
use std::io::Write as _;

/// Print a completion script for a shell
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(args: &Args) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "crowdtune", &mut script);
    print(&script)
}

/// Writes to stdout; a reader that has gone away (`| head`) is no error.
///
/// # Errors
/// If stdout cannot be written.
pub fn print(bytes: &[u8]) -> Result<(), Error> {
    match std::io::stdout().write_all(bytes) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::environment(format!("cannot write to stdout: {e}")))
        }
        _ => Ok(()),
    }
}
