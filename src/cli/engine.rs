//! `crowdtune engine`: what a foreign simulator of an experiment does.

use super::{input, output};
use crate::engine::{Finding, check};
use crate::registry::Registry;
use clap::{Args as ClapArgs, Subcommand};
use crowdtune_core::Error;
use std::path::{Path, PathBuf};

/// Try out the foreign simulator of an experiment
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Send every kind of message to the engine, and say what is wrong with its answers
    Check(Check),
}

/// What is checked.
#[derive(Debug, ClapArgs)]
struct Check {
    /// The experiment file; its [engine] says what is started
    experiment: PathBuf,
    /// Replace a value of the file, for example engine.timeout_s=5
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = input::pair)]
    sets: Vec<(String, String)>,
}

/// Runs the command.
///
/// # Errors
/// If the experiment is wrong, or something is wrong with its engine.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let What::Check(args) = &args.what;
    let experiment = input::not_started(registry, &args.experiment, &args.sets)?;
    let beside = args.experiment.parent().unwrap_or(Path::new(""));
    let findings = check(&experiment, beside).map_err(|e| e.file(args.experiment.display().to_string()))?;
    for finding in &findings {
        output::line(line(finding))?;
    }
    match findings.iter().filter(|finding| !finding.good).count() {
        0 => output::line("The engine does all that a search asks of it."),
        wrong => Err(Error::nothing(format!("{wrong} of {} trials show something wrong", findings.len()))
            .help("docs/engines.md shows all messages")),
    }
}

fn line(finding: &Finding) -> String {
    let Finding { what, good, seen, help } = finding;
    if *good { format!("ok     {what}: {seen}") } else { format!("WRONG  {what}: {seen}\n       {help}") }
}
