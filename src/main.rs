//! Parse, run, print the error, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match crowdtune::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crowdtune::cli::output::say(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
