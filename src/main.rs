//! Parse, run, print the error, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match crowdtune::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
