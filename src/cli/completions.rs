//! `crowdtune completions SHELL`: a completion script.

use super::output;
use clap::{Args as ClapArgs, Command};
use clap_complete::Shell;
use crowdtune_core::Error;

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
pub fn run(args: &Args, program: &Command) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program.clone(), "crowdtune", &mut script);
    output::bytes(&script)
}
