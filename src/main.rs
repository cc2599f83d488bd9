//! The program: what comes with crowdtune, on the command line.

use crowdtune::{Registry, cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(&Registry::builtin())
}
