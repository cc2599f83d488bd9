//! `crowdtune report`: plots and report again, from the run folder alone.

use super::{artifacts, input, output, sensitivity};
use crate::evolve::run;
use crate::evolve::summarize::summarize;
use crate::registry::Registry;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::PathBuf;

/// Make plots and report.html again from a run folder, finished or not
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The run folder
    folder: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If the folder is no run folder, or cannot be written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let (experiment, trials) = input::run(registry, &args.folder)?;
    if let Some(plan) = sensitivity::plan(&args.folder)? {
        return sensitivity::again(experiment, plan, &trials, &args.folder);
    }
    let summary = summarize(&experiment, &trials, run::stopped(&experiment, &trials));
    artifacts::report(&experiment, &summary, &trials, &args.folder)?;
    output::bytes(artifacts::table(&summary, &args.folder).as_bytes())
}
