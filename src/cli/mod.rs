//! The command line: one file per subcommand; results on stdout, progress and messages on stderr.

pub mod bench;
pub mod workload;

use crate::Error;
use clap::{Parser, Subcommand};

/// Tune crowd models: evolve their constants until the crowd does what an experiment file asks.
#[derive(Debug, Parser)]
#[command(name = "crowdtune", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Args),
}

/// Parses the command line and runs the command.
///
/// # Errors
/// What the user or the environment has to mend.
pub fn run() -> Result<(), Error> {
    match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
    }
}
