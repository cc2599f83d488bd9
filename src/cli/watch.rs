//! `crowdtune watch`: a live page of running searches.

use super::output;
use crate::registry::Registry;
use crate::watch::Server;
use clap::Args as ClapArgs;
use crowdtune_core::Error;
use std::path::PathBuf;

/// Show running searches as a live page on this machine, until Ctrl-C; nothing is written
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A run folder, or a folder with run folders in it: repeats, optimizers
    folder: PathBuf,
    /// Port of the page [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

/// Runs the command.
///
/// # Errors
/// If there is no such folder, or the port cannot be had.
pub fn run(args: &Args, registry: &Registry) -> Result<(), Error> {
    if !args.folder.is_dir() {
        return Err(Error::input("there is no such folder")
            .file(args.folder.display().to_string())
            .help("name the folder of a run, or one with runs in it; `crowdtune evolve` makes results/NAME-SEED"));
    }
    let server = Server::new(registry, &args.folder, args.port)?;
    output::say(format_args!("watching {} at {} until Ctrl-C", args.folder.display(), server.address()));
    server.serve();
    Ok(())
}
