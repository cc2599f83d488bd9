//! `crowdtune report`: plots and report again, from the run folder alone.

use super::{evolve, input, output, posterior, sensitivity};
use crate::folder::{design_of, inference_of, remake_posterior, remake_report, remake_sensitivity};
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
/// If the folder is not a run folder, or cannot be written.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    let (mut experiment, log) = input::run(registry, &args.folder)?;
    if let Some(design) = design_of(&args.folder)? {
        let found = remake_sensitivity(&mut experiment, design, &log.trials, &args.folder)?;
        return sensitivity::say(&found, &args.folder);
    }
    if let Some(design) = inference_of(&args.folder)? {
        let found = remake_posterior(&experiment, design, &log, &args.folder)?;
        return posterior::say(&found, &args.folder);
    }
    let summary = remake_report(&experiment, log, &args.folder)?;
    output::colored(&evolve::table(&summary, &args.folder))
}
